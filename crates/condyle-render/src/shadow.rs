//! Shadows: whether something lies between a visible point and a lamp.
//!
//! A lamp's shadow map is a picture of the scene from the lamp, of which only the texels that visible points fall on matter. Those are
//! collected first and sorted into cells of the map; then every triangle is compared with the points in the cells it covers. The
//! result is that of the whole map with its resolution, offset and 24 bits of depth, for a part of the work.

use condyle_model::LightType;
use condyle_vis::{GlCamera, Light};

use crate::context::{Context, Settings};
use crate::draw::Draw;
use crate::exact::sin_cos;
use crate::setup::Prim;
use crate::shape::Shape;
use crate::vector::{Affine, Vec3, compose, look_at, orthogonal};
use crate::view::{Projection, Volume, project_after, project_point};

/// A visible point that a lamp may light.
#[derive(Clone, Copy, Debug, Default)]
pub struct Query {
    pub texel: [u16; 2],
    /// Depth of the point seen from the lamp, 1 near to 0 far.
    pub depth: f32,
    pub tile: u32,
    pub fragment: u32,
    /// What the lamp adds where it shines.
    pub rgb: [u8; 3],
    pub dark: bool,
}

/// Cells have 2^CELL_BITS texels along each side.
const CELL_BITS: u32 = 5;
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

    /// Texel and depth of a point; `None` where the lamp shines without a shadow, beside its map.
    pub fn texel(&self, point: Vec3) -> Option<([u16; 2], f32)> {
        let [s, t, depth, w] = project_point(&self.lookup, point);
        let (s, t, depth) = (s / w, t / w, depth / w);
        let last = (self.size - 1) as f32;
        // The outermost texels are never drawn on. Comparisons are false for NaN.
        let inside = s >= 1.0 && t >= 1.0 && s < last && t < last && depth > 0.0;
        inside.then(|| ([s as u16, t as u16], depth.min(1.0)))
    }
}

/// Points sorted into cells, and room for the triangles.
#[derive(Clone, Debug, Default)]
pub struct ShadowWork {
    sorted: Vec<Query>,
    starts: Vec<u32>,
    columns: usize,
    setup: crate::setup::Setup,
}

impl ShadowWork {
    /// Marks the points that lie in shadow; the order of points is not kept.
    pub fn run<'a>(
        &mut self,
        lamp: &Lamp,
        queries: impl Iterator<Item = &'a Query> + Clone,
        draws: &[Draw],
        context: &Context,
        dynamic: &[Shape],
    ) -> &[Query] {
        self.sort(lamp, queries);
        if self.sorted.is_empty() {
            return &self.sorted;
        }
        for draw in draws.iter().filter(|draw| draw.casts_shadow) {
            let Some(shape) = draw.shape.get(context, dynamic) else { continue };
            self.cast(lamp, draw, shape);
        }
        &self.sorted
    }

    /// Counting sort by cell, row by row, so that the cells a triangle covers in a row are one range.
    fn sort<'a>(&mut self, lamp: &Lamp, queries: impl Iterator<Item = &'a Query> + Clone) {
        self.columns = (lamp.size as usize >> CELL_BITS) + 1;
        self.starts.clear();
        self.starts.resize(self.columns * self.columns + 1, 0);
        let columns = self.columns;
        let cell = move |query: &Query| {
            (usize::from(query.texel[1]) >> CELL_BITS) * columns + (usize::from(query.texel[0]) >> CELL_BITS)
        };
        let mut count = 0;
        for query in queries.clone() {
            self.starts[cell(query) + 1] += 1;
            count += 1;
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
    }

    fn cast(&mut self, lamp: &Lamp, draw: &Draw, shape: &Shape) {
        let mut seen = *draw;
        seen.to_eye = compose(&lamp.view, &draw.to_world);
        if !crate::assemble::may_show(&lamp.projection, [lamp.size, lamp.size], &seen, shape) {
            return;
        }
        seen.rows = project_after(&lamp.projection, &seen.to_eye);
        seen.cull = crate::draw::Cull::None;
        seen.keep = None;
        seen.layer = crate::draw::Layer::Opaque;
        self.setup.begin_unlisted(lamp.size, lamp.size);
        // Triangles that no point can lie under are dropped before their depth is computed.
        let (starts, columns, last) = (&self.starts, self.columns, lamp.size - 1);
        let wanted = |x: &[i32; 3], y: &[i32; 3]| {
            let ([left, right], [bottom, top]) = (cells(x, last), cells(y, last));
            let row = |row: usize| starts[row * columns + left] < starts[row * columns + right + 1];
            (bottom..=top).any(row)
        };
        self.setup.draw(0, &mut seen, shape, None, &wanted);
        for index in 0..self.setup.prims.len() {
            let prim = self.setup.prims[index];
            self.compare(lamp, &prim);
        }
    }

    /// Compares a triangle with the points in the cells it covers.
    fn compare(&mut self, lamp: &Lamp, prim: &Prim) {
        let last = lamp.size - 1;
        let ([left, right], [bottom, top]) = (cells(&prim.x, last), cells(&prim.y, last));
        let slope = prim.z[0].abs();
        let slope = if prim.z[1].abs() > slope { prim.z[1].abs() } else { slope };
        let offset = SLOPE_OFFSET * slope + UNIT_OFFSET * LAST_BIT;
        let mut edges = [[0_i64; 3]; 3];
        for (edge, row) in edges.iter_mut().enumerate() {
            let (a, b) = (edge, (edge + 1) % 3);
            let dx = i64::from(prim.x[b] - prim.x[a]);
            let dy = i64::from(prim.y[b] - prim.y[a]);
            let owns = dy < 0 || (dy == 0 && dx < 0);
            // At the centre of texel (x, y): row[0]·x + row[1]·y + row[2].
            let constant = dx * (128 - i64::from(prim.y[a])) - dy * (128 - i64::from(prim.x[a]));
            *row = [-dy * 256, dx * 256, constant - i64::from(!owns)];
        }
        for row in bottom..=top {
            let range = self.starts[row * self.columns + left] as usize
                ..self.starts[row * self.columns + right + 1] as usize;
            for query in &mut self.sorted[range] {
                if query.dark {
                    continue;
                }
                let (x, y) = (i64::from(query.texel[0]), i64::from(query.texel[1]));
                let signs = (edges[0][0] * x + edges[0][1] * y + edges[0][2])
                    | (edges[1][0] * x + edges[1][1] * y + edges[1][2])
                    | (edges[2][0] * x + edges[2][1] * y + edges[2][2]);
                if signs < 0 {
                    continue;
                }
                let (x, y) = (x as f64 + 0.5, y as f64 + 0.5);
                let depth = (prim.z[0] * x + prim.z[1] * y + prim.z[2] + offset) as f32;
                let stored = (f64::from(depth.max(0.0).min(1.0)) / LAST_BIT + 0.5).floor() * LAST_BIT;
                query.dark = f64::from(query.depth) < stored;
            }
        }
    }
}

/// The first and the last cell that coordinates in 1/256 texels reach into.
#[inline]
fn cells(values: &[i32; 3], last: i32) -> [usize; 2] {
    let low = values[0].min(values[1]).min(values[2]) >> 8;
    let high = values[0].max(values[1]).max(values[2]) >> 8;
    [low.clamp(0, last) as usize >> CELL_BITS, high.clamp(0, last) as usize >> CELL_BITS]
}
