//! Height fields: elevation grids from the binary format, from images or from numbers in the model.
//!
//! Elevations are shifted and scaled to `[0, 1]` in single precision.

use crate::bytes::Cursor;
use crate::error::AssetError;
use crate::principal::EPS;

/// Elevations in row-major order, as read.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct HeightField {
    /// Number of rows.
    pub rows: usize,
    /// Number of columns.
    pub columns: usize,
    /// `rows * columns` elevations.
    pub elevations: Vec<f32>,
}

/// Reads the binary format: rows, columns, elevations in single precision.
pub fn read_binary(bytes: &[u8]) -> Result<HeightField, AssetError> {
    let mut cursor = Cursor::new(bytes);
    let (Some(rows), Some(columns)) = (cursor.i32(), cursor.i32()) else {
        return Err(AssetError::new("hfield-header", "hfield missing header: fewer than 8 bytes")
            .at_byte(bytes.len()));
    };
    if rows < 1 || columns < 1 {
        let message = format!("non-positive hfield dimensions: {rows} rows, {columns} columns");
        return Err(AssetError::new("hfield-dimensions", message).at_byte(0));
    }
    let count = rows as u64 * columns as u64;
    if bytes.len() as u64 != 8 + 4 * count {
        let message = format!(
            "unexpected file size: {rows} by {columns} elevations need {} bytes, found {}",
            8 + 4 * count,
            bytes.len()
        );
        return Err(AssetError::new("hfield-size", message).at_byte(0));
    }
    let elevations = cursor
        .f32s(count as usize)
        .ok_or_else(|| AssetError::new("hfield-size", "height field ends early").at_byte(bytes.len()))?;
    Ok(HeightField { rows: rows as usize, columns: columns as usize, elevations })
}

/// Reads elevations from a PNG: the red or grey channel in 8 bits, bottom row first.
pub fn read_png(bytes: &[u8]) -> Result<HeightField, AssetError> {
    let mut image = crate::image::read_png(bytes, 1)?;
    image.flip_vertically();
    let elevations = image.pixels.iter().map(|&x| f32::from(x)).collect();
    Ok(HeightField { rows: image.height, columns: image.width, elevations })
}

/// Shifts and scales the elevations to `[0, 1]`; a flat field becomes zero.
pub fn normalize(field: &mut HeightField) -> Result<(), AssetError> {
    if field.rows < 1 || field.columns < 1 || field.elevations.is_empty() {
        return Err(AssetError::new("hfield-missing", "hfield not specified"));
    }
    if Some(field.elevations.len()) != field.rows.checked_mul(field.columns) {
        return Err(AssetError::new("hfield-length", "elevation data length must match nrow*ncol"));
    }
    let (mut low, mut high) = (1e10_f32, -1e10_f32);
    for &elevation in &field.elevations {
        if elevation < low {
            low = elevation;
        }
        if high < elevation {
            high = elevation;
        }
    }
    if low > high {
        return Err(AssetError::new("hfield-range", "invalid data range in hfield")
            .help("elevations must be numbers between -1e10 and 1e10"));
    }
    let range = high - low;
    for elevation in &mut field.elevations {
        *elevation -= low;
        if f64::from(range) > EPS {
            *elevation /= range;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(rows: i32, columns: i32, data: &[f32]) -> Vec<u8> {
        let mut bytes = Vec::new();
        bytes.extend(rows.to_le_bytes());
        bytes.extend(columns.to_le_bytes());
        bytes.extend(data.iter().flat_map(|x| x.to_le_bytes()));
        bytes
    }

    #[test]
    fn elevations_are_scaled_to_the_unit_range() {
        let mut field = read_binary(&file(2, 2, &[1.0, 3.0, 2.0, 5.0])).unwrap();
        normalize(&mut field).unwrap();
        assert_eq!(field.elevations, [0.0, 0.5, 0.25, 1.0]);
    }

    #[test]
    fn wrong_sizes_and_ranges_are_refused() {
        assert_eq!(read_binary(&file(i32::MAX, i32::MAX, &[])).unwrap_err().code, "hfield-size");
        assert_eq!(read_binary(&file(0, 3, &[])).unwrap_err().code, "hfield-dimensions");
        let mut field = read_binary(&file(1, 1, &[f32::NAN])).unwrap();
        assert_eq!(normalize(&mut field).unwrap_err().code, "hfield-range");
    }
}
