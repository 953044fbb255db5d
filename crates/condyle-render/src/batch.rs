//! Triangles looked at together: sixteen side by side, and which of them may show, before they are set up one by one.
//!
//! Where surfaces are seen from far away, most triangles are turned away or lie between the samples. That is found out here with
//! fewer operations than it takes to set up one of them; what cannot be told is left to the others' way.

use crate::draw::Cull;
use crate::lanes::{LANES, bits, least_of, masks};
use crate::raster::FOUR;
use crate::setup::Within;
use crate::window::FRACTION;

/// Half of a batch.
pub(crate) const HALF: usize = LANES / 2;
/// With fewer pairs in a row, triangles are gathered corner by corner.
const FEWEST_PAIRS: usize = 3;

/// Neighbouring triangles that are looked at together, [`LANES`] at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Batch {
    pub first: u32,
    pub count: u32,
    /// Faces 2k and 2k + 1 of the batch have the corners of its first two, each plus k. Those with even numbers lie in the first half
    /// of the lanes. Otherwise each lies in the lane of its number.
    pub pairs: bool,
}

impl Batch {
    /// The lanes there are, as bits.
    #[inline(always)]
    pub(crate) const fn lanes(&self) -> u16 {
        if self.pairs {
            ((1_u32 << (self.count / 2)) - 1) as u16 * 0x0101
        } else {
            ((1_u32 << self.count) - 1) as u16
        }
    }

    /// The lane of a face by its number in the batch.
    #[inline(always)]
    pub(crate) const fn lane(&self, number: usize) -> usize {
        if self.pairs { number / 2 + HALF * (number & 1) } else { number }
    }

    /// The number of the face of a lane.
    #[inline(always)]
    pub(crate) const fn number(&self, lane: usize) -> usize {
        if self.pairs { 2 * (lane % HALF) + lane / HALF } else { lane }
    }

    /// Faces as bits, in their order, by bits of their lanes.
    #[inline(always)]
    pub(crate) const fn in_order(&self, lanes: u16) -> u16 {
        const fn spread(bits: u16) -> u16 {
            let bits = (bits | bits << 4) & 0x0F0F;
            let bits = (bits | bits << 2) & 0x3333;
            (bits | bits << 1) & 0x5555
        }
        if self.pairs { spread(lanes & 0xFF) | spread(lanes >> 8) << 1 } else { lanes }
    }
}

/// Lists all faces in batches; none reaches across a multiple of `run`.
pub(crate) fn list(faces: &[[u32; 3]], run: usize, out: &mut Vec<Batch>) {
    out.clear();
    let mut first = 0;
    for faces in faces.chunks(run) {
        let mut at = 0;
        // Faces without order before `at`.
        let mut loose = 0;
        let flush = |out: &mut Vec<Batch>, at: usize, loose: &mut usize| {
            if *loose > 0 {
                out.push(Batch { first: (first + at - *loose) as u32, count: *loose as u32, pairs: false });
                *loose = 0;
            }
        };
        while at < faces.len() {
            let pairs = pairs(&faces[at..]);
            if pairs >= FEWEST_PAIRS {
                flush(out, at, &mut loose);
                out.push(Batch { first: (first + at) as u32, count: 2 * pairs as u32, pairs: true });
                at += 2 * pairs;
            } else {
                (at, loose) = (at + 1, loose + 1);
                if loose == LANES {
                    flush(out, at, &mut loose);
                }
            }
        }
        flush(out, at, &mut loose);
        first += faces.len();
    }
}

/// How many pairs of faces go on from the first two corner by corner.
fn pairs(faces: &[[u32; 3]]) -> usize {
    let most = (faces.len() / 2).min(HALF);
    let follows = |number: usize, step: usize| {
        let (base, face) = (faces[number], faces[number + 2 * step]);
        (0..3).all(|corner| base[corner].checked_add(step as u32) == Some(face[corner]))
    };
    (1..most).find(|step| !(follows(0, *step) && follows(1, *step))).unwrap_or(most)
}

/// The corners of the triangles of a batch, in 1/256 pixels.
pub(crate) struct Together {
    pub x: [[i32; LANES]; 3],
    pub y: [[i32; LANES]; 3],
}

