//! Numbers of OBJ files as the reference reads them: C's `strtold`, then the nearest `f32` within its finite range.
//!
//! A number ends where it can no longer be one (`1.5x` is 1.5, `1e` is 1), hexadecimal floats, `inf` and `nan` are numbers, and
//! what is none is zero. `strtold` keeps 64 bits of mantissa. Rounding to 53 bits first gives the same `f32` except where that
//! ends exactly between two neighbours; only then the digits are compared with what rounds to that middle in 64 bits.

/// The number at the start of `text` after white space, 0 if there is none.
pub(crate) fn parse(text: &[u8]) -> f32 {
    let start = text.iter().position(|&byte| !is_space(byte)).unwrap_or(text.len());
    let text = text.get(start..).unwrap_or_default();
    let (negative, unsigned) = match text {
        [b'-', rest @ ..] => (true, rest),
        [b'+', rest @ ..] => (false, rest),
        _ => (false, text),
    };
    let magnitude = magnitude(unsigned);
    // Zero without a sign where there is no number, as C has it.
    match magnitude {
        None => 0.0,
        Some(value) => {
            let value = if value == f32::INFINITY { f32::MAX } else { value };
            if negative { -value } else { value }
        }
    }
}

/// White space of C without the ends of lines, which are gone already.
fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | 0x0b | 0x0c)
}

fn magnitude(text: &[u8]) -> Option<f32> {
    let head = text.get(..3).unwrap_or_default();
    if head.eq_ignore_ascii_case(b"inf") {
        return Some(f32::INFINITY);
    }
    if head.eq_ignore_ascii_case(b"nan") {
        return Some(f32::NAN);
    }
    if let [b'0', b'x' | b'X', rest @ ..] = text
        && let Some(value) = hexadecimal(rest)
    {
        return Some(value);
    }
    decimal(text)
}

/// Length of the digits at the start of `text`.
fn digits(text: &[u8]) -> usize {
    text.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(text.len())
}

/// The power after a letter at the start of `text` and how long both are; none without digits.
fn power(text: &[u8], letter: u8) -> Option<(i64, usize)> {
    let (first, rest) = text.split_first()?;
    if !first.eq_ignore_ascii_case(&letter) {
        return None;
    }
    let signed = usize::from(matches!(rest.first(), Some(b'+' | b'-')));
    let length = digits(rest.get(signed..)?);
    let written = std::str::from_utf8(rest.get(..signed + length)?).ok()?;
    let limit: i64 = if written.starts_with('-') { -1 << 40 } else { 1 << 40 };
    let value = written.parse::<i64>().unwrap_or(limit).clamp(-1 << 40, 1 << 40);
    (length > 0).then_some((value, 1 + signed + length))
}

fn decimal(text: &[u8]) -> Option<f32> {
    let whole = digits(text);
    let mut end = whole;
    let mut fraction = 0;
    if text.get(whole) == Some(&b'.') {
        fraction = digits(text.get(whole + 1..)?);
        end += 1 + fraction;
    }
    if whole + fraction == 0 {
        return None;
    }
    let mantissa = text.get(..end)?;
    let (exponent, length) = power(text.get(end..)?, b'e').unwrap_or((0, 0));
    let value: f64 = std::str::from_utf8(text.get(..end + length)?).ok()?.parse().ok()?;
    Some(if is_between_singles(value) { round_from_middle(value, mantissa, exponent) } else { value as f32 })
}

/// Whether a value lies exactly between two neighbouring `f32`.
fn is_between_singles(value: f64) -> bool {
    let near = value as f32;
    if f64::from(near) == value || near.is_infinite() {
        return false;
    }
    let other = if f64::from(near) < value { near.next_up() } else { near.next_down() };
    (f64::from(near) + f64::from(other)) * 0.5 == value
}

/// Digits before and after the point that are compared; a middle between two `f32` and its 64-bit neighbours fit.
const WHOLE: usize = 40;
const PLACES: usize = WHOLE + 240;

