//! Swing up a pendulum by trying controls: each decision is the best of 64 futures in one batch.

use std::error::Error;

use condyle::batch::{Record, RecordItem, Rollout};
use condyle::model::ValuesMut;
use condyle::state::component;
use condyle::{Batch, LoadOptions, Sim, load_str};

const MODEL: &str = r#"<mujoco>
  <option timestep=".02"/>
  <worldbody>
    <body><joint name="hinge" axis="0 1 0" damping=".05"/><geom type="capsule" fromto="0 0 0 0 0 -.6" size=".03" mass="1"/></body>
  </worldbody>
  <actuator><motor joint="hinge" ctrlrange="-1.2 1.2" ctrllimited="true"/></actuator>
</mujoco>"#;
const CANDIDATES: usize = 64;
const HORIZON: usize = 40;

/// Numbers between −1 and 1, always the same.
struct Noise(u64);

impl Noise {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }
}

pub fn main() -> Result<(), Box<dyn Error>> {
    let mut sim = Sim::new(load_str(MODEL, &LoadOptions::default())?.model);
    let mut batch = Batch::new(&sim.model, CANDIDATES, 0)?;
    let (mut plan, mut noise, mut highest) = (vec![0.0; HORIZON], Noise(1), -1.0);
    for _ in 0..150 {
        let mut controls = vec![0.0; CANDIDATES * HORIZON];
        for (candidate, row) in controls.chunks_exact_mut(HORIZON).enumerate() {
            let mut drift = 0.0;
            for (control, planned) in row.iter_mut().zip(&plan) {
                drift += if candidate == 0 { 0.0 } else { 0.5 * noise.next() };
                *control = if (planned + drift).abs() > 1.2 {
                    1.2_f64.copysign(planned + drift)
                } else {
                    planned + drift
                };
            }
            batch.component_mut(candidate, "qpos").copy_from_slice(&sim.data.state.qpos);
            batch.component_mut(candidate, "qvel").copy_from_slice(&sim.data.state.qvel);
        }
        let mut angles = vec![0.0; CANDIDATES * HORIZON];
        let records = vec![Record { item: RecordItem::Field("qpos"), values: ValuesMut::F64(&mut angles) }];
        let control_signature = component::CTRL;
        batch.rollout(
            None,
            Rollout { steps: HORIZON, controls: Some(&controls), control_signature, records },
        )?;
        let cost = |candidate: &usize| {
            angles[candidate * HORIZON..][..HORIZON].iter().map(|angle| angle.cos()).sum::<f64>()
        };
        let best = (0..CANDIDATES).min_by(|one, other| cost(one).total_cmp(&cost(other))).unwrap_or(0);
        plan.copy_from_slice(&controls[best * HORIZON..][..HORIZON]);
        sim.data.inputs.ctrl[0] = plan[0];
        plan.rotate_left(1);
        sim.step();
        let height = -sim.data.state.qpos[0].cos();
        highest = if height > highest { height } else { highest };
    }
    println!("after {:.1} s the pendulum stood at {highest:.3} of its height (1 is upright)", sim.time());
    assert!(highest > 0.95);
    Ok(())
}
