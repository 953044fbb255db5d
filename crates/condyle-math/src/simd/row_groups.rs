//! Sparse matrix times vector where the same matrix is multiplied many times, as in an iteration.
//!
//! Neighbouring rows often have the same columns: those of one contact, or in the transpose those of one body. They are found once per
//! matrix, with every column number checked, so that a product gathers the vector once per group and checks nothing. Each row sums as
//! [`sparse::dot`](crate::sparse::dot) does.

use super::{GATHERED, Group, RowGroups};
use crate::dense;
use crate::sparse::Pattern;

impl RowGroups {
    /// Find the groups; `supernodes` says for each row how many rows directly below have the same columns.
    pub fn assign(&mut self, pattern: Pattern, supernodes: &[i32]) {
        self.groups.clear();
        self.columns.clear();
        (self.rows, self.values, self.width) = (pattern.rows(), 0, 0);
        let mut r = 0;
        while r < pattern.rows() {
            let range = pattern.range(r);
            let columns = &pattern.colind[range.clone()];
            let below = supernodes.get(r).map_or(0, |below| (*below).max(0) as usize);
            let most = (below + 1).min(pattern.rows() - r);
            let mut count = 1;
            while count < most && pattern.rowadr[r + count] as usize == range.start + count * range.len() {
                count += 1;
            }
            self.values = self.values.max(range.start + count * range.len());
            self.push(range.start, count, columns);
            r += count;
        }
    }

    fn push(&mut self, first_value: usize, count: usize, columns: &[i32]) {
        let (first, last) = match columns {
            [] => (0, 0),
            [first, .., last] => (*first as u32, *last as u32),
            [only] => (*only as u32, *only as u32),
        };
        let gapless = columns.is_empty() || last.wrapping_sub(first) as usize == columns.len() - 1;
        let mut first_column = first;
        if gapless {
            self.width = self.width.max(first as usize + columns.len());
        } else {
            first_column = self.columns.len() as u32;
            let largest = columns.iter().fold(0, |largest, column| (*column as u32).max(largest));
            self.width = self.width.max(largest as usize + 1);
            self.columns.extend(columns.iter().map(|column| *column as u32));
        }
        let (count, length) = (count as u32, columns.len() as u32);
        self.groups.push(Group { first_value, count, length, gapless, first_column });
    }

    pub(super) fn mul_vec_plain(&self, result: &mut [f64], m: &[f64], v: &[f64]) {
        let mut buffer = [0.0; GATHERED];
        let mut result = result[..self.rows].iter_mut();
        for group in &self.groups {
            let (n, first) = (group.length as usize, group.first_column as usize);
            let rows = &m[group.first_value..][..n * group.count as usize];
            let columns = if group.gapless { &[] } else { &self.columns[first..][..n] };
            let long = n > GATHERED;
            let gathered = if group.gapless {
                &v[first..first + n]
            } else {
                for (x, column) in buffer.iter_mut().zip(columns) {
                    *x = v[*column as usize];
                }
                &buffer[..n.min(GATHERED)]
            };
            for (k, out) in result.by_ref().take(group.count as usize).enumerate() {
                let row = &rows[k * n..][..n];
                if long && !group.gapless {
                    *out = dot_with_gaps(row, columns, v);
                } else {
                    let (sum, tail, v_tail) = dense::dot_blocks(row, gathered);
                    *out = tail.iter().zip(v_tail).fold(sum, |sum, (x, y)| sum + x * y);
                }
            }
        }
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
        let groups: [(usize, &[i32]); 7] = [
            (3, &[0, 1, 4, 5, 6, 8, 9]),
            (2, &[2, 3, 4, 5, 6]),
            (1, &[]),
            (1, &[7]),
            (1, &[1, 2, 3, 8, 9, 10]),
            (6, &[0, 1, 2, 50, 51, 52, 60, 61, 62, 99, 101]),
            (2, &long),
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
        let [mut single, mut grouped, mut plain] = [1.0, 2.0, 3.0].map(|x| vec![x; rownnz.len()]);
        sparse::mul_vec(&mut single, &values, &v, pattern);
        found.mul_vec(&mut grouped, &values, &v);
        found.mul_vec_plain(&mut plain, &values, &v);
        let bits = |list: &[f64]| list.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
        assert_eq!(bits(&single), bits(&grouped));
        assert_eq!(bits(&single), bits(&plain));
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
