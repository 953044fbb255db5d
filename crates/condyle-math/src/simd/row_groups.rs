//! Sparse matrix times vector where the same matrix is multiplied many times, as in an iteration.
//!
//! Neighbouring rows often have the same columns: those of one contact, or in the transpose those of one body. They are found once per
//! matrix, with every column number checked, so that a product gathers the vector once per group and checks nothing. Each row sums as
//! [`sparse::dot`](crate::sparse::dot) does.
//!
//! A matrix that is multiplied often is worth a copy in which two to four rows of a group are [interleaved](RowGroups::assign_interleaved):
//! a register holds one column of all of them, every row has a lane, and no lanes are added up across. A row alone that holds the three
//! dofs of two points, as edges of cloth and contacts of particles do, is loaded in three pieces instead of six.

use crate::dense;
use crate::sparse::Pattern;

/// Groups of rows with the same columns, for products with one sparse matrix and many vectors.
#[derive(Clone, Debug, Default)]
pub struct RowGroups {
    groups: Vec<Group>,
    /// Columns of the groups that have gaps or are interleaved, one group after the other.
    columns: Vec<u32>,
    /// Values of interleaved groups: four for each column, those of missing rows zero.
    interleaved: Vec<f64>,
    rows: usize,
    /// How many values of the matrix and elements of the vector the groups reach.
    values: usize,
    width: usize,
}

/// Rows that stand one after the other in storage.
#[derive(Clone, Copy, Debug)]
struct Group {
    first_value: usize,
    count: u32,
    length: u32,
    kind: Kind,
    /// The first column if they follow one another, else where they start in [`RowGroups::columns`].
    first_column: u32,
}

/// How the columns of a group stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// One after the other.
    Gapless,
    /// Three that follow one another, and three others that do; one row.
    TwoTriples,
    /// Anyhow.
    Gaps,
    /// Anyhow; at most four rows, whose values are in [`RowGroups::interleaved`], one such group after the other.
    Interleaved,
}

/// Most columns with gaps that are gathered for several rows.
const GATHERED: usize = 64;
/// Rows that are interleaved.
const LANES: usize = 4;

impl RowGroups {
    /// Find the groups; `supernodes` says for each row how many rows directly below have the same columns.
    pub fn assign(&mut self, pattern: Pattern, supernodes: &[i32]) {
        self.find(pattern, supernodes, None);
    }

    /// [`Self::assign`], with a copy of the values in which rows of one group are interleaved. Products must be with these values.
    pub fn assign_interleaved(&mut self, pattern: Pattern, supernodes: &[i32], values: &[f64]) {
        self.find(pattern, supernodes, Some(values));
    }

    fn find(&mut self, pattern: Pattern, supernodes: &[i32], values: Option<&[f64]>) {
        self.groups.clear();
        self.columns.clear();
        self.interleaved.clear();
        (self.rows, self.values, self.width) = (pattern.rows(), 0, 0);
        let most_rows = if values.is_some() { LANES } else { usize::MAX };
        let mut r = 0;
        while r < pattern.rows() {
            let range = pattern.range(r);
            let columns = &pattern.colind[range.clone()];
            let below = supernodes.get(r).map_or(0, |below| (*below).max(0) as usize);
            let most = (below + 1).min(pattern.rows() - r).min(most_rows);
            let mut count = 1;
            while count < most && pattern.rowadr[r + count] as usize == range.start + count * range.len() {
                count += 1;
            }
            let end = range.start + count * range.len();
            self.values = self.values.max(end);
            match values {
                Some(values) if count > 1 && !columns.is_empty() => {
                    self.interleave(&values[range.start..end], count);
                    self.push(range.start, count, columns, true);
                }
                _ => self.push(range.start, count, columns, false),
            }
            r += count;
        }
    }

