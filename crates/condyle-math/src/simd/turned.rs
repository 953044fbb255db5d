//! Dense Cholesky factorisation `A = L Lᵀ` with the factor stored by columns.
//!
//! Row `k` of the storage is column `k` of `L`, so that the elements a pivot works on lie side by side: four of them go through
//! the same operations in one register, each in the order in which [`crate::cholesky`] does them one by one, and get the same
//! bits. Rows are padded to whole registers. What stands left of the diagonal is left over from such registers and never read for
//! an element that counts; the diagonal itself has a place of its own, because a number written into the middle of a register
//! makes the next load of that register wait.

use super::{Register, quotients};
use crate::MIN_VALUE;
use crate::cholesky::Change;
use crate::sparse::Pattern;

/// A symmetric matrix or its Cholesky factor, lower triangle by columns.
#[derive(Clone, Debug, Default)]
pub struct TurnedFactor {
    /// `n` rows of `stride` values.
    values: Vec<f64>,
    /// Diagonal of the factor.
    diagonal: Vec<f64>,
    n: usize,
    /// `n` rounded up to whole registers.
    stride: usize,
    /// Vectors of `stride` values at work.
    work: Vec<f64>,
    /// Of the changes in `work` that wait, one for those that are added, minus one for those that are subtracted.
    signs: [f64; TOGETHER],
    waiting: usize,
}

/// Numbers in the widest register.
const WIDE: usize = 4;

/// Most vectors that one pass adds, and most changes that wait.
const TOGETHER: usize = 4;

