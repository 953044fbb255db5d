//! Which samples of a tile a triangle covers, and at what depth.
//!
//! Edge functions are integers in units of 1/256 pixel, so coverage is exact: a sample on an edge belongs to the triangle whose left or
//! upper edge it is (top-left rule), and neighbours share no sample and leave none out. Depth is a linear function in double
//! precision, kept within the depths of the corners and rounded once.

use crate::setup::{FRACTION, Prim, TILE};

/// Where the samples of a pixel are, 1/256 pixels from its lower left corner.
pub const FOUR: [[i32; 2]; 4] = [[96, 32], [224, 96], [32, 160], [160, 224]];
pub const ONE: [[i32; 2]; 1] = [[128, 128]];

/// Pixels of a tile: first column and row, and the ends.
#[derive(Clone, Copy, Debug)]
pub struct Tile {
    pub left: i32,
    pub bottom: i32,
    pub right: i32,
    pub top: i32,
}

impl Tile {
    pub fn new(index: usize, columns: i32, width: i32, height: i32) -> Self {
        let (row, column) = (index as i32 / columns, index as i32 % columns);
        let (left, bottom) = (column * TILE, row * TILE);
        Self { left, bottom, right: (left + TILE).min(width), top: (bottom + TILE).min(height) }
    }

    /// Number of a pixel within the tile.
    #[inline]
    pub const fn local(&self, x: i32, y: i32) -> usize {
        ((y - self.bottom) * TILE + (x - self.left)) as usize
    }
}

/// Edge functions that fit 32 bits for small triangles, 64 bits for others.
trait Whole: Copy + std::ops::Add<Output = Self> + std::ops::BitOr<Output = Self> + std::ops::AddAssign {
    fn of(value: i64) -> Self;
    fn covered(self) -> bool;
}

impl Whole for i32 {
    #[inline]
    fn of(value: i64) -> Self {
        value as Self
    }
    #[inline]
    fn covered(self) -> bool {
        self >= 0
    }
}

impl Whole for i64 {
    #[inline]
    fn of(value: i64) -> Self {
        value
    }
    #[inline]
    fn covered(self) -> bool {
        self >= 0
    }
}

/// Calls `hit` with the number of each pixel in the tile that has covered samples, the covered samples as bits and their depths.
#[inline]
pub fn rasterize<const S: usize>(
    prim: &Prim,
    tile: &Tile,
    samples: &[[i32; 2]; S],
    hit: impl FnMut(usize, i32, i32, u32, [f32; S]),
) {
    let low = |v: &[i32; 3]| v[0].min(v[1]).min(v[2]);
    let high = |v: &[i32; 3]| v[0].max(v[1]).max(v[2]);
    let [left, right, bottom, top] = prim.pixels.map(i32::from);
    let bounds = Tile {
        left: left.max(tile.left),
        bottom: bottom.max(tile.bottom),
        right: (right + 1).min(tile.right),
        top: (top + 1).min(tile.top),
    };
    // Products of two differences within 64 pixels stay below 2^29.
    let small = high(&prim.x) - low(&prim.x) < 60 * FRACTION && high(&prim.y) - low(&prim.y) < 60 * FRACTION;
    if small {
        cover::<S, i32>(prim, tile, &bounds, samples, hit);
    } else {
        cover::<S, i64>(prim, tile, &bounds, samples, hit);
    }
}

/// Whether a triangle covers all samples within bounds; `None` if it covers none. An edge function is linear, so its least and
/// greatest values are at corners.
fn extent<const S: usize>(prim: &Prim, bounds: &Tile, samples: &[[i32; 2]; S]) -> Option<bool> {
    if bounds.left >= bounds.right || bounds.bottom >= bounds.top {
        return None;
    }
    // To ask costs as much as a few pixels.
    if (bounds.right - bounds.left) * (bounds.top - bounds.bottom) <= 4 {
        return Some(false);
    }
    let mut near = samples[0];
    let mut far = samples[0];
    for sample in samples {
        for axis in 0..2 {
            near[axis] = near[axis].min(sample[axis]);
            far[axis] = far[axis].max(sample[axis]);
        }
    }
    let xs = [bounds.left * FRACTION + near[0], (bounds.right - 1) * FRACTION + far[0]];
    let ys = [bounds.bottom * FRACTION + near[1], (bounds.top - 1) * FRACTION + far[1]];
    let mut whole = true;
    for edge in 0..3 {
        let (a, b) = (edge, (edge + 1) % 3);
        let dx = i64::from(prim.x[b] - prim.x[a]);
        let dy = i64::from(prim.y[b] - prim.y[a]);
        let owns = dy < 0 || (dy == 0 && dx < 0);
        let [least_x, most_x] = if dy > 0 { [xs[1], xs[0]] } else { xs };
        let [least_y, most_y] = if dx < 0 { [ys[1], ys[0]] } else { ys };
        let value =
            |x: i32, y: i32| dx * i64::from(y - prim.y[a]) - dy * i64::from(x - prim.x[a]) - i64::from(!owns);
        if value(most_x, most_y) < 0 {
            return None;
        }
        whole &= value(least_x, least_y) >= 0;
    }
    Some(whole)
}

