//! The state one step later, given activation rates, accelerations and, for Runge–Kutta, velocities.
//!
//! Order: history buffers, activations, sleep, velocity, position, time, plugins, warm start. Reference: `mj_advance`.

use condyle_model::{Model, Stage, disable};

use crate::actuation::{activation, control};
use crate::query::motion;
use crate::{Data, plugin, sensor, sleep, step};

/// Rates with which the state advances. `act_dot` is `None` for the present rates, which stay in place because trees that fall
/// asleep have them computed anew; `qvel` is `None` when positions advance with the new velocity.
pub struct Rates<'a> {
    pub act_dot: Option<&'a [f64]>,
    pub qacc: &'a [f64],
    pub qvel: Option<&'a [f64]>,
}

/// Advance state and time by one time step.
pub fn advance(model: &Model, data: &mut Data, rates: &Rates) {
    if model.nhistory > 0 {
        control::advance_history(model, &mut data.state, &data.inputs);
        sensor::advance_history(model, data);
    }
    if model.na > 0 && model.opt.disableflags & disable::ACTUATION == 0 {
        let lengths = rates.qvel.is_none().then_some(&*data.transmission.actuator_length);
        let act_dot = rates.act_dot.unwrap_or(&data.actuation.act_dot);
        activation::advance(model, &mut data.state, act_dot, lengths);
    }
    if sleep::fall_asleep(model, data) > 0 {
        // Velocities of the sleeping trees are now zero, and so must be everything that depends on them.
        step::forward_skip(model, data, Stage::Pos, false);
        sleep::update(model, &data.state, &mut data.awake);
    }
    let timestep = model.opt.timestep;
    let state = &mut data.state;
    for dof in data.awake.dofs(model).iter() {
        state.qvel[dof] += rates.qacc[dof] * timestep;
    }
    let bodies = data.awake.bodies(model).without_first();
    motion::integrate_bodies(model, bodies, &mut state.qpos, rates.qvel.unwrap_or(&state.qvel), timestep);
    state.time += timestep;
    plugin::advance(model, data);
    data.state.qacc_warmstart.copy_from_slice(&data.acceleration.qacc);
}
