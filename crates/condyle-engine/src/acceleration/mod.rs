//! Unconstrained acceleration.

use condyle_model::Model;

use crate::Data;

/// Sum of smooth forces and the acceleration it causes.
pub fn smooth(_model: &Model, _data: &mut Data) {}