    fn push(&mut self, first_value: usize, count: usize, columns: &[i32], interleaved: bool) {
        let follow = |columns: &[i32]| match columns {
            [] | [_] => true,
            [first, .., last] => (*last as u32).wrapping_sub(*first as u32) as usize == columns.len() - 1,
        };
        let mut kind = if follow(columns) { Kind::Gapless } else { Kind::Gaps };
        if interleaved {
            kind = Kind::Interleaved;
        } else if kind == Kind::Gaps && count == 1 && columns.len() == 6 {
            let (first, second) = columns.split_at(3);
            if follow(first) && follow(second) {
                kind = Kind::TwoTriples;
            }
        }
        let mut first_column = columns.first().map_or(0, |first| *first as u32);
        if kind == Kind::Gapless {
            self.width = self.width.max(first_column as usize + columns.len());
        } else {
            first_column = self.columns.len() as u32;
            let largest = columns.iter().fold(0, |largest, column| (*column as u32).max(largest));
            self.width = self.width.max(largest as usize + 1);
            self.columns.extend(columns.iter().map(|column| *column as u32));
        }
        let (count, length) = (count as u32, columns.len() as u32);
        self.groups.push(Group { first_value, count, length, kind, first_column });
    }

    /// Append the values of two to four rows, column by column.
    fn interleave(&mut self, rows: &[f64], count: usize) {
        let n = rows.len() / count;
        let (first, rest) = rows.split_at(n);
        let (second, rest) = rest.split_at(n);
        match count {
            2 => self.interleaved.extend(first.iter().zip(second).flat_map(|(a, b)| [*a, *b, 0.0, 0.0])),
            3 => {
                let columns = first.iter().zip(second).zip(rest);
                self.interleaved.extend(columns.flat_map(|((a, b), c)| [*a, *b, *c, 0.0]));
            }
            _ => {
                let (third, fourth) = rest.split_at(n);
                let columns = first.iter().zip(second).zip(third.iter().zip(fourth));
                self.interleaved.extend(columns.flat_map(|((a, b), (c, d))| [*a, *b, *c, *d]));
            }
        }
    }

