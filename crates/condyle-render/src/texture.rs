//! Textures: levels of detail, flat and cube lookups.
//!
//! Filtering is trilinear with the sharper blend between levels that software drivers use: with the size ρ of a pixel in texels, scaled
//! by 3.5/(2√2), its exponent selects the level and its mantissa m in 1 to 2 the share 2m - 3 of the next, at least 0.

use condyle_model::{ColorSpace, Model, TextureType};

use crate::exact;

/// Side of the largest texture that gets levels of detail; larger ones are used as they are.
const MOST_LEVELS: usize = 16;

#[derive(Clone, Debug, Default)]
struct Level {
    width: usize,
    height: usize,
    texels: Vec<[u8; 4]>,
}

/// A value for each byte.
#[derive(Clone, Debug)]
struct Table(Box<[f32; 256]>);

impl Default for Table {
    fn default() -> Self {
        Self(Box::new([0.0; 256]))
    }
}

impl Table {
    fn new(value: impl Fn(u8) -> f32) -> Self {
        Self(Box::new(std::array::from_fn(|byte| value(byte as u8))))
    }

    #[inline]
    fn at(&self, byte: u8) -> f32 {
        self.0[usize::from(byte)]
    }
}

/// A flat texture has one face, a cube six: right, left, up, down, front, back.
#[derive(Clone, Debug, Default)]
pub struct Texture {
    pub kind: i32,
    faces: Vec<Vec<Level>>,
    /// Value of each byte, linear or decoded from sRGB; alpha is always linear.
    decode: Table,
    /// Opacity of each byte.
    opacity: Table,
    pub has_alpha: bool,
}

/// Colours of a byte: its share of 255, or that decoded from sRGB.
fn decode_table(srgb: bool) -> Table {
    Table::new(|byte| {
        let value = f64::from(byte) / 255.0;
        let decoded = if !srgb {
            value
        } else if value <= 0.04045 {
            value / 12.92
        } else {
            exact::power((value + 0.055) / 1.055, 2.4)
        };
        decoded as f32
    })
}

fn opacity_table() -> Table {
    Table::new(|byte| f32::from(byte) / 255.0)
}

impl Texture {
    /// A texture of the model; without texels where the model's data does not reach.
    pub fn new(model: &Model, index: usize) -> Self {
        let kind = model.tex_type[index];
        let flat = kind == TextureType::Flat as i32;
        let width = usize::try_from(model.tex_width[index]).unwrap_or(0);
        let height = usize::try_from(model.tex_height[index]).unwrap_or(0);
        let channels = usize::try_from(model.tex_nchannel[index]).unwrap_or(0);
        let start = usize::try_from(model.tex_adr[index]).unwrap_or(0);
        let data = model.tex_data.get(start..).unwrap_or_default();
        let channels = if flat { channels } else { 3 };
        let mut texture = Self {
            kind,
            faces: Vec::new(),
            decode: decode_table(flat && model.tex_colorspace[index] == ColorSpace::Srgb as i32),
            opacity: opacity_table(),
            has_alpha: flat && channels == 4,
        };
        let face_count = if flat { 1 } else { 6 };
        let face_height = if flat { height } else { width };
        let repeated = width == height;
        for face in 0..face_count {
            let size = width.saturating_mul(face_height).saturating_mul(channels);
            let offset = if repeated { 0 } else { face * size };
            let Some(bytes) = data.get(offset..offset.saturating_add(size)) else { return texture.emptied() };
            if size == 0 || !(3..=4).contains(&channels) {
                return texture.emptied();
            }
            let texels = bytes
                .chunks_exact(channels)
                .map(|texel| [texel[0], texel[1], texel[2], if channels == 4 { texel[3] } else { 255 }])
                .collect();
            texture.faces.push(levels(Level { width, height: face_height, texels }));
        }
        texture
    }

    fn emptied(mut self) -> Self {
        self.faces.clear();
        self
    }

    pub fn is_empty(&self) -> bool {
        self.faces.is_empty()
    }

    pub fn is_flat(&self) -> bool {
        self.kind == TextureType::Flat as i32
    }

    /// Size of the first level.
    pub fn size(&self) -> [f32; 2] {
        self.faces.first().map_or([1.0; 2], |levels| [levels[0].width as f32, levels[0].height as f32])
    }

    #[inline]
    fn color(&self, texel: [u8; 4]) -> [f32; 4] {
        [
            self.decode.at(texel[0]),
            self.decode.at(texel[1]),
            self.decode.at(texel[2]),
            self.opacity.at(texel[3]),
        ]
    }

    /// Level and share of the next for the size of a pixel in texels.
    fn level(&self, rho: f32) -> (usize, f32) {
        let last = self.faces[0].len() - 1;
        let scaled = rho * 1.237_436_9;
        // Also false for NaN.
        if scaled < 1.0 || scaled.is_nan() {
            return (0, 0.0);
        }
        let bits = scaled.to_bits();
        let level = ((bits >> 23) as usize & 0xFF).saturating_sub(127);
        if level >= last {
            return (last, 0.0);
        }
        let mantissa = f32::from_bits((bits & 0x007F_FFFF) | 0x3F80_0000);
        (level, (2.0 * mantissa - 3.0).max(0.0))
    }

