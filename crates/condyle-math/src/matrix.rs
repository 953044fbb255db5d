//! Dense matrices of runtime size in row-major order: products, transposes, Gram matrices.
//!
//! Products with a matrix on the left that may hold zeros skip those zeros, which decides the sign of zero results and keeps
//! infinities of the skipped rows out. Reference: `mju_mulMatVec`, `mju_mulMatMat`, `mju_sqrMatTD` and their neighbours.

use crate::dense;
use crate::simd::{Lanes, wide};

wide! {
    /// `result = m v`; rows of `m` are as long as `v`, one per element of `result`.
    pub fn mul_vec(result: &mut [f64], m: &[f64], v: &[f64]) {
        K::mul_vec(result, m, v);
    }
}

/// Rows that are added to a vector in one pass, each times a number.
struct Pending<'a> {
    rows: [&'a [f64]; 4],
    scale: [f64; 4],
    count: usize,
}

impl<'a> Pending<'a> {
    const NONE: Self = Self { rows: [&[]; 4], scale: [0.0; 4], count: 0 };

    /// Take one more; returns whether there is no room for another.
    #[inline(always)]
    fn push(&mut self, row: &'a [f64], scale: f64) -> bool {
        (self.rows[self.count], self.scale[self.count]) = (row, scale);
        self.count += 1;
        self.count == self.rows.len()
    }

    /// `result += Σ rowᵢ sᵢ`, one after the other.
    #[inline(always)]
    fn add_to<K: Lanes>(&mut self, result: &mut [f64]) {
        let (rows, s) = (self.rows, self.scale);
        match self.count {
            0 => {}
            1 => K::add_scaled_to(result, rows[0], s[0]),
            2 => K::add_all_scaled_to(result, [rows[0], rows[1]], [s[0], s[1]]),
            3 => K::add_all_scaled_to(result, [rows[0], rows[1], rows[2]], [s[0], s[1], s[2]]),
            _ => K::add_all_scaled_to(result, rows, s),
        }
        self.count = 0;
    }
}

wide! {
    /// `result = mᵀ v`; rows of `m` are as long as `result`, one per element of `v`. Zeros in `v` skip their row.
    pub fn mul_transposed_vec(result: &mut [f64], m: &[f64], v: &[f64]) {
        result.fill(0.0);
        let mut rest = m;
        let mut pending = Pending::NONE;
        for s in v {
            let (row, below) = rest.split_at(result.len());
            if *s != 0.0 && pending.push(row, *s) {
                pending.add_to::<K>(result);
            }
            rest = below;
        }
        pending.add_to::<K>(result);
    }
}

/// `aᵀ m b` for a square matrix.
pub fn bilinear(a: &[f64], m: &[f64], b: &[f64]) -> f64 {
    let n = a.len();
    let mut total = 0.0;
    for (row, x) in a.iter().enumerate() {
        total += x * dense::dot(&m[row * n..][..n], b);
    }
    total
}

/// `vᵀ m v` for a symmetric matrix of which only the lower triangle is read.
pub fn quadratic_form_lower(v: &[f64], m: &[f64]) -> f64 {
    let n = v.len();
    let mut total = 0.0;
    for i in 0..n {
        total += v[i] * m[n * i + i] * v[i];
        total += 2.0 * v[i] * dense::dot(&m[n * i..][..i], v);
    }
    total
}

/// `result = mᵀ` for `rows` by `columns`.
pub fn transpose(result: &mut [f64], m: &[f64], rows: usize, columns: usize) {
    for row in 0..rows {
        for column in 0..columns {
            result[column * rows + row] = m[row * columns + column];
        }
    }
}

/// `result = (m + mᵀ) / 2` for a square matrix of size `n`.
pub fn symmetrize(result: &mut [f64], m: &[f64], n: usize) {
    for i in 0..n {
        result[i * (n + 1)] = m[i * (n + 1)];
        for j in 0..i {
            let mean = 0.5 * (m[i * n + j] + m[j * n + i]);
            result[i * n + j] = mean;
            result[j * n + i] = mean;
        }
    }
}

/// Identity of size `n`.
pub fn identity(result: &mut [f64], n: usize) {
    result[..n * n].fill(0.0);
    for i in 0..n {
        result[i * (n + 1)] = 1.0;
    }
}

/// Copy the strict lower triangle of a square matrix onto its upper triangle.
pub fn mirror_lower(m: &mut [f64], n: usize) {
    for i in 0..n {
        for j in i + 1..n {
            m[i * n + j] = m[j * n + i];
        }
    }
}

