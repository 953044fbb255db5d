//! Corners of surfaces in the window: projected, divided and rounded to 1/256 pixel, eight at a time.

use crate::batch::{Batch, HALF, Together};
use crate::exact::floor_to_i32;
use crate::lanes::LANES;
use crate::shape::{Run, Shape, TOGETHER};
use crate::vector::Vec3;
use crate::view::Projection;

/// Bits of a pixel's fraction.
pub(crate) const FRACTION: i32 = 256;
/// Largest distance of a corner from the window's origin, pixels.
pub(crate) const GUARD: f64 = 20000.0;
/// Farthest that cutting at the guard band may leave a corner after rounding, pixels.
pub(crate) const FARTHEST: f64 = 1.01 * GUARD;
/// Planes that triangles are cut at, and the one that is the mirror's.
pub(crate) const PLANES: usize = 7;
pub(crate) const MIRROR: usize = 2;
/// Corners of the two triangles of a patch, as numbers of its outline.
pub(crate) const PATCH: [[usize; 3]; 2] = [[0, 1, 3], [1, 2, 3]];
/// A corner that is not inside, on whichever side.
const OUTSIDE: u8 = 128;

/// Corners of all surfaces in homogeneous coordinates: X, Y, Z and W, each by itself. Those that nobody needs are left as they were.
#[derive(Clone, Debug, Default)]
pub(crate) struct Seen {
    axes: [Vec<f32>; 4],
    count: usize,
}

impl Seen {
    pub(crate) fn clear(&mut self) {
        self.count = 0;
    }

    pub(crate) fn at(&self, number: usize) -> [f32; 4] {
        let [x, y, z, w] = &self.axes;
        [x[number], y[number], z[number], w[number]]
    }

    /// Makes room for more corners, a multiple of [`TOGETHER`], and gives the number of the first.
    fn add(&mut self, count: usize) -> usize {
        let first = self.count;
        self.count += count;
        if self.axes[0].len() < self.count {
            self.axes.iter_mut().for_each(|axis| axis.resize(self.count, 0.0));
        }
        first
    }
}

/// The corners of a surface.
#[derive(Clone, Debug, Default)]
pub(crate) struct Windows {
    /// Rounded to 1/256 pixels.
    x: Vec<i32>,
    y: Vec<i32>,
    /// Zero within the view's depth and the guard band; else the sides it lies on, and [`OUTSIDE`].
    outside: Vec<u8>,
    /// All corners seen are inside.
    all_inside: bool,
    /// Pixels and depth.
    at: [Vec<f64>; 3],
    /// Runs of faces that are set up, and which corners, eight by eight, are needed for them.
    pub runs: Vec<bool>,
    needed: Vec<bool>,
}

/// How a triangle lies, by what is noted of its corners.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    /// All corners lie inside.
    Inside,
    /// All corners lie on the far side of one plane.
    Gone,
    Crossing,
}

impl Windows {
    #[inline(always)]
    pub(crate) fn standing(&self, a: usize, b: usize, c: usize) -> Standing {
        let [a, b, c] = [self.outside[a], self.outside[b], self.outside[c]];
        if a | b | c == 0 {
            Standing::Inside
        } else if a & b & c & !OUTSIDE != 0 {
            Standing::Gone
        } else {
            Standing::Crossing
        }
    }

    /// Where a corner is, in pixels and with its depth.
    #[inline(always)]
    pub(crate) fn at(&self, corner: usize) -> [f64; 3] {
        let [x, y, z] = &self.at;
        [x[corner], y[corner], z[corner]]
    }

    /// The same rounded to 1/256 pixels.
    #[inline(always)]
    pub(crate) fn rounded(&self, corner: usize) -> [i32; 2] {
        [self.x[corner], self.y[corner]]
    }

    /// The corners of a batch of faces; `None` if any of them lies outside.
    #[inline(always)]
    pub(crate) fn faces(&self, faces: &[[u32; 3]], batch: &Batch) -> Option<Together> {
        let faces = &faces[batch.first as usize..(batch.first + batch.count) as usize];
        let mut together = Together { x: [[0; LANES]; 3], y: [[0; LANES]; 3] };
        let mut outside = 0;
        if let (true, [first, second, ..]) = (batch.pairs, faces) {
            let there = u64::MAX >> (u64::BITS - 4 * batch.count);
            for corner in 0..3 {
                for (half, base) in [first[corner] as usize, second[corner] as usize].into_iter().enumerate()
                {
                    together.x[corner].as_chunks_mut::<HALF>().0[half] = *self.x[base..].first_chunk()?;
                    together.y[corner].as_chunks_mut::<HALF>().0[half] = *self.y[base..].first_chunk()?;
                    if !self.all_inside {
                        outside |= u64::from_le_bytes(*self.outside[base..].first_chunk()?) & there;
                    }
                }
            }
        } else {
            for (lane, face) in faces.iter().enumerate().take(LANES) {
                for corner in 0..3 {
                    let number = face[corner] as usize;
                    [together.x[corner][lane], together.y[corner][lane]] = self.rounded(number);
                    outside |= u64::from(self.outside[number]);
                }
            }
        }
        (outside == 0).then_some(together)
    }

