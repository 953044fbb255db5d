//! Activation states: their rates under the dynamics of each actuator, and their values one step later.
//!
//! integrator `ȧ = u`, filter `ȧ = (u - a)/τ`, muscle see [`super::muscle`]. The exact filter integrates its exponential. Reference:
//! `mj_nextActivation` and the first half of `mj_fwdActuation`.

use condyle_math::{MIN_VALUE, scalar};
use condyle_model::{DynamicsType, Model};

use super::muscle;
use crate::data::{Actuation, Awake, State, sleep_enabled};
use crate::sleep::{self, SleepState};

/// Address of the activation that drives the force: the last of the actuator's; `None` for actuators without state.
#[inline]
pub fn driving_activation(model: &Model, actuator: usize) -> Option<usize> {
    let first = model.actuator_actadr[actuator];
    if first < 0 {
        return None;
    }
    usize::try_from(first + model.actuator_actnum[actuator] - 1).ok()
}

/// Whether the option disables the group of an actuator.
#[inline]
pub fn is_disabled(model: &Model, actuator: usize) -> bool {
    let group = model.actuator_group[actuator];
    (0..=30).contains(&group) && model.opt.disableactuator & (1 << group) != 0
}

/// `act_dot` for the controls `ctrl`.
pub fn activation_rates(model: &Model, state: &State, awake: &Awake, ctrl: &[f64], out: &mut Actuation) {
    let may_sleep = sleep_enabled(model);
    for actuator in 0..model.nu {
        if may_sleep && sleep::actuator_state(model, awake, actuator) == SleepState::Asleep {
            continue;
        }
        let Some(last) = driving_activation(model, actuator) else { continue };
        let first = model.actuator_actadr[actuator] as usize;
        out.act_dot[first..=last].fill(0.0);
        let parameters = &model.actuator_dynprm[actuator];
        let (u, act) = (ctrl[actuator], state.act[last]);
        match DynamicsType::from_i32(model.actuator_dyntype[actuator]) {
            Some(DynamicsType::Integrator) => out.act_dot[last] = u,
            Some(DynamicsType::Filter | DynamicsType::FilterExact) => {
                out.act_dot[last] = (u - act) / scalar::max(MIN_VALUE, parameters[0]);
            }
            Some(DynamicsType::Muscle) => out.act_dot[last] = muscle::activation_rate(u, act, parameters),
            Some(DynamicsType::None | DynamicsType::User) | None => {}
        }
    }
}

/// An activation after one step with the rate `act_dot`, clamped to its range.
pub fn next_activation(model: &Model, state: &State, actuator: usize, address: usize, act_dot: f64) -> f64 {
    let act = state.act[address];
    let timestep = model.opt.timestep;
    let next = if model.actuator_dyntype[actuator] == DynamicsType::FilterExact as i32 {
        let tau = scalar::max(MIN_VALUE, model.actuator_dynprm[actuator][0]);
        act + act_dot * tau * (1.0 - (-timestep / tau).exp())
    } else {
        act + act_dot * timestep
    };
    if model.actuator_actlimited[actuator] != 0 {
        let [low, high] = model.actuator_actrange[actuator];
        return scalar::clip(next, low, high);
    }
    next
}

/// Advance all activations by one step; disabled actuators stand still.
pub fn advance(model: &Model, state: &mut State, act_dot: &[f64]) {
    for actuator in 0..model.nu {
        let Some(last) = driving_activation(model, actuator) else { continue };
        for address in model.actuator_actadr[actuator] as usize..=last {
            let rate = if is_disabled(model, actuator) { 0.0 } else { act_dot[address] };
            state.act[address] = next_activation(model, state, actuator, address, rate);
        }
    }
}
