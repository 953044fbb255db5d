//! Rank-one changes of a sparse Cholesky factor `A = Lᵀ L`, several of them together.

use super::{Register, quotients};
use crate::cholesky::Change;
use crate::sparse::Pattern;
use crate::{MIN_VALUE, dense};

/// Most changes that go through a factor together.
pub(crate) const MOST_CHANGES: usize = 8;

/// How many of them a row takes between loading and storing its values.
const TOGETHER: usize = 4;

/// Numbers in the widest register.
const WIDE: usize = 4;

/// Changes `A ± x xᵀ` of a factorised matrix for sparse `x` that cause no new fill-in.
///
/// Columns of `x` are joined in `A`, so that what a change reaches from its last column is found by going on, from each row of the
/// factor, to the last column before the diagonal. Every row takes the changes in the order they came, so the bits are those of one
/// change after the other; but the processor computes the roots that they need for one row and for the next ones at the same time.
#[derive(Clone, Debug, Default)]
pub struct Changes {
    /// Distance of two vectors in `rows`: the size of the matrix, and room for a register that begins inside it.
    stride: usize,
    count: usize,
    /// One for changes that are added, minus one for those that are subtracted.
    signs: [f64; MOST_CHANGES],
    /// The next row that each change reaches; −1 if there is none.
    next: [i32; MOST_CHANGES],
    /// The first column of all of them.
    lowest: i32,
    /// What is left of each `x`, as dense vectors; zero where no change is on its way.
    rows: Vec<f64>,
}

/// What some changes do to a row of the factor.
struct Turns {
    /// What is left of the vectors of the changes, from the first column of the row on.
    x: [*mut f64; TOGETHER],
    cosine: [f64; TOGETHER],
    sine: [f64; TOGETHER],
    /// Negative where the change is subtracted.
    row_sine: [f64; TOGETHER],
}

/// A row of the factor left of its diagonal.
#[derive(Clone, Copy)]
struct Row<'a> {
    values: *mut f64,
    columns: &'a [i32],
    /// How many values at the end of a row without gaps do not fill a register.
    tail: usize,
    gapless: bool,
}

impl Changes {
    /// Start with none, for a matrix of `size` rows.
    pub fn begin(&mut self, size: usize) {
        let stride = size + WIDE;
        if self.count > 0 || self.stride != stride {
            self.rows.fill(0.0);
        }
        (self.stride, self.count) = (stride, 0);
        self.rows.resize((MOST_CHANGES * stride).max(self.rows.len()), 0.0);
    }

    /// Whether they must be applied before another one comes.
    pub fn is_full(&self) -> bool {
        self.count == MOST_CHANGES
    }

    /// Add one change; `columns` ascend.
    pub fn push(&mut self, x: &[f64], columns: &[i32], change: Change) {
        let (Some(first), Some(last)) = (columns.first(), columns.last()) else { return };
        self.lowest = if self.count == 0 { *first } else { self.lowest.min(*first) };
        let size = self.stride - WIDE;
        dense::scatter(&mut self.rows[self.count * self.stride..][..size], x, columns);
        self.signs[self.count] = match change {
            Change::Add => 1.0,
            Change::Subtract => -1.0,
        };
        self.next[self.count] = *last;
        self.count += 1;
    }

    /// Let the factor follow, and forget the changes. Returns whether all pivots stayed above [`MIN_VALUE`].
    pub fn apply(&mut self, l: &mut [f64], pattern: Pattern) -> bool {
        #[cfg(target_arch = "x86_64")]
        #[target_feature(enable = "avx")]
        fn avx(changes: &mut Changes, l: &mut [f64], pattern: Pattern) -> bool {
            // SAFETY: the processor has the register.
            unsafe { changes.apply_in::<std::arch::x86_64::__m256d, WIDE>(l, pattern) }
        }
        #[cfg(target_arch = "x86_64")]
        if super::has_avx() {
            // SAFETY: the processor has the feature the function is compiled for.
            return unsafe { avx(self, l, pattern) };
        }
        // SAFETY: every processor has single numbers.
        unsafe { self.apply_in::<f64, 1>(l, pattern) }
    }

