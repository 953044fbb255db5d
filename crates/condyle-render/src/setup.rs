//! Triangles in the window: projection, clipping, rounding to 1/256 pixel, sides and lists for tiles.
//!
//! Triangles inside the view take the short way. Others are cut in homogeneous coordinates at the near and far ends, at the mirror and
//! at a guard band of [`GUARD`] pixels, which keeps edge functions within 64 bits; their depth still comes from the whole triangle.

use crate::batch::{Batch, HALF, Lines, Together};
use crate::draw::{Cull, Draw, LAYERS};
use crate::shape::{RUN, Shape};
use crate::vector::Vec3;
pub(crate) use crate::window::FRACTION;
use crate::window::{
    Bounds, FARTHEST, GUARD, PATCH, PLANES, Seen, Standing, Windows, above, distance, reach, round,
};
use crate::wire::Wire;

/// How many bits of a pixel's fraction there are between lines of samples: one sample, or four of which each has a line of its own.
const WHOLE_PIXELS: u32 = 8;
const QUARTERS: u32 = 6;
/// Side of a tile, pixels.
pub(crate) const TILE: i32 = 32;

/// A triangle in the window with corners in 1/256 pixels, counterclockwise.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Prim {
    pub x: [i32; 3],
    pub y: [i32; 3],
    pub element: u32,
    /// First and last column, first and last row of pixels with samples it may cover.
    pub pixels: [u16; 4],
    /// Least and greatest depth of its corners.
    pub range: [f32; 2],
    /// `depth = z[0]·x + z[1]·y + z[2]` in pixels.
    pub z: [f64; 3],
    /// Of a tiny triangle, which covers samples of two by two pixels at most: the covered ones, four bits for each pixel. Else 0.
    pub covered: u16,
    /// Its corners were given clockwise: it is seen from its back.
    pub back: bool,
}

/// A triangle or patch of a draw.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Element {
    pub draw: u32,
    /// Face; patches are counted after all faces.
    pub face: u32,
}

/// Which triangles are wanted. What is refused must not show.
pub(crate) trait Choice {
    /// Whether a box in the frame of the draw may hold some.
    fn may_hold(&self, draw: &Draw, low: &Vec3, high: &Vec3) -> bool;
    /// Whether a batch may hold some. `nearest` gives the greatest depth of its corners, `numbers` those of one of its triangles.
    fn batch(
        &mut self,
        windows: &Windows,
        batch: &Batch,
        corners: &Together,
        nearest: impl FnOnce() -> f32,
        numbers: impl Fn(usize) -> [usize; 3],
    ) -> bool;
    /// By the corners in 1/256 pixels, x and y, and in pixels with their depths.
    fn triangle(&self, x: &[i32; 3], y: &[i32; 3], at: &[[f64; 3]; 3]) -> bool;
}

/// All triangles in a rectangle of pixels: the first columns and rows, and the ends.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Within {
    pub columns: [i32; 2],
    pub rows: [i32; 2],
}

impl Within {
    /// Whether the box around a surface may hold some.
    pub(crate) fn may_show(&self, draw: &Draw, shape: &Shape) -> bool {
        self.may_hold(draw, &shape.low, &shape.high)
    }
}

impl Choice for Within {
    fn may_hold(&self, draw: &Draw, low: &Vec3, high: &Vec3) -> bool {
        if draw.keep.is_some_and(|row| reach(&row, low, high)[1] < 0.0) {
            return false;
        }
        let beside = |[low, high]: [f32; 2], [first, end]: [i32; 2]| {
            high + 2.0 < first as f32 || low - 2.0 > end as f32
        };
        match Bounds::new(&draw.rows, low, high) {
            None => true,
            Some(bounds) => !beside(bounds.x, self.columns) && !beside(bounds.y, self.rows),
        }
    }

    #[inline(always)]
    fn batch(
        &mut self,
        _: &Windows,
        _: &Batch,
        _: &Together,
        _: impl FnOnce() -> f32,
        _: impl Fn(usize) -> [usize; 3],
    ) -> bool {
        true
    }

    #[inline(always)]
    fn triangle(&self, _: &[i32; 3], _: &[i32; 3], _: &[[f64; 3]; 3]) -> bool {
        true
    }
}

