//! Advancing the state.

use condyle_model::Model;

use crate::Data;

/// Reset on unusable positions.
pub fn check_position(_model: &Model, _data: &mut Data) {}

/// Reset on unusable velocities.
pub fn check_velocity(_model: &Model, _data: &mut Data) {}

/// Reset on unusable accelerations.
pub fn check_acceleration(_model: &Model, _data: &mut Data) {}

/// Semi-implicit Euler with implicit damping.
pub fn euler(_model: &Model, _data: &mut Data) {}

/// Fourth-order Runge-Kutta.
pub fn runge_kutta(_model: &Model, _data: &mut Data) {}

/// Implicit in velocity.
pub fn implicit(_model: &Model, _data: &mut Data) {}
