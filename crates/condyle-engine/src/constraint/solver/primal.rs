//! Newton and conjugate gradients on the accelerations.
//!
//! Minimise `½ (q̈ − q̈₀)ᵀ M (q̈ − q̈₀) + s(J q̈ − aref)`, where `q̈₀` is the acceleration without constraints and `s` the constraint
//! cost. Each iteration searches exactly along `−H⁻¹ g` (Newton) or a conjugate direction preconditioned by `M⁻¹`, and stops when the
//! scaled improvement or gradient is below the tolerance. Reference: `mj_solPrimal`.

use condyle_math::sparse::Pattern;
use condyle_math::{MIN_VALUE, dense, scalar, sparse, sparse_structure, tree_ldl};
use condyle_model::{Cone, ConstraintState, Model};

use crate::constraint::jacobian::Jacobian;
use crate::constraint::update::{self, CostRows};
use crate::data::{Contact, Diagnostics, ISLANDS_KEPT, IslandReport, Notice, SolverEnd, SolverStat};

use super::hessian::Hessian;
use super::line_search;
use super::record;

/// How the search direction is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    Newton,
    ConjugateGradient,
}

/// The problem of one island, or of the whole model.
pub struct Problem<'a> {
    pub rows: CostRows<'a>,
    pub reference: &'a [f64],
    pub jacobian: Jacobian<'a>,
    pub inertia: &'a [f64],
    pub inertia_pattern: Pattern<'a>,
    /// `LᵀDL` factor of the inertia, in its pattern.
    pub factor: &'a [f64],
    pub factor_inverse_diagonal: &'a [f64],
    pub qfrc_smooth: &'a [f64],
    pub qacc_smooth: &'a [f64],
    /// Multiplies improvement and gradient before they are compared with the tolerance.
    pub scale: f64,
    /// `None` for the whole model.
    pub island: Option<usize>,
}

/// What is solved for.
pub struct Unknowns<'a> {
    pub qacc: &'a mut [f64],
    pub qfrc_constraint: &'a mut [f64],
    pub force: &'a mut [f64],
    pub state: &'a mut [i32],
}

/// Work space of the iteration.
#[derive(Clone, Debug, Default)]
pub struct PrimalScratch {
    /// `J q̈ − aref`
    pub(super) residual: Vec<f64>,
    /// `J · search`
    pub(super) residual_rate: Vec<f64>,
    /// `M q̈`
    pub(super) inertial: Vec<f64>,
    /// `M · search`
    pub(super) inertial_rate: Vec<f64>,
    gradient: Vec<f64>,
    preconditioned: Vec<f64>,
    pub(super) search: Vec<f64>,
    /// Cost of each row along the search line.
    pub(super) quadratics: Vec<[f64; 3]>,
    old_state: Vec<i32>,
    old_gradient: Vec<f64>,
    old_preconditioned: Vec<f64>,
    preconditioned_change: Vec<f64>,
    transposed: TransposedJacobian,
    hessian: Hessian,
    cost: f64,
    /// Inertial part of the cost.
    pub(super) inertial_cost: f64,
    active: i32,
    in_cone: i32,
}

/// `Jᵀ` in sparse storage; empty otherwise.
#[derive(Clone, Debug, Default)]
pub(super) struct TransposedJacobian {
    pub values: Vec<f64>,
    pub rownnz: Vec<i32>,
    pub rowadr: Vec<i32>,
    pub colind: Vec<i32>,
    pub rowsuper: Vec<i32>,
}

impl TransposedJacobian {
    fn assign(&mut self, values: &[f64], pattern: Pattern, columns: usize) {
        let total: usize = pattern.rownnz.iter().map(|count| *count as usize).sum();
        self.values.resize(total, 0.0);
        self.colind.resize(total, 0);
        for list in [&mut self.rownnz, &mut self.rowadr, &mut self.rowsuper] {
            list.resize(columns, 0);
        }
        sparse_structure::transpose(
            &mut self.values,
            &mut self.rownnz,
            &mut self.rowadr,
            &mut self.colind,
            values,
            pattern,
        );
        let transposed = Pattern { rownnz: &self.rownnz, rowadr: &self.rowadr, colind: &self.colind };
        sparse_structure::supernodes(&mut self.rowsuper, transposed);
    }