/// Window, samples and what has been set up.
#[derive(Clone, Debug, Default)]
pub(crate) struct Setup {
    pub width: i32,
    pub height: i32,
    /// Pixels that matter; triangles are kept there.
    pub within: Within,
    pub columns: i32,
    pub rows: i32,
    /// Samples lie in the middle of squares of two to the power of this many 1/256 pixels.
    grid: u32,
    /// Where the samples of two by two pixels are, and which of them there are.
    near_samples: NearSamples,
    pub corners: Seen,
    /// Corners of the present draw in the window.
    windows: Windows,
    pub elements: Vec<Element>,
    /// The edges that elements are, by element; those after the last one are surfaces.
    pub wires: Vec<Option<Wire>>,
    pub prims: Vec<Prim>,
    /// Triangles of each tile, for each layer.
    pub bins: [Vec<Vec<u32>>; LAYERS],
    /// The element that triangles are stored for.
    pub(crate) current: Option<u32>,
    /// The edge that is set up.
    pub(crate) wire: Option<Wire>,
    /// Triangles are listed in tiles.
    listed: bool,
}

impl Setup {
    /// Begins a window whose triangles are not listed in tiles and that has one sample for each pixel.
    pub(crate) fn begin_unlisted(&mut self, width: i32, height: i32) {
        (self.width, self.height) = (width, height);
        self.within = Within { columns: [0, width], rows: [0, height] };
        self.grid = WHOLE_PIXELS;
        self.near_samples = NearSamples::new(&crate::raster::ONE);
        self.listed = false;
        self.corners.clear();
        self.elements.clear();
        self.wires.clear();
        self.prims.clear();
    }

    pub(crate) fn begin<const S: usize>(&mut self, width: i32, height: i32, samples: &[[i32; 2]; S]) {
        self.listed = true;
        (self.width, self.height) = (width, height);
        self.within = Within { columns: [0, width], rows: [0, height] };
        self.columns = (width + TILE - 1) / TILE;
        self.rows = (height + TILE - 1) / TILE;
        self.grid = if S == 1 { WHOLE_PIXELS } else { QUARTERS };
        debug_assert!(samples.as_flattened().iter().all(|at| at % (1 << self.grid) == 1 << (self.grid - 1)));
        self.near_samples = NearSamples::new(samples);
        self.corners.clear();
        self.elements.clear();
        self.wires.clear();
        self.prims.clear();
        let tiles = (self.columns * self.rows) as usize;
        for layer in &mut self.bins {
            if layer.len() < tiles {
                layer.resize(tiles, Vec::new());
            }
            layer.iter_mut().for_each(Vec::clear);
        }
    }

    /// Projects the corners of a draw and sets up those of its triangles that are wanted.
    #[inline(always)]
    pub(crate) fn draw(
        &mut self,
        index: u32,
        draw: &mut Draw,
        shape: &Shape,
        wireframe: Option<f32>,
        wanted: &mut impl Choice,
    ) {
        let lines = draw.line_width.or(wireframe).is_some();
        self.windows.choose(shape, |run| lines || wanted.may_hold(draw, &run.low, &run.high));
        let first = self.windows.see(&draw.rows, draw.keep.as_ref(), shape, &mut self.corners);
        draw.first_corner = first as u32;
        if lines {
            self.lines(index, draw, shape, first, wireframe);
            return;
        }
        let lines = Lines::new(&self.within, self.grid);
        self.faces(index, draw, shape, first, &lines, wanted);
        self.patches(index, draw, shape, first, &lines, wanted);
    }

