//! Numbers as the reference reads them.
//!
//! Vectors follow C's `strtod`, `strtof` and `strtol` in the "C" locale: white space separates, a sign, hexadecimal floats,
//! `inf`, `infinity` and `nan` are numbers, and a result that overflows or is denormal is out of range. Single integers follow
//! a C++ input stream: decimal digits with an optional sign, and an empty text is an error. Rust's own conversion is correctly
//! rounded in both widths, so it is used for decimal digits once their form has been checked.

/// Why a text is not the numbers it should be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NumberError {
    /// The word at this byte offset is not a number.
    Format(usize, usize),
    /// The number at this byte offset cannot be represented with full precision.
    Range(usize, usize),
}

/// A scalar that can be read from text.
pub trait Number: Copy {
    /// The number that is all of `word`.
    fn parse(word: &str) -> Result<Self, Problem>;
    /// Whether this is not a number.
    fn is_nan(self) -> bool;
    /// A list of these as a list of any kind.
    fn list(values: Vec<Self>) -> Numbers;
    /// The list, if it is of these.
    fn of_list(list: Numbers) -> Result<Vec<Self>, Numbers>;
}

/// A list of numbers of one kind.
#[derive(Clone, Debug, PartialEq)]
pub enum Numbers {
    /// Double precision.
    Reals(Vec<f64>),
    /// Single precision.
    Singles(Vec<f32>),
    /// Whole numbers.
    Integers(Vec<i32>),
}

/// The two ways between a list of numbers and one of any kind.
macro_rules! listed {
    ($variant:ident) => {
        fn list(values: Vec<Self>) -> Numbers {
            Numbers::$variant(values)
        }

        fn of_list(list: Numbers) -> Result<Vec<Self>, Numbers> {
            match list {
                Numbers::$variant(values) => Ok(values),
                other => Err(other),
            }
        }
    };
}

/// What is wrong with one word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Problem {
    /// Not a number.
    Format,
    /// Too large or too small.
    Range,
}

impl Number for f64 {
    fn parse(word: &str) -> Result<Self, Problem> {
        match float_form(word)? {
            Form::Special(value) => Ok(value),
            Form::Hexadecimal { negative, digits } => hexadecimal(digits, negative),
            Form::Decimal { zero } => {
                let value: f64 = word.parse().map_err(|_| Problem::Format)?;
                let lost = value.is_infinite() || value == 0.0 && !zero || value.is_subnormal();
                if lost { Err(Problem::Range) } else { Ok(value) }
            }
        }
    }

    fn is_nan(self) -> bool {
        self.is_nan()
    }

    listed!(Reals);
}

impl Number for f32 {
    fn parse(word: &str) -> Result<Self, Problem> {
        match float_form(word)? {
            Form::Special(value) => Ok(value as f32),
            Form::Hexadecimal { negative, digits } => {
                let value = hexadecimal(digits, negative)?;
                let narrow = value as f32;
                let lost = narrow.is_infinite()
                    || f64::from(narrow) != value && (narrow == 0.0 || narrow.is_subnormal());
                if lost { Err(Problem::Range) } else { Ok(narrow) }
            }
            Form::Decimal { zero } => {
                let value: f32 = word.parse().map_err(|_| Problem::Format)?;
                let lost = value.is_infinite() || value == 0.0 && !zero || value.is_subnormal();
                if lost { Err(Problem::Range) } else { Ok(value) }
            }
        }
    }

    fn is_nan(self) -> bool {
        self.is_nan()
    }

    listed!(Singles);
}

impl Number for i32 {
    fn parse(word: &str) -> Result<Self, Problem> {
        let digits = word.strip_prefix(['+', '-']).unwrap_or(word);
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(Problem::Format);
        }
        word.parse().map_err(|_| Problem::Range)
    }

    fn is_nan(self) -> bool {
        false
    }

    listed!(Integers);
}

/// White space between numbers.
pub fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | 0x0b | 0x0c | b'\r')
}

/// Words with their byte offsets.
pub fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let bytes = text.as_bytes();
    let mut at = 0;
    std::iter::from_fn(move || {
        while bytes.get(at).is_some_and(|&byte| is_space(byte)) {
            at += 1;
        }
        let start = at;
        while bytes.get(at).is_some_and(|&byte| !is_space(byte)) {
            at += 1;
        }
        text.get(start..at).filter(|word| !word.is_empty()).map(|word| (start, word))
    })
}

