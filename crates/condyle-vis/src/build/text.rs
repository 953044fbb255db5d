//! Words and numbers of labels, as C's `printf` writes them.

use condyle_model::ObjectType;

/// What a kind of element is called when it has no name.
pub(super) fn kind_name(kind: ObjectType) -> &'static str {
    match kind {
        ObjectType::Body => "body",
        ObjectType::Joint => "joint",
        ObjectType::Geom => "geom",
        ObjectType::Site => "site",
        ObjectType::Camera => "camera",
        ObjectType::Light => "light",
        ObjectType::Flex => "flex",
        ObjectType::Skin => "skin",
        ObjectType::Equality => "equality",
        ObjectType::Tendon => "tendon",
        ObjectType::Actuator => "actuator",
        _ => "",
    }
}

/// A number with three decimals.
pub(super) fn fixed(value: f64) -> String {
    not_finite(value).unwrap_or_else(|| format!("{value:.3}"))
}

/// A number with three significant digits, without trailing zeros, with an exponent if that is below −4 or above 2.
pub(super) fn short(value: f64) -> String {
    if let Some(word) = not_finite(value) {
        return word;
    }
    let scientific = format!("{value:.2e}");
    let Some((digits, exponent)) = scientific.split_once('e') else { return scientific };
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if (-4..3).contains(&exponent) {
        let decimals = usize::try_from(2 - exponent).unwrap_or(0);
        return without_zeros(&format!("{value:.decimals$}")).to_owned();
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{}e{sign}{:02}", without_zeros(digits), exponent.abs())
}

fn without_zeros(digits: &str) -> &str {
    if digits.contains('.') { digits.trim_end_matches('0').trim_end_matches('.') } else { digits }
}

fn not_finite(value: f64) -> Option<String> {
    let sign = if value.is_sign_negative() { "-" } else { "" };
    if value.is_nan() {
        Some(format!("{sign}nan"))
    } else if value.is_infinite() {
        Some(format!("{sign}inf"))
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_printf_writes_them() {
        let cases = [
            (0.0, "0"),
            (1.0, "1"),
            (12.345, "12.3"),
            (999.6, "1e+03"),
            (123456.0, "1.23e+05"),
            (0.000123456, "0.000123"),
            (0.0000123456, "1.23e-05"),
            (0.0999999, "0.1"),
            (-2.5, "-2.5"),
            (f64::NAN, "nan"),
            (f64::NEG_INFINITY, "-inf"),
        ];
        for (value, text) in cases {
            assert_eq!(short(value), text);
        }
        assert_eq!(fixed(-0.0004), "-0.000");
        assert_eq!(fixed(2.0625), "2.062");
    }
}
