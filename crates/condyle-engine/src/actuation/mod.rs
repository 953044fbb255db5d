//! Actuator forces.

use condyle_model::Model;

use crate::Data;

/// Controls to actuator forces and activation rates.
pub fn actuate(_model: &Model, _data: &mut Data) {}
