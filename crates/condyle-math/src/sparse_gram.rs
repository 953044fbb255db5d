//! Gram matrices `Jᵀ D J` of sparse rows: how many values they have, and the values themselves, into a pattern that grows with them or one that is known.
//!
//! Columns of `J` that share a pattern are computed together, side by side in registers. Reference: `mju_sqrMatTDSparse`.

use crate::simd::{Lanes, wide};
use crate::sparse_structure::start_addresses;
use crate::{dense, sparse::Pattern};

/// Most columns of a Gram matrix computed together.
const MAX_SUPERNODE: usize = 8;

/// Work space of [`gram_count`] and [`gram`], kept between calls.
#[derive(Clone, Debug, Default)]
pub struct GramScratch {
    /// The last column for which each row was found.
    marker: Vec<i32>,
    found: Vec<i32>,
    row_start: Vec<i32>,
    /// Where the next element of each row is looked for.
    cursor: Vec<i32>,
    /// Elements of the columns computed together, side by side for each row.
    buffer: Vec<[f64; MAX_SUPERNODE]>,
}

impl GramScratch {
    fn reset(&mut self, rows: usize, columns: usize, with_buffer: bool) {
        self.marker.clear();
        self.marker.resize(columns, -1);
        self.found.resize(columns.max(self.found.len()), 0);
        if with_buffer {
            self.row_start.clear();
            self.row_start.resize(rows, 0);
            self.buffer.resize(columns.max(self.buffer.len()), [0.0; MAX_SUPERNODE]);
            // Known patterns need it, and a pattern may be known only the next time.
            self.cursor.clear();
            self.cursor.reserve(columns);
        }
    }
}

/// Count the values in each row of `mᵀ m` (lower triangle and diagonal; the upper triangle too if `upper`), set gapless row
/// addresses and return the total. The diagonal always counts.
pub fn gram_count(
    rownnz: &mut [i32],
    rowadr: &mut [i32],
    pattern: Pattern,
    transposed: Pattern,
    transposed_super: Option<&[i32]>,
    upper: bool,
    scratch: &mut GramScratch,
) -> usize {
    let n = transposed.rows();
    scratch.reset(pattern.rows(), n, false);
    let GramScratch { marker, found, .. } = scratch;
    // Columns left of the diagonal in the current row, unsorted; a row with the same pattern as the one above adds that one.
    let mut count = 0;
    for i in 0..n {
        if i > 0 && transposed.rownnz[i] > 0 && transposed_super.is_some_and(|s| s[i - 1] > 0) {
            found[count] = i as i32 - 1;
            count += 1;
        } else {
            count = 0;
            for r in transposed.columns(i) {
                for c in pattern.columns(*r as usize) {
                    if *c as usize >= i {
                        break;
                    }
                    if marker[*c as usize] != i as i32 {
                        marker[*c as usize] = i as i32;
                        found[count] = *c;
                        count += 1;
                    }
                }
            }
        }
        rownnz[i] = count as i32 + 1;
        if upper {
            for c in &found[..count] {
                rownnz[*c as usize] += 1;
            }
        }
    }
    start_addresses(rowadr, rownnz)
}

/// Call a method with the number of columns computed together as a constant: they fit in registers.
macro_rules! by_width {
    ($product:ident.columns::<$lanes:ident>($width:expr)($($argument:expr),*)) => {
        match $width {
            1 => $product.columns::<$lanes, 1>($($argument),*),
            2 => $product.columns::<$lanes, 2>($($argument),*),
            3 => $product.columns::<$lanes, 3>($($argument),*),
            4 => $product.columns::<$lanes, 4>($($argument),*),
            5 => $product.columns::<$lanes, 5>($($argument),*),
            6 => $product.columns::<$lanes, 6>($($argument),*),
            7 => $product.columns::<$lanes, 7>($($argument),*),
            _ => $product.columns::<$lanes, 8>($($argument),*),
        }
    };
}