    /// The two triangles of each of some patches, whose outlines begin at this corner; `None` if any corner lies outside.
    #[inline(always)]
    pub(crate) fn patches(&self, first: usize, count: usize) -> Option<Together> {
        let mut together = Together { x: [[0; LANES]; 3], y: [[0; LANES]; 3] };
        let mut outside = 0;
        for patch in 0..count.min(HALF) {
            let range = first + 4 * patch..first + 4 * patch + 4;
            let x: &[i32; 4] = self.x[range.clone()].first_chunk()?;
            let y: &[i32; 4] = self.y[range.clone()].first_chunk()?;
            for (half, triangle) in PATCH.into_iter().enumerate() {
                for corner in 0..3 {
                    together.x[corner][patch + HALF * half] = x[triangle[corner]];
                    together.y[corner][patch + HALF * half] = y[triangle[corner]];
                }
            }
            outside |= u32::from_le_bytes(*self.outside[range].first_chunk()?);
        }
        (outside == 0).then_some(together)
    }

    /// The greatest depth of the corners of a batch of faces.
    #[inline(always)]
    pub(crate) fn nearest(&self, faces: &[[u32; 3]], batch: &Batch) -> f32 {
        let faces = &faces[batch.first as usize..(batch.first + batch.count) as usize];
        let depths = &self.at[2];
        let mut most = [f64::NEG_INFINITY; HALF];
        if let (true, [first, second, ..]) = (batch.pairs, faces) {
            for base in first.iter().chain(second) {
                let Some(depths) = depths[*base as usize..].first_chunk::<HALF>() else {
                    return f32::INFINITY;
                };
                for lane in 0..HALF {
                    most[lane] = if depths[lane] > most[lane] { depths[lane] } else { most[lane] };
                }
            }
            let there = &most[..batch.count as usize / 2];
            there.iter().fold(f64::NEG_INFINITY, |most, depth| if *depth > most { *depth } else { most })
                as f32
        } else {
            let mut most = f64::NEG_INFINITY;
            for corner in faces.as_flattened() {
                let depth = depths[*corner as usize];
                most = if depth > most { depth } else { most };
            }
            most as f32
        }
    }

    /// The greatest depth of some corners.
    #[inline(always)]
    pub(crate) fn nearest_of(&self, first: usize, count: usize) -> f32 {
        let depths = self.at[2][first..first + count].iter();
        depths.fold(f64::NEG_INFINITY, |most, depth| if *depth > most { *depth } else { most }) as f32
    }

    /// Makes room; what was there before is overwritten or never read. Batches are read whole, beyond the last corner.
    fn make_room(&mut self, count: usize) {
        let count = count + HALF;
        if self.outside.len() < count {
            self.x.resize(count, 0);
            self.y.resize(count, 0);
            self.outside.resize(count, 0);
            self.at.iter_mut().for_each(|axis| axis.resize(count, 0.0));
        }
    }

    /// Notes which corners are needed: those of the runs that `shown` picks, and all that belong to no run.
    #[inline(always)]
    pub(crate) fn choose(&mut self, shape: &Shape, shown: impl Fn(&Run) -> bool) {
        self.runs.clear();
        self.runs.extend(shape.runs.iter().map(shown));
        self.needed.clear();
        self.needed.resize(shape.columns[0].len() / TOGETHER, shape.runs.is_empty());
        for (run, _) in shape.runs.iter().zip(&self.runs).filter(|(_, shown)| **shown) {
            let [first, last] = run.corners.map(|corner| corner as usize / TOGETHER);
            self.needed[first..=last].fill(true);
        }
        if !shape.runs.is_empty() {
            self.needed[shape.positions.len() / TOGETHER..].fill(true);
        }
    }

    /// Sees the corners of a shape that are needed: its positions, then the outlines of its patches. Those in the window go behind the
    /// others of `seen`; the number of the first comes out. Where there is a mirror, what lies below is outside.
    #[inline(always)]
    pub(crate) fn see(
        &mut self,
        rows: &Projection,
        keep: Option<&[f32; 4]>,
        shape: &Shape,
        seen: &mut Seen,
    ) -> usize {
        let count = shape.columns[0].len();
        self.make_room(count);
        self.all_inside = true;
        let first = seen.add(count);
        let [x, y, z] = &shape.columns;
        let parts = x.as_chunks().0.iter().zip(y.as_chunks().0).zip(z.as_chunks().0);
        for (number, ((x, y), z)) in parts.enumerate() {
            if self.needed[number] {
                self.see_some(rows, keep, [x, y, z], number, &mut seen.axes, first / TOGETHER + number);
            }
        }
        first
    }

