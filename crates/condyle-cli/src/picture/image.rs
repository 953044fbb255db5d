//! Single pictures as files: PNG for looking at, NPY for the numbers.
//!
//! Depth as PNG has 16 bits per pixel in millimetres, as depth cameras write it: 65535 is that far or farther. Segmentation as PNG has a
//! colour for each element, black where nothing is. NPY files have depth in metres, and number and kind of the element.

use std::io::Write;

use png::{BitDepth, ColorType, Compression, Encoder};

/// A PNG file of rows from the top.
pub(super) fn png(
    size: [usize; 2],
    color: ColorType,
    depth: BitDepth,
    data: &[u8],
) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    let [width, height] = size.map(|side| u32::try_from(side).unwrap_or(u32::MAX));
    let mut encoder = Encoder::new(&mut bytes, width, height);
    encoder.set_color(color);
    encoder.set_depth(depth);
    encoder.set_compression(Compression::Balanced);
    let written = encoder.write_header().and_then(|mut writer| writer.write_image_data(data));
    written.map_err(|error| format!("PNG: {error}"))?;
    Ok(bytes)
}

pub(super) fn color_png(size: [usize; 2], rgb: &[u8]) -> Result<Vec<u8>, String> {
    png(size, ColorType::Rgb, BitDepth::Eight, rgb)
}

/// Depth in metres as 16 bits in millimetres.
pub(super) fn depth_png(size: [usize; 2], depth: &[f32]) -> Result<Vec<u8>, String> {
    // The conversion to u16 saturates; a depth that is no number becomes 0.
    let data: Vec<u8> =
        depth.iter().flat_map(|metres| ((metres * 1000.0).round() as u16).to_be_bytes()).collect();
    png(size, ColorType::Grayscale, BitDepth::Sixteen, &data)
}

/// A colour for each pair of number and kind.
pub(super) fn segmentation_png(size: [usize; 2], pairs: &[i32]) -> Result<Vec<u8>, String> {
    let data: Vec<u8> = pairs.chunks_exact(2).flat_map(|pair| element_color(pair[0], pair[1])).collect();
    color_png(size, &data)
}

/// Colours go around the circle by the golden angle, so that neighbouring numbers differ much; brightness tells rounds apart.
fn element_color(number: i32, kind: i32) -> [u8; 3] {
    if number < 0 {
        return [0; 3];
    }
    let turn = (f64::from(number) * 0.618_033_988_749_895 + f64::from(kind) * 0.37).fract() * 6.0;
    let value = [1.0, 0.75, 0.9, 0.6][number as usize / 3 % 4];
    let saturation = [0.75, 0.55, 0.9][number as usize / 12 % 3];
    [5.0, 3.0, 1.0].map(|offset: f64| {
        let k = (offset + turn) % 6.0;
        let level = value - value * saturation * k.min(4.0 - k).clamp(0.0, 1.0);
        (level * 255.0).round() as u8
    })
}

/// A NumPy file of four-byte numbers.
pub(super) fn npy(kind: &str, shape: &str, values: impl Iterator<Item = [u8; 4]>) -> Result<Vec<u8>, String> {
    let mut text = format!("{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}");
    // Magic, version and length take 10 bytes; the values begin at a multiple of 64.
    let length = (text.len() + 11).next_multiple_of(64) - 10;
    text.extend(std::iter::repeat_n(' ', length - 1 - text.len()));
    text.push('\n');
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    let length = u16::try_from(length).map_err(|_| "the header of the array is too long")?;
    bytes.extend(length.to_le_bytes());
    bytes.write_all(text.as_bytes()).map_err(|error| error.to_string())?;
    bytes.extend(values.flatten());
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_that_stand_side_by_side_have_different_colours() {
        assert_eq!(element_color(-1, -1), [0; 3]);
        let colours: Vec<[u8; 3]> = (0..40).map(|number| element_color(number, 5)).collect();
        for (index, colour) in colours.iter().enumerate() {
            assert!(!colours[..index].contains(colour), "{index}");
            assert!(colour.iter().any(|level| *level > 100), "{index}: {colour:?}");
        }
    }

    #[test]
    fn depths_saturate() {
        let bytes = depth_png([2, 2], &[1.0, 1e9, f32::NAN, -1.0]).unwrap();
        let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
        let mut out = vec![0; 8];
        reader.next_frame(&mut out).unwrap();
        assert_eq!(out, [0x03, 0xe8, 0xff, 0xff, 0, 0, 0, 0]);
    }

    #[test]
    fn arrays_begin_at_a_multiple_of_64_bytes() {
        let bytes = npy("<f4", "(1, 2)", [1.0_f32, 2.0].into_iter().map(f32::to_le_bytes)).unwrap();
        assert_eq!(bytes.len() % 64, 8);
        assert_eq!(&bytes[bytes.len() - 9..bytes.len() - 8], b"\n");
    }
}
