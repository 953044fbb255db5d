//! An arm follows a target: actuators, joints and sites by their names.

use std::error::Error;

use condyle::{LoadOptions, ObjectType, Sim, load_str};

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
    for (name, angle) in [("shoulder", -0.6), ("elbow", 1.0)] {
        let actuator = sim.model.find(ObjectType::Actuator, name).ok_or("no actuator")?;
        sim.data.inputs.ctrl[actuator] = angle;
    }
    while sim.time() < 3.0 {
        sim.step();
    }
    let hand = sim.model.find(ObjectType::Site, "hand").ok_or("no hand")?;
    let [x, _, z] = sim.data.kinematics.site_xpos[hand];
    println!("angles {:.2?} rad, hand at {x:.3}, {z:.3} m", sim.data.state.qpos);
    assert!((sim.data.state.qpos[0] + 0.6).abs() < 0.2 && (sim.data.state.qpos[1] - 1.0).abs() < 0.2);
    Ok(())
}
