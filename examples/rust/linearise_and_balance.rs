//! A pole on a cart is linearised about its upright pose and balanced by a linear-quadratic regulator.

use std::error::Error;

use condyle::prelude::*;

const MODEL: &str = r#"<mujoco>
  <option timestep=".01"/>
  <worldbody>
    <body name="cart">
      <joint name="slide" type="slide" axis="1 0 0"/>
      <geom type="box" size=".2 .1 .05" mass="1"/>
      <body name="pole"><joint name="hinge" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 0 0 1" size=".03" mass=".2"/></body>
    </body>
  </worldbody>
  <actuator><motor joint="slide"/></actuator>
</mujoco>"#;
const COST: [f64; 4] = [1.0, 10.0, 0.1, 0.1];

/// Feedback of one control on four states: the discrete Riccati equation by iteration.
fn feedback(a: &[f64], b: &[f64]) -> [f64; 4] {
    let mut p = [[0.0; 4]; 4];
    let mut gain = [0.0; 4];
    for _ in 0..2000 {
        let pa = |i: usize, j: usize| (0..4).map(|k| p[i][k] * a[4 * k + j]).sum::<f64>();
        let pb = |i: usize| (0..4).map(|k| p[i][k] * b[k]).sum::<f64>();
        let weight = 0.1 + (0..4).map(|i| b[i] * pb(i)).sum::<f64>();
        gain = [0, 1, 2, 3].map(|j| (0..4).map(|i| b[i] * pa(i, j)).sum::<f64>() / weight);
        // P becomes Q + Aᵀ P (A − B K).
        let moved = |k: usize, j: usize| pa(k, j) - pb(k) * gain[j];
        let mut next = [[0.0; 4]; 4];
        for i in 0..4 {
            for j in 0..4 {
                next[i][j] = (0..4).map(|k| a[4 * k + i] * moved(k, j)).sum::<f64>()
                    + if i == j { COST[i] } else { 0.0 };
            }
        }
        p = next;
    }
    gain
}

pub fn main() -> Result<(), Box<dyn Error>> {
    let mut sim = Sim::new(load_str(MODEL, &LoadOptions::default())?.model);
    sim.forward();
    let linear = sim.linearize(&LinearizeOptions::default())?;
    let gain = feedback(&linear.a, &linear.b);
    sim.reset();
    sim.joint_mut("hinge")?.set_qpos(0.3);
    while sim.time() < 6.0 {
        let state = &sim.data.state;
        let control = -(0..2).map(|i| gain[i] * state.qpos[i] + gain[2 + i] * state.qvel[i]).sum::<f64>();
        sim.data.inputs.ctrl[0] = control;
        sim.step();
    }
    let lean = sim.joint("hinge")?.qpos();
    println!("feedback {gain:.2?}; after 6 s the pole leans by {lean:.1e} rad");
    assert!(lean.abs() < 1e-3);
    Ok(())
}
