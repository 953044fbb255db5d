//! Shadows: whether something lies between a visible point and a lamp.
//!
//! A lamp's shadow map is a picture of the scene from the lamp, of which only the texels that visible points fall on matter. Those are
//! collected first and sorted into cells of the map. Where a cell has few points, every triangle over it is compared with each of them;
//! cells with many points are drawn, and then the points are looked up. The result is that of the whole map with its resolution, offset
//! and 24 bits of depth, for a part of the work.

use condyle_math::{Registers, Work};
use condyle_model::LightType;
use condyle_vis::{GlCamera, Light};

use crate::context::{Context, Settings};
use crate::draw::Draw;
use crate::exact::sin_cos;
use crate::lanes::{LANES, Lanes};
use crate::raster::{GROUP, ONE, Scan, Tile};
use crate::setup::{Prim, TILE};
use crate::shape::Shape;
use crate::vector::{Affine, compose, dot, look_at, orthogonal, stretch, transform};
use crate::view::{Projection, Volume, project_after};

/// A visible point that a lamp may light.
#[derive(Clone, Copy, Debug, Default)]
pub struct Query {
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
/// with those near it, but not more than a quarter of a million of them.
const LARGE_CELL: u32 = 5;
const SMALL_CELL: u32 = 4;
const MOST_COLUMNS: usize = 300;
/// Texels along a side of a large cell; it is drawn as a tile of a picture is.
const SIDE: usize = 1 << LARGE_CELL;
const _: () = assert!(SIDE == TILE as usize);
/// A large cell with more points is drawn.
const MANY: u32 = 96;
/// With more points in all, cells are large.
const MANY_IN_ALL: usize = 30_000;
/// Offset of stored depths: per slope and in units of the last of 24 bits.
const SLOPE_OFFSET: f64 = -1.5;
const UNIT_OFFSET: f64 = -4.0;
const LAST_BIT: f64 = 1.0 / 16_777_215.0;

/// A lamp that casts shadows.
#[derive(Clone, Copy, Debug)]
pub struct Lamp {
    view: Affine,
    /// From the lamp's eye to the part of its map that is drawn on: all but one texel at each side.
    projection: Projection,
    /// From the world to (s, t, depth, w) of the map.
    lookup: Projection,
    size: i32,
}

impl Lamp {
    pub fn new(light: &Light, camera: &GlCamera, settings: &Settings) -> Self {
        let view = look_at(light.pos, light.dir, orthogonal(light.dir));
        let (near, far) = (f64::from(camera.frustum_near), f64::from(camera.frustum_far));
        let (half, orthographic) = if light.r#type == LightType::Spot as i32 {
            let opening = (2.0 * light.cutoff * settings.shadow_scale).min(160.0);
            let (sine, cosine) = sin_cos(f64::from(opening) / 360.0 * std::f64::consts::PI);
            (sine / cosine * near, false)
        } else {
            (f64::from(settings.shadow_clip), true)
        };
        let volume = Volume { left: -half, right: half, bottom: -half, top: half, near, far, orthographic };
        let size = f64::from(settings.shadow_size);
        let projection = volume.project([1.0, 1.0], [size - 2.0, size - 2.0]);
        let lookup = project_after(&volume.project([0.0, 0.0], [size, size]), &view);
        Self { view, projection, lookup, size: settings.shadow_size }
    }

    /// Texels and depths of points in the world.
    #[inline(always)]
    pub fn texels(&self, world: &[Lanes; 3]) -> Texels {
        let [x, y, z] = world;
        let mut out =
            Texels { s: [0.0; LANES], t: [0.0; LANES], depth: [0.0; LANES], inside: [false; LANES] };
        let last = (self.size - 1) as f32;
        let rows = &self.lookup;
        for lane in 0..LANES {
            let at = |row: &[f32; 4]| row[0] * x[lane] + row[1] * y[lane] + row[2] * z[lane] + row[3];
            let w = at(&rows[3]);
            let (s, t, depth) = (at(&rows[0]) / w, at(&rows[1]) / w, at(&rows[2]) / w);
            // The outermost texels are never drawn on. Comparisons are false for NaN.
            out.inside[lane] = (s >= 1.0) & (t >= 1.0) & (s < last) & (t < last) & (depth > 0.0);
            (out.s[lane], out.t[lane]) = (s, t);
            out.depth[lane] = if depth < 1.0 { depth } else { 1.0 };
        }
        out
    }
}