fn cover<const S: usize, T: Whole>(
    prim: &Prim,
    tile: &Tile,
    bounds: &Tile,
    samples: &[[i32; 2]; S],
    mut hit: impl FnMut(usize, i32, i32, u32, [f32; S]),
) {
    let Some(whole) = extent(prim, bounds, samples) else { return };
    let mut start = [T::of(0); 3];
    let mut step_x = [T::of(0); 3];
    let mut step_y = [T::of(0); 3];
    let mut offset = [[T::of(0); S]; 3];
    for edge in 0..3 {
        let (a, b) = (edge, (edge + 1) % 3);
        let dx = i64::from(prim.x[b] - prim.x[a]);
        let dy = i64::from(prim.y[b] - prim.y[a]);
        let x = i64::from(bounds.left * FRACTION - prim.x[a]);
        let y = i64::from(bounds.bottom * FRACTION - prim.y[a]);
        // Counterclockwise: edges that go down are left edges; level edges that go left are upper edges.
        let owns = dy < 0 || (dy == 0 && dx < 0);
        start[edge] = T::of(dx * y - dy * x - i64::from(!owns));
        step_x[edge] = T::of(-dy * i64::from(FRACTION));
        step_y[edge] = T::of(dx * i64::from(FRACTION));
        for (slot, sample) in offset[edge].iter_mut().zip(samples) {
            *slot = T::of(dx * i64::from(sample[1]) - dy * i64::from(sample[0]));
        }
    }
    let fraction = 1.0 / f64::from(FRACTION);
    let mut depth_offset = [0.0; S];
    for (slot, sample) in depth_offset.iter_mut().zip(samples) {
        *slot = (prim.z[0] * f64::from(sample[0]) + prim.z[1] * f64::from(sample[1])) * fraction + prim.z[2];
    }
    let depths = |base: f64| {
        let mut depth = [0.0; S];
        for sample in 0..S {
            depth[sample] = ((base + depth_offset[sample]) as f32).max(prim.range[0]).min(prim.range[1]);
        }
        depth
    };
    if whole {
        for y in bounds.bottom..bounds.top {
            let row_depth = prim.z[1] * f64::from(y);
            for x in bounds.left..bounds.right {
                let base = row_depth + prim.z[0] * f64::from(x);
                hit(tile.local(x, y), x, y, (1 << S) - 1, depths(base));
            }
        }
        return;
    }
    for y in bounds.bottom..bounds.top {
        let mut edges = start;
        let row_depth = prim.z[1] * f64::from(y);
        for x in bounds.left..bounds.right {
            let mut mask = 0;
            for sample in 0..S {
                let signs = (edges[0] + offset[0][sample])
                    | (edges[1] + offset[1][sample])
                    | (edges[2] + offset[2][sample]);
                mask |= u32::from(signs.covered()) << sample;
            }
            if mask != 0 {
                let base = row_depth + prim.z[0] * f64::from(x);
                hit(tile.local(x, y), x, y, mask, depths(base));
            }
            for edge in 0..3 {
                edges[edge] += step_x[edge];
            }
        }
        for edge in 0..3 {
            start[edge] += step_y[edge];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prim(corners: [[i32; 2]; 3]) -> Prim {
        Prim {
            x: corners.map(|c| c[0]),
            y: corners.map(|c| c[1]),
            pixels: [0, 63, 0, 63],
            element: 0,
            range: [0.0, 1.0],
            z: [0.0, 0.0, 0.5],
        }
    }

    const TILE_ZERO: Tile = Tile { left: 0, bottom: 0, right: 32, top: 32 };

    #[test]
    fn neighbours_share_no_sample_and_leave_none_out() {
        // A fan around an inner point, with corners on sample positions, in small and in large triangles.
        for rim in [8 * 256, 64 * 256] {
            let center = [4 * 256 + 128, 4 * 256 + 128];
            let square = [[0, 0], [rim, 0], [rim, rim], [0, rim]];
            let mut count = [0_u32; 1024];
            for k in 0..4 {
                let triangle = prim([center, square[k], square[(k + 1) % 4]]);
                rasterize(&triangle, &TILE_ZERO, &ONE, |pixel, _, _, _, _| count[pixel] += 1);
            }
            let side = (rim / 256).min(32);
            for y in 0..32 {
                for x in 0..32 {
                    let expected = u32::from(x < side && y < side);
                    assert_eq!(count[TILE_ZERO.local(x, y)], expected, "{x} {y} {rim}");
                }
            }
        }
    }

    #[test]
    fn four_samples_count_the_covered_part() {
        let mut total = 0;
        let triangle = prim([[0, 0], [16 * 256, 0], [0, 16 * 256]]);
        rasterize(&triangle, &TILE_ZERO, &FOUR, |_, _, _, mask, _| total += mask.count_ones());
        assert!((f64::from(total) / 4.0 - 128.0).abs() < 4.5, "{total}");
    }
}
