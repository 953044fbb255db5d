//! One problem per island.
//!
//! Islands share nothing that solving changes, so they are cut into as many runs of neighbouring islands as there are threads, each
//! with its own unknowns and work space, and the results are put together in the order of the islands: the bits are the same for
//! any number of threads. The threads are those of the `pool`.

use std::ops::Range;

use condyle_math::dense;
use condyle_math::sparse::Pattern;

use crate::constraint::jacobian::Jacobian;
use crate::constraint::update::CostRows;
use crate::data::{ConeHessian, Contact, Diagnostics, ISLANDS_KEPT, IslandSolution, Islands, SolverStat};
use crate::jacobian::is_sparse;

use super::primal::{self, Outcome, PrimalScratch, Problem, Settings, Unknowns};
use super::structure::Structures;
use super::worker_pool::WorkerPool;
use super::{Given, Solved};

/// What solving reads.
#[derive(Clone, Copy)]
struct Problems<'a> {
    islands: &'a Islands,
    start: &'a IslandSolution,
    contacts: &'a [Contact],
    settings: Settings,
    sparse: bool,
}

/// Second derivatives of the contacts, and where new ones go.
enum Cones<'a> {
    /// The results follow them.
    Own(&'a mut Vec<ConeHessian>),
    /// The results are set aside in row order.
    Copied(&'a [ConeHessian]),
}

/// A copy of what solving reads, for threads of the pool.
#[derive(Clone, Debug, Default)]
pub(super) struct Task {
    islands: Islands,
    start: IslandSolution,
    contacts: Vec<Contact>,
    cone_hessians: Vec<ConeHessian>,
    settings: Option<Settings>,
    sparse: bool,
}

impl Task {
    /// Copy the problems, keeping the memory.
    fn copy_from(&mut self, problems: Problems, cone_hessians: &[ConeHessian]) {
        self.islands.copy_from(problems.islands);
        self.start.copy_from(problems.start);
        self.contacts.clear();
        self.contacts.extend_from_slice(problems.contacts);
        self.cone_hessians.clear();
        self.cone_hessians.extend_from_slice(cone_hessians);
        (self.settings, self.sparse) = (Some(problems.settings), problems.sparse);
    }
}

#[cfg(test)]
impl Task {
    /// No islands, to be solved as `model` says.
    pub(super) fn empty(model: &condyle_model::Model) -> Self {
        Self { settings: Settings::of(model), ..Self::default() }
    }
}

/// A run of neighbouring islands with everything that solving them changes.
#[derive(Clone, Debug, Default)]
pub(super) struct Share {
    pub(super) islands: Range<usize>,
    qacc: Vec<f64>,
    qfrc_constraint: Vec<f64>,
    force: Vec<f64>,
    state: Vec<i32>,
    /// Second derivatives of the elliptic contacts, in row order; empty when they are not needed or are where they belong.
    cones: Vec<ConeHessian>,
    outcomes: Vec<Outcome>,
    /// The first iterations of each of the first islands.
    statistics: Vec<SolverStat>,
    statistics_count: Vec<usize>,
    scratch: PrimalScratch,
    structures: Structures,
}

/// Work space of the solve by island.
#[derive(Clone, Debug, Default)]
pub(super) struct IslandSolver {
    task: Task,
    shares: Vec<Share>,
    pool: WorkerPool,
}

/// Solve every island, on at most `threads` threads.
pub(super) fn solve(
    given: Given,
    settings: Settings,
    threads: usize,
    islands: &Islands,
    contacts: &[Contact],
    cone_hessians: &mut Vec<ConeHessian>,
    own: &mut IslandSolution,
    out: Solved,
    solver: &mut IslandSolver,
) {
    let Given { model, motion, smooth, .. } = given;
    let Solved { solution, acceleration, diagnostics } = out;
    for (target, source) in [
        (&mut own.ifrc_smooth, &smooth.qfrc_smooth),
        (&mut own.ifrc_constraint, &solution.qfrc_constraint),
        (&mut own.iacc_smooth, &smooth.qacc_smooth),
        (&mut own.iacc, &acceleration.qacc),
    ] {
        dense::gather(target, source, &islands.map_idof2dof);
    }
    dense::gather(&mut own.iefc_force, &solution.efc_force, &islands.map_iefc2efc);
    dense::gather(&mut own.iefc_aref, &motion.efc_aref, &islands.map_iefc2efc);

    solver.divide(islands, threads);
    let IslandSolver { task, shares, pool } = solver;
    let sparse = is_sparse(model);
    let problems = Problems { islands, start: own, contacts, settings, sparse };
    match &mut shares[..] {
        [share] => share.solve_each(problems, Cones::Own(cone_hessians)),
        _ => {
            task.copy_from(problems, cone_hessians);
            pool.solve(task, shares);
        }
    }
    for share in shares {
        share.collect(islands, own, contacts, cone_hessians, diagnostics);
    }

    let dofs = &islands.map_idof2dof[..islands.nidof];
    dense::scatter(&mut acceleration.qacc, &own.iacc, dofs);
    dense::scatter(&mut solution.qfrc_constraint, &own.ifrc_constraint, dofs);
    dense::gather(&mut solution.efc_force, &own.iefc_force, &islands.map_efc2iefc);
}

/// About how much work an island is: its rows and inertia times its dofs.
fn work(islands: &Islands, island: usize) -> usize {
    let (rows, dofs) = (islands.island_nefc[island] as usize, islands.island_nv[island] as usize);
    (rows + dofs) * dofs
}

/// Below this much work per share, waking a thread takes longer than doing it.
const LEAST_WORK: usize = 2_500;

impl IslandSolver {
    /// Cut the islands into at most `threads` shares of about the same work.
    fn divide(&mut self, islands: &Islands, threads: usize) {
        let total: usize = (0..islands.nisland).map(|island| work(islands, island)).sum();
        let count = threads.min(islands.nisland).min(total / LEAST_WORK).max(1);
        self.shares.resize_with(count, Share::default);
        let (mut first, mut done) = (0, 0);
        for (number, share) in self.shares.iter_mut().enumerate() {
            let mut end = first;
            while end < islands.nisland && (number + 1 == count || done * count < total * (number + 1)) {
                done += work(islands, end);
                end += 1;
            }
            share.islands = first..end;
            first = end;
        }
    }
}

/// Dofs of a run of islands, in island order.
fn dofs_of(islands: &Islands, run: &Range<usize>) -> Range<usize> {
    span(&islands.island_idofadr, &islands.island_nv, run)
}

/// Rows of a run of islands, in island order.
fn rows_of(islands: &Islands, run: &Range<usize>) -> Range<usize> {
    span(&islands.island_iefcadr, &islands.island_nefc, run)
}

fn span(first: &[i32], count: &[i32], run: &Range<usize>) -> Range<usize> {
    if run.is_empty() {
        return 0..0;
    }
    let last = run.end - 1;
    first[run.start] as usize..(first[last] + count[last]) as usize
}

impl Share {
    /// A share of the islands in `run`.
    #[cfg(test)]
    pub(super) fn of(run: Range<usize>) -> Self {
        Self { islands: run, ..Self::default() }
    }

    /// Solve the islands of this share.
    pub(super) fn solve(&mut self, task: &Task) {
        let Task { islands, start, contacts, cone_hessians, settings: Some(settings), sparse } = task else {
            return;
        };
        let (settings, sparse) = (*settings, *sparse);
        let problems = Problems { islands, start, contacts, settings, sparse };
        self.solve_each(problems, Cones::Copied(cone_hessians));
    }

    fn solve_each(&mut self, problems: Problems, mut cones: Cones) {
        let Problems { islands, start, contacts, settings, .. } = problems;
        let (dofs, rows) = (dofs_of(islands, &self.islands), rows_of(islands, &self.islands));
        self.qacc.clear();
        self.qacc.extend_from_slice(&start.iacc[dofs.clone()]);
        self.qfrc_constraint.resize(dofs.len(), 0.0);
        self.force.resize(rows.len(), 0.0);
        self.state.resize(rows.len(), 0);
        self.cones.clear();
        self.outcomes.clear();
        self.statistics.clear();
        self.statistics_count.clear();
        self.structures.begin(dofs.len());
        for island in self.islands.clone() {
            let own_dofs = dofs_of(islands, &(island..island + 1));
            let own_rows = rows_of(islands, &(island..island + 1));
            let kept = match &cones {
                Cones::Own(kept) => &kept[..],
                Cones::Copied(kept) => kept,
            };
            let problem = problem(problems, kept, island, own_dofs.clone(), own_rows.clone());
            let dofs = own_dofs.start - dofs.start..own_dofs.end - dofs.start;
            let rows = own_rows.start - rows.start..own_rows.end - rows.start;
            let mut unknowns = Unknowns {
                qacc: &mut self.qacc[dofs.clone()],
                qfrc_constraint: &mut self.qfrc_constraint[dofs],
                force: &mut self.force[rows.clone()],
                state: &mut self.state[rows],
            };
            let (scratch, structures) = (&mut self.scratch, &mut self.structures);
            let outcome = primal::solve(&settings, &problem, &mut unknowns, contacts, scratch, structures);
            self.outcomes.push(outcome);
            let found = &self.scratch.cones;
            match &mut cones {
                Cones::Own(kept) if !found.is_empty() => {
                    cost_rows(islands, island, own_rows).keep_cones(contacts, found, kept);
                }
                Cones::Own(_) => {}
                Cones::Copied(_) => self.cones.extend_from_slice(found),
            }
            if island < ISLANDS_KEPT {
                self.statistics.extend_from_slice(&self.scratch.statistics);
                self.statistics_count.push(self.scratch.statistics.len());
            }
        }
    }

    /// Put the results where they belong.
    fn collect(
        &self,
        islands: &Islands,
        out: &mut IslandSolution,
        contacts: &[Contact],
        cone_hessians: &mut Vec<ConeHessian>,
        diagnostics: &mut Diagnostics,
    ) {
        let (dofs, rows) = (dofs_of(islands, &self.islands), rows_of(islands, &self.islands));
        out.iacc[dofs.clone()].copy_from_slice(&self.qacc);
        out.ifrc_constraint[dofs].copy_from_slice(&self.qfrc_constraint);
        out.iefc_force[rows.clone()].copy_from_slice(&self.force);
        out.iefc_state[rows].copy_from_slice(&self.state);
        let mut cones = &self.cones[..];
        if !cones.is_empty() {
            for island in self.islands.clone() {
                let own_rows = rows_of(islands, &(island..island + 1));
                let kept = cost_rows(islands, island, own_rows).keep_cones(contacts, cones, cone_hessians);
                cones = &cones[kept..];
            }
        }
        let mut statistics = &self.statistics[..];
        let mut counts = self.statistics_count.iter();
        for outcome in &self.outcomes {
            let (own, rest) = statistics.split_at(counts.next().map_or(0, |count| *count));
            outcome.record(own, diagnostics);
            statistics = rest;
        }
    }
}

fn cost_rows(islands: &Islands, island: usize, rows: Range<usize>) -> CostRows<'_> {
    CostRows {
        equalities: islands.island_ne[island] as usize,
        frictions: islands.island_nf[island] as usize,
        kind: &islands.iefc_type[rows.clone()],
        id: &islands.iefc_id[rows.clone()],
        stiffness: &islands.iefc_D[rows.clone()],
        regulariser: &islands.iefc_R[rows.clone()],
        frictionloss: &islands.iefc_frictionloss[rows],
    }
}

