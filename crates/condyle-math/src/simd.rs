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

/// `a / d` and `b / d`, in one instruction where the processor has one.
#[inline(always)]
fn quotients(a: f64, b: f64, d: f64) -> (f64, f64) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: the processor family has this register.
    unsafe {
        use std::arch::x86_64::{_mm_cvtsd_f64, _mm_div_pd, _mm_set_pd, _mm_set1_pd, _mm_unpackhi_pd};
        let both = _mm_div_pd(_mm_set_pd(b, a), _mm_set1_pd(d));
        (_mm_cvtsd_f64(both), _mm_cvtsd_f64(_mm_unpackhi_pd(both, both)))
    }
    #[cfg(not(target_arch = "x86_64"))]
    (a / d, b / d)
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
    /// The number in memory in all places.
    ///
    /// # Safety
    /// The processor has this register.
    unsafe fn broadcast(x: &f64) -> Self;
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
    unsafe fn broadcast(x: &f64) -> Self {
        *x
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
    ($type:ident, $load:ident, $store:ident, $splat:ident, $broadcast:expr, $add:ident, $sub:ident, $mul:ident, $and:ident, $unequal:expr) => {
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
            unsafe fn broadcast(x: &f64) -> Self {
                // SAFETY: the caller's promise.
                unsafe { $broadcast(x) }
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
    |x: &f64| std::arch::x86_64::_mm_set1_pd(*x),
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
    |x: &f64| std::arch::x86_64::_mm256_broadcast_sd(x),
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

/// `to + from[0] * s[0] + from[1] * s[1] + …`, added from left to right.
///
/// # Safety
/// All pointers are valid for a register, and the processor has it.
#[inline(always)]
unsafe fn sum_in_register<R: Register, const N: usize>(to: *mut f64, from: [*const f64; N], s: &[f64; N]) {
    // SAFETY: the caller's promise.
    unsafe {
        let mut sum = R::load(to);
        for k in 0..N {
            sum = sum.add(R::load(from[k]).mul(R::splat(s[k])));
        }
        sum.store(to);
    }
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

    /// [`crate::dense::dot`] of each pair.
    #[inline(always)]
    fn dots<const N: usize>(pairs: [(&[f64], &[f64]); N]) -> [f64; N] {
        pairs.map(|(a, b)| Self::dot(a, b))
    }

    /// [`crate::matrix::mul_vec`]
    #[inline(always)]
    fn mul_vec(result: &mut [f64], m: &[f64], v: &[f64]) {
        let mut rest = m;
        for out in result {
            let (row, below) = rest.split_at(v.len());
            *out = Self::dot(v, row);
            rest = below;
        }
    }

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

    /// [`sum_in_register`] for two numbers.
    ///
    /// # Safety
    /// All pointers are valid for two numbers.
    #[inline(always)]
    unsafe fn two_sums<const N: usize>(to: *mut f64, from: [*const f64; N], s: &[f64; N]) {
        // SAFETY: the caller's promise; the processor family has this register.
        #[cfg(target_arch = "x86_64")]
        unsafe {
            sum_in_register::<std::arch::x86_64::__m128d, N>(to, from, s);
        }
        // SAFETY: the caller's promise.
        #[cfg(not(target_arch = "x86_64"))]
        unsafe {
            sum_in_register::<f64, N>(to, from, s);
            sum_in_register::<f64, N>(to.add(1), from.map(|row| row.add(1)), s);
        }
    }

    /// [`sum_in_register`] for four numbers.
    ///
    /// # Safety
    /// All pointers are valid for four numbers, and the processor has the registers of this version.
    #[inline(always)]
    unsafe fn four_sums<const N: usize>(to: *mut f64, from: [*const f64; N], s: &[f64; N]) {
        // SAFETY: the caller's promise.
        unsafe {
            Self::two_sums(to, from, s);
            Self::two_sums(to.add(2), from.map(|row| row.add(2)), s);
        }
    }

    /// [`crate::dense::add_scaled_to`] with one vector after the other. The result is loaded and stored once.
    #[inline(always)]
    fn add_all_scaled_to<const N: usize>(result: &mut [f64], rows: [&[f64]; N], s: [f64; N])
    where
        Self: Sized,
    {
        let n = result.len();
        let (to, from) = (result.as_mut_ptr(), rows.map(|row| row[..n].as_ptr()));
        // SAFETY: all slices have n elements, and every index below is smaller; the version is chosen by what the processor has.
        unsafe {
            let at = |i: usize| from.map(|row| row.add(i));
            let mut i = 0;
            while i + 8 <= n {
                Self::four_sums(to.add(i), at(i), &s);
                Self::four_sums(to.add(i + 4), at(i + 4), &s);
                i += 8;
            }
            if n & 4 != 0 {
                Self::four_sums(to.add(i), at(i), &s);
                i += 4;
            }
            if n & 2 != 0 {
                Self::two_sums(to.add(i), at(i), &s);
                i += 2;
            }
            if n & 1 != 0 {
                sum_in_register::<f64, N>(to.add(i), at(i), &s);
            }
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
    fn dots<const N: usize>(pairs: [(&[f64], &[f64]); N]) -> [f64; N] {
        // SAFETY: this type is used in AVX versions of kernels only.
        unsafe { dense_rows::dots_avx(pairs) }
    }

    #[inline(always)]
    fn mul_vec(result: &mut [f64], m: &[f64], v: &[f64]) {
        // SAFETY: this type is used in AVX versions of kernels only.
        unsafe { dense_rows::mul_vec_avx(result, m, v) }
    }

    #[inline(always)]
    unsafe fn four<O: Operation>(to: *mut f64, from: *const f64, operation: O) {
        // SAFETY: the caller's promise.
        unsafe { in_register::<std::arch::x86_64::__m256d, O>(to, from, operation) }
    }

    #[inline(always)]
    unsafe fn four_sums<const N: usize>(to: *mut f64, from: [*const f64; N], s: &[f64; N]) {
        // SAFETY: the caller's promise.
        unsafe { sum_in_register::<std::arch::x86_64::__m256d, N>(to, from, s) }
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx")]
#[inline]
fn dot_of_blocks_avx(a: &[[f64; 4]], b: &[[f64; 4]]) -> f64 {
    use std::arch::x86_64::*;
    // SAFETY: the pointers are those of four numbers.
    let product = |x: &[f64; 4], y: &[f64; 4]| unsafe {
        _mm256_mul_pd(_mm256_loadu_pd(x.as_ptr()), _mm256_loadu_pd(y.as_ptr()))
    };
    let mut blocks = a.iter().zip(b);
    let Some((x, y)) = blocks.next() else { return 0.0 };
    let mut lanes = product(x, y);
    for (x, y) in blocks {
        lanes = _mm256_add_pd(lanes, product(x, y));
    }
    let pairs = _mm_add_pd(_mm256_castpd256_pd128(lanes), _mm256_extractf128_pd(lanes, 1));
    _mm_cvtsd_f64(_mm_add_sd(pairs, _mm_unpackhi_pd(pairs, pairs)))
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx")]
#[inline]
fn dot_avx(a: &[f64], b: &[f64]) -> f64 {
    let b = &b[..a.len()];
    let ((blocks_a, tail_a), (blocks_b, tail_b)) = (a.as_chunks::<4>(), b.as_chunks::<4>());
    crate::dense::add_tail(dot_of_blocks_avx(blocks_a, blocks_b), tail_a, tail_b)
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
            pub(crate) fn plain($($arg: $ty),*) $(-> $result)? $body
        }
    };
}
#[cfg(test)]
pub(crate) use narrow;

pub(crate) mod changes;
#[cfg(target_arch = "x86_64")]
mod dense_rows;
mod gauss_seidel;
mod row_groups;
#[cfg(test)]
mod tests;
mod turned;
mod work;
pub use gauss_seidel::BoundedRows;
pub use row_groups::RowGroups;
pub use turned::TurnedFactor;
pub use work::{Registers, Work};
