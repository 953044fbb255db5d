//! Constraint forces for a given acceleration: `f = −∂s/∂jar` at `jar = J q̈ − aref`. No iteration is needed.
//!
//! Reference: `mj_invConstraint`.

use condyle_math::dense;
use condyle_model::Model;

use super::solver::cost_rows;
use super::{jacobian, update};
use crate::Data;
use crate::data::timers::timed;
use crate::data::{Timer, scratch};

/// `efc_force`, `efc_state` and `qfrc_constraint` for the present `qacc`.
pub fn forces(model: &Model, data: &mut Data) {
    timed(data, Timer::Constraint, |data| respond(model, data));
}

fn respond(model: &Model, data: &mut Data) {
    let Data { constraint: table, contacts, acceleration, scratch: buffers, .. } = data;
    if table.nefc == 0 {
        table.qfrc_constraint.fill(0.0);
        return;
    }
    let residual = scratch::sized(&mut buffers.smooth.row_weight, table.nefc);
    jacobian::of(model, table).mul_vec(residual, &acceleration.qacc);
    dense::sub_from(residual, &table.efc_aref);
    let mut force = std::mem::take(&mut table.efc_force);
    let mut state = std::mem::take(&mut table.efc_state);
    update::update(cost_rows(table), residual, contacts, &mut state, &mut force, None);
    let mut qfrc_constraint = std::mem::take(&mut table.qfrc_constraint);
    jacobian::of(model, table).mul_transposed_vec(&mut qfrc_constraint, &force);
    table.qfrc_constraint = qfrc_constraint;
    table.efc_force = force;
    table.efc_state = state;
}
