//! The Hessian of the primal cost and its Cholesky factor.
//!
//! `H = M + Jᵀ D J` over the rows in their quadratic zone, plus `Jᵀ C J` for every elliptic contact in the middle zone, with `C` the
//! cone Hessian. The factor of the quadratic part is kept and changed by rank-one updates as rows enter or leave the zone; cones
//! are added to a copy. Sparse storage factorises in reverse order, `H = LᵀL`, with a pattern found once per solve.
//! Reference: `MakeHessian`, `HessianIncremental`, `HessianCone`.

use condyle_math::cholesky::{self, Change, TurnedFactor};
use condyle_math::sparse::{self, Pattern};
use condyle_math::sparse_cholesky::{self, Symbolic};
use condyle_math::sparse_structure::{self, GramScratch};
use condyle_math::{MIN_VALUE, dense};
use condyle_model::ConstraintState;

use crate::constraint::jacobian::Jacobian;
use crate::constraint::update::ConeHessian;
use crate::data::Contact;

use super::primal::{Problem, TransposedJacobian};

const QUADRATIC: i32 = ConstraintState::Quadratic as i32;
const CONE: i32 = ConstraintState::Cone as i32;

/// The Hessian, its factor and the work space to maintain them.
#[derive(Clone, Debug, Default)]
pub struct Hessian {
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
    accumulator: Vec<f64>,
    sparse: SparseHessian,
    /// Rank-one updates since the last iteration.
    pub updates: i32,
    /// Sparse factorisations that met a vanishing pivot since [`Self::make`].
    pub deficient: u32,
}

/// `H` in sparse storage, lower triangle.
#[derive(Clone, Debug, Default)]
struct SparseHessian {
    values: Vec<f64>,
    rownnz: Vec<i32>,
    rowadr: Vec<i32>,
    colind: Vec<i32>,
    upper_rownnz: Vec<i32>,
    upper_rowadr: Vec<i32>,
    upper_colind: Vec<i32>,
    /// Contacts often persist, and with them the pattern: those of a few islands are remembered.
    analyses: Vec<Analysis>,
    /// Which of them is the present one, and which is given up next.
    present: usize,
    oldest: usize,
    gram: GramScratch,
}

/// Patterns that are remembered.
const ANALYSES: usize = 8;

/// The factor's pattern, and the pattern it was found for, without gaps.
#[derive(Clone, Debug, Default)]
struct Analysis {
    rownnz: Vec<i32>,
    colind: Vec<i32>,
    symbolic: Symbolic,
    factor_count: usize,
}

impl Analysis {
    /// Whether it was made for this pattern.
    fn is_of(&self, pattern: Pattern) -> bool {
        let mut known = &self.colind[..];
        self.rownnz == pattern.rownnz
            && (0..pattern.rows()).all(|row| {
                let columns = pattern.columns(row);
                let same = known.starts_with(columns);
                known = known.get(columns.len()..).unwrap_or_default();
                same
            })
    }
}

impl Hessian {
    /// Number of values kept, as the solver statistics count them: without the diagonal of dofs no row acts on.
    pub fn stored_values(&self, problem: &Problem, transposed: &TransposedJacobian, elliptic: bool) -> i32 {
        match problem.jacobian {
            Jacobian::Dense { columns, .. } => (columns * columns) as i32,
            Jacobian::Sparse { .. } => {
                let factors = if elliptic { 2 } else { 1 };
                let untouched = transposed.rownnz.iter().filter(|count| **count == 0).count();
                (factors * self.sparse.factor_count() + self.sparse.values.len() - untouched) as i32
            }
        }
    }

    /// Compute the quadratic part for the given zones and, in sparse storage, the pattern of its factor.
    pub fn make(
        &mut self,
        problem: &Problem,
        state: &[i32],
        transposed: &TransposedJacobian,
        elliptic: bool,
    ) {
        let nv = problem.qacc_smooth.len();
        self.deficient = 0;
        self.accumulator.resize(nv, 0.0);
        if let Jacobian::Sparse { pattern, .. } = problem.jacobian {
            self.sparse.size(problem.inertia_pattern, pattern, transposed);
        }
        self.compute(problem, state, transposed);
        if matches!(problem.jacobian, Jacobian::Sparse { .. }) {
            let count = self.sparse.analyze();
            self.factor.resize(count, 0.0);
            self.cone_factor.resize(if elliptic { count } else { 0 }, 0.0);
        }
    }