    /// Sets up faces, those of a batch together as long as they are to be dropped.
    #[inline(always)]
    fn faces(
        &mut self,
        index: u32,
        draw: &Draw,
        shape: &Shape,
        first: usize,
        lines: &Lines,
        wanted: &mut impl Choice,
    ) {
        for batch in &shape.batches {
            let from = batch.first as usize;
            if !self.windows.runs.is_empty() && !self.windows.runs[from / RUN] {
                continue;
            }
            let Some(corners) = self.windows.faces(&shape.faces, batch) else {
                for face in from..from + batch.count as usize {
                    self.current = None;
                    let corners = shape.faces[face];
                    let kept =
                        || draw.keep.map(|row| corners.map(|c| above(&row, shape.positions[c as usize])));
                    self.triangle(index, face, draw, first, corners.map(|c| c as usize), kept, wanted);
                }
                continue;
            };
            let nearest = || self.windows.nearest(&shape.faces, batch);
            let numbers = |number: usize| shape.faces[from + number].map(|corner| corner as usize);
            if !wanted.batch(&self.windows, batch, &corners, nearest, numbers) {
                continue;
            }
            let mut rest = batch.in_order(corners.candidates(draw.cull, lines) & batch.lanes());
            while rest != 0 {
                let number = rest.trailing_zeros() as usize;
                rest &= rest - 1;
                self.current = None;
                let [a, b, c] = shape.faces[from + number];
                let (x, y) = corners.triangle(batch.lane(number));
                if let Some(place) = self.place(x, y, draw.cull) {
                    let numbers = [a as usize, b as usize, c as usize];
                    self.near(index, from + number, draw, numbers, &place, wanted);
                }
            }
        }
    }

    /// Sets up the two triangles of each patch, those of several together as long as they are to be dropped.
    #[inline(always)]
    fn patches(
        &mut self,
        index: u32,
        draw: &Draw,
        shape: &Shape,
        first: usize,
        lines: &Lines,
        wanted: &mut impl Choice,
    ) {
        for from in (0..shape.patches.len()).step_by(HALF) {
            let count = (shape.patches.len() - from).min(HALF);
            let batch = Batch { first: from as u32, count: 2 * count as u32, pairs: true };
            let at = shape.positions.len() + 4 * from;
            let corners = self.windows.patches(at, count);
            let numbers = |number: usize| PATCH[number & 1].map(|corner| at + 4 * (number / 2) + corner);
            if let Some(corners) = &corners {
                let nearest = || self.windows.nearest_of(at, 4 * count);
                if !wanted.batch(&self.windows, &batch, corners, nearest, numbers) {
                    continue;
                }
            }
            let mut rest = match &corners {
                Some(corners) => batch.in_order(corners.candidates(draw.cull, lines) & batch.lanes()),
                None => batch.in_order(batch.lanes()),
            };
            // Both triangles of a patch are one element.
            let mut last = usize::MAX;
            while rest != 0 {
                let number = rest.trailing_zeros() as usize;
                rest &= rest - 1;
                let patch = from + number / 2;
                if patch != last {
                    (self.current, last) = (None, patch);
                }
                let face = shape.faces.len() + patch;
                if let Some(corners) = &corners {
                    let (x, y) = corners.triangle(batch.lane(number));
                    if let Some(place) = self.place(x, y, draw.cull) {
                        self.near(index, face, draw, numbers(number), &place, wanted);
                    }
                } else {
                    let kept = || {
                        let outline = shape.outline(&shape.patches[patch]);
                        draw.keep.map(|row| PATCH[number & 1].map(|corner| above(&row, outline[corner])))
                    };
                    self.triangle(index, face, draw, first, numbers(number), kept, wanted);
                }
            }
        }
    }

    #[allow(clippy::too_many_arguments, reason = "a triangle is known by its draw, its face and its corners")]
    #[inline(always)]
    fn triangle(
        &mut self,
        index: u32,
        face: usize,
        draw: &Draw,
        first: usize,
        numbers: [usize; 3],
        keep: impl Fn() -> Option<[f64; 3]>,
        wanted: &mut impl Choice,
    ) {
        let [a, b, c] = numbers;
        match self.windows.standing(a, b, c) {
            Standing::Gone => return,
            Standing::Inside => {
                let [a_at, b_at, c_at] = numbers.map(|corner| self.windows.rounded(corner));
                let (x, y) = ([a_at[0], b_at[0], c_at[0]], [a_at[1], b_at[1], c_at[1]]);
                if let Some(place) = self.place(x, y, draw.cull) {
                    self.near(index, face, draw, numbers, &place, wanted);
                }
                return;
            }
            Standing::Crossing => {}
        }
        let points = numbers.map(|number| self.corners.at(first + number));
        self.clipped(index, face, draw, points, keep(), wanted);
    }

