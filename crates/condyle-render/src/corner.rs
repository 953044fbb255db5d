//! Light at the corners of surfaces, computed when a pixel first needs it and remembered.

use crate::draw::Draw;
use crate::light::{EyeLight, FEW, Few, Finish, clamp, point};
use crate::vector::{Vec3, dot, scale, transform};

/// Which lights take part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lighting {
    /// Those without shadows; the others one by one.
    Divided,
    All,
    /// All, seen in the mirror, with colours times the mirror's reflectance.
    Mirrored,
}

/// The lights of a picture.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Lights<'a> {
    /// All lights of the scene.
    pub all: &'a [EyeLight],
    /// Lights of the scene seen in the mirror.
    pub mirrored: &'a [EyeLight],
    /// Lights without shadows, as numbers of `all`.
    pub plain: &'a [usize],
    /// Lights with shadows, as numbers of `all`.
    pub shadowed: &'a [usize],
    /// Light from everywhere, where there is no lamp.
    pub ambient: f32,
}

/// Name of a corner: a corner of a face by its number in the picture, or of a patch by its element and its place on the grid.
pub(crate) fn grid_key(element: u32, place: usize) -> u64 {
    1 << 63 | u64::from(element) << 32 | place as u64
}

#[derive(Clone, Copy, Debug)]
struct Lit {
    key: u64,
    base: Vec3,
}

const NO_KEY: u64 = u64::MAX;
const REMEMBERED: usize = 2048;

/// Remembered corners; what is remembered changes no result.
#[derive(Clone, Debug)]
pub(crate) struct CornerMemory {
    lit: Vec<Lit>,
    /// Light of each lamp with shadows, for each remembered corner.
    lamps: Vec<Vec3>,
    lamp_count: usize,
}

impl Default for CornerMemory {
    fn default() -> Self {
        Self { lit: vec![Lit { key: NO_KEY, base: [0.0; 3] }; REMEMBERED], lamps: Vec::new(), lamp_count: 0 }
    }
}

impl CornerMemory {
    /// Forgets everything.
    pub(crate) fn begin(&mut self, lamp_count: usize) {
        self.lit.iter_mut().for_each(|corner| corner.key = NO_KEY);
        self.lamps.resize(lamp_count * REMEMBERED, [0.0; 3]);
        self.lamp_count = lamp_count;
    }

    /// Light at three corners; that of each lamp with shadows goes to `lamps`, if there is any. `places` gives positions and normals.
    #[inline(always)]
    pub(crate) fn light(
        &mut self,
        lights: &Lights<'_>,
        draw: &Draw,
        lighting: Lighting,
        keys: [u64; 3],
        lamps: &mut [[Vec3; 3]],
        places: impl FnOnce() -> [(Vec3, Vec3); 3],
    ) -> [Vec3; 3] {
        let slots = [slot(keys[0]), slot(keys[1]), slot(keys[2])];
        let count = self.lamp_count;
        let known = [self.lit[slots[0]].key, self.lit[slots[1]].key, self.lit[slots[2]].key];
        if known == keys {
            for (corner, slot) in slots.into_iter().enumerate() {
                for (colors, light) in lamps.iter_mut().zip(&self.lamps[slot * count..][..count]) {
                    colors[corner] = *light;
                }
            }
            return [self.lit[slots[0]].base, self.lit[slots[1]].base, self.lit[slots[2]].base];
        }
        let surface = Surface::new(draw, &places());
        let mut base = [[0.0; 3]; 3];
        let color = lights.few(draw, lighting, &surface);
        for corner in 0..3 {
            base[corner] = clamp(point(&color, corner));
            self.lit[slots[corner]] = Lit { key: keys[corner], base: base[corner] };
        }
        if lighting == Lighting::Divided && draw.takes_shadow {
            for (lamp, light) in lights.shadowed.iter().enumerate().take(count) {
                let mut color = [[0.0; FEW]; 3];
                surface.add(&lights.all[*light], &mut color, draw);
                for corner in 0..3 {
                    let color = clamp(point(&color, corner));
                    self.lamps[slots[corner] * count + lamp] = color;
                    lamps[lamp][corner] = color;
                }
            }
        }
        base
    }
}

/// Where a corner is remembered.
#[inline(always)]
const fn slot(key: u64) -> usize {
    (key ^ (key >> 32).wrapping_mul(0x9E37)) as usize % REMEMBERED
}

/// A few points of a surface seen from the eye.
struct Surface {
    position: [Few; 3],
    normal: [Few; 3],
    to_eye: [Few; 3],
}

impl Surface {
    #[inline(always)]
    fn new(draw: &Draw, places: &[(Vec3, Vec3); 3]) -> Self {
        let mut surface =
            Self { position: [[0.0; FEW]; 3], normal: [[0.0; FEW]; 3], to_eye: [[0.0; FEW]; 3] };
        let (mut position, mut normal) = ([[0.0; FEW]; 3], [[0.0; FEW]; 3]);
        for at in 0..FEW {
            let place = &places[at % 3];
            for axis in 0..3 {
                (position[axis][at], normal[axis][at]) = (place.0[axis], place.1[axis]);
            }
        }
        for at in 0..FEW {
            let place = transform(&draw.to_eye, point(&position, at));
            let along = point(&normal, at);
            let [first, second, third] = &draw.normals;
            let along = unit([dot(*first, along), dot(*second, along), dot(*third, along)]);
            let back = unit(scale(place, -1.0));
            for axis in 0..3 {
                surface.position[axis][at] = place[axis];
                surface.normal[axis][at] = along[axis];
                surface.to_eye[axis][at] = back[axis];
            }
        }
        surface
    }

    #[inline(always)]
    fn add(&self, light: &EyeLight, color: &mut [Few; 3], draw: &Draw) {
        light.add(color, &draw.material.finish, &self.position, &self.normal, &self.to_eye);
    }
}

impl Lights<'_> {
    /// Light of all lamps that have no part of their own.
    #[inline(always)]
    fn few(&self, draw: &Draw, lighting: Lighting, surface: &Surface) -> [Few; 3] {
        let finish: &Finish = &draw.material.finish;
        let own = finish.emission + self.ambient;
        let mut color =
            [[finish.rgba[0] * own; FEW], [finish.rgba[1] * own; FEW], [finish.rgba[2] * own; FEW]];
        let (lights, chosen) = match lighting {
            Lighting::Divided if draw.takes_shadow => (self.all, Some(self.plain)),
            Lighting::Divided | Lighting::All => (self.all, None),
            Lighting::Mirrored => (self.mirrored, None),
        };
        for number in 0..chosen.map_or(lights.len(), <[usize]>::len) {
            let light = &lights[chosen.map_or(number, |chosen| chosen[number])];
            surface.add(light, &mut color, draw);
        }
        color
    }
}

/// Unit vector, also of vectors that are very short or long; zero stays zero.
#[inline(always)]
fn unit(v: Vec3) -> Vec3 {
    let most = v[0].abs().max(v[1].abs()).max(v[2].abs());
    let v = scale(v, 1.0 / most);
    let length = dot(v, v).sqrt();
    // The longest part is one, so the length is not zero.
    let unit = scale(v, 1.0 / length);
    if most > 0.0 && most.is_finite() { unit } else { [0.0; 3] }
}
