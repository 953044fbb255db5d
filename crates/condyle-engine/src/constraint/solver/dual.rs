//! What the force-based solvers share: the dual matrix as an operator, residuals, the zones of forces, and the way back to
//! accelerations.

use condyle_math::sparse::{self, Pattern};
use condyle_math::{MIN_VALUE, dense, matrix, qcqp, scalar, tree_ldl};
use condyle_model::{ConstraintState, Model};

use crate::constraint::update::ELLIPTIC;
use crate::data::{Acceleration, Contact, Dual, Rows, Solution};
use crate::jacobian::is_sparse;

use super::{Given, map_to_dofs};

/// Work space of the force-based solvers.
#[derive(Clone, Debug, Default)]
pub(super) struct DualScratch {
    pub(super) inverse_diagonal: Vec<f64>,
    pub(super) diagonal: Vec<f64>,
    pub(super) lower: Vec<f64>,
    pub(super) upper: Vec<f64>,
}

/// `A + R`
#[derive(Clone, Copy)]
pub(super) enum DualMatrix<'a> {
    Dense { values: &'a [f64], size: usize },
    Sparse { values: &'a [f64], pattern: Pattern<'a> },
}

/// The dual matrix of all `size` rows.
pub(super) fn of<'a>(model: &Model, dual: &'a Dual, size: usize) -> DualMatrix<'a> {
    if is_sparse(model) {
        DualMatrix::Sparse {
            values: &dual.efc_AR,
            pattern: Pattern {
                rownnz: &dual.efc_AR_rownnz,
                rowadr: &dual.efc_AR_rowadr,
                colind: &dual.efc_AR_colind,
            },
        }
    } else {
        DualMatrix::Dense { values: &dual.efc_AR, size }
    }
}

/// Whether the regulariser is left in the matrix, or taken out again as the no-slip pass does.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Regularisation {
    Keep,
    Remove,
}

impl DualMatrix<'_> {
    /// `result = (A + R) v`
    pub(super) fn mul_vec(&self, result: &mut [f64], v: &[f64]) {
        match *self {
            DualMatrix::Dense { values, size } => matrix::mul_vec(result, values, &v[..size]),
            DualMatrix::Sparse { values, pattern } => sparse::mul_vec(result, values, v, pattern),
        }
    }

    /// One row of `(A + R) v`.
    pub(super) fn row_dot(&self, row: usize, v: &[f64]) -> f64 {
        match *self {
            DualMatrix::Dense { values, size } => dense::long_dot(&values[row * size..][..size], v),
            DualMatrix::Sparse { values, pattern } => {
                sparse::dot(&values[pattern.range(row)], pattern.columns(row), v)
            }
        }
    }

    /// Address of element `(row, column)`; the element is known to exist.
    fn address(&self, row: usize, column: usize) -> usize {
        match *self {
            DualMatrix::Dense { size, .. } => row * size + column,
            DualMatrix::Sparse { pattern, .. } => {
                let found = pattern.columns(row).iter().position(|c| *c as usize == column);
                pattern.range(row).start + found.unwrap_or(0)
            }
        }
    }

    fn values(&self) -> &[f64] {
        match *self {
            DualMatrix::Dense { values, .. } | DualMatrix::Sparse { values, .. } => values,
        }
    }

    /// `1 / (A + R)ᵢᵢ`, or `1 / Aᵢᵢ` guarded against zero.
    pub(super) fn inverse_diagonal(&self, result: &mut Vec<f64>, regulariser: &[f64], mode: Regularisation) {
        result.clear();
        result.extend(regulariser.iter().enumerate().map(|(row, r)| {
            let diagonal = self.values()[self.address(row, row)];
            let diagonal = match mode {
                Regularisation::Keep => diagonal,
                Regularisation::Remove => scalar::max(MIN_VALUE, diagonal - r),
            };
            1.0 / diagonal
        }));
    }

    /// Diagonal block of `n` rows from `start` on, whose columns are stored side by side. Without the regulariser, the diagonal is
    /// kept above 1e-10.
    pub(super) fn block(
        &self,
        block: &mut [f64],
        start: usize,
        n: usize,
        regulariser: &[f64],
        mode: Regularisation,
    ) {
        let offset = match *self {
            DualMatrix::Dense { .. } => start,
            DualMatrix::Sparse { pattern, .. } => self.address(start, start) - pattern.range(start).start,
        };
        for j in 0..n {
            let row_start = match *self {
                DualMatrix::Dense { size, .. } => (start + j) * size,
                DualMatrix::Sparse { pattern, .. } => pattern.range(start + j).start,
            };
            block[j * n..][..n].copy_from_slice(&self.values()[row_start + offset..][..n]);
        }
        if mode == Regularisation::Remove {
            for j in 0..n {
                let diagonal = block[j * (n + 1)] - regulariser[start + j];
                block[j * (n + 1)] = scalar::max(1e-10, diagonal);
            }
        }
    }
}

