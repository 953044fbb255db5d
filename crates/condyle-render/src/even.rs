//! Parts of a texture that have one colour: where all pixels of a block fall on such a part, there is nothing to look up or to filter.

use crate::lanes::{LANES, Lanes, floor, least_of};

/// Cells have two to the power of this many texels along each side.
const CELL: i32 = 3;
/// With more cells under a block along a side, each pixel is looked up.
const MOST_CELLS: i32 = 4;

/// The cells of one level of detail that have one colour, the texels next to them included; columns and rows repeat.
#[derive(Clone, Debug, Default)]
pub(crate) struct Even {
    width: i32,
    height: i32,
    columns: usize,
    cells: Vec<bool>,
    any: bool,
}

impl Even {
    pub(crate) fn new(texels: &[u32], width: i32, height: i32) -> Self {
        let count = |side: i32| (side + (1 << CELL) - 1) >> CELL;
        let (columns, rows) = (count(width), count(height));
        let at = |x: i32, y: i32| {
            texels.get((y.rem_euclid(height) as usize) * width as usize + x.rem_euclid(width) as usize)
        };
        let is_even = |column: i32, row: i32| {
            let (x, y) = (column << CELL, row << CELL);
            let color = at(x, y);
            let around = -1..=1 << CELL;
            color.is_some()
                && around.clone().all(|up| around.clone().all(|across| at(x + across, y + up) == color))
        };
        let cells: Vec<bool> = (0..rows)
            .flat_map(|row| (0..columns).map(move |column| (column, row)))
            .map(|(c, r)| is_even(c, r))
            .collect();
        let any = cells.contains(&true);
        Self { width, height, columns: columns as usize, cells, any }
    }

    /// A texel of the colour that all texels have which pixels that count (-1, the others 0) are filtered from; places on the texture are
    /// from 0 to 1.
    #[inline(always)]
    pub(crate) fn texel(&self, s: &Lanes, t: &Lanes, live: &[i32; LANES]) -> Option<usize> {
        if !self.any {
            return None;
        }
        let (width, height) = (self.width as f32, self.height as f32);
        let (mut x, mut y) = ([0; LANES], [0; LANES]);
        for lane in 0..LANES {
            x[lane] = floor(s[lane] * width - 0.5).0;
            y[lane] = floor(t[lane] * height - 0.5).0;
        }
        let ([left, right], [bottom, top]) = (reach(&x, live), reach(&y, live));
        if left > right || right - left >= MOST_CELLS || top - bottom >= MOST_CELLS {
            return None;
        }
        for row in bottom..=top {
            let first = row as usize * self.columns;
            // Cells side by side share texels, and with them their colour.
            let cells = self.cells.get(first + left as usize..=first + right as usize)?;
            if cells.contains(&false) {
                return None;
            }
        }
        Some(((bottom << CELL) * self.width + (left << CELL)) as usize)
    }
}

/// First and last cell that pixels fall into; those between the last texel and the first belong to the first.
#[inline(always)]
fn reach(texels: &[i32; LANES], live: &[i32; LANES]) -> [i32; 2] {
    let (mut low, mut high) = ([0; LANES], [0; LANES]);
    for lane in 0..LANES {
        let texel = texels[lane].max(0);
        low[lane] = texel | !live[lane] & i32::MAX;
        high[lane] = -(texel & live[lane]);
    }
    [least_of(low) >> CELL, -least_of(high) >> CELL]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lanes::masks;

    #[test]
    fn a_part_of_one_colour_ends_one_texel_beside_another_colour() {
        // Columns 0 to 31 are dark, the others bright.
        let texels: Vec<u32> = (0..64 * 64).map(|at| u32::from(at % 64 >= 32)).collect();
        let even = Even::new(&texels, 64, 64);
        assert_eq!(&even.cells[..8], [false, true, true, false, false, true, true, false]);
        let mut s = [12.0 / 64.0; LANES];
        s[3] = 44.0 / 64.0;
        let all = even.texel(&s, &[0.5; LANES], &masks(u16::MAX));
        let but_one = even.texel(&s, &[0.5; LANES], &masks(!8));
        let one = even.texel(&s, &[0.5; LANES], &masks(8));
        assert_eq!((all, but_one.map(|at| texels[at]), one.map(|at| texels[at])), (None, Some(0), Some(1)));
    }

    #[test]
    fn a_texture_of_one_colour_is_even_everywhere() {
        let even = Even::new(&[7; 15], 5, 3);
        for place in [0.0, 0.3, 0.999, 1.0] {
            assert_eq!(even.texel(&[place; LANES], &[place; LANES], &masks(1)), Some(0));
        }
        assert_eq!(even.texel(&[0.0; LANES], &[0.0; LANES], &masks(0)), None);
    }
}
