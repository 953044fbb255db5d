//! Sparse Cholesky factorisation in reverse order, `A = Lᵀ L` with `L` lower triangular.
//!
//! Eliminating from the last row upwards keeps kinematic trees free of fill-in. [`Symbolic`] finds the pattern of the factor once;
//! [`FactorPattern::factor`] then fills in values row by row: row `r` of `A`, minus `L[c,r] · L[c,·]` for every row `c > r` that holds
//! column `r`, in the order of the symbolic pass, divided by the root of the pivot. The elimination tree walk is that of
//! T. Davis, "Algorithm 849: a concise sparse Cholesky factorization package". Reference: `mju_cholFactorSymbolic`,
//! `mju_cholFactorNumeric`.

use crate::simd::{Lanes, wide};
use crate::sparse::{self, Pattern};
use crate::sparse_structure::start_addresses;

pub use crate::simd::changes::Changes;

/// Pattern of a factor, by rows and by columns, kept between factorisations with equal sparsity.
#[derive(Clone, Debug, Default)]
pub struct Symbolic {
    rownnz: Vec<i32>,
    rowadr: Vec<i32>,
    colind: Vec<i32>,
    /// Columns of `L`, diagonal first, then rows in the order they were found.
    column_rownnz: Vec<i32>,
    column_rowadr: Vec<i32>,
    column_rowind: Vec<i32>,
    parent: Vec<i32>,
    flag: Vec<i32>,
    cursor: Vec<i32>,
}

/// What [`Symbolic::analyze`] found.
#[derive(Clone, Copy, Debug)]
pub struct FactorPattern<'a> {
    /// By rows, diagonal last.
    pub rows: Pattern<'a>,
    /// By columns, diagonal first, then rows in the order they were found.
    pub columns: Pattern<'a>,
}

impl FactorPattern<'_> {
    /// Compute the values of the factor of `m`, given by its lower triangle. Pivots below `minimum` are raised to it; returns the
    /// number of pivots that were not. `work` has two numbers for each row.
    pub fn factor(
        self,
        l: &mut [f64],
        m: &[f64],
        m_pattern: Pattern,
        minimum: f64,
        work: &mut [i32],
    ) -> usize {
        factor_rows(l, m, m_pattern, minimum, self.rows, self.columns, work)
    }
}

impl Symbolic {
    /// Find the pattern of the factor of a symmetric matrix given by the pattern of its upper triangle (elements left of the
    /// diagonal are ignored). Returns the number of values of the factor.
    pub fn analyze(&mut self, upper: Pattern) -> usize {
        let n = upper.rows();
        for list in [
            &mut self.rownnz,
            &mut self.rowadr,
            &mut self.column_rownnz,
            &mut self.column_rowadr,
            &mut self.parent,
            &mut self.flag,
            &mut self.cursor,
        ] {
            list.clear();
            list.resize(n, 0);
        }

        let (rownnz, column_rownnz) = (&mut self.rownnz, &mut self.column_rownnz);
        walk(upper, &mut self.parent, &mut self.flag, |i, r| {
            rownnz[i] += 1;
            column_rownnz[r] += 1;
        });
        let total = start_addresses(&mut self.rowadr, rownnz);
        start_addresses(&mut self.column_rowadr, column_rownnz);

        for list in [&mut self.colind, &mut self.column_rowind] {
            list.resize(total, 0);
        }
        for i in 0..n {
            self.cursor[i] = self.rowadr[i] + rownnz[i];
            column_rownnz[i] = 0;
        }
        // Rows come in descending order, so each row of L fills from its diagonal leftwards.
        walk(upper, &mut self.parent, &mut self.flag, |i, r| {
            self.cursor[i] -= 1;
            self.colind[self.cursor[i] as usize] = r as i32;
            let slot = (self.column_rowadr[r] + column_rownnz[r]) as usize;
            column_rownnz[r] += 1;
            self.column_rowind[slot] = i as i32;
        });
        total
    }