/// `b + (A + R) f` for the rows of one block, or `b + A f`.
pub(super) fn residual(
    result: &mut [f64],
    matrix: DualMatrix,
    given: Given,
    force: &[f64],
    start: usize,
    mode: Regularisation,
) {
    for (j, out) in result.iter_mut().enumerate() {
        *out = given.motion.efc_b[start + j] + matrix.row_dot(start + j, force);
    }
    if mode == Regularisation::Remove {
        for (j, out) in result.iter_mut().enumerate() {
            *out -= given.rows.efc_R[start + j] * force[start + j];
        }
    }
}

/// [`cost_change`] for a single force.
#[inline]
pub(super) fn scalar_cost_change(diagonal: f64, force: &mut f64, old: f64, residual: f64) -> f64 {
    let delta = *force - old;
    let change = 0.5 * delta * delta * diagonal + delta * residual;
    if change > 1e-10 {
        *force = old;
        return 0.0;
    }
    change
}

/// Change of the dual cost when a block of forces moves; a move that raises the cost is undone.
pub(super) fn cost_change(block: &[f64], force: &mut [f64], old: &[f64], residual: &[f64]) -> f64 {
    let n = force.len();
    if let [force] = force {
        return scalar_cost_change(block[0], force, old[0], residual[0]);
    }
    let mut delta = [0.0; 6];
    let delta = &mut delta[..n];
    dense::sub(delta, force, old);
    let change = 0.5 * matrix::bilinear(delta, block, delta) + dense::dot(delta, residual);
    if change > 1e-10 {
        force.copy_from_slice(&old[..n]);
        return 0.0;
    }
    change
}

/// Friction forces that minimise `½ fᵀ A f + bᵀ f` inside the ellipsoid `Σ (fᵢ/μᵢ)² ≤ normal²`.
pub(super) fn solve_friction(force: &mut [f64], block: &[f64], b: &[f64], mu: &[f64], normal: f64) {
    let n = force.len();
    let mut v = [0.0; 5];
    let active = match n {
        2 => {
            let a = [block[0], block[1], block[2], block[3]];
            let solution = qcqp::solve2(&a, &[b[0], b[1]], &[mu[0], mu[1]], normal);
            v[..2].copy_from_slice(&solution.x);
            solution.constrained
        }
        3 => {
            let mut a = [0.0; 9];
            a.copy_from_slice(&block[..9]);
            let solution = qcqp::solve3(&a, &[b[0], b[1], b[2]], &[mu[0], mu[1], mu[2]], normal);
            v[..3].copy_from_slice(&solution.x);
            solution.constrained
        }
        _ => qcqp::solve_n(&mut v[..n], block, b, mu, normal).unwrap_or(false),
    };
    // The solution is approximate: put it on the ellipsoid.
    if active {
        let mut s = 0.0;
        for j in 0..n {
            s += v[j] * v[j] / (mu[j] * mu[j]);
        }
        s = (normal * normal / scalar::max(MIN_VALUE, s)).sqrt();
        for value in &mut v[..n] {
            *value *= s;
        }
    }
    force.copy_from_slice(&v[..n]);
}

/// Rows that act, and rows whose zone is another than before.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Zones {
    pub active: i32,
    pub changed: i32,
}

