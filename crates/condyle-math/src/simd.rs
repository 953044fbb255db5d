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

/// A register of neighbours from a slice, and the arithmetic elementwise kernels are written in.
trait Register: Copy {
    /// # Safety
    /// As many numbers as the register holds can be read at `from`, and the processor has this register.
    unsafe fn load(from: *const f64) -> Self;
    /// # Safety
    /// As many numbers as the register holds can be written at `to`, and the processor has this register.
    unsafe fn store(self, to: *mut f64);
    /// # Safety
    /// The processor has this register.
    unsafe fn splat(x: f64) -> Self;
    /// # Safety
    /// The processor has this register.
    unsafe fn add(self, other: Self) -> Self;
    /// # Safety
    /// The processor has this register.
    unsafe fn sub(self, other: Self) -> Self;
    /// # Safety
    /// The processor has this register.
    unsafe fn mul(self, other: Self) -> Self;
    /// Zero where `x` is zero, else unchanged.
    ///
    /// # Safety
    /// The processor has this register.
    unsafe fn unless_zero(self, x: Self) -> Self;
}

impl Register for f64 {
    #[inline(always)]
    unsafe fn load(from: *const f64) -> Self {
        // SAFETY: the caller's promise.
        unsafe { *from }
    }
    #[inline(always)]
    unsafe fn store(self, to: *mut f64) {
        // SAFETY: the caller's promise.
        unsafe { *to = self }
    }
    #[inline(always)]
    unsafe fn splat(x: f64) -> Self {
        x
    }
    #[inline(always)]
    unsafe fn add(self, other: Self) -> Self {
        self + other
    }
    #[inline(always)]
    unsafe fn sub(self, other: Self) -> Self {
        self - other
    }
    #[inline(always)]
    unsafe fn mul(self, other: Self) -> Self {
        self * other
    }
    #[inline(always)]
    unsafe fn unless_zero(self, x: Self) -> Self {
        if x == 0.0 { 0.0 } else { self }
    }
}

/// A register type of the processor with the intrinsics that work on it.
#[cfg(target_arch = "x86_64")]
macro_rules! register {
    ($type:ident, $load:ident, $store:ident, $splat:ident, $add:ident, $sub:ident, $mul:ident, $and:ident, $unequal:expr) => {
        impl Register for std::arch::x86_64::$type {
            #[inline(always)]
            unsafe fn load(from: *const f64) -> Self {
                // SAFETY: the caller's promise.
                unsafe { std::arch::x86_64::$load(from) }
            }
            #[inline(always)]
            unsafe fn store(self, to: *mut f64) {
                // SAFETY: the caller's promise.
                unsafe { std::arch::x86_64::$store(to, self) }
            }
            #[inline(always)]
            #[allow(unused_unsafe)]
            unsafe fn splat(x: f64) -> Self {
                // SAFETY: the caller's promise.
                unsafe { std::arch::x86_64::$splat(x) }
            }
            #[inline(always)]
            #[allow(unused_unsafe)]
            unsafe fn add(self, other: Self) -> Self {
                // SAFETY: the caller's promise.
                unsafe { std::arch::x86_64::$add(self, other) }
            }
            #[inline(always)]
            #[allow(unused_unsafe)]
            unsafe fn sub(self, other: Self) -> Self {
                // SAFETY: the caller's promise.
                unsafe { std::arch::x86_64::$sub(self, other) }
            }
            #[inline(always)]
            #[allow(unused_unsafe)]
            unsafe fn mul(self, other: Self) -> Self {
                // SAFETY: the caller's promise.
                unsafe { std::arch::x86_64::$mul(self, other) }
            }
            #[inline(always)]
            #[allow(unused_unsafe)]
            unsafe fn unless_zero(self, x: Self) -> Self {
                // SAFETY: the caller's promise.
                unsafe { std::arch::x86_64::$and(self, $unequal(x, Self::splat(0.0))) }
            }
        }
    };
}
#[cfg(target_arch = "x86_64")]
register!(
    __m128d,
    _mm_loadu_pd,
    _mm_storeu_pd,
    _mm_set1_pd,
    _mm_add_pd,
    _mm_sub_pd,
    _mm_mul_pd,
    _mm_and_pd,
    std::arch::x86_64::_mm_cmpneq_pd
);
#[cfg(target_arch = "x86_64")]
register!(
    __m256d,
    _mm256_loadu_pd,
    _mm256_storeu_pd,
    _mm256_set1_pd,
    _mm256_add_pd,
    _mm256_sub_pd,
    _mm256_mul_pd,
    _mm256_and_pd,
    std::arch::x86_64::_mm256_cmp_pd::<{ std::arch::x86_64::_CMP_NEQ_UQ }>
);