    /// `result = m v`, with the values of the matrix whose pattern was assigned.
    pub fn mul_vec(&self, result: &mut [f64], m: &[f64], v: &[f64]) {
        #[cfg(target_arch = "x86_64")]
        if super::has_avx() {
            // SAFETY: the processor has the feature the function is compiled for.
            return unsafe { self.mul_vec_avx(result, m, v) };
        }
        self.mul_vec_plain(result, m, v);
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx")]
    fn mul_vec_avx(&self, result: &mut [f64], m: &[f64], v: &[f64]) {
        assert!(result.len() >= self.rows && m.len() >= self.values && v.len() >= self.width);
        let mut buffer = [0.0; GATHERED];
        let (mut out, m, v) = (result.as_mut_ptr(), m.as_ptr(), v.as_ptr());
        let mut interleaved = self.interleaved.as_ptr();
        // SAFETY: `find` made sure that the groups have `rows` rows together, that their values end before `values` and their columns
        // before `width`; the slices are as long. Interleaved groups have four values for each of their columns.
        unsafe {
            for group in &self.groups {
                let (n, first) = (group.length as usize, group.first_column as usize);
                let mut row = m.add(group.first_value);
                let mut left = group.count;
                let columns = self.columns.as_ptr().wrapping_add(first);
                let x = match group.kind {
                    Kind::Interleaved => {
                        let sums = sums_of_lanes(interleaved, columns, v, n);
                        store(out, sums, left);
                        (out, interleaved) = (out.add(left as usize), interleaved.add(LANES * n));
                        continue;
                    }
                    Kind::TwoTriples => {
                        *out = dot_of_triples(row, v.add(*columns as usize), v.add(*columns.add(3) as usize));
                        out = out.add(1);
                        continue;
                    }
                    Kind::Gapless => v.add(first),
                    Kind::Gaps if left == 1 || n > GATHERED => {
                        while left > 0 {
                            *out = gathered_dot(row, columns, v, n);
                            (out, row, left) = (out.add(1), row.add(n), left - 1);
                        }
                        continue;
                    }
                    Kind::Gaps => {
                        for (i, x) in buffer[..n].iter_mut().enumerate() {
                            *x = *v.add(*columns.add(i) as usize);
                        }
                        buffer.as_ptr()
                    }
                };
                while left >= 2 {
                    std::arch::x86_64::_mm_storeu_pd(out, two_dots(row, x, n));
                    (out, row, left) = (out.add(2), row.add(2 * n), left - 2);
                }
                if left == 1 {
                    *out = one_dot(row, x, n);
                    out = out.add(1);
                }
            }
        }
    }

    fn mul_vec_plain(&self, result: &mut [f64], m: &[f64], v: &[f64]) {
        let mut buffer = [0.0; GATHERED];
        let mut result = result[..self.rows].iter_mut();
        for group in &self.groups {
            let (n, first) = (group.length as usize, group.first_column as usize);
            let rows = &m[group.first_value..][..n * group.count as usize];
            let gapless = group.kind == Kind::Gapless;
            let columns = if gapless { &[] } else { &self.columns[first..][..n] };
            let long = n > GATHERED;
            let gathered = if gapless {
                &v[first..first + n]
            } else {
                for (x, column) in buffer.iter_mut().zip(columns) {
                    *x = v[*column as usize];
                }
                &buffer[..n.min(GATHERED)]
            };
            for (k, out) in result.by_ref().take(group.count as usize).enumerate() {
                let row = &rows[k * n..][..n];
                if long && !gapless {
                    *out = dot_with_gaps(row, columns, v);
                } else {
                    let (sum, tail, v_tail) = dense::dot_blocks(row, gathered);
                    *out = tail.iter().zip(v_tail).fold(sum, |sum, (x, y)| sum + x * y);
                }
            }
        }
    }
}

/// The first `count` lanes, one to four, into memory.
///
/// # Safety
/// `count` numbers can be written at `out`.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx")]
#[inline]
unsafe fn store(out: *mut f64, lanes: std::arch::x86_64::__m256d, count: u32) {
    use std::arch::x86_64::*;
    // SAFETY: no more than `count` numbers are written.
    unsafe {
        match count {
            4 => _mm256_storeu_pd(out, lanes),
            3 => {
                _mm_storeu_pd(out, _mm256_castpd256_pd128(lanes));
                _mm_store_sd(out.add(2), _mm256_extractf128_pd(lanes, 1));
            }
            2 => _mm_storeu_pd(out, _mm256_castpd256_pd128(lanes)),
            _ => _mm_store_sd(out, _mm256_castpd256_pd128(lanes)),
        }
    }
}

/// Products of four interleaved rows with the elements of `v` in the given columns. Each lane sums as one row does.
///
/// # Safety
/// `4 n` numbers can be read at `values` and `n` at `columns`, and `v` has the elements they name.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx")]
#[inline]
unsafe fn sums_of_lanes(
    values: *const f64,
    columns: *const u32,
    v: *const f64,
    n: usize,
) -> std::arch::x86_64::__m256d {
    use std::arch::x86_64::*;
    // SAFETY: every index is smaller than n, and the columns are those of `v`.
    unsafe {
        let product = |i: usize| {
            let x = _mm256_broadcast_sd(&*v.add(*columns.add(i) as usize));
            _mm256_mul_pd(_mm256_loadu_pd(values.add(LANES * i)), x)
        };
        let (mut sum, mut i) = (_mm256_setzero_pd(), 0);
        if n >= 4 {
            let (mut a, mut b, mut c, mut d) = (product(0), product(1), product(2), product(3));
            i = 4;
            while i + 4 <= n {
                a = _mm256_add_pd(a, product(i));
                b = _mm256_add_pd(b, product(i + 1));
                c = _mm256_add_pd(c, product(i + 2));
                d = _mm256_add_pd(d, product(i + 3));
                i += 4;
            }
            sum = _mm256_add_pd(_mm256_add_pd(a, c), _mm256_add_pd(b, d));
        }
        while i < n {
            sum = _mm256_add_pd(sum, product(i));
            i += 1;
        }
        sum
    }
}

/// A row of six values times three numbers and three others.
///
/// # Safety
/// Six numbers can be read at `row` and three at `x` and `y`.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx")]
#[inline]
unsafe fn dot_of_triples(row: *const f64, x: *const f64, y: *const f64) -> f64 {
    use std::arch::x86_64::*;
    // SAFETY: what is read is what the caller promises.
    unsafe {
        let upper = _mm_loadh_pd(_mm_load_sd(x.add(2)), y);
        let gathered = _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(x)), upper, 1);
        let pairs = halves(_mm256_mul_pd(_mm256_loadu_pd(row), gathered));
        let sum = _mm_cvtsd_f64(_mm_add_sd(pairs, _mm_unpackhi_pd(pairs, pairs)));
        sum + *row.add(4) * *y.add(1) + *row.add(5) * *y.add(2)
    }
}

