//! Symmetric band matrices with a dense border, and their Cholesky factorisation.
//!
//! The first `total - dense` rows keep only the `band` elements up to and including the diagonal; the last `dense` rows are
//! kept in full. Storage is `(total - dense) · band + dense · total` values, of which the ones that would fall left of column
//! zero or right of the diagonal are never read. Factorisation is `A = L Lᵀ` in place. Reference: `mju_cholFactorBand`.

use crate::{MIN_VALUE, dense};

/// Shape of a band matrix with a dense border.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Band {
    /// Rows and columns.
    pub total: usize,
    /// Elements kept per band row, diagonal included.
    pub band: usize,
    /// Rows at the end kept in full.
    pub dense: usize,
}

impl Band {
    /// Number of band rows.
    #[inline]
    pub fn sparse(self) -> usize {
        self.total - self.dense
    }

    /// Number of values stored.
    pub fn storage(self) -> usize {
        self.sparse() * self.band + self.dense * self.total
    }

    /// Address of the diagonal element of row `i`.
    #[inline]
    pub fn diagonal(self, i: usize) -> usize {
        if i < self.sparse() { i * self.band + self.band - 1 } else { self.dense_row(i) + i }
    }

    /// Address of the first element of the dense row `i`.
    #[inline]
    fn dense_row(self, i: usize) -> usize {
        self.sparse() * self.band + (i - self.sparse()) * self.total
    }

    /// Number of stored elements left of the diagonal in row `i`.
    #[inline]
    fn width(self, i: usize) -> usize {
        if i < self.sparse() { i.min(self.band - 1) } else { i }
    }

    /// Number of band rows below row `j` that reach column `j`.
    #[inline]
    fn height(self, j: usize) -> usize {
        (self.sparse() - 1 - j).min(self.band - 1)
    }

    /// Expand to a full matrix: lower triangle, and its mirror image if `symmetric`.
    pub fn to_dense(self, result: &mut [f64], m: &[f64], symmetric: bool) {
        let n = self.total;
        result[..n * n].fill(0.0);
        for i in 0..n {
            let width = self.width(i);
            let row = &m[self.diagonal(i) - width..=self.diagonal(i)];
            result[i * n + i - width..=i * n + i].copy_from_slice(row);
        }
        if symmetric {
            crate::matrix::mirror_lower(result, n);
        }
    }

    /// Take the stored elements out of a full matrix; unused storage is left as it is.
    pub fn from_dense(self, result: &mut [f64], m: &[f64]) {
        let n = self.total;
        for i in 0..n {
            let width = self.width(i);
            let row = &m[i * n + i - width..=i * n + i];
            result[self.diagonal(i) - width..=self.diagonal(i)].copy_from_slice(row);
        }
    }

    /// `result = m v` for one or several vectors stored one after the other; with the lower triangle alone unless `symmetric`.
    pub fn mul_vec(self, result: &mut [f64], m: &[f64], vectors: &[f64], count: usize, symmetric: bool) {
        let n = self.total;
        for k in 0..count {
            let v = &vectors[k * n..][..n];
            let out = &mut result[k * n..][..n];
            for i in 0..n {
                let width = self.width(i);
                let row = &m[self.diagonal(i) - width..=self.diagonal(i)];
                out[i] = dense::dot(row, &v[i - width..=i]);
                if symmetric {
                    dense::add_scaled_to(&mut out[i - width..i], row, v[i]);
                }
            }
        }
    }

    /// Factorise `m + diag(add + multiply · diag(m))` in place. Returns the smallest pivot, or 0 when one falls below
    /// [`MIN_VALUE`], in which case `m` is left half factorised.
    pub fn factor(self, m: &mut [f64], add: f64, multiply: f64) -> f64 {
        let mut smallest = -1.0;
        for j in 0..self.total {
            let pivot_address = self.diagonal(j);
            let width = self.width(j);
            let left = &m[pivot_address - width..pivot_address];
            let pivot = add + multiply * m[pivot_address] + m[pivot_address] - dense::dot(left, left);
            if pivot < smallest || smallest < 0.0 {
                smallest = pivot;
            }
            if pivot < MIN_VALUE {
                return 0.0;
            }
            let root = pivot.sqrt();
            self.eliminate_column(m, j, 1.0 / root);
            m[pivot_address] = root;
        }
        smallest
    }