    /// # Safety
    /// The processor has the register, of `W` numbers.
    #[inline(always)]
    unsafe fn apply_in<R: Register, const W: usize>(&mut self, l: &mut [f64], pattern: Pattern) -> bool {
        let (count, stride) = (self.count.min(MOST_CHANGES), self.stride);
        let (next, signs) = (&mut self.next[..count], &self.signs[..count]);
        let highest = next.iter().fold(-1, |last, row| last.max(*row));
        let (mut present, mut lowest) = (highest, self.lowest);
        let mut least_pivot = MIN_VALUE;
        let vectors = self.rows.as_mut_ptr();
        let mut turns = Turns {
            x: [vectors; TOGETHER],
            cosine: [0.0; TOGETHER],
            sine: [0.0; TOGETHER],
            row_sine: [0.0; TOGETHER],
        };
        while let Ok(i) = usize::try_from(present) {
            let range = pattern.range(i);
            let columns = &pattern.colind[range.clone()];
            let Some(length) = columns.len().checked_sub(1) else { break };
            let (first, above) = (columns[0], if length > 0 { columns[length - 1] } else { -1 });
            // Columns ascend to the diagonal, and all of them are rows of the matrix.
            let ascending = above < present && columns[length] == present && first >= 0;
            assert!(ascending && i + WIDE <= stride, "a row of a factor ends with its diagonal");
            lowest = lowest.min(first);
            let first = first as usize;
            let gapless = first + length == i;
            let tail = if gapless { length % W } else { 0 };
            let values = &mut l[range.start..];
            let mut diagonal = values[length];
            let readable = values.len() - (length - tail) >= W;
            let row = Row { values: values.as_mut_ptr(), columns: &columns[..length], tail, gapless };
            let mut following = above;
            let mut active = 0;
            // SAFETY: the row has `length` values before its diagonal, and every vector that waits has `stride` numbers, at least four more than
            // columns; the register is the caller's promise.
            unsafe {
                let end = row.values.add(length - tail);
                let mut last = if tail > 0 { load_first::<R>(end, tail, readable) } else { R::splat(0.0) };
                for change in 0..count {
                    if next[change] != present {
                        following = following.max(next[change]);
                        continue;
                    }
                    next[change] = above;
                    let x = vectors.add(change * stride);
                    let own = *x.add(i);
                    if own == 0.0 {
                        continue;
                    }
                    let pivot = diagonal * diagonal + signs[change] * (own * own);
                    least_pivot = if pivot < least_pivot { pivot } else { least_pivot };
                    let root = if MIN_VALUE > pivot { MIN_VALUE } else { pivot }.sqrt();
                    let (cosine, sine) = quotients(diagonal, -own, root);
                    diagonal = root;
                    let place = active % TOGETHER;
                    turns.x[place] = x.add(first);
                    (turns.cosine[place], turns.sine[place]) = (cosine, sine);
                    turns.row_sine[place] = -signs[change] * sine;
                    active += 1;
                    if active == TOGETHER {
                        last = turn::<R, W, TOGETHER>(row, last, &turns);
                        active = 0;
                    }
                }
                last = match active {
                    1 => turn::<R, W, 1>(row, last, &turns),
                    2 => turn::<R, W, 2>(row, last, &turns),
                    3 => turn::<R, W, 3>(row, last, &turns),
                    _ => last,
                };
                if tail > 0 {
                    store_first(last, end, tail);
                }
            }
            values[length] = diagonal;
            present = following;
        }
        if let (Ok(lowest), Ok(highest)) = (usize::try_from(lowest), usize::try_from(highest)) {
            for vector in self.rows.chunks_exact_mut(stride).take(count) {
                vector[lowest..highest + WIDE].fill(0.0);
            }
        }
        self.count = 0;
        least_pivot >= MIN_VALUE
    }
}

