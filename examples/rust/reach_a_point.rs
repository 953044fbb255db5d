//! Reach a point with a hand by following the transpose of its Jacobian.

use std::error::Error;

use condyle::query::jacobian;
use condyle::{LoadOptions, ObjectType, Sim, load_str};

const MODEL: &str = r#"<mujoco>
  <worldbody>
    <body pos="0 0 .5">
      <joint axis="0 0 1"/><joint axis="0 1 0"/>
      <geom type="capsule" fromto="0 0 0 .4 0 0" size=".03"/>
      <body pos=".4 0 0">
        <joint axis="0 1 0"/>
        <geom type="capsule" fromto="0 0 0 .4 0 0" size=".02"/>
        <site name="hand" pos=".4 0 0"/>
      </body>
    </body>
  </worldbody>
</mujoco>"#;

pub fn main() -> Result<(), Box<dyn Error>> {
    let mut sim = Sim::new(load_str(MODEL, &LoadOptions::default())?.model);
    let (hand, target) = (sim.model.find(ObjectType::Site, "hand").ok_or("no hand")?, [0.3, 0.3, 0.6]);
    sim.data.state.qpos.copy_from_slice(&[0.1, -0.1, 0.3]);
    let dofs = sim.model.nv;
    let mut rows = vec![0.0; 3 * dofs];
    let mut distance = f64::INFINITY;
    for _ in 0..500 {
        sim.forward();
        let place = sim.data.kinematics.site_xpos[hand];
        let gap: Vec<f64> = (0..3).map(|axis| target[axis] - place[axis]).collect();
        distance = gap.iter().map(|part| part * part).sum::<f64>().sqrt();
        jacobian::of_site(&sim.model, &sim.data.kinematics, Some(&mut rows), None, hand);
        for dof in 0..dofs {
            sim.data.state.qpos[dof] +=
                2.0 * (0..3).map(|axis| rows[axis * dofs + dof] * gap[axis]).sum::<f64>();
        }
    }
    println!("the hand is {distance:.1e} m from its target with angles {:.3?} rad", sim.data.state.qpos);
    assert!(distance < 1e-3);
    Ok(())
}