/// Which lines of samples matter: they lie in the middle of squares of two to the power of `grid` 1/256 pixels.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Lines {
    pub grid: u32,
    /// First and last line.
    columns: [i32; 2],
    rows: [i32; 2],
    /// Only one in four crossings of lines is a sample.
    sparse: bool,
}

impl Lines {
    pub(crate) fn new(within: &Within, grid: u32) -> Self {
        let bits = FRACTION.trailing_zeros() - grid;
        let ends = |[start, end]: [i32; 2]| [start << bits, (end << bits) - 1];
        Self { grid, columns: ends(within.columns), rows: ends(within.rows), sparse: bits != 0 }
    }
}

/// First and last line that triangles may reach, along one axis.
struct Reach {
    first: [i32; LANES],
    last: [i32; LANES],
}

impl Reach {
    #[inline(always)]
    fn new([a, b, c]: &[[i32; LANES]; 3], grid: u32) -> Self {
        let (up, down) = ((1 << (grid - 1)) - 1, 1 << (grid - 1));
        let mut reach = Self { first: [0; LANES], last: [0; LANES] };
        for lane in 0..LANES {
            let low = a[lane].min(b[lane]).min(c[lane]);
            let high = a[lane].max(b[lane]).max(c[lane]);
            reach.first[lane] = low.wrapping_add(up) >> grid;
            reach.last[lane] = high.wrapping_sub(down) >> grid;
        }
        reach
    }
}

/// For a line across x, by the lowest two bits of its number, those of the lines across y that it has its samples on; two bits each.
const PARTNERS: i32 = {
    let step = FRACTION / 4;
    let (mut partners, mut number) = (0, 0);
    while number < 4 {
        let [x, y] = FOUR[number];
        partners |= (y / step) << (2 * (x / step));
        number += 1;
    }
    partners
};

impl Together {
    /// The corners of the triangle of a lane.
    #[inline(always)]
    pub(crate) fn triangle(&self, lane: usize) -> ([i32; 3], [i32; 3]) {
        let lane = lane % LANES;
        let [a, b, c] = &self.x;
        let x = [a[lane], b[lane], c[lane]];
        let [a, b, c] = &self.y;
        (x, [a[lane], b[lane], c[lane]])
    }

    /// The lanes whose triangles may cover a sample with a side that is not left out, as bits. Others certainly do not.
    #[inline(always)]
    pub(crate) fn candidates(&self, cull: Cull, lines: &Lines) -> u16 {
        let Self { x, y } = self;
        let (back, front) = (-i32::from(cull == Cull::Back), -i32::from(cull == Cull::Front));
        let mut dropped = [0_i32; LANES];
        for lane in 0..LANES {
            let (x1, y1) = (x[1][lane].wrapping_sub(x[0][lane]), y[1][lane].wrapping_sub(y[0][lane]));
            let (x2, y2) = (x[2][lane].wrapping_sub(x[0][lane]), y[2][lane].wrapping_sub(y[0][lane]));
            // Rounding keeps the order of products; where both are equal nothing is known.
            let (first, second) = (x1 as f32 * y2 as f32, x2 as f32 * y1 as f32);
            dropped[lane] = (-i32::from(first < second) & back) | (-i32::from(first > second) & front);
        }
        let (across, up) = (Reach::new(x, lines.grid), Reach::new(y, lines.grid));
        for (reach, [first, last]) in [(&across, lines.columns), (&up, lines.rows)] {
            for lane in 0..LANES {
                dropped[lane] |= -i32::from(reach.first[lane] > reach.last[lane])
                    | -i32::from(reach.first[lane] > last)
                    | -i32::from(reach.last[lane] < first);
            }
        }
        if lines.sparse {
            between_samples(&across, &up, &mut dropped);
        }
        !bits(|lane| dropped[lane] != 0)
    }

    /// The least and the greatest x and y of the triangles of a batch.
    #[inline(always)]
    pub(crate) fn bounds(&self, batch: &Batch) -> [[i32; 2]; 2] {
        let there = masks(batch.lanes());
        [ends(&self.x, &there), ends(&self.y, &there)]
    }
}

