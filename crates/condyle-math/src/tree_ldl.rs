//! Factorisation `M = Lᵀ D L` of an inertia-like matrix over a kinematic tree, and solution with it.
//!
//! `M` is given by its lower triangle in compressed rows: row `i` holds the ancestors of dof `i` in ascending order and the
//! diagonal last, so the row of any ancestor is a prefix of it and no fill-in appears. After factorisation the rows hold `L` off
//! the diagonal and `D` on it. `index` restricts the work to a list of rows, for models partly asleep.
//! Reference: `mj_factorI`, `mj_solveLD`, `mj_solveM2`.

use crate::simd::{Lanes, wide};
use crate::{sparse, sparse::Pattern};

/// How many rows, up to four, form a chain ending in row `k`: each the parent of the next, so that its row is the next one's without
/// the diagonal.
#[inline(always)]
fn chain_length(pattern: Pattern, k: usize) -> usize {
    let mut length = 1;
    while length < 4 && length <= k {
        let child = pattern.range(k + 1 - length);
        let linked = child.len() > 1 && pattern.colind[child.end - 2] as usize == k - length;
        if !linked || pattern.rownnz[k - length] as usize != child.len() - 1 {
            break;
        }
        length += 1;
    }
    length
}

/// Subtract the last `B` rows of a chain from the one above them, and invert its diagonal. `rows` begins with the first row of the
/// chain, and `starts` are the addresses from the last row to the first.
#[inline(always)]
fn update_within<K: Lanes, const B: usize, const N: usize>(
    rows: &mut [f64],
    starts: &[usize; N],
    count: usize,
    inverse: &mut [f64; N],
) {
    let (above, below) = rows.split_at_mut(starts[B - 1] - starts[N - 1]);
    // The row of an ancestor is the part of a row up to that ancestor.
    let parts: [&[f64]; B] = std::array::from_fn(|a| &below[starts[a] - starts[B - 1]..][..count - B]);
    let scales = std::array::from_fn(|a| -parts[a][count - B - 1] * inverse[a]);
    let row = &mut above[starts[B] - starts[N - 1]..][..count - B];
    K::add_all_scaled_to(row, parts, scales);
    inverse[B] = 1.0 / row[count - B - 1];
}

/// Eliminate the chain of `N` rows that ends in row `k`. An ancestor of all of them takes its `N` updates in one pass, in the order in
/// which single rows would make them.
#[inline(always)]
fn eliminate<K: Lanes, const N: usize>(
    m: &mut [f64],
    inverse_diagonal: &mut [f64],
    pattern: Pattern,
    k: usize,
) {
    let count = pattern.rownnz[k] as usize;
    if count < N {
        return;
    }
    let starts: [usize; N] = std::array::from_fn(|a| pattern.rowadr[k - a] as usize);
    let first = starts[N - 1];
    let (above, rows) = m.split_at_mut(first);
    let mut inverse = [0.0; N];
    inverse[0] = 1.0 / rows[starts[0] - first..][..count][count - 1];
    if N > 1 {
        update_within::<K, 1, N>(rows, &starts, count, &mut inverse);
    }
    if N > 2 {
        update_within::<K, 2, N>(rows, &starts, count, &mut inverse);
    }
    if N > 3 {
        update_within::<K, 3, N>(rows, &starts, count, &mut inverse);
    }
    for a in 0..N {
        inverse_diagonal[k - a] = inverse[a];
    }
    let parts: [&[f64]; N] = std::array::from_fn(|a| &rows[starts[a] - first..][..count - N]);
    let columns = &pattern.colind[starts[0]..][..count - N];
    for (address, i) in columns.iter().enumerate().rev() {
        let scales = std::array::from_fn(|a| -parts[a][address] * inverse[a]);
        let ancestor = &mut above[pattern.rowadr[*i as usize] as usize..][..address + 1];
        K::add_all_scaled_to(ancestor, parts, scales);
    }
    for a in 0..N {
        K::scale_mut(&mut rows[starts[a] - first..][..count - a - 1], inverse[a]);
    }
}

