//! The chunks of a PNG file, checked before its pixels are decoded.
//!
//! A file is refused where the reference refuses it: a chunk that does not end within the file, a chunk with a wrong checksum, a
//! chunk that must be understood and is not, a chunk of the wrong size. Chunks that are unknown and may be skipped are not looked
//! at, and nothing after the end chunk is. What is needed for the pixels comes out as a file that has nothing else.

use crate::error::AssetError;

const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";
/// Length, name and checksum around the content of a chunk.
const AROUND: usize = 12;
/// Bit of the first letter of a name: the chunk may be skipped.
const ANCILLARY: u8 = 0x20;
/// Most entries of a palette.
const MOST_COLOURS: usize = 256;

/// What the chunks of a file say.
#[derive(Debug, Default)]
pub(crate) struct Chunks<'a> {
    /// Bits of a sample and how samples make a colour, as in the header.
    depth: u8,
    colour: u8,
    header: &'a [u8],
    /// Three bytes for each colour.
    pub palette: &'a [u8],
    /// Alpha of colours of the palette, or two bytes for each sample of the transparent colour.
    pub transparency: Option<&'a [u8]>,
    /// Whether the picture is in the sRGB colour space.
    pub srgb: bool,
    data: Vec<&'a [u8]>,
}

impl Chunks<'_> {
    /// A file of the pixels alone.
    pub(crate) fn plain_file(&self) -> Vec<u8> {
        let mut file = SIGNATURE.to_vec();
        let mut add = |name: &[u8; 4], parts: &[&[u8]]| {
            let length: usize = parts.iter().map(|part| part.len()).sum();
            file.extend((length as u32).to_be_bytes());
            let start = file.len();
            file.extend(name);
            parts.iter().for_each(|part| file.extend(*part));
            let sum = crc(&file[start..]);
            file.extend(sum.to_be_bytes());
        };
        add(b"IHDR", &[self.header]);
        if self.colour == 3 && !self.palette.is_empty() {
            add(b"PLTE", &[self.palette]);
        }
        for part in &self.data {
            add(b"IDAT", &[part]);
        }
        add(b"IEND", &[]);
        file
    }
}

/// Reads and checks all chunks.
pub(crate) fn read(bytes: &[u8]) -> Result<Chunks<'_>, AssetError> {
    if !bytes.starts_with(SIGNATURE) {
        return Err(AssetError::new("png-decode", "error decoding PNG file: it does not begin like one"));
    }
    let mut seen = Chunks::default();
    let mut at = SIGNATURE.len();
    loop {
        let chunk = Chunk::at(bytes, at).ok_or_else(|| {
            AssetError::new("png-decode", "error decoding PNG file: a chunk does not end within the file")
                .at_byte(at)
                .help("the file is cut off; copy or download it again")
        })?;
        if at == SIGNATURE.len() {
            chunk.read_header(&mut seen).map_err(|words| chunk.error(at, words))?;
        } else {
            chunk.check(&mut seen).map_err(|words| chunk.error(at, words))?;
        }
        if chunk.name == *b"IEND" {
            return Ok(seen);
        }
        at += AROUND + chunk.content.len();
    }
}

struct Chunk<'a> {
    name: [u8; 4],
    content: &'a [u8],
    /// Of name and content.
    checksum: u32,
    right_checksum: bool,
}

impl<'a> Chunk<'a> {
    fn at(bytes: &'a [u8], at: usize) -> Option<Self> {
        let number = |at: usize| -> Option<u32> {
            bytes.get(at..at.checked_add(4)?)?.try_into().ok().map(u32::from_be_bytes)
        };
        let length = usize::try_from(number(at)?).ok()?;
        let end = at.checked_add(8)?.checked_add(length)?;
        let content = bytes.get(at + 8..end)?;
        let name = bytes.get(at + 4..at + 8)?.try_into().ok()?;
        let checksum = number(end)?;
        let right_checksum = checksum == crc(bytes.get(at + 4..end)?);
        Some(Self { name, content, checksum, right_checksum })
    }

