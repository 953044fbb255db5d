//! Position-dependent stages.

use condyle_model::Model;

use crate::Data;

/// Poses, centre-of-mass quantities, cameras, lights, tendons.
pub fn kinematics_stage(_model: &Model, _data: &mut Data) {}

/// Joint-space inertia and its factorisation.
pub fn inertia_stage(_model: &Model, _data: &mut Data) {}

/// Actuator lengths and moment arms.
pub fn transmission_stage(_model: &Model, _data: &mut Data) {}
