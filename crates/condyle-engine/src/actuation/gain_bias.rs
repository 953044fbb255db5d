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
    let (ctrl, user) = (&buffers.control, &buffers.user_actuator);
    let may_sleep = sleep_enabled(model);
    for actuator in 0..model.nu {
        if may_sleep && sleep::actuator_state(model, awake, actuator) == SleepState::Asleep {
            continue;
        }
        if is_disabled(model, actuator) || model.actuator_plugin[actuator] >= 0 {
            continue;
        }
        let length = transmission.actuator_length[actuator];
        let speed = velocity.actuator_velocity[actuator];
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

fn affine(parameters: &[f64; 10], length: f64, speed: f64) -> f64 {
    parameters[0] + parameters[1] * length + parameters[2] * speed
}

fn gain(model: &Model, actuator: usize, at: &Operation, user: f64) -> f64 {
    let &Operation { length, speed, input, fiber } = at;
    let parameters = &model.actuator_gainprm[actuator];
    match GainType::from_i32(model.actuator_gaintype[actuator]) {
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
    match BiasType::from_i32(model.actuator_biastype[actuator]) {
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
