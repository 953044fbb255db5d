//! Light at the corners of surfaces, computed when a pixel first needs it and remembered.

use crate::draw::Draw;
use crate::light::{EyeLight, Finish, clamp};
use crate::vector::{Vec3, dot, normalize, scale, transform};

/// Which lights take part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lighting {
    /// Those without shadows; the others one by one.
    Divided,
    All,
    /// All, seen in the mirror, with colours times the mirror's reflectance.
    Mirrored,
}

/// The lights of a picture.
#[derive(Clone, Copy, Debug)]
pub struct Lights<'a> {
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
pub fn grid_key(element: u32, place: usize) -> u64 {
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
pub struct CornerMemory {
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
    pub fn begin(&mut self, lamp_count: usize) {
        self.lit.iter_mut().for_each(|corner| corner.key = NO_KEY);
        self.lamps.resize(lamp_count * REMEMBERED, [0.0; 3]);
        self.lamp_count = lamp_count;
    }

    /// Light at a corner, with that of each lamp with shadows. `place` gives position and normal.
    #[inline]
    pub fn light(
        &mut self,
        lights: &Lights<'_>,
        draw: &Draw,
        lighting: Lighting,
        key: u64,
        place: impl FnOnce() -> (Vec3, Vec3),
    ) -> (Vec3, &[Vec3]) {
        let slot = (key ^ (key >> 32).wrapping_mul(0x9E37)) as usize % REMEMBERED;
        let lamps = slot * self.lamp_count..(slot + 1) * self.lamp_count;
        if self.lit[slot].key != key {
            let (position, normal) = place();
            let base = lights.at(draw, lighting, position, normal, &mut self.lamps[lamps.clone()]);
            self.lit[slot] = Lit { key, base };
        }
        (self.lit[slot].base, &self.lamps[lamps])
    }
}

impl Lights<'_> {
    fn at(&self, draw: &Draw, lighting: Lighting, position: Vec3, normal: Vec3, lamps: &mut [Vec3]) -> Vec3 {
        let finish: &Finish = &draw.material.finish;
        let position = transform(&draw.to_eye, position);
        let normal = unit(draw.normals.map(|row| dot(row, normal)));
        let to_eye = unit(scale(position, -1.0));
        let own = finish.emission + self.ambient;
        let mut color = [finish.rgba[0] * own, finish.rgba[1] * own, finish.rgba[2] * own];
        let mut add = |light: &EyeLight| light.add(&mut color, finish, position, normal, to_eye);
        match lighting {
            Lighting::Divided if draw.takes_shadow => {
                self.plain.iter().for_each(|light| add(&self.all[*light]));
                for (lamp, light) in lamps.iter_mut().zip(self.shadowed) {
                    let mut color = [0.0; 3];
                    self.all[*light].add(&mut color, finish, position, normal, to_eye);
                    *lamp = clamp(color);
                }
            }
            Lighting::Divided | Lighting::All => self.all.iter().for_each(add),
            Lighting::Mirrored => self.mirrored.iter().for_each(add),
        }
        clamp(color)
    }
}

/// Unit vector, also of vectors that are very short or long; zero stays zero.
fn unit(v: Vec3) -> Vec3 {
    let most = v[0].abs().max(v[1].abs()).max(v[2].abs());
    if most > 0.0 && most.is_finite() { normalize(scale(v, 1.0 / most)) } else { [0.0; 3] }
}