/// How many columns from `c` on are computed together.
#[inline(always)]
fn width(transposed_super: Option<&[i32]>, c: usize) -> usize {
    1 + transposed_super.map_or(0, |s| s[c] as usize).min(MAX_SUPERNODE - 1)
}

wide! {
    /// `mᵀ diag(weights) m`, or `mᵀ m` without weights: lower triangle, diagonal last in each row.
    ///
    /// `m` and its transpose are both given. `rowadr` is an input (see [`gram_count`]), so that rows may have room to grow;
    /// `rownnz` and `colind` are written. Columns of `m` that share a pattern (`transposed_super`) are computed together, which does
    /// not change the result. With `diagonal`, the upper triangle is appended to each row and the diagonal addresses are stored.
    pub fn gram(
        result: &mut [f64],
        rownnz: &mut [i32],
        rowadr: &[i32],
        colind: &mut [i32],
        m: &[f64],
        pattern: Pattern,
        m_transposed: &[f64],
        transposed: Pattern,
        transposed_super: Option<&[i32]>,
        weights: Option<&[f64]>,
        diagonal: Option<&mut [i32]>,
        scratch: &mut GramScratch,
    ) {
        let n = transposed.rows();
        scratch.reset(pattern.rows(), n, true);
        let rownnz = &mut rownnz[..n];
        rownnz.fill(0);
        let target = Growing { rownnz, rowadr, colind };
        let mut product = Gram { result, target, m, pattern, m_transposed, transposed, weights, scratch };
        let mut c = 0;
        while c < n {
            let width = width(transposed_super, c);
            by_width!(product.columns::<K>(width)(c));
            c += width;
        }
        if let Some(diagonal) = diagonal {
            let Growing { rownnz, colind, .. } = product.target;
            append_upper(product.result, rownnz, rowadr, colind, diagonal);
        }
    }

    /// The values of [`gram`] in a pattern that has all of its elements, diagonal last in each row. Others are not touched.
    pub fn gram_values(
        result: &mut [f64],
        result_pattern: Pattern,
        m: &[f64],
        pattern: Pattern,
        transposed: Pattern,
        transposed_super: &[i32],
        weights: &[f64],
        scratch: &mut GramScratch,
    ) {
        let n = transposed.rows();
        scratch.reset(pattern.rows(), n, true);
        let mut cursor = std::mem::take(&mut scratch.cursor);
        cursor.clear();
        cursor.extend_from_slice(&result_pattern.rowadr[..n]);
        let target = Known { pattern: result_pattern, cursor: &mut cursor };
        let weights = Some(weights);
        let mut product = Gram { result, target, m, pattern, m_transposed: &[], transposed, weights, scratch };
        let mut c = 0;
        while c < n {
            let width = width(Some(transposed_super), c);
            by_width!(product.columns::<K>(width)(c));
            c += width;
        }
        scratch.cursor = cursor;
    }
}

/// Where the elements of a Gram matrix go. Columns come in ascending order.
trait Target {
    /// Room for `count` elements of row `row` from column `c` on.
    fn place(&mut self, row: usize, c: usize, count: usize) -> usize;
    /// Room for the diagonal of row `row`, after all others.
    fn place_diagonal(&mut self, row: usize) -> usize;
}

/// Rows that grow as elements are found.
struct Growing<'a> {
    rownnz: &'a mut [i32],
    rowadr: &'a [i32],
    colind: &'a mut [i32],
}

impl Target for Growing<'_> {
    #[inline(always)]
    fn place(&mut self, row: usize, c: usize, count: usize) -> usize {
        let address = (self.rowadr[row] + self.rownnz[row]) as usize;
        for (s, column) in self.colind[address..][..count].iter_mut().enumerate() {
            *column = (c + s) as i32;
        }
        self.rownnz[row] += count as i32;
        address
    }

    #[inline(always)]
    fn place_diagonal(&mut self, row: usize) -> usize {
        self.place(row, row, 1)
    }
}