/// About how far inside the edges of the triangles of a batch the centres of texels lie: zero or more wherever a triangle covers one.
pub(crate) struct Edges {
    origin: [i32; 2],
    along_x: [[f32; LANES]; 3],
    along_y: [[f32; LANES]; 3],
    constant: [[f32; LANES]; 3],
}

impl Together {
    /// Edge functions for texels from an origin on, within so many columns and rows.
    #[inline(always)]
    pub(crate) fn edges(&self, origin: [i32; 2], size: [i32; 2]) -> Edges {
        /// More than rounding takes from a sum of three products, as a share of them.
        const ROUNDING: f32 = 8.0 / 16_777_216.0;
        const NONE: [[f32; LANES]; 3] = [[0.0; LANES]; 3];
        let mut edges = Edges { origin, along_x: NONE, along_y: NONE, constant: NONE };
        let [left, bottom] = [origin[0] * FRACTION + FRACTION / 2, origin[1] * FRACTION + FRACTION / 2];
        let [width, height] = [size[0] as f32, size[1] as f32];
        let (mut x, mut y) = ([[0.0; LANES]; 3], [[0.0; LANES]; 3]);
        for corner in 0..3 {
            for lane in 0..LANES {
                x[corner][lane] = self.x[corner][lane].wrapping_sub(left) as f32;
                y[corner][lane] = self.y[corner][lane].wrapping_sub(bottom) as f32;
            }
        }
        let mut side = [0.0; LANES];
        for lane in 0..LANES {
            let (first, second) = (
                (x[1][lane] - x[0][lane]) * (y[2][lane] - y[0][lane]),
                (x[2][lane] - x[0][lane]) * (y[1][lane] - y[0][lane]),
            );
            // Clockwise triangles are turned over. Those of which neither is certain have no edges, so that nothing is outside.
            side[lane] = if first > second { 1.0 } else { 0.0 } - if first < second { 1.0 } else { 0.0 };
        }
        for edge in 0..3 {
            let (a, b) = (edge, (edge + 1) % 3);
            for lane in 0..LANES {
                let (dx, dy) = (x[b][lane] - x[a][lane], y[b][lane] - y[a][lane]);
                let (dx, dy) = (side[lane] * dx, side[lane] * dy);
                let (along_x, along_y) = (-dy * FRACTION as f32, dx * FRACTION as f32);
                let (first, second) = (dy * x[a][lane], dx * y[a][lane]);
                let most = along_x.abs() * width + along_y.abs() * height + first.abs() + second.abs();
                edges.along_x[edge][lane] = along_x;
                edges.along_y[edge][lane] = along_y;
                edges.constant[edge][lane] = first - second + ROUNDING * most;
            }
        }
        edges
    }
}

impl Together {
    /// Whether the triangle of a lane covers the centre of a texel.
    #[inline(always)]
    pub(crate) fn covers(&self, lane: usize, texel: [i32; 2]) -> bool {
        let (x, y) = self.triangle(lane);
        let way = |from: i32, to: i32| i64::from(to - from);
        let area = way(x[0], x[1]) * way(y[0], y[2]) - way(x[0], x[2]) * way(y[0], y[1]);
        let side = area.signum();
        let mut inside = area != 0;
        for edge in 0..3 {
            let (a, b) = (edge, (edge + 1) % 3);
            // Clockwise triangles are turned over.
            let (dx, dy) = (side * way(x[a], x[b]), side * way(y[a], y[b]));
            let owns = (dy < 0) | ((dy == 0) & (dx < 0));
            let [from_x, from_y] = [
                way(x[a], texel[0] * FRACTION + FRACTION / 2),
                way(y[a], texel[1] * FRACTION + FRACTION / 2),
            ];
            inside &= dx * from_y - dy * from_x - i64::from(!owns) >= 0;
        }
        inside
    }
}

