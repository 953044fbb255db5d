//! An arm follows a target: actuators, joints and sites by their names.

use std::error::Error;

use condyle::prelude::*;

const MODEL: &str = r#"<mujoco>
  <option integrator="implicitfast"/>
  <worldbody>
    <body name="upper" pos="0 0 1">
      <joint name="shoulder" axis="0 1 0" damping=".5"/>
      <geom type="capsule" fromto="0 0 0 .4 0 0" size=".03"/>
      <body name="lower" pos=".4 0 0">
        <joint name="elbow" axis="0 1 0" damping=".5"/>
        <geom type="capsule" fromto="0 0 0 .3 0 0" size=".02"/>
        <site name="hand" pos=".3 0 0"/>
      </body>
    </body>
  </worldbody>
  <actuator>
    <position name="shoulder" joint="shoulder" kp="60"/>
    <position name="elbow" joint="elbow" kp="30"/>
  </actuator>
</mujoco>"#;

pub fn main() -> Result<(), Box<dyn Error>> {
    let mut sim = Sim::new(load_str(MODEL, &LoadOptions::default())?.model);
    sim.set_ctrl("shoulder", -0.6)?;
    sim.set_ctrl("elbow", 1.0)?;
    sim.run_for(3.0);
    let (shoulder, elbow) = (sim.joint("shoulder")?.qpos(), sim.joint("elbow")?.qpos());
    println!(
        "shoulder {shoulder:.2} rad, elbow {elbow:.2} rad, hand at {:.3?} m",
        sim.site("hand")?.position()
    );
    assert!((shoulder + 0.6).abs() < 0.2 && (elbow - 1.0).abs() < 0.2);
    Ok(())
}
