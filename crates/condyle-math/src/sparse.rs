//! Compressed sparse rows: products with vectors, and sums of rows with different patterns.
//!
//! A matrix is a slice of values beside a [`Pattern`]: row `r` holds `rownnz[r]` values from address `rowadr[r]` on, with
//! ascending column numbers in `colind`. [`dot`] runs in four lanes like its dense namesake, but adds the remaining up to three
//! products one by one. Reference: `mju_dotSparse`, `mju_combineSparse` and their neighbours.

use std::ops::Range;

use crate::dense;
pub use crate::simd::RowGroups;

/// Where the values of a sparse matrix stand.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pattern<'a> {
    /// Number of values in each row.
    pub rownnz: &'a [i32],
    /// Address of the first value of each row.
    pub rowadr: &'a [i32],
    /// Column of each value, ascending within a row.
    pub colind: &'a [i32],
}

impl<'a> Pattern<'a> {
    /// Number of rows.
    #[inline(always)]
    pub fn rows(self) -> usize {
        self.rownnz.len()
    }

    /// Addresses of row `r`.
    #[inline(always)]
    pub fn range(self, r: usize) -> Range<usize> {
        let start = self.rowadr[r] as usize;
        start..start + self.rownnz[r] as usize
    }

    /// Columns of row `r`.
    #[inline(always)]
    pub fn columns(self, r: usize) -> &'a [i32] {
        &self.colind[self.range(r)]
    }

    /// The same pattern without the rows from `rows` on.
    #[inline]
    pub fn truncated(self, rows: usize) -> Self {
        Pattern { rownnz: &self.rownnz[..rows], rowadr: &self.rowadr[..rows], colind: self.colind }
    }

    /// One past the largest address in use, when rows are stored in order.
    pub fn end(self) -> usize {
        self.rows().checked_sub(1).map_or(0, |last| self.range(last).end)
    }
}

/// The elements of `v` in the given columns, if these follow one another without gaps. Columns ascend, so the ends tell.
#[inline(always)]
fn run<'v>(columns: &[i32], v: &'v [f64]) -> Option<&'v [f64]> {
    let (first, last) = (*columns.first()? as usize, *columns.last()? as usize);
    if last.wrapping_sub(first) == columns.len() - 1 { v.get(first..=last) } else { None }
}

/// `Σ values[i] · v[columns[i]]`: a sparse row times a dense vector.
#[inline]
pub fn dot(values: &[f64], columns: &[i32], v: &[f64]) -> f64 {
    let columns = &columns[..values.len()];
    if let Some(v) = run(columns, v) {
        let (sum, tail, v_tail) = dense::dot_blocks(values, v);
        return tail.iter().zip(v_tail).fold(sum, |sum, (x, y)| sum + x * y);
    }
    let (blocks, tail) = values.as_chunks::<4>();
    let (column_blocks, column_tail) = columns.as_chunks::<4>();
    let mut sum = 0.0;
    if let (Some((first, blocks)), Some((first_columns, column_blocks))) =
        (blocks.split_first(), column_blocks.split_first())
    {
        let mut lanes: [f64; 4] = std::array::from_fn(|i| first[i] * v[first_columns[i] as usize]);
        for (x, c) in blocks.iter().zip(column_blocks) {
            for lane in 0..4 {
                lanes[lane] += x[lane] * v[c[lane] as usize];
            }
        }
        sum = dense::reduce(lanes);
    }
    for (x, c) in tail.iter().zip(column_tail) {
        sum += x * v[*c as usize];
    }
    sum
}

/// `v[columns[i]] -= values[i] · s`
#[inline]
pub fn sub_scaled(v: &mut [f64], values: &[f64], columns: &[i32], s: f64) {
    let columns = &columns[..values.len()];
    if let (Some(first), Some(last)) = (columns.first(), columns.last())
        && (*last as usize).wrapping_sub(*first as usize) == columns.len() - 1
    {
        dense::sub_scaled_from(&mut v[*first as usize..=*last as usize], values, s);
        return;
    }
    for (x, c) in values.iter().zip(columns) {
        v[*c as usize] -= x * s;
    }
}

/// `result = m v`
pub fn mul_vec(result: &mut [f64], m: &[f64], v: &[f64], pattern: Pattern) {
    for (r, out) in result.iter_mut().enumerate().take(pattern.rows()) {
        let range = pattern.range(r);
        *out = dot(&m[range.clone()], &pattern.colind[range], v);
    }
}

