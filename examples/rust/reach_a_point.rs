//! Reach a point with a hand by following the transpose of its Jacobian.

use std::error::Error;

use condyle::prelude::*;

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
    let target = [0.3, 0.3, 0.6];
    sim.data.state.qpos.copy_from_slice(&[0.1, -0.1, 0.3]);
    let mut distance = f64::INFINITY;
    for _ in 0..500 {
        sim.forward();
        let place = sim.site("hand")?.position();
        let gap = [0, 1, 2].map(|axis| target[axis] - place[axis]);
        distance = gap.iter().map(|part| part * part).sum::<f64>().sqrt();
        // The transpose of the Jacobian takes a gap of the hand to the joints.
        let turn = sim.site_jacobian("hand")?.joint_forces(gap, [0.0; 3]);
        for (angle, part) in sim.data.state.qpos.iter_mut().zip(turn) {
            *angle += 2.0 * part;
        }
    }
    println!("the hand is {distance:.1e} m from its target with angles {:.3?} rad", sim.data.state.qpos);
    assert!(distance < 1e-3);
    Ok(())
}
