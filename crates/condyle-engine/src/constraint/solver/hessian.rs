//! The Hessian of the primal cost and its Cholesky factor.
//!
//! `H = M + Jᵀ D J` over the rows in their quadratic zone, plus `Jᵀ C J` for every elliptic contact in the middle zone, with `C` the
//! cone Hessian. The factor of the quadratic part is kept and changed by rank-one updates as rows enter or leave the zone; cones
//! are added to a copy. Sparse storage factorises in reverse order, `H = LᵀL`, with a pattern found once per solve.
//! Reference: `MakeHessian`, `HessianIncremental`, `HessianCone`.

use condyle_math::cholesky::{self, Change, TurnedFactor};
use condyle_math::sparse::{self, Pattern};
use condyle_math::sparse_cholesky::{self, Changes};
use condyle_math::sparse_gram::{self, GramScratch};
use condyle_math::{MIN_VALUE, dense};
use condyle_model::ConstraintState;

use crate::constraint::jacobian::Jacobian;
use crate::data::{ConeHessian, Contact};

use super::primal::Problem;
use super::structure::{Structure, Structures};

const QUADRATIC: i32 = ConstraintState::Quadratic as i32;
const CONE: i32 = ConstraintState::Cone as i32;

/// The Hessian, its factor and the work space to maintain them.
#[derive(Clone, Debug, Default)]
pub(super) struct Hessian {
    /// Stiffness of the rows in their quadratic zone, zero elsewhere.
    weights: Vec<f64>,
    /// Factor without cones in dense storage.
    dense: TurnedFactor,
    /// Factor with cones in dense storage.
    dense_with_cones: TurnedFactor,
    /// Factor without cones in sparse storage.
    factor: Vec<f64>,
    /// Factor with cones in sparse storage.
    cone_factor: Vec<f64>,
    /// Rows of one cone, or one scaled row of the Jacobian.
    rows: Vec<f64>,
    /// Changes of a sparse factor on their way.
    changes: Changes,
    sparse: SparseHessian,
    /// Rank-one updates since the last iteration.
    pub updates: i32,
    /// Sparse factorisations that met a vanishing pivot since [`Self::make`].
    pub deficient: u32,
}

/// `H` in sparse storage, lower triangle, and work space to find its pattern.
#[derive(Clone, Debug, Default)]
struct SparseHessian {
    values: Vec<f64>,
    rownnz: Vec<i32>,
    rowadr: Vec<i32>,
    colind: Vec<i32>,
    gram: GramScratch,
    /// Work space of the factorisation.
    factor_work: Vec<i32>,
}

impl Hessian {
    /// Number of values kept, as the solver statistics count them: without the diagonal of dofs no row acts on.
    pub(super) fn stored_values(problem: &Problem, structure: &Structure, elliptic: bool) -> i32 {
        match problem.jacobian {
            Jacobian::Dense { columns, .. } => (columns * columns) as i32,
            Jacobian::Sparse { .. } => {
                let factors = if elliptic { 2 } else { 1 };
                let values = structure.gram_values + problem.inertia_pattern.end();
                let untouched = structure.transposed.rownnz.iter().filter(|count| **count == 0).count();
                (factors * structure.factor_values() + values - untouched) as i32
            }
        }
    }

    /// Compute the quadratic part for the given zones and, in sparse storage, its pattern and that of its factor if they are not known.
    pub(super) fn make(
        &mut self,
        problem: &Problem,
        state: &[i32],
        structures: &mut Structures,
        known: bool,
    ) {
        let nv = problem.qacc_smooth.len();
        self.deficient = 0;
        self.changes.begin(nv);
        if known || matches!(problem.jacobian, Jacobian::Dense { .. }) {
            self.compute(problem, state, &structures.present());
        } else if let Jacobian::Sparse { values, pattern, .. } = problem.jacobian {
            self.weigh(problem, state);
            self.sparse.find(problem, values, pattern, &self.weights, structures);
        }
        if matches!(problem.jacobian, Jacobian::Sparse { .. }) {
            let count = structures.present().factor_values();
            self.factor.resize(count.max(self.factor.len()), 0.0);
            self.sparse.factor_work.resize((2 * nv).max(self.sparse.factor_work.len()), 0);
        }
    }

    fn weigh(&mut self, problem: &Problem, state: &[i32]) {
        self.weights.clear();
        let zones = problem.rows.stiffness.iter().zip(state);
        self.weights.extend(zones.map(|(stiffness, zone)| if *zone == QUADRATIC { *stiffness } else { 0.0 }));
    }

