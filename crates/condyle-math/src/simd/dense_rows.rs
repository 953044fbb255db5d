//! Several dot products at a time: those of four rows of a matrix with one vector, and those of a few pairs of vectors.
//!
//! The additions of one dot product wait for one another; those of several go on side by side.

use std::arch::x86_64::*;

use super::row_groups::halves;

/// [`crate::matrix::mul_vec`]
#[target_feature(enable = "avx")]
#[inline]
pub(super) fn mul_vec_avx(result: &mut [f64], m: &[f64], v: &[f64]) {
    let n = v.len();
    assert!(m.len() >= result.len() * n);
    let (row, x) = (m.as_ptr(), v.as_ptr());
    let (fours, rest) = result.as_chunks_mut::<4>();
    // SAFETY: the matrix has a row of n numbers for each element of the result.
    unsafe {
        for (block, out) in fours.iter_mut().enumerate() {
            let row = row.add(4 * block * n);
            let (low, high) = four_dots([row, row.add(n), row.add(2 * n), row.add(3 * n)], x, n);
            _mm_storeu_pd(out.as_mut_ptr(), low);
            _mm_storeu_pd(out.as_mut_ptr().add(2), high);
        }
        let row = row.add(4 * fours.len() * n);
        // What is missing to four rows is computed twice.
        if !rest.is_empty() {
            let at = |r: usize| row.add(r.min(rest.len() - 1) * n);
            let (low, high) = four_dots([at(0), at(1), at(2), at(3)], x, n);
            let mut sums = [0.0; 4];
            _mm_storeu_pd(sums.as_mut_ptr(), low);
            _mm_storeu_pd(sums.as_mut_ptr().add(2), high);
            for (out, sum) in rest.iter_mut().zip(sums) {
                *out = sum;
            }
        }
    }
}

/// [`crate::dense::dot`] of each pair; all vectors are as long as the first.
#[target_feature(enable = "avx")]
#[inline]
pub(super) fn dots_avx<const N: usize>(pairs: [(&[f64], &[f64]); N]) -> [f64; N] {
    let n = pairs.first().map_or(0, |(a, _)| a.len());
    let pairs = pairs.map(|(a, b)| (&a[..n], &b[..n]));
    let end = n / 4 * 4;
    let mut sums = [0.0; N];
    if end > 0 {
        // SAFETY: four numbers can be read at every multiple of four below `end`.
        unsafe {
            let product = |(a, b): (&[f64], &[f64]), i: usize| {
                _mm256_mul_pd(_mm256_loadu_pd(a.as_ptr().add(i)), _mm256_loadu_pd(b.as_ptr().add(i)))
            };
            let mut lanes = pairs.map(|pair| product(pair, 0));
            let mut i = 4;
            while i < end {
                for k in 0..N {
                    lanes[k] = _mm256_add_pd(lanes[k], product(pairs[k], i));
                }
                i += 4;
            }
            sums = lanes.map(|lanes| {
                let pairs = halves(lanes);
                _mm_cvtsd_f64(_mm_add_sd(pairs, _mm_unpackhi_pd(pairs, pairs)))
            });
        }
    }
    for k in 0..N {
        sums[k] = crate::dense::add_tail(sums[k], &pairs[k].0[end..], &pairs[k].1[end..]);
    }
    sums
}

/// [`crate::dense::dot`] of four rows with one vector.
///
/// # Safety
/// `n` numbers can be read at all pointers.
#[target_feature(enable = "avx")]
#[inline]
unsafe fn four_dots(rows: [*const f64; 4], x: *const f64, n: usize) -> (__m128d, __m128d) {
    // SAFETY: every index is smaller than n.
    unsafe {
        let blocks = n / 4 * 4;
        let (mut low, mut high) = (_mm_setzero_pd(), _mm_setzero_pd());
        if blocks > 0 {
            let y = _mm256_loadu_pd(x);
            let mut lanes = rows.map(|row| _mm256_mul_pd(_mm256_loadu_pd(row), y));
            let mut i = 4;
            while i < blocks {
                let y = _mm256_loadu_pd(x.add(i));
                for r in 0..4 {
                    lanes[r] = _mm256_add_pd(lanes[r], _mm256_mul_pd(_mm256_loadu_pd(rows[r].add(i)), y));
                }
                i += 4;
            }
            let [a, b, c, d] = lanes.map(|lanes| halves(lanes));
            (low, high) = (_mm_hadd_pd(a, b), _mm_hadd_pd(c, d));
        }
        let product = |first: usize, i: usize| {
            let pair = _mm_loadh_pd(_mm_load_sd(rows[first].add(i)), rows[first + 1].add(i));
            _mm_mul_pd(pair, _mm_set1_pd(*x.add(i)))
        };
        let tail = |first: usize| {
            let mut sum = product(first, blocks);
            for i in blocks + 1..n {
                sum = _mm_add_pd(sum, product(first, i));
            }
            sum
        };
        if blocks < n {
            (low, high) = (_mm_add_pd(low, tail(0)), _mm_add_pd(high, tail(2)));
        }
        (low, high)
    }
}
