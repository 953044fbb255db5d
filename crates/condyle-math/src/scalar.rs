//! Functions of single numbers: comparisons with a defined answer for NaN and signed zeros, rounding, a smooth step.

use std::hint;

/// `a` if `a > b`, else `b`: on a tie or a NaN the second argument is returned.
#[inline(always)]
pub fn max(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

/// `a` if `a < b`, else `b`: on a tie or a NaN the second argument is returned.
#[inline(always)]
pub fn min(a: f64, b: f64) -> f64 {
    if a < b { a } else { b }
}

/// `a` if `a >= b`, else `b`: on a tie the first argument is returned, on a NaN the second. Never a branch, even where a profile
/// suggests one: which corner of a box is lowest cannot be foreseen.
#[inline(always)]
pub fn max_first(a: f64, b: f64) -> f64 {
    hint::select_unpredictable(a >= b, a, b)
}

/// `a` if `a <= b`, else `b`: on a tie the first argument is returned, on a NaN the second. Never a branch, as [`max_first`].
#[inline(always)]
pub fn min_first(a: f64, b: f64) -> f64 {
    hint::select_unpredictable(a <= b, a, b)
}

/// `x` limited to `[low, high]`; a NaN passes through.
#[inline(always)]
pub fn clip(x: f64, low: f64, high: f64) -> f64 {
    if x < low {
        low
    } else if x > high {
        high
    } else {
        x
    }
}

/// −1, 0 or 1 by the sign of `x`; 0 for NaN.
#[inline(always)]
pub fn sign(x: f64) -> f64 {
    if x < 0.0 {
        -1.0
    } else if x > 0.0 {
        1.0
    } else {
        0.0
    }
}

/// Whether a state value is invalid: NaN, or larger in magnitude than 1e10.
#[inline(always)]
pub fn is_bad(x: f64) -> bool {
    // One comparison: it fails for what is not a number too.
    !(x.abs() <= 1e10)
}

/// Smooth step from 0 at `x <= 0` to 1 at `x >= 1`: `6x⁵ - 15x⁴ + 10x³`.
pub fn sigmoid(x: f64) -> f64 {
    if x <= 0.0 {
        0.0
    } else if x >= 1.0 {
        1.0
    } else {
        x * x * x * (3.0 * x * (2.0 * x - 5.0) + 10.0)
    }
}

/// Nearest integer, halves upwards.
pub fn round(x: f64) -> i32 {
    let (low, high) = (x.floor(), x.ceil());
    if x - low < high - x { low as i32 } else { high as i32 }
}

/// The whole number that x86-64 makes of a number in C: what does not fit, and what is no number, gives the least.
#[inline]
pub fn to_whole(x: f64) -> i32 {
    let fits = x > f64::from(i32::MIN) - 1.0 && x < f64::from(i32::MAX) + 1.0;
    if fits { x as i32 } else { i32::MIN }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sigmoid_is_flat_outside_the_unit_interval() {
        assert_eq!([sigmoid(-1.0), sigmoid(0.5), sigmoid(2.0)], [0.0, 0.5, 1.0]);
    }

    #[test]
    fn rounding_takes_halves_upwards() {
        assert_eq!([-1.5, -0.4, 0.5, 2.5].map(round), [-1, 0, 1, 3]);
    }

    #[test]
    fn ties_and_nan_return_the_second_argument() {
        assert!(max(0.0, -0.0).is_sign_negative());
        assert!(min(0.0, -0.0).is_sign_negative());
        assert_eq!(max(f64::NAN, 1.0), 1.0);
        assert!(max(1.0, f64::NAN).is_nan());
        assert!(clip(f64::NAN, 0.0, 1.0).is_nan());
    }

    #[test]
    fn the_other_forms_keep_the_first_argument_on_a_tie() {
        assert!(max_first(0.0, -0.0).is_sign_positive());
        assert!(min_first(-0.0, 0.0).is_sign_negative());
        assert!(max_first(1.0, f64::NAN).is_nan() && min_first(f64::NAN, 1.0) == 1.0);
    }

    #[test]
    fn bad_values_are_nan_and_huge() {
        assert!(is_bad(f64::NAN) && is_bad(2e10) && is_bad(f64::NEG_INFINITY));
        assert!(!is_bad(1e10) && !is_bad(-1e10));
    }
}