/// Set the zones that belong to the forces.
pub(super) fn set_state(table: &Rows, contacts: &[Contact], out: &mut Solution) -> Zones {
    let (ne, nf) = (table.ne, table.nf);
    let count = table.nefc;
    let (state, force) = (&mut out.efc_state[..count], &out.efc_force[..count]);
    let (kinds, losses) = (&table.efc_type[..count], &table.efc_frictionloss[..count]);
    let mut zones = Zones { active: (ne + nf) as i32, changed: 0 };
    let mut set = |slot: &mut i32, zone: ConstraintState| {
        zones.changed += i32::from(*slot != zone as i32);
        *slot = zone as i32;
    };
    for slot in &mut state[..ne] {
        set(slot, ConstraintState::Quadratic);
    }
    for row in ne..ne + nf {
        let loss = losses[row];
        let zone = if force[row] <= -loss {
            ConstraintState::Linearpos
        } else if force[row] >= loss {
            ConstraintState::Linearneg
        } else {
            ConstraintState::Quadratic
        };
        set(&mut state[row], zone);
    }
    let mut acting = 0;
    let mut row = ne + nf;
    while row < count {
        if kinds[row] == ELLIPTIC {
            let contact = &contacts[table.efc_id[row] as usize];
            let end = row + contact.dimension();
            let zone = cone_state(contact, &force[row..end]);
            if zone != ConstraintState::Satisfied {
                acting += contact.dim;
            }
            for slot in &mut state[row..end] {
                set(slot, zone);
            }
            row = end;
        } else {
            let satisfied = force[row] <= 0.0;
            acting += i32::from(!satisfied);
            set(
                &mut state[row],
                if satisfied { ConstraintState::Satisfied } else { ConstraintState::Quadratic },
            );
            row += 1;
        }
    }
    zones.active += acting;
    zones
}

fn cone_state(contact: &Contact, force: &[f64]) -> ConstraintState {
    let (mu, n) = (contact.mu, force.len());
    let mut scaled = [0.0; 6];
    scaled[0] = force[0] / mu;
    for j in 1..n {
        scaled[j] = force[j] / contact.friction[j - 1];
    }
    let normal = scaled[0];
    let tangent = dense::norm(&scaled[1..n]);
    if mu * normal >= tangent {
        ConstraintState::Satisfied
    } else if normal + mu * tangent <= 0.0 {
        ConstraintState::Quadratic
    } else {
        ConstraintState::Cone
    }
}

/// `qfrc_constraint` and `qacc` from the forces.
pub(super) fn finish(given: Given, solution: &mut Solution, acceleration: &mut Acceleration) {
    let Given { model, inertia, rows, smooth, .. } = given;
    map_to_dofs(model, rows, solution);
    acceleration.qacc.copy_from_slice(&solution.qfrc_constraint);
    let pattern = Pattern { rownnz: &model.M_rownnz, rowadr: &model.M_rowadr, colind: &model.M_colind };
    tree_ldl::solve(&mut acceleration.qacc, &inertia.qLD, &inertia.qLDiagInv, pattern, None);
    dense::add_to(&mut acceleration.qacc, &smooth.qacc_smooth);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_that_raises_the_cost_is_undone() {
        let mut force = [2.0];
        assert_eq!(cost_change(&[1.0], &mut force, &[1.0], &[3.0]), 0.0);
        assert_eq!(force, [1.0]);
        let mut force = [2.0];
        assert_eq!(cost_change(&[1.0], &mut force, &[1.0], &[-3.0]), -2.5);
        assert_eq!(force, [2.0]);
    }

    #[test]
    fn friction_stays_inside_the_ellipsoid() {
        let mut force = [0.0; 2];
        solve_friction(&mut force, &[1.0, 0.0, 0.0, 1.0], &[-10.0, 0.0], &[0.5, 1.0], 2.0);
        assert!((force[0] - 1.0).abs() < 1e-10 && force[1].abs() < 1e-12);
        solve_friction(&mut force, &[1.0, 0.0, 0.0, 1.0], &[-0.25, 0.5], &[0.5, 1.0], 2.0);
        assert_eq!(force, [0.25, -0.5]);
    }

    #[test]
    fn zones_of_a_cone_end_at_its_surface_and_that_of_its_dual() {
        // Forces in units of the friction: 3 and 4 have length 5.
        let contact = Contact { mu: 0.5, friction: [0.5, 2.0, 1.0, 1.0, 1.0], dim: 3, ..Contact::default() };
        let zone = |normal: f64| cone_state(&contact, &[normal, 1.5, 8.0]);
        assert_eq!(zone(5.0), ConstraintState::Satisfied);
        assert_eq!(zone(5.0 - 1e-9), ConstraintState::Cone);
        assert_eq!(zone(-1.25), ConstraintState::Quadratic);
        assert_eq!(zone(-1.25 + 1e-9), ConstraintState::Cone);
    }
}
