//! Numbers written as C's `printf` writes them, for the formats `%f`, `%e` and `%g` with a precision.

/// The first conversion of a format applied to a number; text around it is kept, trailing zeros after a point are not.
pub(crate) fn number(format: &str, value: f64) -> String {
    let Some(start) = format.find('%') else { return format.to_owned() };
    let rest = &format[start + 1..];
    let Some(length) = rest.find(|character: char| character.is_ascii_alphabetic()) else {
        return format.to_owned();
    };
    let (directive, after) = (&rest[..length], &rest[length + 1..]);
    let precision =
        directive.split_once('.').map_or(6, |(_, digits)| digits.parse::<usize>().unwrap_or(0)).min(30);
    let written = if !value.is_finite() {
        let sign = if value < 0.0 { "-" } else { "" };
        format!("{sign}{}", if value.is_nan() { "nan" } else { "inf" })
    } else {
        match rest.as_bytes()[length] {
            b'e' | b'E' => exponential(value, precision),
            b'g' | b'G' => general(value, precision.max(1)),
            _ => format!("{value:.precision$}"),
        }
    };
    format!("{}{}{after}", &format[..start], stripped(&written))
}

fn exponential(value: f64, precision: usize) -> String {
    let text = format!("{value:.precision$e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{mantissa}e{sign}{:02}", exponent.abs())
}

/// The shorter of both forms, with `precision` digits in all and no trailing zeros.
fn general(value: f64, precision: usize) -> String {
    if value == 0.0 {
        return "0".to_owned();
    }
    let text = exponential(value, precision - 1);
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let power: i32 = exponent.parse().unwrap_or(0);
    if power < -4 || power >= precision as i32 {
        return format!("{}e{exponent}", stripped(mantissa));
    }
    let digits = usize::try_from(precision as i32 - 1 - power).unwrap_or(0);
    stripped(&format!("{value:.digits$}")).to_owned()
}

/// Text of a number without zeros at the end of its fraction.
fn stripped(text: &str) -> &str {
    if text.contains('.') && !text.contains('e') {
        text.trim_end_matches('0').trim_end_matches('.')
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_those_of_c_without_trailing_zeros() {
        assert_eq!(number("%.0f", 12.6), "13");
        assert_eq!(number("%.3f", 1.5), "1.5");
        assert_eq!(number("%.2g", 0.000012345), "1.2e-05");
        assert_eq!(number("%.2g", 123.0), "1.2e+02");
        assert_eq!(number("%.4g", 123.0), "123");
        assert_eq!(number("t=%.1fs", 2.25), "t=2.2s");
        assert_eq!(number("%g", f64::NEG_INFINITY), "-inf");
        assert_eq!(number("%", 1.0), "%");
        assert_eq!(number("plain", 1.0), "plain");
    }
}
