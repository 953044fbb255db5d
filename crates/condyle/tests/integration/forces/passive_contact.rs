//! Contacts of deformable bodies that are springs instead of constraint rows.

use crate::common::{all_near, sim};

/// A tetrahedron that lies on a plane with one vertex, at a depth of 0.01 m, its radius included.
const BLOCK: &str = r#"<mujoco><option gravity="0 0 0" jacobian="STORAGE"/><worldbody><geom type="plane" size="1 1 1"/>
  <body name="a" pos="0 0 0.02"><joint type="slide" axis="0 0 1"/><joint type="slide" axis="1 0 0"/><geom size=".001" contype="0" conaffinity="0" mass="1"/></body>
  <body name="b" pos="0 0 1"/><body name="c" pos="1 0 1"/><body name="d" pos="0 1 1"/>
  </worldbody><deformable><flex name="block" dim="3" radius="0.03" body="a b c d" element="0 1 2 3"
    vertex="0 0 0  0 0 0  0 0 0  0 0 0"><contact selfcollide="none" internal="false" passive="true"/></flex></deformable></mujoco>"#;

#[test]
fn a_passive_contact_is_a_spring_along_its_normal() {
    for storage in ["dense", "sparse"] {
        let sim = sim(&BLOCK.replace("STORAGE", storage));
        let depth: f64 = sim.data.contacts.iter().map(|contact| contact.dist).sum();
        assert!(depth < -0.005, "{storage}: {:?}", sim.data.contacts);
        assert_eq!(sim.data.rows.nefc, 0, "{storage}");
        all_near(&sim.data.passive.qfrc_spring, &[-1e4 * depth, 0.0], 1e-9 * 1e-3);
    }
}
