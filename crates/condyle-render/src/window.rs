//! Corners of surfaces in the window: projected, divided and rounded to 1/256 pixel, eight at a time.

use crate::exact::floor_to_i32;
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
/// A corner that is not inside, on whichever side.
const OUTSIDE: u8 = 128;

/// The corners of a surface.
#[derive(Clone, Debug, Default)]
pub(crate) struct Windows {
    /// Rounded to 1/256 pixels.
    pub rounded: Vec<[i32; 2]>,
    /// Zero within the view's depth and the guard band; else the sides it lies on, and [`OUTSIDE`].
    pub outside: Vec<u8>,
    /// Pixels and depth.
    pub at: Vec<[f64; 3]>,
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

    /// Makes room; what was there before is overwritten or never read.
    fn make_room(&mut self, count: usize) {
        if self.outside.len() < count {
            self.rounded.resize(count, [0; 2]);
            self.outside.resize(count, 0);
            self.at.resize(count, [0.0; 3]);
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
    /// others of `corners`. Where there is a mirror, what lies below is outside.
    #[inline(always)]
    pub(crate) fn see(
        &mut self,
        rows: &Projection,
        keep: Option<&[f32; 4]>,
        shape: &Shape,
        corners: &mut Vec<[f32; 4]>,
    ) {
        let count = shape.positions.len() + 4 * shape.patches.len();
        self.make_room(shape.columns[0].len());
        let first = corners.len();
        corners.resize(first + count, [0.0; 4]);
        let corners = &mut corners[first..];
        let [x, y, z] = &shape.columns;
        let parts = x.as_chunks().0.iter().zip(y.as_chunks().0).zip(z.as_chunks().0);
        for (number, ((x, y), z)) in parts.enumerate() {
            if self.needed[number] {
                self.see_some(rows, keep, [x, y, z], number * TOGETHER, corners);
            }
        }
    }

    /// Sees these points, which begin at corner `first`.
    #[inline(always)]
    fn see_some(
        &mut self,
        rows: &Projection,
        keep: Option<&[f32; 4]>,
        p: [&[f32; TOGETHER]; 3],
        first: usize,
        corners: &mut [[f32; 4]],
    ) {
        let mut seen = [[0.0_f32; TOGETHER]; 4];
        for axis in 0..4 {
            let row = &rows[axis];
            for lane in 0..TOGETHER {
                seen[axis][lane] = row[0] * p[0][lane] + row[1] * p[1][lane] + row[2] * p[2][lane] + row[3];
            }
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
        let mut rounded = [[0_i32; TOGETHER]; 2];
        for lane in 0..TOGETHER {
            let inverse = 1.0 / f64::from(w[lane]);
            at[0][lane] = f64::from(x[lane]) * inverse;
            at[1][lane] = f64::from(y[lane]) * inverse;
            at[2][lane] = f64::from(z[lane]) * inverse;
        }
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
        let (places, marks) = (&mut self.rounded[first..], &mut self.outside[first..]);
        let deep = &mut self.at[first..];
        for (lane, slot) in corners[first..].iter_mut().enumerate().take(TOGETHER) {
            *slot = [x[lane], y[lane], z[lane], w[lane]];
        }
        for lane in 0..TOGETHER {
            places[lane] = [rounded[0][lane], rounded[1][lane]];
            deep[lane] = [at[0][lane], at[1][lane], at[2][lane]];
            marks[lane] = if below[lane] != 0 {
                OUTSIDE | 1 << MIRROR
            } else if inside[lane] != 0 {
                0
            } else {
                sides([x[lane], y[lane], z[lane], w[lane]])
            };
        }
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
        let (mut windows, mut corners) = (Windows::default(), vec![[0.0; 4]; 3]);
        struct See<'a>(&'a mut Windows, &'a Projection, &'a [f32; 4], &'a Shape, &'a mut Vec<[f32; 4]>);
        impl condyle_math::Work for See<'_> {
            type Output = ();
            #[inline(always)]
            fn run(self) {
                self.0.choose(self.3, |_| true);
                self.0.see(self.1, Some(self.2), self.3, self.4);
            }
        }
        condyle_math::Registers::Widest.run(See(&mut windows, &rows, &keep, &shape, &mut corners));
        assert_eq!(corners.len(), 32);
        let mut kinds = [0; 3];
        for (k, point) in shape.positions.iter().enumerate() {
            let p = crate::view::project_point(&rows, *point);
            assert_eq!(corners[3 + k], p);
            let outside = windows.outside[k];
            if above(&keep, *point) < 0.0 {
                assert_eq!(outside, OUTSIDE | 1 << MIRROR);
                kinds[0] += 1;
            } else if p[3] > 0.0 && (0.0..=p[3]).contains(&p[2]) {
                let inverse = 1.0 / f64::from(p[3]);
                let at = [f64::from(p[0]) * inverse, f64::from(p[1]) * inverse, f64::from(p[2]) * inverse];
                assert_eq!((outside, windows.at[k]), (0, at));
                assert_eq!(windows.rounded[k], [round(at[0]), round(at[1])]);
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
