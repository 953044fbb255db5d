//! Operations that make a new sparse pattern: conversion, transposition, supernodes. Gram matrices are in `sparse_gram.rs`.
//!
//! Reference: `mju_dense2sparse`, `mju_sparse2dense`, `mju_transposeSparse`, `mju_superSparse`.

use crate::sparse::Pattern;

/// Convert a dense matrix to compressed rows, dropping zeros. `false` when `result` or `colind` is too short; what was converted
/// until then remains.
pub fn from_dense(
    result: &mut [f64],
    rownnz: &mut [i32],
    rowadr: &mut [i32],
    colind: &mut [i32],
    m: &[f64],
    rows: usize,
    columns: usize,
) -> bool {
    let capacity = result.len().min(colind.len());
    if capacity == 0 {
        return false;
    }
    let mut address = 0;
    for r in 0..rows {
        rownnz[r] = 0;
        rowadr[r] = address as i32;
        for (c, x) in m[r * columns..][..columns].iter().enumerate() {
            if *x != 0.0 {
                if address >= capacity {
                    return false;
                }
                colind[address] = c as i32;
                result[address] = *x;
                rownnz[r] += 1;
                address += 1;
            }
        }
    }
    true
}

/// Convert compressed rows to a dense matrix with `columns` columns.
pub fn to_dense(result: &mut [f64], m: &[f64], pattern: Pattern, columns: usize) {
    result[..pattern.rows() * columns].fill(0.0);
    for r in 0..pattern.rows() {
        for address in pattern.range(r) {
            result[r * columns + pattern.colind[address] as usize] = m[address];
        }
    }
}

/// Pattern of the transpose. `rownnz` and `rowadr` have one element per column of the original.
pub fn transpose_pattern(rownnz: &mut [i32], rowadr: &mut [i32], colind: &mut [i32], pattern: Pattern) {
    transpose_with(rownnz, rowadr, colind, pattern, |_, _| {});
}

/// Values of the transpose, whose pattern is known. `cursor` has the addresses of its rows, and afterwards those of their ends; `rowsuper` says
/// of each row of `m` how many below it have the same columns.
pub fn transpose_values(
    result: &mut [f64],
    cursor: &mut [i32],
    m: &[f64],
    pattern: Pattern,
    rowsuper: &[i32],
) {
    let rows = pattern.rows();
    let mut first = 0;
    while first < rows {
        let count = 1 + (rowsuper[first] as usize).min(rows - 1 - first);
        let columns = pattern.columns(first);
        for number in 0..count {
            for (x, column) in m[pattern.range(first + number)].iter().zip(columns) {
                result[cursor[*column as usize] as usize + number] = *x;
            }
        }
        for column in columns {
            cursor[*column as usize] += count as i32;
        }
        first += count;
    }
}

/// Transpose of a sparse matrix. `rownnz` and `rowadr` have one element per column of the original.
pub fn transpose(
    result: &mut [f64],
    rownnz: &mut [i32],
    rowadr: &mut [i32],
    colind: &mut [i32],
    m: &[f64],
    pattern: Pattern,
) {
    transpose_with(rownnz, rowadr, colind, pattern, |to, from| result[to] = m[from]);
}

#[inline(always)]
fn transpose_with(
    rownnz: &mut [i32],
    rowadr: &mut [i32],
    colind: &mut [i32],
    pattern: Pattern,
    mut place: impl FnMut(usize, usize),
) {
    rownnz.fill(0);
    for r in 0..pattern.rows() {
        for c in pattern.columns(r) {
            rownnz[*c as usize] += 1;
        }
    }
    start_addresses(rowadr, rownnz);
    // Row by row, so that columns of the transpose come out ascending; the addresses serve as write positions meanwhile.
    for r in 0..pattern.rows() {
        for address in pattern.range(r) {
            let c = pattern.colind[address] as usize;
            let to = rowadr[c] as usize;
            rowadr[c] += 1;
            colind[to] = r as i32;
            place(to, address);
        }
    }
    start_addresses(rowadr, rownnz);
}

/// Row addresses without gaps; returns the total number of values.
pub fn start_addresses(rowadr: &mut [i32], rownnz: &[i32]) -> usize {
    let mut address = 0;
    for (start, count) in rowadr.iter_mut().zip(rownnz) {
        *start = address;
        address += count;
    }
    address as usize
}

/// For each row, how many rows directly below it share its pattern.
pub fn supernodes(rowsuper: &mut [i32], pattern: Pattern) {
    let mut following = 0;
    for r in (0..pattern.rows()).rev() {
        let same = r + 1 < pattern.rows()
            && pattern.rownnz[r] == pattern.rownnz[r + 1]
            && pattern.columns(r) == pattern.columns(r + 1);
        following = if same { following + 1 } else { 0 };
        rowsuper[r] = following;
    }
}

/// [`supernodes`] where rows are known to share the pattern of the next: `rowsuper` says of each how many below it do, at least.
pub fn join_supernodes(rowsuper: &mut [i32], pattern: Pattern) {
    let mut following = 0;
    for r in (0..pattern.rows()).rev() {
        let same = rowsuper[r] > 0
            || r + 1 < pattern.rows()
                && pattern.rownnz[r] == pattern.rownnz[r + 1]
                && pattern.columns(r) == pattern.columns(r + 1);
        following = if same { following + 1 } else { 0 };
        rowsuper[r] = following;
    }
}

