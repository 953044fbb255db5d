//! Numbers one after another in a text, by the rules of C++ input streams.
//!
//! A number ends at the first byte that cannot continue it, not at a blank. A number that touches the end of the text does not
//! count: the stream is then exhausted, which the reference takes for an error.

use condyle_base::number::Number;

/// A part of a file that is read number by number.
pub(super) struct Stream<'a> {
    /// Everything up to the end of the part.
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Stream<'a> {
    pub(super) fn new(bytes: &'a [u8], start: usize, end: usize) -> Self {
        Self { bytes: bytes.get(..end).unwrap_or(bytes), at: start }
    }

    /// Offset in the file.
    pub(super) fn position(&self) -> usize {
        self.at
    }

    fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    fn skip_blanks(&mut self) {
        while self.peek().is_some_and(|byte| byte.is_ascii_whitespace() || byte == 0x0b) {
            self.at += 1;
        }
    }

    fn skip_digits(&mut self) {
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
    }

    fn skip_sign(&mut self) -> bool {
        let sign = self.peek();
        self.at += usize::from(matches!(sign, Some(b'+' | b'-')));
        sign == Some(b'-')
    }

    /// Sign and magnitude of a whole number.
    fn integer(&mut self) -> Option<(bool, u64)> {
        self.skip_blanks();
        let negative = self.skip_sign();
        let start = self.at;
        self.skip_digits();
        let digits = std::str::from_utf8(self.bytes.get(start..self.at)?).ok()?;
        self.peek()?;
        Some((negative, digits.parse().ok()?))
    }

    /// A 64-bit number. A minus sign negates it modulo 2⁶⁴.
    pub(super) fn unsigned(&mut self) -> Option<u64> {
        let (negative, magnitude) = self.integer()?;
        Some(if negative { magnitude.wrapping_neg() } else { magnitude })
    }

    /// A 32-bit number.
    pub(super) fn signed(&mut self) -> Option<i32> {
        let (negative, magnitude) = self.integer()?;
        let magnitude = i64::try_from(magnitude).ok()?;
        i32::try_from(if negative { -magnitude } else { magnitude }).ok()
    }

    /// A finite number, decimal or hexadecimal. All characters that such a number can have are taken together, and then must
    /// be one.
    pub(super) fn real(&mut self) -> Option<f64> {
        self.skip_blanks();
        let start = self.at;
        let (mut before_point, mut exponent) = (true, b'E');
        while let Some(byte) = self.peek() {
            let upper = byte.to_ascii_uppercase();
            let last = self.bytes.get(start..self.at)?.last().map(u8::to_ascii_uppercase);
            let goes_on = match upper {
                b'.' => std::mem::take(&mut before_point),
                b'+' | b'-' => last.is_none_or(|last| last == exponent.to_ascii_uppercase()),
                b'0'..=b'9' | b'A'..=b'F' | b'X' | b'P' => true,
                _ => false,
            };
            if !goes_on {
                break;
            }
            if upper == b'X' {
                exponent = b'P';
            } else if upper == exponent {
                // There is one exponent, and no point after it.
                exponent = exponent.to_ascii_lowercase();
                before_point = false;
            }
            self.at += 1;
        }
        let text = std::str::from_utf8(self.bytes.get(start..self.at)?).ok()?;
        self.peek()?;
        f64::parse(text).ok()
    }

    /// Whether the line at the present position holds digits alone, or nothing, and is ended.
    pub(super) fn line_is_digits(&self) -> bool {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        match rest.iter().position(|&byte| byte == b'\n') {
            Some(end) => rest.iter().take(end).all(u8::is_ascii_digit),
            None => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stream(text: &str) -> Stream<'_> {
        Stream::new(text.as_bytes(), 0, text.len())
    }

    #[test]
    fn numbers_end_where_they_cannot_go_on() {
        let mut numbers = stream(" +12.5.25-3e2 7x");
        assert_eq!(numbers.real(), Some(12.5));
        assert_eq!(numbers.real(), Some(0.25));
        assert_eq!(numbers.real(), Some(-300.0));
        assert_eq!(numbers.signed(), Some(7));
        assert_eq!(numbers.signed(), None);
    }

    #[test]
    fn coordinates_may_be_hexadecimal() {
        let mut numbers = stream("0x1p-3 0xa.8 0x1e-5 ");
        assert_eq!(numbers.real(), Some(0.125));
        assert_eq!(numbers.real(), Some(10.5));
        assert_eq!((numbers.real(), numbers.real()), (Some(30.0), Some(-5.0)));
    }

    #[test]
    fn numbers_that_touch_the_end_or_overflow_do_not_count() {
        assert_eq!(stream("12").signed(), None);
        assert_eq!(stream("12\n").signed(), Some(12));
        assert_eq!(stream("-1 ").unsigned(), Some(u64::MAX));
        assert_eq!(stream("18446744073709551616 ").unsigned(), None);
        assert_eq!(stream("2147483648 ").signed(), None);
        assert_eq!(stream("-2147483648 ").signed(), Some(i32::MIN));
        for text in ["1e ", ". ", "nan ", "inf ", "1e999 ", "1e-310 ", "1f ", "1x ", "", "  ", "- "] {
            assert_eq!(stream(text).real(), None, "{text}");
        }
    }
}
