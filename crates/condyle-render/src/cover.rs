//! What lies over a lamp's map, roughly: points that certainly nothing hides need not be asked for one by one.
//!
//! Each surface that casts a shadow covers the cells that the box around it, in its own frame, reaches, down to the nearest depth of the
//! box. A plane would cover everything that stands on it, so planes are compared with each point, with the very depths of their triangles.

use condyle_math::scalar::{max, min};

use crate::context::Context;
use crate::draw::Draw;
use crate::lamp::{Lamp, Texels};
use crate::lanes::{LANES, Lanes, bits, floor, least_of, masks};
use crate::setup::Setup;
use crate::shadow::offset;
use crate::shape::Shape;
use crate::vector::Vec3;
use crate::view::{Projection, project_point};
use crate::window::Bounds;

/// Cells have two to the power of this many texels along each side: small ones where there are not many, or many points are asked for.
const SMALL_CELL: u32 = 4;
const LARGE_CELL: u32 = 5;
/// With more texels along a side, small cells are many.
const LARGE_MAP: i32 = 2048;
/// Pictures with more pixels ask for many points.
const MANY_PIXELS: i64 = 100_000;
/// With more triangles of planes, the rest covers what its box covers.
const MOST_PLANES: usize = 8;
/// With more cells under a part of the picture along a side, its points are compared one by one.
const MOST_CELLS: usize = 24;
/// More than rounding adds to a stored depth.
const MARGIN: f64 = 2.0 / 16_777_215.0;

/// What lies over the map of a lamp.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cover {
    /// Cells have two to the power of this many texels along each side.
    bits: u32,
    columns: usize,
    /// No surface over a cell but planes is nearer to the lamp than this depth.
    nearest: Vec<f32>,
    /// Depths of the triangles of planes, as linear functions of the texel.
    planes: Vec<[f64; 3]>,
    setup: Setup,
}

impl Cover {
    /// Looks at all surfaces that cast shadows, for a picture with this many pixels.
    pub(crate) fn prepare(
        &mut self,
        lamp: &Lamp,
        pixels: i64,
        draws: &[Draw],
        context: &Context,
        dynamic: &[Shape],
    ) {
        self.bits = if lamp.size <= LARGE_MAP || pixels > MANY_PIXELS { SMALL_CELL } else { LARGE_CELL };
        self.columns = (lamp.size as usize >> self.bits) + 1;
        self.nearest.clear();
        self.nearest.resize(self.columns * self.columns, 0.0);
        self.planes.clear();
        for draw in draws.iter().filter(|draw| draw.casts_shadow) {
            let Some(shape) = draw.shape.get(context, dynamic) else { continue };
            let mut seen = lamp.seen(draw);
            let plane = shape.faces.is_empty() && shape.patches.len() == 1;
            if !(plane && self.add_plane(lamp, &mut seen, shape)) {
                self.add_box(lamp, &seen, shape);
            }
        }
    }

    /// Whether there was room for the plane.
    fn add_plane(&mut self, lamp: &Lamp, seen: &mut Draw, shape: &Shape) -> bool {
        let setup = &mut self.setup;
        setup.begin_unlisted(lamp.size, lamp.size);
        let mut within = setup.within;
        setup.draw(0, seen, shape, None, &mut within);
        if self.planes.len() + setup.prims.len() > MOST_PLANES {
            return false;
        }
        for prim in &setup.prims {
            let [x, y, constant] = prim.z;
            self.planes.push([x, y, constant + offset(&prim.z) + MARGIN]);
        }
        true
    }

