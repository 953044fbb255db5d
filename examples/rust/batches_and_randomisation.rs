//! The same push for 256 boxes of different mass and friction: one batch, all processors.

use std::error::Error;

use condyle::model::ValuesMut;
use condyle::{Batch, LoadOptions, load_str};

const MODEL: &str = r#"<mujoco>
  <worldbody>
    <geom name="floor" type="plane" size="5 5 .1" friction=".1"/>
    <body name="box" pos="0 0 .1"><freejoint/><geom name="box" type="box" size=".1 .1 .1" mass="1"/></body>
  </worldbody>
</mujoco>"#;

pub fn main() -> Result<(), Box<dyn Error>> {
    let model = load_str(MODEL, &LoadOptions::default())?.model;
    let mut batch = Batch::new(&model, 256, 0)?;
    if let ValuesMut::F64(friction) = batch.expand("geom_friction")? {
        for (simulation, geoms) in friction.chunks_exact_mut(3 * model.ngeom).enumerate() {
            geoms[3] = 0.2 + 0.8 * simulation as f64 / 255.0; // sliding friction of the second geom
        }
    }
    if let ValuesMut::F64(mass) = batch.expand("body_mass")? {
        for (simulation, bodies) in mass.chunks_exact_mut(model.nbody).enumerate() {
            bodies[1] = if simulation % 2 == 0 { 0.5 } else { 2.0 };
        }
    }
    batch.set_const(None)?; // recomputes what depends on the masses
    for simulation in 0..batch.len() {
        batch.component_mut(simulation, "qvel")[0] = 2.0;
    }
    batch.step(None, 500)?;
    let distance = |simulation| batch.component(simulation, "qpos")[0];
    println!(
        "{} boxes slid between {:.2} and {:.2} m on {} threads",
        batch.len(),
        distance(255),
        distance(0),
        batch.threads()
    );
    assert!(distance(0) > 2.0 * distance(255) && batch.status().iter().all(|status| *status == 0));
    Ok(())
}
