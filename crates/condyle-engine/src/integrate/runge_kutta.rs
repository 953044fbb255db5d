//! Classical fourth-order Runge–Kutta on positions, velocities and activations.
//!
//! Orientations of the stages come from summed angular velocities. Sensors and energy belong to the first stage. Reference:
//! `mj_RungeKutta`.

use condyle_math::dense;
use condyle_model::{Model, Stage};

use super::advance::{Rates, advance};
use crate::data::{RungeKuttaScratch, scratch};
use crate::query::motion;
use crate::{Data, step};

const STAGES: usize = 4;
/// How much of each earlier stage goes into the next.
const MIX: [[f64; 3]; 3] = [[0.5, 0.0, 0.0], [0.0, 0.5, 0.0], [0.0, 0.0, 1.0]];
/// How much of each stage goes into the step.
const WEIGHT: [f64; STAGES] = [1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0];

/// One Runge–Kutta step; the first stage has been evaluated.
pub fn runge_kutta(model: &Model, data: &mut Data) {
    let (nq, nv, na) = (model.nq, model.nv, model.na);
    let start_time = data.state.time;
    let timestep = model.opt.timestep;
    let mut buffers = std::mem::take(&mut data.scratch.smooth.runge_kutta);
    let RungeKuttaScratch { state: states, rate: rates, sum } = &mut buffers;
    let sum = scratch::sized(sum, 2 * nv + na);
    for stage in 0..STAGES {
        scratch::sized(&mut states[stage], nq + nv + na);
        scratch::sized(&mut rates[stage], nv + na);
    }
    states[0][..nq].copy_from_slice(&data.state.qpos);
    states[0][nq..nq + nv].copy_from_slice(&data.state.qvel);
    states[0][nq + nv..].copy_from_slice(&data.state.act);
    save_rates(data, nv, &mut rates[0]);

    for stage in 1..STAGES {
        let mix = &MIX[stage - 1];
        combine(sum, &states[..stage], &rates[..stage], mix, nq, nv);
        let (earlier, rest) = states.split_at_mut(stage);
        let current = &mut rest[0];
        current.copy_from_slice(&earlier[0]);
        motion::integrate_position(model, &mut current[..nq], &sum[..nv], timestep);
        dense::add_scaled_to(&mut current[nq..], &sum[nv..], timestep);
        restore(data, current, nq, nv);
        let fraction = mix[..stage].iter().fold(0.0, |total, a| total + a);
        data.state.time = start_time + fraction * timestep;
        step::forward_skip(model, data, Stage::None, true);
        save_rates(data, nv, &mut rates[stage]);
    }

    combine(sum, states, rates, &WEIGHT, nq, nv);
    data.state.time = start_time;
    restore(data, &states[0], nq, nv);
    let rates = Rates { act_dot: Some(&sum[2 * nv..]), qacc: &sum[nv..2 * nv], qvel: Some(&sum[..nv]) };
    advance(model, data, &rates);
    data.scratch.smooth.runge_kutta = buffers;
}

/// Weighted sum of velocities and rates of the stages.
fn combine(sum: &mut [f64], states: &[Vec<f64>], rates: &[Vec<f64>], weights: &[f64], nq: usize, nv: usize) {
    sum.fill(0.0);
    for ((state, rate), weight) in states.iter().zip(rates).zip(weights) {
        dense::add_scaled_to(&mut sum[..nv], &state[nq..], *weight);
        dense::add_scaled_to(&mut sum[nv..], rate, *weight);
    }
}

fn save_rates(data: &Data, nv: usize, rates: &mut [f64]) {
    rates[..nv].copy_from_slice(&data.acceleration.qacc);
    rates[nv..].copy_from_slice(&data.actuation.act_dot);
}

fn restore(data: &mut Data, saved: &[f64], nq: usize, nv: usize) {
    data.state.qpos.copy_from_slice(&saved[..nq]);
    data.state.qvel.copy_from_slice(&saved[nq..nq + nv]);
    data.state.act.copy_from_slice(&saved[nq + nv..]);
}
