//! Decoding of attribute values: line ends and the five named and the numeric character references.
//!
//! The reference decodes in place, and an unknown entity advances both cursors without copying. After an earlier reference
//! has shortened the text, the byte found there is a left-over; working on a copy of the bytes in the same way keeps that.

const ENTITIES: [(&[u8], u8); 5] =
    [(b"quot", b'"'), (b"amp", b'&'), (b"apos", b'\''), (b"lt", b'<'), (b"gt", b'>')];

/// What was found while decoding.
pub(super) struct Decoded {
    /// The decoded text; bytes that are not UTF-8 become replacement characters.
    pub text: Box<str>,
    /// Offset of the first `&` that starts no known reference.
    pub unknown_entity: Option<usize>,
}

/// Decodes the bytes between two quotes.
pub(super) fn decode(raw: &[u8]) -> Decoded {
    if !raw.iter().any(|byte| matches!(byte, b'&' | b'\r')) && !has_line_feed_return(raw) {
        return Decoded { text: String::from_utf8_lossy(raw).into(), unknown_entity: None };
    }
    let mut bytes = raw.to_vec();
    let mut unknown_entity = None;
    let (mut read, mut write) = (0, 0);
    // Position of the next `;` at or after the cursor, found once per semicolon to keep the time linear.
    let mut semicolon = 0;
    while read < bytes.len() {
        let byte = bytes[read];
        let next = bytes.get(read + 1).copied();
        match (byte, next) {
            (b'\r', Some(b'\n')) | (b'\n', Some(b'\r')) => {
                bytes[write] = b'\n';
                read += 2;
                write += 1;
            }
            (b'\r', _) => {
                bytes[write] = b'\n';
                read += 1;
                write += 1;
            }
            (b'&', Some(b'#')) => {
                if semicolon < read {
                    semicolon = read;
                }
                while semicolon < bytes.len() && bytes[semicolon] != b';' {
                    semicolon += 1;
                }
                match character_reference(
                    bytes.get(read..semicolon.min(bytes.len())).unwrap_or(&[]),
                    semicolon < bytes.len(),
                ) {
                    Some(code) => {
                        let mut buffer = [0; 4];
                        let encoded = encode(code, &mut buffer);
                        read = semicolon + 1;
                        for &byte in encoded {
                            bytes[write] = byte;
                            write += 1;
                        }
                    }
                    None => {
                        unknown_entity.get_or_insert(read);
                        bytes[write] = byte;
                        read += 1;
                        write += 1;
                    }
                }
            }
            (b'&', _) => {
                let rest = bytes.get(read + 1..).unwrap_or(&[]);
                let found = ENTITIES
                    .iter()
                    .find(|(name, _)| rest.starts_with(name) && rest.get(name.len()) == Some(&b';'));
                match found {
                    Some((name, value)) => {
                        bytes[write] = *value;
                        read += name.len() + 2;
                    }
                    None => {
                        unknown_entity.get_or_insert(read);
                        read += 1;
                    }
                }
                write += 1;
            }
            _ => {
                bytes[write] = byte;
                read += 1;
                write += 1;
            }
        }
    }
    bytes.truncate(write);
    // A decoded NUL ends the text, as it does for every reader of C strings.
    if let Some(end) = bytes.iter().position(|&byte| byte == 0) {
        bytes.truncate(end);
    }
    Decoded { text: String::from_utf8_lossy(&bytes).into(), unknown_entity }
}

fn has_line_feed_return(raw: &[u8]) -> bool {
    raw.windows(2).any(|pair| pair == b"\n\r")
}

/// The code point of `&#…` or `&#x…`, given without its semicolon.
fn character_reference(reference: &[u8], terminated: bool) -> Option<u32> {
    const LARGEST: u32 = 0x10_FFFF;
    if !terminated {
        return None;
    }
    let digits = reference.get(2..)?;
    let (digits, radix, marker) = match digits.split_first() {
        Some((b'x', hexadecimal)) => (hexadecimal, 16, b'x'),
        _ => (digits, 10, b'#'),
    };
    let mut code: u32 = 0;
    let mut weight: u32 = 1;
    for &digit in digits.iter().rev().take_while(|&&digit| digit != marker) {
        let value = char::from(digit).to_digit(radix)?;
        code = code.wrapping_add(weight.wrapping_mul(value));
        weight = weight.saturating_mul(radix).min(LARGEST);
    }
    (code <= LARGEST).then_some(code)
}

/// UTF-8 of a code point, surrogates included.
fn encode(code: u32, buffer: &mut [u8; 4]) -> &[u8] {
    let tail = |shift: u32| 0x80 | ((code >> shift) & 0x3f) as u8;
    let length = match code {
        0..=0x7f => {
            buffer[0] = code as u8;
            1
        }
        0x80..=0x7ff => {
            *buffer = [0xc0 | (code >> 6) as u8, tail(0), 0, 0];
            2
        }
        0x800..=0xffff => {
            *buffer = [0xe0 | (code >> 12) as u8, tail(6), tail(0), 0];
            3
        }
        _ => {
            *buffer = [0xf0 | (code >> 18) as u8, tail(12), tail(6), tail(0)];
            4
        }
    };
    &buffer[..length]
}

#[cfg(test)]
mod tests {
    use super::decode;

    fn text(raw: &str) -> String {
        decode(raw.as_bytes()).text.into_string()
    }

    #[test]
    fn named_and_numeric_references_are_resolved() {
        assert_eq!(text("a&amp;b&lt;&gt;&quot;&apos;"), "a&b<>\"'");
        assert_eq!(text("&#65;&#x42;&#x4e2d;&#128512;"), "AB中😀");
    }

    #[test]
    fn line_ends_become_line_feeds() {
        assert_eq!(text("a\r\nb\rc\n\rd\ne"), "a\nb\nc\nd\ne");
    }

    #[test]
    fn unknown_references_stay_and_are_reported() {
        assert_eq!(text("1 &nbsp; 2"), "1 &nbsp; 2");
        assert_eq!(decode(b"ab&bogus;").unknown_entity, Some(2));
        assert_eq!(text("&#;&#xzz;"), "\u{0}".replace('\0', ""));
        assert_eq!(text("&#99999999999;"), "&#99999999999;");
    }

    #[test]
    fn many_unterminated_references_take_linear_time() {
        let raw = "&#".repeat(1_000_000);
        let start = std::time::Instant::now();
        assert_eq!(text(&raw).len(), raw.len());
        assert!(start.elapsed().as_secs_f64() < 2.0);
    }
}