/// Take `N` changes into a row, one after the other; `last` are the values of its tail, which are returned, not stored. Registers that begin before
/// the diagonal may go beyond it in the vectors: what is there was used up.
///
/// # Safety
/// The processor has the register, of `W` numbers; the row has its columns, and the vectors all of them and `W − 1` more.
#[inline(always)]
unsafe fn turn<R: Register, const W: usize, const N: usize>(row: Row, mut last: R, turns: &Turns) -> R {
    // SAFETY: the caller's promise.
    unsafe {
        if !row.gapless {
            turn_scattered::<N>(row, turns);
            return last;
        }
        let end = row.columns.len() - row.tail;
        // The next row begins with what stands here.
        if row.tail > 0 {
            last = turn_some::<R, N>(last, end, turns);
        }
        let mut k = 0;
        while k < end {
            let value = row.values.add(k);
            turn_some::<R, N>(R::load(value), k, turns).store(value);
            k += W;
        }
        last
    }
}

/// One register of a row.
///
/// # Safety
/// The processor has the register, and the vectors have its columns.
#[inline(always)]
unsafe fn turn_some<R: Register, const N: usize>(mut value: R, k: usize, turns: &Turns) -> R {
    // SAFETY: the caller's promise.
    unsafe {
        for change in 0..N {
            let x = turns.x[change].add(k);
            let (old, carried) = (value, R::load(x));
            let cosine = R::broadcast(&turns.cosine[change]);
            value = cosine.mul(old).add(R::broadcast(&turns.row_sine[change]).mul(carried));
            R::broadcast(&turns.sine[change]).mul(old).add(cosine.mul(carried)).store(x);
        }
        value
    }
}

/// A row with gaps, number by number.
///
/// # Safety
/// The row has its columns, and the vectors all of them.
#[inline(always)]
unsafe fn turn_scattered<const N: usize>(row: Row, turns: &Turns) {
    let first = row.columns.first().map_or(0, |first| *first as usize);
    let diagonal = row.columns.last().map_or(0, |last| *last as usize);
    for change in 0..N {
        let (cosine, sine, row_sine) = (turns.cosine[change], turns.sine[change], turns.row_sine[change]);
        for (k, column) in row.columns.iter().enumerate() {
            assert!((first..=diagonal).contains(&(*column as usize)), "the columns of a row ascend");
            // SAFETY: the caller's promise.
            unsafe {
                let (value, x) = (row.values.add(k), turns.x[change].add(*column as usize - first));
                let (old, carried) = (*value, *x);
                *value = cosine * old + row_sine * carried;
                *x = sine * old + cosine * carried;
            }
        }
    }
}

/// A register with the first one to three of its numbers from memory, and with the others too if they may be read.
///
/// # Safety
/// The processor has the register, and the numbers can be read.
#[inline(always)]
unsafe fn load_first<R: Register>(from: *const f64, count: usize, readable: bool) -> R {
    // SAFETY: the caller's promise.
    unsafe {
        if readable {
            return R::load(from);
        }
        let mut numbers = [0.0; WIDE];
        for k in 0..count {
            numbers[k] = *from.add(k);
        }
        R::load(numbers.as_ptr())
    }
}