    fn add_box(&mut self, lamp: &Lamp, seen: &Draw, shape: &Shape) {
        let Some(bounds) = Bounds::new(&seen.rows, &shape.low, &shape.high) else {
            self.nearest.fill(f32::INFINITY);
            return;
        };
        let last = lamp.size - 1;
        let cells = |[low, high]: [f32; 2]| {
            // Beside the map there are no points; what is no number reaches everywhere.
            let from = if low >= 0.0 { (low - 1.0) as i32 } else { 0 };
            let to = if high <= last as f32 { (high + 1.0) as i32 } else { last };
            [from, to].map(|value| value.clamp(0, last) as usize >> self.bits)
        };
        let ([first, last], [bottom, top]) = (cells(bounds.x), cells(bounds.y));
        let depth = bounds.depth + 1e-6;
        let edges = box_edges(&seen.rows, &shape.low, &shape.high);
        for row in bottom..=top {
            let [mut left, mut right] = [first, last];
            if let Some(edges) = &edges {
                let strip = [row << self.bits, (row + 1) << self.bits].map(|texel| texel as f64);
                let Some(reach) = within(edges, [strip[0] - 1.0, strip[1] + 1.0]) else { continue };
                // A texel of margin to either side; numbers below zero become zero.
                let [from, to] = [reach[0] - 1.0, reach[1] + 1.0].map(|value| value as usize >> self.bits);
                (left, right) = (left.max(from), right.min(to));
                if left > right {
                    continue;
                }
            }
            for nearest in &mut self.nearest[row * self.columns + left..=row * self.columns + right] {
                *nearest = if depth <= *nearest { *nearest } else { depth };
            }
        }
    }

    /// Whether certainly nothing hides any point of a flat quadrilateral, or all of it lies beside the map. Corners are in the world, and
    /// points may be computed to lie this far beside it.
    pub(crate) fn is_bare(&self, lamp: &Lamp, corners: &[[f64; 3]; 4], error: &[f64; 3]) -> bool {
        // Texels and depths of all points lie between those of the corners, and so does what is a linear function of them.
        let (mut low, mut high) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
        let mut free = true;
        for corner in corners {
            let Some((at, doubt)) = lamp.about(corner, error) else { return false };
            for axis in 0..3 {
                low[axis] = min(low[axis], at[axis] - doubt[axis]);
                high[axis] = max(high[axis], at[axis] + doubt[axis]);
            }
            for [along_x, along_y, constant] in &self.planes {
                // Planes are compared at the middle of a texel.
                let [x, y] = [0, 1].map(|axis| 0.5 + doubt[axis]);
                let depth =
                    along_x * at[0] + along_y * at[1] + along_x.abs() * x + along_y.abs() * y + constant;
                free &= depth <= at[2] - doubt[2];
            }
        }
        let last = f64::from(lamp.size - 1);
        if high[0] < 1.0 || high[1] < 1.0 || low[0] >= last || low[1] >= last || high[2] <= 0.0 {
            return true;
        }
        if !free || low[0] < 1.0 || low[1] < 1.0 || high[0] >= last || high[1] >= last || low[2] <= 0.0 {
            return false;
        }
        let [left, right, bottom, top] =
            [low[0], high[0], low[1], high[1]].map(|at| at as usize >> self.bits);
        let few = right - left <= MOST_CELLS && top - bottom <= MOST_CELLS;
        let depth = min(low[2], 1.0);
        few && (bottom..=top).all(|row| {
            let row = row * self.columns;
            let cells = self.nearest.get(row + left..=row + right);
            cells.is_some_and(|cells| cells.iter().all(|nearest| f64::from(*nearest) <= depth))
        })
    }

    /// Points that lie on the map and that certainly nothing hides.
    #[inline(always)]
    pub(crate) fn clear(&self, texels: &Texels<LANES>, live: u16) -> u16 {
        let (mut x, mut y) = ([0_i32; LANES], [0_i32; LANES]);
        for lane in 0..LANES {
            // What lies beside the map may be too far away for a whole number.
            let inside = texels.inside[lane];
            x[lane] = floor(if inside { texels.s[lane] } else { 0.0 }).0;
            y[lane] = floor(if inside { texels.t[lane] } else { 0.0 }).0;
        }
        let mut clear = live & bits(|lane| texels.inside[lane]);
        for [along_x, along_y, constant] in &self.planes {
            let mut free = [false; LANES];
            for lane in 0..LANES {
                let (x, y) = (f64::from(x[lane]) + 0.5, f64::from(y[lane]) + 0.5);
                free[lane] = along_x * x + along_y * y + constant <= f64::from(texels.depth[lane]);
            }
            clear &= bits(|lane| free[lane]);
        }
        if clear == 0 || self.is_clear(&x, &y, &texels.depth, clear) {
            return clear;
        }
        let mut rest = clear;
        while rest != 0 {
            let lane = rest.trailing_zeros() as usize;
            rest &= rest - 1;
            let cell = (y[lane] as usize >> self.bits) * self.columns + (x[lane] as usize >> self.bits);
            let covered = self.nearest.get(cell).is_none_or(|nearest| !(*nearest <= texels.depth[lane]));
            clear &= !(u16::from(covered) << lane);
        }
        clear
    }

