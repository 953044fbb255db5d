//! Elementary functions from exactly rounded operations alone, so that a picture has the same bits on every machine: the functions of
//! the system's mathematical library differ from one system to the next.
//!
//! Series are cut where the next term is below the last bit of a double; results serve single precision.

/// Largest whole number not above a value within the range of `i32`. Processors of the base set have no instruction for it, and a call
/// of the system's function costs more.
#[inline]
pub(crate) fn floor_to_i32(value: f64) -> i32 {
    let whole = value as i32;
    whole.wrapping_sub(i32::from(f64::from(whole) > value))
}

/// π/2 in two parts; the first has trailing zeros, so that its small multiples are exact.
const HALF_PI_HIGH: f64 = f64::from_bits(0x3FF9_21FB_5440_0000);
const HALF_PI_LOW: f64 = 6.077_100_506_506_192e-11;

/// Sine and cosine of an angle in radians; NaN for angles that are not finite or beyond 2^30.
pub(crate) fn sin_cos(angle: f64) -> (f64, f64) {
    // The comparison is false for NaN, which is meant to fail too.
    if angle.is_nan() || angle.abs() > 1_073_741_824.0 {
        return (f64::NAN, f64::NAN);
    }
    let turns = (angle * std::f64::consts::FRAC_2_PI + 0.5).floor();
    let rest = (angle - turns * HALF_PI_HIGH) - turns * HALF_PI_LOW;
    let square = rest * rest;
    let mut sine = 1.0;
    let mut cosine = 1.0;
    // Horner's scheme from the smallest term: x - x³/3! + …, 1 - x²/2! + …
    let mut order = 21.0;
    while order > 2.0 {
        sine = 1.0 - sine * square / (order * (order - 1.0));
        cosine = 1.0 - cosine * square / ((order - 1.0) * (order - 2.0));
        order -= 2.0;
    }
    sine *= rest;
    match (turns as i64).rem_euclid(4) {
        0 => (sine, cosine),
        1 => (cosine, -sine),
        2 => (-sine, -cosine),
        _ => (-cosine, sine),
    }
}

/// Logarithm to base 2 of a positive normal number.
pub(crate) fn log2(value: f64) -> f64 {
    let bits = value.to_bits();
    let mut exponent = ((bits >> 52) as i64 & 0x7FF) - 1023;
    let mut mantissa = f64::from_bits((bits & 0x000F_FFFF_FFFF_FFFF) | 0x3FF0_0000_0000_0000);
    if mantissa > std::f64::consts::SQRT_2 {
        mantissa *= 0.5;
        exponent += 1;
    }
    // ln m = 2 artanh s with s = (m - 1)/(m + 1), |s| < 0.172
    let s = (mantissa - 1.0) / (mantissa + 1.0);
    let square = s * s;
    let mut sum = 0.0;
    for odd in [19.0, 17.0, 15.0, 13.0, 11.0, 9.0, 7.0, 5.0, 3.0] {
        sum = (sum + 1.0 / odd) * square;
    }
    exponent as f64 + 2.0 * s * (1.0 + sum) * std::f64::consts::LOG2_E
}

/// 2 to the power of a number between -1000 and 1000; zero below, infinite above.
pub(crate) fn exp2(value: f64) -> f64 {
    if value < -1000.0 {
        return 0.0;
    }
    if value > 1000.0 {
        return f64::INFINITY;
    }
    let whole = (value + 0.5).floor();
    let rest = (value - whole) * std::f64::consts::LN_2;
    let mut sum = 1.0;
    for order in [13.0, 12.0, 11.0, 10.0, 9.0, 8.0, 7.0, 6.0, 5.0, 4.0, 3.0, 2.0, 1.0] {
        sum = 1.0 + sum * rest * (1.0 / order);
    }
    sum * f64::from_bits(((whole as i64 + 1023) as u64) << 52)
}

/// `base` to the power of `exponent` for a base of zero or more; 1 for a zero exponent, as graphics hardware has it.
pub(crate) fn power(base: f64, exponent: f64) -> f64 {
    if exponent == 0.0 || base == 1.0 {
        return 1.0;
    }
    if base.is_nan() || base < f64::MIN_POSITIVE {
        return 0.0;
    }
    // Exponents of highlights mostly are whole numbers: squares and products.
    if (1.0..=128.0).contains(&exponent) && f64::from(exponent as u32) == exponent {
        let (mut bits, mut square, mut product) = (exponent as u32, base, 1.0);
        while bits != 0 {
            product *= if bits & 1 != 0 { square } else { 1.0 };
            square *= square;
            bits >>= 1;
        }
        return product;
    }
    exp2(exponent * log2(base))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floors_are_those_of_the_system() {
        for value in [0.0, 0.5, -0.5, 1.0, -1.0, -1.5, 8_388_607.5, -8_388_607.5, 2e9_f64] {
            assert_eq!(floor_to_i32(value), value.floor() as i32, "{value}");
        }
    }

    #[test]
    fn sine_and_cosine_are_those_of_the_system_to_a_few_bits() {
        for index in -2000..2000 {
            let angle = f64::from(index) * 0.173;
            let (sine, cosine) = sin_cos(angle);
            assert!((sine - angle.sin()).abs() < 1e-14, "{angle}");
            assert!((cosine - angle.cos()).abs() < 1e-14, "{angle}");
        }
        assert_eq!(sin_cos(0.0), (0.0, 1.0));
        assert!(sin_cos(f64::INFINITY).0.is_nan());
    }

    #[test]
    fn powers_are_those_of_the_system_to_a_few_bits() {
        for index in 1..1000 {
            let base = f64::from(index) * 0.001;
            for exponent in [0.5, 1.0, 2.0, 64.0, 128.0] {
                let expected = base.powf(exponent);
                assert!(
                    (power(base, exponent) - expected).abs() <= 1e-13 * expected + 1e-290,
                    "{base} {exponent}"
                );
            }
        }
        assert_eq!(power(0.0, 0.0), 1.0);
        assert_eq!(power(0.0, 3.0), 0.0);
        assert_eq!(power(0.25, 0.5), 0.5);
        assert!((exp2(10.0) - 1024.0).abs() < 1e-10);
    }
}