impl Edges {
    /// The lanes of the triangles that may cover a texel, as bits.
    #[inline(always)]
    pub(crate) fn may_cover(&self, x: i32, y: i32) -> u16 {
        let (x, y) = ((x - self.origin[0]) as f32, (y - self.origin[1]) as f32);
        let mut outside = [false; LANES];
        for edge in 0..3 {
            let (along_x, along_y, constant) =
                (&self.along_x[edge], &self.along_y[edge], &self.constant[edge]);
            for lane in 0..LANES {
                outside[lane] |= along_x[lane] * x + along_y[lane] * y + constant[lane] < 0.0;
            }
        }
        bits(|lane| !outside[lane])
    }
}

/// The least and the greatest value where there are triangles.
#[inline(always)]
fn ends([a, b, c]: &[[i32; LANES]; 3], there: &[i32; LANES]) -> [i32; 2] {
    let (mut low, mut high) = ([0; LANES], [0; LANES]);
    for lane in 0..LANES {
        let nowhere = !there[lane] & i32::MAX;
        low[lane] = (a[lane].min(b[lane]).min(c[lane]) & there[lane]) | nowhere;
        high[lane] = (!a[lane].max(b[lane]).max(c[lane]) & there[lane]) | nowhere;
    }
    [least_of(low), !least_of(high)]
}