wide! {
    /// `result = a b` with `a` of `rows` by `inner` and `b` of `inner` by `columns`. Zeros in `a` are skipped.
    pub fn mul(result: &mut [f64], a: &[f64], b: &[f64], rows: usize, inner: usize, columns: usize) {
        result[..rows * columns].fill(0.0);
        for i in 0..rows {
            let out = &mut result[i * columns..][..columns];
            for k in 0..inner {
                let s = a[i * inner + k];
                if s != 0.0 {
                    K::add_scaled_to(out, &b[k * columns..][..columns], s);
                }
            }
        }
    }
}

/// Each row times a 6×6 matrix `b`, with the bits of [`mul`]: zeros in the rows are skipped.
#[inline]
pub fn mul_rows_of_six(result: &mut [[f64; 6]], rows: &[[f64; 6]], b: &[f64; 36]) {
    let (b, _) = b.as_chunks::<6>();
    for (out, row) in result.iter_mut().zip(rows) {
        let mut sum = [0.0; 6];
        for (s, below) in row.iter().zip(b) {
            if *s != 0.0 {
                for (x, y) in sum.iter_mut().zip(below) {
                    *x += y * s;
                }
            }
        }
        *out = sum;
    }
}

wide! {
    /// `result = a bᵀ` with `a` of `rows` by `inner` and `b` of `columns` by `inner`.
    pub fn mul_transposed_right(
        result: &mut [f64],
        a: &[f64],
        b: &[f64],
        rows: usize,
        inner: usize,
        columns: usize,
    ) {
        for i in 0..rows {
            for j in 0..columns {
                result[i * columns + j] = K::dot(&a[i * inner..][..inner], &b[j * inner..][..inner]);
            }
        }
    }
}

wide! {
    /// `result = aᵀ b` with `a` of `inner` by `rows` and `b` of `inner` by `columns`. Zeros in `a` are skipped.
    pub fn mul_transposed_left(
        result: &mut [f64],
        a: &[f64],
        b: &[f64],
        inner: usize,
        rows: usize,
        columns: usize,
    ) {
        result[..rows * columns].fill(0.0);
        for k in 0..inner {
            for i in 0..rows {
                let s = a[k * rows + i];
                if s != 0.0 {
                    K::add_scaled_to(&mut result[i * columns..][..columns], &b[k * columns..][..columns], s);
                }
            }
        }
    }
}

/// Which half of a symmetric result is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Triangle {
    /// The lower triangle and the diagonal; the rest is zero.
    Lower,
    /// Both triangles.
    Both,
}

/// Add `row rowᵀ` times its weight to the lower triangle for all rows that are pending.
#[inline(always)]
fn add_products<K: Lanes>(result: &mut [f64], pending: &mut Pending, columns: usize) {
    let Pending { rows, scale: weights, count } = *pending;
    let used = &rows[..count];
    for i in 0..if count == 0 { 0 } else { columns } {
        if used.iter().any(|row| row[i] != 0.0) {
            for (k, row) in used.iter().enumerate() {
                pending.scale[k] = row[i] * weights[k];
            }
            pending.count = count;
            pending.add_to::<K>(&mut result[i * columns..][..i + 1]);
        }
    }
    pending.count = 0;
}

/// The lower triangle of [`gram`] with the zeros of `m` left out, where that makes a difference.
#[cold]
fn gram_with_non_finite(result: &mut [f64], m: &[f64], weights: Option<&[f64]>, rows: usize, columns: usize) {
    result[..columns * columns].fill(0.0);
    for j in 0..rows {
        let row = &m[j * columns..][..columns];
        let weight = weights.map_or(1.0, |w| w[j]);
        for (i, x) in row.iter().enumerate() {
            if weight != 0.0 && *x != 0.0 {
                dense::add_scaled_to(&mut result[i * columns..][..i + 1], row, x * weight);
            }
        }
    }
}

