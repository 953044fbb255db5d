//! Shadows: whether something lies between a visible point and a lamp.
//!
//! A lamp's shadow map is a picture of the scene from the lamp, of which only the texels that visible points fall on matter. Those are
//! collected first and sorted into cells of the map. Where a cell has few points, every triangle over it is compared with each of them;
//! cells with many points are drawn, and then the points are looked up. The result is that of the whole map with its resolution, offset
//! and 24 bits of depth, for a part of the work.

use condyle_math::{Registers, Work};

use crate::batch::{Batch, Together};
use crate::context::Context;
use crate::draw::Draw;
use crate::lamp::Lamp;
use crate::raster::{GROUP, ONE, Scan, Tile};
use crate::setup::{Choice, Prim, TILE, depth_plane};
use crate::shape::Shape;
use crate::vector::{Vec3, dot, stretch, transform};
use crate::window::{Bounds, Windows};

/// A visible point that a lamp may light.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Query {
    pub texel: [u16; 2],
    /// Depth of the point seen from the lamp, 1 near to 0 far.
    pub depth: f32,
    pub tile: u32,
    /// Fragment of the tile times the pixels of a block, and the pixel.
    pub fragment: u32,
    /// What the lamp adds where it shines.
    pub rgb: [u8; 3],
}

/// Cells have two to the power of this many texels along each side; where points are few, smaller ones, so that a triangle is compared
/// with those near it, but not more than this many small ones: there is work for each cell, whether points lie in it or not.
const LARGE_CELL: u32 = 5;
const SMALL_CELL: u32 = 3;
const MOST_CELLS: usize = 8_000;
/// Texels along a side of a large cell; it is drawn as a tile of a picture is.
const SIDE: usize = 1 << LARGE_CELL;
const _: () = assert!(SIDE == TILE as usize);
/// A large cell with more points is drawn.
const MANY: u32 = 96;
/// With more points in all, cells are large.
const MANY_IN_ALL: usize = 30_000;
/// With at most this many points near it, a batch of triangles is compared with one point after the other.
const FEW: u32 = 160;
/// Offset of stored depths: per slope and in units of the last of 24 bits.
const SLOPE_OFFSET: f64 = -1.5;
const UNIT_OFFSET: f64 = -4.0;
const LAST_BIT: f64 = 1.0 / 16_777_215.0;

/// First and last column and row of some cells, counted from the first cell that is kept.
type Part = ([usize; 2], [usize; 2]);

/// No cells.
const NOWHERE: [usize; 4] = [usize::MAX, 0, usize::MAX, 0];

/// Points that are compared with a triangle together.
const TOGETHER: usize = 8;

/// Points sorted into cells, and room for the triangles.
#[derive(Clone, Debug, Default)]
pub(crate) struct ShadowWork {
    sorted: Vec<Query>,
    /// Texels, depths and darkness of the sorted points, side by side; followed by a few that belong to none.
    x: Vec<i32>,
    y: Vec<i32>,
    depth: Vec<f32>,
    dark: Vec<u32>,
    starts: Vec<u32>,
    /// Least depth of the points of each cell that are not dark yet: what lies no nearer to the lamp hides none of them.
    least: Vec<f32>,
    /// First and last column and row of the cells in which points may have become dark since `least` was computed, counted from `origin`.
    darkened: [usize; 4],
    /// Surfaces that cast shadows, the nearest to the lamp first, with the depth of their middle.
    casters: Vec<(f32, u32)>,
    /// For each cell that is drawn the number of its map, counted from 1; else 0.
    maps: Vec<u32>,
    /// Greatest depth at the texels of the cells that are drawn.
    nearest: Vec<[f32; SIDE * SIDE]>,
    /// Which of them were drawn on since their points were compared with them.
    drawn: Vec<bool>,
    /// Column and row of the first cell on the map, and how many there are: cells reach from the first point to the last.
    origin: [usize; 2],
    columns: usize,
    rows: usize,
    /// Cells have two to the power of this many texels along each side.
    bits: u32,
    setup: crate::setup::Setup,
}

/// The shadow of a surface being cast.
struct Casting<'a> {
    work: &'a mut ShadowWork,
    lamp: &'a Lamp,
    draw: &'a Draw,
    shape: &'a Shape,
}

impl Work for Casting<'_> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        self.work.cast(self.lamp, self.draw, self.shape);
    }
}