    /// A triangle whose corners lie inside.
    #[inline(always)]
    fn near(
        &mut self,
        index: u32,
        face: usize,
        draw: &Draw,
        [a, b, c]: [usize; 3],
        place: &Placed,
        wanted: &mut impl Choice,
    ) {
        let window = [self.windows.at(a), self.windows.at(b), self.windows.at(c)];
        if !wanted.triangle(&place.x, &place.y, &window) {
            return;
        }
        let mut covered = 0;
        if place.is_tiny() {
            covered = self.near_samples.covered(place);
            if covered == 0 {
                return;
            }
        }
        let Some(plane) = depth_plane(&window) else { return };
        self.store(index, face, draw, &window, plane, place, covered);
    }

    fn clipped(
        &mut self,
        index: u32,
        face: usize,
        draw: &Draw,
        points: [[f32; 4]; 3],
        keep: Option<[f64; 3]>,
        wanted: &mut impl Choice,
    ) {
        let keep = keep.unwrap_or([0.0; 3]);
        let mut polygon = Polygon::default();
        for (point, keep) in points.iter().zip(keep) {
            let [x, y, z, w] = point.map(f64::from);
            polygon.push([x, y, z, w, keep]);
        }
        // Most triangles lie on one side of each plane: nothing is left of them, or nothing is cut off.
        let mut crossed = [false; PLANES];
        for plane in 0..PLANES {
            let sides = [0, 1, 2].map(|k| distance(plane, &polygon.points[k]) >= 0.0);
            if sides == [false; 3] {
                return;
            }
            crossed[plane] = sides != [true; 3];
        }
        for plane in (0..PLANES).filter(|plane| crossed[*plane]) {
            polygon.cut(|p| distance(plane, p));
        }
        if polygon.count < 3 || polygon.points[..polygon.count].iter().any(|p| p[3] <= 0.0 || p[3].is_nan()) {
            return;
        }
        let Some(plane) = homogeneous_plane(&points) else { return };
        let window = |p: &[f64; 5]| [p[0] / p[3], p[1] / p[3], p[2] / p[3]];
        let apex = window(&polygon.points[0]);
        for k in 1..polygon.count - 1 {
            let corners = [apex, window(&polygon.points[k]), window(&polygon.points[k + 1])];
            self.emit(index, face, draw, &corners, plane, draw.cull, wanted);
        }
    }

    /// A line of the given width in pixels: a rectangle where pixels have several samples; where they have one, a parallelogram whose ends
    /// are parallel to an axis, a whole number of pixels wide along the axis that the line crosses more steeply.
    pub(crate) fn line(
        &mut self,
        index: u32,
        face: usize,
        draw: &Draw,
        a: [f32; 4],
        b: [f32; 4],
        width: f32,
    ) {
        let mut ends = [a.map(f64::from), b.map(f64::from)];
        // Cut at the near and far ends.
        for far in [false, true] {
            let value = |p: &[f64; 4]| if far { p[2] } else { p[3] - p[2] };
            let (first, second) = (value(&ends[0]), value(&ends[1]));
            if first < 0.0 && second < 0.0 {
                return;
            }
            if (first < 0.0) != (second < 0.0) {
                let share = first / (first - second);
                let mut between = [0.0; 4];
                for k in 0..4 {
                    between[k] = ends[0][k] + share * (ends[1][k] - ends[0][k]);
                }
                ends[usize::from(second < 0.0)] = between;
            }
        }
        let window = ends.map(|p| [p[0] / p[3], p[1] / p[3], p[2] / p[3]]);
        let inside = |p: &[f64; 3]| p[0].abs() < GUARD && p[1].abs() < GUARD && p[2].is_finite();
        if !window.iter().all(inside) {
            return;
        }
        let [p, q] = window;
        let along = [q[0] - p[0], q[1] - p[1]];
        let length = (along[0] * along[0] + along[1] * along[1]).sqrt();
        let width = f64::from(width.clamp(1.0, 64.0));
        // The axis along which the line is longer.
        let major = usize::from(along[1].abs() > along[0].abs());
        let side = if self.grid == WHOLE_PIXELS {
            let half = 0.5 * (width + 0.5).floor();
            if major == 0 { [0.0, half] } else { [half, 0.0] }
        } else if length > 1e-9 {
            [-along[1] / length * 0.5 * width, along[0] / length * 0.5 * width]
        } else {
            [0.5 * width, 0.0]
        };
        let corners = [
            [p[0] - side[0], p[1] - side[1], p[2]],
            [q[0] - side[0], q[1] - side[1], q[2]],
            [q[0] + side[0], q[1] + side[1], q[2]],
            [p[0] + side[0], p[1] + side[1], p[2]],
        ];
        // Depth changes along the longer axis and is constant along the other.
        let mut gradient = [0.0; 2];
        if length > 1e-9 {
            gradient[major] = (q[2] - p[2]) / along[major];
        }
        let plane = [gradient[0], gradient[1], p[2] - gradient[0] * p[0] - gradient[1] * p[1]];
        let mut within = self.within;
        for triangle in [[0, 1, 2], [0, 2, 3]] {
            self.emit(index, face, draw, &triangle.map(|k| corners[k]), plane, Cull::None, &mut within);
        }
    }

