//! Code of your own in the step: a spring that only pulls, added as a passive force.

use std::error::Error;

use condyle::prelude::*;

const MODEL: &str = r#"<mujoco>
  <worldbody>
    <body><joint name="slide" type="slide" axis="0 0 1"/><geom size=".1" mass="1"/></body>
  </worldbody>
</mujoco>"#;

pub fn main() -> Result<(), Box<dyn Error>> {
    let mut sim = Sim::new(load_str(MODEL, &LoadOptions::default())?.model);
    // A cord of 1 m that holds with 200 N/m once it is tight.
    sim.set_hooks(Callbacks::new().passive_forces(|sim| {
        let stretch = -1.0 - sim.data.state.qpos[0];
        if stretch > 0.0 {
            sim.data.passive.qfrc_passive[0] += 200.0 * stretch - 5.0 * sim.data.state.qvel[0];
        }
    }));
    let mut lowest = 0.0;
    while sim.time() < 5.0 {
        sim.step();
        let height = sim.joint("slide")?.qpos();
        lowest = if height < lowest { height } else { lowest };
    }
    println!("the jump ends {:.2} m down, and hangs at {:.2} m", -lowest, -sim.joint("slide")?.qpos());
    assert!(-1.6 < lowest && lowest < -1.2);
    Ok(())
}
