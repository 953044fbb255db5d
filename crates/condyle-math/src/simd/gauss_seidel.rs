//! A sweep of projected Gauss–Seidel over rows with bounds.
//!
//! Each row takes its product with all forces, moves its own force to where the row is satisfied, and clamps it; the next row reads
//! that force. The sums run in the order of [`crate::dense::dot`]. The four forces of the block at work stay in registers: written to
//! memory one by one, they would make the next load of the block wait. Decisions are branches, not selections, so that the
//! processor goes on with the likely outcome while the sum is still under way.

use std::ops::Range;

/// The dual problem: minimise `½ fᵀ A f + bᵀ f` with every force between its bounds.
#[derive(Clone, Copy, Debug)]
pub struct BoundedRows<'a> {
    /// `A`, row by row.
    pub matrix: &'a [f64],
    pub b: &'a [f64],
    /// `1 / Aᵢᵢ`
    pub inverse_diagonal: &'a [f64],
    /// `1 / (1 / Aᵢᵢ)`
    pub diagonal: &'a [f64],
    pub lower: &'a [f64],
    pub upper: &'a [f64],
}

/// A move that raises the cost by more than this is undone.
const RISE: f64 = 1e-10;

impl BoundedRows<'_> {
    /// Move the forces of `rows` one after the other; returns `improvement` less the changes of the cost.
    pub fn sweep(&self, rows: Range<usize>, force: &mut [f64], improvement: f64) -> f64 {
        let n = force.len();
        assert!(rows.end <= n && self.matrix.len() >= n * n);
        for list in [self.b, self.inverse_diagonal, self.diagonal, self.lower, self.upper] {
            assert!(list.len() >= n);
        }
        #[cfg(target_arch = "x86_64")]
        // SAFETY: the lists are long enough; the processor family has the registers.
        unsafe {
            self.sweep_in_registers(rows, force, improvement)
        }
        #[cfg(not(target_arch = "x86_64"))]
        self.sweep_plain(rows, force, improvement)
    }

    /// The new force for the product of the row with the old forces, and the change of the cost.
    #[inline(always)]
    fn moved(&self, row: usize, product: f64, old: f64) -> (f64, f64) {
        let residual = self.b[row] + product;
        let mut new = old - residual * self.inverse_diagonal[row];
        if new < self.lower[row] {
            new = bound(self.lower[row]);
        } else if new > self.upper[row] {
            new = bound(self.upper[row]);
        }
        let delta = new - old;
        let change = 0.5 * delta * delta * self.diagonal[row] + delta * residual;
        if change > RISE { (bound(old), 0.0) } else { (new, change) }
    }

    /// [`Self::sweep`] row by row.
    #[cfg(any(test, not(target_arch = "x86_64")))]
    fn sweep_plain(&self, rows: Range<usize>, force: &mut [f64], mut improvement: f64) -> f64 {
        let n = force.len();
        for row in rows {
            let product = crate::dense::dot(&self.matrix[row * n..][..n], force);
            let (new, change) = self.moved(row, product, force[row]);
            force[row] = new;
            improvement -= change;
        }
        improvement
    }

    /// # Safety
    /// `rows` are rows of the matrix, which has as many columns as there are forces, and no list is shorter.
    #[cfg(target_arch = "x86_64")]
    unsafe fn sweep_in_registers(&self, rows: Range<usize>, force: &mut [f64], mut improvement: f64) -> f64 {
        use std::arch::x86_64::*;
        let n = force.len();
        let blocks = n / 4;
        let mut row = rows.start;
        while row < rows.end {
            let block = row / 4;
            if block == blocks {
                // The last up to three forces are added one by one.
                // SAFETY: the row is one of the matrix.
                let product = unsafe {
                    let none = _mm_setzero_pd();
                    self.product(row, force, blocks, none, none)
                };
                let (new, change) = self.moved(row, product, force[row]);
                force[row] = new;
                improvement -= change;
                row += 1;
                continue;
            }
            // SAFETY: the block has four forces.
            unsafe {
                let own = force.as_mut_ptr().add(4 * block);
                let (mut low, mut high) = (_mm_loadu_pd(own), _mm_loadu_pd(own.add(2)));
                let end = rows.end.min(4 * block + 4);
                while row < end {
                    let product = self.product(row, force, block, low, high);
                    let lane = row % 4;
                    let old = match lane {
                        0 => _mm_cvtsd_f64(low),
                        1 => _mm_cvtsd_f64(_mm_unpackhi_pd(low, low)),
                        2 => _mm_cvtsd_f64(high),
                        _ => _mm_cvtsd_f64(_mm_unpackhi_pd(high, high)),
                    };
                    let (new, change) = self.moved(row, product, old);
                    let new = _mm_set_sd(new);
                    match lane {
                        0 => low = _mm_move_sd(low, new),
                        1 => low = _mm_unpacklo_pd(low, new),
                        2 => high = _mm_move_sd(high, new),
                        _ => high = _mm_unpacklo_pd(high, new),
                    }
                    improvement -= change;
                    row += 1;
                }
                _mm_storeu_pd(own, low);
                _mm_storeu_pd(own.add(2), high);
            }
        }
        improvement
    }

    /// The row times the forces, with those of one block in registers.
    ///
    /// # Safety
    /// As for [`Self::sweep_in_registers`]; `row` is one of the matrix.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    unsafe fn product(
        &self,
        row: usize,
        force: &[f64],
        block: usize,
        low: std::arch::x86_64::__m128d,
        high: std::arch::x86_64::__m128d,
    ) -> f64 {
        use std::arch::x86_64::*;
        let n = force.len();
        let blocks = n / 4;
        // SAFETY: every index is smaller than n.
        unsafe {
            let (m, f) = (self.matrix.as_ptr().add(row * n), force.as_ptr());
            let product = |i: usize| _mm_mul_pd(_mm_loadu_pd(m.add(i)), _mm_loadu_pd(f.add(i)));
            let mut sum = 0.0;
            if blocks > 0 {
                let (mut a, mut b, mut i);
                if block == 0 {
                    (a, b) = (_mm_mul_pd(_mm_loadu_pd(m), low), _mm_mul_pd(_mm_loadu_pd(m.add(2)), high));
                    i = 1;
                } else {
                    (a, b) = (product(0), product(2));
                    i = 1;
                    while i < block {
                        (a, b) = (_mm_add_pd(a, product(4 * i)), _mm_add_pd(b, product(4 * i + 2)));
                        i += 1;
                    }
                    if block < blocks {
                        a = _mm_add_pd(a, _mm_mul_pd(_mm_loadu_pd(m.add(4 * i)), low));
                        b = _mm_add_pd(b, _mm_mul_pd(_mm_loadu_pd(m.add(4 * i + 2)), high));
                        i += 1;
                    }
                }
                while i < blocks {
                    (a, b) = (_mm_add_pd(a, product(4 * i)), _mm_add_pd(b, product(4 * i + 2)));
                    i += 1;
                }
                let pairs = _mm_add_pd(a, b);
                sum = _mm_cvtsd_f64(_mm_add_sd(pairs, _mm_unpackhi_pd(pairs, pairs)));
            }
            let single = |i: usize| *m.add(i) * *f.add(i);
            let i = 4 * blocks;
            match n % 4 {
                1 => sum + single(i),
                2 => sum + (single(i) + single(i + 1)),
                3 => sum + ((single(i) + single(i + 1)) + single(i + 2)),
                _ => sum,
            }
        }
    }
}

