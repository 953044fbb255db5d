//! Images as rows of 8-bit pixels, from PNG, the binary texture format or a KTX container passed through.
//!
//! Conversions: 16-bit samples keep their high byte, samples of fewer bits are stretched to 0..255, colour becomes grey by its
//! red channel, a transparent key colour or palette alpha is kept only if alpha is asked for.

use crate::bytes::Cursor;
use crate::error::AssetError;
use crate::png_chunks;

/// Pixels in row-major order, top row first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Image {
    /// Pixels per row; for a KTX container its length in bytes.
    pub width: usize,
    /// Number of rows.
    pub height: usize,
    /// Bytes per pixel.
    pub channels: usize,
    /// Whether the file says that it is in the sRGB colour space.
    pub srgb: bool,
    /// `width * height * channels` bytes, or the bytes of a KTX container.
    pub pixels: Vec<u8>,
}

/// No compressor gets more than about 1032 bytes out of one; a larger claim is a lie.
const MAX_INFLATION: u64 = 1040;

/// Reads a PNG with 1 (grey), 3 (colour) or 4 (colour and alpha) channels.
pub fn read_png(bytes: &[u8], channels: usize) -> Result<Image, AssetError> {
    if !matches!(channels, 1 | 3 | 4) {
        return Err(AssetError::new("png-channels", format!("unsupported number of channels: {channels}"))
            .help("images can have 1, 3 or 4 channels"));
    }
    if bytes.is_empty() {
        return Err(AssetError::new("png-empty", "empty PNG file"));
    }
    let chunks = png_chunks::read(bytes)?;
    let plain = chunks.plain_file();
    let fail = |error: png::DecodingError| {
        AssetError::new("png-decode", format!("error decoding PNG file: {error}"))
    };
    let mut decoder = png::Decoder::new(std::io::Cursor::new(&plain[..]));
    decoder.set_transformations(png::Transformations::IDENTITY);
    decoder.ignore_checksums(false);
    let limit = (bytes.len() as u64) * MAX_INFLATION + 65_536;
    decoder.set_limits(png::Limits { bytes: usize::try_from(limit).unwrap_or(usize::MAX) });
    let mut reader = decoder.read_info().map_err(fail)?;
    let size = reader.output_buffer_size().filter(|&size| size as u64 <= limit).ok_or_else(|| {
        let (width, height) = reader.info().size();
        AssetError::new(
            "png-size",
            format!("a PNG of {width} by {height} pixels cannot come from {} bytes", bytes.len()),
        )
    })?;
    let mut raw = vec![0; size];
    let frame = reader.next_frame(&mut raw).map_err(fail)?;
    let info = reader.info();
    let source = Source {
        raw: &raw,
        row_bytes: frame.line_size,
        bits: info.bit_depth as usize,
        color: info.color_type,
        palette: chunks.palette,
        transparency: chunks.transparency,
    };
    let (width, height) = (frame.width as usize, frame.height as usize);
    let mut pixels = Vec::with_capacity(width * height * channels);
    for row in 0..height {
        for column in 0..width {
            let [r, g, b, a] = source.pixel(row, column);
            match channels {
                1 => pixels.push(r),
                3 => pixels.extend([r, g, b]),
                _ => pixels.extend([r, g, b, a]),
            }
        }
    }
    Ok(Image { width, height, channels, srgb: chunks.srgb, pixels })
}

/// Decoded samples and what is needed to turn them into colours.
struct Source<'a> {
    raw: &'a [u8],
    row_bytes: usize,
    bits: usize,
    color: png::ColorType,
    palette: &'a [u8],
    transparency: Option<&'a [u8]>,
}