/// `result = mᵀ v`; zeros in `v` skip their row.
pub fn mul_transposed_vec(result: &mut [f64], m: &[f64], v: &[f64], pattern: Pattern) {
    result.fill(0.0);
    for r in 0..pattern.rows() {
        let s = v[r];
        if s != 0.0 {
            let range = pattern.range(r);
            for (x, c) in m[range.clone()].iter().zip(&pattern.colind[range]) {
                result[*c as usize] += x * s;
            }
        }
    }
}

/// Values of a row from which on it pays to look whether its columns follow one another.
const LONG: usize = 8;

/// `result = m v` for a symmetric matrix given by its lower triangle, diagonal last in each row.
pub fn mul_symmetric_vec(result: &mut [f64], m: &[f64], v: &[f64], pattern: Pattern) {
    let (result, v) = (&mut result[..pattern.rows()], &v[..pattern.rows()]);
    // Row i sets element i and adds to those before it, which are set by then.
    for i in 0..pattern.rows() {
        if pattern.rownnz[i] == 1 {
            result[i] = m[pattern.rowadr[i] as usize] * v[i];
            continue;
        }
        let range = pattern.range(i);
        let (Some((diagonal, row)), columns) = (m[range.clone()].split_last(), &pattern.colind[range]) else {
            result[i] = 0.0;
            continue;
        };
        let v_i = v[i];
        let mut sum = diagonal * v_i;
        // From the diagonal leftwards: the order of these additions is part of the result.
        if row.len() >= LONG
            && let Some(run) = run(&columns[..row.len()], v)
        {
            let first = columns[0] as usize;
            for (x, y) in row.iter().zip(run).rev() {
                sum += x * y;
            }
            dense::add_scaled_to(&mut result[first..first + row.len()], row, v_i);
            result[i] = sum;
            continue;
        }
        for (x, j) in row.iter().zip(columns).rev() {
            let j = *j as usize;
            sum += x * v[j];
            result[j] += x * v_i;
        }
        result[i] = sum;
    }
}

/// `dense += m` for a symmetric `m` given by its lower triangle; the strict upper triangle too if `upper`.
pub fn add_symmetric_to_dense(result: &mut [f64], m: &[f64], pattern: Pattern, upper: bool) {
    let n = pattern.rows();
    for i in 0..n {
        for address in pattern.range(i) {
            let j = pattern.colind[address] as usize;
            result[i * n + j] += m[address];
            if upper && j < i {
                result[j * n + i] += m[address];
            }
        }
    }
}

/// Number of distinct columns in two ascending lists together.
pub fn union_count(a: &[i32], b: &[i32]) -> usize {
    let (mut i, mut j, mut common) = (0, 0, 0);
    while i < a.len() && j < b.len() {
        let (x, y) = (a[i], b[j]);
        common += usize::from(x == y);
        i += usize::from(x <= y);
        j += usize::from(y <= x);
    }
    a.len() + b.len() - common
}

/// `row = a · row + b · src` where the patterns may differ; returns the new number of values.
///
/// The row holds `count` values at the start of slices long enough for the union of both patterns.
pub fn combine(
    row: &mut [f64],
    row_columns: &mut [i32],
    count: usize,
    src: &[f64],
    src_columns: &[i32],
    a: f64,
    b: f64,
) -> usize {
    let src = &src[..src_columns.len()];
    if row_columns[..count] == *src_columns {
        dense::scale_and_add(&mut row[..count], src, a, b);
        return count;
    }
    let total = union_count(&row_columns[..count], src_columns);
    if total == count && a == 1.0 {
        // The row has all columns already.
        add_scaled_common(&mut row[..count], &row_columns[..count], src, src_columns, b);
        return count;
    }
    let (row, row_columns) = (&mut row[..total], &mut row_columns[..total]);
    if total == src.len() {
        // The source has all columns of the row.
        let mut i = count;
        for k in (0..total).rev() {
            row[k] = match i.checked_sub(1) {
                Some(last) if row_columns[last] == src_columns[k] => {
                    i = last;
                    a * row[last] + b * src[k]
                }
                _ => b * src[k],
            };
        }
        row_columns.copy_from_slice(src_columns);
        return total;
    }
    // Filled from the end, so that no value is overwritten before it is read.
    let (mut i, mut j) = (count, src.len());
    for k in (0..total).rev() {
        let from_row = i > 0 && (j == 0 || row_columns[i - 1] >= src_columns[j - 1]);
        let from_src = j > 0 && (i == 0 || src_columns[j - 1] >= row_columns[i - 1]);
        let column = if from_row { row_columns[i - 1] } else { src_columns[j - 1] };
        row[k] = match (from_row, from_src) {
            (true, true) => a * row[i - 1] + b * src[j - 1],
            (true, false) => a * row[i - 1],
            _ => b * src[j - 1],
        };
        row_columns[k] = column;
        i -= usize::from(from_row);
        j -= usize::from(from_src);
    }
    total
}