/// Drops triangles of at most three lines across x none of which has a sample in reach.
#[inline(always)]
fn between_samples(across: &Reach, up: &Reach, dropped: &mut [i32; LANES]) {
    for lane in 0..LANES {
        let (left, right) = (across.first[lane], across.last[lane]);
        let (bottom, top) = (up.first[lane], up.last[lane]);
        let mut missed = -i32::from(right.wrapping_sub(left) < 3);
        for step in 0..3 {
            let line = left.wrapping_add(step);
            let partner = PARTNERS >> (2 * (line & 3)) & 3;
            let at = bottom.wrapping_add(partner.wrapping_sub(bottom) & 3);
            missed &= -i32::from(at > top) | -i32::from(line > right);
        }
        dropped[lane] |= missed;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::raster::ONE;

    /// Numbers without order.
    struct Chance(u64);

    impl Chance {
        fn below(&mut self, end: i32) -> i32 {
            self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            ((self.0 >> 33) % end as u64) as i32
        }
    }

    #[test]
    fn every_face_is_in_one_batch_in_its_order() {
        let band = |low: u32, high: u32| {
            (0..28)
                .flat_map(move |k| [[low + k, low + k + 1, high + k], [low + k + 1, high + k + 1, high + k]])
        };
        let fan = (0..21).map(|k| [100 + k, 101 + k, 7]);
        let faces: Vec<[u32; 3]> = fan.chain(band(0, 29)).chain(band(29, 58)).collect();
        for run in [64, usize::MAX] {
            let mut batches = Vec::new();
            list(&faces, run, &mut batches);
            let mut next = 0;
            for batch in &batches {
                assert_eq!(batch.first as usize, next);
                assert!(
                    batch.count > 0 && batch.first as usize / run == (next + batch.count as usize - 1) / run
                );
                let mut order = batch.in_order(batch.lanes());
                assert_eq!(order.count_ones(), batch.count);
                for number in 0..batch.count as usize {
                    assert_eq!(batch.in_order(1 << batch.lane(number)), 1 << number);
                    order &= !(1 << number);
                    if batch.pairs {
                        let base = faces[next + number % 2];
                        assert_eq!(faces[next + number], base.map(|corner| corner + number as u32 / 2));
                    }
                }
                assert_eq!(order, 0);
                next += batch.count as usize;
            }
            assert_eq!(next, faces.len());
        }
        let mut batches = Vec::new();
        list(&faces, usize::MAX, &mut batches);
        assert_eq!(batches.iter().filter(|batch| batch.pairs).count(), 8);
        list(&[], 64, &mut batches);
        assert!(batches.is_empty());
    }

    #[test]
    fn what_is_dropped_is_turned_away_or_covers_no_sample() {
        let mut chance = Chance(1);
        let within = Within { columns: [2, 12], rows: [0, 9] };
        let mut counts = [0; 2];
        for round in 0..3000 {
            let size = [30, 90, 300, 3000][round % 4];
            let mut together = Together { x: [[0; LANES]; 3], y: [[0; LANES]; 3] };
            for lane in 0..LANES {
                let [x, y] = [chance.below(15 * FRACTION) - 256, chance.below(12 * FRACTION) - 256];
                for corner in 0..3 {
                    together.x[corner][lane] = x + chance.below(size);
                    together.y[corner][lane] = y + chance.below(size);
                }
            }
            let cull = [Cull::None, Cull::Back, Cull::Front][round % 3];
            let samples: &[[i32; 2]] = if round % 2 == 0 { &FOUR } else { &ONE };
            let lines = Lines::new(&within, if samples.len() == 4 { 6 } else { 8 });
            let found = together.candidates(cull, &lines);
            for lane in 0..LANES {
                let (x, y) = (together.x.map(|x| x[lane]), together.y.map(|y| y[lane]));
                let area = (x[1] - x[0]) * (y[2] - y[0]) - (x[2] - x[0]) * (y[1] - y[0]);
                let turned = match cull {
                    Cull::None => area == 0,
                    Cull::Back => area <= 0,
                    Cull::Front => area >= 0,
                };
                let inside = |at: [i32; 2]| {
                    let side = |a: usize, b: usize| {
                        let side = (x[b] - x[a]) * (at[1] - y[a]) - (y[b] - y[a]) * (at[0] - x[a]);
                        if area < 0 { -side } else { side }
                    };
                    side(0, 1) >= 0 && side(1, 2) >= 0 && side(2, 0) >= 0
                };
                let pixels = (2..12).flat_map(|column| (0..9).map(move |row| [column, row]));
                let covers = pixels.clone().any(|[column, row]| {
                    samples.iter().any(|at| inside([column * FRACTION + at[0], row * FRACTION + at[1]]))
                });
                let candidate = found >> lane & 1 != 0;
                assert!(candidate || turned || !covers);
                counts[usize::from(candidate)] += 1;
            }
        }
        assert!(counts.iter().all(|count| *count > 5000), "{counts:?}");
    }

    #[test]
    fn neighbours_share_no_texel_and_none_that_is_covered_is_left_out() {
        let mut chance = Chance(3);
        let mut counts = [0; 3];
        for round in 0..200 {
            // A fan around an inner point, with corners on the centres of texels in every other round.
            let step = if round % 2 == 0 { FRACTION / 2 } else { 1 };
            let size = [4, 30, 400][round % 3];
            let mut at = |from: i32, to: i32| (from + chance.below(to - from)) * FRACTION / step * step;
            let center = [at(0, size), at(0, size)];
            let rim = [
                [at(-size, 0), at(-size, 0)],
                [at(size, 2 * size), at(-size, 0)],
                [at(size, 2 * size), at(size, 2 * size)],
                [at(-size, 0), at(size, 2 * size)],
            ];
            let mut together = Together { x: [[0; LANES]; 3], y: [[0; LANES]; 3] };
            for lane in 0..4 {
                let mut corners = [center, rim[lane], rim[(lane + 1) % 4]];
                if round % 5 == 0 {
                    corners.swap(1, 2);
                }
                for corner in 0..3 {
                    (together.x[corner][lane], together.y[corner][lane]) =
                        (corners[corner][0], corners[corner][1]);
                }
            }
            let edges = together.edges([-20, -10], [size + 40, size + 40]);
            for y in -10..(size + 30).min(90) {
                for x in -20..(size + 20).min(90) {
                    let covering = (0..4).filter(|lane| together.covers(*lane, [x, y])).collect::<Vec<_>>();
                    let may = edges.may_cover(x, y);
                    assert!(covering.iter().all(|lane| may >> lane & 1 != 0));
                    let inside = (0..size - 1).contains(&x) && (0..size - 1).contains(&y);
                    assert!(covering.len() == 1 || (!inside && covering.is_empty()), "{x} {y} {covering:?}");
                    counts[covering.len()] += 1;
                    counts[2] += usize::from((may & 15).count_ones() as usize > covering.len());
                }
            }
        }
        assert!(counts[0] > 1000 && counts[1] > 1000 && counts[2] < counts[1] / 10, "{counts:?}");
    }
}
