//! Solvers for constraint forces and accelerations.
//!
//! Newton and CG minimise over accelerations (`primal`), Gauss–Seidel over forces (`pgs`); the no-slip pass (`noslip`) afterwards
//! removes what regularisation lets slip. Newton and CG work island by island where islands were found.
//! Reference: `mj_fwdConstraint`.

mod by_island;
mod crew;
mod dual;
mod hessian;
mod line_search;
mod noslip;
mod pgs;
mod primal;
mod warm_start;

use condyle_math::dense;
use condyle_math::sparse::Pattern;
use condyle_model::{Model, disable};

use crate::Data;
use crate::data::{Acceleration, Constraint, Contact, Diagnostics, ISLANDS_KEPT, Inertia, SolverStat};

use super::jacobian;
use super::update::{self, ConeHessian, CostRows};
use primal::{PrimalScratch, Problem, Settings, Unknowns};

/// Work space of the solvers.
#[derive(Clone, Debug, Default)]
pub struct SolverScratch {
    primal: PrimalScratch,
    by_island: by_island::IslandSolver,
    dual: dual::DualScratch,
    residual: Vec<f64>,
    inertia_times: Vec<f64>,
}

/// The rows of the whole model as the cost sees them.
pub(super) fn cost_rows(table: &Constraint) -> CostRows<'_> {
    CostRows {
        equalities: table.ne,
        frictions: table.nf,
        kind: &table.efc_type,
        id: &table.efc_id,
        stiffness: &table.efc_D,
        regulariser: &table.efc_R,
        frictionloss: &table.efc_frictionloss,
    }
}

/// Forces, zones and `qfrc_constraint` for the residuals `J q̈ − aref`; returns the constraint cost.
pub(crate) fn apply_residual(
    model: &Model,
    table: &mut Constraint,
    contacts: &mut [Contact],
    residual: &[f64],
    with_cone_hessian: bool,
) -> f64 {
    let cost = if with_cone_hessian {
        let rows = cost_rows(table);
        let mut hessians: Vec<_> = rows.cones(contacts).map(|(_, contact)| contacts[contact].H).collect();
        let cost = respond(table, contacts, residual, Some(&mut hessians));
        cost_rows(table).keep_cones(contacts, &hessians);
        cost
    } else {
        respond(table, contacts, residual, None)
    };
    if table.nefc > 0 {
        let mut qfrc_constraint = std::mem::take(&mut table.qfrc_constraint);
        jacobian::of(model, table).mul_transposed_vec(&mut qfrc_constraint, &table.efc_force);
        table.qfrc_constraint = qfrc_constraint;
    }
    cost
}

/// Forces and zones alone for the residuals `J q̈ − aref`; returns the constraint cost.
fn respond(
    table: &mut Constraint,
    contacts: &[Contact],
    residual: &[f64],
    hessians: Option<&mut [ConeHessian]>,
) -> f64 {
    let mut force = std::mem::take(&mut table.efc_force);
    let mut state = std::mem::take(&mut table.efc_state);
    let rows = cost_rows(table);
    let cost = update::update(rows, residual, contacts, &mut state, &mut force, hessians);
    table.efc_force = force;
    table.efc_state = state;
    cost
}

/// Solve for `efc_force`, `qfrc_constraint` and `qacc`.
pub fn solve(model: &Model, data: &mut Data) {
    let Data {
        state,
        inertia,
        constraint,
        islands,
        contacts,
        acceleration,
        diagnostics,
        scratch,
        threads,
        ..
    } = data;
    let scratch = &mut scratch.solver;
    constraint.qfrc_constraint.fill(0.0);
    diagnostics.report.begin_solve();
    if constraint.nefc == 0 {
        acceleration.qacc.copy_from_slice(&acceleration.qacc_smooth);
        diagnostics.solver_niter = [0; ISLANDS_KEPT];
        return;
    }
    let mut offset = std::mem::take(&mut constraint.efc_b);
    jacobian::of(model, constraint).mul_vec(&mut offset, &acceleration.qacc_smooth);
    dense::sub_from(&mut offset, &constraint.efc_aref);
    constraint.efc_b = offset;

    warm_start::start(
        model,
        &state.qacc_warmstart,
        inertia,
        constraint,
        islands,
        contacts,
        acceleration,
        scratch,
    );
    diagnostics.solver_niter = [0; ISLANDS_KEPT];

    let by_island = model.opt.disableflags & disable::ISLAND == 0
        && islands.nisland > 0
        && model.opt.noslip_iterations == 0;
    match Settings::of(model) {
        None => {
            pgs::solve(model, inertia, constraint, contacts, acceleration, diagnostics, &mut scratch.dual)
        }
        Some(settings) if by_island => by_island::solve(
            model,
            settings,
            *threads,
            constraint,
            islands,
            contacts,
            acceleration,
            diagnostics,
            &mut scratch.by_island,
        ),
        Some(settings) => solve_whole(
            model,
            settings,
            inertia,
            constraint,
            contacts,
            acceleration,
            diagnostics,
            &mut scratch.primal,
        ),
    }
    if model.opt.noslip_iterations > 0 {
        noslip::solve(model, inertia, constraint, contacts, acceleration, diagnostics, &mut scratch.dual);
    }
}

/// One problem for the whole model.
fn solve_whole(
    model: &Model,
    settings: Settings,
    inertia: &Inertia,
    table: &mut Constraint,
    contacts: &mut [Contact],
    acceleration: &mut Acceleration,
    diagnostics: &mut Diagnostics,
    scratch: &mut PrimalScratch,
) {
    let mut force = std::mem::take(&mut table.efc_force);
    let mut state = std::mem::take(&mut table.efc_state);
    let mut qfrc_constraint = std::mem::take(&mut table.qfrc_constraint);
    let problem = Problem {
        rows: cost_rows(table),
        reference: &table.efc_aref,
        jacobian: jacobian::of(model, table),
        inertia: &inertia.M,
        inertia_pattern: Pattern {
            rownnz: &model.M_rownnz,
            rowadr: &model.M_rowadr,
            colind: &model.M_colind,
        },
        factor: &inertia.qLD,
        factor_inverse_diagonal: &inertia.qLDiagInv,
        qfrc_smooth: &acceleration.qfrc_smooth,
        qacc_smooth: &acceleration.qacc_smooth,
        scale: whole_scale(model),
        island: None,
    };
    let mut unknowns = Unknowns {
        qacc: &mut acceleration.qacc,
        qfrc_constraint: &mut qfrc_constraint,
        force: &mut force,
        state: &mut state,
    };
    let outcome = primal::solve(&settings, &problem, &mut unknowns, contacts, scratch);
    outcome.record(&scratch.statistics, diagnostics);
    if settings.cone_hessians() {
        problem.rows.keep_cones(contacts, &scratch.cones);
    }
    table.efc_force = force;
    table.efc_state = state;
    table.qfrc_constraint = qfrc_constraint;
}

/// What makes improvement and gradient of the whole model comparable with the tolerance.
fn whole_scale(model: &Model) -> f64 {
    1.0 / (model.stat.meaninertia * model.nv.max(1) as f64)
}

/// Keep the statistics of one iteration, as far as there is room.
fn record(diagnostics: &mut Diagnostics, island: usize, iteration: usize, stat: SolverStat) {
    if island < ISLANDS_KEPT && iteration < crate::data::SOLVER_ITERATIONS_KEPT {
        diagnostics.solver[island * crate::data::SOLVER_ITERATIONS_KEPT + iteration] = stat;
    }
}