    fn error(&self, at: usize, words: String) -> AssetError {
        let name = String::from_utf8_lossy(&self.name).into_owned();
        AssetError::new("png-decode", format!("error decoding PNG file: chunk {name:?} {words}")).at_byte(at)
    }

    fn read_header(&self, seen: &mut Chunks<'a>) -> Result<(), String> {
        let &[.., depth, colour, _, _, _] = self.content else {
            return Err("has the wrong size".to_owned());
        };
        if self.name != *b"IHDR" || self.content.len() != 13 {
            return Err("is where a header of 13 bytes must be".to_owned());
        }
        (seen.depth, seen.colour, seen.header) = (depth, colour, self.content);
        self.check_sum()
    }

    fn check_sum(&self) -> Result<(), String> {
        if self.right_checksum {
            Ok(())
        } else {
            Err(format!("is damaged: its checksum is not {:08x}", self.checksum))
        }
    }

    fn check(&self, seen: &mut Chunks<'a>) -> Result<(), String> {
        let length = self.content.len();
        let sized = |wanted: usize| {
            if length == wanted { Ok(()) } else { Err(format!("has {length} bytes instead of {wanted}")) }
        };
        match &self.name {
            b"IDAT" => seen.data.push(self.content),
            b"IEND" | b"eXIf" => {}
            b"PLTE" => {
                let colours = length / 3;
                if colours == 0 || colours > MOST_COLOURS {
                    return Err(format!("has {colours} colours"));
                }
                seen.palette = self.content.get(..3 * colours).unwrap_or_default();
                if seen.colour == 3 {
                    seen.transparency = None;
                }
            }
            b"tRNS" => {
                match seen.colour {
                    0 => sized(2)?,
                    2 => sized(6)?,
                    3 if length <= seen.palette.len() / 3 => {}
                    3 => return Err(format!("has {length} entries for {} colours", seen.palette.len() / 3)),
                    _ => return Err("is not allowed in a picture with an alpha channel".to_owned()),
                }
                seen.transparency = Some(self.content);
            }
            b"bKGD" => match (seen.colour, self.content.first()) {
                (3, index) => {
                    sized(1)?;
                    if index.is_some_and(|&index| usize::from(index) >= seen.palette.len() / 3) {
                        return Err("names a colour that the palette does not have".to_owned());
                    }
                }
                (0 | 4, _) => sized(2)?,
                _ => sized(6)?,
            },
            b"sBIT" => {
                sized(match seen.colour {
                    0 => 1,
                    4 => 2,
                    6 => 4,
                    _ => 3,
                })?;
                let depth = if seen.colour == 3 { 8 } else { seen.depth };
                if self.content.iter().any(|&bits| bits == 0 || bits > depth) {
                    return Err("has a number of bits that is out of range".to_owned());
                }
            }
            b"tIME" => sized(7)?,
            b"pHYs" => sized(9)?,
            b"gAMA" | b"cICP" => sized(4)?,
            b"cHRM" => sized(32)?,
            b"mDCV" => sized(24)?,
            b"cLLI" => sized(8)?,
            b"sRGB" => {
                sized(1)?;
                seen.srgb = true;
            }
            b"tEXt" | b"zTXt" | b"iTXt" | b"iCCP" => self.check_keyword()?,
            name if !name.iter().all(u8::is_ascii_alphabetic) => {
                return Err("has a name with something else than letters".to_owned());
            }
            [_, _, third, _] if third.is_ascii_lowercase() => {
                return Err("has a name that is reserved: its third letter is small".to_owned());
            }
            [first, ..] if first & ANCILLARY != 0 => return Ok(()),
            _ => return Err("is unknown and may not be skipped".to_owned()),
        }
        self.check_sum()
    }