/// A pattern that has every element.
struct Known<'a> {
    pattern: Pattern<'a>,
    /// Where each row is looked through for the next column.
    cursor: &'a mut [i32],
}

impl Target for Known<'_> {
    #[inline(always)]
    fn place(&mut self, row: usize, c: usize, count: usize) -> usize {
        let mut address = self.cursor[row] as usize;
        while self.pattern.colind[address] < c as i32 {
            address += 1;
        }
        self.cursor[row] = (address + count) as i32;
        address
    }

    #[inline(always)]
    fn place_diagonal(&mut self, row: usize) -> usize {
        self.pattern.range(row).end - 1
    }
}

/// A Gram matrix in the making.
struct Gram<'a, T> {
    result: &'a mut [f64],
    target: T,
    m: &'a [f64],
    pattern: Pattern<'a>,
    m_transposed: &'a [f64],
    transposed: Pattern<'a>,
    weights: Option<&'a [f64]>,
    scratch: &'a mut GramScratch,
}

impl<T: Target> Gram<'_, T> {
    /// Compute `W` columns with the same pattern, from column `c` on: diagonal and below.
    #[inline(always)]
    fn columns<K: Lanes, const W: usize>(&mut self, c: usize) {
        let (count, mut squares) = self.gather::<K, W>(c);
        for j in &self.scratch.found[..count] {
            let j = *j as usize;
            // Row j may itself belong to the columns computed together: it stops before its diagonal.
            let kept = W.min(j - c);
            let address = self.target.place(j, c, kept);
            let values = &mut self.result[address..][..kept];
            let element = &self.scratch.buffer[j];
            for s in 0..W {
                if s < kept {
                    values[s] = element[s];
                }
            }
        }
        if self.weights.is_none() {
            for (s, square) in squares.iter_mut().enumerate() {
                *square = length_squared(&self.m_transposed[self.transposed.range(c + s)]);
            }
        }
        for (s, square) in squares.into_iter().enumerate() {
            let address = self.target.place_diagonal(c + s);
            self.result[address] = square;
        }
    }

    /// Accumulate the elements below column `c` and the columns after it in the scratch buffer. Returns how many rows were found,
    /// which `scratch.found` names, and the weighted squares of the columns.
    #[inline(always)]
    fn gather<K: Lanes, const W: usize>(&mut self, c: usize) -> (usize, [f64; W]) {
        let GramScratch { marker, found, row_start, buffer, .. } = &mut *self.scratch;
        let mut count = 0;
        let mut squares = [0.0; W];
        for r in self.transposed.columns(c) {
            let r = *r as usize;
            let range = self.pattern.range(r);
            let (values, columns) = (&self.m[range.clone()], &self.pattern.colind[range]);
            // Columns up to c are behind us for good: the next visit to this row starts after them.
            let mut start = row_start[r] as usize;
            while start < columns.len() && columns[start] as usize <= c {
                start += 1;
            }
            row_start[r] = start as i32;
            // The row holds all W columns, side by side and from the last one passed on.
            let mut factors = [0.0; W];
            if let Some(own) = values.get(start.wrapping_sub(1)..).and_then(<[f64]>::first_chunk::<W>) {
                match self.weights.map(|w| w[r]) {
                    Some(weight) => {
                        for s in 0..W {
                            squares[s] += (own[s] * own[s]) * weight;
                            factors[s] = weight * own[s];
                        }
                    }
                    None => factors = *own,
                }
            }
            for (x, j) in values[start..].iter().zip(&columns[start..]) {
                let j = *j as usize;
                let element = &mut buffer[j][..W];
                if marker[j] == c as i32 {
                    K::add_scaled_to(element, &factors, *x);
                } else {
                    marker[j] = c as i32;
                    found[count] = j as i32;
                    count += 1;
                    K::scale(element, &factors, *x);
                }
            }
        }
        (count, squares)
    }
}