/// The `f32` for a number whose nearest `f64` is `middle`: to the even neighbour if its 64-bit mantissa is that of `middle` too.
fn round_from_middle(middle: f64, mantissa: &[u8], exponent: i64) -> f32 {
    let written = written_digits(mantissa, exponent);
    let even = middle as f32;
    let (below, above) =
        if f64::from(even) < middle { (even, even.next_up()) } else { (even.next_down(), even) };
    let unit = f64::from_bits(middle.to_bits() & !((1 << 52) - 1));
    // Half of the last of 64 bits; below a power of two these are half as large.
    let half = unit * 2.0_f64.powf(-64.0);
    let half_below = if unit == middle { half * 0.5 } else { half };
    if written > sum_of_digits(&value_digits(middle), &value_digits(half), false) {
        above
    } else if written < sum_of_digits(&value_digits(middle), &value_digits(half_below), true) {
        below
    } else {
        even
    }
}

/// Fixed-point digits of a written number; a last place more says whether further digits follow.
fn written_digits(mantissa: &[u8], exponent: i64) -> Vec<i8> {
    let mut places = vec![0; PLACES + 1];
    let whole = mantissa.iter().position(|&byte| byte == b'.').unwrap_or(mantissa.len());
    let first = WHOLE as i64 - whole as i64 - exponent;
    let digits = mantissa.iter().filter(|byte| byte.is_ascii_digit());
    for (at, &byte) in (first..).zip(digits) {
        let digit = (byte - b'0') as i8;
        match usize::try_from(at).ok().and_then(|at| places.get_mut(at)) {
            Some(place) if at < PLACES as i64 => *place = digit,
            _ if digit != 0 && at > 0 => places[PLACES] = 1,
            _ => {}
        }
    }
    places
}

/// Fixed-point digits of a value; exact for the values compared here.
fn value_digits(value: f64) -> Vec<i8> {
    let text = format!("{value:0width$.after$}", width = PLACES + 1, after = PLACES - WHOLE);
    text.bytes().filter(u8::is_ascii_digit).map(|byte| (byte - b'0') as i8).chain([0]).collect()
}

fn sum_of_digits(a: &[i8], b: &[i8], subtract: bool) -> Vec<i8> {
    let mut sum = vec![0; a.len()];
    let mut carry = 0;
    for ((place, &a), &b) in sum.iter_mut().zip(a).zip(b).rev() {
        let digit = if subtract { a - b + carry } else { a + b + carry };
        carry = digit.div_euclid(10);
        *place = digit.rem_euclid(10);
    }
    sum
}

/// The value of the digits after `0x`; none if there are none.
fn hexadecimal(text: &[u8]) -> Option<f32> {
    let mut mantissa: u128 = 0;
    let (mut scale, mut count, mut point) = (0_i64, 0, false);
    let mut length = 0;
    for &byte in text {
        if byte == b'.' && !point {
            point = true;
        } else if let Some(digit) = char::from(byte).to_digit(16) {
            count += 1;
            if mantissa >> 120 == 0 {
                mantissa = mantissa << 4 | u128::from(digit);
                scale -= if point { 4 } else { 0 };
            } else {
                mantissa |= u128::from(digit != 0);
                scale += if point { 0 } else { 4 };
            }
        } else {
            break;
        }
        length += 1;
    }
    if count == 0 {
        return None;
    }
    if mantissa == 0 {
        return Some(0.0);
    }
    let (exponent, _) = power(text.get(length..)?, b'p').unwrap_or((0, 0));
    // Sixty-four bits first, then those of the result.
    let shift = mantissa.leading_zeros();
    let mut leading = scale + exponent + 127 - i64::from(shift);
    let mut wide = round_away(mantissa << shift, 64);
    if wide >> 64 != 0 {
        wide >>= 1;
        leading += 1;
    }
    if leading > 127 {
        return Some(f32::INFINITY);
    }
    let lost = 40 + (-126 - leading).max(0);
    if lost > 64 {
        return Some(0.0);
    }
    let kept = round_away(wide, lost as u32) as f64;
    Some((kept * 2.0_f64.powf((leading - 63 + lost) as f64)) as f32)
}