/// Small matrices for tests, also those of Gram matrices.
#[cfg(test)]
pub(crate) mod test_matrices {
    use super::*;

    /// Owned compressed rows.
    #[derive(Clone, Default)]
    pub(crate) struct Sparse {
        pub(crate) values: Vec<f64>,
        pub(crate) rownnz: Vec<i32>,
        pub(crate) rowadr: Vec<i32>,
        pub(crate) colind: Vec<i32>,
    }

    impl Sparse {
        pub(crate) fn new(full: &[f64], rows: usize, columns: usize) -> Self {
            let mut s = Sparse {
                values: vec![0.0; rows * columns + 1],
                rownnz: vec![0; rows],
                rowadr: vec![0; rows],
                colind: vec![0; rows * columns + 1],
            };
            assert!(from_dense(
                &mut s.values,
                &mut s.rownnz,
                &mut s.rowadr,
                &mut s.colind,
                full,
                rows,
                columns
            ));
            s
        }

        pub(crate) fn pattern(&self) -> Pattern<'_> {
            Pattern { rownnz: &self.rownnz, rowadr: &self.rowadr, colind: &self.colind }
        }

        pub(crate) fn dense(&self, columns: usize) -> Vec<f64> {
            let mut full = vec![0.0; self.rownnz.len() * columns];
            to_dense(&mut full, &self.values, self.pattern(), columns);
            full
        }

        pub(crate) fn transposed(&self, columns: usize) -> Self {
            let mut t = Sparse {
                values: vec![0.0; self.values.len()],
                rownnz: vec![0; columns],
                rowadr: vec![0; columns],
                colind: vec![0; self.colind.len()],
            };
            transpose(
                &mut t.values,
                &mut t.rownnz,
                &mut t.rowadr,
                &mut t.colind,
                &self.values,
                self.pattern(),
            );
            t
        }
    }

    /// Constraint-like rows: contacts share their columns, so the transpose has supernodes.
    pub(crate) fn jacobian() -> (Vec<f64>, usize, usize) {
        let (rows, columns) = (7, 12);
        let mut full = vec![0.0; rows * columns];
        for (r, (from, to)) in
            [(0, 3), (0, 3), (3, 12), (2, 4), (3, 12), (11, 12), (0, 12)].iter().enumerate()
        {
            for c in *from..*to {
                full[r * columns + c] = ((r * 5 + c * 3) % 11) as f64 / 4.0 - 1.3;
            }
        }
        (full, rows, columns)
    }
}

#[cfg(test)]
mod tests {
    use super::test_matrices::{Sparse, jacobian};
    use super::*;
    use crate::matrix;

    #[test]
    fn dense_round_trip_and_capacity() {
        let (full, rows, columns) = jacobian();
        let s = Sparse::new(&full, rows, columns);
        assert_eq!(s.dense(columns), full);
        let (mut nnz, mut adr, mut col) = ([0; 2], [0; 2], [0; 2]);
        assert!(!from_dense(&mut [0.0; 2], &mut nnz, &mut adr, &mut col, &[1.0, 2.0, 3.0, 0.0], 2, 2));
    }

    #[test]
    fn transpose_matches_the_dense_transpose() {
        let (full, rows, columns) = jacobian();
        let t = Sparse::new(&full, rows, columns).transposed(columns);
        let mut expected = vec![0.0; full.len()];
        matrix::transpose(&mut expected, &full, rows, columns);
        assert_eq!(t.dense(rows), expected);
    }

    #[test]
    fn values_of_a_transpose_go_into_its_pattern() {
        let (full, rows, columns) = jacobian();
        let mut s = Sparse::new(&full, rows, columns);
        // A gap before the last row.
        let last = s.rowadr[rows - 1] as usize;
        s.values.splice(last..last, [9.0; 2]);
        s.colind.splice(last..last, [0; 2]);
        s.rowadr[rows - 1] += 2;
        let expected = s.transposed(columns);
        let mut rowsuper = vec![0; rows];
        for supernodes_known in [false, true] {
            if supernodes_known {
                supernodes(&mut rowsuper, s.pattern());
                assert_eq!(rowsuper[0], 1);
            }
            let mut values = vec![0.0; expected.values.len()];
            let mut cursor = expected.rowadr.clone();
            transpose_values(&mut values, &mut cursor, &s.values, s.pattern(), &rowsuper);
            assert_eq!(values, expected.values);
        }
    }

    #[test]
    fn supernodes_count_the_equal_rows_below() {
        let (full, rows, columns) = jacobian();
        let t = Sparse::new(&full, rows, columns).transposed(columns);
        let mut rowsuper = vec![9; columns];
        supernodes(&mut rowsuper, t.pattern());
        assert_eq!(rowsuper, [1, 0, 0, 0, 6, 5, 4, 3, 2, 1, 0, 0]);
    }
}
