//! Which samples of a tile a triangle covers, and at what depth.
//!
//! Edge functions are integers, so coverage is exact: a sample on an edge belongs to the triangle whose left or upper edge it is
//! (top-left rule), and neighbours share no sample and leave none out. Depth is a linear function in double precision, kept within the
//! depths of the corners and rounded once.
//!
//! Work goes by groups of [`GROUP`] pixels of a row, in loops without branches that compilers turn into vector instructions.

use crate::setup::{FRACTION, Prim, TILE};

/// Where the samples of a pixel are, 1/256 pixels from its lower left corner; whole multiples of [`UNIT`].
pub(crate) const FOUR: [[i32; 2]; 4] = [[96, 32], [224, 96], [32, 160], [160, 224]];
pub(crate) const ONE: [[i32; 2]; 1] = [[128, 128]];

/// Samples lie on a grid of this many 1/256 pixels. Edge functions change by multiples of it, so they are kept divided by it.
const UNIT_BITS: u32 = 5;
const UNIT: i32 = 1 << UNIT_BITS;
/// Steps of the samples' grid in a pixel.
const STEPS: i32 = FRACTION / UNIT;

/// Pixels of a row that are treated together.
pub(crate) const GROUP: usize = 8;
/// Groups in a row of a tile.
pub(crate) const GROUPS: usize = TILE as usize / GROUP;
/// Pixels of a tile.
pub(crate) const PIXELS: usize = (TILE * TILE) as usize;

const COLUMNS: [f64; GROUP] = [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0];

/// Values of edge functions are cut off here. Within a group an edge function changes by less, so no sign changes, and the sum of
/// both fits 32 bits.
const FAR: i64 = 1 << 30;

/// Pixels of a tile: first column and row, and the ends.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Tile {
    pub left: i32,
    pub bottom: i32,
    pub right: i32,
    pub top: i32,
}

impl Tile {
    pub(crate) fn new(index: usize, columns: i32, width: i32, height: i32) -> Self {
        let (row, column) = (index as i32 / columns, index as i32 % columns);
        let (left, bottom) = (column * TILE, row * TILE);
        Self { left, bottom, right: (left + TILE).min(width), top: (bottom + TILE).min(height) }
    }
}

/// A triangle made ready for a tile.
pub(crate) struct Scan<const S: usize> {
    /// First and last row, first and last group of the tile that may be covered.
    pub rows: [usize; 2],
    pub groups: [usize; 2],
    /// All samples of these groups are covered.
    whole: bool,
    /// Edge functions at the corner of the tile, for a step along y, and for steps along x within a group.
    start: [i64; 3],
    step_y: [i64; 3],
    step_x: [i64; 3],
    lanes: [[i32; GROUP]; 3],
    /// What the samples add.
    offset: [[i32; S]; 3],
    /// Depth along x and y, and what the samples add.
    slope: [f64; 2],
    depth_offset: [f64; S],
    range: [f32; 2],
    corner: [i32; 2],
}