    /// Rounds, culls and stores a triangle.
    #[allow(clippy::too_many_arguments, reason = "a triangle is known by its draw, its face and its corners")]
    fn emit(
        &mut self,
        index: u32,
        face: usize,
        draw: &Draw,
        corners: &[[f64; 3]; 3],
        z: [f64; 3],
        cull: Cull,
        wanted: &mut impl Choice,
    ) {
        // Cutting numbers that are near the end of their range can leave a corner outside the guard band, or no number at all.
        if !corners.iter().all(|corner| corner[0].abs() <= FARTHEST && corner[1].abs() <= FARTHEST) {
            return;
        }
        let x = corners.map(|corner| round(corner[0]));
        let y = corners.map(|corner| round(corner[1]));
        if let Some(place) = self.place(x, y, cull)
            && wanted.triangle(&place.x, &place.y, corners)
        {
            self.store(index, face, draw, corners, z, &place, 0);
        }
    }

    /// A triangle's corners counterclockwise and the pixels it may touch; `None` if it is turned away, has no area or lies outside.
    #[inline(always)]
    fn place(&self, mut x: [i32; 3], mut y: [i32; 3], cull: Cull) -> Option<Placed> {
        let area =
            i64::from(x[1] - x[0]) * i64::from(y[2] - y[0]) - i64::from(x[2] - x[0]) * i64::from(y[1] - y[0]);
        if area == 0 || (cull == Cull::Back && area < 0) || (cull == Cull::Front && area > 0) {
            return None;
        }
        if area < 0 {
            x.swap(1, 2);
            y.swap(1, 2);
        }
        let offset = 1 << (self.grid - 1);
        let pixels = |values: &[i32; 3], [start, end]: [i32; 2]| {
            let low = values[0].min(values[1]).min(values[2]);
            let high = values[0].max(values[1]).max(values[2]);
            // First and last line of the samples' grid; none may lie between, however many pixels there are.
            let first = (low - offset + (1 << self.grid) - 1) >> self.grid;
            let last = (high - offset) >> self.grid;
            let pixels = 8 - self.grid;
            if first > last { [1, 0] } else { [(first >> pixels).max(start), (last >> pixels).min(end - 1)] }
        };
        let columns = pixels(&x, self.within.columns);
        let rows = pixels(&y, self.within.rows);
        (columns[0] <= columns[1] && rows[0] <= rows[1]).then_some(Placed {
            x,
            y,
            columns,
            rows,
            back: area < 0,
        })
    }