wide! {
    /// Factorise in place and store the inverse of `D`.
    pub fn factor(m: &mut [f64], inverse_diagonal: &mut [f64], pattern: Pattern, index: Option<&[i32]>) {
        if let Some(index) = index {
            for k in index.iter().rev() {
                eliminate::<K, 1>(m, inverse_diagonal, pattern, *k as usize);
            }
            return;
        }
        let mut left = pattern.rows();
        while let Some(k) = left.checked_sub(1) {
            if pattern.rownnz[k] == 1 {
                inverse_diagonal[k] = 1.0 / m[pattern.rowadr[k] as usize];
                left = k;
                continue;
            }
            let length = chain_length(pattern, k);
            match length {
                1 => eliminate::<K, 1>(m, inverse_diagonal, pattern, k),
                2 => eliminate::<K, 2>(m, inverse_diagonal, pattern, k),
                3 => eliminate::<K, 3>(m, inverse_diagonal, pattern, k),
                _ => eliminate::<K, 4>(m, inverse_diagonal, pattern, k),
            }
            left -= length;
        }
    }
}

/// Row `i` without its diagonal: values and columns.
#[inline(always)]
fn left_of_diagonal<'a>(l: &'a [f64], pattern: Pattern<'a>, i: usize) -> (&'a [f64], &'a [i32]) {
    let start = pattern.rowadr[i] as usize;
    let end = start + pattern.rownnz[i] as usize - 1;
    (&l[start..end], &pattern.colind[start..end])
}

/// `x ← L⁻ᵀ x` for one vector and one row; nothing happens if its value is zero.
#[inline(always)]
fn spread_row(x: &mut [f64], l: &[f64], pattern: Pattern, i: usize) {
    let x_i = x[i];
    if pattern.rownnz[i] > 1 && x_i != 0.0 {
        let (values, columns) = left_of_diagonal(l, pattern, i);
        sparse::sub_scaled(x, values, columns, x_i);
    }
}

/// [`spread_row`] for the chain of `N` rows that ends in row `k`. An element above all of them takes its `N` updates in one pass, in the
/// order in which single rows would make them.
#[inline(always)]
fn spread_chain<K: Lanes, const N: usize>(x: &mut [f64], l: &[f64], pattern: Pattern, k: usize) {
    let count = pattern.rownnz[k] as usize;
    if count < N {
        return;
    }
    let first = k + 1 - N;
    let rows: [&[f64]; N] = std::array::from_fn(|a| &l[pattern.rowadr[k - a] as usize..][..count - a]);
    let columns = &pattern.colind[pattern.rowadr[k] as usize..][..count - N];
    let (above, own) = x[..k + 1].split_at_mut(first);
    let mut scales = [0.0; N];
    for a in 0..N {
        let value = own[N - 1 - a];
        if value == 0.0 {
            // Zeros are skipped row by row.
            for a in a..N {
                let value = own[N - 1 - a];
                if value != 0.0 {
                    for b in a + 1..N {
                        own[N - 1 - b] -= rows[a][count - b - 1] * value;
                    }
                }
            }
            for a in 0..N {
                let value = own[N - 1 - a];
                if value != 0.0 {
                    sparse::sub_scaled(above, &rows[a][..count - N], columns, value);
                }
            }
            return;
        }
        scales[a] = -value;
        for b in a + 1..N {
            own[N - 1 - b] -= rows[a][count - b - 1] * value;
        }
    }
    let parts = rows.map(|row| &row[..count - N]);
    if let (Some(first), Some(last)) = (columns.first(), columns.last())
        && (*last as usize).wrapping_sub(*first as usize) == columns.len() - 1
    {
        K::add_all_scaled_to(&mut above[*first as usize..=*last as usize], parts, scales);
        return;
    }
    for (i, column) in columns.iter().enumerate() {
        let element = &mut above[*column as usize];
        let mut sum = *element;
        for a in 0..N {
            sum += parts[a][i] * scales[a];
        }
        *element = sum;
    }
}

/// The last of the first `rows` rows that has more than a diagonal.
#[inline(always)]
fn last_with_ancestors(pattern: Pattern, rows: usize) -> Option<usize> {
    pattern.rownnz[..rows].iter().rposition(|count| *count != 1)
}

