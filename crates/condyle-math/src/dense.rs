//! Vectors of runtime length: sums, scaled additions, dot products, and gathers by an index list.
//!
//! Lengths come from the first vector argument; the others must be at least as long. [`dot`] is the one reduction with a lane
//! order: four partial sums over blocks of four elements, reduced as `(r0 + r2) + (r1 + r3)`, then the remaining up to three
//! products summed among themselves and added last. Plain sums run left to right. Reference: `mju_dot` and its neighbours.

use crate::simd::{self, Plain, for_each, wide};
use crate::{MIN_VALUE, Spatial};

/// Reduce four lanes in the order every lane-wise kernel of this crate uses.
#[inline(always)]
pub(crate) fn reduce(lanes: [f64; 4]) -> f64 {
    (lanes[0] + lanes[2]) + (lanes[1] + lanes[3])
}

/// Whether two vectors of one length have the same bits.
#[inline]
pub fn same_bits(a: &[f64], b: &[f64]) -> bool {
    // Without an early end, so that several numbers are looked at together.
    a.iter().zip(b).fold(0, |bits, (x, y)| bits | (x.to_bits() ^ y.to_bits())) == 0
}

/// `Σ a[i] b[i]` in four lanes.
#[inline]
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    let (sum, tail_a, tail_b) = dot_blocks(a, b);
    add_tail(sum, tail_a, tail_b)
}

wide! {
    /// [`dot`], for vectors long enough to make up for asking which registers there are.
    pub fn long_dot(a: &[f64], b: &[f64]) -> f64 {
        K::dot(a, b)
    }
}

wide! {
    /// [`dot`] of two pairs of vectors of one length, in one pass.
    pub fn two_dots(pairs: [(&[f64], &[f64]); 2]) -> [f64; 2] {
        K::dots(pairs)
    }

    /// [`dot`] of three pairs of vectors of one length, in one pass.
    pub fn three_dots(pairs: [(&[f64], &[f64]); 3]) -> [f64; 3] {
        K::dots(pairs)
    }
}

/// The part of [`dot`] over blocks of four, and what remains of both vectors.
#[inline(always)]
pub(crate) fn dot_blocks<'a, 'b>(a: &'a [f64], b: &'b [f64]) -> (f64, &'a [f64], &'b [f64]) {
    let b = &b[..a.len()];
    let (blocks_a, tail_a) = a.as_chunks::<4>();
    let (blocks_b, tail_b) = b.as_chunks::<4>();
    (simd::dot_of_blocks(blocks_a, blocks_b), tail_a, tail_b)
}

/// Add up to three products to a sum of lanes: first among themselves, then to the sum.
#[inline(always)]
pub(crate) fn add_tail(sum: f64, a: &[f64], b: &[f64]) -> f64 {
    match (a, b) {
        ([x0, x1, x2], [y0, y1, y2]) => sum + ((x0 * y0 + x1 * y1) + x2 * y2),
        ([x0, x1], [y0, y1]) => sum + (x0 * y0 + x1 * y1),
        ([x0], [y0]) => sum + x0 * y0,
        _ => sum,
    }
}

/// [`dot`] of two spatial vectors.
#[inline(always)]
pub fn dot6(a: &Spatial, b: &Spatial) -> f64 {
    ((a[0] * b[0] + a[2] * b[2]) + (a[1] * b[1] + a[3] * b[3])) + (a[4] * b[4] + a[5] * b[5])
}

/// Sum of the elements, left to right.
#[inline]
pub fn sum(v: &[f64]) -> f64 {
    v.iter().fold(0.0, |total, x| total + x)
}

/// Sum of the magnitudes, left to right.
#[inline]
pub fn l1(v: &[f64]) -> f64 {
    v.iter().fold(0.0, |total, x| total + x.abs())
}

/// Euclidean length.
#[inline]
pub fn norm(v: &[f64]) -> f64 {
    dot(v, v).sqrt()
}

/// Normalise in place and return the former length. Vectors shorter than [`MIN_VALUE`] become the first unit vector.
pub fn normalize(v: &mut [f64]) -> f64 {
    let length = norm(v);
    if length < MIN_VALUE {
        v.fill(0.0);
        if let Some(first) = v.first_mut() {
            *first = 1.0;
        }
    } else {
        scale_mut(v, 1.0 / length);
    }
    length
}