impl Source<'_> {
    /// Sample number `index` of a row, in its own bit depth.
    fn sample(&self, row: usize, index: usize) -> u16 {
        let start = row * self.row_bytes;
        let byte = |offset: usize| self.raw.get(start + offset).copied().unwrap_or(0);
        match self.bits {
            16 => u16::from_be_bytes([byte(2 * index), byte(2 * index + 1)]),
            8 => u16::from(byte(index)),
            bits => {
                let bit = index * bits;
                let shift = 8 - bits - bit % 8;
                u16::from(byte(bit / 8) >> shift) & ((1 << bits) - 1)
            }
        }
    }

    /// A sample as 8 bits.
    fn to_byte(&self, sample: u16) -> u8 {
        match self.bits {
            16 => (sample >> 8) as u8,
            8 => sample as u8,
            bits => (u32::from(sample) * 255 / ((1 << bits) - 1)) as u8,
        }
    }

    /// Whether the samples are the transparent colour of the file.
    fn is_key(&self, samples: &[u16]) -> bool {
        let Some(key) = self.transparency else {
            return false;
        };
        samples
            .iter()
            .enumerate()
            .all(|(i, sample)| key.get(2 * i..2 * i + 2) == Some(&sample.to_be_bytes()[..]))
    }

    fn pixel(&self, row: usize, column: usize) -> [u8; 4] {
        let samples = |count: usize| -> [u16; 4] {
            let mut out = [0; 4];
            for (i, sample) in out.iter_mut().enumerate().take(count) {
                *sample = self.sample(row, count * column + i);
            }
            out
        };
        let opaque = |transparent: bool| if transparent { 0 } else { 255 };
        match self.color {
            png::ColorType::Grayscale => {
                let [grey, ..] = samples(1);
                let value = self.to_byte(grey);
                [value, value, value, opaque(self.is_key(&[grey]))]
            }
            png::ColorType::GrayscaleAlpha => {
                let [grey, alpha, ..] = samples(2);
                let value = self.to_byte(grey);
                [value, value, value, self.to_byte(alpha)]
            }
            png::ColorType::Rgb => {
                let [r, g, b, _] = samples(3);
                [self.to_byte(r), self.to_byte(g), self.to_byte(b), opaque(self.is_key(&[r, g, b]))]
            }
            png::ColorType::Rgba => samples(4).map(|sample| self.to_byte(sample)),
            png::ColorType::Indexed => {
                let index = usize::from(self.sample(row, column));
                match self.palette.get(3 * index..3 * index + 3) {
                    Some(&[r, g, b]) => {
                        let alpha = self.transparency.and_then(|alpha| alpha.get(index));
                        [r, g, b, alpha.copied().unwrap_or(255)]
                    }
                    _ => [0, 0, 0, 255],
                }
            }
        }
    }
}

/// Reads the binary texture format: width, height and three bytes per pixel.
pub fn read_binary(bytes: &[u8]) -> Result<Image, AssetError> {
    if bytes.is_empty() {
        return Err(AssetError::new("texture-empty", "texture file is empty"));
    }
    const ASSUMED: &str = "not a PNG, so taken for the binary texture format";
    let mut cursor = Cursor::new(bytes);
    let (Some(width), Some(height)) = (cursor.i32(), cursor.i32()) else {
        return Err(
            AssetError::new("texture-header", "texture file is shorter than its header").help(ASSUMED)
        );
    };
    // The sizes are unsigned in the file.
    let (width, height) = (width as u32, height as u32);
    if width < 1 || height < 1 {
        return Err(AssetError::new("texture-dimensions", "non-positive texture dimensions")
            .at_byte(0)
            .help(ASSUMED));
    }
    let size = u128::from(width) * u128::from(height) * 3;
    if bytes.len() as u128 != 8 + size {
        let message = format!(
            "unexpected texture file size: {width} by {height} pixels need {} bytes, found {}",
            8 + size,
            bytes.len()
        );
        return Err(AssetError::new("texture-size", message).at_byte(0).help(ASSUMED));
    }
    let pixels = cursor.take(size as usize).unwrap_or_default().to_vec();
    Ok(Image { width: width as usize, height: height as usize, channels: 3, srgb: false, pixels })
}

/// Passes a KTX container through as one row of bytes.
pub fn read_ktx(bytes: &[u8]) -> Result<Image, AssetError> {
    if bytes.is_empty() {
        return Err(AssetError::new("texture-empty", "texture file is empty"));
    }
    Ok(Image { width: bytes.len(), height: 1, channels: 1, srgb: false, pixels: bytes.to_vec() })
}

impl Image {
    /// Mirrors left and right.
    pub fn flip_horizontally(&mut self) {
        let (row, pixel) = (self.width * self.channels, self.channels);
        if pixel == 0 || row == 0 {
            return;
        }
        for row in self.pixels.chunks_exact_mut(row) {
            row.reverse();
            for pixel in row.chunks_exact_mut(pixel) {
                pixel.reverse();
            }
        }
    }

    /// Mirrors top and bottom.
    pub fn flip_vertically(&mut self) {
        let row = self.width * self.channels;
        if row == 0 {
            return;
        }
        let rows = self.pixels.len() / row;
        for i in 0..rows / 2 {
            let (top, bottom) = self.pixels.split_at_mut((rows - 1 - i) * row);
            if let (Some(a), Some(b)) = (top.get_mut(i * row..(i + 1) * row), bottom.get_mut(..row)) {
                a.swap_with_slice(b);
            }
        }
    }
}

