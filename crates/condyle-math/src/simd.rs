//! Wide registers: hot kernels compiled a second time for processors with AVX, chosen at run time.
//!
//! Both versions come from one body, so they perform the same operations on the same elements; the wide one only does four lanes at
//! once where the narrow one does two. Fused multiply-add is never enabled. This is the one module of the crate with unsafe code:
//! calls of functions that need a processor feature, right after asking for it, and loads of four neighbours from a slice.

#![allow(unsafe_code)]

/// Whether the processor has AVX.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub(crate) fn has_avx() -> bool {
    std::arch::is_x86_feature_detected!("avx")
}

/// Elementary operations a kernel body is written with. Loops over independent elements need none of this: the compiler widens
/// them by itself.
pub(crate) trait Lanes {
    /// [`crate::dense::dot`]
    fn dot(a: &[f64], b: &[f64]) -> f64;
}

/// The portable operations.
pub(crate) struct Plain;

impl Lanes for Plain {
    #[inline(always)]
    fn dot(a: &[f64], b: &[f64]) -> f64 {
        crate::dense::dot(a, b)
    }
}

/// Operations on four lanes at once. Only for code that runs after [`has_avx`] said yes, which [`wide`] sees to.
#[cfg(target_arch = "x86_64")]
pub(crate) struct Avx;

