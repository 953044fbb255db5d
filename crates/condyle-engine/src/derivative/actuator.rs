//! Derivative of actuator forces with respect to velocity.
//!
//! An actuator adds `momentᵀ · (bias_v + gain_v · input) · moment`, where only affine and muscle terms depend on velocity. Actuators at
//! their force limit add nothing. The input is the control as the user set it, without delay or clamping. Reference:
//! `mjd_actuator_vel`.

use condyle_model::{BiasType, DynamicsType, GainType, Model, disable};

use super::accumulate::add_outer;
use crate::actuation::activation::{driving_activation, is_disabled, next_activation};
use crate::actuation::{hill_muscle, muscle};
use crate::data::{Actuation, Awake, Inputs, State, Transmission, Velocity};
use crate::sleep::{self, SleepState};

/// `out += d qfrc_actuator / d qvel`
pub(super) fn add_actuators(
    model: &Model,
    state: &State,
    inputs: &Inputs,
    awake: &Awake,
    transmission: &Transmission,
    velocity: &Velocity,
    actuation: &Actuation,
    out: &mut [f64],
) {
    if model.opt.disableflags & disable::ACTUATION != 0 {
        return;
    }
    let filter = awake.filters(model);
    for actuator in 0..model.nu {
        if is_disabled(model, actuator)
            || (filter && sleep::actuator_state(model, awake, actuator) == SleepState::Asleep)
        {
            continue;
        }
        let force = actuation.actuator_force[actuator];
        let [low, high] = model.actuator_forcerange[actuator];
        if model.actuator_forcelimited[actuator] != 0 && (force <= low || force >= high) {
            continue;
        }
        let mut slope = bias_slope(model, transmission, velocity, actuator);
        let gain_slope = gain_slope(model, transmission, velocity, actuator);
        if gain_slope != 0.0 {
            slope += gain_slope * input(model, state, inputs, actuation, actuator);
        }
        if slope != 0.0 {
            let start = transmission.moment_rowadr[actuator] as usize;
            let row = start..start + transmission.moment_rownnz[actuator] as usize;
            let (moment, columns) =
                (&transmission.actuator_moment[row.clone()], &transmission.moment_colind[row]);
            add_outer(model, out, moment, moment, columns, slope);
        }
    }
}

/// How the bias changes with velocity.
fn bias_slope(model: &Model, transmission: &Transmission, velocity: &Velocity, actuator: usize) -> f64 {
    match model.actuator_biastype(actuator) {
        Some(BiasType::Affine) => model.actuator_biasprm[actuator][2],
        Some(BiasType::HillMuscle) => hill_muscle::bias_velocity_derivative(
            model,
            actuator,
            transmission.actuator_length[actuator],
            velocity.actuator_velocity[actuator],
        ),
        Some(BiasType::None | BiasType::Muscle | BiasType::User) | None => 0.0,
    }
}

/// How the gain changes with velocity.
fn gain_slope(model: &Model, transmission: &Transmission, velocity: &Velocity, actuator: usize) -> f64 {
    let parameters = &model.actuator_gainprm[actuator];
    match model.actuator_gaintype(actuator) {
        Some(GainType::Affine) => parameters[2],
        Some(GainType::Muscle) => muscle::gain_velocity_derivative(
            transmission.actuator_length[actuator],
            velocity.actuator_velocity[actuator],
            model.actuator_lengthrange[actuator],
            model.actuator_acc0[actuator],
            parameters,
        ),
        Some(GainType::HillMuscle) => hill_muscle::gain_velocity_derivative(
            model,
            actuator,
            transmission.actuator_length[actuator],
            velocity.actuator_velocity[actuator],
        ),
        Some(GainType::Fixed | GainType::User) | None => 0.0,
    }
}

/// What the gain is multiplied with.
fn input(model: &Model, state: &State, inputs: &Inputs, actuation: &Actuation, actuator: usize) -> f64 {
    if model.actuator_dyntype(actuator) == Some(DynamicsType::None) {
        return inputs.ctrl[actuator];
    }
    match driving_activation(model, actuator) {
        Some(address) if model.actuator_actearly[actuator] != 0 => {
            next_activation(model, state, actuator, address, actuation.act_dot[address])
        }
        Some(address) => state.act[address],
        None => 0.0,
    }
}