/// Define methods in two versions, for single numbers and for registers of four, that share one body.
macro_rules! in_registers {
    ($($(#[$meta:meta])* fn $name:ident(&mut self $(, $arg:ident: $ty:ty)*) $(-> $result:ty)? => $kernel:ident)*) => {$(
        $(#[$meta])*
        pub fn $name(&mut self $(, $arg: $ty)*) $(-> $result)? {
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx")]
            fn avx(factor: &mut TurnedFactor $(, $arg: $ty)*) $(-> $result)? {
                // SAFETY: the processor has the register.
                unsafe { factor.$kernel::<std::arch::x86_64::__m256d, WIDE>($($arg),*) }
            }
            #[cfg(target_arch = "x86_64")]
            if super::has_avx() {
                // SAFETY: the processor has the feature the function is compiled for.
                return unsafe { avx(self $(, $arg)*) };
            }
            // SAFETY: every processor has single numbers.
            unsafe { self.$kernel::<f64, 1>($($arg),*) }
        }
    )*};
}

impl TurnedFactor {
    in_registers! {
        /// `A = mᵀ diag(weights) m` for `m` of as many rows as there are weights, as [`crate::matrix::gram`] computes it.
        fn assign_gram(&mut self, m: &[f64], weights: &[f64], columns: usize) => gram_in
        /// Factorise in place. Pivots below `minimum` are raised to it; returns the number of pivots that were not.
        fn factor(&mut self, minimum: f64) -> usize => factor_in
        /// Replace the factor of `A` by that of `A ± Σ x xᵀ` for the changes that wait, one after the other; returns how many pivots were
        /// raised to [`MIN_VALUE`].
        fn apply(&mut self) -> usize => apply_in
    }

    /// Change `A` by `± s² x xᵀ`, at the latest with the next [`Self::apply`]; returns how many pivots were raised to [`MIN_VALUE`] now.
    pub fn update(&mut self, x: &[f64], s: f64, change: Change) -> usize {
        let (n, stride) = (self.n, self.stride);
        let sign = match change {
            Change::Add => 1.0,
            Change::Subtract => -1.0,
        };
        let place = self.wait(sign);
        let work = &mut self.work[place * stride..][..stride];
        for (out, x) in work.iter_mut().zip(&x[..n]) {
            *out = x * s;
        }
        work[n..].fill(0.0);
        if self.waiting == TOGETHER { self.apply() } else { 0 }
    }

    /// Change `A` by `Σ xᵢ xᵢᵀ`, at the latest with the next [`Self::apply`], with `xᵢ = Σ mixᵣᵢ rowᵣ` over the rows from
    /// `i` on; `mix` is square.
    pub fn add_mixed_rows(&mut self, rows: &[f64], mix: &[f64], count: usize) {
        let (n, stride) = (self.n, self.stride);
        for i in 0..count {
            let place = self.wait(1.0);
            let work = &mut self.work[place * stride..][..stride];
            work.fill(0.0);
            for (r, row) in rows.chunks_exact(n).enumerate().take(count).skip(i) {
                let s = mix[r * count + i];
                for (out, x) in work.iter_mut().zip(row) {
                    *out += x * s;
                }
            }
            if self.waiting == TOGETHER {
                self.apply();
            }
        }
    }

    /// The place in `work` of one more change.
    fn wait(&mut self, sign: f64) -> usize {
        let place = self.waiting;
        if place == 0 {
            self.work.resize(TOGETHER * self.stride, 0.0);
        }
        self.signs[place] = sign;
        self.waiting += 1;
        place
    }

    /// Solve `L Lᵀ x = b` in place: `x` holds `b` on entry.
    pub fn solve(&self, x: &mut [f64]) {
        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "avx")]
        fn avx(factor: &TurnedFactor, x: &mut [f64]) {
            // SAFETY: the processor has the register.
            unsafe { factor.solve_in::<std::arch::x86_64::__m256d, WIDE>(x) }
        }
        #[cfg(target_arch = "x86_64")]
        if super::has_avx() {
            // SAFETY: the processor has the feature the function is compiled for.
            return unsafe { avx(self, x) };
        }
        // SAFETY: every processor has single numbers.
        unsafe { self.solve_in::<f64, 1>(x) }
    }

    fn resize(&mut self, n: usize) {
        (self.n, self.stride) = (n, n.next_multiple_of(WIDE));
        self.waiting = 0;
        self.diagonal.resize(n, 0.0);
        self.values.clear();
        self.values.resize(n * self.stride, 0.0);
    }

    /// Take over the numbers of another factor, keeping the memory.
    pub fn copy_from(&mut self, other: &Self) {
        (self.n, self.stride) = (other.n, other.stride);
        self.waiting = 0;
        self.diagonal.clone_from(&other.diagonal);
        self.values.clone_from(&other.values);
    }

    /// `A += m` for a symmetric `m` given by its lower triangle.
    pub fn add_symmetric(&mut self, m: &[f64], pattern: Pattern) {
        for i in 0..self.n {
            for address in pattern.range(i) {
                self.values[pattern.colind[address] as usize * self.stride + i] += m[address];
            }
        }
    }

    /// [`Self::assign_gram`] element by element with the zeros of `m` left out, where that makes a difference.
    #[cold]
    fn gram_with_non_finite(&mut self, m: &[f64], weights: &[f64]) {
        self.values.fill(0.0);
        for (row, weight) in m.chunks_exact(self.n).zip(weights) {
            for i in 0..self.n {
                if *weight != 0.0 && row[i] != 0.0 {
                    let s = row[i] * weight;
                    for j in 0..=i {
                        self.values[j * self.stride + i] += row[j] * s;
                    }
                }
            }
        }
    }

    /// # Safety
    /// The processor has the register, of `W` numbers.
    #[inline(always)]
    unsafe fn gram_in<R: Register, const W: usize>(&mut self, m: &[f64], weights: &[f64], columns: usize) {
        self.resize(columns);
        let (n, stride) = (self.n, self.stride);
        let m = &m[..weights.len() * n];
        self.work.clear();
        self.work.resize(TOGETHER * stride, 0.0);
        let mut rows: [&[f64]; TOGETHER] = [&[]; TOGETHER];
        let mut count = 0;
        // SAFETY: there are `TOGETHER` vectors in `work`, and rows have n numbers.
        unsafe {
            for (r, weight) in weights.iter().enumerate() {
                if *weight == 0.0 {
                    continue;
                }
                let row = &m[r * n..][..n];
                for (scaled, x) in self.work[count * stride..][..n].iter_mut().zip(row) {
                    *scaled = x * weight;
                }
                rows[count] = row;
                count += 1;
                if count == TOGETHER {
                    self.add_products::<R, W, TOGETHER>(rows);
                    count = 0;
                }
            }
            match rows[..count] {
                [a] => self.add_products::<R, W, 1>([a]),
                [a, b] => self.add_products::<R, W, 2>([a, b]),
                [a, b, c] => self.add_products::<R, W, 3>([a, b, c]),
                _ => {}
            }
        }
        // Zero times NaN or infinity is not zero. Such a number reaches the diagonal, and stays there.
        if (0..n).any(|i| !self.values[i * (stride + 1)].is_finite()) {
            self.gram_with_non_finite(m, weights);
        }
    }

    /// `A += row (scaled row)ᵀ` for each of the rows, with the scaled rows in `work`.
    ///
    /// # Safety
    /// The processor has the register, of `W` numbers; `work` has `N` vectors and each row has `n` numbers.
    #[inline(always)]
    unsafe fn add_products<R: Register, const W: usize, const N: usize>(&mut self, rows: [&[f64]; N]) {
        let (n, stride, work) = (self.n, self.stride, self.work.as_ptr());
        for j in 0..n {
            // SAFETY: j < n, and i below stays inside the padded row.
            unsafe {
                let x = rows.map(|row| *row.get_unchecked(j));
                if x.iter().all(|x| *x == 0.0) {
                    continue;
                }
                let x = x.map(|x| R::splat(x));
                let out = self.values.as_mut_ptr().add(j * stride);
                let mut i = j / W * W;
                while i < stride {
                    let mut sum = R::load(out.add(i));
                    for k in 0..N {
                        sum = sum.add(R::load(work.add(k * stride + i)).mul(x[k]));
                    }
                    sum.store(out.add(i));
                    i += W;
                }
            }
        }
    }

    /// # Safety
    /// The processor has the register, of `W` numbers.
    #[inline(always)]
    unsafe fn factor_in<R: Register, const W: usize>(&mut self, minimum: f64) -> usize {
        let (n, stride) = (self.n, self.stride);
        let values = self.values.as_mut_ptr();
        let mut rank = n;
        for j in 0..n {
            // SAFETY: all rows are smaller than n, and chunks of `W` stay inside the padded row.
            unsafe {
                let row = values.add(j * stride);
                let first = j / W * W;
                let mut i = first;
                while i + 2 * W <= stride {
                    subtract_products::<R, W, 2>(values, stride, j, i);
                    i += 2 * W;
                }
                while i < stride {
                    subtract_products::<R, W, 1>(values, stride, j, i);
                    i += W;
                }
                let mut pivot = *row.add(j);
                if pivot < minimum {
                    pivot = minimum;
                    rank -= 1;
                }
                let root = pivot.sqrt();
                self.diagonal[j] = root;
                let inverse = R::splat(1.0 / root);
                let mut i = first;
                while i < stride {
                    R::load(row.add(i)).mul(inverse).store(row.add(i));
                    i += W;
                }
            }
        }
        rank
    }

    /// Each pivot takes all changes before the next: what a change reads, the one before it has written. The roots and quotients of one change
    /// at a pivot then need not wait for those of another at the pivots before.
    ///
    /// # Safety
    /// The processor has the register, of `W` numbers.
    #[inline(always)]
    unsafe fn apply_in<R: Register, const W: usize>(&mut self) -> usize {
        let (n, stride, count) = (self.n, self.stride, std::mem::take(&mut self.waiting));
        let (values, work) = (self.values.as_mut_ptr(), self.work.as_mut_ptr());
        let mut raised = 0;
        let mut turns = [Turn { x: work, cosine: 0.0, inverse: 0.0, sine: 0.0, signed_sine: 0.0 }; TOGETHER];
        for k in 0..n {
            let mut diagonal = self.diagonal[k];
            let mut active = 0;
            for (vector, sign) in self.signs[..count].iter().enumerate() {
                // SAFETY: k < n, and `work` has the vectors that wait.
                let (x, own) = unsafe {
                    let x = work.add(vector * stride);
                    (x, *x.add(k))
                };
                if own == 0.0 {
                    continue;
                }
                let mut pivot = diagonal * diagonal + sign * (own * own);
                if pivot < MIN_VALUE {
                    pivot = MIN_VALUE;
                    raised += 1;
                }
                let root = pivot.sqrt();
                let (cosine, sine) = quotients(root, own, diagonal);
                turns[active] = Turn { x, cosine, inverse: 1.0 / cosine, sine, signed_sine: sign * sine };
                active += 1;
                diagonal = root;
            }
            self.diagonal[k] = diagonal;
            // SAFETY: k < n, and chunks of `W` stay inside the padded rows.
            unsafe {
                let row = values.add(k * stride);
                let from = (k + 1) / W * W;
                match turns[..active] {
                    [a] => turn_row::<R, W, 1>(row, from, stride, [a]),
                    [a, b] => turn_row::<R, W, 2>(row, from, stride, [a, b]),
                    [a, b, c] => turn_row::<R, W, 3>(row, from, stride, [a, b, c]),
                    [a, b, c, d] => turn_row::<R, W, 4>(row, from, stride, [a, b, c, d]),
                    _ => {}
                }
            }
        }
        raised
    }

    /// # Safety
    /// The processor has the register, of `W` numbers.
    #[inline(always)]
    unsafe fn solve_in<R: Register, const W: usize>(&self, x: &mut [f64]) {
        let (n, stride) = (self.n, self.stride);
        let (x, diagonal) = (&mut x[..n], &self.diagonal[..n]);
        let values = self.values.as_ptr();
        for base in (0..n).step_by(4) {
            // Products with the blocks of four before this one; what is left is one to three products per row.
            let mut sums = [0.0; 4];
            if base > 0 {
                for lane in (0..4).step_by(W) {
                    // SAFETY: all rows are smaller than `base`, hence than n, and the four lanes are inside the padded row.
                    unsafe {
                        let column = values.add(base + lane);
                        let product =
                            |k: usize| R::load(column.add(k * stride)).mul(R::splat(*x.get_unchecked(k)));
                        blocks_of_four(base, product).store(sums.as_mut_ptr().add(lane));
                    }
                }
            }
            let last = (n - base).min(4);
            let mut own = [0.0; 4];
            for lane in 0..last {
                let product = |k: usize| self.values[(base + k) * stride + base + lane] * own[k];
                let sum = match lane {
                    0 => sums[0],
                    1 => sums[1] + product(0),
                    2 => sums[2] + (product(0) + product(1)),
                    _ => sums[3] + ((product(0) + product(1)) + product(2)),
                };
                own[lane] = (x[base + lane] - sum) / diagonal[base + lane];
            }
            x[base..base + last].copy_from_slice(&own[..last]);
        }
        for i in (0..n).rev() {
            let row = &self.values[i * stride..][..n];
            let mut sum = x[i];
            for (element, x) in row[i + 1..].iter().zip(&x[i + 1..]) {
                sum -= element * x;
            }
            x[i] = sum / diagonal[i];
        }
    }
}