impl<const S: usize> Scan<S> {
    /// `None` if the triangle covers nothing in the tile.
    #[inline(always)]
    pub(crate) fn new(prim: &Prim, tile: &Tile, samples: &[[i32; 2]; S]) -> Option<Self> {
        let [left, right, bottom, top] = prim.pixels.map(i32::from);
        let [left, right] = [left.max(tile.left) - tile.left, right.min(tile.right - 1) - tile.left];
        let [bottom, top] = [bottom.max(tile.bottom) - tile.bottom, top.min(tile.top - 1) - tile.bottom];
        if left > right || bottom > top {
            return None;
        }
        let rows = [bottom as usize, top as usize];
        let groups = [left as usize / GROUP, right as usize / GROUP];
        let mut scan = Self {
            rows,
            groups,
            whole: true,
            start: [0; 3],
            step_y: [0; 3],
            step_x: [0; 3],
            lanes: [[0; GROUP]; 3],
            offset: [[0; S]; 3],
            slope: [prim.z[0], prim.z[1]],
            depth_offset: [0.0; S],
            // Adding zero makes a negative zero positive.
            range: prim.range.map(|depth| depth + 0.0),
            corner: [tile.left, tile.bottom],
        };
        // All pixels of the groups, those beside the triangle's rectangle included.
        let [first, last] = [(groups[0] * GROUP) as i64, (groups[1] * GROUP + GROUP - 1) as i64];
        let [lowest, highest] = [i64::from(bottom), i64::from(top)];
        for edge in 0..3 {
            let (a, b) = (edge, (edge + 1) % 3);
            let (dx, dy) = (prim.x[b] - prim.x[a], prim.y[b] - prim.y[a]);
            let x = i64::from(tile.left * FRACTION - prim.x[a]);
            let y = i64::from(tile.bottom * FRACTION - prim.y[a]);
            // Counterclockwise: edges that go down are left edges; level edges that go left are upper edges.
            let owns = (dy < 0) | ((dy == 0) & (dx < 0));
            let value = i64::from(dx) * y - i64::from(dy) * x - i64::from(!owns);
            // All that is added is a multiple of the unit, so the sign is that of the quotient rounded down.
            let start = value >> UNIT_BITS;
            let (step_x, step_y) = (-i64::from(dy) * i64::from(STEPS), i64::from(dx) * i64::from(STEPS));
            let (mut low, mut high) = (i32::MAX, i32::MIN);
            for (slot, sample) in scan.offset[edge].iter_mut().zip(samples) {
                *slot = dx * (sample[1] >> UNIT_BITS) - dy * (sample[0] >> UNIT_BITS);
                (low, high) = (low.min(*slot), high.max(*slot));
            }
            let (at_first, at_last) = (step_x * first, step_x * last);
            let (at_lowest, at_highest) = (step_y * lowest, step_y * highest);
            if start + at_first.max(at_last) + at_lowest.max(at_highest) + i64::from(high) < 0 {
                return None;
            }
            scan.whole &= start + at_first.min(at_last) + at_lowest.min(at_highest) + i64::from(low) >= 0;
            (scan.start[edge], scan.step_x[edge], scan.step_y[edge]) = (start, step_x, step_y);
            for lane in 0..GROUP {
                scan.lanes[edge][lane] = step_x as i32 * lane as i32;
            }
        }
        let fraction = 1.0 / f64::from(FRACTION);
        for (slot, sample) in scan.depth_offset.iter_mut().zip(samples) {
            *slot =
                (prim.z[0] * f64::from(sample[0]) + prim.z[1] * f64::from(sample[1])) * fraction + prim.z[2];
        }
        Some(scan)
    }

    /// Whether so many pixels may be covered that it pays to see first whether any of them can be visible.
    #[inline(always)]
    pub(crate) fn is_large(&self) -> bool {
        (self.rows[1] - self.rows[0] + 1) * (self.groups[1] - self.groups[0] + 1) >= PIXELS / GROUP / 4
    }

    /// Depths of the samples of a group.
    #[inline(always)]
    fn depths(&self, row: usize, group: usize) -> [[f32; GROUP]; S] {
        let along = self.slope[1] * f64::from(self.corner[1] + row as i32);
        let first = f64::from(self.corner[0] + (group * GROUP) as i32);
        let mut base = [0.0_f64; GROUP];
        for lane in 0..GROUP {
            base[lane] = along + self.slope[0] * (first + COLUMNS[lane]);
        }
        let [low, high] = self.range;
        let mut depths = [[0.0_f32; GROUP]; S];
        for sample in 0..S {
            for lane in 0..GROUP {
                let depth = (base[lane] + self.depth_offset[sample]) as f32;
                let depth = if depth > low { depth } else { low };
                depths[sample][lane] = if depth < high { depth } else { high };
            }
        }
        depths
    }

    /// Numbers that are zero or more where a sample of a group is covered.
    #[inline(always)]
    pub(crate) fn signs(&self, row: usize, group: usize) -> [[i32; GROUP]; S] {
        let mut signs = [[0_i32; GROUP]; S];
        if self.whole {
            return signs;
        }
        let mut edges = [[0_i32; GROUP]; 3];
        for edge in 0..3 {
            let value = self.start[edge]
                + self.step_y[edge] * row as i64
                + self.step_x[edge] * (group * GROUP) as i64;
            let value = value.max(-FAR).min(FAR) as i32;
            for lane in 0..GROUP {
                edges[edge][lane] = value + self.lanes[edge][lane];
            }
        }
        let [first, second, third] = &edges;
        for sample in 0..S {
            let (a, b, c) = (self.offset[0][sample], self.offset[1][sample], self.offset[2][sample]);
            for lane in 0..GROUP {
                signs[sample][lane] = (first[lane] + a) | (second[lane] + b) | (third[lane] + c);
            }
        }
        signs
    }