/// All numbers of a text; an empty text holds none.
pub fn parse_vector<T: Number>(text: &str) -> Result<Vec<T>, NumberError> {
    let mut values = Vec::new();
    for (start, word) in words(text) {
        match T::parse(word) {
            Ok(value) => values.push(value),
            Err(Problem::Format) => return Err(NumberError::Format(start, start + word.len())),
            Err(Problem::Range) => return Err(NumberError::Range(start, start + word.len())),
        }
    }
    Ok(values)
}

enum Form<'a> {
    Special(f64),
    Hexadecimal { negative: bool, digits: &'a str },
    Decimal { zero: bool },
}

/// Checks the form of a floating-point number as C does.
fn float_form(word: &str) -> Result<Form<'_>, Problem> {
    let negative = word.starts_with('-');
    let body = word.strip_prefix(['+', '-']).unwrap_or(word);
    let sign = if negative { -1.0 } else { 1.0 };
    if body.eq_ignore_ascii_case("inf") || body.eq_ignore_ascii_case("infinity") {
        return Ok(Form::Special(sign * f64::INFINITY));
    }
    if is_nan_word(body) {
        return Ok(Form::Special(f64::NAN.copysign(sign)));
    }
    if let Some(digits) = body.strip_prefix("0x").or_else(|| body.strip_prefix("0X")) {
        return Ok(Form::Hexadecimal { negative, digits });
    }
    let (mantissa, exponent) = match body.find(['e', 'E']) {
        Some(at) => (body.get(..at).unwrap_or(""), body.get(at + 1..)),
        None => (body, None),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let all_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if whole.len() + fraction.len() == 0 || !all_digits(whole) || !all_digits(fraction) {
        return Err(Problem::Format);
    }
    if let Some(exponent) = exponent {
        let digits = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        if digits.is_empty() || !all_digits(digits) {
            return Err(Problem::Format);
        }
    }
    Ok(Form::Decimal { zero: mantissa.bytes().all(|byte| matches!(byte, b'0' | b'.')) })
}

/// `nan` or `nan(letters, digits and underscores)`.
fn is_nan_word(body: &str) -> bool {
    let Some(head) = body.get(..3) else { return false };
    let tail = body.get(3..).unwrap_or("");
    let inside = tail.strip_prefix('(').and_then(|tail| tail.strip_suffix(')'));
    head.eq_ignore_ascii_case("nan")
        && (tail.is_empty()
            || inside.is_some_and(|inside| {
                inside.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
            }))
}

/// The value of the digits after `0x`, rounded to nearest, ties to even.
fn hexadecimal(digits: &str, negative: bool) -> Result<f64, Problem> {
    let (mantissa, exponent) = match digits.find(['p', 'P']) {
        Some(at) => (digits.get(..at).unwrap_or(""), digits.get(at + 1..)),
        None => (digits, None),
    };
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    if whole.len() + fraction.len() == 0 {
        return Err(Problem::Format);
    }
    let mut power: i64 = match exponent {
        None => 0,
        Some(text) => {
            let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
            if unsigned.is_empty() || !unsigned.bytes().all(|byte| byte.is_ascii_digit()) {
                return Err(Problem::Format);
            }
            text.parse::<i64>()
                .unwrap_or(if text.starts_with('-') { -1 << 40 } else { 1 << 40 })
                .clamp(-1 << 40, 1 << 40)
        }
    };
    let mut bits: u64 = 0;
    let mut sticky = false;
    for (index, digit) in whole.bytes().chain(fraction.bytes()).enumerate() {
        let value = char::from(digit).to_digit(16).ok_or(Problem::Format)?;
        let after_point = index >= whole.len();
        if bits >> 58 == 0 {
            bits = bits << 4 | u64::from(value);
            power -= if after_point { 4 } else { 0 };
        } else {
            sticky |= value != 0;
            power += if after_point { 0 } else { 4 };
        }
    }
    let sign = if negative { -1.0 } else { 1.0 };
    if bits == 0 {
        return Ok(sign * 0.0);
    }
    // Normalise to a leading bit in place 63 and round to 53 bits, or fewer below the smallest normal number.
    let shift = bits.leading_zeros();
    bits <<= shift;
    power += 63 - i64::from(shift);
    if power > 1023 {
        return Err(Problem::Range);
    }
    let dropped = if power < -1022 { 11 + (-1022 - power) } else { 11 };
    if dropped > 64 {
        return Err(Problem::Range);
    }
    let wide = u128::from(bits);
    let kept = wide >> dropped;
    let remainder = wide & ((1 << dropped) - 1);
    let half = 1_u128 << (dropped - 1);
    let inexact = remainder != 0 || sticky;
    let round_up = remainder > half || remainder == half && (sticky || kept & 1 == 1);
    let rounded = (kept + u128::from(round_up)) as f64;
    let unit = power.max(-1022) - 52;
    // Two exact scalings: the unit itself may be below the smallest normal number.
    let value = rounded * exp2(unit / 2) * exp2(unit - unit / 2);
    if value.is_infinite() || value < f64::MIN_POSITIVE && inexact {
        return Err(Problem::Range);
    }
    Ok(sign * value)
}