    /// Keeps a triangle and lists it in the tiles it may touch.
    #[allow(clippy::too_many_arguments, reason = "a triangle is known by its draw, its face and its corners")]
    #[inline(always)]
    fn store(
        &mut self,
        index: u32,
        face: usize,
        draw: &Draw,
        corners: &[[f64; 3]; 3],
        z: [f64; 3],
        place: &Placed,
        covered: u16,
    ) {
        let Placed { x, y, columns: [left, right], rows: [bottom, top], back } = *place;
        let depths = corners.map(|corner| corner[2] as f32);
        let range = [depths[0].min(depths[1]).min(depths[2]), depths[0].max(depths[1]).max(depths[2])];
        let element = *self.current.get_or_insert_with(|| {
            if self.wire.is_some() {
                self.wires.resize(self.elements.len(), None);
                self.wires.push(self.wire);
            }
            self.elements.push(Element { draw: index, face: face as u32 });
            (self.elements.len() - 1) as u32
        });
        let number = self.prims.len() as u32;
        let pixels = [left as u16, right as u16, bottom as u16, top as u16];
        self.prims.push(Prim { x, y, element, pixels, range, z, covered, back });
        if !self.listed {
            return;
        }
        let bins = &mut self.bins[draw.layer as usize];
        for row in bottom / TILE..=top / TILE {
            for column in left / TILE..=right / TILE {
                bins[(row * self.columns + column) as usize].push(number);
            }
        }
    }
}

/// A triangle in 1/256 pixels, and the columns and rows of pixels it may touch.
struct Placed {
    x: [i32; 3],
    y: [i32; 3],
    columns: [i32; 2],
    rows: [i32; 2],
    back: bool,
}

impl Placed {
    /// Samples of two by two pixels at most, and not because the rest lies beside the picture.
    #[inline(always)]
    fn is_tiny(&self) -> bool {
        let extent = |values: &[i32; 3]| {
            values[0].max(values[1]).max(values[2]) - values[0].min(values[1]).min(values[2])
        };
        self.columns[1] - self.columns[0] <= 1
            && self.rows[1] - self.rows[0] <= 1
            && extent(&self.x).max(extent(&self.y)) < 4 * FRACTION
    }
}

/// The samples of two by two pixels, four places for each: the lower pixels first.
#[derive(Clone, Copy, Debug, Default)]
struct NearSamples {
    x: [i32; 16],
    y: [i32; 16],
    there: u16,
}

impl NearSamples {
    fn new<const S: usize>(samples: &[[i32; 2]; S]) -> Self {
        let mut near = Self::default();
        for pixel in 0..4 {
            for (sample, offset) in samples.iter().enumerate().take(4) {
                let at = 4 * pixel + sample;
                near.x[at] = offset[0] + FRACTION * (pixel as i32 & 1);
                near.y[at] = offset[1] + FRACTION * (pixel as i32 >> 1);
                near.there |= 1 << at;
            }
        }
        near
    }

    /// The samples that a tiny triangle covers, as bits.
    #[inline(always)]
    fn covered(&self, place: &Placed) -> u16 {
        let Placed { x, y, columns, rows, .. } = place;
        let (left, bottom) = (columns[0] * FRACTION, rows[0] * FRACTION);
        let mut signs = [0_i32; 16];
        for edge in 0..3 {
            let (a, b) = (edge, (edge + 1) % 3);
            let (dx, dy) = (x[b] - x[a], y[b] - y[a]);
            let owns = (dy < 0) | ((dy == 0) & (dx < 0));
            let start = dx * (bottom - y[a]) - dy * (left - x[a]) - i32::from(!owns);
            for at in 0..16 {
                signs[at] |= start + dx * self.y[at] - dy * self.x[at];
            }
        }
        let mut covered = 0;
        for at in 0..16 {
            covered |= u16::from(signs[at] >= 0) << at;
        }
        let one_column = if columns[0] == columns[1] { 0x0F0F } else { 0xFFFF };
        let one_row = if rows[0] == rows[1] { 0x00FF } else { 0xFFFF };
        covered & self.there & one_column & one_row
    }
}

pub(crate) fn doubled_area(p: &[[f64; 2]; 3]) -> f64 {
    (p[1][0] - p[0][0]) * (p[2][1] - p[0][1]) - (p[2][0] - p[0][0]) * (p[1][1] - p[0][1])
}