/// What an elementwise kernel does to an element of the result and the same element of a second vector.
pub(crate) trait Operation: Copy {
    /// # Safety
    /// The processor has the register.
    #[allow(private_bounds)]
    unsafe fn apply<R: Register>(self, out: R, x: R) -> R;
}

macro_rules! operation {
    ($(#[$meta:meta])* $name:ident($($field:ident),*), $out:ident, $x:ident => $body:expr) => {
        $(#[$meta])*
        #[derive(Clone, Copy)]
        pub(crate) struct $name { $(pub $field: f64),* }
        impl Operation for $name {
            #[inline(always)]
            #[allow(private_bounds, unused_variables)]
            unsafe fn apply<R: Register>(self, $out: R, $x: R) -> R {
                // SAFETY: the caller's promise.
                unsafe {
                    $(let $field = R::splat(self.$field);)*
                    $body
                }
            }
        }
    };
}
operation!(
    /// `out + x`
    Add(), out, x => out.add(x)
);
operation!(
    /// `out - x`
    Sub(), out, x => out.sub(x)
);
operation!(
    /// `x * s`
    Scale(s), out, x => x.mul(s)
);
operation!(
    /// `out + x * s`
    AddScaled(s), out, x => out.add(x.mul(s))
);
operation!(
    /// `out - x * s`
    SubScaled(s), out, x => out.sub(x.mul(s))
);
operation!(
    /// `out - x * s` where `x` is not zero
    SubScaledUnlessZero(s), out, x => out.sub(x.mul(s).unless_zero(x))
);
operation!(
    /// `out * s + x * t`
    ScaleAndAdd(s, t), out, x => out.mul(s).add(x.mul(t))
);

/// Apply an operation to every element. Most vectors of a step have fewer than a dozen elements: the loop is over blocks of four,
/// and what remains is one pair and one single at most. A plain loop the compiler unrolls for long vectors, and short ones never
/// reach its wide part.
#[inline(always)]
pub(crate) fn for_each<K: Lanes, O: Operation>(result: &mut [f64], v: &[f64], operation: O) {
    let n = result.len();
    let v = &v[..n];
    let (to, from) = (result.as_mut_ptr(), v.as_ptr());
    // SAFETY: both slices have n elements, and every index below is smaller; `K` is chosen by what the processor has.
    unsafe {
        let mut i = 0;
        while i + 4 <= n {
            K::four(to.add(i), from.add(i), operation);
            i += 4;
        }
        if n & 2 != 0 {
            K::two(to.add(i), from.add(i), operation);
            i += 2;
        }
        if n & 1 != 0 {
            one(to.add(i), from.add(i), operation);
        }
    }
}

/// [`for_each`] with the vector itself as second argument.
#[inline(always)]
pub(crate) fn in_place<K: Lanes, O: Operation>(v: &mut [f64], operation: O) {
    let (n, to) = (v.len(), v.as_mut_ptr());
    // SAFETY: the slice has n elements, and every index below is smaller; `K` is chosen by what the processor has.
    unsafe {
        let mut i = 0;
        while i + 4 <= n {
            K::four(to.add(i), to.add(i), operation);
            i += 4;
        }
        if n & 2 != 0 {
            K::two(to.add(i), to.add(i), operation);
            i += 2;
        }
        if n & 1 != 0 {
            one(to.add(i), to.add(i), operation);
        }
    }
}

/// `Σ aᵢ bᵢ` over pairs of blocks in four lanes, zero for none. The lanes start from the first products, not from zero: a sum of
/// negative zeros keeps its sign.
#[inline(always)]
pub(crate) fn dot_of_blocks(a: &[[f64; 4]], b: &[[f64; 4]]) -> f64 {
    let mut blocks = a.iter().zip(b);
    let Some((x, y)) = blocks.next() else { return 0.0 };
    #[cfg(target_arch = "x86_64")]
    // SAFETY: every pointer is that of four numbers; the processor family has these registers.
    unsafe {
        use std::arch::x86_64::*;
        let product = |x: &[f64; 4], y: &[f64; 4], i: usize| {
            _mm_mul_pd(_mm_loadu_pd(x.as_ptr().add(i)), _mm_loadu_pd(y.as_ptr().add(i)))
        };
        let (mut low, mut high) = (product(x, y, 0), product(x, y, 2));
        for (x, y) in blocks {
            low = _mm_add_pd(low, product(x, y, 0));
            high = _mm_add_pd(high, product(x, y, 2));
        }
        let pairs = _mm_add_pd(low, high);
        _mm_cvtsd_f64(_mm_add_sd(pairs, _mm_unpackhi_pd(pairs, pairs)))
    }
    #[cfg(not(target_arch = "x86_64"))]
    {
        let mut lanes: [f64; 4] = std::array::from_fn(|i| x[i] * y[i]);
        for (x, y) in blocks {
            for lane in 0..4 {
                lanes[lane] += x[lane] * y[lane];
            }
        }
        crate::dense::reduce(lanes)
    }
}

/// # Safety
/// Both pointers are valid for a register, and the processor has it.
#[inline(always)]
unsafe fn in_register<R: Register, O: Operation>(to: *mut f64, from: *const f64, operation: O) {
    // SAFETY: the caller's promise.
    unsafe { operation.apply(R::load(to), R::load(from)).store(to) }
}

/// # Safety
/// Both pointers are valid.
#[inline(always)]
unsafe fn one<O: Operation>(to: *mut f64, from: *const f64, operation: O) {
    // SAFETY: the caller's promise.
    unsafe { in_register::<f64, O>(to, from, operation) }
}

/// Elementary operations a kernel body is written with, in the widest registers a version of it may use.
pub(crate) trait Lanes {
    /// [`crate::dense::dot`]
    fn dot(a: &[f64], b: &[f64]) -> f64;

    /// # Safety
    /// Both pointers are valid for two numbers.
    #[inline(always)]
    unsafe fn two<O: Operation>(to: *mut f64, from: *const f64, operation: O) {
        // SAFETY: the caller's promise; the processor family has this register.
        #[cfg(target_arch = "x86_64")]
        unsafe {
            in_register::<std::arch::x86_64::__m128d, O>(to, from, operation);
        }
        // SAFETY: the caller's promise.
        #[cfg(not(target_arch = "x86_64"))]
        unsafe {
            one(to, from, operation);
            one(to.add(1), from.add(1), operation);
        }
    }

    /// # Safety
    /// Both pointers are valid for four numbers, and the processor has the registers of this version.
    #[inline(always)]
    unsafe fn four<O: Operation>(to: *mut f64, from: *const f64, operation: O) {
        // SAFETY: the caller's promise.
        unsafe {
            Self::two(to, from, operation);
            Self::two(to.add(2), from.add(2), operation);
        }
    }

    /// [`crate::dense::add_scaled_to`]
    #[inline(always)]
    fn add_scaled_to(result: &mut [f64], v: &[f64], s: f64)
    where
        Self: Sized,
    {
        for_each::<Self, _>(result, v, AddScaled { s });
    }

    /// `result -= v * s` for the elements of `v` that are not zero.
    #[inline(always)]
    fn sub_scaled_unless_zero(result: &mut [f64], v: &[f64], s: f64)
    where
        Self: Sized,
    {
        for_each::<Self, _>(result, v, SubScaledUnlessZero { s });
    }

    /// [`crate::dense::scale_mut`]
    #[inline(always)]
    fn scale_mut(v: &mut [f64], s: f64)
    where
        Self: Sized,
    {
        in_place::<Self, _>(v, Scale { s });
    }

    /// [`crate::dense::scale`]
    #[inline(always)]
    fn scale(result: &mut [f64], v: &[f64], s: f64)
    where
        Self: Sized,
    {
        for_each::<Self, _>(result, v, Scale { s });
    }
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

    #[inline(always)]
    unsafe fn four<O: Operation>(to: *mut f64, from: *const f64, operation: O) {
        // SAFETY: the caller's promise.
        unsafe { in_register::<std::arch::x86_64::__m256d, O>(to, from, operation) }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx")]
#[inline]
fn dot_avx(a: &[f64], b: &[f64]) -> f64 {
    use std::arch::x86_64::*;
    let b = &b[..a.len()];
    let ((blocks_a, tail_a), (blocks_b, tail_b)) = (a.as_chunks::<4>(), b.as_chunks::<4>());
    // SAFETY: the pointers are those of four numbers.
    let product = |x: &[f64; 4], y: &[f64; 4]| unsafe {
        _mm256_mul_pd(_mm256_loadu_pd(x.as_ptr()), _mm256_loadu_pd(y.as_ptr()))
    };
    let mut blocks = blocks_a.iter().zip(blocks_b);
    let mut sum = 0.0;
    if let Some((x, y)) = blocks.next() {
        let mut lanes = product(x, y);
        for (x, y) in blocks {
            lanes = _mm256_add_pd(lanes, product(x, y));
        }
        let pairs = _mm_add_pd(_mm256_castpd256_pd128(lanes), _mm256_extractf128_pd(lanes, 1));
        sum = _mm_cvtsd_f64(_mm_add_sd(pairs, _mm_unpackhi_pd(pairs, pairs)));
    }
    crate::dense::add_tail(sum, tail_a, tail_b)
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
    use super::*;
    use crate::matrix::{self, Triangle};
    use crate::sparse::Pattern;
    use crate::{cholesky, dense, sparse_structure, tree_ldl};

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
            let (columns, roots) = (numbers.vec(5 * n), numbers.vec(n));
            assert_same!(
                columns,
                |x| tree_ldl::solve_half_columns(x, 5, &chain, &roots, pattern),
                tree_ldl::solve_half_columns::plain(x, 5, &chain, &roots, pattern)
            );
        }
    }

    /// What an operation gives element by element.
    fn one_by_one(out: &[f64], v: &[f64], operation: impl Operation) -> Vec<f64> {
        // SAFETY: every processor has this register.
        out.iter().zip(v).map(|(out, x)| unsafe { operation.apply(*out, *x) }).collect()
    }

    fn assert_elementwise(out: &[f64], v: &[f64], operation: impl Operation) {
        let expected = bits(&one_by_one(out, v, operation));
        let mut plain = out.to_vec();
        for_each::<Plain, _>(&mut plain, v, operation);
        assert_eq!(bits(&plain), expected);
        #[cfg(target_arch = "x86_64")]
        if has_avx() {
            let mut wide = out.to_vec();
            for_each::<Avx, _>(&mut wide, v, operation);
            assert_eq!(bits(&wide), expected);
        }
        let expected = bits(&one_by_one(out, out, operation));
        let mut own = out.to_vec();
        in_place::<Plain, _>(&mut own, operation);
        assert_eq!(bits(&own), expected);
    }

    #[test]
    fn elementwise_operations_have_equal_bits_at_every_length() {
        let mut numbers = Numbers(3);
        for n in 0..24 {
            let (out, v, s, t) = (numbers.vec(n), numbers.vec(n), numbers.next(), numbers.next());
            assert_elementwise(&out, &v, Add {});
            assert_elementwise(&out, &v, Sub {});
            assert_elementwise(&out, &v, Scale { s });
            assert_elementwise(&out, &v, AddScaled { s });
            assert_elementwise(&out, &v, SubScaled { s });
            assert_elementwise(&out, &v, SubScaledUnlessZero { s });
            assert_elementwise(&out, &v, ScaleAndAdd { s, t });
        }
    }

    #[test]
    fn dot_products_sum_in_four_lanes_at_every_length() {
        let mut numbers = Numbers(4);
        for n in 0..24 {
            let (a, b) = (numbers.vec(n), numbers.vec(n));
            let mut sum = 0.0;
            let blocks = n / 4;
            if blocks > 0 {
                let mut lanes: [f64; 4] = std::array::from_fn(|i| a[i] * b[i]);
                for i in 4..4 * blocks {
                    lanes[i % 4] += a[i] * b[i];
                }
                sum = (lanes[0] + lanes[2]) + (lanes[1] + lanes[3]);
            }
            let rest: Vec<f64> = (4 * blocks..n).map(|i| a[i] * b[i]).collect();
            if let Some(tail) = rest.into_iter().reduce(|x, y| x + y) {
                sum += tail;
            }
            assert_eq!(dense::dot(&a, &b).to_bits(), sum.to_bits());
            #[cfg(target_arch = "x86_64")]
            if has_avx() {
                assert_eq!(Avx::dot(&a, &b).to_bits(), sum.to_bits());
                assert_eq!(dense::long_dot(&a, &b).to_bits(), dense::long_dot::plain(&a, &b).to_bits());
            }
        }
    }

    #[test]
    fn sparse_gram_matrices_have_equal_bits_in_both_versions() {
        let mut numbers = Numbers(5);
        for n in 1..12 {
            // Rows of two blocks of columns, so that columns come in groups with equal patterns.
            let (width, rows) = (n, 9);
            let columns = 3 * width;
            let mut colind = Vec::new();
            for row in 0..rows {
                let mut block = |b: usize| colind.extend((b * width..(b + 1) * width).map(|c| c as i32));
                if row % 3 != 2 {
                    block(row % 3);
                }
                block(2);
            }
            let rownnz: Vec<i32> =
                (0..rows).map(|row| if row % 3 == 2 { width } else { 2 * width } as i32).collect();
            let mut rowadr = vec![0; rows];
            sparse_structure::start_addresses(&mut rowadr, &rownnz);
            let pattern = Pattern { rownnz: &rownnz, rowadr: &rowadr, colind: &colind };
            let mut moderate = |n| -> Vec<f64> { numbers.vec(n).iter().map(|x| x % 1.0).collect() };
            let (m, weights) = (moderate(colind.len()), moderate(rows));
            let mut turned = vec![0.0; m.len()];
            let (mut nnz, mut adr, mut ind) = (vec![0; columns], vec![0; columns], vec![0; m.len()]);
            sparse_structure::transpose(&mut turned, &mut nnz, &mut adr, &mut ind, &m, pattern);
            let transposed = Pattern { rownnz: &nnz, rowadr: &adr, colind: &ind };
            let mut supernodes = vec![0; columns];
            sparse_structure::supernodes(&mut supernodes, transposed);
            let mut scratch = sparse_structure::GramScratch::default();
            let (mut count, mut start) = (vec![0; columns], vec![0; columns]);
            let groups = Some(&supernodes[..]);
            let total = sparse_structure::gram_count(
                &mut count,
                &mut start,
                pattern,
                transposed,
                groups,
                false,
                &mut scratch,
            );
            let mut places = vec![0; total];
            for weights in [None, Some(&weights[..])] {
                let results = [groups, None].map(|groups| {
                    assert_same!(
                        vec![0.0; total],
                        |x| sparse_structure::gram(
                            x,
                            &mut count,
                            &start,
                            &mut places,
                            &m,
                            pattern,
                            &turned,
                            transposed,
                            groups,
                            weights,
                            None,
                            &mut scratch,
                        ),
                        sparse_structure::gram::plain(
                            x,
                            &mut count,
                            &start,
                            &mut places,
                            &m,
                            pattern,
                            &turned,
                            transposed,
                            groups,
                            weights,
                            None,
                            &mut scratch,
                        )
                    )
                });
                // Columns computed one by one give the same.
                assert_eq!(bits(&results[0]), bits(&results[1]));
                let mut full = vec![0.0; rows * columns];
                sparse_structure::to_dense(&mut full, &m, pattern, columns);
                let mut expected = vec![0.0; columns * columns];
                matrix::gram(&mut expected, &full, weights, rows, columns, Triangle::Lower);
                let mut found = vec![0.0; columns * columns];
                let gram_pattern = Pattern { rownnz: &count, rowadr: &start, colind: &places };
                sparse_structure::to_dense(&mut found, &results[0], gram_pattern, columns);
                for (x, y) in found.iter().zip(&expected) {
                    assert!((x - y).abs() <= 1e-12 * (1.0 + y.abs()));
                }
            }
        }
    }
}