    /// Keeps the triangle at the samples where it is the nearest so far; of two at the same depth the later one.
    #[inline(always)]
    pub(crate) fn keep_nearest(&self, element: u32, depth: &mut [f32], elements: &mut [u32]) {
        let (depth, elements) = (depth.as_chunks_mut::<GROUP>().0, elements.as_chunks_mut::<GROUP>().0);
        for row in self.rows[0]..=self.rows[1] {
            for group in self.groups[0]..=self.groups[1] {
                let signs = self.signs(row, group);
                if covers_nothing(&signs) {
                    continue;
                }
                let depths = self.depths(row, group);
                for sample in 0..S {
                    let at = (sample * TILE as usize + row) * GROUPS + group;
                    let (depth, elements) = (&mut depth[at], &mut elements[at]);
                    // Depths are zero or more, so their bits are ordered as they are; what is not covered is behind everything. Bits
                    // instead of choices, of which compilers make branches or masked stores, and both are slow.
                    let (mut new_depth, mut new_elements) = ([0.0; GROUP], [0; GROUP]);
                    for lane in 0..GROUP {
                        let new = depths[sample][lane].to_bits() as i32 | (signs[sample][lane] >> 31);
                        let old = depth[lane].to_bits() as i32;
                        let nearer = old.wrapping_sub(new).wrapping_sub(1) >> 31;
                        new_depth[lane] = f32::from_bits((old ^ ((old ^ new) & nearer)) as u32);
                        let seen = elements[lane] as i32;
                        new_elements[lane] = (seen ^ ((seen ^ element as i32) & nearer)) as u32;
                    }
                    (*depth, *elements) = (new_depth, new_elements);
                }
            }
        }
    }

    /// The samples of a group that are covered and not hidden, and their depths.
    #[inline(always)]
    pub(crate) fn visible(
        &self,
        row: usize,
        group: usize,
        depth: &[f32],
    ) -> ([[bool; GROUP]; S], [[f32; GROUP]; S]) {
        let depth = depth.as_chunks::<GROUP>().0;
        let depths = self.depths(row, group);
        let signs = self.signs(row, group);
        let mut visible = [[false; GROUP]; S];
        if row < self.rows[0] || row > self.rows[1] {
            return (visible, depths);
        }
        for sample in 0..S {
            let depth = &depth[(sample * TILE as usize + row) * GROUPS + group];
            for lane in 0..GROUP {
                visible[sample][lane] = (signs[sample][lane] >= 0) & (depths[sample][lane] >= depth[lane]);
            }
        }
        (visible, depths)
    }
}

/// Whether all numbers are below zero.
#[inline(always)]
fn covers_nothing<const S: usize>(signs: &[[i32; GROUP]; S]) -> bool {
    let mut all = [-1; GROUP];
    for signs in signs {
        for lane in 0..GROUP {
            all[lane] &= signs[lane];
        }
    }
    for lane in 0..GROUP / 2 {
        all[lane] &= all[lane + GROUP / 2];
    }
    (all[0] & all[1]) & (all[2] & all[3]) < 0
}