/// Kept apart from its callers, which are compiled once for each width.
#[inline(never)]
fn length_squared(v: &[f64]) -> f64 {
    dense::dot(v, v)
}

/// Mirror the strict lower triangle behind the diagonal of each row.
fn append_upper(
    result: &mut [f64],
    rownnz: &mut [i32],
    rowadr: &[i32],
    colind: &mut [i32],
    diagonal: &mut [i32],
) {
    let n = rowadr.len();
    for i in 0..n {
        diagonal[i] = rowadr[i] + rownnz[i] - 1;
    }
    for i in 0..n {
        for address in rowadr[i] as usize..diagonal[i] as usize {
            let j = colind[address] as usize;
            let to = (rowadr[j] + rownnz[j]) as usize;
            rownnz[j] += 1;
            result[to] = result[address];
            colind[to] = i as i32;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::matrix::{self, Triangle};
    use crate::sparse_structure::supernodes;
    use crate::sparse_structure::test_matrices::{Sparse, jacobian};

    /// Run count and product; `None` for `diagonal` gives the lower triangle.
    fn run_gram(
        j: &Sparse,
        t: &Sparse,
        supers: Option<&[i32]>,
        weights: Option<&[f64]>,
        upper: bool,
    ) -> Sparse {
        let n = t.rownnz.len();
        let mut scratch = GramScratch::default();
        let mut h = Sparse { rownnz: vec![0; n], rowadr: vec![0; n], ..Sparse::default() };
        let total =
            gram_count(&mut h.rownnz, &mut h.rowadr, j.pattern(), t.pattern(), supers, upper, &mut scratch);
        let counted = h.rownnz.clone();
        h.values.resize(total, 0.0);
        h.colind.resize(total, 0);
        let mut diagonal = vec![0; n];
        gram(
            &mut h.values,
            &mut h.rownnz,
            &h.rowadr,
            &mut h.colind,
            &j.values,
            j.pattern(),
            &t.values,
            t.pattern(),
            supers,
            weights,
            upper.then_some(&mut diagonal[..]),
            &mut scratch,
        );
        assert_eq!(h.rownnz, counted);
        h
    }

    #[test]
    fn gram_matrix_agrees_with_the_dense_one_with_and_without_supernodes() {
        let (full, rows, columns) = jacobian();
        let j = Sparse::new(&full, rows, columns);
        let t = j.transposed(columns);
        let mut supers = vec![0; columns];
        supernodes(&mut supers, t.pattern());
        let weights: Vec<f64> = (0..rows).map(|r| 0.5 + r as f64).collect();
        for weights in [None, Some(&weights[..])] {
            for (upper, triangle) in [(false, Triangle::Lower), (true, Triangle::Both)] {
                let mut expected = vec![0.0; columns * columns];
                matrix::gram(&mut expected, &full, weights, rows, columns, triangle);
                let plain = run_gram(&j, &t, None, weights, upper);
                let grouped = run_gram(&j, &t, Some(&supers), weights, upper);
                assert_eq!(plain.colind, grouped.colind);
                assert_eq!(plain.values, grouped.values);
                for (x, y) in plain.dense(columns).iter().zip(&expected) {
                    assert!((x - y).abs() < 1e-12);
                }
            }
        }
    }

    #[test]
    fn an_empty_column_still_has_a_diagonal() {
        let full = [1.0, 0.0, 2.0, 0.0, 0.0, 1.0];
        let j = Sparse::new(&full, 2, 3);
        let h = run_gram(&j, &j.transposed(3), None, None, true);
        assert_eq!(h.dense(3), [1.0, 0.0, 2.0, 0.0, 0.0, 0.0, 2.0, 0.0, 5.0]);
        assert_eq!(h.rownnz, [2, 1, 2]);
    }
}
