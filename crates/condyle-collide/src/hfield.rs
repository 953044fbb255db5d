//! A height field: a grid of elevations over a rectangle, on a solid base.

/// Elevations in single precision, row by row from −y to +y, each row from −x to +x.
#[derive(Clone, Copy, Debug)]
pub struct HeightField<'a> {
    /// Number of elevations along y.
    pub rows: i32,
    /// Number of elevations along x.
    pub columns: i32,
    /// Half extent in x, half extent in y, elevation of the value 1, thickness of the base below zero.
    pub size: [f64; 4],
    /// `rows × columns` values, usually between 0 and 1.
    pub heights: &'a [f32],
}

impl HeightField<'_> {
    /// Value at a grid point; zero outside the grid.
    #[inline]
    pub fn value(&self, row: i32, column: i32) -> f64 {
        let index = i64::from(row) * i64::from(self.columns) + i64::from(column);
        usize::try_from(index)
            .ok()
            .and_then(|index| self.heights.get(index))
            .map_or(0.0, |&value| f64::from(value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_stored_row_by_row_and_zero_elsewhere() {
        let field =
            HeightField { rows: 2, columns: 3, size: [1.0; 4], heights: &[0.0, 0.1, 0.2, 0.3, 0.4, 0.5] };
        assert_eq!(field.value(1, 2), f64::from(0.5_f32));
        assert_eq!(field.value(9, 9), 0.0);
        assert_eq!(field.value(i32::MIN, i32::MAX), 0.0);
    }
}