/// Keeps a tiny triangle at the samples it covers where it is the nearest so far; of two at the same depth the later one.
#[inline(always)]
pub(crate) fn tiny<const S: usize>(
    prim: &Prim,
    tile: &Tile,
    samples: &[[i32; 2]; S],
    depth: &mut [f32],
    elements: &mut [u32],
) {
    let [low, high] = prim.range.map(|depth| depth + 0.0);
    let mut rest = prim.covered;
    while rest != 0 {
        let at = rest.trailing_zeros() as usize;
        rest &= rest - 1;
        let (pixel, sample) = (at as i32 >> 2, at & 3);
        let column = i32::from(prim.pixels[0]) + (pixel & 1);
        let row = i32::from(prim.pixels[2]) + (pixel >> 1);
        if column < tile.left || column >= tile.right || row < tile.bottom || row >= tile.top || sample >= S {
            continue;
        }
        // The operations of `Scan::depths`, in their order.
        let base = prim.z[1] * f64::from(row) + prim.z[0] * f64::from(column);
        let [x, y] = samples[sample].map(f64::from);
        let offset = (prim.z[0] * x + prim.z[1] * y) * (1.0 / f64::from(FRACTION)) + prim.z[2];
        let new = (base + offset) as f32;
        let new = if new > low { new } else { low };
        let new = if new < high { new } else { high };
        let place = sample * PIXELS + ((row - tile.bottom) * TILE + column - tile.left) as usize;
        if new >= depth[place] {
            (depth[place], elements[place]) = (new, prim.element);
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
            covered: 0,
            back: false,
        }
    }

    const TILE_ZERO: Tile = Tile { left: 0, bottom: 0, right: 32, top: 32 };

    /// Number of covered samples of each pixel.
    fn covered<const S: usize>(prim: &Prim, tile: &Tile, samples: &[[i32; 2]; S]) -> Vec<u32> {
        let mut count = vec![0; PIXELS];
        let Some(scan) = Scan::new(prim, tile, samples) else { return count };
        let nothing = vec![0.0; PIXELS * S];
        for row in scan.rows[0]..=scan.rows[1] {
            for group in scan.groups[0]..=scan.groups[1] {
                let (visible, _) = scan.visible(row, group, &nothing);
                for (lane, pixel) in (0..GROUP).zip(row * TILE as usize + group * GROUP..) {
                    count[pixel] += visible.iter().map(|sample| u32::from(sample[lane])).sum::<u32>();
                }
            }
        }
        count
    }

    #[test]
    fn neighbours_share_no_sample_and_leave_none_out() {
        // A fan around an inner point, with corners on sample positions, in small and in large triangles and at the guard band.
        for rim in [8 * 256, 64 * 256, 20000 * 256] {
            let center = [4 * 256 + 128, 4 * 256 + 128];
            let square = [[0, 0], [rim, 0], [rim, rim], [0, rim]];
            let mut count = vec![0; PIXELS];
            for k in 0..4 {
                let triangle = prim([center, square[k], square[(k + 1) % 4]]);
                count.iter_mut().zip(covered(&triangle, &TILE_ZERO, &ONE)).for_each(|(sum, n)| *sum += n);
            }
            let side = (rim / 256).min(32) as usize;
            for y in 0..32 {
                for x in 0..32 {
                    let expected = u32::from(x < side && y < side);
                    assert_eq!(count[y * TILE as usize + x], expected, "{x} {y} {rim}");
                }
            }
        }
    }

    #[test]
    fn four_samples_count_the_covered_part() {
        let triangle = prim([[0, 0], [16 * 256, 0], [0, 16 * 256]]);
        let total: u32 = covered(&triangle, &TILE_ZERO, &FOUR).iter().sum();
        assert!((f64::from(total) / 4.0 - 128.0).abs() < 4.5, "{total}");
    }

    #[test]
    fn coverage_is_that_of_the_edge_functions_in_full() {
        let mut state = 9_u64;
        let mut random = |most: i64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            ((state >> 33) as i64 % (2 * most) - most) as i32
        };
        let mut seen = 0;
        for round in 0..3000 {
            let most = [3_000, 20_000, 5_120_000][round % 3];
            let mut corners = [[0; 2]; 3].map(|_: [i32; 2]| [random(most) + 4_000, random(most) + 4_000]);
            let area = |c: &[[i32; 2]; 3]| {
                i64::from(c[1][0] - c[0][0]) * i64::from(c[2][1] - c[0][1])
                    - i64::from(c[2][0] - c[0][0]) * i64::from(c[1][1] - c[0][1])
            };
            if area(&corners) < 0 {
                corners.swap(1, 2);
            }
            if area(&corners) == 0 {
                continue;
            }
            let triangle = prim(corners);
            let found = covered(&triangle, &TILE_ZERO, &FOUR);
            for y in 0..32 {
                for x in 0..32 {
                    let inside = |sample: &&[i32; 2]| {
                        (0..3).all(|edge| {
                            let ([ax, ay], [bx, by]) = (corners[edge], corners[(edge + 1) % 3]);
                            let (dx, dy) = (i64::from(bx - ax), i64::from(by - ay));
                            let (px, py) = (x * 256 + sample[0] - ax, y * 256 + sample[1] - ay);
                            let owns = (dy < 0) | ((dy == 0) & (dx < 0));
                            let value = dx * i64::from(py) - dy * i64::from(px);
                            value > 0 || (value == 0 && owns)
                        })
                    };
                    let expected = FOUR.iter().filter(inside).count() as u32;
                    assert_eq!(found[(y * TILE + x) as usize], expected, "{corners:?} {x} {y}");
                    seen += expected;
                }
            }
        }
        assert!(seen > 100_000);
    }
}
