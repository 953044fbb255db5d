//! `qDeriv = d (qfrc_actuator + qfrc_passive - qfrc_bias) / d qvel`, on the pattern of the kinematic tree.
//!
//! Reference: `mjd_smooth_vel`.

use condyle_math::sparse;
use condyle_model::Model;

use super::accumulate::derivative_pattern;
use super::{actuator, bias, passive};
use crate::Data;

/// Compute `qDeriv`; without `with_bias` the bias forces are left out.
pub fn velocity_derivative(model: &Model, data: &mut Data, with_bias: bool) {
    let out = &mut data.derivatives.qDeriv;
    match data.awake.dofs(model).list() {
        None => out.fill(0.0),
        Some(dofs) => sparse::zero_rows(out, derivative_pattern(model), dofs),
    }
    actuator::add_actuators(
        model,
        &data.state,
        &data.inputs,
        &data.awake,
        &data.transmission,
        &data.velocity,
        &data.actuation,
        out,
    );
    let (awake, kinematics, velocity) = (&data.awake, &data.kinematics, &data.velocity);
    let buffers = &mut data.scratch.smooth;
    passive::add_passive(model, awake, kinematics, &data.tendons, &data.flexes, velocity, out, buffers);
    if with_bias {
        let buffers = &mut data.scratch.smooth.bias_derivative;
        bias::subtract_bias(model, &data.state, awake, kinematics, velocity, out, buffers);
    }
}
