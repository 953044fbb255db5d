//! Factorisation `M = Lᵀ D L` of an inertia-like matrix over a kinematic tree, and solution with it.
//!
//! `M` is given by its lower triangle in compressed rows: row `i` holds the ancestors of dof `i` in ascending order and the
//! diagonal last, so the row of any ancestor is a prefix of it and no fill-in appears. After factorisation the rows hold `L` off
//! the diagonal and `D` on it. `index` restricts the work to a list of rows, for models partly asleep.
//! Reference: `mj_factorI`, `mj_solveLD`, `mj_solveM2`.

use crate::simd::wide;
use crate::{sparse, sparse::Pattern};

/// The `k`-th row to work on.
#[inline(always)]
fn row_at(index: Option<&[i32]>, k: usize) -> usize {
    index.map_or(k, |list| list[k] as usize)
}

#[inline(always)]
fn row_count(index: Option<&[i32]>, pattern: Pattern) -> usize {
    index.map_or(pattern.rows(), <[i32]>::len)
}

wide! {
    /// Factorise in place and store the inverse of `D`.
    pub fn factor(m: &mut [f64], inverse_diagonal: &mut [f64], pattern: Pattern, index: Option<&[i32]>) {
        for k in (0..row_count(index, pattern)).rev() {
            let k = row_at(index, k);
            let range = pattern.range(k);
            let (above, rest) = m.split_at_mut(range.start);
            let Some((diagonal, row)) = rest[..range.len()].split_last_mut() else { continue };
            let inverse = 1.0 / *diagonal;
            inverse_diagonal[k] = inverse;
            let columns = &pattern.colind[range.start..][..row.len()];
            for (address, i) in columns.iter().enumerate().rev() {
                // The row of an ancestor is the part of this row up to that ancestor.
                let part = &row[..address + 1];
                let ancestor = &mut above[pattern.rowadr[*i as usize] as usize..][..part.len()];
                K::add_scaled_to(ancestor, part, -row[address] * inverse);
            }
            K::scale_mut(row, inverse);
        }
    }
}

/// `x ← L⁻ᵀ x` for one vector; rows whose value is zero are skipped.
#[inline]
fn solve_transposed(x: &mut [f64], l: &[f64], pattern: Pattern, index: Option<&[i32]>) {
    for k in (0..row_count(index, pattern)).rev() {
        let i = row_at(index, k);
        let x_i = x[i];
        if pattern.rownnz[i] > 1 && x_i != 0.0 {
            let start = pattern.rowadr[i] as usize;
            let end = start + pattern.rownnz[i] as usize - 1;
            sparse::sub_scaled(x, &l[start..end], &pattern.colind[start..end], x_i);
        }
    }
}

/// Solve `M x = b` in place for one vector.
#[inline]
fn solve_one(x: &mut [f64], l: &[f64], inverse_diagonal: &[f64], pattern: Pattern, index: Option<&[i32]>) {
    solve_transposed(x, l, pattern, index);
    let count = row_count(index, pattern);
    for k in 0..count {
        let i = row_at(index, k);
        x[i] *= inverse_diagonal[i];
    }
    for k in 0..count {
        let i = row_at(index, k);
        if pattern.rownnz[i] > 1 {
            let start = pattern.rowadr[i] as usize;
            let end = start + pattern.rownnz[i] as usize - 1;
            x[i] -= sparse::dot(&l[start..end], &pattern.colind[start..end], x);
        }
    }
}

/// Solve `M x = b` in place for every vector of `x`, each as long as the matrix has rows and holding `b` on entry.
pub fn solve(x: &mut [f64], l: &[f64], inverse_diagonal: &[f64], pattern: Pattern, index: Option<&[i32]>) {
    if pattern.rows() > 0 {
        for vector in x.chunks_exact_mut(pattern.rows()) {
            solve_one(vector, l, inverse_diagonal, pattern, index);
        }
    }
}

/// `x ← D^(-1/2) L⁻ᵀ x` in place for every vector of `x`, so that the squared length of the result is `xᵀ M⁻¹ x`.
pub fn solve_half(x: &mut [f64], l: &[f64], inverse_root_diagonal: &[f64], pattern: Pattern) {
    if pattern.rows() > 0 {
        for vector in x.chunks_exact_mut(pattern.rows()) {
            solve_transposed(vector, l, pattern, None);
            for (value, s) in vector.iter_mut().zip(inverse_root_diagonal) {
                *value *= s;
            }
        }
    }
}

