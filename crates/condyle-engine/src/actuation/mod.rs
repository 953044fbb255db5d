//! Actuator forces.
//!
//! Reference: `mj_fwdActuation`.

pub mod activation;
pub mod control;
pub mod gain_bias;
pub mod hill_muscle;
pub mod limit;
pub mod muscle;

use condyle_math::sparse;
use condyle_model::{BiasType, DynamicsType, GainType, JointType, Model, disable};

use crate::Data;
use crate::data::timers::timed;
use crate::data::{Actuation, Passive, Timer, scratch};
use crate::plugin;
use crate::velocity::passive::gravity_compensation;
use crate::velocity::path_velocity::moment_pattern;

/// Controls to actuator forces and activation rates.
pub fn actuate(model: &Model, data: &mut Data) {
    let out = &mut data.actuation;
    out.actuator_force.fill(0.0);
    if model.nu == 0 || model.opt.disableflags & disable::ACTUATION != 0 {
        out.qfrc_actuator.fill(0.0);
        return;
    }
    timed(data, Timer::Actuation, |data| forces(model, data));
}

fn forces(model: &Model, data: &mut Data) {
    let out = &mut data.actuation;
    let mut ctrl = std::mem::take(&mut data.scratch.smooth.control);
    scratch::sized(&mut ctrl, model.nu);
    control::effective_controls(model, &data.state, &data.inputs, &mut ctrl, &mut data.diagnostics);
    hill_muscle::fiber::place_fibers(model, &mut data.state, &data.transmission);
    activation::activation_rates(model, &data.state, &data.awake, &data.transmission, &ctrl, out);
    let user = user_gains_and_biases(model, data);
    plugin::activation_rates(model, data);
    let (transmission, velocity, out) = (&data.transmission, &data.velocity, &mut data.actuation);
    gain_bias::forces(model, &data.state, &data.awake, transmission, velocity, &ctrl, &user, out);
    data.scratch.smooth.control = ctrl;
    data.scratch.smooth.user_actuator = user;
    plugin::actuator_forces(model, data);
    let out = &mut data.actuation;
    limit::limit_tendon_forces(model, out, &mut data.scratch.smooth.row_weight);
    limit::limit_actuator_forces(model, out);
    let moment = &data.transmission.actuator_moment;
    let pattern = moment_pattern(&data.transmission);
    sparse::mul_transposed_vec(&mut out.qfrc_actuator, moment, &out.actuator_force, pattern);
    compensate_gravity(model, &data.passive, out);
    limit::limit_joint_forces(model, out);
}

/// Gain and bias of actuators of user types, and the rates of their activations: from the hooks, or 1, 0 and 0 without hooks.
fn user_gains_and_biases(model: &Model, data: &mut Data) -> Vec<[f64; 2]> {
    let mut user = std::mem::take(&mut data.scratch.smooth.user_actuator);
    scratch::sized(&mut user, model.nu).fill([1.0, 0.0]);
    let Some(hooks) = data.hooks.get() else { return user };
    for actuator in 0..model.nu {
        if model.actuator_dyntype[actuator] == DynamicsType::User as i32
            && let Some(address) = activation::driving_activation(model, actuator)
        {
            data.actuation.act_dot[address] = hooks.activation_rate(model, data, actuator);
        }
    }
    for actuator in 0..model.nu {
        if model.actuator_gaintype[actuator] == GainType::User as i32 {
            user[actuator][0] = hooks.gain(model, data, actuator);
        }
        if model.actuator_biastype[actuator] == BiasType::User as i32 {
            user[actuator][1] = hooks.bias(model, data, actuator);
        }
    }
    user
}

/// Add gravity compensation where joints receive it through their actuators.
fn compensate_gravity(model: &Model, passive: &Passive, out: &mut Actuation) {
    if !gravity_compensation::is_active(model) {
        return;
    }
    for joint in 0..model.njnt {
        if model.jnt_actgravcomp[joint] != 0 {
            let first = model.jnt_dofadr[joint] as usize;
            let count = match JointType::from_i32(model.jnt_type[joint]) {
                Some(JointType::Free) => 6,
                Some(JointType::Ball) => 3,
                _ => 1,
            };
            for dof in first..first + count {
                out.qfrc_actuator[dof] += passive.qfrc_gravcomp[dof];
            }
        }
    }
}