    /// The quadratic part: into the factor's place in dense storage, into `sparse` otherwise.
    fn compute(&mut self, problem: &Problem, state: &[i32], transposed: &TransposedJacobian) {
        self.weights.clear();
        let zones = problem.rows.stiffness.iter().zip(state);
        self.weights.extend(zones.map(|(stiffness, zone)| if *zone == QUADRATIC { *stiffness } else { 0.0 }));
        match problem.jacobian {
            Jacobian::Dense { values, columns } => {
                self.dense.assign_gram(values, &self.weights, columns);
                self.dense.add_symmetric(problem.inertia, problem.inertia_pattern);
            }
            Jacobian::Sparse { values, pattern, .. } => {
                let h = &mut self.sparse;
                sparse_structure::gram(
                    &mut h.values,
                    &mut h.rownnz,
                    &h.rowadr,
                    &mut h.colind,
                    values,
                    pattern,
                    &transposed.values,
                    transposed.pattern(),
                    Some(&transposed.rowsuper),
                    Some(&self.weights),
                    None,
                    &mut h.gram,
                );
                sparse::add_matrix(
                    &mut h.values,
                    &mut h.rownnz,
                    &h.rowadr,
                    &mut h.colind,
                    problem.inertia,
                    problem.inertia_pattern,
                );
            }
        }
    }

    /// Factorise, computing the quadratic part anew if asked, and add the cones.
    pub fn factorize(
        &mut self,
        problem: &Problem,
        state: &[i32],
        contacts: &[Contact],
        cones: &[ConeHessian],
        transposed: &TransposedJacobian,
        has_cones: bool,
        recompute: bool,
    ) {
        if recompute {
            self.compute(problem, state, transposed);
        }
        match problem.jacobian {
            Jacobian::Dense { .. } => {
                self.dense.factor(MIN_VALUE);
            }
            Jacobian::Sparse { .. } => {
                let SparseHessian { values, rownnz, rowadr, colind, analyses, present, .. } =
                    &mut self.sparse;
                let pattern = Pattern { rownnz, rowadr, colind };
                if let Some(Analysis { symbolic, .. }) = analyses.get_mut(*present) {
                    let rank = symbolic.factor(&mut self.factor, values, pattern, MIN_VALUE);
                    self.deficient += u32::from(rank < rownnz.len());
                }
            }
        }
        if has_cones {
            self.add_cones(problem, state, contacts, cones);
        }
        self.updates = state.len() as i32;
    }

    /// Follow a change of zones by rank-one updates; start afresh when one of them loses accuracy.
    pub fn update(
        &mut self,
        problem: &Problem,
        state: &[i32],
        old_state: &[i32],
        contacts: &[Contact],
        cones: &[ConeHessian],
        transposed: &TransposedJacobian,
        has_cones: bool,
    ) {
        let nv = problem.qacc_smooth.len();
        self.updates = 0;
        self.rows.resize(nv.max(self.rows.len()), 0.0);
        for row in 0..state.len() {
            let change = match (old_state[row] == QUADRATIC, state[row] == QUADRATIC) {
                (false, true) => Change::Add,
                (true, false) => Change::Subtract,
                _ => continue,
            };
            let root = problem.rows.stiffness[row].sqrt();
            let rank = match problem.jacobian {
                Jacobian::Dense { values, columns } => {
                    self.dense.update(&values[row * columns..][..columns], root, change)
                }
                Jacobian::Sparse { values, pattern, .. } => {
                    let range = pattern.range(row);
                    let scaled = &mut self.rows[..range.len()];
                    dense::scale(scaled, &values[range], root);
                    sparse_cholesky::update(
                        &mut self.factor,
                        self.sparse.symbolic(),
                        scaled,
                        pattern.columns(row),
                        change,
                        &mut self.accumulator,
                    )
                }
            };
            self.updates += 1;
            if rank < nv {
                self.factorize(problem, state, contacts, cones, transposed, has_cones, true);
                return;
            }
        }
        if has_cones {
            self.add_cones(problem, state, contacts, cones);
        }
    }

    /// Copy the factor and add every contact in the middle zone: with `C = K Kᵀ`, one update per row of `Kᵀ J`.
    fn add_cones(&mut self, problem: &Problem, state: &[i32], contacts: &[Contact], cones: &[ConeHessian]) {
        match problem.jacobian {
            Jacobian::Dense { .. } => self.dense_with_cones.copy_from(&self.dense),
            Jacobian::Sparse { .. } => self.cone_factor.copy_from_slice(&self.factor),
        }
        for ((row, contact), hessian) in problem.rows.cones(contacts).zip(cones) {
            if state[row] != CONE {
                continue;
            }
            let dimension = contacts[contact].dim as usize;
            let mut local = *hessian;
            cholesky::factor(&mut local, dimension, MIN_VALUE);
            match problem.jacobian {
                Jacobian::Dense { values, columns } => {
                    let rows = &values[row * columns..][..dimension * columns];
                    self.dense_with_cones.add_mixed_rows(rows, &local, dimension);
                }
                Jacobian::Sparse { values, pattern, .. } => {
                    self.add_sparse_cone(values, pattern, row, &local, dimension);
                }
            }
            self.updates += dimension as i32;
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
            sparse_cholesky::update(
                &mut self.cone_factor,
                self.sparse.symbolic(),
                product,
                pattern.columns(row + r),
                Change::Add,
                &mut self.accumulator,
            );
        }
    }