/// Where points fall on a lamp's map.
pub struct Texels {
    s: Lanes,
    t: Lanes,
    /// 1 near to 0 far.
    pub depth: Lanes,
    /// False where the lamp shines without a shadow, beside its map.
    pub inside: [bool; LANES],
}

impl Texels {
    #[inline]
    pub fn texel(&self, lane: usize) -> [u16; 2] {
        [self.s[lane] as u16, self.t[lane] as u16]
    }
}

/// Points that are compared with a triangle together.
const TOGETHER: usize = 8;

/// Points sorted into cells, and room for the triangles.
#[derive(Clone, Debug, Default)]
pub struct ShadowWork {
    sorted: Vec<Query>,
    /// Texels, depths and darkness of the sorted points, side by side; followed by a few that belong to none.
    x: Vec<i32>,
    y: Vec<i32>,
    depth: Vec<f32>,
    dark: Vec<u32>,
    starts: Vec<u32>,
    /// Least depth of the points of each cell: what lies no nearer to the lamp hides none of them.
    least: Vec<f32>,
    /// For each cell that is drawn the number of its map, counted from 1; else 0.
    maps: Vec<u32>,
    /// Greatest depth at the texels of the cells that are drawn.
    nearest: Vec<[f32; SIDE * SIDE]>,
    columns: usize,
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
    pub fn run<'a>(
        &mut self,
        registers: Registers,
        lamp: &Lamp,
        queries: impl Iterator<Item = &'a Query> + Clone,
        draws: &[Draw],
        context: &Context,
        dynamic: &[Shape],
    ) {
        self.sort(lamp, queries);
        if !self.sorted.is_empty() {
            for draw in draws.iter().filter(|draw| draw.casts_shadow) {
                let Some(shape) = draw.shape.get(context, dynamic) else { continue };
                registers.run(Casting { work: self, lamp, draw, shape });
            }
            self.look_up();
        }
    }

    /// The points that no surface hides from the lamp; their order is not that in which they were given.
    pub fn lit(&self) -> impl Iterator<Item = &Query> {
        self.sorted.iter().zip(&self.dark).filter(|(_, dark)| **dark == 0).map(|(query, _)| query)
    }

    /// Counting sort by cell, row by row, so that the cells a triangle covers in a row are one range.
    fn sort<'a>(&mut self, lamp: &Lamp, queries: impl Iterator<Item = &'a Query> + Clone) {
        let count = queries.clone().count();
        let size = lamp.size as usize;
        self.bits = LARGE_CELL;
        if count <= MANY_IN_ALL {
            while self.bits > SMALL_CELL && (size >> (self.bits - 1)) < MOST_COLUMNS {
                self.bits -= 1;
            }
        }
        let bits = self.bits;
        self.columns = (size >> bits) + 1;
        self.starts.clear();
        self.starts.resize(self.columns * self.columns + 1, 0);
        let columns = self.columns;
        let cell = move |query: &Query| {
            (usize::from(query.texel[1]) >> bits) * columns + (usize::from(query.texel[0]) >> bits)
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
        self.least.resize(self.columns * self.columns, 1.0);
        for query in &self.sorted {
            let least = &mut self.least[cell(query)];
            *least = if query.depth < *least { query.depth } else { *least };
        }
        self.choose();
    }

    /// Which cells are drawn.
    fn choose(&mut self) {
        let cells = self.columns * self.columns;
        self.maps.clear();
        self.maps.resize(cells, 0);
        self.nearest.clear();
        if self.bits != LARGE_CELL {
            return;
        }
        for cell in 0..cells {
            let (start, end) = (self.starts[cell], self.starts[cell + 1]);
            if end - start > MANY {
                self.nearest.push([0.0; SIDE * SIDE]);
                self.maps[cell] = self.nearest.len() as u32;
            }
        }
    }

    /// Compares the points of the cells that were drawn with their maps.
    fn look_up(&mut self) {
        for (cell, map) in self.maps.iter().enumerate().filter(|(_, map)| **map != 0) {
            let nearest = &self.nearest[*map as usize - 1];
            for at in self.starts[cell] as usize..self.starts[cell + 1] as usize {
                let (x, y) = (self.x[at] as usize % SIDE, self.y[at] as usize % SIDE);
                let stored = stored(nearest[y * SIDE + x]);
                self.dark[at] |= u32::from(f64::from(self.depth[at]) < stored);
            }
        }
    }

    /// Whether points lie in a rectangle of cells.
    #[inline(always)]
    fn any(&self, [left, right]: [usize; 2], [bottom, top]: [usize; 2]) -> bool {
        let starts = |row: usize| {
            (self.starts[row * self.columns + left], self.starts[row * self.columns + right + 1])
        };
        (bottom..=top).map(starts).any(|(first, end)| first < end)
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
        let [x, y, _, w] = lamp.projection;
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
        self.any(cells(&x), cells(&y))
    }

    #[inline(always)]
    fn cast(&mut self, lamp: &Lamp, draw: &Draw, shape: &Shape) {
        let mut seen = *draw;
        seen.to_eye = compose(&lamp.view, &draw.to_world);
        if !crate::assemble::may_show(&lamp.projection, [lamp.size, lamp.size], &seen, shape)
            || !self.may_hide(lamp, &seen, shape)
        {
            return;
        }
        seen.rows = project_after(&lamp.projection, &seen.to_eye);
        seen.cull = crate::draw::Cull::None;
        seen.keep = None;
        seen.layer = crate::draw::Layer::Opaque;
        let mut setup = std::mem::take(&mut self.setup);
        setup.begin_unlisted(lamp.size, lamp.size);
        // Triangles that no point can lie under are dropped before their depth is computed.
        let last = lamp.size - 1;
        setup.draw(0, &mut seen, shape, None, &|x, y| {
            self.any(cells(x, last, self.bits), cells(y, last, self.bits))
        });
        for prim in &setup.prims {
            self.compare(lamp, prim);
        }
        self.setup = setup;
    }

    /// Compares a triangle with the points in the cells it covers.
    #[inline(always)]
    fn compare(&mut self, lamp: &Lamp, prim: &Prim) {
        let last = lamp.size - 1;
        let bits = self.bits;
        let ([left, right], [bottom, top]) = (cells(&prim.x, last, bits), cells(&prim.y, last, bits));
        let slope = prim.z[0].abs();
        let slope = if prim.z[1].abs() > slope { prim.z[1].abs() } else { slope };
        let hidden = Hidden {
            edges: edges(prim),
            plane: prim.z,
            offset: SLOPE_OFFSET * slope + UNIT_OFFSET * LAST_BIT,
        };
        for row in bottom..=top {
            let [left, right] =
                if right - left <= 1 { [left, right] } else { hidden.span(row, bits, [left, right]) };
            if left > right {
                continue;
            }
            let first = row * self.columns;
            // Points of neighbouring cells that are not drawn lie side by side.
            let (mut at, mut end) = (0, 0);
            for cell in first + left..=first + right {
                let (from, to) = (self.starts[cell] as usize, self.starts[cell + 1] as usize);
                // The offset takes more from a depth than rounding adds, so that none lies above the corners'.
                if from == to
                    || prim.range[1] <= self.least[cell]
                    || hidden.nearest(cell - first, row, bits) <= f64::from(self.least[cell])
                {
                    continue;
                }
                if self.maps[cell] != 0 {
                    let tile = cell_tile(cell - first, row);
                    draw(prim, &tile, &hidden, &mut self.nearest[self.maps[cell] as usize - 1]);
                    continue;
                }
                if from > end + TOGETHER {
                    self.mark(&hidden, at, end);
                    at = from;
                }
                end = to;
            }
            self.mark(&hidden, at, end);
        }
    }

    /// Compares a triangle with points.
    #[inline(always)]
    fn mark(&mut self, hidden: &Hidden, mut at: usize, end: usize) {
        // The last of them may reach beyond the end, to points which are compared without harm.
        while at < end {
            let range = at..at + TOGETHER;
            if let (Some(x), Some(y), Some(depth), Some(dark)) = (
                self.x[range.clone()].first_chunk(),
                self.y[range.clone()].first_chunk(),
                self.depth[range.clone()].first_chunk(),
                self.dark[range].first_chunk_mut(),
            ) {
                hidden.mark(x, y, depth, dark);
            }
            at += TOGETHER;
        }
    }
}