/// Whether every element is a zero of either sign.
#[inline]
pub fn is_zero(v: &[f64]) -> bool {
    v.iter().all(|x| *x == 0.0)
}

/// `result = v * s`
#[inline]
pub fn scale(result: &mut [f64], v: &[f64], s: f64) {
    for_each::<Plain, _>(result, v, simd::Scale { s });
}

/// `v *= s`
#[inline]
pub fn scale_mut(v: &mut [f64], s: f64) {
    simd::in_place::<Plain, _>(v, simd::Scale { s });
}

/// `result = a + b`
#[inline]
pub fn add(result: &mut [f64], a: &[f64], b: &[f64]) {
    let (a, b) = (&a[..result.len()], &b[..result.len()]);
    for (out, (x, y)) in result.iter_mut().zip(a.iter().zip(b)) {
        *out = x + y;
    }
}

/// `result = a - b`
#[inline]
pub fn sub(result: &mut [f64], a: &[f64], b: &[f64]) {
    let (a, b) = (&a[..result.len()], &b[..result.len()]);
    for (out, (x, y)) in result.iter_mut().zip(a.iter().zip(b)) {
        *out = x - y;
    }
}

/// `result += v`
#[inline]
pub fn add_to(result: &mut [f64], v: &[f64]) {
    for_each::<Plain, _>(result, v, simd::Add {});
}

/// `result -= v`
#[inline]
pub fn sub_from(result: &mut [f64], v: &[f64]) {
    for_each::<Plain, _>(result, v, simd::Sub {});
}

/// `result += v * s`
#[inline]
pub fn add_scaled_to(result: &mut [f64], v: &[f64], s: f64) {
    for_each::<Plain, _>(result, v, simd::AddScaled { s });
}

/// `result -= v * s`
#[inline]
pub fn sub_scaled_from(result: &mut [f64], v: &[f64], s: f64) {
    for_each::<Plain, _>(result, v, simd::SubScaled { s });
}

/// `result = a + b * s`
#[inline]
pub fn add_scaled(result: &mut [f64], a: &[f64], b: &[f64], s: f64) {
    let (a, b) = (&a[..result.len()], &b[..result.len()]);
    for (out, (x, y)) in result.iter_mut().zip(a.iter().zip(b)) {
        *out = x + y * s;
    }
}

/// `result = result * s + v * t`
#[inline]
pub fn scale_and_add(result: &mut [f64], v: &[f64], s: f64, t: f64) {
    for_each::<Plain, _>(result, v, simd::ScaleAndAdd { s, t });
}

/// `result[i] = v[index[i]]`
#[inline]
pub fn gather<T: Copy>(result: &mut [T], v: &[T], index: &[i32]) {
    let index = &index[..result.len()];
    for (out, i) in result.iter_mut().zip(index) {
        *out = v[*i as usize];
    }
}

/// `result[i] = v[index[i]]`, zero where the index is negative.
#[inline]
pub fn gather_masked(result: &mut [f64], v: &[f64], index: &[i32]) {
    let index = &index[..result.len()];
    for (out, i) in result.iter_mut().zip(index) {
        *out = if *i >= 0 { v[*i as usize] } else { 0.0 };
    }
}

/// `result[index[i]] = v[i]`
#[inline]
pub fn scatter<T: Copy>(result: &mut [T], v: &[T], index: &[i32]) {
    for (x, i) in v.iter().zip(index) {
        result[*i as usize] = *x;
    }
}

/// Operations on the elements an index list names, the same places in every argument. They serve the awake part of a model.
pub mod at {
    /// `result = 0` at `index`.
    #[inline]
    pub fn zero(result: &mut [f64], index: &[i32]) {
        for i in index {
            result[*i as usize] = 0.0;
        }
    }

    /// `result = v` at `index`.
    #[inline]
    pub fn copy(result: &mut [f64], v: &[f64], index: &[i32]) {
        for i in index {
            result[*i as usize] = v[*i as usize];
        }
    }

    /// `result = a + b` at `index`.
    #[inline]
    pub fn add(result: &mut [f64], a: &[f64], b: &[f64], index: &[i32]) {
        for i in index {
            let i = *i as usize;
            result[i] = a[i] + b[i];
        }
    }

    /// `result = a - b` at `index`.
    #[inline]
    pub fn sub(result: &mut [f64], a: &[f64], b: &[f64], index: &[i32]) {
        for i in index {
            let i = *i as usize;
            result[i] = a[i] - b[i];
        }
    }

