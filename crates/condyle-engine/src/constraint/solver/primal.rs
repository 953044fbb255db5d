//! Newton and conjugate gradients on the accelerations.
//!
//! Minimise `½ (q̈ − q̈₀)ᵀ M (q̈ − q̈₀) + s(J q̈ − aref)`, where `q̈₀` is the acceleration without constraints and `s` the constraint
//! cost. Each iteration searches exactly along `−H⁻¹ g` (Newton) or a conjugate direction preconditioned by `M⁻¹`, and stops when the
//! scaled improvement or gradient is below the tolerance. Reference: `mj_solPrimal`.

use condyle_math::sparse::{Pattern, RowGroups};
use condyle_math::{MIN_VALUE, dense, scalar, sparse, sparse_structure, tree_ldl};
use condyle_model::{Cone, ConstraintState, Model, Solver};

use crate::constraint::jacobian::Jacobian;
use crate::constraint::update::{self, CostRows};
use crate::data::{
    ConeHessian, Contact, Diagnostics, ISLANDS_KEPT, IslandReport, SOLVER_ITERATIONS_KEPT, SolverEnd,
    SolverStat, StepIssue,
};

use super::hessian::Hessian;
use super::line_search;
use super::structure::{Patterns, Structure, Structures};

/// How the search direction is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Method {
    Newton,
    ConjugateGradient,
}

/// What the model says about the iteration.
#[derive(Clone, Copy, Debug)]
pub(super) struct Settings {
    pub method: Method,
    pub elliptic: bool,
    pub tolerance: f64,
    pub line_search_tolerance: f64,
    pub iterations: usize,
    pub line_search_iterations: i32,
    /// Whether structures of the last solve may serve again.
    pub remember: bool,
}

impl Settings {
    /// `None` when the model asks for Gauss–Seidel, which works on forces.
    pub(super) fn of(model: &Model) -> Option<Self> {
        let method = match model.opt.solver() {
            Some(Solver::Pgs) => return None,
            Some(Solver::Cg) => Method::ConjugateGradient,
            Some(Solver::Newton) | None => Method::Newton,
        };
        Some(Self {
            method,
            elliptic: model.opt.cone() == Some(Cone::Elliptic),
            tolerance: model.opt.tolerance,
            line_search_tolerance: model.opt.ls_tolerance,
            iterations: model.opt.iterations.max(0) as usize,
            line_search_iterations: model.opt.ls_iterations,
            remember: model.M_colind.revision().is_some(),
        })
    }

    /// Whether the contacts' cones need second derivatives.
    pub(super) fn cone_hessians(&self) -> bool {
        self.method == Method::Newton && self.elliptic
    }
}

/// How the iteration went.
#[derive(Clone, Copy, Debug)]
pub(super) struct Outcome {
    report: IslandReport,
    /// Evaluations at which the cost curved downward.
    not_convex: u32,
    /// Factorisations of the Hessian that met a vanishing pivot.
    deficient: u32,
    /// Values of the Hessian and its factors; 0 without one.
    stored_values: i32,
}

impl Outcome {
    /// Enter the outcome and the statistics of the first iterations.
    pub(super) fn record(&self, statistics: &[SolverStat], diagnostics: &mut Diagnostics) {
        let slot = self.report.island;
        for _ in 0..self.not_convex {
            diagnostics.count_issue(StepIssue::LineSearchNotConvex, slot as i32);
        }
        for _ in 0..self.deficient {
            diagnostics.count_issue(StepIssue::SingularHessian, slot as i32);
        }
        diagnostics.report.add_island(self.report);
        if slot < ISLANDS_KEPT {
            for (place, stat) in (slot * SOLVER_ITERATIONS_KEPT..).zip(statistics) {
                diagnostics.solver.set(place, *stat);
            }
            diagnostics.solver_niter[slot] += self.report.iterations as i32;
            diagnostics.solver_nnz[slot] = self.stored_values;
        }
    }
}

/// The problem of one island, or of the whole model.
pub(super) struct Problem<'a> {
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
    /// What an earlier solve of the same contacts left, by contact; missing entries are zero.
    pub cone_hessians: &'a [ConeHessian],
    /// Multiplies improvement and gradient before they are compared with the tolerance.
    pub scale: f64,
    /// `None` for the whole model.
    pub island: Option<usize>,
}

/// What is solved for.
pub(super) struct Unknowns<'a> {
    pub qacc: &'a mut [f64],
    pub qfrc_constraint: &'a mut [f64],
    pub force: &'a mut [f64],
    pub state: &'a mut [i32],
}

/// Work space of the iteration.
#[derive(Clone, Debug, Default)]
pub(super) struct PrimalScratch {
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
    /// Rows of a sparse Jacobian with the same columns.
    pub(super) groups: RowGroups,
    hessian: Hessian,
    cost: f64,
    /// Inertial part of the cost.
    pub(super) inertial_cost: f64,
    active: i32,
    in_cone: i32,
    /// Whether there are rows of elliptic contacts.
    pub(super) has_cones: bool,
    /// Second derivatives of the elliptic contacts, in row order; empty when they are not needed.
    pub(super) cones: Vec<ConeHessian>,
    /// The first iterations.
    pub(super) statistics: Vec<SolverStat>,
}

