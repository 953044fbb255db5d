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
    let Data {
        state,
        inputs,
        awake,
        kinematics,
        flexes,
        tendons,
        inertia,
        contacts,
        diagnostics,
        scratch,
        ..
    } = data;
    let table = &mut data.rows;
    let buffers = &mut scratch.rows;
    rows::make(model, state, inputs, awake, kinematics, flexes, tendons, contacts, table, buffers);
    rows::make_room(table, &mut data.dual, &mut data.row_motion, &mut data.solution);
    if table.nefc > 0 {
        if is_sparse(model) {
            table.efc_J_rowsuper.resize(table.nefc, 0);
            let pattern = Pattern {
                rownnz: &table.efc_J_rownnz,
                rowadr: &table.efc_J_rowadr,
                colind: &table.efc_J_colind,
            };
            sparse_structure::supernodes(&mut table.efc_J_rowsuper, pattern);
        }
        impedance::make(model, flexes, table, contacts, diagnostics);
    }
    let (islands, solution) = (&mut data.islands, &mut data.island_solution);
    island::discover(model, table, contacts, inertia, islands, solution, &mut scratch.islands);
}

/// Islands of the rows there are.
pub fn find_islands(model: &Model, data: &mut Data) {
    let Data { rows, contacts, inertia, islands, island_solution, scratch, .. } = data;
    island::discover(model, rows, contacts, inertia, islands, island_solution, &mut scratch.islands);
}

/// Dual matrix for solvers that need it.
pub fn project(model: &Model, data: &mut Data) {
    timed(data, Timer::Project, |data| {
        project::make(model, &data.rows, &data.inertia, &mut data.dual, &mut data.scratch.project);
    });
}

/// Reference accelerations of the rows.
pub fn reference(model: &Model, data: &mut Data) {
    reference::make(model, &data.state, &data.rows, &mut data.row_motion);
}

/// Constraint forces and accelerations.
pub fn solve(model: &Model, data: &mut Data) {
    timed(data, Timer::Constraint, |data| {
        reference::offset(model, &data.rows, &data.smooth, &mut data.row_motion);
        solver::solve(
            model,
            &data.state,
            &data.inertia,
            &data.rows,
            &data.islands,
            &data.dual,
            &data.row_motion,
            &data.smooth,
            &mut data.contacts,
            &mut data.solution,
            &mut data.island_solution,
            &mut data.acceleration,
            &mut data.diagnostics,
            &mut data.scratch.solver,
            data.threads,
        );
    });
}

/// Constraint forces of the present acceleration.
pub fn inverse_forces(model: &Model, data: &mut Data) {
    timed(data, Timer::Constraint, |data| {
        inverse::forces(
            model,
            &data.rows,
            &data.row_motion,
            &data.contacts,
            &data.acceleration,
            &mut data.solution,
            &mut data.scratch.smooth,
        );
    });
}
