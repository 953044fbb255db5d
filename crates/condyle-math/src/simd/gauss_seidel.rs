//! A sweep of projected Gauss–Seidel over rows with bounds.
//!
//! Each row takes its product with all forces, moves its own force to where the row is satisfied, and clamps it; the next row reads
//! that force. The sums run in the order of [`crate::dense::dot`]. The four forces of the block at work stay in registers: written to
//! memory one by one, they would make the next load of the block wait. Small problems keep all forces in registers, in code of
//! their own for each number of rows. Decisions are branches, not selections, so that the processor goes on with the likely outcome
//! while the sum is still under way.

use std::ops::Range;

/// The dual problem: minimise `½ fᵀ A f + bᵀ f` with every force between its bounds.
#[derive(Clone, Copy, Debug)]
pub struct BoundedRows<'a> {
    /// `A`, row by row.
    pub matrix: &'a [f64],
    /// Linear term, one value per row.
    pub b: &'a [f64],
    /// `1 / Aᵢᵢ`
    pub inverse_diagonal: &'a [f64],
    /// `1 / (1 / Aᵢᵢ)`
    pub diagonal: &'a [f64],
    /// Least force of each row.
    pub lower: &'a [f64],
    /// Greatest force of each row.
    pub upper: &'a [f64],
}

/// A move that raises the cost by more than this is undone.
const RISE: f64 = 1e-10;

