//! `qDeriv = d (qfrc_actuator + qfrc_passive - qfrc_bias) / d qvel`, on the pattern of the kinematic tree.
//!
//! Reference: `mjd_smooth_vel`.

use condyle_math::sparse;
use condyle_model::Model;

use super::accumulate::derivative_pattern;
use super::{actuator, bias, passive};
use crate::data::{
    Actuation, Awake, Derivatives, Flexes, Inputs, Kinematics, SmoothScratch, State, Tendons, Transmission,
    Velocity,
};

/// Compute `qDeriv`; without `with_bias` the bias forces are left out.
pub fn velocity_derivative(
    model: &Model,
    state: &State,
    inputs: &Inputs,
    awake: &Awake,
    kinematics: &Kinematics,
    flexes: &Flexes,
    tendons: &Tendons,
    transmission: &Transmission,
    velocity: &Velocity,
    actuation: &Actuation,
    out: &mut Derivatives,
    buffers: &mut SmoothScratch,
    with_bias: bool,
) {
    let out = &mut out.qDeriv;
    match awake.dofs(model).list() {
        None => out.fill(0.0),
        Some(dofs) => sparse::zero_rows(out, derivative_pattern(model), dofs),
    }
    actuator::add_actuators(model, state, inputs, awake, transmission, velocity, actuation, out);
    passive::add_passive(model, awake, kinematics, tendons, flexes, velocity, out, buffers);
    if with_bias {
        let buffers = &mut buffers.bias_derivative;
        bias::subtract_bias(model, state, awake, kinematics, velocity, out, buffers);
    }
}