/// Depth as a linear function of the window; `None` for a triangle seen from its edge.
pub(crate) fn depth_plane(p: &[[f64; 3]; 3]) -> Option<[f64; 3]> {
    let area = doubled_area(&p.map(|p| [p[0], p[1]]));
    if area == 0.0 || !area.is_finite() {
        return None;
    }
    let (dz1, dz2) = (p[1][2] - p[0][2], p[2][2] - p[0][2]);
    let x = (dz1 * (p[2][1] - p[0][1]) - dz2 * (p[1][1] - p[0][1])) / area;
    let y = (dz2 * (p[1][0] - p[0][0]) - dz1 * (p[2][0] - p[0][0])) / area;
    Some([x, y, p[0][2] - x * p[0][0] - y * p[0][1]])
}

/// For each corner the linear function of the window that is its share over W: rows of the inverse of the corners' (X, Y, W).
pub(crate) fn shares(points: &[[f32; 4]; 3]) -> Option<[[f64; 3]; 3]> {
    let [a, b, c] = points.map(|p| [f64::from(p[0]), f64::from(p[1]), f64::from(p[3])]);
    let cross = |a: [f64; 3], b: [f64; 3]| {
        [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    };
    let (bc, ca, ab) = (cross(b, c), cross(c, a), cross(a, b));
    let determinant = a[0] * bc[0] + a[1] * bc[1] + a[2] * bc[2];
    if determinant == 0.0 || !determinant.is_finite() {
        return None;
    }
    let inverse = 1.0 / determinant;
    Some([bc, ca, ab].map(|row| row.map(|value| value * inverse)))
}

fn homogeneous_plane(points: &[[f32; 4]; 3]) -> Option<[f64; 3]> {
    let shares = shares(points)?;
    let mut plane = [0.0; 3];
    for (share, point) in shares.iter().zip(points) {
        for k in 0..3 {
            plane[k] += share[k] * f64::from(point[2]);
        }
    }
    plane.iter().all(|value| value.is_finite()).then_some(plane)
}

/// A convex polygon of at most ten corners: three and one more for each of seven cuts.
struct Polygon {
    points: [[f64; 5]; 12],
    count: usize,
}

impl Default for Polygon {
    fn default() -> Self {
        Self { points: [[0.0; 5]; 12], count: 0 }
    }
}

impl Polygon {
    fn push(&mut self, point: [f64; 5]) {
        if let Some(slot) = self.points.get_mut(self.count) {
            *slot = point;
            self.count += 1;
        }
    }

    /// Keeps the part where `value` is zero or more.
    fn cut(&mut self, value: impl Fn(&[f64; 5]) -> f64) {
        let mut kept = Self::default();
        for k in 0..self.count {
            let (here, next) = (self.points[k], self.points[(k + 1) % self.count]);
            let (first, second) = (value(&here), value(&next));
            if first >= 0.0 {
                kept.push(here);
            }
            if (first >= 0.0) != (second >= 0.0) {
                let share = first / (first - second);
                let mut between = [0.0; 5];
                for axis in 0..5 {
                    between[axis] = here[axis] + share * (next[axis] - here[axis]);
                }
                kept.push(between);
            }
        }
        *self = kept;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_one_at_their_own_corner() {
        let points = [[10.0, 20.0, 0.5, 1.0], [60.0, 20.0, 0.5, 2.0], [10.0, 160.0, 0.5, 4.0]];
        let rows = shares(&points).unwrap();
        for (corner, point) in points.iter().enumerate() {
            let (x, y) = (f64::from(point[0] / point[3]), f64::from(point[1] / point[3]));
            for (k, row) in rows.iter().enumerate() {
                let share = (row[0] * x + row[1] * y + row[2]) * f64::from(point[3]);
                let expected = if k == corner { 1.0 } else { 0.0 };
                assert!((share - expected).abs() < 1e-9);
            }
        }
    }

    #[test]
    fn a_cut_polygon_lies_on_the_kept_side() {
        let mut polygon = Polygon::default();
        for x in [-1.0, 1.0, 2.0] {
            polygon.push([x, x * x, 0.0, 1.0, 0.0]);
        }
        polygon.cut(|p| p[0]);
        assert_eq!(polygon.count, 4);
        assert!(polygon.points[..4].iter().all(|p| p[0] >= 0.0));
        polygon.cut(|p| -1.0 - p[0]);
        assert_eq!(polygon.count, 0);
    }
}
