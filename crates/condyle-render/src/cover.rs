//! What lies over a lamp's map, roughly: points that certainly nothing hides need not be asked for one by one.
//!
//! Each surface that casts a shadow covers the cells that the box around it reaches, down to the nearest depth of the box. A plane would
//! cover everything that stands on it, so planes are compared with each point, with the very depths of their triangles.

use crate::context::Context;
use crate::draw::Draw;
use crate::lanes::{LANES, Lanes, bits, floor, least_of, masks};
use crate::setup::Setup;
use crate::shadow::{Lamp, Texels, offset};
use crate::shape::Shape;
use crate::window::Bounds;

/// Cells have two to the power of this many texels along each side.
const CELL: u32 = 5;
/// With more triangles of planes, the rest covers what its box covers.
const MOST_PLANES: usize = 8;
/// More than rounding adds to a stored depth.
const MARGIN: f64 = 2.0 / 16_777_215.0;

/// What lies over the map of a lamp.
#[derive(Clone, Debug, Default)]
pub(crate) struct Cover {
    columns: usize,
    /// No surface over a cell but planes is nearer to the lamp than this depth.
    nearest: Vec<f32>,
    /// Depths of the triangles of planes, as linear functions of the texel.
    planes: Vec<[f64; 3]>,
    setup: Setup,
}

impl Cover {
    /// Looks at all surfaces that cast shadows.
    pub(crate) fn prepare(&mut self, lamp: &Lamp, draws: &[Draw], context: &Context, dynamic: &[Shape]) {
        self.columns = (lamp.size as usize >> CELL) + 1;
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
        let within = setup.within;
        setup.draw(0, seen, shape, None, &within);
        if self.planes.len() + setup.prims.len() > MOST_PLANES {
            return false;
        }
        for prim in &setup.prims {
            let [x, y, constant] = prim.z;
            self.planes.push([x, y, constant + offset(prim) + MARGIN]);
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
            [from, to].map(|value| value.clamp(0, last) as usize >> CELL)
        };
        let ([left, right], [bottom, top]) = (cells(bounds.x), cells(bounds.y));
        let depth = bounds.depth + 1e-6;
        for row in bottom..=top {
            for nearest in &mut self.nearest[row * self.columns + left..=row * self.columns + right] {
                *nearest = if depth <= *nearest { *nearest } else { depth };
            }
        }
    }

    /// Points that lie on the map and that certainly nothing hides.
    #[inline(always)]
    pub(crate) fn clear(&self, texels: &Texels, live: u16) -> u16 {
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
            let cell = (y[lane] as usize >> CELL) * self.columns + (x[lane] as usize >> CELL);
            let covered = self.nearest.get(cell).is_none_or(|nearest| !(*nearest <= texels.depth[lane]));
            clear &= !(u16::from(covered) << lane);
        }
        clear
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
        let [left, right] = [least_of(left) >> CELL, -least_of(right) >> CELL];
        let [bottom, top] = [least_of(bottom) >> CELL, -least_of(top) >> CELL];
        let farthest = f32::from_bits(least_of(depths) as u32);
        if right - left > 1 || top - bottom > 1 {
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
