//! Two boxes in a stack: who touches whom, and with what force.

use std::error::Error;

use condyle::report::contact::part_name;
use condyle::{LoadOptions, Sim, load_str};

const MODEL: &str = r#"<mujoco>
  <worldbody>
    <geom name="floor" type="plane" size="1 1 .1"/>
    <body pos="0 0 .1"><freejoint/><geom name="lower" type="box" size=".1 .1 .1" mass="2"/></body>
    <body pos="0 0 .3"><freejoint/><geom name="upper" type="box" size=".1 .1 .1" mass="1"/></body>
  </worldbody>
</mujoco>"#;

pub fn main() -> Result<(), Box<dyn Error>> {
    let mut sim = Sim::new(load_str(MODEL, &LoadOptions::default())?.model);
    while sim.time() < 1.0 {
        sim.step();
    }
    let mut total = 0.0;
    for contact in sim.data.contact_reports(&sim.model) {
        total += contact.normal_force;
        let [one, other] = contact.sides.map(|side| part_name(&sim.model, &side));
        println!("{one} and {other} press on each other with {:.2} N", contact.normal_force);
    }
    assert!((total - (3.0 + 1.0) * 9.81).abs() < 0.5);
    Ok(())
}