#[cfg(target_arch = "x86_64")]
impl Lanes for Avx {
    #[inline(always)]
    fn dot(a: &[f64], b: &[f64]) -> f64 {
        // SAFETY: this type is used in AVX versions of kernels only.
        unsafe { dot_avx(a, b) }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx")]
#[inline]
fn dot_avx(a: &[f64], b: &[f64]) -> f64 {
    use std::arch::x86_64::*;
    let n = a.len();
    let b = &b[..n];
    // SAFETY: both slices have n elements, and four from i on lie within them.
    let product = |i: usize| unsafe {
        debug_assert!(i + 4 <= n);
        _mm256_mul_pd(_mm256_loadu_pd(a.as_ptr().add(i)), _mm256_loadu_pd(b.as_ptr().add(i)))
    };
    let (mut sum, mut i) = (0.0, 0);
    if n >= 4 {
        let mut lanes = product(0);
        i = 4;
        while i + 4 <= n {
            lanes = _mm256_add_pd(lanes, product(i));
            i += 4;
        }
        let pairs = _mm_add_pd(_mm256_castpd256_pd128(lanes), _mm256_extractf128_pd(lanes, 1));
        sum = _mm_cvtsd_f64(_mm_add_sd(pairs, _mm_unpackhi_pd(pairs, pairs)));
    }
    crate::dense::add_tail(sum, &a[i..], &b[i..])
}

/// Define functions in two versions, plain and AVX, that share their body and choose at run time.
///
/// The body may call the operations of [`Lanes`] through the type `K`. Worth its check for kernels that do some hundred operations
/// per call.
macro_rules! wide {
    ($($(#[$meta:meta])* pub fn $name:ident($($arg:ident: $ty:ty),* $(,)?) $(-> $result:ty)? $body:block)*) => {$(
        $(#[$meta])*
        pub fn $name($($arg: $ty),*) $(-> $result)? {
            #[inline(always)]
            #[allow(clippy::extra_unused_type_parameters)]
            fn kernel<K: $crate::simd::Lanes>($($arg: $ty),*) $(-> $result)? $body

            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx")]
            fn avx($($arg: $ty),*) $(-> $result)? {
                kernel::<$crate::simd::Avx>($($arg),*)
            }

            #[cfg(target_arch = "x86_64")]
            if $crate::simd::has_avx() {
                // SAFETY: the processor has the feature the function is compiled for.
                #[allow(unsafe_code)]
                return unsafe { avx($($arg),*) };
            }
            kernel::<$crate::simd::Plain>($($arg),*)
        }

        #[cfg(test)]
        $crate::simd::narrow! { $name($($arg: $ty),*) $(-> $result)? $body }
    )*};
}
pub(crate) use wide;

/// The plain version under a path of its own, for the tests that compare both.
#[cfg(test)]
macro_rules! narrow {
    ($name:ident($($arg:ident: $ty:ty),*) $(-> $result:ty)? $body:block) => {
        pub(crate) mod $name {
            #[allow(unused_imports)]
            use super::*;
            #[allow(dead_code)]
            type K = $crate::simd::Plain;
            #[allow(unused_imports)]
            use $crate::simd::Lanes;
            #[inline(never)]
            pub fn plain($($arg: $ty),*) $(-> $result)? $body
        }
    };
}
#[cfg(test)]
pub(crate) use narrow;

#[cfg(test)]
mod tests {
    use crate::cholesky;
    use crate::matrix::{self, Triangle};
    use crate::sparse::Pattern;
    use crate::tree_ldl;

    /// Numbers of very different size with some zeros of both signs, from a linear congruential generator.
    struct Numbers(u64);

    impl Numbers {
        fn next(&mut self) -> f64 {
            self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            let x = (self.0 >> 11) as f64 / (1u64 << 53) as f64 - 0.5;
            match self.0 >> 60 {
                0 => 0.0,
                1 => -0.0,
                2 => x * 1e12,
                3 => x * 1e-12,
                _ => x,
            }
        }

        fn vec(&mut self, n: usize) -> Vec<f64> {
            (0..n).map(|_| self.next()).collect()
        }
    }

    fn bits(v: &[f64]) -> Vec<u64> {
        v.iter().map(|x| x.to_bits()).collect()
    }

    /// Run both versions on copies of `$out` and compare the bits they leave there.
    macro_rules! assert_same {
        ($out:expr, |$name:ident| $wide:expr, $plain:expr) => {{
            let mut wide = $out.clone();
            let mut plain = $out.clone();
            {
                let $name = &mut wide;
                $wide;
            }
            {
                let $name = &mut plain;
                $plain;
            }
            assert_eq!(bits(&wide), bits(&plain));
            wide
        }};
    }

    #[test]
    fn matrix_products_have_equal_bits_in_both_versions() {
        let mut numbers = Numbers(1);
        for n in 1..40 {
            let (rows, columns, inner) = (n, (n * 7) % 23 + 1, (n * 5) % 17 + 1);
            let m = numbers.vec(rows * columns);
            let (v, w) = (numbers.vec(columns), numbers.vec(rows));
            let (a, b) = (numbers.vec(rows * inner), numbers.vec(inner * columns));
            let (at, bt) = (numbers.vec(inner * rows), numbers.vec(columns * inner));
            let zero = vec![0.0; rows.max(columns) * rows.max(columns)];
            assert_same!(
                zero[..rows].to_vec(),
                |x| matrix::mul_vec(x, &m, &v),
                matrix::mul_vec::plain(x, &m, &v)
            );
            assert_same!(
                zero[..columns].to_vec(),
                |x| matrix::mul_transposed_vec(x, &m, &w),
                matrix::mul_transposed_vec::plain(x, &m, &w)
            );
            assert_same!(
                zero,
                |x| matrix::mul(x, &a, &b, rows, inner, columns),
                matrix::mul::plain(x, &a, &b, rows, inner, columns)
            );
            assert_same!(
                zero,
                |x| matrix::mul_transposed_right(x, &a, &bt, rows, inner, columns),
                matrix::mul_transposed_right::plain(x, &a, &bt, rows, inner, columns)
            );
            assert_same!(
                zero,
                |x| matrix::mul_transposed_left(x, &at, &b, inner, rows, columns),
                matrix::mul_transposed_left::plain(x, &at, &b, inner, rows, columns)
            );
            for weights in [None, Some(&w[..])] {
                assert_same!(
                    zero,
                    |x| matrix::gram(x, &m, weights, rows, columns, Triangle::Both),
                    matrix::gram::plain(x, &m, weights, rows, columns, Triangle::Both)
                );
            }
        }
    }

    #[test]
    fn factorisations_have_equal_bits_in_both_versions() {
        let mut numbers = Numbers(2);
        for n in 1..40 {
            let mut m: Vec<f64> = numbers.vec(n * n).iter().map(|x| x % 1.0).collect();
            for i in 0..n {
                m[i * (n + 1)] += 3.0 * n as f64;
            }
            assert_same!(m, |x| cholesky::factor(x, n, 1e-15), cholesky::factor::plain(x, n, 1e-15));

            // A chain: every row holds all earlier columns.
            let rownnz: Vec<i32> = (1..=n as i32).collect();
            let rowadr: Vec<i32> = (0..n as i32).map(|i| i * (i + 1) / 2).collect();
            let colind: Vec<i32> = (0..n as i32).flat_map(|i| 0..=i).collect();
            let pattern = Pattern { rownnz: &rownnz, rowadr: &rowadr, colind: &colind };
            let mut chain: Vec<f64> = numbers.vec(colind.len()).iter().map(|x| x % 1.0).collect();
            for i in 0..n {
                chain[pattern.range(i).end - 1] += 3.0 * n as f64;
            }
            let inverse = vec![0.0; n];
            assert_same!(
                chain,
                |x| tree_ldl::factor(x, &mut inverse.clone(), pattern, None),
                tree_ldl::factor::plain(x, &mut inverse.clone(), pattern, None)
            );
        }
    }
}