    /// Whether certainly nothing hides a point that lies on the map.
    #[inline(always)]
    pub(crate) fn is_clear_at<const N: usize>(&self, texels: &Texels<N>, at: usize) -> bool {
        let ([x, y], depth) = (texels.texel(at), texels.depth[at]);
        let free = self.planes.iter().all(|[along_x, along_y, constant]| {
            along_x * (f64::from(x) + 0.5) + along_y * (f64::from(y) + 0.5) + constant <= f64::from(depth)
        });
        let cell = (usize::from(y) >> self.bits) * self.columns + (usize::from(x) >> self.bits);
        free && self.nearest.get(cell).is_some_and(|nearest| *nearest <= depth)
    }

    /// Whether nothing hides any of the points, if they lie near each other.
    #[inline(always)]
    fn is_clear(&self, x: &[i32; LANES], y: &[i32; LANES], depth: &Lanes, live: u16) -> bool {
        let live = masks(live);
        let [mut left, mut right, mut bottom, mut top, mut depths] = [[0; LANES]; 5];
        for lane in 0..LANES {
            let nowhere = !live[lane] & i32::MAX;
            (left[lane], right[lane]) = (x[lane] | nowhere, -(x[lane] & live[lane]));
            (bottom[lane], top[lane]) = (y[lane] | nowhere, -(y[lane] & live[lane]));
            // Depths are above zero, so that their bits are ordered as they are.
            depths[lane] = depth[lane].to_bits() as i32 | nowhere;
        }
        let [left, right] = [least_of(left) >> self.bits, -least_of(right) >> self.bits];
        let [bottom, top] = [least_of(bottom) >> self.bits, -least_of(top) >> self.bits];
        let farthest = f32::from_bits(least_of(depths) as u32);
        if right - left > 2 || top - bottom > 2 {
            return false;
        }
        let mut nearest = 0.0;
        for row in bottom..=top {
            for column in left..=right {
                // Beyond the map nothing is known.
                let cell = row as usize * self.columns + column as usize;
                let here = if cell < self.nearest.len() { self.nearest[cell] } else { f32::INFINITY };
                nearest = if here <= nearest { nearest } else { here };
            }
        }
        nearest <= farthest
    }
}

/// An edge of a box on the map.
type Edge = [[f64; 2]; 2];

/// The edges of a box on the map, which has no corner behind the lamp; `None` where numbers are too large for their places to be certain.
fn box_edges(rows: &Projection, low: &Vec3, high: &Vec3) -> Option<[Edge; 12]> {
    const FAR: f64 = 100_000.0;
    let mut corners = [[0.0; 2]; 8];
    for (number, corner) in corners.iter_mut().enumerate() {
        let side = |axis: usize| if number >> axis & 1 == 0 { low[axis] } else { high[axis] };
        let point = [side(0), side(1), side(2)];
        let [x, y, _, w] = project_point(rows, point);
        *corner = [f64::from(x / w), f64::from(y / w)];
        // Rounding may move corners of triangles by less than half a texel.
        for axis in 0..2 {
            let doubt =
                (size(&rows[axis], &point) + corner[axis].abs() * size(&rows[3], &point)) / f64::from(w);
            // Also for what is no number.
            if !(corner[axis].abs() < FAR && 1e-6 * doubt < 0.5) {
                return None;
            }
        }
    }
    let mut edges = [[[0.0; 2]; 2]; 12];
    let ends = (0..8_usize).flat_map(|from| (0..3).map(move |axis| (from, from | 1 << axis)));
    for (edge, (from, to)) in edges.iter_mut().zip(ends.filter(|(from, to)| from != to)) {
        *edge = [corners[from], corners[to]];
    }
    Some(edges)
}

/// How large the numbers are that a row of a projection adds up for a point.
fn size(row: &[f32; 4], point: &Vec3) -> f64 {
    let term = |axis: usize| f64::from(row[axis] * point[axis]).abs();
    term(0) + term(1) + term(2) + f64::from(row[3]).abs()
}

