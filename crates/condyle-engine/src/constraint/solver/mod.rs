//! Solvers for constraint forces and accelerations.
//!
//! Newton and CG minimise over accelerations (`primal`), Gauss–Seidel over forces (`pgs`); the no-slip pass (`noslip`) afterwards
//! removes what regularisation lets slip. Newton and CG work island by island where islands were found.
//! Reference: `mj_fwdConstraint`.

mod dual;
mod hessian;
mod line_search;
mod noslip;
mod pgs;
mod primal;
mod warm_start;

use condyle_math::dense;
use condyle_math::sparse::Pattern;
use condyle_model::{Model, Solver, disable};

use crate::Data;
use crate::data::{
    Acceleration, Constraint, Contact, Diagnostics, ISLANDS_KEPT, Inertia, Islands, SolverStat,
};

use super::jacobian::{self, Jacobian};
use super::update::{self, CostRows};
use crate::query::jacobian::is_sparse;
use primal::{Method, PrimalScratch, Problem, Unknowns};

/// Work space of the solvers.
#[derive(Clone, Debug, Default)]
pub struct SolverScratch {
    primal: PrimalScratch,
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
    let cost = respond(table, contacts, residual, with_cone_hessian);
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
    contacts: &mut [Contact],
    residual: &[f64],
    with_cone_hessian: bool,
) -> f64 {
    let mut force = std::mem::take(&mut table.efc_force);
    let mut state = std::mem::take(&mut table.efc_state);
    let rows = cost_rows(table);
    let cost = update::update(rows, residual, contacts, &mut state, &mut force, with_cone_hessian);
    table.efc_force = force;
    table.efc_state = state;
    cost
}

/// Solve for `efc_force`, `qfrc_constraint` and `qacc`.
pub fn solve(model: &Model, data: &mut Data) {
    let Data { state, inertia, constraint, islands, contacts, acceleration, diagnostics, scratch, .. } = data;
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

    let method = match Solver::from_i32(model.opt.solver) {
        Some(Solver::Pgs) => None,
        Some(Solver::Cg) => Some(Method::ConjugateGradient),
        Some(Solver::Newton) | None => Some(Method::Newton),
    };
    let by_island = model.opt.disableflags & disable::ISLAND == 0
        && islands.nisland > 0
        && model.opt.noslip_iterations == 0;
    match method {
        None => {
            pgs::solve(model, inertia, constraint, contacts, acceleration, diagnostics, &mut scratch.dual)
        }
        Some(method) if by_island => solve_islands(
            model,
            method,
            constraint,
            islands,
            contacts,
            acceleration,
            diagnostics,
            &mut scratch.primal,
        ),
        Some(method) => solve_whole(
            model,
            method,
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
    method: Method,
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
    primal::solve(model, method, &problem, &mut unknowns, contacts, diagnostics, scratch);
    table.efc_force = force;
    table.efc_state = state;
    table.qfrc_constraint = qfrc_constraint;
}

/// What makes improvement and gradient of the whole model comparable with the tolerance.
fn whole_scale(model: &Model) -> f64 {
    1.0 / (model.stat.meaninertia * model.nv.max(1) as f64)
}

/// One problem per island.
fn solve_islands(
    model: &Model,
    method: Method,
    table: &mut Constraint,
    islands: &mut Islands,
    contacts: &mut [Contact],
    acceleration: &mut Acceleration,
    diagnostics: &mut Diagnostics,
    scratch: &mut PrimalScratch,
) {
    for (target, source) in [
        (&mut islands.ifrc_smooth, &acceleration.qfrc_smooth),
        (&mut islands.ifrc_constraint, &table.qfrc_constraint),
        (&mut islands.iacc_smooth, &acceleration.qacc_smooth),
        (&mut islands.iacc, &acceleration.qacc),
    ] {
        dense::gather(target, source, &islands.map_idof2dof);
    }
    dense::gather(&mut islands.iefc_force, &table.efc_force, &islands.map_iefc2efc);
    dense::gather(&mut islands.iefc_aref, &table.efc_aref, &islands.map_iefc2efc);

    for island in 0..islands.nisland {
        solve_island(model, method, island, islands, contacts, diagnostics, scratch);
    }

    let dofs = &islands.map_idof2dof[..islands.nidof];
    dense::scatter(&mut acceleration.qacc, &islands.iacc, dofs);
    dense::scatter(&mut table.qfrc_constraint, &islands.ifrc_constraint, dofs);
    dense::gather(&mut table.efc_force, &islands.iefc_force, &islands.map_efc2iefc);
}

fn solve_island(
    model: &Model,
    method: Method,
    island: usize,
    islands: &mut Islands,
    contacts: &mut [Contact],
    diagnostics: &mut Diagnostics,
    scratch: &mut PrimalScratch,
) {
    let first_dof = islands.island_idofadr[island] as usize;
    let nv = islands.island_nv[island] as usize;
    let dofs = first_dof..first_dof + nv;
    let first_row = islands.island_iefcadr[island] as usize;
    let rows = first_row..first_row + islands.island_nefc[island] as usize;
    let inertia_pattern = Pattern {
        rownnz: &islands.iM_rownnz[dofs.clone()],
        rowadr: &islands.iM_rowadr[dofs.clone()],
        colind: &islands.iM_colind,
    };
    let mut total_inertia = 0.0;
    for dof in 0..nv {
        total_inertia += islands.iM[inertia_pattern.range(dof).end - 1];
    }
    let jacobian = if is_sparse(model) {
        Jacobian::Sparse {
            values: &islands.iefc_J,
            pattern: Pattern {
                rownnz: &islands.iefc_J_rownnz[rows.clone()],
                rowadr: &islands.iefc_J_rowadr[rows.clone()],
                colind: &islands.iefc_J_colind,
            },
        }
    } else {
        Jacobian::Dense { values: &islands.iefc_J[islands.nidof * first_row..], columns: nv }
    };
    let problem = Problem {
        rows: CostRows {
            equalities: islands.island_ne[island] as usize,
            frictions: islands.island_nf[island] as usize,
            kind: &islands.iefc_type[rows.clone()],
            id: &islands.iefc_id[rows.clone()],
            stiffness: &islands.iefc_D[rows.clone()],
            regulariser: &islands.iefc_R[rows.clone()],
            frictionloss: &islands.iefc_frictionloss[rows.clone()],
        },
        reference: &islands.iefc_aref[rows.clone()],
        jacobian,
        inertia: &islands.iM,
        inertia_pattern,
        factor: &islands.iLD,
        factor_inverse_diagonal: &islands.iLDiagInv[dofs.clone()],
        qfrc_smooth: &islands.ifrc_smooth[dofs.clone()],
        qacc_smooth: &islands.iacc_smooth[dofs.clone()],
        scale: 1.0 / total_inertia,
        island: Some(island),
    };
    let mut unknowns = Unknowns {
        qacc: &mut islands.iacc[dofs.clone()],
        qfrc_constraint: &mut islands.ifrc_constraint[dofs],
        force: &mut islands.iefc_force[rows.clone()],
        state: &mut islands.iefc_state[rows],
    };
    primal::solve(model, method, &problem, &mut unknowns, contacts, diagnostics, scratch);
}

/// Keep the statistics of one iteration, as far as there is room.
fn record(diagnostics: &mut Diagnostics, island: usize, iteration: usize, stat: SolverStat) {
    if island < ISLANDS_KEPT && iteration < crate::data::SOLVER_ITERATIONS_KEPT {
        diagnostics.solver[island * crate::data::SOLVER_ITERATIONS_KEPT + iteration] = stat;
    }
}