/// `Jᵀ` in sparse storage; empty otherwise.
#[derive(Clone, Debug, Default)]
struct TransposedJacobian {
    values: Vec<f64>,
    /// Where the next value of each row goes.
    cursor: Vec<i32>,
    groups: RowGroups,
}

impl TransposedJacobian {
    /// `often` says that many products follow.
    fn assign(
        &mut self,
        values: &[f64],
        pattern: Pattern,
        supernodes: &[i32],
        structure: &Structure,
        often: bool,
    ) {
        let Structure { transposed, transposed_super, .. } = *structure;
        self.values.resize(transposed.colind.len().max(self.values.len()), 0.0);
        self.cursor.clear();
        self.cursor.extend_from_slice(transposed.rowadr);
        sparse_structure::transpose_values(&mut self.values, &mut self.cursor, values, pattern, supernodes);
        if often {
            self.groups.assign_interleaved(transposed, transposed_super, &self.values);
        } else {
            self.groups.assign(transposed, transposed_super);
        }
    }
}

/// Iterate from the acceleration in `unknowns.qacc`.
pub(super) fn solve(
    settings: &Settings,
    problem: &Problem,
    unknowns: &mut Unknowns,
    contacts: &[Contact],
    scratch: &mut PrimalScratch,
    structures: &mut Structures,
) -> Outcome {
    let newton = settings.method == Method::Newton;
    let elliptic = settings.elliptic;
    let known = match problem.jacobian {
        Jacobian::Dense { .. } => false,
        Jacobian::Sparse { pattern, .. } => {
            let patterns = Patterns { jacobian: pattern, inertia: problem.inertia_pattern, newton };
            structures.advance(&patterns, settings.remember)
        }
    };
    scratch.prepare(settings, problem, unknowns, contacts, &structures.present());
    scratch.update_constraints(problem, unknowns, contacts);
    if newton {
        scratch.hessian.make(problem, unknowns.state, structures, known);
    }
    let structure = &structures.present();
    if newton {
        let PrimalScratch { hessian, in_cone, cones, .. } = scratch;
        hessian.factorize(problem, unknowns.state, contacts, cones, structure, *in_cone > 0, false);
    }
    scratch.update_gradient(problem, unknowns);
    scratch.precondition(problem, structure, newton);
    dense::scale(&mut scratch.search, &scratch.preconditioned, -1.0);

    let tolerance = settings.tolerance;
    let mut not_convex = 0;
    let mut report = IslandReport {
        island: problem.island.unwrap_or(0),
        end: SolverEnd::IterationLimit,
        ..IslandReport::default()
    };
    while report.iterations < settings.iterations {
        let found = line_search::search(
            problem,
            contacts,
            scratch,
            tolerance * settings.line_search_tolerance,
            settings.line_search_iterations,
        );
        not_convex += found.not_convex;
        if found.step == 0.0 {
            report.gradient = problem.scale * dense::norm(&scratch.gradient);
            report.end = if report.gradient < tolerance { SolverEnd::Converged } else { SolverEnd::Stalled };
            break;
        }
        let old_cost = scratch.advance(unknowns, found.step, newton);
        scratch.update_constraints(problem, unknowns, contacts);
        scratch.update_gradient(problem, unknowns);

        let changed = unknowns.state.iter().zip(&scratch.old_state).filter(|(new, old)| new != old).count();
        let improvement = problem.scale * (old_cost - scratch.cost);
        let gradient = problem.scale * dense::norm(&scratch.gradient);
        if scratch.statistics.len() < SOLVER_ITERATIONS_KEPT {
            scratch.statistics.push(SolverStat {
                improvement,
                gradient,
                lineslope: found.slope,
                nactive: scratch.active,
                nchange: changed as i32,
                neval: found.evaluations,
                nupdate: if newton { scratch.updates_ahead(unknowns.state) } else { 0 },
            });
        }
        report.iterations += 1;
        (report.improvement, report.gradient) = (improvement, gradient);
        if improvement < tolerance || gradient < tolerance {
            report.end = SolverEnd::Converged;
            break;
        }
        if report.iterations == settings.iterations {
            break;
        }
        if newton {
            scratch.update_hessian(problem, unknowns.state, contacts, structure, report.iterations);
        }
        scratch.precondition(problem, structure, newton);
        scratch.turn(newton);
    }
    let stored_values = if newton { Hessian::stored_values(problem, structure, elliptic) } else { 0 };
    let deficient = if newton { scratch.hessian.deficient } else { 0 };
    Outcome { report, not_convex, deficient, stored_values }
}