    /// Sees these points, a part of those of the surface; they are a part of all that are seen.
    #[inline(always)]
    fn see_some(
        &mut self,
        rows: &Projection,
        keep: Option<&[f32; 4]>,
        p: [&[f32; TOGETHER]; 3],
        part: usize,
        all: &mut [Vec<f32>; 4],
        part_of_all: usize,
    ) {
        let mut seen = [[0.0_f32; TOGETHER]; 4];
        for axis in 0..4 {
            let row = &rows[axis];
            for lane in 0..TOGETHER {
                seen[axis][lane] = row[0] * p[0][lane] + row[1] * p[1][lane] + row[2] * p[2][lane] + row[3];
            }
            all[axis].as_chunks_mut().0[part_of_all] = seen[axis];
        }
        let [x, y, z, w] = &seen;
        let mut inside = [0_u32; TOGETHER];
        for lane in 0..TOGETHER {
            let guard = GUARD as f32 * w[lane];
            inside[lane] = u32::from(w[lane] > 0.0)
                & u32::from(z[lane] >= 0.0)
                & u32::from(z[lane] <= w[lane])
                & u32::from(x[lane].abs() <= guard)
                & u32::from(y[lane].abs() <= guard);
        }
        let mut below = [0_u32; TOGETHER];
        if let Some(row) = keep {
            for lane in 0..TOGETHER {
                let height = row[0] * p[0][lane] + row[1] * p[1][lane] + row[2] * p[2][lane] + row[3];
                below[lane] = u32::from(!(height >= 0.0));
            }
        }
        let mut at = [[0.0_f64; TOGETHER]; 3];
        for lane in 0..TOGETHER {
            let inverse = 1.0 / f64::from(w[lane]);
            at[0][lane] = f64::from(x[lane]) * inverse;
            at[1][lane] = f64::from(y[lane]) * inverse;
            at[2][lane] = f64::from(z[lane]) * inverse;
        }
        let mut rounded = [[0_i32; TOGETHER]; 2];
        for axis in 0..2 {
            for lane in 0..TOGETHER {
                rounded[axis][lane] = round_near(at[axis][lane]);
            }
        }
        // Where the product overflows, the quotient tells.
        for lane in 0..TOGETHER {
            inside[lane] &=
                u32::from(at[0][lane].abs() <= FARTHEST) & u32::from(at[1][lane].abs() <= FARTHEST);
        }
        for axis in 0..3 {
            self.at[axis].as_chunks_mut().0[part] = at[axis];
        }
        self.x.as_chunks_mut().0[part] = rounded[0];
        self.y.as_chunks_mut().0[part] = rounded[1];
        let mut marks = [0; TOGETHER];
        let mut outside = 0;
        for lane in 0..TOGETHER {
            outside |= inside[lane] ^ 1 | below[lane];
        }
        if outside != 0 {
            self.all_inside = false;
            for lane in 0..TOGETHER {
                if below[lane] != 0 {
                    marks[lane] = OUTSIDE | 1 << MIRROR;
                } else if inside[lane] == 0 {
                    marks[lane] = sides([x[lane], y[lane], z[lane], w[lane]]);
                }
            }
        }
        self.outside.as_chunks_mut().0[part] = marks;
    }
}

/// The sides that a corner outside lies on.
fn sides(p: [f32; 4]) -> u8 {
    let [x, y, z, w] = p.map(f64::from);
    let point = [x, y, z, w, 0.0];
    let mut outside = OUTSIDE;
    for plane in 0..PLANES {
        outside |= u8::from(!(distance(plane, &point) >= 0.0)) << plane;
    }
    outside
}

/// Bounds of a box in the window: pixels along x and y, and its greatest depth. `None` if it may reach behind the eye.
pub(crate) struct Bounds {
    pub x: [f32; 2],
    pub y: [f32; 2],
    pub depth: f32,
}

impl Bounds {
    pub(crate) fn new(rows: &Projection, low: &Vec3, high: &Vec3) -> Option<Self> {
        let [nearest, farthest] = reach(&rows[3], low, high);
        // Also for what is no number.
        if !(nearest > 0.0) {
            return None;
        }
        let least = |value: f32| if value < 0.0 { value / nearest } else { value / farthest };
        let most = |value: f32| if value < 0.0 { value / farthest } else { value / nearest };
        let along = |row: &[f32; 4]| {
            let [low, high] = reach(row, low, high);
            [least(low), most(high)]
        };
        Some(Self { x: along(&rows[0]), y: along(&rows[1]), depth: along(&rows[2])[1] })
    }
}

