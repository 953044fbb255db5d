//! Constraint rows and the solvers that find their forces.

use condyle_model::Model;

use crate::Data;

/// Instantiate constraint rows and find islands.
pub fn make(_model: &Model, _data: &mut Data) {}

/// Dual matrix for solvers that need it.
pub fn project(_model: &Model, _data: &mut Data) {}

/// Reference accelerations of the rows.
pub fn reference(_model: &Model, _data: &mut Data) {}

/// Constraint forces and accelerations.
pub fn solve(_model: &Model, data: &mut Data) {
    data.constraint.qfrc_constraint.fill(0.0);
    data.acceleration.qacc.copy_from_slice(&data.acceleration.qacc_smooth);
}