impl PrimalScratch {
    /// Size the buffers and compute `M q̈` and the residuals at the start.
    fn prepare(
        &mut self,
        settings: &Settings,
        problem: &Problem,
        unknowns: &Unknowns,
        contacts: &[Contact],
        structure: &Structure,
    ) {
        self.statistics.clear();
        self.has_cones = problem.rows.kind.contains(&update::ELLIPTIC);
        self.cones.clear();
        if settings.cone_hessians() {
            self.cones.extend(problem.rows.kept_cones(contacts, problem.cone_hessians));
        }
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
        if let Jacobian::Sparse { values, pattern, supernodes } = problem.jacobian {
            let often = settings.method == Method::ConjugateGradient;
            self.transposed.assign(values, pattern, supernodes, structure, often);
            self.groups.assign(pattern, supernodes);
        }
        sparse::mul_symmetric_vec(
            &mut self.inertial,
            problem.inertia,
            unknowns.qacc,
            problem.inertia_pattern,
        );
        match problem.jacobian {
            Jacobian::Dense { .. } => problem.jacobian.mul_vec(&mut self.residual, unknowns.qacc),
            Jacobian::Sparse { values, .. } => {
                self.groups.mul_vec(&mut self.residual, values, unknowns.qacc);
            }
        }
        dense::sub_from(&mut self.residual, problem.reference);
    }

    /// Forces, zones and cost at the present acceleration.
    fn update_constraints(&mut self, problem: &Problem, unknowns: &mut Unknowns, contacts: &[Contact]) {
        self.cost = update::update(
            problem.rows,
            &self.residual,
            contacts,
            unknowns.state,
            unknowns.force,
            (!self.cones.is_empty()).then_some(&mut self.cones[..]),
        );
        match problem.jacobian {
            Jacobian::Dense { .. } => {
                problem.jacobian.mul_transposed_vec(unknowns.qfrc_constraint, unknowns.force);
            }
            Jacobian::Sparse { .. } => self.transposed.groups.mul_vec(
                unknowns.qfrc_constraint,
                &self.transposed.values,
                unknowns.force,
            ),
        }
        self.active = 0;
        self.in_cone = 0;
        for zone in unknowns.state.iter() {
            self.active += i32::from(*zone != ConstraintState::Satisfied as i32);
            self.in_cone += i32::from(*zone == ConstraintState::Cone as i32);
        }
        let nv = unknowns.qacc.len();
        let (inertial, force) = (&self.inertial[..nv], &problem.qfrc_smooth[..nv]);
        let (acceleration, smooth) = (&unknowns.qacc[..nv], &problem.qacc_smooth[..nv]);
        let mut inertial_cost = 0.0;
        for dof in 0..nv {
            inertial_cost += 0.5 * (inertial[dof] - force[dof]) * (acceleration[dof] - smooth[dof]);
        }
        self.inertial_cost = inertial_cost;
        self.cost += inertial_cost;
    }

    /// Gradient of the cost.
    fn update_gradient(&mut self, problem: &Problem, unknowns: &Unknowns) {
        let nv = self.gradient.len();
        let (inertial, smooth) = (&self.inertial[..nv], &problem.qfrc_smooth[..nv]);
        let constraint = &unknowns.qfrc_constraint[..nv];
        for (dof, gradient) in self.gradient.iter_mut().enumerate() {
            *gradient = inertial[dof] - smooth[dof] - constraint[dof];
        }
    }

    /// How many rank-one updates the Hessian needs to follow the last change of zones, if none of them loses accuracy.
    ///
    /// Only another iteration needs the Hessian, so that the last one leaves it and the direction it would give alone.
    fn updates_ahead(&self, state: &[i32]) -> i32 {
        let quadratic = ConstraintState::Quadratic as i32;
        let changes = state.iter().zip(&self.old_state);
        let changed = changes.filter(|(new, old)| (**new == quadratic) != (**old == quadratic)).count();
        changed as i32 + self.in_cone
    }

    /// Let the Hessian follow the last change of zones, and correct the statistics of the iteration if that took more.
    fn update_hessian(
        &mut self,
        problem: &Problem,
        state: &[i32],
        contacts: &[Contact],
        structure: &Structure,
        iterations: usize,
    ) {
        let PrimalScratch { hessian, in_cone, old_state, cones, .. } = self;
        hessian.update(problem, state, old_state, contacts, cones, structure, *in_cone > 0);
        if let Some(stat) = self.statistics.get_mut(iterations - 1) {
            stat.nupdate = hessian.updates;
        }
    }

    /// The gradient multiplied by the inverse of the Hessian or of the inertia.
    fn precondition(&mut self, problem: &Problem, structure: &Structure, newton: bool) {
        self.preconditioned.copy_from_slice(&self.gradient);
        if newton {
            self.hessian.solve(problem, structure, &mut self.preconditioned, self.in_cone > 0);
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
            // Both are computed anew as a whole.
            std::mem::swap(&mut self.old_gradient, &mut self.gradient);
            std::mem::swap(&mut self.old_preconditioned, &mut self.preconditioned);
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
        let [change, before] = dense::two_dots([
            (&self.gradient, &self.preconditioned_change),
            (&self.old_gradient, &self.old_preconditioned),
        ]);
        let mut beta = change / scalar::max(MIN_VALUE, before);
        if beta < 0.0 {
            beta = 0.0;
        }
        for (direction, steepest) in self.search.iter_mut().zip(&self.preconditioned) {
            *direction = -steepest + beta * *direction;
        }
    }
}
