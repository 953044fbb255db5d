//! Numbers one after another in a text, by the rules of C++ input streams.
//!
//! A number ends at the first byte that cannot continue it, not at a blank. A number that touches the end of the text does not
//! count: the stream is then exhausted, which the reference takes for an error.

/// A part of a file that is read number by number.
pub(super) struct Stream<'a> {
    /// Everything up to the end of the part.
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Stream<'a> {
    pub fn new(bytes: &'a [u8], start: usize, end: usize) -> Self {
        Self { bytes: bytes.get(..end).unwrap_or(bytes), at: start }
    }

    /// Offset in the file.
    pub fn position(&self) -> usize {
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
    pub fn unsigned(&mut self) -> Option<u64> {
        let (negative, magnitude) = self.integer()?;
        Some(if negative { magnitude.wrapping_neg() } else { magnitude })
    }

    /// A 32-bit number.
    pub fn signed(&mut self) -> Option<i32> {
        let (negative, magnitude) = self.integer()?;
        let magnitude = i64::try_from(magnitude).ok()?;
        i32::try_from(if negative { -magnitude } else { magnitude }).ok()
    }

    /// A finite decimal number.
    pub fn real(&mut self) -> Option<f64> {
        self.skip_blanks();
        let start = self.at;
        self.skip_sign();
        let mantissa = self.at;
        self.skip_digits();
        let whole_digits = self.at - mantissa;
        let mut digits = whole_digits;
        if self.peek() == Some(b'.') {
            self.at += 1;
            let fraction = self.at;
            self.skip_digits();
            digits += self.at - fraction;
        }
        if digits > 0 && matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            self.skip_sign();
            self.skip_digits();
        }
        let text = std::str::from_utf8(self.bytes.get(start..self.at)?).ok()?;
        self.peek()?;
        text.parse().ok().filter(|value: &f64| value.is_finite())
    }

    /// Whether the line at the present position holds digits alone, or nothing, and is ended.
    pub fn line_is_digits(&self) -> bool {
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
    fn numbers_that_touch_the_end_or_overflow_do_not_count() {
        assert_eq!(stream("12").signed(), None);
        assert_eq!(stream("12\n").signed(), Some(12));
        assert_eq!(stream("-1 ").unsigned(), Some(u64::MAX));
        assert_eq!(stream("18446744073709551616 ").unsigned(), None);
        assert_eq!(stream("2147483648 ").signed(), None);
        assert_eq!(stream("-2147483648 ").signed(), Some(i32::MIN));
        for text in ["1e ", ". ", "nan ", "inf ", "1e999 ", "", "  ", "- "] {
            assert_eq!(stream(text).real(), None, "{text}");
        }
    }
}
