//! Text in a fixed number of bytes that ends with a zero.

/// The text up to its closing zero; a character that is cut in two at the end is left out.
pub fn text(bytes: &[u8]) -> &str {
    let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
    let bytes = bytes.get(..end).unwrap_or_default();
    match std::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => {
            std::str::from_utf8(bytes.get(..error.valid_up_to()).unwrap_or_default()).unwrap_or_default()
        }
    }
}

/// Stores text, cut to what fits with a closing zero; the bytes after it are zero.
pub fn set_text(bytes: &mut [u8], text: &str) {
    bytes.fill(0);
    let room = bytes.len().saturating_sub(1);
    for (byte, value) in bytes.iter_mut().take(room).zip(text.bytes()) {
        *byte = value;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_cut_to_what_fits_with_its_closing_zero() {
        let mut bytes = [7; 4];
        set_text(&mut bytes, "abcdef");
        assert_eq!(bytes, *b"abc\0");
        assert_eq!(text(&bytes), "abc");
        set_text(&mut bytes, "a");
        assert_eq!(bytes, *b"a\0\0\0");
        set_text(&mut bytes, "abé");
        assert_eq!(text(&bytes), "ab");
        assert_eq!(text(b"full"), "full");
        set_text(&mut [], "x");
    }
}