impl ShadowWork {
    /// Compares points with all surfaces; [`Self::lit`] gives those that none hides.
    pub(crate) fn run<'a>(
        &mut self,
        registers: Registers,
        lamp: &Lamp,
        queries: impl Iterator<Item = &'a Query> + Clone,
        draws: &[Draw],
        context: &Context,
        dynamic: &[Shape],
    ) {
        self.sort(queries);
        if !self.sorted.is_empty() {
            self.line_up(lamp, draws, context, dynamic);
            self.darkened = NOWHERE;
            for at in 0..self.casters.len() {
                let draw = &draws[self.casters[at].1 as usize];
                let Some(shape) = draw.shape.get(context, dynamic) else { continue };
                registers.run(Casting { work: self, lamp, draw, shape });
            }
        }
    }

    /// Lists the casters. What is near a lamp hides most, and what is dark already need not be compared any more; the result does not
    /// depend on the order.
    fn line_up(&mut self, lamp: &Lamp, draws: &[Draw], context: &Context, dynamic: &[Shape]) {
        self.casters.clear();
        let row = &lamp.lookup[2];
        for (number, draw) in draws.iter().enumerate().filter(|(_, draw)| draw.casts_shadow) {
            let Some(shape) = draw.shape.get(context, dynamic) else { continue };
            let [x, y, z] = transform(&draw.to_world, shape.center);
            let depth = row[0] * x + row[1] * y + row[2] * z + row[3];
            self.casters.push((depth, number as u32));
        }
        self.casters.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    }

    /// Compares points with the maps that were drawn on, and computes the least depths anew where points became dark.
    #[inline(always)]
    fn forget_dark(&mut self) {
        let [left, right, bottom, top] = self.darkened;
        for row in bottom..=top {
            for cell in row * self.columns + left..=row * self.columns + right {
                if self.maps[cell] != 0 && !self.look_up(cell) {
                    continue;
                }
                let range = self.starts[cell] as usize..self.starts[cell + 1] as usize;
                let mut least = 1.0;
                for (depth, dark) in self.depth[range.clone()].iter().zip(&self.dark[range]) {
                    least = if *dark == 0 && *depth < least { *depth } else { least };
                }
                self.least[cell] = least;
            }
        }
        self.darkened = NOWHERE;
    }

    /// The points that no surface hides from the lamp; their order is not that in which they were given.
    pub(crate) fn lit(&self) -> impl Iterator<Item = &Query> {
        self.sorted.iter().zip(&self.dark).filter(|(_, dark)| **dark == 0).map(|(query, _)| query)
    }

    /// Counting sort by cell, row by row, so that the cells a triangle covers in a row are one range.
    fn sort<'a>(&mut self, queries: impl Iterator<Item = &'a Query> + Clone) {
        let (mut count, mut low, mut high) = (0, [u16::MAX; 2], [0; 2]);
        for query in queries.clone() {
            count += 1;
            for axis in 0..2 {
                low[axis] = query.texel[axis].min(low[axis]);
                high[axis] = query.texel[axis].max(high[axis]);
            }
        }
        // Without points there is one cell.
        let reach = |axis: usize, bits: u32| {
            (usize::from(high[axis]) >> bits).saturating_sub(usize::from(low[axis]) >> bits) + 1
        };
        self.bits = LARGE_CELL;
        if count <= MANY_IN_ALL {
            while self.bits > SMALL_CELL && reach(0, self.bits - 1) * reach(1, self.bits - 1) <= MOST_CELLS {
                self.bits -= 1;
            }
        }
        let bits = self.bits;
        self.origin = low.map(|texel| usize::from(texel) >> bits);
        (self.columns, self.rows) = (reach(0, bits), reach(1, bits));
        self.starts.clear();
        self.starts.resize(self.columns * self.rows + 1, 0);
        let (columns, [left, bottom]) = (self.columns, self.origin);
        let cell = move |query: &Query| {
            let [x, y] = query.texel.map(|texel| usize::from(texel) >> bits);
            (y - bottom) * columns + x - left
        };
        for query in queries.clone() {
            self.starts[cell(query) + 1] += 1;
        }
        for index in 1..self.starts.len() {
            self.starts[index] += self.starts[index - 1];
        }
        self.sorted.clear();
        self.sorted.resize(count, Query::default());
        for query in queries {
            let slot = &mut self.starts[cell(query)];
            self.sorted[*slot as usize] = *query;
            *slot += 1;
        }
        // Each start has moved to the next cell's; move back.
        for index in (1..self.starts.len()).rev() {
            self.starts[index] = self.starts[index - 1];
        }
        self.starts[0] = 0;
        let padded = count + TOGETHER;
        for values in [&mut self.x, &mut self.y] {
            values.clear();
            values.resize(padded, 0);
        }
        self.depth.clear();
        self.depth.resize(padded, 1.0);
        self.dark.clear();
        self.dark.resize(padded, 0);
        for (index, query) in self.sorted.iter().enumerate() {
            (self.x[index], self.y[index]) = (i32::from(query.texel[0]), i32::from(query.texel[1]));
            self.depth[index] = query.depth;
        }
        self.least.clear();
        self.least.resize(self.columns * self.rows, 1.0);
        for query in &self.sorted {
            let least = &mut self.least[cell(query)];
            *least = if query.depth < *least { query.depth } else { *least };
        }
        self.choose();
    }

    /// Which cells are drawn.
    fn choose(&mut self) {
        let cells = self.columns * self.rows;
        self.maps.clear();
        self.maps.resize(cells, 0);
        self.nearest.clear();
        self.drawn.clear();
        if self.bits != LARGE_CELL {
            return;
        }
        for cell in 0..cells {
            let (start, end) = (self.starts[cell], self.starts[cell + 1]);
            if end - start > MANY {
                self.nearest.push([0.0; SIDE * SIDE]);
                self.drawn.push(false);
                self.maps[cell] = self.nearest.len() as u32;
            }
        }
    }

    /// Compares the points of a cell with its map, if that was drawn on.
    #[inline(always)]
    fn look_up(&mut self, cell: usize) -> bool {
        let map = self.maps[cell] as usize - 1;
        if !std::mem::take(&mut self.drawn[map]) {
            return false;
        }
        let nearest = &self.nearest[map];
        for at in self.starts[cell] as usize..self.starts[cell + 1] as usize {
            let (x, y) = (self.x[at] as usize % SIDE, self.y[at] as usize % SIDE);
            let stored = stored(nearest[y * SIDE + x]);
            self.dark[at] |= u32::from(f64::from(self.depth[at]) < stored);
        }
        true
    }

    /// The part of a rectangle of the map's cells where points may lie, counted from the first cell that is kept.
    #[inline(always)]
    fn part(&self, columns: [usize; 2], rows: [usize; 2]) -> Option<Part> {
        let [first_column, first_row] = self.origin;
        let outside = columns[1] < first_column
            || columns[0] >= first_column + self.columns
            || rows[1] < first_row
            || rows[0] >= first_row + self.rows;
        let within = |[low, high]: [usize; 2], first: usize, count: usize| {
            [low.max(first) - first, (high - first).min(count - 1)]
        };
        (!outside).then(|| (within(columns, first_column, self.columns), within(rows, first_row, self.rows)))
    }

    /// Whether points that are not dark lie farther from the lamp than a depth, in a rectangle of cells. Cells without points have the
    /// greatest depth there is.
    #[inline(always)]
    fn any(&self, columns: [usize; 2], rows: [usize; 2], nearest: f32) -> bool {
        self.part(columns, rows).is_some_and(|part| self.any_in(part, nearest))
    }

    /// The same for cells counted from the first that is kept.
    #[inline(always)]
    fn any_in(&self, ([left, right], [bottom, top]): Part, nearest: f32) -> bool {
        let nearest = if nearest < 1.0 { nearest } else { 1.0 };
        let mut row = bottom * self.columns;
        for _ in bottom..top + 1 {
            if self.least[row + left..row + right + 1].iter().any(|least| *least < nearest) {
                return true;
            }
            row += self.columns;
        }
        false
    }

    /// Whether a surface may lie over points, by the sphere around it.
    fn may_hide(&self, lamp: &Lamp, seen: &Draw, shape: &Shape) -> bool {
        let center = transform(&seen.to_eye, shape.center);
        let radius = shape.radius * stretch(&seen.to_eye) * 1.001;
        let reach = |row: &[f32; 4]| {
            let normal = [row[0], row[1], row[2]];
            let middle = dot(normal, center) + row[3];
            let margin = dot(normal, normal).sqrt() * radius + 1e-5 * middle.abs();
            [middle - margin, middle + margin]
        };
        let [x, y, z, w] = lamp.projection;
        let [nearest, farthest] = reach(&w);
        // Also false for NaN: what cannot be told is compared.
        if !(nearest > 0.0) {
            return true;
        }
        let last = lamp.size - 1;
        let cells = |row: &[f32; 4]| {
            let [low, high] = reach(row);
            let low = if low < 0.0 { low / nearest } else { low / farthest };
            let high = if high < 0.0 { high / farthest } else { high / nearest };
            let cell = |value: f32| (value as i32).clamp(0, last) as usize >> self.bits;
            [cell(low - 1.0), cell(high + 1.0)]
        };
        let [_, depth] = reach(&z);
        let depth = if depth < 0.0 { depth / farthest } else { depth / nearest };
        self.any(cells(&x), cells(&y), depth + 1e-6)
    }

    #[inline(always)]
    fn cast(&mut self, lamp: &Lamp, draw: &Draw, shape: &Shape) {
        let mut seen = lamp.seen(draw);
        if !crate::assemble::may_show(&lamp.projection, [lamp.size, lamp.size], &seen, shape)
            || !self.may_hide(lamp, &seen, shape)
        {
            return;
        }
        let last = lamp.size - 1;
        if !(OverPoints { work: self, last }).may_hold(&seen, &shape.low, &shape.high) {
            return;
        }
        let mut setup = std::mem::take(&mut self.setup);
        setup.begin_unlisted(lamp.size, lamp.size);
        setup.draw(0, &mut seen, shape, None, &mut OverPoints { work: self, last });
        // What faces the lamp hides most of what the backs hide; points that are dark already need not be compared with those.
        for back in [false, true] {
            for prim in setup.prims.iter().filter(|prim| prim.back == back) {
                self.compare(lamp, prim);
            }
            self.forget_dark();
        }
        self.setup = setup;
    }

    /// Compares a triangle with the points in the cells it covers.
    #[inline(always)]
    fn compare(&mut self, lamp: &Lamp, prim: &Prim) {
        let last = lamp.size - 1;
        let bits = self.bits;
        let part = self.part(cells(&prim.x, last, bits), cells(&prim.y, last, bits));
        let Some(([left, right], [bottom, top])) = part else { return };
        let [first_column, first_row] = self.origin;
        let hidden = Hidden::new(prim);
        let wide = right - left > 1;
        let mut darkened = false;
        for row in bottom..top + 1 {
            let mut span = [left, right];
            if wide {
                let [from, to] =
                    hidden.span(first_row + row, bits, [first_column + left, first_column + right]);
                if from > to {
                    continue;
                }
                span = [from - first_column, to - first_column];
            }
            let [left, right] = span;
            let first = row * self.columns;
            // Points of neighbouring cells that are not drawn lie side by side.
            let (mut at, mut end) = (0, 0);
            for cell in first + left..first + right + 1 {
                // The offset takes more from a depth than rounding adds, so that none lies above the corners'.
                let least = self.least[cell];
                if prim.range[1] <= least
                    || hidden.nearest(first_column + cell - first, first_row + row, bits) <= f64::from(least)
                {
                    continue;
                }
                let (from, to) = (self.starts[cell] as usize, self.starts[cell + 1] as usize);
                if self.maps[cell] != 0 {
                    let tile = cell_tile(first_column + cell - first, first_row + row);
                    let map = self.maps[cell] as usize - 1;
                    if draw(prim, &tile, &hidden, &mut self.nearest[map]) {
                        self.drawn[map] = true;
                        darkened = true;
                    }
                    continue;
                }
                if from > end + TOGETHER {
                    darkened |= self.mark(&hidden, at, end);
                    at = from;
                }
                end = to;
            }
            darkened |= self.mark(&hidden, at, end);
        }
        if darkened {
            let [a, b, c, d] = self.darkened;
            // The last points of a cell are compared together with the first of the next.
            let right = (right + 1).min(self.columns - 1);
            self.darkened = [a.min(left), b.max(right), c.min(bottom), d.max(top)];
        }
    }

    /// Compares a batch of triangles with the points in some cells, if those are few; whether it did.
    #[inline(always)]
    fn compare_few(
        &mut self,
        ([left, right], [bottom, top]): Part,
        nearest: f32,
        windows: &Windows,
        batch: &Batch,
        corners: &Together,
        numbers: impl Fn(usize) -> [usize; 3],
    ) -> bool {
        let (mut row, mut count) = (bottom * self.columns, 0);
        for _ in bottom..top + 1 {
            count += self.starts[row + right + 1] - self.starts[row + left];
            row += self.columns;
        }
        // Cells with many points are drawn.
        if count > if self.bits == LARGE_CELL { MANY } else { FEW } {
            return false;
        }
        let texels = |cells: usize| (cells << self.bits) as i32;
        let origin = [texels(left + self.origin[0]), texels(bottom + self.origin[1])];
        let edges = corners.edges(origin, [texels(right - left + 1), texels(top - bottom + 1)]);
        let mut darkened = false;
        let mut row = bottom * self.columns;
        for _ in bottom..top + 1 {
            for at in self.starts[row + left] as usize..self.starts[row + right + 1] as usize {
                let (x, y, depth) = (self.x[at], self.y[at], self.depth[at]);
                if (self.dark[at] != 0) | (depth >= nearest) {
                    continue;
                }
                let mut rest = edges.may_cover(x, y) & batch.lanes();
                while rest != 0 {
                    let lane = rest.trailing_zeros() as usize;
                    rest &= rest - 1;
                    if corners.covers(lane, [x, y])
                        && hides(windows, numbers(batch.number(lane)), [x, y], depth)
                    {
                        (self.dark[at], darkened) = (1, true);
                        break;
                    }
                }
            }
            row += self.columns;
        }
        if darkened {
            let [a, b, c, d] = self.darkened;
            self.darkened = [a.min(left), b.max(right), c.min(bottom), d.max(top)];
        }
        true
    }

    /// Compares a triangle with points; whether it hides any.
    #[inline(always)]
    fn mark(&mut self, hidden: &Hidden, mut at: usize, end: usize) -> bool {
        let mut any = false;
        // The last of them may reach beyond the end, to points which are compared without harm.
        while at < end {
            let range = at..at + TOGETHER;
            if let (Some(x), Some(y), Some(depth), Some(dark)) = (
                self.x[range.clone()].first_chunk(),
                self.y[range.clone()].first_chunk(),
                self.depth[range.clone()].first_chunk(),
                self.dark[range].first_chunk_mut(),
            ) {
                any |= hidden.mark(x, y, depth, dark);
            }
            at += TOGETHER;
        }
        any
    }
}

