//! Adding `Jᵀ B J` to a sparse matrix over the dofs, keeping only the entries its pattern has.

use condyle_math::sparse::{self, Pattern};
use condyle_model::Model;

/// Sparsity of `qDeriv`: for every dof all dofs of its kinematic branch.
#[inline]
pub fn derivative_pattern(model: &Model) -> Pattern<'_> {
    Pattern { rownnz: &model.D_rownnz, rowadr: &model.D_rowadr, colind: &model.D_colind }
}

/// `out += Jᵀ B J` for a dense `J` with rows of length `nv` and an `n × n` matrix `B`.
pub fn add_dense(model: &Model, out: &mut [f64], jacobian: &[f64], matrix: &[f64], n: usize) {
    let nv = model.nv;
    let pattern = derivative_pattern(model);
    for i in 0..n {
        for j in 0..n {
            let b = matrix[i * n + j];
            if b == 0.0 {
                continue;
            }
            let row = &jacobian[j * nv..][..nv];
            for k in 0..nv {
                let left = jacobian[i * nv + k];
                if left != 0.0 {
                    let scale = left * b;
                    for address in pattern.range(k) {
                        out[address] += row[pattern.colind[address] as usize] * scale;
                    }
                }
            }
        }
    }
}

/// Rows of the largest matrix `B`: a spatial wrench by a spatial velocity.
const MAX_ROWS: usize = 6;
/// Columns that are added up together on the stack.
const BLOCK: usize = 16;

/// `out += Jᵀ B J` for `n ≤ 6` rows of equal sparsity `columns`, stored one after the other.
///
/// Every entry of `out` receives its terms in the order of `B`'s entries; where the columns lie in a row of `out` is looked up once.
pub fn add_chain(
    model: &Model,
    out: &mut [f64],
    jacobian: &[f64],
    columns: &[i32],
    matrix: &[f64],
    n: usize,
) {
    let width = columns.len();
    if n == 1 {
        if matrix[0] != 0.0 {
            let row = &jacobian[..width];
            add_outer(model, out, row, row, columns, matrix[0]);
        }
        return;
    }
    let pattern = derivative_pattern(model);
    for (k, dof) in columns.iter().enumerate() {
        let range = pattern.range(*dof as usize);
        let targets = &pattern.colind[range.clone()];
        let row = &mut out[range];
        let mut scales = [0.0; MAX_ROWS * MAX_ROWS];
        for i in 0..n {
            let left = jacobian[i * width + k];
            for j in 0..n {
                scales[i * n + j] = left * matrix[i * n + j];
            }
        }
        let mut search = 0;
        for start in (0..width).step_by(BLOCK) {
            let block = start..width.min(start + BLOCK);
            let mut places = [usize::MAX; BLOCK];
            let mut sums = [0.0; BLOCK];
            for (slot, column) in columns[block.clone()].iter().enumerate() {
                while targets.get(search).is_some_and(|target| target < column) {
                    search += 1;
                }
                if targets.get(search) == Some(column) {
                    places[slot] = search;
                    sums[slot] = row[search];
                }
            }
            for (pair, scale) in scales[..n * n].iter().enumerate() {
                if matrix[pair] != 0.0 {
                    let right = &jacobian[pair % n * width..][block.clone()];
                    for (sum, value) in sums.iter_mut().zip(right) {
                        *sum += scale * value;
                    }
                }
            }
            for (place, sum) in places.iter().zip(sums) {
                if let Some(entry) = row.get_mut(*place) {
                    *entry = sum;
                }
            }
        }
    }
}

/// `out += b leftᵀ right` for two sparse rows with the same columns.
pub fn add_outer(model: &Model, out: &mut [f64], left: &[f64], right: &[f64], columns: &[i32], b: f64) {
    let pattern = derivative_pattern(model);
    for (k, (value, dof)) in left.iter().zip(columns).enumerate() {
        let range = pattern.range(*dof as usize);
        let (row, targets) = (&mut out[range.clone()], &pattern.colind[range]);
        let scale = value * b;
        // A dof of the sparse rows stands where the diagonal stands in its own row: the rest is beside it, if all of it is there.
        let start = k.wrapping_sub(model.D_diag[*dof as usize] as usize);
        match run_of(targets, columns, start) {
            Some(run) => {
                for (entry, value) in row.iter_mut().zip(&right[run]) {
                    *entry += scale * value;
                }
            }
            None => sparse::add_scaled_common(row, targets, right, columns, scale),
        }
    }
}

/// Where all targets stand among the columns, if that is from `start` on and only smaller columns come before.
#[inline]
fn run_of(targets: &[i32], columns: &[i32], start: usize) -> Option<std::ops::Range<usize>> {
    let run = start..start.wrapping_add(targets.len());
    let (first, found, before) = (targets.first()?, columns.get(run.clone())?, &columns[..start]);
    (found.iter().eq(targets) && before.iter().all(|column| column < first)).then_some(run)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn targets_are_found_beside_their_diagonal_only_where_a_merge_would_find_them() {
        assert_eq!(run_of(&[3, 4, 5], &[0, 1, 2, 3, 4, 5], 3), Some(3..6));
        assert_eq!(run_of(&[3, 4, 5], &[3, 4, 5, 9], 0), Some(0..3));
        assert_eq!(run_of(&[3, 4, 5], &[3, 5, 9], 0), None);
        assert_eq!(run_of(&[3, 4, 5], &[9, 3, 4, 5], 1), None);
        assert_eq!(run_of(&[0, 1], &[0, 1, 0, 1], 2), None);
        assert_eq!(run_of(&[0, 1, 2], &[1, 2], 0usize.wrapping_sub(1)), None);
        assert_eq!(run_of(&[], &[1, 2], 0), None);
    }
}
