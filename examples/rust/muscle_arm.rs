//! An arm with two Hill-type muscles: excite the flexor, then the extensor, and watch angle and force.

use std::error::Error;

use condyle::prelude::*;

const MODEL: &str = include_str!("../../models/extensions/hill_muscle.xml");

pub fn main() -> Result<(), Box<dyn Error>> {
    let mut sim = Sim::new(load_str(MODEL, &LoadOptions::default())?.model);
    let mut angles = Vec::new();
    for name in ["flexor", "extensor"] {
        sim.data.inputs.ctrl.fill(0.0);
        sim.set_ctrl(name, 1.0)?;
        let mut greatest = 0.0;
        for _ in 0..400 {
            sim.step();
            let force = -sim.actuator(name)?.force();
            greatest = if force > greatest { force } else { greatest };
        }
        let angle = sim.joint("elbow")?.qpos().to_degrees();
        println!("0.8 s after the {name} is excited: elbow at {angle:.0}°, greatest force {greatest:.0} N");
        angles.push(angle);
    }
    assert!(angles[0] > angles[1] + 30.0);
    Ok(())
}
