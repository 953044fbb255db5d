//! A plugin of your own: the model names a controller, and the program puts its own code in its place.
//!
//! Plugins see the whole simulation at fixed points of the step: forces of actuators, passive forces, sensors, states of their own.

use std::error::Error;
use std::sync::Arc;

use condyle::data::Data;
use condyle::plugin::Plugin;
use condyle::prelude::*;

const MODEL: &str = r#"<mujoco>
  <extension><plugin plugin="mujoco.pid"><instance name="servo"><config key="kp" value="1"/></instance></plugin></extension>
  <worldbody>
    <body><joint name="hinge" axis="0 1 0" damping=".1"/><geom type="capsule" fromto="0 0 0 .4 0 0" size=".03" mass="1"/></body>
  </worldbody>
  <actuator><plugin name="servo" joint="hinge" plugin="mujoco.pid" instance="servo"/></actuator>
</mujoco>"#;

/// Pushes with all its force towards the target, and gently when it is near.
#[derive(Debug)]
struct Servo {
    instance: usize,
    most: f64,
}

impl Plugin for Servo {
    fn actuator_forces(&self, model: &Model, data: &mut Data) {
        for actuator in 0..model.nu {
            if model.actuator_plugin[actuator] == self.instance as i32 {
                let away = data.inputs.ctrl[actuator] - data.transmission.actuator_length[actuator];
                let wanted = 400.0 * away - 20.0 * data.velocity.actuator_velocity[actuator];
                data.actuation.actuator_force[actuator] = if wanted > self.most {
                    self.most
                } else if wanted < -self.most {
                    -self.most
                } else {
                    wanted
                };
            }
        }
    }
}

pub fn main() -> Result<(), Box<dyn Error>> {
    let mut sim = Sim::new(load_str(MODEL, &LoadOptions::default())?.model);
    assert!(sim.data.plugins.set(0, Arc::new(Servo { instance: 0, most: 8.0 })));
    sim.set_ctrl("servo", -0.5)?;
    sim.run_for(3.0);
    let angle = sim.joint("hinge")?.qpos();
    println!("the arm is held at {angle:.3} rad with {:.2} N·m", sim.data.actuation.actuator_force[0]);
    assert!((angle + 0.5).abs() < 0.02);
    Ok(())
}