    /// The quadratic part: into the factor's place in dense storage, into `sparse` otherwise.
    fn compute(&mut self, problem: &Problem, state: &[i32], structure: &Structure) {
        self.weigh(problem, state);
        match problem.jacobian {
            Jacobian::Dense { values, columns } => {
                self.dense.assign_gram(values, &self.weights, columns);
                self.dense.add_symmetric(problem.inertia, problem.inertia_pattern);
            }
            Jacobian::Sparse { values, pattern, .. } => {
                let h = &mut self.sparse;
                let total = structure.hessian.colind.len();
                h.values.resize(total.max(h.values.len()), 0.0);
                // Adding to −0 leaves every number as it is.
                h.values[..total].fill(-0.0);
                sparse_gram::gram_values(
                    &mut h.values,
                    structure.hessian,
                    values,
                    pattern,
                    structure.transposed,
                    structure.transposed_super,
                    &self.weights,
                    &mut h.gram,
                );
                sparse::add_to_superset(
                    &mut h.values,
                    structure.hessian,
                    problem.inertia,
                    problem.inertia_pattern,
                );
            }
        }
    }

    /// Factorise, computing the quadratic part anew if asked, and add the cones.
    pub(super) fn factorize(
        &mut self,
        problem: &Problem,
        state: &[i32],
        contacts: &[Contact],
        cones: &[ConeHessian],
        structure: &Structure,
        has_cones: bool,
        recompute: bool,
    ) {
        if recompute {
            self.compute(problem, state, structure);
        }
        match problem.jacobian {
            Jacobian::Dense { .. } => {
                self.dense.factor(MIN_VALUE);
            }
            Jacobian::Sparse { .. } => {
                let SparseHessian { values, factor_work, .. } = &mut self.sparse;
                let pattern = structure.hessian;
                let rank = structure.factor.factor(&mut self.factor, values, pattern, MIN_VALUE, factor_work);
                self.deficient += u32::from(rank < pattern.rows());
            }
        }
        if has_cones {
            self.add_cones(problem, state, contacts, cones, structure);
        }
        self.updates = state.len() as i32;
    }

    /// Follow a change of zones by rank-one updates; start afresh when one of them loses accuracy.
    pub(super) fn update(
        &mut self,
        problem: &Problem,
        state: &[i32],
        old_state: &[i32],
        contacts: &[Contact],
        cones: &[ConeHessian],
        structure: &Structure,
        has_cones: bool,
    ) {
        let nv = problem.qacc_smooth.len();
        self.updates = 0;
        self.rows.resize(nv.max(self.rows.len()), 0.0);
        let mut sound = true;
        for row in 0..state.len() {
            let change = match (old_state[row] == QUADRATIC, state[row] == QUADRATIC) {
                (false, true) => Change::Add,
                (true, false) => Change::Subtract,
                _ => continue,
            };
            let root = problem.rows.stiffness[row].sqrt();
            match problem.jacobian {
                Jacobian::Dense { values, columns } => {
                    sound &= self.dense.update(&values[row * columns..][..columns], root, change) == 0;
                }
                Jacobian::Sparse { values, pattern, .. } => {
                    let range = pattern.range(row);
                    let scaled = &mut self.rows[..range.len()];
                    dense::scale(scaled, &values[range], root);
                    self.changes.push(scaled, pattern.columns(row), change);
                    if self.changes.is_full() {
                        sound &= self.changes.apply(&mut self.factor, structure.factor.rows);
                    }
                }
            }
            self.updates += 1;
            if !sound {
                break;
            }
        }
        sound &= match problem.jacobian {
            Jacobian::Dense { .. } => self.dense.apply() == 0,
            Jacobian::Sparse { .. } => self.changes.apply(&mut self.factor, structure.factor.rows),
        };
        if !sound {
            self.factorize(problem, state, contacts, cones, structure, has_cones, true);
            return;
        }
        if has_cones {
            self.add_cones(problem, state, contacts, cones, structure);
        }
    }

