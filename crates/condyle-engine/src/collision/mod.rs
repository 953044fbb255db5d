//! Collision detection: which geoms touch, where and with what parameters.

pub mod shape;

use condyle_model::Model;

use crate::Data;

/// Detect contacts.
pub fn collide(_model: &Model, _data: &mut Data) {}