/// Store the first one to three numbers of a register.
///
/// # Safety
/// The processor has the register, and the numbers can be written.
#[inline(always)]
unsafe fn store_first<R: Register>(register: R, to: *mut f64, count: usize) {
    let mut numbers = [0.0; WIDE];
    // SAFETY: the caller's promise.
    unsafe {
        register.store(numbers.as_mut_ptr());
        *to = numbers[0];
        if count > 1 {
            *to.add(1) = numbers[1];
        }
        if count > 2 {
            *to.add(2) = numbers[2];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{Numbers, bits};
    use super::*;
    use crate::sparse_cholesky::Symbolic;

    /// Blocks of six rows in a chain with a gap: every block is joined to the one before it, the last also to the first but one.
    fn upper(blocks: usize) -> (Vec<i32>, Vec<i32>, Vec<i32>) {
        let n = 6 * blocks;
        let joined = |a: usize, b: usize| b - a <= 1 || (b + 1 == blocks && a == 1);
        let (mut rownnz, mut rowadr, mut colind) = (vec![], vec![], vec![]);
        for i in 0..n {
            rowadr.push(colind.len() as i32);
            colind.extend((i..n).filter(|j| joined(i / 6, j / 6)).map(|j| j as i32));
            rownnz.push(colind.len() as i32 - rowadr[i]);
        }
        (rownnz, rowadr, colind)
    }

    /// One change after the other, number by number.
    fn one_by_one(l: &mut [f64], pattern: Pattern, x: &mut [f64], sign: f64) -> bool {
        let mut sound = true;
        for i in (0..pattern.rows()).rev() {
            if x[i] == 0.0 {
                continue;
            }
            let range = pattern.range(i);
            let (diagonal, row) = l[range.clone()].split_last_mut().unwrap();
            let mut pivot = *diagonal * *diagonal + sign * (x[i] * x[i]);
            if pivot < MIN_VALUE {
                (pivot, sound) = (MIN_VALUE, false);
            }
            let root = pivot.sqrt();
            let (cosine, sine) = (*diagonal / root, -x[i] / root);
            *diagonal = root;
            for (value, j) in row.iter_mut().zip(pattern.columns(i)) {
                let (old, carried) = (*value, x[*j as usize]);
                *value = cosine * old + -sign * sine * carried;
                x[*j as usize] = sine * old + cosine * carried;
            }
        }
        sound
    }

    #[test]
    fn changes_in_registers_give_the_bits_of_single_numbers() {
        let mut numbers = Numbers(5);
        for blocks in 1..6 {
            let (rownnz, rowadr, colind) = upper(blocks);
            let mut symbolic = Symbolic::default();
            let total = symbolic.analyze(Pattern { rownnz: &rownnz, rowadr: &rowadr, colind: &colind });
            let pattern = symbolic.found().rows;
            let mut l: Vec<f64> = (0..total).map(|_| numbers.next() % 1.0).collect();
            for i in 0..pattern.rows() {
                l[pattern.range(i).end - 1] = 4.0 + (numbers.next() % 1.0);
            }
            let (mut wide, mut narrow, mut expected) = (l.clone(), l.clone(), l);
            let (mut for_wide, mut for_narrow) = (Changes::default(), Changes::default());
            for round in 0..6 {
                for_wide.begin(6 * blocks);
                for_narrow.begin(6 * blocks);
                let mut sound = true;
                for k in 0..MOST_CHANGES - round {
                    let block = (k * 5 + round) % blocks;
                    let columns: Vec<i32> = (0..6).map(|j| (6 * block + j) as i32).collect();
                    let x: Vec<f64> =
                        (0..6).map(|j| if (j + k) % 5 == 3 { 0.0 } else { numbers.next() % 1.0 }).collect();
                    let change = if k % 3 == 2 { Change::Subtract } else { Change::Add };
                    let scale = if round == 5 { 40.0 } else { 1.0 };
                    let x: Vec<f64> = x.iter().map(|x| x * scale).collect();
                    for_wide.push(&x, &columns, change);
                    for_narrow.push(&x, &columns, change);
                    let mut whole = vec![0.0; 6 * blocks];
                    whole[6 * block..6 * block + 6].copy_from_slice(&x);
                    let sign = if k % 3 == 2 { -1.0 } else { 1.0 };
                    sound &= one_by_one(&mut expected, pattern, &mut whole, sign);
                }
                assert_eq!(for_wide.apply(&mut wide, pattern), sound);
                assert_eq!(unsafe { for_narrow.apply_in::<f64, 1>(&mut narrow, pattern) }, sound);
                assert_eq!(bits(&wide), bits(&expected), "{blocks} blocks, round {round}");
                assert_eq!(bits(&narrow), bits(&expected));
                assert!(for_wide.rows.iter().all(|x| *x == 0.0));
            }
        }
    }
}
