//! Constraints: from contacts, limits, friction and equalities to rows, and from rows to forces and accelerations.
//!
//! Position stage: [`make`] instantiates the rows with their impedance and finds islands, [`project`] computes the dual matrix
//! where a solver needs it. Velocity stage: [`reference`]. Acceleration stage: [`solve`].

pub(crate) mod contact_bodies;
pub mod impedance;
pub mod inverse;
pub mod island;
pub mod jacobian;
pub mod project;
pub mod reference;
pub mod rows;
pub mod solver;
pub mod update;

use condyle_math::sparse::Pattern;
use condyle_math::sparse_structure;
use condyle_model::Model;

use crate::Data;
use crate::data::Timer;
use crate::data::timers::timed;
use crate::query::jacobian::is_sparse;
use crate::sleep;

/// Instantiate constraint rows and find islands; a tree that an active equality ties to an awake one wakes first.
pub fn make(model: &Model, data: &mut Data) {
    if sleep::wake_equal(model, data) {
        sleep::update(model, &data.state, &mut data.awake);
    }
    timed(data, Timer::Make, |data| make_rows(model, data));
}

fn make_rows(model: &Model, data: &mut Data) {
    rows::make(model, data);
    let Data { constraint, contacts, flexes, inertia, islands, diagnostics, scratch, .. } = data;
    if constraint.nefc > 0 {
        if is_sparse(model) {
            constraint.efc_J_rowsuper.resize(constraint.nefc, 0);
            let pattern = Pattern {
                rownnz: &constraint.efc_J_rownnz,
                rowadr: &constraint.efc_J_rowadr,
                colind: &constraint.efc_J_colind,
            };
            sparse_structure::supernodes(&mut constraint.efc_J_rowsuper, pattern);
        }
        impedance::make(model, flexes, constraint, contacts, diagnostics);
    }
    island::discover(model, constraint, contacts, inertia, islands, &mut scratch.islands);
}

/// Dual matrix for solvers that need it.
pub fn project(model: &Model, data: &mut Data) {
    timed(data, Timer::Project, |data| {
        project::make(model, &mut data.constraint, &data.inertia, &mut data.scratch.project);
    });
}

/// Reference accelerations of the rows.
pub fn reference(model: &Model, data: &mut Data) {
    reference::make(model, &mut data.constraint, &data.state.qvel);
}

/// Constraint forces and accelerations.
pub fn solve(model: &Model, data: &mut Data) {
    timed(data, Timer::Constraint, |data| solver::solve(model, data));
}
