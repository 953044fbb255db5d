//! A ball falls on a floor: load a model, step it, read the state.

use std::error::Error;

use condyle::prelude::*;

const MODEL: &str = r#"<mujoco>
  <worldbody>
    <geom type="plane" size="1 1 .1"/>
    <body name="ball" pos="0 0 1"><freejoint/><geom size=".1"/></body>
  </worldbody>
</mujoco>"#;

pub fn main() -> Result<(), Box<dyn Error>> {
    let mut sim = Sim::new(load_str(MODEL, &LoadOptions::default())?.model);
    sim.run_for(2.0);
    let height = sim.body("ball")?.position()[2];
    println!(
        "after {:.1} s the ball is at a height of {height:.4} m, with {} contact",
        sim.time(),
        sim.data.contacts.len()
    );
    assert!((height - 0.1).abs() < 1e-2);
    Ok(())
}
