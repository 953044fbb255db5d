//! Advancing the state.

pub mod advance;
pub mod check;
pub mod euler;

use condyle_model::Model;

pub use check::{check_acceleration, check_position, check_velocity};
pub use euler::euler;

use crate::Data;

/// Fourth-order Runge-Kutta.
pub fn runge_kutta(_model: &Model, _data: &mut Data) {}

/// Implicit in velocity.
pub fn implicit(_model: &Model, _data: &mut Data) {}
