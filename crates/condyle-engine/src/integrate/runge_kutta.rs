//! Classical fourth-order Runge–Kutta on positions, velocities and activations.
//!
//! Orientations of the stages come from summed angular velocities. Sensors and energy belong to the first stage. Reference:
//! `mj_RungeKutta`.

use condyle_math::dense;
use condyle_model::Model;

use super::advance::Rates;
use crate::data::{Acceleration, Actuation, RungeKuttaScratch, State, scratch};
use crate::position::configuration;

/// Evaluations of the forward dynamics, the first of them before this file is asked.
pub const STAGES: usize = 4;
/// How much of each earlier stage goes into the next.
const MIX: [[f64; 3]; 3] = [[0.5, 0.0, 0.0], [0.0, 0.5, 0.0], [0.0, 0.0, 1.0]];
/// How much of each stage goes into the step.
const WEIGHT: [f64; STAGES] = [1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0, 1.0 / 6.0];

/// Remember the start of the step and the rates found there.
pub fn begin(
    model: &Model,
    state: &State,
    actuation: &Actuation,
    acceleration: &Acceleration,
    buffers: &mut RungeKuttaScratch,
) {
    let (nq, nv, na) = (model.nq, model.nv, model.na);
    for stage in 0..STAGES {
        scratch::sized(&mut buffers.state[stage], nq + nv + na);
        scratch::sized(&mut buffers.rate[stage], nv + na);
    }
    scratch::sized(&mut buffers.sum, 2 * nv + na);
    buffers.start_time = state.time;
    let start = &mut buffers.state[0];
    start[..nq].copy_from_slice(&state.qpos);
    start[nq..nq + nv].copy_from_slice(&state.qvel);
    start[nq + nv..].copy_from_slice(&state.act);
    keep(model, 0, actuation, acceleration, buffers);
}

/// Keep the rates found at a stage.
pub fn keep(
    model: &Model,
    stage: usize,
    actuation: &Actuation,
    acceleration: &Acceleration,
    buffers: &mut RungeKuttaScratch,
) {
    buffers.rate[stage][..model.nv].copy_from_slice(&acceleration.qacc);
    buffers.rate[stage][model.nv..].copy_from_slice(&actuation.act_dot);
}

/// Move the state to where a later stage is evaluated.
pub fn place(model: &Model, stage: usize, state: &mut State, buffers: &mut RungeKuttaScratch) {
    let (nq, nv) = (model.nq, model.nv);
    let timestep = model.opt.timestep;
    let RungeKuttaScratch { state: states, rate: rates, sum, start_time } = buffers;
    let mix = &MIX[stage - 1];
    combine(sum, &states[..stage], &rates[..stage], mix, nq, nv);
    let (earlier, rest) = states.split_at_mut(stage);
    let current = &mut rest[0];
    current.copy_from_slice(&earlier[0]);
    configuration::integrate_position(model, &mut current[..nq], &sum[..nv], timestep);
    dense::add_scaled_to(&mut current[nq..], &sum[nv..], timestep);
    restore(state, current, nq, nv);
    let fraction = mix[..stage].iter().fold(0.0, |total, a| total + a);
    state.time = *start_time + fraction * timestep;
}

/// The rates of the whole step, and the state back at its start.
pub fn rates(model: &Model, state: &mut State, buffers: &mut RungeKuttaScratch, out: &mut Rates) {
    let (nq, nv) = (model.nq, model.nv);
    let RungeKuttaScratch { state: states, rate: rates, sum, start_time } = buffers;
    combine(sum, states, rates, &WEIGHT, nq, nv);
    state.time = *start_time;
    restore(state, &states[0], nq, nv);
    out.combined = true;
    scratch::sized(&mut out.qvel, nv).copy_from_slice(&sum[..nv]);
    scratch::sized(&mut out.qacc, nv).copy_from_slice(&sum[nv..2 * nv]);
    scratch::sized(&mut out.act_dot, model.na).copy_from_slice(&sum[2 * nv..]);
}

/// Weighted sum of velocities and rates of the stages.
fn combine(sum: &mut [f64], states: &[Vec<f64>], rates: &[Vec<f64>], weights: &[f64], nq: usize, nv: usize) {
    sum.fill(0.0);
    for ((state, rate), weight) in states.iter().zip(rates).zip(weights) {
        dense::add_scaled_to(&mut sum[..nv], &state[nq..], *weight);
        dense::add_scaled_to(&mut sum[nv..], rate, *weight);
    }
}

fn restore(state: &mut State, saved: &[f64], nq: usize, nv: usize) {
    state.qpos.copy_from_slice(&saved[..nq]);
    state.qvel.copy_from_slice(&saved[nq..nq + nv]);
    state.act.copy_from_slice(&saved[nq + nv..]);
}
