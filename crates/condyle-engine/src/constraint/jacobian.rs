//! The constraint Jacobian as an operator, whatever its storage.

use condyle_math::{matrix, sparse};
use condyle_model::Model;

use crate::data::Rows;

use crate::jacobian::is_sparse;

/// Rows of a constraint Jacobian.
#[derive(Clone, Copy)]
pub enum Jacobian<'a> {
    /// Row-major, `columns` values per row.
    Dense {
        /// All values.
        values: &'a [f64],
        /// Number of columns, nv.
        columns: usize,
    },
    /// Compressed rows.
    Sparse {
        /// Nonzero values, row after row.
        values: &'a [f64],
        /// Where they belong.
        pattern: sparse::Pattern<'a>,
        /// Number of rows directly below each row with the same columns.
        supernodes: &'a [i32],
    },
}

impl Jacobian<'_> {
    /// `result = J v`
    pub fn mul_vec(&self, result: &mut [f64], v: &[f64]) {
        match *self {
            Jacobian::Dense { values, columns } => matrix::mul_vec(result, values, &v[..columns]),
            Jacobian::Sparse { values, pattern, .. } => sparse::mul_vec(result, values, v, pattern),
        }
    }

    /// `result = Jᵀ v`
    pub fn mul_transposed_vec(&self, result: &mut [f64], v: &[f64]) {
        match *self {
            Jacobian::Dense { values, columns } => {
                matrix::mul_transposed_vec(&mut result[..columns], values, v);
            }
            Jacobian::Sparse { values, pattern, .. } => {
                sparse::mul_transposed_vec(result, values, v, pattern);
            }
        }
    }
}

/// The Jacobian of all rows.
pub fn of<'a>(model: &Model, rows: &'a Rows) -> Jacobian<'a> {
    if is_sparse(model) {
        Jacobian::Sparse {
            values: &rows.efc_J,
            pattern: sparse::Pattern {
                rownnz: &rows.efc_J_rownnz,
                rowadr: &rows.efc_J_rowadr,
                colind: &rows.efc_J_colind,
            },
            supernodes: &rows.efc_J_rowsuper,
        }
    } else {
        Jacobian::Dense { values: &rows.efc_J, columns: model.nv }
    }
}