    /// What was found last.
    pub fn found(&self) -> FactorPattern<'_> {
        FactorPattern {
            rows: Pattern { rownnz: &self.rownnz, rowadr: &self.rowadr, colind: &self.colind },
            columns: Pattern {
                rownnz: &self.column_rownnz,
                rowadr: &self.column_rowadr,
                colind: &self.column_rowind,
            },
        }
    }
}

/// Most rows that are subtracted in one pass.
const TOGETHER: usize = 4;

/// Subtract multiples of full rows from `row`, one after the other. Each starts at the first of its two addresses, and its multiple
/// stands at the second; addresses count from the first value of `below`.
#[inline(always)]
fn subtract_rows<K: Lanes>(row: &mut [f64], below: &[f64], rows: &[(usize, usize)]) {
    let n = row.len();
    match *rows {
        [a, b, c, d] => {
            let parts = [a, b, c, d].map(|(start, _)| &below[start..start + n]);
            K::add_all_scaled_to(row, parts, [a, b, c, d].map(|(_, scale)| -below[scale]));
        }
        [a, b, c] => {
            let parts = [a, b, c].map(|(start, _)| &below[start..start + n]);
            K::add_all_scaled_to(row, parts, [a, b, c].map(|(_, scale)| -below[scale]));
        }
        [a, b] => {
            let parts = [a, b].map(|(start, _)| &below[start..start + n]);
            K::add_all_scaled_to(row, parts, [a, b].map(|(_, scale)| -below[scale]));
        }
        _ => {
            for (start, scale) in rows {
                K::add_scaled_to(row, &below[*start..*start + n], -below[*scale]);
            }
        }
    }
}

/// Dofs of a free body, whose columns follow one another.
const FREE: usize = 6;

/// Subtract a multiple of a row whose columns have gaps among those of `own`. Columns of the two that follow one another do so in both.
#[inline(always)]
fn subtract_scattered<K: Lanes>(
    own: &mut [f64],
    mut values: &[f64],
    mut columns: &[i32],
    scale: f64,
    place: &[i32],
) {
    while let (Some(body), Some(body_columns)) = (values.first_chunk::<FREE>(), columns.first_chunk::<FREE>())
    {
        let first = place[body_columns[0] as usize] as usize;
        if body_columns[FREE - 1] - body_columns[0] == FREE as i32 - 1 {
            K::add_scaled_to(&mut own[first..first + FREE], body, -scale);
            (values, columns) = (&values[FREE..], &columns[FREE..]);
        } else {
            own[first] -= values[0] * scale;
            (values, columns) = (&values[1..], &columns[1..]);
        }
    }
    for (x, column) in values.iter().zip(columns) {
        own[place[*column as usize] as usize] -= x * scale;
    }
}

wide! {
    /// The numeric part of [`FactorPattern::factor`]. Row `r` of the factor has every column left of `r` that a row below it with an element in
    /// column `r` has; most of them have all of these, and are subtracted value by value. Columns come in descending order, so the elements of a
    /// row are met from its diagonal leftwards, and a number for each row says how far that has come.
    pub fn factor_rows(
        l: &mut [f64],
        m: &[f64],
        m_pattern: Pattern,
        minimum: f64,
        pattern: Pattern,
        columns: Pattern,
        work: &mut [i32],
    ) -> usize {
        let mut rank = pattern.rows();
        let (place, work) = work.split_at_mut(rank);
        let met = &mut work[..rank];
        for (row, met) in met.iter_mut().enumerate() {
            *met = pattern.rowadr[row] + pattern.rownnz[row] - 1;
        }
        for r in (0..pattern.rows()).rev() {
            let range = pattern.range(r);
            let (upper, below) = l.split_at_mut(range.end);
            let own = &mut upper[range.clone()];
            let own_columns = &pattern.colind[range.clone()];
            for (position, column) in own_columns.iter().enumerate() {
                place[*column as usize] = position as i32;
            }
            own.fill(0.0);
            for (x, column) in m[m_pattern.range(r)].iter().zip(m_pattern.columns(r)) {
                own[place[*column as usize] as usize] = *x;
            }

            let mut full = [(0, 0); TOGETHER];
            let mut waiting = 0;
            for c in columns.columns(r).iter().skip(1).map(|c| *c as usize) {
                met[c] -= 1;
                let (start, address) = (pattern.rowadr[c] as usize, met[c] as usize);
                if address + 1 - start == own.len() {
                    full[waiting] = (start - range.end, address - range.end);
                    waiting += 1;
                    if waiting == TOGETHER {
                        subtract_rows::<K>(own, below, &full);
                        waiting = 0;
                    }
                    continue;
                }
                subtract_rows::<K>(own, below, &full[..waiting]);
                waiting = 0;
                let scale = below[address - range.end];
                let values = &below[start - range.end..=address - range.end];
                let value_columns = &pattern.colind[start..=address];
                let first = place[value_columns[0] as usize] as usize;
                if first + values.len() == own.len() {
                    K::add_scaled_to(&mut own[first..], values, -scale);
                    continue;
                }
                subtract_scattered::<K>(own, values, value_columns, scale, place);
            }
            subtract_rows::<K>(own, below, &full[..waiting]);

            let Some((diagonal, row)) = own.split_last_mut() else { continue };
            if *diagonal < minimum {
                *diagonal = minimum;
                rank -= 1;
            }
            let root = diagonal.sqrt();
            K::scale_mut(row, 1.0 / root);
            *diagonal = root;
        }
        rank
    }
}