/// Pixels as a PNG file; `None` for a number of channels PNG does not have, or pixels that do not fill the size.
pub fn write_png(image: &Image) -> Option<Vec<u8>> {
    let color = match image.channels {
        1 => png::ColorType::Grayscale,
        2 => png::ColorType::GrayscaleAlpha,
        3 => png::ColorType::Rgb,
        4 => png::ColorType::Rgba,
        _ => return None,
    };
    let (width, height) = (u32::try_from(image.width).ok()?, u32::try_from(image.height).ok()?);
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(color);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.write_header().ok()?.write_image_data(&image.pixels).ok()?;
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn encode(
        color: png::ColorType,
        depth: png::BitDepth,
        size: (u32, u32),
        data: &[u8],
        palette: &[u8],
    ) -> Vec<u8> {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, size.0, size.1);
        encoder.set_color(color);
        encoder.set_depth(depth);
        if !palette.is_empty() {
            encoder.set_palette(palette.to_vec());
        }
        encoder.write_header().unwrap().write_image_data(data).unwrap();
        bytes
    }

    #[test]
    fn colour_becomes_grey_by_its_red_channel() {
        let png = encode(png::ColorType::Rgb, png::BitDepth::Eight, (2, 1), &[10, 20, 30, 40, 50, 60], &[]);
        assert_eq!(read_png(&png, 1).unwrap().pixels, [10, 40]);
        assert_eq!(read_png(&png, 4).unwrap().pixels, [10, 20, 30, 255, 40, 50, 60, 255]);
    }

    #[test]
    fn deep_samples_keep_the_high_byte_and_shallow_ones_are_stretched() {
        let deep = encode(png::ColorType::Grayscale, png::BitDepth::Sixteen, (1, 1), &[0x12, 0xff], &[]);
        assert_eq!(read_png(&deep, 3).unwrap().pixels, [0x12, 0x12, 0x12]);
        let shallow = encode(png::ColorType::Grayscale, png::BitDepth::Two, (4, 1), &[0b00_01_10_11], &[]);
        assert_eq!(read_png(&shallow, 1).unwrap().pixels, [0, 85, 170, 255]);
    }

    #[test]
    fn the_transparent_colour_loses_its_alpha() {
        let mut bytes = Vec::new();
        let mut encoder = png::Encoder::new(&mut bytes, 2, 1);
        encoder.set_color(png::ColorType::Grayscale);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_trns(vec![0, 7]);
        encoder.write_header().unwrap().write_image_data(&[7, 9]).unwrap();
        assert_eq!(read_png(&bytes, 4).unwrap().pixels, [7, 7, 7, 0, 9, 9, 9, 255]);
    }

    #[test]
    fn palettes_are_looked_up() {
        let png =
            encode(png::ColorType::Indexed, png::BitDepth::One, (2, 1), &[0b0100_0000], &[1, 2, 3, 7, 8, 9]);
        assert_eq!(read_png(&png, 3).unwrap().pixels, [1, 2, 3, 7, 8, 9]);
    }

    #[test]
    fn broken_and_lying_files_are_refused() {
        let mut png =
            encode(png::ColorType::Rgb, png::BitDepth::Eight, (2, 1), &[10, 20, 30, 40, 50, 60], &[]);
        assert!(read_png(&png[..40], 3).is_err());
        png[16..24].copy_from_slice(&[0, 0, 0x7f, 0xff, 0, 0, 0x7f, 0xff]);
        assert!(read_png(&png, 3).is_err());
        assert!(read_binary(&[255; 20]).is_err());
    }

    #[test]
    fn compressed_data_may_go_on_after_the_picture() {
        // The header is made to promise one row of the two there are.
        let two = encode(png::ColorType::Grayscale, png::BitDepth::Eight, (2, 2), &[1, 2, 3, 4], &[]);
        let one = encode(png::ColorType::Grayscale, png::BitDepth::Eight, (2, 1), &[1, 2], &[]);
        let shorter = [&one[..33], &two[33..]].concat();
        assert_eq!(read_png(&shorter, 1).unwrap().pixels, [1, 2]);
    }

    #[test]
    fn flips_move_whole_pixels() {
        let mut image = Image { width: 2, height: 2, channels: 2, srgb: false, pixels: (0..8).collect() };
        image.flip_horizontally();
        assert_eq!(image.pixels, [2, 3, 0, 1, 6, 7, 4, 5]);
        image.flip_vertically();
        assert_eq!(image.pixels, [6, 7, 4, 5, 2, 3, 0, 1]);
    }
}
