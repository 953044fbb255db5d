//! Velocity-dependent stages.

pub mod bias;
pub mod com_velocity;
pub mod motion;
pub mod passive;
pub mod path_velocity;
pub mod tendon_rate;

use condyle_model::Model;

use crate::data::{Awake, Bias, Kinematics, SmoothScratch, State, Tendons, Velocity};

/// Coriolis, centrifugal and gravitational forces of bodies and of tendons with armature.
pub fn bias_forces(
    model: &Model,
    state: &State,
    awake: &Awake,
    kinematics: &Kinematics,
    tendons: &Tendons,
    velocity: &Velocity,
    out: &mut Bias,
    buffers: &mut SmoothScratch,
) {
    add_bias(model, state, awake, kinematics, tendons, velocity, &mut out.qfrc_bias, buffers);
}

/// [`bias_forces`] into any array.
pub(crate) fn add_bias(
    model: &Model,
    state: &State,
    awake: &Awake,
    kinematics: &Kinematics,
    tendons: &Tendons,
    velocity: &Velocity,
    result: &mut [f64],
    buffers: &mut SmoothScratch,
) {
    bias::newton_euler(model, state, awake, kinematics, velocity, None, result, buffers);
    tendon_rate::add_bias(model, state, awake, kinematics, tendons, velocity, result, buffers);
}