/// What a rank-one change does at a pivot.
#[derive(Clone, Copy)]
struct Turn {
    /// The vector of the change.
    x: *mut f64,
    cosine: f64,
    inverse: f64,
    sine: f64,
    /// Negative where the change is subtracted.
    signed_sine: f64,
}

/// Take changes into the elements of a column behind the pivot, one change after the other.
///
/// # Safety
/// The processor has the register, of `W` numbers; the row and the vectors have `stride` values.
#[inline(always)]
unsafe fn turn_row<R: Register, const W: usize, const N: usize>(
    row: *mut f64,
    from: usize,
    stride: usize,
    turns: [Turn; N],
) {
    // SAFETY: the caller's promise.
    unsafe {
        let mut i = from;
        while i < stride {
            let mut element = R::load(row.add(i));
            for turn in &turns {
                let other = R::load(turn.x.add(i));
                element = element.add(R::splat(turn.signed_sine).mul(other)).mul(R::splat(turn.inverse));
                let moved = R::splat(turn.cosine).mul(other).sub(R::splat(turn.sine).mul(element));
                moved.store(turn.x.add(i));
            }
            element.store(row.add(i));
            i += W;
        }
    }
}

/// The sum of `end` products, a multiple of four and not zero, in the order of a dot product.
///
/// # Safety
/// The processor has the register.
#[inline(always)]
unsafe fn blocks_of_four<R: Register>(end: usize, product: impl Fn(usize) -> R) -> R {
    // SAFETY: the caller's promise.
    unsafe {
        let mut lanes = [product(0), product(1), product(2), product(3)];
        let mut k = 4;
        while k < end {
            for lane in 0..4 {
                lanes[lane] = lanes[lane].add(product(k + lane));
            }
            k += 4;
        }
        lanes[0].add(lanes[2]).add(lanes[1].add(lanes[3]))
    }
}