fn cell_tile(column: usize, row: usize) -> Tile {
    let (left, bottom) = ((column << LARGE_CELL) as i32, (row << LARGE_CELL) as i32);
    Tile { left, bottom, right: left + TILE, top: bottom + TILE }
}

/// Draws a triangle on the map of a cell.
#[inline(always)]
fn draw(prim: &Prim, tile: &Tile, hidden: &Hidden, nearest: &mut [f32; SIDE * SIDE]) {
    const MIDDLES: [f64; GROUP] = [0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5];
    let Some(scan) = Scan::new(prim, tile, &ONE) else { return };
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

/// Edge functions at the centre of texel (x, y): `row[0]·x + row[1]·y + row[2]`, whole numbers below 2^53.
#[inline(always)]
fn edges(prim: &Prim) -> [[f64; 3]; 3] {
    let mut edges = [[0.0; 3]; 3];
    for (edge, row) in edges.iter_mut().enumerate() {
        let (a, b) = (edge, (edge + 1) % 3);
        let dx = i64::from(prim.x[b] - prim.x[a]);
        let dy = i64::from(prim.y[b] - prim.y[a]);
        let owns = dy < 0 || (dy == 0 && dx < 0);
        let constant = dx * (128 - i64::from(prim.y[a])) - dy * (128 - i64::from(prim.x[a]));
        *row = [(-dy * 256) as f64, (dx * 256) as f64, (constant - i64::from(!owns)) as f64];
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
        (self.plane[0] * x + self.plane[1] * y + self.plane[2] + self.offset) as f32
    }

    /// The greatest depth that is stored in a cell: rounding keeps order, so none of its texels has a greater one.
    #[inline(always)]
    fn nearest(&self, column: usize, row: usize, bits: u32) -> f64 {
        let side = f64::from((1 << bits) - 1);
        let x = (column << bits) as f64 + if self.plane[0] > 0.0 { side } else { 0.0 };
        let y = (row << bits) as f64 + if self.plane[1] > 0.0 { side } else { 0.0 };
        stored(self.depth(x + 0.5, y + 0.5))
    }

    #[inline(always)]
    fn mark(
        &self,
        x: &[i32; TOGETHER],
        y: &[i32; TOGETHER],
        depth: &[f32; TOGETHER],
        dark: &mut [u32; TOGETHER],
    ) {
        let [a, b, c] = &self.edges;
        let mut hidden = [0_u32; TOGETHER];
        for lane in 0..TOGETHER {
            let (x, y) = (f64::from(x[lane]), f64::from(y[lane]));
            let (first, second, third) =
                (a[0] * x + a[1] * y + a[2], b[0] * x + b[1] * y + b[2], c[0] * x + c[1] * y + c[2]);
            let covered = (first >= 0.0) & (second >= 0.0) & (third >= 0.0);
            let stored = stored(self.depth(x + 0.5, y + 0.5));
            hidden[lane] = u32::from(covered & (f64::from(depth[lane]) < stored));
        }
        for lane in 0..TOGETHER {
            dark[lane] |= hidden[lane];
        }
    }
}

/// The first and the last cell that coordinates in 1/256 texels reach into.
#[inline(always)]
fn cells(values: &[i32; 3], last: i32, bits: u32) -> [usize; 2] {
    let low = values[0].min(values[1]).min(values[2]) >> 8;
    let high = values[0].max(values[1]).max(values[2]) >> 8;
    [low.clamp(0, last) as usize >> bits, high.clamp(0, last) as usize >> bits]
}