impl BoundedRows<'_> {
    /// Move the forces of `rows` one after the other; returns `improvement` less the changes of the cost.
    pub fn sweep(&self, rows: Range<usize>, force: &mut [f64], improvement: f64) -> f64 {
        let n = force.len();
        let Self { matrix, b, inverse_diagonal, diagonal, lower, upper } = self;
        assert!(rows.end <= n && matrix.len() >= n * n && b.len() >= n && inverse_diagonal.len() >= n);
        assert!(diagonal.len() >= n && lower.len() >= n && upper.len() >= n);
        #[cfg(target_arch = "x86_64")]
        // SAFETY: the lists are long enough; the processor family has the registers.
        unsafe {
            if rows == (0..n)
                && let Some(improvement) = self.sweep_small(force, improvement)
            {
                return improvement;
            }
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

    /// [`Self::sweep`] over all rows, if there are few.
    ///
    /// # Safety
    /// The matrix has as many rows and columns as there are forces, and no list is shorter.
    #[cfg(target_arch = "x86_64")]
    unsafe fn sweep_small(&self, force: &mut [f64], improvement: f64) -> Option<f64> {
        macro_rules! by_size {
            ($($size:literal: $blocks:literal, $tail:literal;)*) => {
                match force.len() {
                    // SAFETY: the caller's promise; the length is what the code is for.
                    $($size => Some(unsafe { self.sweep_all::<$blocks, $tail>(force, improvement) }),)*
                    _ => None,
                }
            };
        }
        by_size! {
            1: 0, 1; 2: 0, 2; 3: 0, 3; 4: 1, 0; 5: 1, 1; 6: 1, 2; 7: 1, 3; 8: 2, 0; 9: 2, 1; 10: 2, 2; 11: 2, 3;
            12: 3, 0; 13: 3, 1; 14: 3, 2; 15: 3, 3; 16: 4, 0; 17: 4, 1; 18: 4, 2; 19: 4, 3; 20: 5, 0; 21: 5, 1; 22: 5, 2; 23: 5, 3;
        }
    }

    /// [`Self::sweep`] over all rows of a problem of `4 BLOCKS + TAIL`, with all forces in registers.
    ///
    /// # Safety
    /// As for [`Self::sweep_small`]; there are `4 BLOCKS + TAIL` forces.
    #[cfg(target_arch = "x86_64")]
    unsafe fn sweep_all<const BLOCKS: usize, const TAIL: usize>(
        &self,
        force: &mut [f64],
        mut improvement: f64,
    ) -> f64 {
        // SAFETY: the caller's promise.
        unsafe {
            let mut forces = AllForces::<BLOCKS, TAIL>::load(force);
            macro_rules! rows {
                ($($row:literal)*) => {$(
                    if $row < 4 * BLOCKS + TAIL {
                        let product = forces.product(self.matrix.as_ptr().add($row * (4 * BLOCKS + TAIL)));
                        let (new, change) = self.moved($row, product, forces.get($row));
                        forces.set($row, new);
                        improvement -= change;
                    }
                )*};
            }
            rows! { 0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 }
            forces.store(force);
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

/// `4 BLOCKS + TAIL` forces in registers of two: blocks of four first, then the rest, one in a register.
#[cfg(target_arch = "x86_64")]
struct AllForces<const BLOCKS: usize, const TAIL: usize> {
    pairs: [std::arch::x86_64::__m128d; 10],
    rest: [f64; 3],
}

#[cfg(target_arch = "x86_64")]
impl<const BLOCKS: usize, const TAIL: usize> AllForces<BLOCKS, TAIL> {
    /// # Safety
    /// There are `4 BLOCKS + TAIL` numbers.
    #[inline(always)]
    unsafe fn load(force: &[f64]) -> Self {
        use std::arch::x86_64::*;
        // SAFETY: the caller's promise.
        unsafe {
            let mut pairs = [_mm_setzero_pd(); 10];
            for pair in 0..2 * BLOCKS {
                pairs[pair] = _mm_loadu_pd(force.as_ptr().add(2 * pair));
            }
            let mut rest = [0.0; 3];
            for index in 0..TAIL {
                rest[index] = *force.as_ptr().add(4 * BLOCKS + index);
            }
            Self { pairs, rest }
        }
    }

    /// # Safety
    /// There are `4 BLOCKS + TAIL` numbers.
    #[inline(always)]
    unsafe fn store(&self, force: &mut [f64]) {
        use std::arch::x86_64::*;
        // SAFETY: the caller's promise.
        unsafe {
            for pair in 0..2 * BLOCKS {
                _mm_storeu_pd(force.as_mut_ptr().add(2 * pair), self.pairs[pair]);
            }
            for index in 0..TAIL {
                *force.as_mut_ptr().add(4 * BLOCKS + index) = self.rest[index];
            }
        }
    }

    /// The products with a row of the matrix, summed up.
    ///
    /// # Safety
    /// There are `4 BLOCKS + TAIL` numbers at `row`.
    #[inline(always)]
    unsafe fn product(&self, row: *const f64) -> f64 {
        use std::arch::x86_64::*;
        // SAFETY: the caller's promise.
        unsafe {
            let product = |pair: usize| _mm_mul_pd(_mm_loadu_pd(row.add(2 * pair)), self.pairs[pair]);
            let mut sum = 0.0;
            if BLOCKS > 0 {
                let (mut a, mut b) = (product(0), product(1));
                for block in 1..BLOCKS {
                    (a, b) = (_mm_add_pd(a, product(2 * block)), _mm_add_pd(b, product(2 * block + 1)));
                }
                let both = _mm_add_pd(a, b);
                sum = _mm_cvtsd_f64(_mm_add_sd(both, _mm_unpackhi_pd(both, both)));
            }
            let single = |index: usize| *row.add(4 * BLOCKS + index) * self.rest[index];
            match TAIL {
                1 => sum + single(0),
                2 => sum + (single(0) + single(1)),
                3 => sum + ((single(0) + single(1)) + single(2)),
                _ => sum,
            }
        }
    }

    #[inline(always)]
    fn get(&self, row: usize) -> f64 {
        use std::arch::x86_64::*;
        if row >= 4 * BLOCKS {
            return self.rest[row - 4 * BLOCKS];
        }
        let pair = self.pairs[row / 2];
        // SAFETY: the processor family has these registers.
        unsafe { _mm_cvtsd_f64(if row.is_multiple_of(2) { pair } else { _mm_unpackhi_pd(pair, pair) }) }
    }

    #[inline(always)]
    fn set(&mut self, row: usize, new: f64) {
        use std::arch::x86_64::*;
        if row >= 4 * BLOCKS {
            self.rest[row - 4 * BLOCKS] = new;
            return;
        }
        let pair = &mut self.pairs[row / 2];
        // SAFETY: the processor family has these registers.
        unsafe {
            let new = _mm_set_sd(new);
            *pair = if row.is_multiple_of(2) { _mm_move_sd(*pair, new) } else { _mm_unpacklo_pd(*pair, new) };
        }
    }
}

/// The number as it is. An instruction that the compiler cannot see into, here an empty one, keeps it from turning the branch before it
/// into a selection.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn bound(mut x: f64) -> f64 {
    // SAFETY: nothing happens.
    unsafe {
        std::arch::asm!("/* {0} */", inout(xmm_reg) x, options(pure, nomem, nostack, preserves_flags));
    }
    x
}

/// The number as it is.
#[cfg(not(target_arch = "x86_64"))]
#[inline(always)]
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
