//! Activation states: their rates under the dynamics of each actuator, and their values one step later.
//!
//! integrator `ȧ = u`, filter `ȧ = (u - a)/τ`, muscle see [`super::muscle`]. The exact filter integrates its exponential. Fibres on a
//! compliant tendon are a state before the activation, see [`super::hill_muscle::fiber`]. Reference: `mj_nextActivation` and the first
//! half of `mj_fwdActuation`.

use condyle_math::{MIN_VALUE, scalar};
use condyle_model::{DynamicsType, Model};

use super::hill_muscle::{HillMuscle, fiber};
use super::muscle;
use crate::data::{Actuation, Awake, SmoothScratch, State, Transmission, sleep_enabled};
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
pub fn activation_rates(
    model: &Model,
    state: &State,
    awake: &Awake,
    transmission: &Transmission,
    out: &mut Actuation,
    buffers: &SmoothScratch,
) {
    if model.na == 0 {
        return;
    }
    let ctrl = &buffers.control;
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
        match model.actuator_dyntype(actuator) {
            Some(DynamicsType::Integrator) => out.act_dot[last] = u,
            Some(DynamicsType::Filter | DynamicsType::FilterExact) => {
                out.act_dot[last] = (u - act) / scalar::max(MIN_VALUE, parameters[0]);
            }
            Some(DynamicsType::Muscle) => out.act_dot[last] = muscle::activation_rate(u, act, parameters),
            Some(DynamicsType::HillMuscle) => {
                out.act_dot[last] = muscle::activation_rate(u, act, parameters);
                if let Some(fiber) = fiber::fiber_state(model, state, actuator)
                    && let Some(muscle) = HillMuscle::of(model, actuator)
                {
                    let length = transmission.actuator_length[actuator];
                    out.act_dot[first] = muscle.fiber_rate(length, fiber, act);
                }
            }
            Some(DynamicsType::None | DynamicsType::User) | None => {}
        }
    }
}

/// An activation after one step with the rate `act_dot`, clamped to its range.
pub fn next_activation(model: &Model, state: &State, actuator: usize, address: usize, act_dot: f64) -> f64 {
    let act = state.act[address];
    let timestep = model.opt.timestep;
    let next = if model.actuator_dyntype(actuator) == Some(DynamicsType::FilterExact) {
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

/// Advance all activations by one step; disabled actuators stand still. `lengths` are those of the actuators at the beginning of the
/// step; without them, because the rates are sums over stages, fibres advance by their rate alone.
pub fn advance(model: &Model, state: &mut State, act_dot: &[f64], lengths: Option<&[f64]>) {
    for actuator in 0..model.nu {
        let Some(last) = driving_activation(model, actuator) else { continue };
        let mut first = model.actuator_actadr[actuator] as usize;
        let rate_of = |address: usize| if is_disabled(model, actuator) { 0.0 } else { act_dot[address] };
        if let Some(fiber) = fiber::fiber_state(model, state, actuator) {
            if let Some(muscle) = HillMuscle::of(model, actuator) {
                let (rate, step) = (rate_of(first), model.opt.timestep);
                state.act[first] = match lengths {
                    Some(lengths) => muscle.next_fiber(lengths[actuator], fiber, state.act[last], rate, step),
                    None => muscle.clamp_fiber(fiber + rate * step),
                };
            }
            first += 1;
        }
        for address in first..=last {
            state.act[address] = next_activation(model, state, actuator, address, rate_of(address));
        }
    }
}
