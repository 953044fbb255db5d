//! Velocity-dependent stages.

pub mod bias;
pub mod com_velocity;
pub mod passive;
pub mod path_velocity;

use condyle_model::Model;

use crate::data::{Awake, Kinematics, SmoothScratch, State, Tendons, Velocity};
use crate::{Data, position};

/// Velocities of flex edges, tendons, actuators and bodies.
pub fn velocity_stage(model: &Model, data: &mut Data) {
    position::flex::edge::velocities(model, &data.state, &data.flexes, &mut data.velocity);
    path_velocity::tendon_velocities(model, &data.state, &data.tendons, &mut data.velocity);
    path_velocity::actuator_velocities(model, &data.state, &data.transmission, &mut data.velocity);
    com_velocity::body_velocities(model, &data.state, &data.awake, &data.kinematics, &mut data.velocity);
}

/// Springs, dampers, gravity compensation, fluid.
pub fn passive_stage(model: &Model, data: &mut Data) {
    passive::passive_forces(model, data);
}

/// Coriolis, centrifugal and gravitational forces.
pub fn bias_stage(model: &Model, data: &mut Data) {
    let Data { state, awake, kinematics, tendons, velocity, bias, scratch, .. } = data;
    let result = &mut bias.qfrc_bias;
    bias_forces(model, state, awake, kinematics, tendons, velocity, result, &mut scratch.smooth);
}

/// Bias forces of bodies and of tendons with armature.
pub(crate) fn bias_forces(
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
    position::tendon::rate::add_bias(model, state, awake, kinematics, tendons, velocity, result, buffers);
}
