//! The state one step later, given activation rates, accelerations and, for Runge–Kutta, velocities.
//!
//! Order: history buffers, activations, sleep, velocity, position, time, plugins, warm start. Reference: `mj_advance`.

use condyle_model::{Model, disable};

use crate::actuation::activation;
use crate::data::{Acceleration, Actuation, Awake, State, Transmission, scratch};
use crate::position::configuration;

/// Rates with which the state advances.
#[derive(Clone, Debug, Default)]
pub struct Rates {
    /// Change of velocity.
    pub qacc: Vec<f64>,
    /// Change of position and of activations, when they come from several stages. Without them positions advance with the new
    /// velocity and activations with the present rates.
    pub combined: bool,
    /// Velocity by which positions advance; used if `combined`.
    pub qvel: Vec<f64>,
    /// Rates by which activations advance; used if `combined`.
    pub act_dot: Vec<f64>,
}

impl Rates {
    /// Accelerations to be filled in by an integrator that has a single stage.
    pub fn accelerations(&mut self, model: &Model) -> &mut [f64] {
        self.combined = false;
        scratch::sized(&mut self.qacc, model.nv)
    }
}

/// Activations one step later.
pub fn activations(
    model: &Model,
    transmission: &Transmission,
    actuation: &Actuation,
    state: &mut State,
    rates: &Rates,
) {
    if model.na > 0 && model.opt.disableflags & disable::ACTUATION == 0 {
        let lengths = (!rates.combined).then_some(&*transmission.actuator_length);
        let act_dot = if rates.combined { &rates.act_dot[..model.na] } else { &actuation.act_dot };
        activation::advance(model, state, act_dot, lengths);
    }
}

/// Velocity, position and time one step later.
pub fn motion(model: &Model, awake: &Awake, state: &mut State, rates: &Rates) {
    let timestep = model.opt.timestep;
    let nv = model.nv;
    let (speeds, accelerations) = (&mut state.qvel[..nv], &rates.qacc[..nv]);
    for dof in awake.dofs(model).iter() {
        speeds[dof] += accelerations[dof] * timestep;
    }
    let bodies = awake.bodies(model).without_first();
    let qvel = if rates.combined { &rates.qvel[..model.nv] } else { &state.qvel };
    configuration::integrate_bodies(model, bodies, &mut state.qpos, qvel, timestep);
    state.time += timestep;
}

/// The next solve starts from the present acceleration.
pub fn warm_start(acceleration: &Acceleration, state: &mut State) {
    state.qacc_warmstart.copy_from_slice(&acceleration.qacc);
}