    /// A word of 1 to 79 bytes that ends with a zero, except in plain text; then, in all but plain text, what says how the rest
    /// is compressed.
    fn check_keyword(&self) -> Result<(), String> {
        let end = self.content.iter().position(|&byte| byte == 0);
        let plain = self.name == *b"tEXt";
        let length = match end {
            Some(end) => end,
            None if plain => self.content.len(),
            None => return Err("has no keyword".to_owned()),
        };
        if length == 0 || length > 79 {
            return Err(format!("has a keyword of {length} bytes"));
        }
        let method = match &self.name {
            b"iTXt" => self.content.get(length + 2),
            _ => self.content.get(length + 1),
        };
        match method {
            _ if plain => Ok(()),
            Some(0) => Ok(()),
            Some(_) => Err("is compressed in an unknown way".to_owned()),
            None => Err("ends after its keyword".to_owned()),
        }
    }
}

/// The checksum of PNG files.
fn crc(bytes: &[u8]) -> u32 {
    const TABLE: [u32; 256] = {
        let mut table = [0; 256];
        let mut index = 0;
        while index < 256 {
            let mut value = index as u32;
            let mut bit = 0;
            while bit < 8 {
                value = if value & 1 != 0 { 0xedb8_8320 ^ (value >> 1) } else { value >> 1 };
                bit += 1;
            }
            table[index] = value;
            index += 1;
        }
        table
    };
    !bytes.iter().fold(!0, |sum: u32, &byte| TABLE[usize::from(sum as u8 ^ byte)] ^ (sum >> 8))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chunk(name: &[u8; 4], content: &[u8]) -> Vec<u8> {
        let mut inner = name.to_vec();
        inner.extend(content);
        let mut out = (content.len() as u32).to_be_bytes().to_vec();
        out.extend(&inner);
        out.extend(crc(&inner).to_be_bytes());
        out
    }

    fn file(middle: &[u8]) -> Vec<u8> {
        let header = [0, 0, 0, 2, 0, 0, 0, 2, 8, 2, 0, 0, 0];
        [SIGNATURE, &chunk(b"IHDR", &header), middle, &chunk(b"IEND", b"")].concat()
    }

    #[test]
    fn the_checksum_is_that_of_the_standard() {
        assert_eq!(crc(b"IEND"), 0xae42_6082);
        assert_eq!(crc(b"123456789"), 0xcbf4_3926);
    }

    #[test]
    fn chunks_that_may_be_skipped_are_not_looked_at() {
        let mut unknown = chunk(b"abCd", b"anything");
        *unknown.last_mut().unwrap() ^= 1;
        assert!(!read(&file(&unknown)).unwrap().srgb);
        assert!(read(&file(&chunk(b"sRGB", b"\0"))).unwrap().srgb);
        let longer = [file(&unknown), b"more".to_vec()].concat();
        assert_eq!(read(&longer).unwrap().plain_file(), file(b""));
    }

    #[test]
    fn damage_is_named_with_its_place() {
        for (middle, words) in [
            (chunk(b"AbCd", b""), "may not be skipped"),
            (chunk(b"gAMA", b"12345"), "5 bytes instead of 4"),
            (chunk(b"tRNS", b"12"), "2 bytes instead of 6"),
            (chunk(b"tEXt", b"\0text"), "keyword of 0 bytes"),
            (chunk(b"zTXt", b"key"), "no keyword"),
            (chunk(b"sBIT", &[9, 8, 8]), "out of range"),
            (chunk(b"PLTE", b""), "0 colours"),
        ] {
            let error = read(&file(&middle)).unwrap_err();
            assert!(error.message.contains(words), "{error}");
            assert_eq!(error.location, crate::error::Location::Byte(33));
        }
        let whole = file(b"");
        for length in 0..whole.len() {
            assert!(read(&whole[..length]).is_err());
        }
        for byte in 0..whole.len() {
            let mut damaged = whole.clone();
            damaged[byte] ^= 4;
            assert!(read(&damaged).is_err(), "byte {byte}");
        }
    }
}
