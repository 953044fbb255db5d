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

/// `out += Jᵀ B J` for `n` rows of equal sparsity `columns`, stored one after the other.
pub fn add_chain(
    model: &Model,
    out: &mut [f64],
    jacobian: &[f64],
    columns: &[i32],
    matrix: &[f64],
    n: usize,
) {
    let width = columns.len();
    for i in 0..n {
        for j in 0..n {
            let b = matrix[i * n + j];
            if b != 0.0 {
                let (left, right) = (&jacobian[i * width..][..width], &jacobian[j * width..][..width]);
                add_outer(model, out, left, right, columns, b);
            }
        }
    }
}

/// `out += b leftᵀ right` for two sparse rows with the same columns.
pub fn add_outer(model: &Model, out: &mut [f64], left: &[f64], right: &[f64], columns: &[i32], b: f64) {
    let pattern = derivative_pattern(model);
    for (value, dof) in left.iter().zip(columns) {
        let range = pattern.range(*dof as usize);
        let targets = &pattern.colind[range.clone()];
        sparse::add_scaled_common(&mut out[range], targets, right, columns, value * b);
    }
}