/// Subtract from `C` chunks of row `j`, from element `i` on, the products of the rows above it.
///
/// # Safety
/// The processor has the register, of `W` numbers; the matrix has more than `j` rows of `stride` values, and the chunks are inside.
#[inline(always)]
unsafe fn subtract_products<R: Register, const W: usize, const C: usize>(
    values: *mut f64,
    stride: usize,
    j: usize,
    i: usize,
) {
    // SAFETY: the caller's promise.
    unsafe {
        let product = |k: usize, c: usize| {
            let row = values.add(k * stride);
            R::load(row.add(i + c * W)).mul(R::splat(*row.add(j)))
        };
        let blocks = j / 4 * 4;
        let mut sums = [R::splat(0.0); C];
        if blocks > 0 {
            let mut lanes = [sums; 4];
            for lane in 0..4 {
                for c in 0..C {
                    lanes[lane][c] = product(lane, c);
                }
            }
            let mut k = 4;
            while k < blocks {
                for lane in 0..4 {
                    for c in 0..C {
                        lanes[lane][c] = lanes[lane][c].add(product(k + lane, c));
                    }
                }
                k += 4;
            }
            for c in 0..C {
                sums[c] = lanes[0][c].add(lanes[2][c]).add(lanes[1][c].add(lanes[3][c]));
            }
        }
        for c in 0..C {
            let sum = match j % 4 {
                1 => sums[c].add(product(blocks, c)),
                2 => sums[c].add(product(blocks, c).add(product(blocks + 1, c))),
                3 => sums[c].add(product(blocks, c).add(product(blocks + 1, c)).add(product(blocks + 2, c))),
                _ => sums[c],
            };
            let out = values.add(j * stride + i + c * W);
            R::load(out).sub(sum).store(out);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{Numbers, bits};
    use super::*;
    use crate::matrix::Triangle;
    use crate::{cholesky, dense, matrix, sparse};

    /// Lower triangle of the factor by rows.
    fn by_rows(factor: &TurnedFactor) -> Vec<f64> {
        let n = factor.n;
        let mut out = vec![0.0; n * n];
        for i in 0..n {
            for j in 0..i {
                out[i * n + j] = factor.values[j * factor.stride + i];
            }
            out[i * n + i] = factor.diagonal[i];
        }
        out
    }

    fn lower(m: &[f64], n: usize) -> Vec<f64> {
        (0..n * n).map(|at| if at % n <= at / n { m[at] } else { 0.0 }).collect()
    }

    /// The inertia of a made-up chain, and weighted rows with zeros here and there.
    struct Sample {
        inertia: Vec<f64>,
        rownnz: Vec<i32>,
        rowadr: Vec<i32>,
        colind: Vec<i32>,
        rows: Vec<f64>,
        weights: Vec<f64>,
    }

    impl Sample {
        fn new(n: usize, numbers: &mut Numbers) -> Self {
            let count = n + 3;
            let rownnz: Vec<i32> = (1..=n as i32).collect();
            let rowadr = (0..n as i32).map(|i| i * (i + 1) / 2).collect();
            let colind: Vec<i32> = (0..n as i32).flat_map(|i| 0..=i).collect();
            let mut inertia: Vec<f64> = colind.iter().map(|_| numbers.next() % 1.0).collect();
            for i in 0..n {
                inertia[i * (i + 3) / 2] += 3.0 * n as f64;
            }
            let mut rows = numbers.vec(count * n);
            for (at, x) in rows.iter_mut().enumerate() {
                *x = if at % 7 < 3 { 0.0 } else { *x % 1.0 };
            }
            let weights =
                (0..count).map(|r| if r % 4 == 1 { 0.0 } else { numbers.next().abs() % 1.0 }).collect();
            Self { inertia, rownnz, rowadr, colind, rows, weights }
        }

        fn pattern(&self) -> Pattern<'_> {
            Pattern { rownnz: &self.rownnz, rowadr: &self.rowadr, colind: &self.colind }
        }
    }

    /// A kernel for registers of four and for single numbers.
    macro_rules! in_both {
        ($factor:expr, $wide:ident, $kernel:ident($($arg:expr),*)) => {{
            let mut narrow = $factor.clone();
            let (first, second) = ($factor.$wide($($arg),*), unsafe { narrow.$kernel::<f64, 1>($($arg),*) });
            assert_eq!(first, second);
            assert_eq!(bits(&by_rows(&$factor)), bits(&by_rows(&narrow)));
            first
        }};
    }

    #[test]
    fn a_turned_factor_has_the_bits_of_the_one_by_rows() {
        let mut numbers = Numbers(11);
        for n in 1..40 {
            let sample = Sample::new(n, &mut numbers);
            let (weights, rows) = (&sample.weights[..], &sample.rows[..]);
            let mut expected = vec![0.0; n * n];
            matrix::gram(&mut expected, rows, Some(weights), weights.len(), n, Triangle::Lower);
            sparse::add_symmetric_to_dense(&mut expected, &sample.inertia, sample.pattern(), false);
            let rank = cholesky::factor(&mut expected, n, 1e-15);

            let mut turned = TurnedFactor::default();
            in_both!(turned, assign_gram, gram_in(rows, weights, n));
            turned.add_symmetric(&sample.inertia, sample.pattern());
            assert_eq!(in_both!(turned, factor, factor_in(1e-15)), rank);
            assert_eq!(bits(&by_rows(&turned)), bits(&lower(&expected, n)));

            let changes = [(Change::Add, 0, 1.7), (Change::Subtract, 0, 1.1), (Change::Add, 2, 0.0)];
            for together in 1..=changes.len() {
                for changes in changes.chunks(together) {
                    let mut raised = 0;
                    for (change, row, s) in changes {
                        let row = &rows[row * n..][..n];
                        let mut x: Vec<f64> = row.iter().map(|x| x * s).collect();
                        raised += n - cholesky::update(&mut expected, &mut x, *change);
                        assert_eq!(turned.update(row, *s, *change), 0);
                    }
                    assert_eq!(in_both!(turned, apply, apply_in()), raised);
                    assert_eq!(bits(&by_rows(&turned)), bits(&lower(&expected, n)));
                }
            }

            let mix = [0.9, 7.0, 7.0, -0.2, 0.4, 7.0, 0.3, 0.1, 0.8];
            let mut products = vec![0.0; 3 * n];
            for r in 0..3 {
                for c in 0..=r {
                    dense::add_scaled_to(&mut products[c * n..][..n], &rows[r * n..][..n], mix[3 * r + c]);
                }
            }
            // The second time some wait for the others.
            for _ in 0..2 {
                turned.add_mixed_rows(&rows[..3 * n], &mix, 3);
                for x in products.clone().chunks_exact_mut(n) {
                    cholesky::update(&mut expected, x, Change::Add);
                }
            }
            in_both!(turned, apply, apply_in());
            assert_eq!(bits(&by_rows(&turned)), bits(&lower(&expected, n)));

            let [mut x, mut single, mut wide] = [0; 3].map(|_| sample.inertia[..n].to_vec());
            cholesky::solve(&mut x, &expected);
            unsafe { turned.solve_in::<f64, 1>(&mut single) };
            turned.solve(&mut wide);
            assert_eq!(bits(&x), bits(&single));
            assert_eq!(bits(&x), bits(&wide));
        }
    }

    #[test]
    fn zeros_of_the_rows_shield_from_infinities() {
        let rows = [1.0, 0.0, 2.0, f64::INFINITY, 0.0, 3.0];
        let mut turned = TurnedFactor::default();
        turned.assign_gram(&rows, &[1.0, 2.0], 3);
        let mut expected = [0.0; 9];
        matrix::gram(&mut expected, &rows, Some(&[1.0, 2.0]), 2, 3, Triangle::Lower);
        for i in 0..3 {
            for j in 0..=i {
                assert_eq!(turned.values[j * turned.stride + i].to_bits(), expected[i * 3 + j].to_bits());
            }
        }
    }
}
