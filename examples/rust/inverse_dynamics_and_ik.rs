//! Reach a point with a hand by following the transpose of its Jacobian, then find the torques that hold the arm there.

use std::error::Error;

use condyle::prelude::*;

const MODEL: &str = r#"<mujoco>
  <worldbody>
    <body pos="0 0 .5">
      <joint axis="0 0 1"/><joint axis="0 1 0"/>
      <geom type="capsule" fromto="0 0 0 .4 0 0" size=".03"/>
      <body pos=".4 0 0">
        <joint axis="0 1 0"/>
        <geom type="capsule" fromto="0 0 0 .4 0 0" size=".02"/>
        <site name="hand" pos=".4 0 0"/>
      </body>
    </body>
  </worldbody>
</mujoco>"#;
const TARGET: [f64; 3] = [0.3, 0.3, 0.6];

pub fn main() -> Result<(), Box<dyn Error>> {
    let mut sim = Sim::new(load_str(MODEL, &LoadOptions::default())?.model);
    sim.data.state.qpos.copy_from_slice(&[0.1, -0.1, 0.3]);
    for _ in 0..500 {
        sim.forward();
        let gap = gap(&sim)?;
        // The transpose of the Jacobian takes a gap of the hand to the joints.
        let turn = sim.site_jacobian("hand")?.joint_forces(gap, [0.0; 3]);
        for (angle, part) in sim.data.state.qpos.iter_mut().zip(turn) {
            *angle += 2.0 * part;
        }
    }
    sim.forward();
    println!(
        "the hand is {:.1e} m from its target with angles {:.3?} rad",
        distance(&sim)?,
        sim.data.state.qpos
    );
    assert!(distance(&sim)? < 1e-3);

    sim.data.state.qvel.fill(0.0);
    let torques = sim.inverse_dynamics(&vec![0.0; sim.model.nv])?;
    println!("torques that hold it there: {torques:.3?} N·m");

    sim.data.inputs.qfrc_applied.copy_from_slice(&torques);
    sim.run_for(0.2);
    sim.forward();
    assert!(distance(&sim)? < 1e-3, "it does not stay there");
    Ok(())
}

/// From the hand to its target.
fn gap(sim: &Sim) -> Result<[f64; 3], Box<dyn Error>> {
    let place = sim.site("hand")?.position();
    Ok([0, 1, 2].map(|axis| TARGET[axis] - place[axis]))
}

fn distance(sim: &Sim) -> Result<f64, Box<dyn Error>> {
    Ok(gap(sim)?.iter().map(|part| part * part).sum::<f64>().sqrt())
}