wide! {
    /// [`solve_half`] for `count` vectors at once that are the columns of `x`: row `i` of `x` holds element `i` of each of them.
    pub fn solve_half_columns(x: &mut [f64], count: usize, l: &[f64], inverse_root_diagonal: &[f64], pattern: Pattern) {
        for i in (0..pattern.rows()).rev() {
            let (above, rest) = x.split_at_mut(i * count);
            let x_i = &mut rest[..count];
            let range = pattern.range(i);
            if let Some((_, row)) = l[range.clone()].split_last() {
                for (value, j) in row.iter().zip(&pattern.colind[range]) {
                    K::sub_scaled_unless_zero(&mut above[*j as usize * count..][..count], x_i, *value);
                }
            }
            // Nothing reads this row any more: it gets its final scale.
            K::scale_mut(x_i, inverse_root_diagonal[i]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dense;

    // Dofs 0-1-2 in a chain, 3 and 4 children of 1, 5 alone.
    const ROWNNZ: [i32; 6] = [1, 2, 3, 3, 3, 1];
    const ROWADR: [i32; 6] = [0, 1, 3, 6, 9, 12];
    const COLIND: [i32; 13] = [0, 0, 1, 0, 1, 2, 0, 1, 3, 0, 1, 4, 5];
    const M: [f64; 13] = [9.0, 0.4, 8.0, 0.3, -0.2, 7.0, 0.1, 0.9, 6.0, -0.5, 0.6, 5.0, 4.0];
    const B: [f64; 6] = [1.0, 0.0, -2.0, 3.0, 0.5, -1.0];

    fn pattern() -> Pattern<'static> {
        Pattern { rownnz: &ROWNNZ, rowadr: &ROWADR, colind: &COLIND }
    }

    #[test]
    fn solution_reproduces_the_right_hand_side() {
        let (mut l, mut inverse) = (M, [0.0; 6]);
        factor(&mut l, &mut inverse, pattern(), None);
        let mut x = [B, B.map(|b| 2.0 * b)].concat();
        solve(&mut x, &l, &inverse, pattern(), None);
        for (k, x) in x.chunks_exact(6).enumerate() {
            let mut product = [0.0; 6];
            sparse::mul_symmetric_vec(&mut product, &M, x, pattern());
            for i in 0..6 {
                assert!((product[i] - (k + 1) as f64 * B[i]).abs() < 1e-14);
            }
        }
    }

    #[test]
    fn half_solution_has_the_norm_of_the_inverse() {
        let (mut l, mut inverse) = (M, [0.0; 6]);
        factor(&mut l, &mut inverse, pattern(), None);
        let (mut half, mut x) = (B, B);
        solve_half(&mut half, &l, &inverse.map(f64::sqrt), pattern());
        solve(&mut x, &l, &inverse, pattern(), None);
        assert!((dense::dot(&half, &half) - dense::dot(&x, &B)).abs() < 1e-14);
    }

    #[test]
    fn columns_are_solved_as_single_vectors_are() {
        let (mut l, mut inverse) = (M, [0.0; 6]);
        factor(&mut l, &mut inverse, pattern(), None);
        let roots = inverse.map(f64::sqrt);
        let vectors = [B, B.map(|b| 0.1 - b), [0.0, -0.0, 0.0, 2.0, -0.0, 0.0]];
        let mut columns: Vec<f64> = (0..6).flat_map(|i| vectors.map(|vector| vector[i])).collect();
        solve_half_columns(&mut columns, 3, &l, &roots, pattern());
        for (k, mut vector) in vectors.into_iter().enumerate() {
            solve_half(&mut vector, &l, &roots, pattern());
            for i in 0..6 {
                assert_eq!(columns[3 * i + k].to_bits(), vector[i].to_bits());
            }
        }
    }

    #[test]
    fn an_index_list_restricts_the_work_to_its_tree() {
        let (mut l, mut inverse) = (M, [7.0; 6]);
        factor(&mut l, &mut inverse, pattern(), Some(&[5]));
        assert_eq!(l, M);
        assert_eq!(inverse, [7.0, 7.0, 7.0, 7.0, 7.0, 0.25]);
        let mut x = B;
        solve(&mut x, &l, &inverse, pattern(), Some(&[5]));
        assert_eq!(x, [1.0, 0.0, -2.0, 3.0, 0.5, -0.25]);
    }
}
