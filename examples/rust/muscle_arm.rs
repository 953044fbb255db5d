//! An arm with two Hill-type muscles: excite the flexor, then the extensor, and watch angle and force.

use std::error::Error;

use condyle::{LoadOptions, ObjectType, Sim, load_str};

const MODEL: &str = include_str!("../../models/extensions/hill_muscle.xml");

pub fn main() -> Result<(), Box<dyn Error>> {
    let mut sim = Sim::new(load_str(MODEL, &LoadOptions::default())?.model);
    let mut angles = Vec::new();
    for name in ["flexor", "extensor"] {
        let muscle = sim.model.find(ObjectType::Actuator, name).ok_or("no such muscle")?;
        sim.data.inputs.ctrl.fill(0.0);
        sim.data.inputs.ctrl[muscle] = 1.0;
        let mut greatest = 0.0;
        for _ in 0..400 {
            sim.step();
            let force = -sim.data.actuation.actuator_force[muscle];
            greatest = if force > greatest { force } else { greatest };
        }
        angles.push(sim.data.state.qpos[0].to_degrees());
        println!(
            "0.8 s after the {name} is excited: elbow at {:.0}°, greatest force {greatest:.0} N",
            sim.data.state.qpos[0].to_degrees()
        );
    }
    assert!(angles[0] > angles[1] + 30.0);
    Ok(())
}