/// Triangles that points may lie under; others are dropped before their depth is computed.
struct OverPoints<'a> {
    work: &'a mut ShadowWork,
    last: i32,
}

impl Choice for OverPoints<'_> {
    fn may_hold(&self, draw: &Draw, low: &Vec3, high: &Vec3) -> bool {
        let Some(bounds) = Bounds::new(&draw.rows, low, high) else { return true };
        let cells = |[low, high]: [f32; 2]| {
            let cell = |value: f32| (value as i32).clamp(0, self.last) as usize >> self.work.bits;
            [cell(low - 1.0), cell(high + 1.0)]
        };
        self.work.any(cells(bounds.x), cells(bounds.y), bounds.depth + 1e-6)
    }

    #[inline(always)]
    fn batch(
        &mut self,
        windows: &Windows,
        batch: &Batch,
        corners: &Together,
        nearest: impl FnOnce() -> f32,
        numbers: impl Fn(usize) -> [usize; 3],
    ) -> bool {
        let [x, y] = corners.bounds(batch);
        let cell = |value: i32| (value >> 8).clamp(0, self.last) as usize >> self.work.bits;
        let (columns, rows) = ([cell(x[0]), cell(x[1])], [cell(y[0]), cell(y[1])]);
        let Some(part) = self.work.part(columns, rows) else { return false };
        let nearest = nearest();
        self.work.any_in(part, nearest)
            && !self.work.compare_few(part, nearest, windows, batch, corners, numbers)
    }

    #[inline(always)]
    fn triangle(&self, x: &[i32; 3], y: &[i32; 3], at: &[[f64; 3]; 3]) -> bool {
        let depths = [at[0][2] as f32, at[1][2] as f32, at[2][2] as f32];
        let bits = self.work.bits;
        self.work.any(cells(x, self.last, bits), cells(y, self.last, bits), nearest_of(depths))
    }
}

