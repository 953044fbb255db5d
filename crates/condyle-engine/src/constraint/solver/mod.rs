//! Solvers for constraint forces and accelerations.
//!
//! Newton and CG minimise over accelerations (`primal`), Gauss–Seidel over forces (`pgs`); the no-slip pass (`noslip`) afterwards
//! removes what regularisation lets slip. Newton and CG work island by island where islands were found.
//! Reference: `mj_fwdConstraint`.

mod by_island;
mod dual;
mod hessian;
mod line_search;
mod noslip;
mod pgs;
mod primal;
mod structure;
mod warm_start;
mod worker_pool;

use condyle_math::sparse::Pattern;
use condyle_model::{Model, disable};

use crate::data::{
    Acceleration, ConeHessian, Contact, Diagnostics, Dual, ISLANDS_KEPT, Inertia, IslandSolution, Islands,
    RowMotion, Rows, Smooth, Solution, SolverStat, State,
};

use super::jacobian;
use super::update::{self, CostRows};
use primal::{PrimalScratch, Problem, Settings, Unknowns};
use structure::Structures;

/// Work space of the solvers.
#[derive(Clone, Debug, Default)]
pub struct SolverScratch {
    primal: PrimalScratch,
    structures: Structures,
    by_island: by_island::IslandSolver,
    dual: dual::DualScratch,
    residual: Vec<f64>,
    inertia_times: Vec<f64>,
}

/// The rows of the whole model as the cost sees them.
pub(super) fn cost_rows(table: &Rows) -> CostRows<'_> {
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

/// `qfrc_constraint = Jᵀ efc_force`
pub(crate) fn map_to_dofs(model: &Model, rows: &Rows, out: &mut Solution) {
    jacobian::of(model, rows).mul_transposed_vec(&mut out.qfrc_constraint, &out.efc_force);
}

/// Forces, zones and `qfrc_constraint` for the residuals `J q̈ − aref`; returns the constraint cost.
pub(crate) fn apply_residual(
    model: &Model,
    rows: &Rows,
    contacts: &[Contact],
    residual: &[f64],
    cone_hessians: Option<&mut Vec<ConeHessian>>,
    out: &mut Solution,
) -> f64 {
    let cost = if let Some(kept) = cone_hessians {
        let cones = cost_rows(rows);
        let mut hessians: Vec<_> = cones.kept_cones(contacts, kept).collect();
        let cost = respond(rows, contacts, residual, Some(&mut hessians), out);
        cones.keep_cones(contacts, &hessians, kept);
        cost
    } else {
        respond(rows, contacts, residual, None, out)
    };
    if rows.nefc > 0 {
        map_to_dofs(model, rows, out);
    }
    cost
}

/// Forces and zones alone for the residuals `J q̈ − aref`; returns the constraint cost.
fn respond(
    rows: &Rows,
    contacts: &[Contact],
    residual: &[f64],
    hessians: Option<&mut [ConeHessian]>,
    out: &mut Solution,
) -> f64 {
    update::update(cost_rows(rows), residual, contacts, &mut out.efc_state, &mut out.efc_force, hessians)
}

/// What the solvers start from, all of it made by earlier stages.
#[derive(Clone, Copy)]
struct Given<'a> {
    model: &'a Model,
    inertia: &'a Inertia,
    rows: &'a Rows,
    motion: &'a RowMotion,
    dual: &'a Dual,
    smooth: &'a Smooth,
}