wide! {
    /// `result = mᵀ diag(weights) m`, or `mᵀ m` without weights, for `m` of `rows` by `columns`.
    ///
    /// Rows of zero weight and zeros in `m` are skipped.
    pub fn gram(
        result: &mut [f64],
        m: &[f64],
        weights: Option<&[f64]>,
        rows: usize,
        columns: usize,
        triangle: Triangle,
    ) {
        result[..columns * columns].fill(0.0);
        let mut pending = Pending::NONE;
        for j in 0..rows {
            let weight = weights.map_or(1.0, |w| w[j]);
            if weight != 0.0 && pending.push(&m[j * columns..][..columns], weight) {
                add_products::<K>(result, &mut pending, columns);
            }
        }
        add_products::<K>(result, &mut pending, columns);
        // Zero times NaN or infinity is not zero. Such a number reaches the diagonal, and stays there.
        if (0..columns).any(|i| !result[i * (columns + 1)].is_finite()) {
            gram_with_non_finite(result, m, weights, rows, columns);
        }
        if triangle == Triangle::Both {
            mirror_lower(result, columns);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: [f64; 6] = [1.0, 2.0, 0.0, -1.0, 3.0, 4.0];
    const B: [f64; 6] = [0.5, 1.0, 2.0, -2.0, 1.5, 0.25];

    #[test]
    fn products_agree_through_explicit_transposes() {
        let (mut product, mut other, mut turned) = ([0.0; 4], [0.0; 4], [0.0; 6]);
        mul(&mut product, &A, &B, 2, 3, 2);
        assert_eq!(product, [4.5, -3.0, 11.5, -6.0]);
        transpose(&mut turned, &B, 3, 2);
        mul_transposed_right(&mut other, &A, &turned, 2, 3, 2);
        assert_eq!(other, product);
        transpose(&mut turned, &A, 2, 3);
        mul_transposed_left(&mut other, &turned, &B, 3, 2, 2);
        assert_eq!(other, product);
    }

    #[test]
    fn rows_of_six_have_the_bits_of_the_product() {
        let number = |i: usize| if i % 4 == 1 { 0.0 } else { ((i * 37 % 101) as f64 - 50.0) / 7.0 };
        let a: Vec<[f64; 6]> = (0..9).map(|row| std::array::from_fn(|k| number(6 * row + k))).collect();
        let mut b: [f64; 36] = std::array::from_fn(|i| number(i + 60));
        for shielded in [1.5, f64::INFINITY, f64::NAN] {
            b[7] = shielded;
            let (mut product, mut expected) = (vec![[7.0; 6]; 9], vec![0.0; 54]);
            mul_rows_of_six(&mut product, &a, &b);
            mul(&mut expected, a.as_flattened(), &b, 9, 6, 6);
            let bits = |x: &[f64]| x.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
            assert_eq!(bits(product.as_flattened()), bits(&expected));
        }
    }

    #[test]
    fn zeros_of_the_left_factor_shield_from_infinities() {
        let mut out = [0.0; 2];
        mul_transposed_vec(&mut out, &[f64::INFINITY, 1.0, 2.0, 3.0], &[0.0, 1.0]);
        assert_eq!(out, [2.0, 3.0]);
        mul_vec(&mut out, &[1.0, 2.0, 3.0, 4.0], &[1.0, -1.0]);
        assert_eq!(out, [-1.0, -1.0]);
    }

    #[test]
    fn gram_matrix_matches_the_plain_product() {
        let weights = [2.0, -0.5];
        let (mut out, mut scaled, mut expected) = ([0.0; 9], [0.0; 6], [0.0; 9]);
        gram(&mut out, &A, Some(&weights), 2, 3, Triangle::Both);
        for i in 0..6 {
            scaled[i] = A[i] * weights[i / 3];
        }
        mul_transposed_left(&mut expected, &A, &scaled, 2, 3, 3);
        assert_eq!(out, expected);
        gram(&mut out, &A, None, 2, 3, Triangle::Lower);
        assert_eq!(out, [2.0, 0.0, 0.0, -1.0, 13.0, 0.0, -4.0, 12.0, 16.0]);
    }

    #[test]
    fn zeros_shield_a_gram_matrix_from_infinities() {
        let m = [f64::INFINITY, 0.0, 0.0, 2.0, 3.0, 0.5];
        let mut out = [0.0; 4];
        gram(&mut out, &m, None, 3, 2, Triangle::Both);
        assert!(out[0] == f64::INFINITY && out[1] == 1.5 && out[2] == 1.5 && out[3] == 4.25);
    }

    #[test]
    fn quadratic_forms_agree_on_symmetric_matrices() {
        let mut m = [0.0; 4];
        symmetrize(&mut m, &[1.0, 2.0, 4.0, 5.0], 2);
        assert_eq!(m, [1.0, 3.0, 3.0, 5.0]);
        let v = [2.0, -1.0];
        assert_eq!(bilinear(&v, &m, &v), -3.0);
        m[1] = f64::NAN;
        assert_eq!(quadratic_form_lower(&v, &m), -3.0);
    }
}