/// Whether a triangle hides a point that lies in a texel which it covers.
#[inline(always)]
fn hides(windows: &Windows, numbers: [usize; 3], [x, y]: [i32; 2], depth: f32) -> bool {
    let [a, b, c] = numbers;
    let Some(plane) = depth_plane(&[windows.at(a), windows.at(b), windows.at(c)]) else { return false };
    let here = depth_at(&plane, offset(&plane), f64::from(x) + 0.5, f64::from(y) + 0.5);
    f64::from(depth) < stored(here)
}

/// The greatest of three depths.
#[inline(always)]
fn nearest_of([a, b, c]: [f32; 3]) -> f32 {
    let most = if a > b { a } else { b };
    if most > c { most } else { c }
}

fn cell_tile(column: usize, row: usize) -> Tile {
    let (left, bottom) = ((column << LARGE_CELL) as i32, (row << LARGE_CELL) as i32);
    Tile { left, bottom, right: left + TILE, top: bottom + TILE }
}

/// Draws a triangle on the map of a cell; whether it may cover any of it.
#[inline(always)]
fn draw(prim: &Prim, tile: &Tile, hidden: &Hidden, nearest: &mut [f32; SIDE * SIDE]) -> bool {
    const MIDDLES: [f64; GROUP] = [0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5];
    let Some(scan) = Scan::new(prim, tile, &ONE) else { return false };
    let groups = nearest.as_chunks_mut::<GROUP>().0;
    for row in scan.rows[0]..=scan.rows[1] {
        let y = f64::from(tile.bottom + row as i32) + 0.5;
        for group in scan.groups[0]..=scan.groups[1] {
            let [signs] = scan.signs(row, group);
            let left = f64::from(tile.left + (group * GROUP) as i32);
            let values = &mut groups[row * (SIDE / GROUP) + group];
            for lane in 0..GROUP {
                let depth = hidden.depth(left + MIDDLES[lane], y);
                let depth = if signs[lane] >= 0 { depth } else { 0.0 };
                values[lane] = if depth > values[lane] { depth } else { values[lane] };
            }
        }
    }
    true
}

