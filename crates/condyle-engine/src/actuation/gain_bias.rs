//! Actuator force `gain · input + bias`, where the input is the control or the activation.
//!
//! Affine gains and biases are `p₀ + p₁ length + p₂ velocity`. With `actearly` the activation is the one of the next step. Reference:
//! the second half of `mj_fwdActuation`.

use condyle_model::{BiasType, GainType, Model};

use super::activation::{driving_activation, is_disabled, next_activation};
use super::{hill_muscle, muscle};
use crate::data::{Actuation, Awake, SmoothScratch, State, Transmission, Velocity, sleep_enabled};
use crate::sleep::{self, SleepState};

/// `actuator_force` before limits; `buffers` holds controls, and gain and bias of the actuators of user types.
pub fn forces(
    model: &Model,
    state: &State,
    awake: &Awake,
    transmission: &Transmission,
    velocity: &Velocity,
    out: &mut Actuation,
    buffers: &SmoothScratch,
) {
    // Slices of one length: a single check of the index serves them all.
    let n = model.nu;
    let (ctrl, user) = (&buffers.control[..n], &buffers.user_actuator[..n]);
    let (lengths, speeds) = (&transmission.actuator_length[..n], &velocity.actuator_velocity[..n]);
    let (gain_types, bias_types) = (&model.actuator_gaintype[..n], &model.actuator_biastype[..n]);
    let (gains, biases) = (&model.actuator_gainprm[..n], &model.actuator_biasprm[..n]);
    let (plugins, activations) = (&model.actuator_plugin[..n], &model.actuator_actadr[..n]);
    let may_sleep = sleep_enabled(model);
    for actuator in 0..n {
        if may_sleep && sleep::actuator_state(model, awake, actuator) == SleepState::Asleep {
            continue;
        }
        if (model.opt.disableactuator != 0 && is_disabled(model, actuator)) || plugins[actuator] >= 0 {
            continue;
        }
        let (length, speed) = (lengths[actuator], speeds[actuator]);
        // What most actuators are: driven by the control, their gain and bias affine.
        if activations[actuator] < 0
            && let Some(gain) = linear_gain(gain_types[actuator], &gains[actuator], length, speed)
            && let Some(bias) = linear_bias(bias_types[actuator], &biases[actuator], length, speed)
        {
            out.actuator_force[actuator] = gain * ctrl[actuator] + bias;
            continue;
        }
        let input = match driving_activation(model, actuator) {
            None => ctrl[actuator],
            Some(address) if model.actuator_actearly[actuator] != 0 => {
                next_activation(model, state, actuator, address, out.act_dot[address])
            }
            Some(address) => state.act[address],
        };
        let at = Operation {
            length,
            speed,
            input,
            fiber: hill_muscle::fiber::fiber_state(model, state, actuator),
        };
        let force = gain(model, actuator, &at, user[actuator][0]) * input;
        out.actuator_force[actuator] = force + bias(model, actuator, &at, user[actuator][1]);
    }
}

/// What gain and bias depend on.
struct Operation {
    length: f64,
    speed: f64,
    input: f64,
    /// Length of the fibres of a muscle with a compliant tendon.
    fiber: Option<f64>,
}

#[inline(always)]
fn affine(parameters: &[f64; 10], length: f64, speed: f64) -> f64 {
    parameters[0] + parameters[1] * length + parameters[2] * speed
}

#[inline(always)]
fn linear_gain(kind: i32, parameters: &[f64; 10], length: f64, speed: f64) -> Option<f64> {
    match GainType::from_i32(kind) {
        Some(GainType::Fixed) => Some(parameters[0]),
        Some(GainType::Affine) => Some(affine(parameters, length, speed)),
        Some(GainType::Muscle | GainType::User | GainType::HillMuscle) | None => None,
    }
}

#[inline(always)]
fn linear_bias(kind: i32, parameters: &[f64; 10], length: f64, speed: f64) -> Option<f64> {
    match BiasType::from_i32(kind) {
        Some(BiasType::None) => Some(0.0),
        Some(BiasType::Affine) => Some(affine(parameters, length, speed)),
        Some(BiasType::Muscle | BiasType::User | BiasType::HillMuscle) | None => None,
    }
}

fn gain(model: &Model, actuator: usize, at: &Operation, user: f64) -> f64 {
    let &Operation { length, speed, input, fiber } = at;
    let parameters = &model.actuator_gainprm[actuator];
    match model.actuator_gaintype(actuator) {
        Some(GainType::Fixed) => parameters[0],
        Some(GainType::Affine) => affine(parameters, length, speed),
        Some(GainType::Muscle) => {
            let range = model.actuator_lengthrange[actuator];
            muscle::gain(length, speed, range, model.actuator_acc0[actuator], parameters)
        }
        Some(GainType::HillMuscle) => hill_muscle::gain(model, actuator, length, speed, input, fiber),
        Some(GainType::User) | None => user,
    }
}

fn bias(model: &Model, actuator: usize, at: &Operation, user: f64) -> f64 {
    let &Operation { length, speed, input, fiber } = at;
    let parameters = &model.actuator_biasprm[actuator];
    match model.actuator_biastype(actuator) {
        Some(BiasType::Affine) => affine(parameters, length, speed),
        Some(BiasType::Muscle) => {
            let range = model.actuator_lengthrange[actuator];
            muscle::bias(length, range, model.actuator_acc0[actuator], parameters)
        }
        Some(BiasType::HillMuscle) => hill_muscle::bias(model, actuator, length, speed, input, fiber),
        Some(BiasType::None) => 0.0,
        Some(BiasType::User) | None => user,
    }
}