/// `(r0 + r2) + (r1 + r3)`
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx")]
#[inline]
pub(super) fn halves(lanes: std::arch::x86_64::__m256d) -> std::arch::x86_64::__m128d {
    use std::arch::x86_64::*;
    _mm_add_pd(_mm256_castpd256_pd128(lanes), _mm256_extractf128_pd(lanes, 1))
}

/// Row times gathered vector.
///
/// # Safety
/// `n` numbers can be read at both pointers.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx")]
#[inline]
unsafe fn one_dot(row: *const f64, x: *const f64, n: usize) -> f64 {
    use std::arch::x86_64::*;
    // SAFETY: every index is smaller than n.
    unsafe {
        let (mut sum, mut i) = (0.0, 0);
        if n >= 4 {
            let mut lanes = _mm256_mul_pd(_mm256_loadu_pd(row), _mm256_loadu_pd(x));
            i = 4;
            while i + 4 <= n {
                let product = _mm256_mul_pd(_mm256_loadu_pd(row.add(i)), _mm256_loadu_pd(x.add(i)));
                lanes = _mm256_add_pd(lanes, product);
                i += 4;
            }
            let pairs = halves(lanes);
            sum = _mm_cvtsd_f64(_mm_add_sd(pairs, _mm_unpackhi_pd(pairs, pairs)));
        }
        while i < n {
            sum += *row.add(i) * *x.add(i);
            i += 1;
        }
        sum
    }
}

/// [`one_dot`] of two rows that follow one another.
///
/// # Safety
/// `2 n` numbers can be read at `row` and `n` at `x`.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx")]
#[inline]
unsafe fn two_dots(row: *const f64, x: *const f64, n: usize) -> std::arch::x86_64::__m128d {
    use std::arch::x86_64::*;
    // SAFETY: every index is smaller than n.
    unsafe {
        let (first, second) = (row, row.add(n));
        let (mut sum, mut i) = (_mm_setzero_pd(), 0);
        if n >= 4 {
            let y = _mm256_loadu_pd(x);
            let mut a = _mm256_mul_pd(_mm256_loadu_pd(first), y);
            let mut b = _mm256_mul_pd(_mm256_loadu_pd(second), y);
            i = 4;
            while i + 4 <= n {
                let y = _mm256_loadu_pd(x.add(i));
                a = _mm256_add_pd(a, _mm256_mul_pd(_mm256_loadu_pd(first.add(i)), y));
                b = _mm256_add_pd(b, _mm256_mul_pd(_mm256_loadu_pd(second.add(i)), y));
                i += 4;
            }
            sum = _mm_hadd_pd(halves(a), halves(b));
        }
        while i < n {
            let rows = _mm_loadh_pd(_mm_load_sd(first.add(i)), second.add(i));
            sum = _mm_add_pd(sum, _mm_mul_pd(rows, _mm_set1_pd(*x.add(i))));
            i += 1;
        }
        sum
    }
}

/// Row times the elements of `v` in the given columns.
///
/// # Safety
/// `n` numbers can be read at `row` and `columns`, and `v` has the elements they name.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx")]
#[inline]
unsafe fn gathered_dot(row: *const f64, columns: *const u32, v: *const f64, n: usize) -> f64 {
    use std::arch::x86_64::*;
    // SAFETY: every index is smaller than n, and the columns are those of `v`.
    unsafe {
        let at = |i: usize| *v.add(*columns.add(i) as usize);
        let product = |i: usize| {
            let gathered = _mm256_set_pd(at(i + 3), at(i + 2), at(i + 1), at(i));
            _mm256_mul_pd(_mm256_loadu_pd(row.add(i)), gathered)
        };
        let (mut sum, mut i) = (0.0, 0);
        if n >= 4 {
            let mut lanes = product(0);
            i = 4;
            while i + 4 <= n {
                lanes = _mm256_add_pd(lanes, product(i));
                i += 4;
            }
            let pairs = halves(lanes);
            sum = _mm_cvtsd_f64(_mm_add_sd(pairs, _mm_unpackhi_pd(pairs, pairs)));
        }
        while i < n {
            sum += *row.add(i) * at(i);
            i += 1;
        }
        sum
    }
}