/// A depth as a map of 24 bits keeps it.
#[inline(always)]
fn stored(depth: f32) -> f64 {
    // Adding it rounds numbers below 2^51 to whole ones.
    const WHOLE: f64 = 6_755_399_441_055_744.0;
    let depth = if depth > 0.0 { depth } else { 0.0 };
    let depth = f64::from(if depth < 1.0 { depth } else { 1.0 });
    let units = depth / LAST_BIT + 0.5;
    let rounded = (units + WHOLE) - WHOLE;
    (if rounded > units { rounded - 1.0 } else { rounded }) * LAST_BIT
}

/// What is added to the depths of a triangle.
#[inline(always)]
pub(crate) fn offset(plane: &[f64; 3]) -> f64 {
    let slope = plane[0].abs();
    let slope = if plane[1].abs() > slope { plane[1].abs() } else { slope };
    SLOPE_OFFSET * slope + UNIT_OFFSET * LAST_BIT
}

/// Depth of a triangle, with the offset.
#[inline(always)]
fn depth_at(plane: &[f64; 3], offset: f64, x: f64, y: f64) -> f32 {
    (plane[0] * x + plane[1] * y + plane[2] + offset) as f32
}

/// Edge functions at the centre of texel (x, y): `row[0]·x + row[1]·y + row[2]`, whole numbers below 2^53.
#[inline(always)]
fn edges(prim: &Prim) -> [[f64; 3]; 3] {
    let mut edges = [[0.0; 3]; 3];
    for edge in 0..3 {
        let (a, b) = (edge, (edge + 1) % 3);
        let (dx, dy) = (prim.x[b] - prim.x[a], prim.y[b] - prim.y[a]);
        let owns = (dy < 0) | ((dy == 0) & (dx < 0));
        let (dx, dy) = (f64::from(dx), f64::from(dy));
        let constant = dx * f64::from(128 - prim.y[a]) - dy * f64::from(128 - prim.x[a]);
        edges[edge] = [-dy * 256.0, dx * 256.0, constant - f64::from(u8::from(!owns))];
    }
    edges
}

