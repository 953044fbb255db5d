//! Lamps that cast shadows: where points of the world fall on their maps.

use condyle_model::LightType;
use condyle_vis::{GlCamera, Light};

use crate::context::Settings;
use crate::draw::{Cull, Draw, Layer};
use crate::exact::sin_cos;
use crate::vector::{Affine, compose, look_at, orthogonal};
use crate::view::{Projection, Volume, project_after};

/// A lamp that casts shadows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lamp {
    view: Affine,
    /// From the lamp's eye to the part of its map that is drawn on: all but one texel at each side.
    pub projection: Projection,
    /// From the world to (s, t, depth, w) of the map.
    pub lookup: Projection,
    pub size: i32,
}

impl Lamp {
    pub(crate) fn new(light: &Light, camera: &GlCamera, settings: &Settings) -> Self {
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

    /// A surface as the lamp sees it.
    pub(crate) fn seen(&self, draw: &Draw) -> Draw {
        let mut seen = *draw;
        seen.to_eye = compose(&self.view, &draw.to_world);
        seen.rows = project_after(&self.projection, &seen.to_eye);
        seen.cull = Cull::None;
        seen.keep = None;
        seen.layer = Layer::Opaque;
        seen
    }

    /// Texels and depths of points in the world.
    #[inline(always)]
    pub(crate) fn texels<const N: usize>(&self, world: &[[f32; N]; 3]) -> Texels<N> {
        let [x, y, z] = world;
        let mut out = Texels { s: [0.0; N], t: [0.0; N], depth: [0.0; N], inside: [false; N] };
        let last = (self.size - 1) as f32;
        let rows = &self.lookup;
        for lane in 0..N {
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

impl Lamp {
    /// Where points fall on the map that are this far from a place in the world at most, and how far beside that they may be computed to
    /// fall; `None` where that cannot be told.
    pub(crate) fn about(&self, place: &[f64; 3], error: &[f64; 3]) -> Option<([f64; 3], [f64; 3])> {
        const ROUNDING: f64 = 8.0 / 16_777_216.0;
        let along = |row: &[f32; 4]| {
            let (mut sum, mut doubt) = (f64::from(row[3]), ROUNDING * f64::from(row[3]).abs());
            for axis in 0..3 {
                let factor = f64::from(row[axis]);
                sum += factor * place[axis];
                doubt += factor.abs() * (error[axis] + ROUNDING * place[axis].abs());
            }
            (sum, doubt)
        };
        let [s, t, depth, w] = &self.lookup;
        let (w, doubt) = along(w);
        // Also false for NaN.
        if !(w > 4.0 * doubt) {
            return None;
        }
        let (mut at, mut doubts) = ([0.0; 3], [0.0; 3]);
        for (axis, row) in [s, t, depth].into_iter().enumerate() {
            let (value, more) = along(row);
            at[axis] = value / w;
            doubts[axis] = 2.0 * (more + at[axis].abs() * doubt) / w + ROUNDING * at[axis].abs();
        }
        (at.iter().chain(&doubts).all(|value| value.is_finite())).then_some((at, doubts))
    }
}

/// Where points fall on a lamp's map.
pub(crate) struct Texels<const N: usize> {
    pub s: [f32; N],
    pub t: [f32; N],
    /// 1 near to 0 far.
    pub depth: [f32; N],
    /// False where the lamp shines without a shadow, beside its map.
    pub inside: [bool; N],
}

impl<const N: usize> Texels<N> {
    #[inline]
    pub(crate) fn texel(&self, lane: usize) -> [u16; 2] {
        [self.s[lane] as u16, self.t[lane] as u16]
    }
}