    /// Copy the factor and add every contact in the middle zone: with `C = K Kᵀ`, one update per row of `Kᵀ J`.
    fn add_cones(
        &mut self,
        problem: &Problem,
        state: &[i32],
        contacts: &[Contact],
        cones: &[ConeHessian],
        structure: &Structure,
    ) {
        match problem.jacobian {
            Jacobian::Dense { .. } => self.dense_with_cones.copy_from(&self.dense),
            Jacobian::Sparse { .. } => {
                let count = structure.factor_values();
                self.cone_factor.resize(count.max(self.cone_factor.len()), 0.0);
                self.cone_factor[..count].copy_from_slice(&self.factor[..count]);
            }
        }
        for ((row, contact), hessian) in problem.rows.cones(contacts).zip(cones) {
            if state[row] != CONE {
                continue;
            }
            let dimension = contacts[contact].dimension();
            let mut local = *hessian;
            cholesky::factor(&mut local, dimension, MIN_VALUE);
            match problem.jacobian {
                Jacobian::Dense { values, columns } => {
                    let rows = &values[row * columns..][..dimension * columns];
                    self.dense_with_cones.add_mixed_rows(rows, &local, dimension);
                }
                Jacobian::Sparse { values, pattern, .. } => {
                    self.add_sparse_cone(values, pattern, row, &local, dimension, structure);
                }
            }
            self.updates += dimension as i32;
        }
        match problem.jacobian {
            Jacobian::Dense { .. } => {
                self.dense_with_cones.apply();
            }
            Jacobian::Sparse { .. } => {
                self.changes.apply(&mut self.cone_factor, structure.factor.rows);
            }
        }
    }

    /// Add the contact with the `dimension` rows from `row` on and the factor `local` of its cone Hessian.
    fn add_sparse_cone(
        &mut self,
        values: &[f64],
        pattern: Pattern,
        row: usize,
        local: &ConeHessian,
        dimension: usize,
        structure: &Structure,
    ) {
        let width = pattern.rownnz[row] as usize;
        self.rows.resize((dimension * width).max(self.rows.len()), 0.0);
        let products = &mut self.rows[..dimension * width];
        products.fill(0.0);
        for r in 0..dimension {
            let jacobian_row = &values[pattern.range(row + r)];
            for c in 0..=r {
                let product = &mut products[c * width..][..width];
                dense::add_scaled_to(product, jacobian_row, local[r * dimension + c]);
            }
        }
        for (r, product) in products.chunks_exact_mut(width.max(1)).enumerate() {
            self.changes.push(product, pattern.columns(row + r), Change::Add);
            if self.changes.is_full() {
                self.changes.apply(&mut self.cone_factor, structure.factor.rows);
            }
        }
    }

    /// `x ← H⁻¹ x`
    pub(super) fn solve(&self, problem: &Problem, structure: &Structure, x: &mut [f64], has_cones: bool) {
        match problem.jacobian {
            Jacobian::Dense { .. } => {
                let factor = if has_cones { &self.dense_with_cones } else { &self.dense };
                factor.solve(x);
            }
            Jacobian::Sparse { .. } => {
                let factor = if has_cones { &self.cone_factor } else { &self.factor };
                sparse_cholesky::solve(x, factor, structure.factor.rows);
            }
        }
    }
}

impl SparseHessian {
    /// Compute the quadratic part and find its pattern and that of its factor, which `structures` keeps.
    fn find(
        &mut self,
        problem: &Problem,
        jacobian: &[f64],
        pattern: Pattern,
        weights: &[f64],
        structures: &mut Structures,
    ) {
        let structure = structures.present();
        let gram_values = self.size(problem.inertia_pattern, pattern, &structure);
        sparse_gram::gram(
            &mut self.values,
            &mut self.rownnz,
            &self.rowadr,
            &mut self.colind,
            jacobian,
            pattern,
            &[],
            structure.transposed,
            Some(structure.transposed_super),
            Some(weights),
            None,
            &mut self.gram,
        );
        sparse::add_matrix(
            &mut self.values,
            &mut self.rownnz,
            &self.rowadr,
            &mut self.colind,
            problem.inertia,
            problem.inertia_pattern,
        );
        let found = Pattern { rownnz: &self.rownnz, rowadr: &self.rowadr, colind: &self.colind };
        let found = Pattern { colind: &self.colind[..found.end()], ..found };
        structures.set_hessian(gram_values, found);
    }

    /// Reserve each row for the union of the patterns of `JᵀJ` and the inertia; returns the number of elements of the first.
    fn size(&mut self, inertia: Pattern, jacobian: Pattern, structure: &Structure) -> usize {
        let nv = inertia.rows();
        self.rownnz.resize(nv, 0);
        self.rowadr.resize(nv, 0);
        let gram_values = sparse_gram::gram_count(
            &mut self.rownnz,
            &mut self.rowadr,
            jacobian,
            structure.transposed,
            Some(structure.transposed_super),
            false,
            &mut self.gram,
        );
        let mut shift = 0;
        for row in 1..nv {
            shift += inertia.rownnz[row - 1];
            self.rowadr[row] += shift;
        }
        let total = gram_values + inertia.rownnz.iter().map(|count| *count as usize).sum::<usize>();
        self.values.resize(total.max(self.values.len()), 0.0);
        self.colind.resize(total.max(self.colind.len()), 0);
        gram_values
    }
}
