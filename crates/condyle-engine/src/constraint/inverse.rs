//! Constraint forces for a given acceleration: `f = −∂s/∂jar` at `jar = J q̈ − aref`. No iteration is needed.
//!
//! Reference: `mj_invConstraint`.

use condyle_math::dense;
use condyle_model::Model;

use super::solver::{self, cost_rows};
use super::{jacobian, update};
use crate::data::{Acceleration, Contact, RowMotion, Rows, SmoothScratch, Solution, scratch};

/// `efc_force`, `efc_state` and `qfrc_constraint` for the present `qacc`.
pub fn forces(
    model: &Model,
    rows: &Rows,
    motion: &RowMotion,
    contacts: &[Contact],
    acceleration: &Acceleration,
    out: &mut Solution,
    buffers: &mut SmoothScratch,
) {
    if rows.nefc == 0 {
        out.qfrc_constraint.fill(0.0);
        return;
    }
    let residual = scratch::sized(&mut buffers.row_weight, rows.nefc);
    jacobian::of(model, rows).mul_vec(residual, &acceleration.qacc);
    dense::sub_from(residual, &motion.efc_aref);
    update::update(cost_rows(rows), residual, contacts, &mut out.efc_state, &mut out.efc_force, None);
    solver::map_to_dofs(model, rows, out);
}