/// What a triangle hides from a lamp.
struct Hidden {
    edges: [[f64; 3]; 3],
    plane: [f64; 3],
    offset: f64,
}

impl Hidden {
    #[inline(always)]
    fn new(prim: &Prim) -> Self {
        Self { edges: edges(prim), plane: prim.z, offset: offset(&prim.z) }
    }

    /// First and last cell of a row that may be covered, within bounds.
    #[inline(always)]
    fn span(&self, row: usize, bits: u32, [mut left, mut right]: [usize; 2]) -> [usize; 2] {
        let [low, high] = [(row << bits) as f64, ((row + 1) << bits) as f64];
        for [along_x, along_y, constant] in &self.edges {
            let most = along_y * if *along_y > 0.0 { high } else { low } + constant;
            // Covered where along_x · x + most >= 0; a texel of margin.
            let bound = -most / along_x;
            let cell = |value: f64| {
                let value = if value > 0.0 { value } else { 0.0 };
                (value as usize) >> bits
            };
            if *along_x > 0.0 {
                left = left.max(cell(bound - 1.0));
            } else if *along_x < 0.0 {
                right = right.min(cell(bound + 1.0));
            } else if most < 0.0 {
                return [1, 0];
            }
        }
        [left, right]
    }

    /// Depth of the triangle, with the offset.
    #[inline(always)]
    fn depth(&self, x: f64, y: f64) -> f32 {
        depth_at(&self.plane, self.offset, x, y)
    }

