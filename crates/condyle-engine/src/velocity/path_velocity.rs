//! Velocities of tendons and actuators: their Jacobians times `qvel`.

use condyle_math::matrix;
use condyle_math::sparse::{self, Pattern};
use condyle_model::{Model, disable};

use crate::data::{State, Tendons, Transmission, Velocity};
use crate::jacobian::is_sparse;

/// `ten_velocity = ten_J qvel`
pub fn tendon_velocities(model: &Model, state: &State, tendons: &Tendons, out: &mut Velocity) {
    if is_sparse(model) {
        let pattern = Pattern {
            rownnz: &tendons.ten_J_rownnz,
            rowadr: &tendons.ten_J_rowadr,
            colind: &tendons.ten_J_colind,
        };
        sparse::mul_vec(&mut out.ten_velocity, &tendons.ten_J, &state.qvel, pattern);
    } else {
        matrix::mul_vec(&mut out.ten_velocity, &tendons.ten_J, &state.qvel);
    }
}

/// Sparsity of the actuator moments.
#[inline]
pub fn moment_pattern(transmission: &Transmission) -> Pattern<'_> {
    Pattern {
        rownnz: &transmission.moment_rownnz,
        rowadr: &transmission.moment_rowadr,
        colind: &transmission.moment_colind,
    }
}

/// `actuator_velocity = actuator_moment qvel`, zero when actuation is disabled.
pub fn actuator_velocities(model: &Model, state: &State, transmission: &Transmission, out: &mut Velocity) {
    if model.opt.disableflags & disable::ACTUATION != 0 {
        out.actuator_velocity.fill(0.0);
        return;
    }
    let pattern = moment_pattern(transmission);
    let moment = &transmission.actuator_moment;
    for (actuator, velocity) in out.actuator_velocity.iter_mut().enumerate().take(pattern.rows()) {
        let range = pattern.range(actuator);
        *velocity = match (&moment[range.clone()], &pattern.colind[range]) {
            // Most actuators drive a single dof.
            ([moment], [dof]) => 0.0 + moment * state.qvel[*dof as usize],
            (row, columns) => sparse::dot(row, columns, &state.qvel),
        };
    }
}
