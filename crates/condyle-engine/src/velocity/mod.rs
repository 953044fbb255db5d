//! Velocity-dependent stages.

use condyle_model::Model;

use crate::Data;

/// Tendon, actuator and spatial velocities.
pub fn velocity_stage(_model: &Model, _data: &mut Data) {}

/// Springs, dampers, gravity compensation, fluid.
pub fn passive_stage(_model: &Model, _data: &mut Data) {}

/// Coriolis, centrifugal and gravitational forces.
pub fn bias_stage(_model: &Model, _data: &mut Data) {}