    /// Finish column `j` of the factor below its diagonal.
    fn eliminate_column(self, m: &mut [f64], j: usize, scale: f64) {
        let pivot = self.diagonal(j);
        let mut first_dense = j + 1;
        if j < self.sparse() {
            for i in j + 1..=j + self.height(j) {
                let address = self.diagonal(i) - i + j;
                let width = j.min(self.band - 1 + j - i);
                eliminate(m, address, pivot, width, scale);
            }
            first_dense = self.sparse();
        }
        for i in first_dense..self.total {
            eliminate(m, self.dense_row(i) + j, pivot, self.width(j), scale);
        }
    }

    /// Solve `L Lᵀ x = result` in place, given the factor from [`Band::factor`].
    pub fn solve(self, result: &mut [f64], factor: &[f64]) {
        for i in 0..self.total {
            let (address, width) = (self.diagonal(i), self.width(i));
            if width > 0 {
                result[i] -= dense::dot(&factor[address - width..address], &result[i - width..i]);
            }
            result[i] /= factor[address];
        }
        for i in (0..self.total).rev() {
            if i < self.sparse() {
                for j in i + 1..=i + self.height(i) {
                    result[i] -= factor[self.diagonal(j) - (j - i)] * result[j];
                }
            }
            for j in self.sparse().max(i + 1)..self.total {
                result[i] -= factor[self.dense_row(j) + i] * result[j];
            }
            result[i] /= factor[self.diagonal(i)];
        }
    }
}

/// Turn the element at `address` into one of the factor, `width` columns right of where both rows start.
#[inline]
fn eliminate(m: &mut [f64], address: usize, pivot: usize, width: usize, scale: f64) {
    let left = dense::dot(&m[pivot - width..pivot], &m[address - width..address]);
    m[address] = scale * (m[address] - left);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A diagonally dominant symmetric matrix with the pattern of `shape`.
    fn sample(shape: Band) -> Vec<f64> {
        let n = shape.total;
        let mut full = vec![0.0; n * n];
        for i in 0..n {
            for j in i - shape.width(i)..=i {
                let x = if i == j { 10.0 + i as f64 } else { 1.0 / (1.0 + (i + 2 * j) as f64) };
                full[i * n + j] = x;
                full[j * n + i] = x;
            }
        }
        full
    }

    #[test]
    fn solution_of_the_factorised_system_reproduces_the_right_hand_side() {
        for shape in [
            Band { total: 7, band: 3, dense: 2 },
            Band { total: 6, band: 1, dense: 0 },
            Band { total: 5, band: 4, dense: 5 },
            Band { total: 8, band: 5, dense: 1 },
        ] {
            let n = shape.total;
            let full = sample(shape);
            let mut m = vec![f64::NAN; shape.storage()];
            shape.from_dense(&mut m, &full);
            let mut back = vec![0.0; n * n];
            shape.to_dense(&mut back, &m, true);
            assert_eq!(back, full);

            let original = m.clone();
            assert!(shape.factor(&mut m, 0.0, 0.0) > 0.0);
            let right: Vec<f64> = (0..n).map(|i| i as f64 - 2.5).collect();
            let mut x = right.clone();
            shape.solve(&mut x, &m);
            let mut product = vec![0.0; n];
            shape.mul_vec(&mut product, &original, &x, 1, true);
            for i in 0..n {
                assert!((product[i] - right[i]).abs() < 1e-13, "{shape:?}");
            }
        }
    }

    #[test]
    fn rank_deficiency_is_reported_as_zero() {
        let shape = Band { total: 2, band: 2, dense: 0 };
        let mut m = [f64::NAN, 1.0, 1.0, 1.0];
        assert_eq!(shape.factor(&mut m, 0.0, 0.0), 0.0);
        let mut m = [f64::NAN, 1.0, 1.0, 1.0];
        assert!(shape.factor(&mut m, 1.0, 0.5) > 0.0);
    }
}