/// Two to an integer power within the normal range.
fn exp2(power: i64) -> f64 {
    f64::from_bits(((power + 1023).clamp(1, 2046) as u64) << 52)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn real(word: &str) -> Result<f64, Problem> {
        f64::parse(word)
    }

    #[test]
    fn decimal_numbers_are_read_in_all_forms_c_knows() {
        for (word, value) in
            [("1", 1.0), ("+5", 5.0), ("-.5", -0.5), ("1.", 1.0), ("1e3", 1000.0), ("1E-2", 0.01)]
        {
            assert_eq!(real(word), Ok(value), "{word}");
        }
        assert_eq!(real("0e-400"), Ok(0.0));
        assert!(real("-0").unwrap().is_sign_negative());
        assert_eq!(real("inf"), Ok(f64::INFINITY));
        assert_eq!(real("-Infinity"), Ok(f64::NEG_INFINITY));
        assert!(real("NaN").unwrap().is_nan() && real("nan(x_1)").unwrap().is_nan());
    }

    #[test]
    fn what_is_not_a_number_is_refused() {
        for word in [
            "", ".", "+", "1,2", "1e", "1e+", "0x", "0xg", "1.2.3", "a", "1d3", "infin", "nan(", "--1",
            "1_0", "٣",
        ] {
            assert_eq!(real(word), Err(Problem::Format), "{word}");
        }
    }

    #[test]
    fn overflow_and_denormals_are_out_of_range() {
        for word in ["1e400", "-1e309", "1e-310", "1e-400", "0x1p1024", "0x1.8p-1075"] {
            assert_eq!(real(word), Err(Problem::Range), "{word}");
        }
        assert_eq!(real("2.2250738585072014e-308"), Ok(f64::MIN_POSITIVE));
        assert_eq!(f32::parse("1e39"), Err(Problem::Range));
        assert_eq!(f32::parse("1e-40"), Err(Problem::Range));
        assert_eq!(f32::parse("0.1"), Ok(0.1_f32));
    }

    #[test]
    fn hexadecimal_numbers_round_to_even() {
        for (word, value) in [
            ("0x1p-1", 0.5),
            ("0x10", 16.0),
            ("-0X.8", -0.5),
            ("0x1.fffffffffffff8p0", 2.0),
            ("0x1.00000000000008p0", 1.0),
            ("0x1.00000000000018p0", 1.0000000000000004),
            ("0x1.000000000000080000000000001p0", 1.0000000000000002),
            ("0x1p-1074", 5e-324),
            ("0x1.fffffffffffffp1023", f64::MAX),
            ("0x123456789abcdef01234p0", 85_968_058_283_706_962_416_180.0),
        ] {
            assert_eq!(real(word), Ok(value), "{word}");
        }
    }

    #[test]
    fn single_precision_is_rounded_once() {
        // Rounding to double first and then to float would give another neighbour.
        let word = "1.00000005960464477540";
        assert_eq!(f32::parse(word), Ok(word.parse::<f32>().unwrap()));
        assert_ne!(f32::parse(word).unwrap(), word.parse::<f64>().unwrap() as f32);
    }

    #[test]
    fn integers_are_decimal_and_fit() {
        assert_eq!(i32::parse("+007"), Ok(7));
        assert_eq!(i32::parse("3.0"), Err(Problem::Format));
        assert_eq!(i32::parse("2147483648"), Err(Problem::Range));
        assert_eq!(i32::parse("0x10"), Err(Problem::Format));
    }

    #[test]
    fn vectors_say_where_they_are_wrong() {
        assert_eq!(parse_vector::<f64>(" 1\t2\n3 "), Ok(vec![1.0, 2.0, 3.0]));
        assert_eq!(parse_vector::<f64>(""), Ok(vec![]));
        assert_eq!(parse_vector::<f64>("1 two 3"), Err(NumberError::Format(2, 5)));
        assert_eq!(parse_vector::<f64>("1 1e999"), Err(NumberError::Range(2, 7)));
    }
}
