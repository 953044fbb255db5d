//! A simulation is set aside, goes on, and is played again with the same bits.

use std::error::Error;

use condyle::{LoadOptions, Sim, load_str};

const MODEL: &str = r#"<mujoco>
  <worldbody>
    <geom type="plane" size="1 1 .1"/>
    <body pos="0 0 .5"><freejoint/><geom type="box" size=".1 .05 .02"/></body>
    <body pos=".05 0 .8"><freejoint/><geom type="capsule" size=".03 .1"/></body>
  </worldbody>
</mujoco>"#;

fn play(sim: &mut Sim, steps: usize) -> Vec<f64> {
    let mut positions = Vec::new();
    for _ in 0..steps {
        sim.step();
        positions.extend_from_slice(&sim.data.state.qpos);
    }
    positions
}

pub fn main() -> Result<(), Box<dyn Error>> {
    let mut sim = Sim::new(load_str(MODEL, &LoadOptions::default())?.model);
    sim.data.state.qvel[3..6].copy_from_slice(&[3.0, 1.0, 2.0]);
    play(&mut sim, 200);
    let snapshot = sim.snapshot();
    let first = play(&mut sim, 300);
    sim.restore(&snapshot)?;
    let again = play(&mut sim, 300);
    println!(
        "a snapshot of {} bytes; 300 steps played again are equal, bit by bit",
        snapshot.as_bytes().len()
    );
    assert!(first.iter().zip(&again).all(|(one, other)| one.to_bits() == other.to_bits()));
    Ok(())
}
