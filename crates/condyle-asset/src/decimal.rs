//! Decimal numbers of OBJ files, with the rounding of the reader the reference uses.
//!
//! That reader adds up digit times power of ten in double precision, so its results can differ from the correctly rounded ones
//! in the last bits; vertices would then differ by one unit in single precision.

/// Value of the number at the start of `text`, which ends at the first blank; `None` if there is no number.
pub(crate) fn parse(text: &[u8]) -> Option<f64> {
    let (negative, unsigned) = match text {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        _ => (false, text),
    };
    let mut mantissa = 0.0;
    let mut rest = unsigned;
    while let Some((digit, tail)) = split_digit(rest) {
        mantissa = mantissa * 10.0 + digit;
        rest = tail;
    }
    if rest.len() == unsigned.len() && !rest.starts_with(b".") {
        return None;
    }
    if let [b'.', tail @ ..] = rest {
        rest = tail;
        let mut place = 1;
        while let Some((digit, tail)) = split_digit(rest) {
            mantissa += digit * tenth_power(place);
            place += 1;
            rest = tail;
        }
    }
    let mut exponent: i32 = 0;
    if let [b'e' | b'E', tail @ ..] = rest {
        let (below_one, digits) = match tail {
            [b'-', digits @ ..] => (true, digits),
            [b'+', digits @ ..] => (false, digits),
            _ => (false, tail),
        };
        let mut at = digits;
        while let Some((digit, tail)) = split_digit(at) {
            exponent = exponent.wrapping_mul(10).wrapping_add(digit as i32);
            at = tail;
        }
        if at.len() == digits.len() {
            return None;
        }
        if below_one {
            exponent = exponent.wrapping_neg();
        }
    }
    let magnitude = if exponent == 0 {
        mantissa
    } else {
        scale_by_power_of_two(mantissa * 5.0_f64.powf(f64::from(exponent)), exponent)
    };
    Some(if negative { -magnitude } else { magnitude })
}

fn split_digit(text: &[u8]) -> Option<(f64, &[u8])> {
    match text {
        [digit @ b'0'..=b'9', tail @ ..] => Some((f64::from(digit - b'0'), tail)),
        _ => None,
    }
}

/// `10^-place`: the nearest double for the first seven places, the power function beyond.
fn tenth_power(place: i32) -> f64 {
    const NEAREST: [f64; 8] = [1.0, 0.1, 0.01, 0.001, 0.0001, 0.00001, 0.000001, 0.0000001];
    match usize::try_from(place).ok().and_then(|place| NEAREST.get(place)) {
        Some(&power) => power,
        // The base is hidden from the optimiser, which would call another function for powers of ten.
        None => std::hint::black_box(10.0_f64).powf(-f64::from(place)),
    }
}

/// `x * 2^exponent`.
fn scale_by_power_of_two(x: f64, exponent: i32) -> f64 {
    let mut result = x;
    let mut left = exponent.clamp(-3000, 3000);
    while left != 0 {
        let step = left.clamp(-1000, 1000);
        result *= 2.0_f64.powf(f64::from(step));
        left -= step;
    }
    result
}

/// Integer at the start of `text` after blanks, 0 if there is none.
pub(crate) fn parse_index(text: &[u8]) -> i32 {
    let text = text.trim_ascii_start();
    let (negative, digits) = match text {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        _ => (false, text),
    };
    let mut value: i64 = 0;
    for digit in digits.iter().take_while(|c| c.is_ascii_digit()) {
        value = value.saturating_mul(10).saturating_add(i64::from(digit - b'0'));
    }
    (if negative { -value } else { value }) as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn usual_forms_are_read() {
        for (text, value) in [
            ("1", 1.0),
            ("-2.5", -2.5),
            ("+3.25e2", 325.0),
            (".5", 0.5),
            ("-.5", -0.5),
            ("2E-1", 0.2),
            ("7.", 7.0),
        ] {
            assert_eq!(parse(text.as_bytes()), Some(value), "{text}");
        }
        assert!(parse(b"-0").unwrap().is_sign_negative());
        for text in ["", "-", "e5", "1e", "1e+", "nan", "inf", "x"] {
            assert_eq!(parse(text.as_bytes()), None, "{text}");
        }
    }

    #[test]
    fn digits_are_added_one_by_one_in_double_precision() {
        let text = "0.123456789";
        let mut sum = 0.0;
        for (place, digit) in text.bytes().skip(2).enumerate() {
            sum += f64::from(digit - b'0') * tenth_power(place as i32 + 1);
        }
        assert_eq!(parse(text.as_bytes()), Some(sum));
    }

    #[test]
    fn absurd_exponents_end_at_zero_or_infinity() {
        assert_eq!(parse(b"1e99999999999"), parse(b"1e99999999999"));
        assert_eq!(parse(b"1e400"), Some(f64::INFINITY));
        assert_eq!(parse(b"1e-400"), Some(0.0));
        assert_eq!(parse_index(b" -12/3"), -12);
        assert_eq!(parse_index(b"x"), 0);
    }
}