    /// Colour of a flat texture; coordinates repeat.
    pub fn flat(&self, s: f32, t: f32, rho: f32) -> [f32; 4] {
        let (level, share) = self.level(rho);
        let first = self.flat_level(level, s, t);
        if share <= 0.0 { first } else { blend(first, self.flat_level(level + 1, s, t), share) }
    }

    fn flat_level(&self, level: usize, s: f32, t: f32) -> [f32; 4] {
        let level = &self.faces[0][level];
        let (x, fraction_x) = split(wrap(s) * level.width as f32 - 0.5);
        let (y, fraction_y) = split(wrap(t) * level.height as f32 - 0.5);
        let (x0, x1) = (around(x, level.width), around(x + 1, level.width));
        let (y0, y1) = (around(y, level.height), around(y + 1, level.height));
        let (row0, row1) = (y0 * level.width, y1 * level.width);
        let texels = [row0 + x0, row0 + x1, row1 + x0, row1 + x1].map(|at| level.texels[at]);
        // Most texels of pictures with few colours have neighbours of their own: blending equals would change nothing.
        if texels[1] == texels[0] && texels[2] == texels[0] && texels[3] == texels[0] {
            return self.color(texels[0]);
        }
        let low = blend(self.color(texels[0]), self.color(texels[1]), fraction_x);
        let high = blend(self.color(texels[2]), self.color(texels[3]), fraction_x);
        blend(low, high, fraction_y)
    }

    /// Colour of a cube texture in a direction; `rho` as for flat textures.
    pub fn cube(&self, direction: [f32; 3], rho: f32) -> [f32; 4] {
        let (level, share) = self.level(rho);
        let first = self.cube_level(level, direction);
        if share <= 0.0 { first } else { blend(first, self.cube_level(level + 1, direction), share) }
    }

    fn cube_level(&self, level: usize, direction: [f32; 3]) -> [f32; 4] {
        let (face, s, t) = cube_face(direction);
        let side = self.faces[face][level].width;
        let (x, fraction_x) = split(s * side as f32 - 0.5);
        let (y, fraction_y) = split(t * side as f32 - 0.5);
        let at = |x: i32, y: i32| self.cube_texel(face, level, x, y);
        let low = blend(at(x, y), at(x + 1, y), fraction_x);
        let high = blend(at(x, y + 1), at(x + 1, y + 1), fraction_x);
        blend(low, high, fraction_y)
    }

    /// A texel of a face; beyond an edge the texel of the neighbouring face.
    fn cube_texel(&self, face: usize, level: usize, x: i32, y: i32) -> [f32; 4] {
        let side = self.faces[face][level].width as i32;
        let inside = |value: i32| (0..side).contains(&value);
        let (face, x, y) = if inside(x) && inside(y) {
            (face, x, y)
        } else if inside(x) || inside(y) {
            let at = |value: i32| (2.0 * value as f32 + 1.0) / side as f32 - 1.0;
            let (next, s, t) = cube_face(cube_direction(face, at(x), at(y)));
            let texel = |value: f32| ((value * side as f32) as i32).clamp(0, side - 1);
            (next, texel(s), texel(t))
        } else {
            (face, x.clamp(0, side - 1), y.clamp(0, side - 1))
        };
        self.color(self.faces[face][level].texels[(y * side + x) as usize])
    }
}

/// Face, and coordinates from 0 to 1 on it.
pub fn cube_face(direction: [f32; 3]) -> (usize, f32, f32) {
    let (face, s, t, major) = cube_projection(direction);
    let middle = |value: f32| (0.5 * (value / major + 1.0)).clamp(0.0, 1.0);
    if major > 0.0 { (face, middle(s), middle(t)) } else { (face, 0.5, 0.5) }
}

/// Face, its two coordinates and the distance along its axis, before the division.
fn cube_projection([x, y, z]: [f32; 3]) -> (usize, f32, f32, f32) {
    let (ax, ay, az) = (x.abs(), y.abs(), z.abs());
    if ax >= ay && ax >= az {
        if x >= 0.0 { (0, -z, -y, ax) } else { (1, z, -y, ax) }
    } else if ay >= az {
        if y >= 0.0 { (2, x, z, ay) } else { (3, x, -z, ay) }
    } else if z >= 0.0 {
        (4, x, -y, az)
    } else {
        (5, -x, -y, az)
    }
}

/// Coordinates of a direction on a given face, in half sides.
pub fn on_face(face: usize, [x, y, z]: [f32; 3]) -> [f32; 2] {
    let (s, t, major) = match face {
        0 => (-z, -y, x),
        1 => (z, -y, -x),
        2 => (x, z, y),
        3 => (x, -z, -y),
        4 => (x, -y, z),
        _ => (-x, -y, -z),
    };
    [s / major, t / major]
}