    /// No depth that is stored in a cell is greater: rounding keeps order and adds less than the margin.
    #[inline(always)]
    fn nearest(&self, column: usize, row: usize, bits: u32) -> f64 {
        let side = f64::from((1 << bits) - 1);
        let x = (column << bits) as f64 + if self.plane[0] > 0.0 { side } else { 0.0 };
        let y = (row << bits) as f64 + if self.plane[1] > 0.0 { side } else { 0.0 };
        self.plane[0] * (x + 0.5) + self.plane[1] * (y + 0.5) + self.plane[2] + self.offset + 2.0 * LAST_BIT
    }

    #[inline(always)]
    fn mark(
        &self,
        x: &[i32; TOGETHER],
        y: &[i32; TOGETHER],
        depth: &[f32; TOGETHER],
        dark: &mut [u32; TOGETHER],
    ) -> bool {
        let [a, b, c] = &self.edges;
        let mut covered = [0_u32; TOGETHER];
        for lane in 0..TOGETHER {
            let (x, y) = (f64::from(x[lane]), f64::from(y[lane]));
            let (first, second, third) =
                (a[0] * x + a[1] * y + a[2], b[0] * x + b[1] * y + b[2], c[0] * x + c[1] * y + c[2]);
            covered[lane] = u32::from((first >= 0.0) & (second >= 0.0) & (third >= 0.0));
        }
        if covered.iter().fold(0, |any, lane| any | lane) == 0 {
            return false;
        }
        let mut any = 0;
        for lane in 0..TOGETHER {
            let (x, y) = (f64::from(x[lane]), f64::from(y[lane]));
            let stored = stored(self.depth(x + 0.5, y + 0.5));
            let hidden = covered[lane] & u32::from(f64::from(depth[lane]) < stored);
            any |= hidden;
            dark[lane] |= hidden;
        }
        any != 0
    }
}

/// The first and the last cell that coordinates in 1/256 texels reach into.
#[inline(always)]
fn cells(values: &[i32; 3], last: i32, bits: u32) -> [usize; 2] {
    let low = values[0].min(values[1]).min(values[2]) >> 8;
    let high = values[0].max(values[1]).max(values[2]) >> 8;
    [low.clamp(0, last) as usize >> bits, high.clamp(0, last) as usize >> bits]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_are_kept_where_points_are() {
        let mut work = ShadowWork::default();
        let query = |x, y, depth| Query { texel: [x, y], depth, ..Query::default() };
        let queries = [query(1000, 500, 0.5), query(1300, 300, 0.25)];
        work.sort(queries.iter());
        assert_eq!((work.bits, work.origin, work.columns, work.rows), (SMALL_CELL, [125, 37], 38, 26));
        assert!(work.any([0, 4000], [0, 4000], 0.3) && work.any([125, 125], [62, 62], 0.6));
        assert!(!work.any([125, 125], [62, 62], 0.5) && !work.any([126, 161], [38, 4000], 1.0));
        assert!(!work.any([0, 124], [0, 4000], 1.0) && !work.any([163, 4000], [0, 4000], 1.0));
        assert!(!work.any([0, 4000], [0, 36], 1.0) && !work.any([0, 4000], [63, 4000], 1.0));
        work.sort([].iter());
        assert!(!work.any([0, 4000], [0, 4000], 1.0));
    }
}