/// `m += other`, row by row; every row of `m` must have room for the union of both patterns.
pub fn add_matrix(
    m: &mut [f64],
    rownnz: &mut [i32],
    rowadr: &[i32],
    colind: &mut [i32],
    other: &[f64],
    other_pattern: Pattern,
) {
    for r in 0..other_pattern.rows() {
        let start = rowadr[r] as usize;
        let range = other_pattern.range(r);
        rownnz[r] = combine(
            &mut m[start..],
            &mut colind[start..],
            rownnz[r] as usize,
            &other[range.clone()],
            &other_pattern.colind[range],
            1.0,
            1.0,
        ) as i32;
    }
}

/// `m += other`, where every row of `m` has all columns of the same row of `other`. Rows are searched from their ends.
pub fn add_to_superset(m: &mut [f64], pattern: Pattern, other: &[f64], other_pattern: Pattern) {
    for r in 0..other_pattern.rows() {
        let (range, other_range) = (pattern.range(r), other_pattern.range(r));
        let (row, columns) = (&mut m[range.clone()], &pattern.colind[range]);
        let mut end = columns.len();
        for (x, column) in other[other_range.clone()].iter().zip(&other_pattern.colind[other_range]).rev() {
            while end > 0 && columns[end - 1] != *column {
                end -= 1;
            }
            if let Some(last) = end.checked_sub(1) {
                row[last] += x;
                end = last;
            }
        }
    }
}

/// `rows += s · src` for `height` rows that share one pattern, stored one after the other without gaps; returns the new number
/// of columns. The slices must have room for the union of both patterns.
pub fn combine_rows(
    rows: &mut [f64],
    columns: &mut [i32],
    count: usize,
    src: &[f64],
    src_columns: &[i32],
    height: usize,
    s: f64,
) -> usize {
    let src_count = src_columns.len();
    if columns[..count] == *src_columns {
        dense::add_scaled_to(&mut rows[..height * count], src, s);
        return count;
    }
    let total = union_count(&columns[..count], src_columns);
    // From the last element backwards, so that rows can spread in place; the column list is needed until the last row is done.
    for r in (0..height).rev() {
        let (mut i, mut j) = (count, src_count);
        for k in (0..total).rev() {
            let from_row = i > 0 && (j == 0 || columns[i - 1] >= src_columns[j - 1]);
            let from_src = j > 0 && (i == 0 || src_columns[j - 1] >= columns[i - 1]);
            let column = if from_row { columns[i - 1] } else { src_columns[j - 1] };
            rows[r * total + k] = match (from_row, from_src) {
                (true, true) => rows[r * count + i - 1] + s * src[r * src_count + j - 1],
                (true, false) => rows[r * count + i - 1],
                _ => s * src[r * src_count + j - 1],
            };
            if r == 0 {
                columns[k] = column;
            }
            i -= usize::from(from_row);
            j -= usize::from(from_src);
        }
    }
    total
}

/// `row += s · src` at the columns both have; columns only `src` has are dropped.
pub fn add_scaled_common(row: &mut [f64], row_columns: &[i32], src: &[f64], src_columns: &[i32], s: f64) {
    let (mut i, mut j) = (0, 0);
    while i < row_columns.len() && j < src_columns.len() {
        let (x, y) = (row_columns[i], src_columns[j]);
        if x == y {
            row[i] += s * src[j];
        }
        i += usize::from(x <= y);
        j += usize::from(y <= x);
    }
}

/// `result[r, :] = m[r, :]` for the rows listed.
pub fn copy_rows(result: &mut [f64], m: &[f64], pattern: Pattern, rows: &[i32]) {
    for r in rows {
        let range = pattern.range(*r as usize);
        result[range.clone()].copy_from_slice(&m[range]);
    }
}