/// The portable form of `gathered_dot`.
fn dot_with_gaps(values: &[f64], columns: &[u32], v: &[f64]) -> f64 {
    let (blocks, tail) = values.as_chunks::<4>();
    let (column_blocks, column_tail) = columns.as_chunks::<4>();
    let mut lanes: Option<[f64; 4]> = None;
    for (x, c) in blocks.iter().zip(column_blocks) {
        let products: [f64; 4] = std::array::from_fn(|i| x[i] * v[c[i] as usize]);
        lanes = Some(lanes.map_or(products, |lanes| std::array::from_fn(|i| lanes[i] + products[i])));
    }
    let sum = lanes.map_or(0.0, dense::reduce);
    tail.iter().zip(column_tail).fold(sum, |sum, (x, c)| sum + x * v[*c as usize])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sparse;

    #[test]
    fn grouped_rows_have_the_bits_of_single_rows() {
        let long: Vec<i32> = (0..90).map(|i| i + i / 7).collect();
        let groups: [(usize, &[i32]); 9] = [
            (3, &[0, 1, 4, 5, 6, 8, 9]),
            (2, &[2, 3, 4, 5, 6]),
            (1, &[]),
            (1, &[7]),
            (1, &[1, 2, 3, 8, 9, 10]),
            (6, &[0, 1, 2, 50, 51, 52, 60, 61, 62, 99, 101]),
            (2, &long),
            (4, &[3, 5]),
            (3, &[11, 12, 13, 14]),
        ];
        let (mut rownnz, mut rowadr, mut colind, mut values) = (vec![], vec![], vec![], vec![]);
        for (count, columns) in groups {
            for _ in 0..count {
                rownnz.push(columns.len() as i32);
                rowadr.push(colind.len() as i32);
                colind.extend_from_slice(columns);
                values.extend((0..columns.len()).map(|i| 1.0 / (colind.len() + 3 * i) as f64 - 0.07));
            }
        }
        let v: Vec<f64> = (0..103).map(|i| 0.3 - 1.0 / (f64::from(i) + 1.1)).collect();
        let pattern = Pattern { rownnz: &rownnz, rowadr: &rowadr, colind: &colind };
        let mut supernodes = vec![0; rownnz.len()];
        crate::sparse_structure::supernodes(&mut supernodes, pattern);
        let mut found = RowGroups::default();
        found.assign(pattern, &supernodes);
        assert_eq!(found.groups.len(), groups.len());
        let mut turned = RowGroups::default();
        turned.assign_interleaved(pattern, &supernodes, &values);
        let kinds =
            |groups: &RowGroups, kind| groups.groups.iter().filter(|group| group.kind == kind).count();
        assert_eq!((kinds(&found, Kind::TwoTriples), kinds(&turned, Kind::Interleaved)), (1, 7));
        let [mut single, mut grouped, mut plain, mut lanes] =
            [1.0, 2.0, 3.0, 4.0].map(|x| vec![x; rownnz.len()]);
        sparse::mul_vec(&mut single, &values, &v, pattern);
        found.mul_vec(&mut grouped, &values, &v);
        found.mul_vec_plain(&mut plain, &values, &v);
        turned.mul_vec(&mut lanes, &values, &v);
        let bits = |list: &[f64]| list.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(&single), bits(&grouped));
        assert_eq!(bits(&single), bits(&plain));
        assert_eq!(bits(&single), bits(&lanes));
        turned.mul_vec_plain(&mut lanes, &values, &v);
        assert_eq!(bits(&single), bits(&lanes));
    }

    #[test]
    #[should_panic(expected = "width")]
    fn a_vector_shorter_than_the_columns_reach_is_refused() {
        let pattern = Pattern { rownnz: &[2], rowadr: &[0], colind: &[1, 9] };
        let mut groups = RowGroups::default();
        groups.assign(pattern, &[0]);
        #[cfg(target_arch = "x86_64")]
        groups.mul_vec(&mut [0.0], &[1.0, 1.0], &[0.0; 9]);
    }
}
