//! The picture as it is kept: colour and depth for each pixel, rows from the lowest up.

use crate::view::Rect;

/// Colour and depth of a picture.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Target {
    /// Pixels in a row.
    pub width: i32,
    /// Number of rows.
    pub height: i32,
    /// Three bytes for each pixel.
    pub rgb: Vec<u8>,
    /// 1 at the near end, 0 at the far end.
    pub depth: Vec<f32>,
}

impl Target {
    /// A picture of this size, in pixels, black and far.
    pub fn new(width: i32, height: i32) -> Self {
        let mut target = Self::default();
        target.resize(width, height);
        target
    }

    /// Changes the size; the contents become black and far.
    pub fn resize(&mut self, width: i32, height: i32) {
        let limit = |side: i32| side.clamp(0, crate::context::MOST_PIXELS);
        (self.width, self.height) = (limit(width), limit(height));
        let pixels = self.width as usize * self.height as usize;
        clear(&mut self.rgb, 3 * pixels);
        clear(&mut self.depth, pixels);
    }

    /// Part of a rectangle that lies in the picture: columns and rows.
    pub fn clip(&self, rect: &Rect) -> (std::ops::Range<i32>, std::ops::Range<i32>) {
        let range = |start: i32, length: i32, size: i32| {
            let end = start.saturating_add(length.max(0)).clamp(0, size);
            start.clamp(0, size).min(end)..end
        };
        (range(rect.left, rect.width, self.width), range(rect.bottom, rect.height, self.height))
    }

    /// Index of a pixel in `depth`; the origin is the lower left corner.
    #[inline]
    pub fn index(&self, x: i32, y: i32) -> usize {
        (y * self.width + x) as usize
    }

    /// Sets a rectangle to one colour.
    pub fn fill(&mut self, rect: &Rect, rgb: [u8; 3]) {
        let (columns, rows) = self.clip(rect);
        for y in rows.filter(|_| !columns.is_empty()) {
            let start = self.index(columns.start, y);
            self.rgb.as_chunks_mut::<3>().0[start..start + columns.len()].fill(rgb);
        }
    }

    /// Blends a colour over a pixel.
    pub fn blend(&mut self, x: i32, y: i32, rgb: [f32; 3], opacity: f32) {
        if x < 0 || y < 0 || x >= self.width || y >= self.height {
            return;
        }
        let at = 3 * self.index(x, y);
        for (byte, value) in self.rgb[at..at + 3].iter_mut().zip(rgb) {
            let old = f32::from(*byte);
            *byte = (old + (value.max(0.0).min(1.0) * 255.0 - old) * opacity + 0.5) as u8;
        }
    }
}

/// A colour from 0 to 1 as a byte.
#[inline]
pub fn quantize(value: f32) -> u8 {
    (value.max(0.0).min(1.0) * 255.0 + 0.5) as u8
}

/// Zeros, in the memory there is if it is enough; new memory is touched only where something is drawn.
fn clear<T: Clone + Default>(values: &mut Vec<T>, count: usize) {
    if values.capacity() < count {
        *values = vec![T::default(); count];
    } else {
        values.clear();
        values.resize(count, T::default());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rectangles_are_cut_to_the_picture() {
        let mut target = Target::new(4, 3);
        target.fill(&Rect { left: -2, bottom: 1, width: 4, height: 100 }, [9, 8, 7]);
        let painted: Vec<usize> = (0..12).filter(|at| target.rgb[3 * at] == 9).collect();
        assert_eq!(painted, [4, 5, 8, 9]);
        target.fill(&Rect { left: i32::MAX, bottom: 0, width: i32::MAX, height: -4 }, [1; 3]);
        assert!(target.rgb.iter().all(|byte| *byte != 1));
    }

    #[test]
    fn colours_round_to_the_nearest_byte() {
        assert_eq!([0.0, 0.5, 1.0, 2.0, -1.0, f32::NAN].map(quantize), [0, 128, 255, 255, 0, 0]);
    }
}