/// The direction of a point on a face, in half sides.
fn cube_direction(face: usize, s: f32, t: f32) -> [f32; 3] {
    match face {
        0 => [1.0, -t, -s],
        1 => [-1.0, -t, s],
        2 => [s, 1.0, t],
        3 => [s, -1.0, -t],
        4 => [s, -t, 1.0],
        _ => [-s, -t, -1.0],
    }
}

#[inline]
fn blend(a: [f32; 4], b: [f32; 4], share: f32) -> [f32; 4] {
    [
        a[0] + (b[0] - a[0]) * share,
        a[1] + (b[1] - a[1]) * share,
        a[2] + (b[2] - a[2]) * share,
        a[3] + (b[3] - a[3]) * share,
    ]
}

/// Part after the decimal point; 0 for values that are not finite.
#[inline]
fn wrap(value: f32) -> f32 {
    let part = value - exact::floor(value);
    if part.is_finite() { part } else { 0.0 }
}

/// A texel that may be one before the first or one after the last, wrapped around.
#[inline]
fn around(index: i32, count: usize) -> usize {
    let count = count as i32;
    let index = if index < 0 { index + count } else { index };
    (if index >= count { index - count } else { index }) as usize
}

/// Whole part and fraction.
#[inline]
fn split(value: f32) -> (i32, f32) {
    let whole = exact::floor(value);
    (whole as i32, value - whole)
}

/// Levels of half the size each, down to one texel; a texel is the mean of the two by two it stands for.
fn levels(base: Level) -> Vec<Level> {
    let mut levels = vec![base];
    while let Some(last) = levels.last()
        && (last.width > 1 || last.height > 1)
        && levels.len() < MOST_LEVELS
    {
        let next = halved(last);
        levels.push(next);
    }
    levels
}

fn halved(from: &Level) -> Level {
    let (width, height) = ((from.width / 2).max(1), (from.height / 2).max(1));
    let columns: Vec<_> = (0..width).map(|x| taps(x, width, from.width)).collect();
    let mut texels = Vec::with_capacity(width * height);
    for y in 0..height {
        let (y0, y1, fy) = taps(y, height, from.height);
        for (x0, x1, fx) in &columns {
            let at = |x: usize, y: usize| from.texels[y * from.width + x].map(f32::from);
            let low = blend(at(*x0, y0), at(*x1, y0), *fx);
            let high = blend(at(*x0, y1), at(*x1, y1), *fx);
            texels.push(blend(low, high, fy).map(|value| (value + 0.5) as u8));
        }
    }
    Level { width, height, texels }
}

/// Two neighbours and the share of the second at the centre of texel `index` of the smaller level.
fn taps(index: usize, smaller: usize, larger: usize) -> (usize, usize, f32) {
    let position = (index as f32 + 0.5) * larger as f32 / smaller as f32 - 0.5;
    let (whole, fraction) = split(position);
    let limit = |value: i32| value.clamp(0, larger as i32 - 1) as usize;
    (limit(whole), limit(whole + 1), fraction)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checker(side: usize) -> Texture {
        let texels = (0..side * side)
            .map(|i| if (i % side + i / side).is_multiple_of(2) { [255; 4] } else { [0, 0, 0, 255] });
        Texture {
            kind: TextureType::Flat as i32,
            faces: vec![levels(Level { width: side, height: side, texels: texels.collect() })],
            decode: decode_table(false),
            opacity: opacity_table(),
            has_alpha: false,
        }
    }

    #[test]
    fn the_smallest_level_is_the_mean() {
        let texture = checker(8);
        let far = texture.flat(0.3, 0.7, 1e6);
        assert!((far[0] - 0.5).abs() < 0.01);
        assert_eq!(texture.flat(0.5 / 8.0, 0.5 / 8.0, 0.1), [1.0; 4]);
        assert_eq!(texture.flat(1.5 / 8.0, 0.5 / 8.0, 0.1)[0], 0.0);
        assert!(texture.flat(f32::NAN, f32::INFINITY, f32::NAN)[0].is_finite());
    }

    #[test]
    fn directions_and_faces_agree() {
        for face in 0..6 {
            for (s, t) in [(0.0, 0.0), (0.5, -0.25), (-0.9, 0.9)] {
                let direction = cube_direction(face, s, t);
                let (back, u, v) = cube_face(direction);
                assert_eq!(back, face);
                assert!((2.0 * u - 1.0 - s).abs() < 1e-6 && (2.0 * v - 1.0 - t).abs() < 1e-6);
                assert_eq!(on_face(face, direction), [s, t]);
            }
        }
    }

    #[test]
    fn srgb_bytes_are_decoded() {
        let table = decode_table(true);
        assert_eq!((table.at(0), table.at(255)), (0.0, 1.0));
        assert!((table.at(128) - 0.2158605).abs() < 1e-6);
    }
}
