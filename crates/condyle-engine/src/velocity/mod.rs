//! Velocity-dependent stages.

pub mod bias;
pub mod com_velocity;
pub mod passive;

use condyle_model::Model;

use crate::Data;

/// Tendon, actuator and spatial velocities.
pub fn velocity_stage(model: &Model, data: &mut Data) {
    com_velocity::body_velocities(model, &data.state, &data.awake, &data.kinematics, &mut data.velocity);
}

/// Springs, dampers, gravity compensation, fluid.
pub fn passive_stage(model: &Model, data: &mut Data) {
    passive::passive_forces(model, data);
}

/// Coriolis, centrifugal and gravitational forces.
pub fn bias_stage(model: &Model, data: &mut Data) {
    let mut bias = std::mem::take(&mut data.velocity.qfrc_bias);
    bias::newton_euler(
        model,
        &data.state,
        &data.awake,
        &data.kinematics,
        &data.velocity,
        None,
        &mut bias,
        &mut data.scratch.smooth,
    );
    data.velocity.qfrc_bias = bias;
}