/// The number as it is. A call keeps the compiler from turning the branch before it into a selection.
#[inline(never)]
fn bound(x: f64) -> f64 {
    x
}

#[cfg(test)]
mod tests {
    use super::super::tests::{Numbers, bits};
    use super::*;

    #[test]
    fn a_sweep_in_registers_has_the_bits_of_one_row_by_row() {
        let mut numbers = Numbers(21);
        for n in 1..30 {
            let mut matrix: Vec<f64> = numbers.vec(n * n).iter().map(|x| x % 1.0).collect();
            for i in 0..n {
                matrix[i * (n + 1)] = matrix[i * (n + 1)].abs() + 2.0;
            }
            let inverse_diagonal: Vec<f64> = (0..n).map(|i| 1.0 / matrix[i * (n + 1)]).collect();
            let diagonal: Vec<f64> = inverse_diagonal.iter().map(|x| 1.0 / x).collect();
            let problem = BoundedRows {
                matrix: &matrix,
                b: &numbers.vec(n),
                inverse_diagonal: &inverse_diagonal,
                diagonal: &diagonal,
                lower: &(0..n).map(|i| [f64::NEG_INFINITY, -0.1, 0.0][i % 3]).collect::<Vec<_>>(),
                upper: &(0..n).map(|i| [f64::INFINITY, 0.1, f64::INFINITY][i % 3]).collect::<Vec<_>>(),
            };
            for rows in [0..n, n / 3..n, 0..n / 2, n / 4..n / 2, n..n] {
                let mut force = numbers.vec(n);
                let mut plain = force.clone();
                for _ in 0..3 {
                    let first = problem.sweep(rows.clone(), &mut force, 0.5);
                    let second = problem.sweep_plain(rows.clone(), &mut plain, 0.5);
                    assert_eq!(first.to_bits(), second.to_bits());
                    assert_eq!(bits(&force), bits(&plain));
                }
            }
        }
    }
}