    pub fn pattern(&self) -> Pattern<'_> {
        Pattern { rownnz: &self.rownnz, rowadr: &self.rowadr, colind: &self.colind }
    }
}

/// Iterate from the acceleration in `unknowns.qacc`.
pub fn solve(
    model: &Model,
    method: Method,
    problem: &Problem,
    unknowns: &mut Unknowns,
    contacts: &mut [Contact],
    diagnostics: &mut Diagnostics,
    scratch: &mut PrimalScratch,
) {
    let newton = method == Method::Newton;
    let elliptic = model.opt.cone == Cone::Elliptic as i32;
    scratch.prepare(problem, unknowns);
    scratch.update_constraints(problem, unknowns, contacts, newton && elliptic);
    if newton {
        let PrimalScratch { hessian, transposed, in_cone, .. } = scratch;
        hessian.make(problem, unknowns.state, transposed, elliptic);
        hessian.factorize(problem, unknowns.state, contacts, transposed, *in_cone > 0, false);
    }
    scratch.update_gradient(problem, unknowns, newton);
    dense::scale(&mut scratch.search, &scratch.preconditioned, -1.0);

    let statistics_slot = problem.island.unwrap_or(0);
    let tolerance = model.opt.tolerance;
    let mut iteration = 0;
    let mut last =
        IslandReport { island: statistics_slot, end: SolverEnd::IterationLimit, ..IslandReport::default() };
    while iteration < model.opt.iterations.max(0) as usize {
        let found = line_search::search(
            problem,
            contacts,
            scratch,
            tolerance * model.opt.ls_tolerance,
            model.opt.ls_iterations,
        );
        for _ in 0..found.not_convex {
            diagnostics.notice(Notice::LineSearchNotConvex, statistics_slot as i32);
        }
        if found.step == 0.0 {
            last.gradient = problem.scale * dense::norm(&scratch.gradient);
            last.end = if last.gradient < tolerance { SolverEnd::Converged } else { SolverEnd::Stalled };
            break;
        }
        let old_cost = scratch.advance(unknowns, found.step, newton);
        scratch.update_constraints(problem, unknowns, contacts, newton && elliptic);
        if newton {
            let PrimalScratch { hessian, transposed, in_cone, old_state, .. } = scratch;
            hessian.update(problem, unknowns.state, old_state, contacts, transposed, *in_cone > 0);
        }
        scratch.update_gradient(problem, unknowns, newton);

        let changed = unknowns.state.iter().zip(&scratch.old_state).filter(|(new, old)| new != old).count();
        let improvement = problem.scale * (old_cost - scratch.cost);
        let gradient = problem.scale * dense::norm(&scratch.gradient);
        let stat = SolverStat {
            improvement,
            gradient,
            lineslope: found.slope,
            nactive: scratch.active,
            nchange: changed as i32,
            neval: found.evaluations,
            nupdate: scratch.hessian.updates,
        };
        record(diagnostics, statistics_slot, iteration, stat);
        iteration += 1;
        (last.improvement, last.gradient) = (improvement, gradient);
        if improvement < tolerance || gradient < tolerance {
            last.end = SolverEnd::Converged;
            break;
        }
        scratch.turn(newton);
    }
    diagnostics.report.add_island(IslandReport { iterations: iteration, ..last });

    if statistics_slot < ISLANDS_KEPT {
        diagnostics.solver_niter[statistics_slot] += iteration as i32;
        diagnostics.solver_nnz[statistics_slot] =
            if newton { scratch.hessian.stored_values(problem, &scratch.transposed, elliptic) } else { 0 };
    }
}

impl PrimalScratch {
    /// Size the buffers and compute `M q̈` and the residuals at the start.
    fn prepare(&mut self, problem: &Problem, unknowns: &Unknowns) {
        let (rows, nv) = (problem.rows.kind.len(), unknowns.qacc.len());
        for list in [&mut self.residual, &mut self.residual_rate] {
            list.resize(rows, 0.0);
        }
        for list in [
            &mut self.inertial,
            &mut self.inertial_rate,
            &mut self.gradient,
            &mut self.preconditioned,
            &mut self.search,
            &mut self.old_gradient,
            &mut self.old_preconditioned,
            &mut self.preconditioned_change,
        ] {
            list.resize(nv, 0.0);
        }
        self.quadratics.resize(rows, [0.0; 3]);
        self.old_state.resize(rows, 0);
        self.hessian.updates = 0;
        if let Jacobian::Sparse { values, pattern } = problem.jacobian {
            self.transposed.assign(values, pattern, nv);
        }
        sparse::mul_symmetric_vec(
            &mut self.inertial,
            problem.inertia,
            unknowns.qacc,
            problem.inertia_pattern,
        );
        problem.jacobian.mul_vec(&mut self.residual, unknowns.qacc);
        dense::sub_from(&mut self.residual, problem.reference);
    }