/// Least and greatest value of a row in a box, with a margin for rounding.
pub(crate) fn reach(row: &[f32; 4], low: &Vec3, high: &Vec3) -> [f32; 2] {
    let (mut least, mut most, mut size) = (row[3], row[3], row[3].abs());
    for axis in 0..3 {
        let (a, b) = (row[axis] * low[axis], row[axis] * high[axis]);
        let (a, b) = if a < b { (a, b) } else { (b, a) };
        (least, most) = (least + a, most + b);
        size += if a.abs() > b.abs() { a.abs() } else { b.abs() };
    }
    [least - 1e-5 * size, most + 1e-5 * size]
}

/// Height above the mirror.
#[inline(always)]
pub(crate) fn above(row: &[f32; 4], p: [f32; 3]) -> f64 {
    f64::from(row[0] * p[0] + row[1] * p[1] + row[2] * p[2] + row[3])
}

/// How far a point (X, Y, Z, W, distance above the mirror) lies on the kept side of a plane.
#[inline(always)]
pub(crate) fn distance(plane: usize, p: &[f64; 5]) -> f64 {
    match plane {
        0 => p[3] - p[2],
        1 => p[2],
        MIRROR => p[4],
        3 => p[0] + GUARD * p[3],
        4 => GUARD * p[3] - p[0],
        5 => p[1] + GUARD * p[3],
        _ => GUARD * p[3] - p[1],
    }
}

/// Pixels in units of 1/256.
#[inline(always)]
pub(crate) fn round(pixels: f64) -> i32 {
    floor_to_i32(pixels * f64::from(FRACTION) + 0.5)
}

/// The same for numbers within the guard band, in steps that compilers have vector instructions for; anything for others.
#[inline(always)]
fn round_near(pixels: f64) -> i32 {
    // Adding it leaves the nearest whole number in the lowest bits of the sum.
    const WHOLE: f64 = 6_755_399_441_055_744.0;
    let value = pixels * f64::from(FRACTION) + 0.5;
    let sum = value + WHOLE;
    let above = (sum - WHOLE) > value;
    (sum.to_bits() as i32).wrapping_sub(WHOLE.to_bits() as i32).wrapping_sub(i32::from(above))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn corners_are_seen_as_one_by_one() {
        let mut shape = Shape::default();
        for k in 0..29 {
            let angle = k as f32;
            shape.corner([angle.sin() * 3.0, angle.cos() * 2.0, 0.1 * angle - 1.5], [0.0, 0.0, 1.0]);
        }
        shape.bound();
        let rows =
            [[40.0, 1.0, 30.0, 50.0], [2.0, 40.0, 30.0, 50.0], [0.0, 0.1, 0.1, 0.3], [0.0, 0.1, 1.0, 1.2]];
        let keep = [0.3, 0.1, 0.2, 0.5];
        let (mut windows, mut corners) = (Windows::default(), Seen::default());
        corners.add(TOGETHER);
        struct See<'a>(&'a mut Windows, &'a Projection, &'a [f32; 4], &'a Shape, &'a mut Seen);
        impl condyle_math::Work for See<'_> {
            type Output = ();
            #[inline(always)]
            fn run(self) {
                self.0.choose(self.3, |_| true);
                self.0.see(self.1, Some(self.2), self.3, self.4);
            }
        }
        condyle_math::Registers::Widest.run(See(&mut windows, &rows, &keep, &shape, &mut corners));
        assert_eq!(corners.count, TOGETHER + 32);
        let mut kinds = [0; 3];
        for (k, point) in shape.positions.iter().enumerate() {
            let p = crate::view::project_point(&rows, *point);
            assert_eq!(corners.at(TOGETHER + k), p);
            let outside = windows.outside[k];
            if above(&keep, *point) < 0.0 {
                assert_eq!(outside, OUTSIDE | 1 << MIRROR);
                kinds[0] += 1;
            } else if p[3] > 0.0 && (0.0..=p[3]).contains(&p[2]) {
                let inverse = 1.0 / f64::from(p[3]);
                let at = [f64::from(p[0]) * inverse, f64::from(p[1]) * inverse, f64::from(p[2]) * inverse];
                assert_eq!((outside, windows.at(k)), (0, at));
                assert_eq!(windows.rounded(k), [round(at[0]), round(at[1])]);
                kinds[1] += 1;
            } else {
                assert_eq!(outside, sides(p));
                kinds[2] += 1;
            }
        }
        assert!(kinds.iter().all(|count| *count > 3), "{kinds:?}");
    }

    #[test]
    fn both_ways_to_round_agree_within_the_guard_band() {
        let mut value = -FARTHEST;
        while value < FARTHEST {
            assert_eq!(round_near(value), round(value), "{value}");
            value += 0.377;
        }
        for half in -50..50 {
            let value = f64::from(half) / 512.0;
            assert_eq!(round_near(value), round(value), "{value}");
        }
    }
}