fn problem<'a>(
    problems: Problems<'a>,
    cone_hessians: &'a [ConeHessian],
    island: usize,
    dofs: Range<usize>,
    rows: Range<usize>,
) -> Problem<'a> {
    let Problems { islands, start, sparse, .. } = problems;
    let inertia_pattern = Pattern {
        rownnz: &islands.iM_rownnz[dofs.clone()],
        rowadr: &islands.iM_rowadr[dofs.clone()],
        colind: &islands.iM_colind,
    };
    let mut total_inertia = 0.0;
    for dof in 0..dofs.len() {
        total_inertia += islands.iM[inertia_pattern.range(dof).end - 1];
    }
    let jacobian = if sparse {
        Jacobian::Sparse {
            values: &islands.iefc_J,
            pattern: Pattern {
                rownnz: &islands.iefc_J_rownnz[rows.clone()],
                rowadr: &islands.iefc_J_rowadr[rows.clone()],
                colind: &islands.iefc_J_colind,
            },
            supernodes: &islands.iefc_J_rowsuper[rows.clone()],
        }
    } else {
        Jacobian::Dense { values: &islands.iefc_J[islands.nidof * rows.start..], columns: dofs.len() }
    };
    Problem {
        rows: cost_rows(islands, island, rows.clone()),
        reference: &start.iefc_aref[rows],
        jacobian,
        inertia: &islands.iM,
        inertia_pattern,
        factor: &islands.iLD,
        factor_inverse_diagonal: &islands.iLDiagInv[dofs.clone()],
        qfrc_smooth: &start.ifrc_smooth[dofs.clone()],
        qacc_smooth: &start.iacc_smooth[dofs],
        cone_hessians,
        scale: 1.0 / total_inertia,
        island: Some(island),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn islands_of_sizes(sizes: &[(i32, i32)]) -> Islands {
        Islands {
            nisland: sizes.len(),
            island_nv: sizes.iter().map(|size| size.0).collect(),
            island_nefc: sizes.iter().map(|size| size.1).collect(),
            ..Islands::default()
        }
    }

    #[test]
    fn every_island_is_in_one_share_and_shares_are_even() {
        let islands = islands_of_sizes(&[(30, 100); 12]);
        let mut solver = IslandSolver::default();
        for threads in 1..20 {
            solver.divide(&islands, threads);
            let runs: Vec<_> = solver.shares.iter().map(|share| share.islands.clone()).collect();
            assert_eq!(runs.len(), threads.min(12));
            assert_eq!(runs.iter().flat_map(Clone::clone).collect::<Vec<_>>(), (0..12).collect::<Vec<_>>());
            assert!(runs.iter().all(|run| run.len() <= 12usize.div_ceil(threads)), "{runs:?}");
        }
    }

    #[test]
    fn little_work_is_not_divided() {
        let islands = islands_of_sizes(&[(6, 12); 5]);
        let mut solver = IslandSolver::default();
        solver.divide(&islands, 8);
        assert_eq!(solver.shares.len(), 1);
    }
}