/// `result[r, :] = 0` for the rows listed.
pub fn zero_rows(result: &mut [f64], pattern: Pattern, rows: &[i32]) {
    for r in rows {
        result[pattern.range(*r as usize)].fill(0.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matrix;

    const ROWNNZ: [i32; 3] = [1, 2, 3];
    const ROWADR: [i32; 3] = [0, 1, 3];
    const COLIND: [i32; 6] = [0, 0, 1, 0, 1, 2];
    const LOWER: [f64; 6] = [4.0, 0.1, 5.0, 0.3, -0.7, 6.0];

    fn lower() -> Pattern<'static> {
        Pattern { rownnz: &ROWNNZ, rowadr: &ROWADR, colind: &COLIND }
    }

    #[test]
    fn dot_adds_the_tail_one_by_one() {
        let values = [1e16, 0.0, 0.0, 0.0, 1.0, 1.0];
        // Each one is lost against 1e16; summed first they would survive.
        assert_eq!(dot(&values, &[0, 1, 2, 3, 4, 5], &[1.0; 6]), 1e16);
        assert_eq!(dot(&values[4..], &[5, 0], &[2.0, 0.0, 0.0, 0.0, 0.0, 3.0]), 5.0);
    }

    #[test]
    fn products_agree_with_the_dense_matrix() {
        let full = [4.0, 0.0, 0.0, 0.1, 5.0, 0.0, 0.3, -0.7, 6.0];
        let v = [0.5, -2.0, 3.0];
        let (mut out, mut expected) = ([0.0; 3], [0.0; 3]);
        mul_vec(&mut out, &LOWER, &v, lower());
        matrix::mul_vec(&mut expected, &full, &v);
        assert_eq!(out, expected);
        mul_transposed_vec(&mut out, &LOWER, &v, lower());
        matrix::mul_transposed_vec(&mut expected, &full, &v);
        assert_eq!(out, expected);
    }

    #[test]
    fn sums_with_a_wider_pattern_keep_the_sign_of_zero() {
        let mut m = [-0.0, 1.0, -0.0, -0.0, 2.0, -0.0];
        let other = Pattern { rownnz: &[1, 1, 2], rowadr: &[0, 1, 2], colind: &[0, 0, 0, 2] };
        add_to_superset(&mut m, lower(), &[-0.0, 3.0, 0.0, 7.0], other);
        assert_eq!(m.map(f64::to_bits), [-0.0, 4.0, -0.0, 0.0, 2.0, 7.0].map(f64::to_bits));
    }

    #[test]
    fn symmetric_product_uses_the_triangle_twice() {
        let mut full = [0.0; 9];
        add_symmetric_to_dense(&mut full, &LOWER, lower(), true);
        assert_eq!(full, [4.0, 0.1, 0.3, 0.1, 5.0, -0.7, 0.3, -0.7, 6.0]);
        let v = [1.0, 2.0, -4.0];
        let (mut out, mut expected) = ([0.0; 3], [0.0; 3]);
        mul_symmetric_vec(&mut out, &LOWER, &v, lower());
        matrix::mul_vec(&mut expected, &full, &v);
        for i in 0..3 {
            assert!((out[i] - expected[i]).abs() < 1e-14);
        }
    }

    #[test]
    fn combining_rows_merges_their_patterns() {
        let mut row = [1.0, 2.0, 3.0, 0.0, 0.0];
        let mut columns = [1, 3, 4, -1, -1];
        let total = combine(&mut row, &mut columns, 3, &[10.0, 20.0, 30.0], &[0, 3, 5], 2.0, -1.0);
        assert_eq!((total, columns), (5, [0, 1, 3, 4, 5]));
        assert_eq!(row, [-10.0, 2.0, -16.0, 6.0, -30.0]);
        assert_eq!(combine(&mut row, &mut columns, 5, &[], &[], 0.5, 1.0), 5);
        assert_eq!(row, [-5.0, 1.0, -8.0, 3.0, -15.0]);
    }

    #[test]
    fn combining_several_rows_keeps_them_packed() {
        let mut rows = [1.0, 2.0, 3.0, 4.0, 0.0, 0.0];
        let mut columns = [0, 4, 0];
        let total = combine_rows(&mut rows, &mut columns, 2, &[10.0, 20.0, 30.0, 40.0], &[2, 4], 2, 0.5);
        assert_eq!((total, columns), (3, [0, 2, 4]));
        assert_eq!(rows, [1.0, 5.0, 12.0, 3.0, 15.0, 24.0]);
    }

    #[test]
    fn a_union_counts_common_columns_once() {
        assert_eq!(union_count(&[1, 4, 9], &[0, 4, 10]), 5);
        assert_eq!(union_count(&[], &[3]), 1);
    }

    #[test]
    fn common_columns_receive_the_addition_and_others_do_not() {
        let mut row = [1.0, 1.0, 1.0];
        add_scaled_common(&mut row, &[0, 2, 7], &[5.0, 5.0, 5.0], &[1, 2, 9], 2.0);
        assert_eq!(row, [1.0, 11.0, 1.0]);
    }
}