/// Drops the last bits, to nearest, ties to even.
fn round_away(bits: u128, dropped: u32) -> u128 {
    let kept = bits >> dropped;
    let rest = bits & ((1 << dropped) - 1);
    let half = 1 << (dropped - 1);
    kept + u128::from(rest > half || rest == half && kept & 1 == 1)
}

/// Integer at the start of `text` after blanks, 0 if there is none; what exceeds 64 bits ends at their limits, then 32 bits are kept.
pub(crate) fn parse_index(text: &[u8]) -> i32 {
    let text = text.trim_ascii_start();
    let (sign, digits) = match text {
        [b'-', rest @ ..] => (-1, rest),
        [b'+', rest @ ..] => (1, rest),
        _ => (1, text),
    };
    let mut value: i64 = 0;
    for digit in digits.iter().take_while(|c| c.is_ascii_digit()) {
        value = value.saturating_mul(10).saturating_add(sign * i64::from(digit - b'0'));
    }
    value as i32
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
            ("1e", 1.0),
            ("1e+x", 1.0),
            ("1.5.5", 1.5),
            ("0x10", 16.0),
            ("0X1.8p-2", 0.375),
            ("0x", 0.0),
            ("0xp3", 0.0),
            ("1e39", f32::MAX),
            ("-inf", -f32::MAX),
            ("\u{b}3", 3.0),
        ] {
            assert_eq!(parse(text.as_bytes()), value, "{text}");
        }
        assert!(parse(b"-0").is_sign_negative());
        assert!(parse(b"nanx").is_nan());
        for text in ["", "-", "e5", "in", "x", ".", "-.", "--1"] {
            assert_eq!(parse(text.as_bytes()).to_bits(), 0, "{text}");
        }
    }

    #[test]
    fn absurd_exponents_end_at_zero_or_the_largest_number() {
        assert_eq!(parse(b"1e99999999999999999999"), f32::MAX);
        assert_eq!(parse(b"0e99999999999999999999"), 0.0);
        assert_eq!(parse(b"1e-99999999999999999999"), 0.0);
        assert_eq!(parse(b"0x1p99999999999999999999"), f32::MAX);
        assert_eq!(parse(b"0x1p-150").to_bits(), 0);
        assert_eq!(parse(b"0x1.8p-150").to_bits(), 1);
    }

    #[test]
    fn what_lies_between_two_neighbours_is_rounded_from_sixty_four_bits() {
        // The middle of 1 and its neighbour is 1 + 2^-24; the last of 64 bits is 2^-63.
        assert_eq!(parse(b"1.000000059604644775390625"), 1.0);
        assert_eq!(parse(b"1.00000005960464477543"), 1.0);
        assert_eq!(parse(b"1.00000005960464477546"), 1.000_000_1);
        assert_eq!(parse(b"1.00000017881393432610"), 1.000_000_1);
        assert_eq!(parse(b"1.00000017881393432613"), 1.000_000_2);
        assert_eq!(parse(b"1.597389150e7"), 15_973_892.0);
        assert_eq!(parse(b"1597389150000000000001e-14"), 15_973_892.0);
        assert_eq!(parse(b"1597389250000000000001e-14"), 15_973_892.0);
        assert_eq!(parse(b"15973892500000000001e-12"), 15_973_893.0);
        assert_eq!(parse(b"0x1.0000010000000001p0"), 1.0);
        assert_eq!(parse(b"0x1.00000100000000011p0"), 1.000_000_1);
    }

    #[test]
    fn indices_end_at_the_limits_of_sixty_four_bits() {
        assert_eq!(parse_index(b" -12/3"), -12);
        assert_eq!(parse_index(b"x"), 0);
        assert_eq!(parse_index(b"99999999999999999999"), -1);
        assert_eq!(parse_index(b"-99999999999999999999"), 0);
        assert_eq!(parse_index(b"4294967297"), 1);
    }
}