    /// `x ← H⁻¹ x`
    pub fn solve(&self, problem: &Problem, x: &mut [f64], has_cones: bool) {
        match problem.jacobian {
            Jacobian::Dense { .. } => {
                let factor = if has_cones { &self.dense_with_cones } else { &self.dense };
                factor.solve(x);
            }
            Jacobian::Sparse { .. } => {
                let factor = if has_cones { &self.cone_factor } else { &self.factor };
                sparse_cholesky::solve(x, factor, self.sparse.symbolic());
            }
        }
    }
}

impl SparseHessian {
    /// Reserve each row for the union of the patterns of `JᵀJ` and the inertia.
    fn size(&mut self, inertia: Pattern, jacobian: Pattern, transposed: &TransposedJacobian) {
        let nv = inertia.rows();
        self.rownnz.resize(nv, 0);
        self.rowadr.resize(nv, 0);
        let total = sparse_structure::gram_count(
            &mut self.rownnz,
            &mut self.rowadr,
            jacobian,
            transposed.pattern(),
            Some(&transposed.rowsuper),
            false,
            &mut self.gram,
        );
        let mut shift = 0;
        for row in 1..nv {
            shift += inertia.rownnz[row - 1];
            self.rowadr[row] += shift;
        }
        let total = total + inertia.end();
        self.values.resize(total, 0.0);
        self.colind.resize(total, 0);
    }

    /// The present pattern of the factor.
    fn symbolic(&self) -> Pattern<'_> {
        self.analyses.get(self.present).map_or_else(Pattern::default, |analysis| analysis.symbolic.pattern())
    }

    /// Number of values of the present factor.
    fn factor_count(&self) -> usize {
        self.analyses.get(self.present).map_or(0, |analysis| analysis.factor_count)
    }

    /// Find the pattern of the factor; returns its number of values.
    fn analyze(&mut self) -> usize {
        let pattern = Pattern { rownnz: &self.rownnz, rowadr: &self.rowadr, colind: &self.colind };
        // Islands come in the same order in every step.
        let known = self.analyses.len();
        let mut places = (0..known).map(|k| (self.present + k + 1) % known);
        if let Some(place) = places.find(|place| self.analyses[*place].is_of(pattern)) {
            self.present = place;
            return self.factor_count();
        }
        if known < ANALYSES {
            self.analyses.push(Analysis::default());
            self.present = known;
        } else {
            self.present = self.oldest;
            self.oldest = (self.oldest + 1) % ANALYSES;
        }
        let analysis = &mut self.analyses[self.present];
        analysis.rownnz.clone_from(&self.rownnz);
        analysis.colind.clear();
        for row in 0..pattern.rows() {
            analysis.colind.extend_from_slice(pattern.columns(row));
        }
        let nv = self.rownnz.len();
        self.upper_rownnz.resize(nv, 0);
        self.upper_rowadr.resize(nv, 0);
        self.upper_colind.resize(self.values.len(), 0);
        sparse_structure::transpose_pattern(
            &mut self.upper_rownnz,
            &mut self.upper_rowadr,
            &mut self.upper_colind,
            pattern,
        );
        analysis.factor_count = analysis.symbolic.analyze(Pattern {
            rownnz: &self.upper_rownnz,
            rowadr: &self.upper_rowadr,
            colind: &self.upper_colind,
        });
        analysis.factor_count
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lower triangle of six dofs, of which `seed` says who meets whom.
    fn assign(hessian: &mut SparseHessian, seed: u32) {
        for list in [&mut hessian.rownnz, &mut hessian.rowadr, &mut hessian.colind] {
            list.clear();
        }
        for row in 0..6i32 {
            let start = hessian.colind.len();
            hessian.colind.extend((0..row).filter(|column| (seed >> ((5 * row + column) % 31)) & 1 == 1));
            hessian.colind.push(row);
            hessian.rowadr.push(start as i32);
            hessian.rownnz.push((hessian.colind.len() - start) as i32);
        }
        hessian.values.resize(hessian.colind.len(), 0.0);
    }

    #[test]
    fn remembered_patterns_are_those_that_would_be_found() {
        let mut memory = SparseHessian::default();
        let seeds: Vec<u32> = (1..=12).map(|k: u32| k.wrapping_mul(0x9e37_79b9)).collect();
        // A few that fit, then more than fit.
        for seeds in [&seeds[..5], &seeds[..], &seeds[3..]] {
            for seed in seeds.iter().chain(seeds) {
                let mut fresh = SparseHessian::default();
                assign(&mut memory, *seed);
                assign(&mut fresh, *seed);
                assert_eq!(memory.analyze(), fresh.analyze());
                let (found, expected) = (memory.symbolic(), fresh.symbolic());
                assert_eq!(found.rownnz, expected.rownnz);
                assert_eq!(found.colind, expected.colind);
                assert!(memory.analyses.len() <= ANALYSES);
            }
        }
    }
}