    /// `result += v` at `index`.
    #[inline]
    pub fn add_to(result: &mut [f64], v: &[f64], index: &[i32]) {
        for i in index {
            result[*i as usize] += v[*i as usize];
        }
    }

    /// `result += v * s` at `index`.
    #[inline]
    pub fn add_scaled_to(result: &mut [f64], v: &[f64], s: f64, index: &[i32]) {
        for i in index {
            result[*i as usize] += v[*i as usize] * s;
        }
    }

    /// `Σ a[i] b[i]` over `index`, one product after the other (no lanes).
    #[inline]
    pub fn dot(a: &[f64], b: &[f64], index: &[i32]) -> f64 {
        index.iter().fold(0.0, |total, i| total + a[*i as usize] * b[*i as usize])
    }

    /// `result[row, :] = matrix[row, :]` for the rows in `index`.
    #[inline]
    pub fn copy_rows(result: &mut [f64], matrix: &[f64], index: &[i32], columns: usize) {
        for row in index {
            let row = *row as usize * columns..(*row as usize + 1) * columns;
            result[row.clone()].copy_from_slice(&matrix[row]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dot_sums_in_lanes_and_adds_the_tail_last() {
        let a = [1e16, 1.0, -1e16, 1.0, 0.5, 0.25, 3.0];
        let b = [1.0; 7];
        // Lanes: (1e16 - 1e16) + (1 + 1); a left-to-right sum would lose one of the ones.
        assert_eq!(dot(&a[..4], &b), 2.0);
        assert_eq!(dot(&a, &b), 5.75);
        let tail = [1e16, 0.0, 0.0, 0.0, 1.0, 1.0];
        assert_eq!(dot(&tail, &b), 1e16 + 2.0);
        assert_eq!(dot(&[], &[]), 0.0);
    }

    #[test]
    fn dot_of_negative_zeros_keeps_the_sign_only_in_full_blocks() {
        let (zeros, ones) = ([-0.0; 8], [1.0; 8]);
        assert!(dot(&zeros[..4], &ones).is_sign_negative());
        assert!(dot(&zeros, &ones).is_sign_negative());
        assert!(dot(&zeros[..3], &ones).is_sign_positive());
    }

    #[test]
    fn dot6_is_dot_of_six_elements() {
        let a = [0.1, 1e9, -0.3, 7.7, 1e-9, 5.5];
        let b = [3.3, -0.2, 1e9, 0.9, 2.2, -1e-3];
        assert_eq!(dot6(&a, &b).to_bits(), dot(&a, &b).to_bits());
    }

    #[test]
    fn short_vectors_normalize_to_the_first_axis() {
        let mut v = [0.0, 1e-16, 0.0];
        assert_eq!(normalize(&mut v), 1e-16);
        assert_eq!(v, [1.0, 0.0, 0.0]);
        assert_eq!(normalize(&mut []), 0.0);
    }

    #[test]
    fn masked_gather_gives_zero_for_negative_indices() {
        let mut out = [9.0; 3];
        gather_masked(&mut out, &[1.0, 2.0], &[1, -1, 0]);
        assert_eq!(out, [2.0, 0.0, 1.0]);
        let mut back = [0.0; 3];
        scatter(&mut back, &[5.0, 6.0], &[2, 0]);
        assert_eq!(back, [6.0, 0.0, 5.0]);
    }

    #[test]
    fn scaled_additions_round_the_product_first() {
        let mut out = [1.0, 2.0];
        add_scaled_to(&mut out, &[0.1, 0.2], 3.0);
        assert_eq!(out, [1.0 + 0.1 * 3.0, 2.0 + 0.2 * 3.0]);
        scale_and_add(&mut out, &[1.0, 1.0], 2.0, -1.0);
        assert_eq!(out, [(1.0 + 0.1 * 3.0) * 2.0 + -1.0, (2.0 + 0.2 * 3.0) * 2.0 + -1.0]);
    }

    #[test]
    fn indexed_operations_leave_other_elements_alone() {
        let mut out = [1.0, 1.0, 1.0];
        at::add_scaled_to(&mut out, &[1.0, 2.0, 3.0], 10.0, &[0, 2]);
        assert_eq!(out, [11.0, 1.0, 31.0]);
        assert_eq!(at::dot(&out, &[1.0, 100.0, 2.0], &[2, 0]), 73.0);
    }
}