    /// Forces, zones and cost at the present acceleration.
    fn update_constraints(
        &mut self,
        problem: &Problem,
        unknowns: &mut Unknowns,
        contacts: &mut [Contact],
        with_cone_hessian: bool,
    ) {
        self.cost = update::update(
            problem.rows,
            &self.residual,
            contacts,
            unknowns.state,
            unknowns.force,
            with_cone_hessian,
        );
        match problem.jacobian {
            Jacobian::Dense { .. } => {
                problem.jacobian.mul_transposed_vec(unknowns.qfrc_constraint, unknowns.force);
            }
            Jacobian::Sparse { .. } => sparse::mul_vec(
                unknowns.qfrc_constraint,
                &self.transposed.values,
                unknowns.force,
                self.transposed.pattern(),
            ),
        }
        self.active = 0;
        self.in_cone = 0;
        for zone in unknowns.state.iter() {
            self.active += i32::from(*zone != ConstraintState::Satisfied as i32);
            self.in_cone += i32::from(*zone == ConstraintState::Cone as i32);
        }
        let mut inertial_cost = 0.0;
        for dof in 0..unknowns.qacc.len() {
            inertial_cost += 0.5
                * (self.inertial[dof] - problem.qfrc_smooth[dof])
                * (unknowns.qacc[dof] - problem.qacc_smooth[dof]);
        }
        self.inertial_cost = inertial_cost;
        self.cost += inertial_cost;
    }

    /// Gradient of the cost, and the gradient multiplied by the inverse of the Hessian or of the inertia.
    fn update_gradient(&mut self, problem: &Problem, unknowns: &Unknowns, newton: bool) {
        for dof in 0..self.gradient.len() {
            self.gradient[dof] =
                self.inertial[dof] - problem.qfrc_smooth[dof] - unknowns.qfrc_constraint[dof];
        }
        self.preconditioned.copy_from_slice(&self.gradient);
        if newton {
            self.hessian.solve(problem, &mut self.preconditioned, self.in_cone > 0);
        } else {
            tree_ldl::solve(
                &mut self.preconditioned,
                problem.factor,
                problem.factor_inverse_diagonal,
                problem.inertia_pattern,
                None,
            );
        }
    }

    /// Move along the search direction, remembering what the next iteration compares with; returns the cost before.
    fn advance(&mut self, unknowns: &mut Unknowns, step: f64, newton: bool) -> f64 {
        dense::add_scaled_to(unknowns.qacc, &self.search, step);
        dense::add_scaled_to(&mut self.inertial, &self.inertial_rate, step);
        dense::add_scaled_to(&mut self.residual, &self.residual_rate, step);
        if !newton {
            self.old_gradient.copy_from_slice(&self.gradient);
            self.old_preconditioned.copy_from_slice(&self.preconditioned);
        }
        self.old_state.copy_from_slice(unknowns.state);
        self.cost
    }

    /// The next search direction.
    fn turn(&mut self, newton: bool) {
        if newton {
            dense::scale(&mut self.search, &self.preconditioned, -1.0);
            return;
        }
        // Polak–Ribière, restarted with the steepest direction when negative.
        dense::sub(&mut self.preconditioned_change, &self.preconditioned, &self.old_preconditioned);
        let mut beta = dense::dot(&self.gradient, &self.preconditioned_change)
            / scalar::max(MIN_VALUE, dense::dot(&self.old_gradient, &self.old_preconditioned));
        if beta < 0.0 {
            beta = 0.0;
        }
        for (direction, steepest) in self.search.iter_mut().zip(&self.preconditioned) {
            *direction = -steepest + beta * *direction;
        }
    }
}