/// Solve for `efc_force`, `qfrc_constraint` and `qacc`.
pub fn solve(
    model: &Model,
    state: &State,
    inertia: &Inertia,
    rows: &Rows,
    islands: &Islands,
    dual: &Dual,
    motion: &RowMotion,
    smooth: &Smooth,
    contacts: &[Contact],
    cone_hessians: &mut Vec<ConeHessian>,
    solution: &mut Solution,
    island_solution: &mut IslandSolution,
    acceleration: &mut Acceleration,
    diagnostics: &mut Diagnostics,
    scratch: &mut SolverScratch,
    threads: usize,
) {
    solution.qfrc_constraint.fill(0.0);
    diagnostics.report.begin_solve();
    diagnostics.solver_niter = [0; ISLANDS_KEPT];
    if rows.nefc == 0 {
        acceleration.qacc.copy_from_slice(&smooth.qacc_smooth);
        return;
    }
    let given = Given { model, inertia, rows, motion, dual, smooth };
    let out = Solved { solution, acceleration, diagnostics };
    warm_start::start(
        given,
        &state.qacc_warmstart,
        islands,
        contacts,
        out.solution,
        out.acceleration,
        scratch,
    );
    let by_island = model.opt.disableflags & disable::ISLAND == 0
        && islands.nisland > 0
        && model.opt.noslip_iterations == 0;
    match Settings::of(model) {
        None => pgs::solve(given, contacts, out, &mut scratch.dual),
        Some(settings) if by_island => {
            by_island::solve(
                given,
                settings,
                threads,
                islands,
                contacts,
                cone_hessians,
                island_solution,
                out,
                &mut scratch.by_island,
            );
        }
        Some(settings) => solve_whole(given, settings, contacts, cone_hessians, out, scratch),
    }
    if model.opt.noslip_iterations > 0 {
        let out = Solved { solution, acceleration, diagnostics };
        noslip::solve(given, contacts, out, &mut scratch.dual);
    }
}

/// What the solvers make.
struct Solved<'a> {
    solution: &'a mut Solution,
    acceleration: &'a mut Acceleration,
    diagnostics: &'a mut Diagnostics,
}

/// One problem for the whole model.
fn solve_whole(
    given: Given,
    settings: Settings,
    contacts: &[Contact],
    cone_hessians: &mut Vec<ConeHessian>,
    out: Solved,
    scratch: &mut SolverScratch,
) {
    let Given { model, inertia, rows, motion, smooth, .. } = given;
    let problem = Problem {
        rows: cost_rows(rows),
        reference: &motion.efc_aref,
        jacobian: jacobian::of(model, rows),
        inertia: &inertia.M,
        inertia_pattern: Pattern {
            rownnz: &model.M_rownnz,
            rowadr: &model.M_rowadr,
            colind: &model.M_colind,
        },
        factor: &inertia.qLD,
        factor_inverse_diagonal: &inertia.qLDiagInv,
        qfrc_smooth: &smooth.qfrc_smooth,
        qacc_smooth: &smooth.qacc_smooth,
        cone_hessians,
        scale: whole_scale(model),
        island: None,
    };
    let mut unknowns = Unknowns {
        qacc: &mut out.acceleration.qacc,
        qfrc_constraint: &mut out.solution.qfrc_constraint,
        force: &mut out.solution.efc_force,
        state: &mut out.solution.efc_state,
    };
    let SolverScratch { primal: scratch, structures, .. } = scratch;
    structures.begin(model.nv);
    let outcome = primal::solve(&settings, &problem, &mut unknowns, contacts, scratch, structures);
    outcome.record(&scratch.statistics, out.diagnostics);
    if settings.cone_hessians() {
        cost_rows(rows).keep_cones(contacts, &scratch.cones, cone_hessians);
    }
}

/// What makes improvement and gradient of the whole model comparable with the tolerance.
fn whole_scale(model: &Model) -> f64 {
    1.0 / (model.stat.meaninertia * model.nv.max(1) as f64)
}

/// Keep the statistics of one iteration, as far as there is room.
fn record(diagnostics: &mut Diagnostics, island: usize, iteration: usize, stat: SolverStat) {
    if island < ISLANDS_KEPT && iteration < crate::data::SOLVER_ITERATIONS_KEPT {
        diagnostics.solver.set(island * crate::data::SOLVER_ITERATIONS_KEPT + iteration, stat);
    }
}

#[cfg(test)]
mod small_problem;