/// The least and the greatest x of what lies between two heights on any of the edges.
fn within(edges: &[Edge; 12], [bottom, top]: [f64; 2]) -> Option<[f64; 2]> {
    let mut reach: Option<[f64; 2]> = None;
    for [a, b] in edges {
        let (a, b) = if a[1] <= b[1] { (a, b) } else { (b, a) };
        if b[1] < bottom || a[1] > top {
            continue;
        }
        let at = |height: f64| a[0] + (b[0] - a[0]) * ((height - a[1]) / (b[1] - a[1]));
        let ends = [if a[1] < bottom { at(bottom) } else { a[0] }, if b[1] > top { at(top) } else { b[0] }];
        for x in ends {
            let [least, most] = reach.unwrap_or([x, x]);
            reach = Some([if x < least { x } else { least }, if x > most { x } else { most }]);
        }
    }
    reach
}

#[cfg(test)]
mod tests {
    use condyle_model::LightType;
    use condyle_vis::{GlCamera, Light};

    use super::*;
    use crate::context::Settings;

    #[test]
    fn a_box_reaches_in_each_strip_as_far_as_its_outline() {
        // A square that stands on a corner, seen from above.
        let rows =
            [[1.0, 1.0, 0.0, 10.0], [-1.0, 1.0, 0.0, 10.0], [0.0, 0.0, 0.1, 0.5], [0.0, 0.0, 0.0, 1.0]];
        let edges = box_edges(&rows, &[-2.0, -2.0, -1.0], &[2.0, 2.0, 1.0]).unwrap();
        assert_eq!(within(&edges, [6.0, 7.0]), Some([9.0, 11.0]));
        assert_eq!(within(&edges, [9.0, 11.0]), Some([6.0, 14.0]));
        assert_eq!(within(&edges, [12.0, 13.0]), Some([8.0, 12.0]));
        assert_eq!(within(&edges, [14.5, 20.0]), None);
        for far in [[1e9, 1.0, 0.0, 10.0], [1.0, 1.0, f32::NAN, 10.0], [1.0, 1.0, 1e6, -1e6]] {
            let rows = [far, rows[1], rows[2], rows[3]];
            assert!(box_edges(&rows, &[-2.0, -2.0, 1.0], &[2.0, 2.0, 1.0]).is_none());
        }
    }

    #[test]
    fn a_floor_is_bare_but_where_something_lies_over_it() {
        let light = Light {
            r#type: LightType::Directional as i32,
            pos: [0.0, 0.0, 5.0],
            dir: [0.0, 0.0, -1.0],
            ..Light::default()
        };
        let camera = GlCamera { frustum_near: 0.1, frustum_far: 10.0, ..GlCamera::default() };
        let settings = Settings {
            line_width: 1.0,
            shadow_clip: 2.0,
            shadow_scale: 0.6,
            fog_start: 3.0,
            fog_end: 10.0,
            fog_rgba: [0.0; 4],
            haze_rgba: [0.0; 4],
            shadow_size: 1024,
            off_width: 640,
            off_height: 480,
            off_samples: 4,
        };
        let lamp = Lamp::new(&light, &camera, &settings);
        let bits = SMALL_CELL;
        let columns = (lamp.size as usize >> bits) + 1;
        let mut cover = Cover { bits, columns, nearest: vec![0.0; columns * columns], ..Cover::default() };
        let square =
            |x: f64, side: f64| [[x, 0.0, 0.0], [x + side, 0.0, 0.0], [x, side, 0.0], [x + side, side, 0.0]];
        let bare = |cover: &Cover, x: f64, side: f64| cover.is_bare(&lamp, &square(x, side), &[1e-6; 3]);
        assert!(bare(&cover, 0.0, 0.2) && bare(&cover, 100.0, 50.0));
        // Part of the square lies beside the map; the other is too large to be looked at.
        assert!(!bare(&cover, 1.9, 0.2) && !bare(&cover, 0.0, 1.9));
        let ([s, t, _], _) = lamp.about(&[0.1, 0.1, 0.0], &[0.0; 3]).unwrap();
        cover.nearest[(t as usize >> bits) * columns + (s as usize >> bits)] = 0.9;
        assert!(!bare(&cover, 0.0, 0.2));
        assert!(bare(&cover, -1.0, 0.2));
        assert!(!cover.is_bare(&lamp, &square(0.0, 0.2), &[f64::NAN; 3]));
    }
}