/// Visit every element `(i, r)` of the factor, column by column from the last, diagonal first.
#[inline(always)]
fn walk(upper: Pattern, parent: &mut [i32], flag: &mut [i32], mut visit: impl FnMut(usize, usize)) {
    for r in (0..upper.rows()).rev() {
        parent[r] = -1;
        flag[r] = r as i32;
        visit(r, r);
        for column in upper.columns(r) {
            // Climb the elimination tree from each element until a row already seen for this column.
            let mut i = *column;
            while i > r as i32 && flag[i as usize] != r as i32 {
                let row = i as usize;
                if parent[row] == -1 {
                    parent[row] = r as i32;
                }
                visit(row, r);
                flag[row] = r as i32;
                i = parent[row];
            }
        }
    }
}

/// Solve `Lᵀ L x = b` in place: `x` holds `b` on entry.
pub fn solve(x: &mut [f64], l: &[f64], pattern: Pattern) {
    for i in (0..pattern.rows()).rev() {
        if x[i] == 0.0 {
            continue;
        }
        let range = pattern.range(i);
        let Some((diagonal, row)) = l[range.clone()].split_last() else { continue };
        x[i] /= diagonal;
        let x_i = x[i];
        sparse::sub_scaled(x, row, &pattern.colind[range], x_i);
    }
    for i in 0..pattern.rows() {
        let range = pattern.range(i);
        let Some((diagonal, row)) = l[range.clone()].split_last() else { continue };
        if !row.is_empty() {
            x[i] -= sparse::dot(row, &pattern.colind[range], x);
        }
        x[i] /= diagonal;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cholesky::Change;
    use crate::simd::changes::MOST_CHANGES;
    use crate::{dense, matrix, sparse_structure};

    const N: usize = 7;

    /// A positive definite matrix whose reverse factorisation has fill-in: two branches and a coupling between their tips.
    fn full() -> Vec<f64> {
        let mut m = vec![0.0; N * N];
        for (i, j) in [(1, 0), (2, 1), (2, 0), (3, 0), (4, 3), (5, 2), (6, 5), (6, 4)] {
            let x = 0.3 + 0.1 * (i + j) as f64;
            m[i * N + j] = x;
            m[j * N + i] = x;
        }
        for i in 0..N {
            m[i * (N + 1)] = 5.0 + i as f64;
        }
        m
    }

    struct Triangles {
        values: Vec<f64>,
        lower: [Vec<i32>; 3],
        upper: [Vec<i32>; 3],
    }

    impl Triangles {
        fn lower(&self) -> Pattern<'_> {
            Pattern { rownnz: &self.lower[0], rowadr: &self.lower[1], colind: &self.lower[2] }
        }
        fn upper(&self) -> Pattern<'_> {
            Pattern { rownnz: &self.upper[0], rowadr: &self.upper[1], colind: &self.upper[2] }
        }
    }

    fn triangles(full: &[f64]) -> Triangles {
        let mut low = full.to_vec();
        for i in 0..N {
            low[i * N + i + 1..(i + 1) * N].fill(0.0);
        }
        let mut t = Triangles {
            values: vec![0.0; N * N],
            lower: [vec![0; N], vec![0; N], vec![0; N * N]],
            upper: [vec![0; N], vec![0; N], vec![0; N * N]],
        };
        let [nnz, adr, col] = &mut t.lower;
        assert!(sparse_structure::from_dense(&mut t.values, nnz, adr, col, &low, N, N));
        let [tnnz, tadr, tcol] = &mut t.upper;
        let lower = Pattern { rownnz: nnz, rowadr: adr, colind: col };
        sparse_structure::transpose_pattern(tnnz, tadr, tcol, lower);
        t
    }

    fn assert_solves(l: &[f64], pattern: Pattern, full: &[f64]) {
        let b: Vec<f64> = (0..N).map(|i| if i == 3 { 0.0 } else { i as f64 - 1.5 }).collect();
        let mut x = b.clone();
        solve(&mut x, l, pattern);
        let mut product = vec![0.0; N];
        matrix::mul_vec(&mut product, full, &x);
        for i in 0..N {
            assert!((product[i] - b[i]).abs() < 1e-13);
        }
    }

    #[test]
    fn factors_with_fill_in_solve_the_system() {
        let full = full();
        let t = triangles(&full);
        let mut symbolic = Symbolic::default();
        let total = symbolic.analyze(t.upper());
        assert!(total > t.lower().end(), "the sample has fill-in");
        let mut l = vec![0.0; total];
        assert_eq!(symbolic.found().factor(&mut l, &t.values, t.lower(), 1e-15, &mut [0; 2 * N]), N);
        assert_solves(&l, symbolic.found().rows, &full);
    }

    /// The factor with every row below subtracted alone, element by element in the order of the columns.
    fn factor_one_by_one(symbolic: &Symbolic, m: &[f64], m_pattern: Pattern) -> Vec<f64> {
        let pattern = symbolic.found().rows;
        let mut l = vec![0.0; pattern.end()];
        for r in (0..pattern.rows()).rev() {
            let mut row = vec![0.0; pattern.rows()];
            dense::scatter(&mut row, &m[m_pattern.range(r)], m_pattern.columns(r));
            let first = symbolic.column_rowadr[r] as usize;
            for slot in first + 1..first + symbolic.column_rownnz[r] as usize {
                let below = pattern.range(symbolic.column_rowind[slot] as usize);
                let start = below.start;
                let end = below.clone().find(|address| pattern.colind[*address] == r as i32).unwrap();
                for address in start..=end {
                    row[pattern.colind[address] as usize] -= l[address] * l[end];
                }
            }
            let root = row[r].sqrt();
            for address in pattern.range(r) {
                l[address] = row[pattern.colind[address] as usize] * (1.0 / root);
            }
            l[pattern.range(r).end - 1] = root;
        }
        l
    }

    #[test]
    fn rows_subtracted_together_give_the_bits_of_single_rows() {
        const COUNT: usize = 40;
        let mut lower = [vec![], vec![], vec![]];
        let mut values = vec![];
        for i in 0..COUNT {
            lower[1].push(values.len() as i32);
            for j in 0..=i {
                // Blocks of six along the diagonal, and some of them coupled.
                if i / 6 == j / 6 || (i / 6 + j / 6) % 4 == 1 && (i * j) % 5 < 3 {
                    lower[2].push(j as i32);
                    values.push(if i == j { 30.0 } else { 1.0 / (i + 3 * j + 1) as f64 - 0.1 });
                }
            }
            lower[0].push((values.len() as i32) - lower[1][i]);
        }
        let lower = Pattern { rownnz: &lower[0], rowadr: &lower[1], colind: &lower[2] };
        let mut upper = [vec![0; COUNT], vec![0; COUNT], vec![0; values.len()]];
        let [rownnz, rowadr, colind] = &mut upper;
        sparse_structure::transpose_pattern(rownnz, rowadr, colind, lower);
        let mut symbolic = Symbolic::default();
        let total = symbolic.analyze(Pattern { rownnz, rowadr, colind });
        let mut l = vec![7.0; total];
        assert_eq!(symbolic.found().factor(&mut l, &values, lower, 1e-15, &mut [0; 2 * COUNT]), COUNT);
        assert_eq!(l, factor_one_by_one(&symbolic, &values, lower));
        let columns = Pattern {
            rownnz: &symbolic.column_rownnz,
            rowadr: &symbolic.column_rowadr,
            colind: &symbolic.column_rowind,
        };
        let mut work = vec![0; 2 * COUNT];
        let (pattern, mut narrow) = (symbolic.found().rows, vec![9.0; total]);
        factor_rows::plain(&mut narrow, &values, lower, 1e-15, pattern, columns, &mut work);
        assert_eq!(l, narrow);
    }

    #[test]
    fn rank_one_change_equals_a_new_factorisation() {
        let mut full = full();
        let t = triangles(&full);
        let mut symbolic = Symbolic::default();
        let total = symbolic.analyze(t.upper());
        let mut l = vec![0.0; total];
        symbolic.found().factor(&mut l, &t.values, t.lower(), 1e-15, &mut [0; 2 * N]);
        let (x, columns) = ([0.4, -0.9], [4, 6]);
        let mut changes = Changes::default();
        let mut change = |l: &mut [f64], x: &[f64], columns: &[i32], change: Change| {
            changes.begin(N);
            changes.push(x, columns, change);
            changes.apply(l, symbolic.found().rows)
        };
        assert!(change(&mut l, &x, &columns, Change::Add));
        for (a, i) in x.iter().zip(columns) {
            for (b, j) in x.iter().zip(columns) {
                full[i as usize * N + j as usize] += a * b;
            }
        }
        assert_solves(&l, symbolic.found().rows, &full);
        assert!(change(&mut l, &x, &columns, Change::Subtract));
        assert_solves(&l, symbolic.found().rows, &super::tests::full());
        assert!(change(&mut l, &[], &[], Change::Add));
        assert!(!change(&mut l, &[9.0, 9.0], &columns, Change::Subtract));
    }

    #[test]
    fn changes_together_give_the_bits_of_one_after_the_other() {
        let t = triangles(&full());
        let mut symbolic = Symbolic::default();
        let total = symbolic.analyze(t.upper());
        let mut together = vec![0.0; total];
        symbolic.found().factor(&mut together, &t.values, t.lower(), 1e-15, &mut [0; 2 * N]);
        let mut single = together.clone();
        let (mut many, mut one) = (Changes::default(), Changes::default());
        many.begin(N);
        for k in 0..MOST_CHANGES {
            let x = [0.4 + 0.1 * k as f64, 0.3 - 0.2 * k as f64];
            let kind = if k == 5 { Change::Subtract } else { Change::Add };
            let x = if k == 5 { [0.1, 0.05] } else { x };
            let columns: &[i32] = if k % 3 == 0 { &[4] } else { &[4, 6] };
            many.push(&x[..columns.len()], columns, kind);
            one.begin(N);
            one.push(&x[..columns.len()], columns, kind);
            assert!(one.apply(&mut single, symbolic.found().rows));
        }
        assert!(many.is_full());
        assert!(many.apply(&mut together, symbolic.found().rows) && !many.is_full());
        assert_eq!(together, single);
    }

    #[test]
    fn small_pivots_are_raised_and_counted() {
        let pattern = Pattern { rownnz: &[1, 2], rowadr: &[0, 1], colind: &[0, 0, 1] };
        let upper = Pattern { rownnz: &[2, 1], rowadr: &[0, 2], colind: &[0, 1, 1] };
        let mut symbolic = Symbolic::default();
        assert_eq!(symbolic.analyze(upper), 3);
        let mut l = [0.0; 3];
        assert_eq!(symbolic.found().factor(&mut l, &[1.0, 1.0, 1.0], pattern, 1e-6, &mut [0; 4]), 1);
        assert_eq!(l, [1e-3, 1.0, 1.0]);
    }
}