/// `x ← L⁻ᵀ x` for one vector.
#[inline(always)]
fn solve_transposed<K: Lanes>(x: &mut [f64], l: &[f64], pattern: Pattern, index: Option<&[i32]>) {
    if let Some(index) = index {
        for i in index.iter().rev() {
            spread_row(x, l, pattern, *i as usize);
        }
        return;
    }
    let mut left = pattern.rows();
    // Dofs below no other, as those of points that slide along three axes, have nothing to spread; there are often many in a row.
    while let Some(k) = last_with_ancestors(pattern, left) {
        let length = chain_length(pattern, k);
        match length {
            1 => spread_chain::<K, 1>(x, l, pattern, k),
            2 => spread_chain::<K, 2>(x, l, pattern, k),
            3 => spread_chain::<K, 3>(x, l, pattern, k),
            _ => spread_chain::<K, 4>(x, l, pattern, k),
        }
        left = k + 1 - length;
    }
}

/// `x ← L⁻¹ x` for one vector and one row.
#[inline(always)]
fn collect_row(x: &mut [f64], l: &[f64], pattern: Pattern, i: usize) {
    if pattern.rownnz[i] > 1 {
        let (values, columns) = left_of_diagonal(l, pattern, i);
        x[i] -= sparse::dot(values, columns, x);
    }
}

wide! {
    /// Solve `M x = b` in place for every vector of `x`, each as long as the matrix has rows and holding `b` on entry.
    pub fn solve(x: &mut [f64], l: &[f64], inverse_diagonal: &[f64], pattern: Pattern, index: Option<&[i32]>) {
        if pattern.rows() == 0 {
            return;
        }
        for x in x.chunks_exact_mut(pattern.rows()) {
            solve_transposed::<K>(x, l, pattern, index);
            match index {
                Some(index) => {
                    for i in index {
                        x[*i as usize] *= inverse_diagonal[*i as usize];
                    }
                    for i in index {
                        collect_row(x, l, pattern, *i as usize);
                    }
                }
                None => {
                    for (value, inverse) in x.iter_mut().zip(inverse_diagonal) {
                        *value *= inverse;
                    }
                    for (i, count) in pattern.rownnz.iter().enumerate() {
                        if *count > 1 {
                            collect_row(x, l, pattern, i);
                        }
                    }
                }
            }
        }
    }
}

wide! {
    /// `x ← D^(-1/2) L⁻ᵀ x` in place for every vector of `x`, so that the squared length of the result is `xᵀ M⁻¹ x`.
    pub fn solve_half(x: &mut [f64], l: &[f64], inverse_root_diagonal: &[f64], pattern: Pattern) {
        if pattern.rows() == 0 {
            return;
        }
        for vector in x.chunks_exact_mut(pattern.rows()) {
            solve_transposed::<K>(vector, l, pattern, None);
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
    fn chains_of_rows_are_eliminated_as_single_rows_are() {
        // A chain of eleven dofs, its last five forked off the third.
        let parents = [-1, 0, 1, 2, 3, 4, 2, 6, 7, 8, 9];
        let (mut rownnz, mut rowadr, mut colind, mut m) = (vec![], vec![], vec![], vec![]);
        for dof in 0..11 {
            let mut columns = vec![dof];
            while parents[columns[0] as usize] >= 0 {
                columns.insert(0, parents[columns[0] as usize]);
            }
            rownnz.push(columns.len() as i32);
            rowadr.push(colind.len() as i32);
            m.extend(columns.iter().map(|c| if *c == dof { 3.0 } else { 0.7 / f64::from(dof + 2 * c + 1) }));
            colind.extend(columns);
        }
        let pattern = Pattern { rownnz: &rownnz, rowadr: &rowadr, colind: &colind };
        let all: Vec<i32> = (0..11).collect();
        let (mut together, mut single) = (m.clone(), m.clone());
        let (mut inverse, mut single_inverse) = ([0.0; 11], [0.0; 11]);
        factor(&mut together, &mut inverse, pattern, None);
        factor(&mut single, &mut single_inverse, pattern, Some(&all));
        assert_ne!(together, m);
        assert_eq!(together, single);
        assert_eq!(inverse, single_inverse);
        // Zeros of both signs are left out whichever row they stand in.
        for zero in 0..11 {
            let mut x: Vec<f64> = (0..11).map(|i| f64::from(i - 5) * 0.3).collect();
            x[zero] = if zero % 2 == 0 { 0.0 } else { -0.0 };
            let mut single = x.clone();
            solve(&mut x, &together, &inverse, pattern, None);
            solve(&mut single, &together, &inverse, pattern, Some(&all));
            assert_eq!(
                x.iter().map(|x| x.to_bits()).collect::<Vec<_>>(),
                single.iter().map(|x| x.to_bits()).collect::<Vec<_>>()
            );
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
