//! Textures: levels of detail, flat and cube lookups for a block of pixels at once.
//!
//! Filtering is trilinear: with the size ρ of a pixel in texels, the larger of the lengths of its sides, the level is half the logarithm of
//! ρ². That logarithm is the one that software drivers use, exponent plus mantissa: straight lines between powers of two.

use condyle_model::{ColorSpace, Model, TextureType};

use crate::even::Even;
use crate::exact;
use crate::lanes::{LANES, Lanes, alive, floor, least_of, masks, quad};

/// Side of the largest texture that gets levels of detail; larger ones are used as they are.
const MOST_LEVELS: usize = 16;
/// Most texels of a face, and along a side.
const MOST_TEXELS: usize = 1 << 28;
const MOST_SIDE: usize = 1 << 22;

/// One level of detail: its size, and where its texels are. Faces of a level follow each other.
#[derive(Clone, Copy, Debug, Default)]
struct Level {
    width: i32,
    height: i32,
    start: usize,
}

impl Level {
    fn texels(&self) -> usize {
        self.width as usize * self.height as usize
    }
}

/// A flat texture has one face, a cube six: right, left, up, down, front, back.
#[derive(Clone, Debug, Default)]
pub struct Texture {
    pub kind: i32,
    levels: Vec<Level>,
    /// Parts of one colour of each level; of a flat texture only.
    even: Vec<Even>,
    /// Red, green, blue and opacity, from the lowest byte up.
    texels: Vec<u32>,
    /// 255 times the decoded value of each byte of an sRGB texture; others are linear.
    decode: Option<Box<[f32; 256]>>,
    pub has_alpha: bool,
}

/// Colours of bytes decoded from sRGB, times 255.
fn decode_table() -> Box<[f32; 256]> {
    Box::new(std::array::from_fn(|byte| {
        let value = byte as f64 / 255.0;
        let decoded =
            if value <= 0.04045 { value / 12.92 } else { exact::power((value + 0.055) / 1.055, 2.4) };
        (255.0 * decoded) as f32
    }))
}

/// Two by two texels around a point of each pixel, and the shares of the second column and the second row.
struct Taps {
    texels: [[u32; LANES]; 4],
    across: Lanes,
    up: Lanes,
}

impl Taps {
    /// Finds the shares, and where the texels are in levels of these sizes.
    #[inline(always)]
    fn place(
        &mut self,
        widths: &[i32; LANES],
        heights: &[i32; LANES],
        s: &Lanes,
        t: &Lanes,
    ) -> [[i32; LANES]; 4] {
        let mut places = [[0_i32; LANES]; 4];
        for lane in 0..LANES {
            let (width, height) = (widths[lane], heights[lane]);
            let (x, across) = split(s[lane] * width as f32 - 0.5);
            let (y, up) = split(t[lane] * height as f32 - 0.5);
            let x0 = if x < 0 { x + width } else { x };
            let x1 = if x + 1 >= width { x + 1 - width } else { x + 1 };
            let y0 = if y < 0 { y + height } else { y };
            let y1 = if y + 1 >= height { y + 1 - height } else { y + 1 };
            (self.across[lane], self.up[lane]) = (across, up);
            places[0][lane] = y0 * width + x0;
            places[1][lane] = y0 * width + x1;
            places[2][lane] = y1 * width + x0;
            places[3][lane] = y1 * width + x1;
        }
        places
    }
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
        let srgb = flat && model.tex_colorspace[index] == ColorSpace::Srgb as i32;
        let mut texture = Self {
            kind,
            decode: srgb.then(decode_table),
            has_alpha: flat && channels == 4,
            ..Self::default()
        };
        let face_count = if flat { 1 } else { 6 };
        let face_height = if flat { height } else { width };
        let texels = width.saturating_mul(face_height);
        let size = texels.saturating_mul(channels);
        if size == 0
            || texels > MOST_TEXELS
            || width.max(face_height) > MOST_SIDE
            || !(3..=4).contains(&channels)
        {
            return texture;
        }
        for face in 0..face_count {
            // A cube with one picture has it on all faces.
            let offset = if width == height { 0 } else { face * size };
            let Some(bytes) = data.get(offset..offset.saturating_add(size)) else {
                texture.texels.clear();
                return texture;
            };
            texture.texels.extend(bytes.chunks_exact(channels).map(|texel| {
                u32::from_le_bytes([texel[0], texel[1], texel[2], if channels == 4 { texel[3] } else { 255 }])
            }));
        }
        texture.add_levels(width as i32, face_height as i32, face_count);
        texture
    }

    pub fn is_empty(&self) -> bool {
        self.levels.is_empty()
    }

    pub fn is_flat(&self) -> bool {
        self.kind == TextureType::Flat as i32
    }

    /// Size of the first level.
    pub fn size(&self) -> [f32; 2] {
        self.levels.first().map_or([1.0; 2], |level| [level.width as f32, level.height as f32])
    }

    /// Level and share of the next for the squared size of a pixel in texels.
    #[inline(always)]
    fn level(&self, square: f32) -> (usize, f32) {
        const ONE: u32 = 0x3F80_0000;
        // Also false for NaN.
        if !(square > 1.0) {
            return (0, 0.0);
        }
        // The bits of a number are its exponent and mantissa, 23 bits for the latter; half of it is one bit more.
        let logarithm = square.to_bits() - ONE;
        let (level, last) = ((logarithm >> 24) as usize, self.levels.len() - 1);
        if level >= last {
            return (last, 0.0);
        }
        (level, (logarithm & 0x00FF_FFFF) as f32 * (1.0 / 16_777_216.0))
    }

    /// Levels and shares of the next for all pixels, and whether a pixel that counts takes part of the next.
    #[inline(always)]
    fn choose(&self, squares: &Lanes, live: u16) -> ([usize; LANES], Lanes, bool) {
        let (mut levels, mut shares, mut any) = ([0; LANES], [0.0; LANES], false);
        let mut last = (f32::NAN, (0, 0.0));
        for lane in 0..LANES {
            if squares[lane] != last.0 {
                last = (squares[lane], self.level(squares[lane]));
            }
            (levels[lane], shares[lane]) = last.1;
            any |= shares[lane] > 0.0 && alive(live, lane);
        }
        (levels, shares, any)
    }

    /// Colours of a flat texture; coordinates repeat. `squares` are the squared sizes of pixels in texels.
    #[inline(always)]
    pub fn flat(&self, s: &Lanes, t: &Lanes, squares: &Lanes, live: u16) -> [Lanes; 4] {
        let (mut wrapped_s, mut wrapped_t) = ([0.0; LANES], [0.0; LANES]);
        for lane in 0..LANES {
            wrapped_s[lane] = wrap(s[lane]);
            wrapped_t[lane] = wrap(t[lane]);
        }
        if let Some(color) = self.even(&wrapped_s, &wrapped_t, squares, live) {
            return [[color[0]; LANES], [color[1]; LANES], [color[2]; LANES], [color[3]; LANES]];
        }
        let (mut levels, shares, blends) = self.choose(squares, live);
        let mut colors = self.filter(&self.flat_taps(&levels, &wrapped_s, &wrapped_t, live));
        if blends {
            self.next(&mut levels);
            let next = self.filter(&self.flat_taps(&levels, &wrapped_s, &wrapped_t, live));
            mix(&mut colors, &next, &shares);
        }
        colors
    }

    /// The colour that all pixels have that count, if filtering cannot give another.
    #[inline(always)]
    fn even(&self, s: &Lanes, t: &Lanes, squares: &Lanes, live: u16) -> Option<[f32; 4]> {
        let live = masks(live);
        // Bits of numbers that are not negative are ordered as they are; those of what is no number are above all others.
        let (mut small, mut large) = ([0; LANES], [0; LANES]);
        for lane in 0..LANES {
            let bits = squares[lane].to_bits() as i32 & i32::MAX;
            small[lane] = bits | !live[lane] & i32::MAX;
            large[lane] = -(bits & live[lane]);
        }
        let (smallest, largest) = (least_of(small), -least_of(large));
        let [smallest, largest] = [smallest, largest].map(|bits| f32::from_bits(bits as u32));
        // Larger pixels have later levels, so that all lie between those of the smallest and the largest.
        let ((first, _), (level, share)) = (self.level(smallest), self.level(largest));
        if largest.is_nan() || first != level {
            return None;
        }
        let color = self.even_texel(level, s, t, &live)?;
        let next = (level + 1).min(self.levels.len() - 1);
        if share > 0.0 && self.even_texel(next, s, t, &live)? != color {
            return None;
        }
        // Between equal values nothing changes; shares are always numbers.
        let bytes = color.to_le_bytes();
        let value = |channel: usize| match &self.decode {
            Some(table) if channel < 3 => table[usize::from(bytes[channel])] * (1.0 / 255.0),
            _ => f32::from(bytes[channel]) * (1.0 / 255.0),
        };
        Some([value(0), value(1), value(2), if self.has_alpha { value(3) } else { 1.0 }])
    }

    #[inline(always)]
    fn even_texel(&self, level: usize, s: &Lanes, t: &Lanes, live: &[i32; LANES]) -> Option<u32> {
        let at = self.even.get(level)?.texel(s, t, live)?;
        self.texels.get(self.levels[level].start + at).copied()
    }

    #[inline(always)]
    fn next(&self, levels: &mut [usize; LANES]) {
        levels.iter_mut().for_each(|level| *level = (*level + 1).min(self.levels.len() - 1));
    }

    #[inline(always)]
    fn flat_taps(&self, levels: &[usize; LANES], s: &Lanes, t: &Lanes, live: u16) -> Taps {
        let first = &self.levels[levels[0]];
        let mut differ = 0;
        for lane in 0..LANES {
            differ |= levels[lane] ^ levels[0];
        }
        if differ == 0 && live == u16::MAX {
            let mut taps = Taps { texels: [[0; LANES]; 4], across: [0.0; LANES], up: [0.0; LANES] };
            let places = taps.place(&[first.width; LANES], &[first.height; LANES], s, t);
            let texels = &self.texels[first.start..first.start + first.texels()];
            for corner in 0..4 {
                for lane in 0..LANES {
                    taps.texels[corner][lane] = texels[places[corner][lane] as usize];
                }
            }
            return taps;
        }
        let (mut widths, mut heights) = ([0_i32; LANES], [0_i32; LANES]);
        for lane in 0..LANES {
            let level = &self.levels[levels[lane]];
            (widths[lane], heights[lane]) = (level.width, level.height);
        }
        let mut taps = Taps { texels: [[0; LANES]; 4], across: [0.0; LANES], up: [0.0; LANES] };
        let places = taps.place(&widths, &heights, s, t);
        let mut last = (usize::MAX, &self.texels[..]);
        for lane in (0..LANES).filter(|lane| alive(live, *lane)) {
            if levels[lane] != last.0 {
                last = (levels[lane], &self.texels[self.levels[levels[lane]].start..]);
            }
            for corner in 0..4 {
                taps.texels[corner][lane] = last.1[places[corner][lane] as usize];
            }
        }
        taps
    }

    /// Bilinear colours, 0 to 1.
    #[inline(always)]
    fn filter(&self, taps: &Taps) -> [Lanes; 4] {
        let mut colors = [[1.0; LANES]; 4];
        let channels = if self.has_alpha { 4 } else { 3 };
        let [a, b, c, d] = &taps.texels;
        let mut differ = 0;
        for lane in 0..LANES {
            differ |= (a[lane] ^ b[lane]) | (a[lane] ^ c[lane]) | (a[lane] ^ d[lane]);
        }
        if differ == 0 && self.decode.is_none() {
            // Between equal values nothing changes; shares are always numbers.
            for (channel, color) in colors.iter_mut().enumerate().take(channels) {
                for lane in 0..LANES {
                    color[lane] = (a[lane] >> (8 * channel as u32) & 0xFF) as i32 as f32 * (1.0 / 255.0);
                }
            }
            return colors;
        }
        for (channel, color) in colors.iter_mut().enumerate().take(channels) {
            let shift = 8 * channel as u32;
            let mut values = [[0.0; LANES]; 4];
            match &self.decode {
                Some(table) if channel < 3 => {
                    for corner in 0..4 {
                        for lane in 0..LANES {
                            values[corner][lane] =
                                table[(taps.texels[corner][lane] >> shift & 0xFF) as usize];
                        }
                    }
                }
                _ => {
                    for corner in 0..4 {
                        for lane in 0..LANES {
                            values[corner][lane] = (taps.texels[corner][lane] >> shift & 0xFF) as i32 as f32;
                        }
                    }
                }
            }
            let [a, b, c, d] = &values;
            for lane in 0..LANES {
                let low = a[lane] + (b[lane] - a[lane]) * taps.across[lane];
                let high = c[lane] + (d[lane] - c[lane]) * taps.across[lane];
                color[lane] = (low + (high - low) * taps.up[lane]) * (1.0 / 255.0);
            }
        }
        colors
    }

    /// Colours of a cube texture in a direction. The size of a pixel follows from the directions of its two by two pixels.
    #[inline(always)]
    pub fn cube(&self, direction: &[Lanes; 3], live: u16) -> [Lanes; 4] {
        let [x, y, z] = direction;
        let mut faces = [0_i32; LANES];
        // Coordinates on the face in half sides, and from 0 to 1.
        let (mut p, mut q) = ([0.0; LANES], [0.0; LANES]);
        let (mut s, mut t) = ([0.0; LANES], [0.0; LANES]);
        for lane in 0..LANES {
            let (x, y, z) = (x[lane], y[lane], z[lane]);
            let (ax, ay, az) = (x.abs(), y.abs(), z.abs());
            let along_x = (ax >= ay) & (ax >= az);
            let along_y = !along_x & (ay >= az);
            let main = if along_x {
                x
            } else if along_y {
                y
            } else {
                z
            };
            let back = !(main >= 0.0);
            let axis = if along_x {
                0
            } else if along_y {
                2
            } else {
                4
            };
            faces[lane] = axis + i32::from(back);
            let major = main.abs();
            let signed_z = if back { z } else { -z };
            let signed_x = if back { -x } else { x };
            let across = if along_x {
                signed_z
            } else if along_y {
                x
            } else {
                signed_x
            };
            let up = if along_y { -signed_z } else { -y };
            (p[lane], q[lane]) = (across / major, up / major);
            let proper = major > 0.0;
            s[lane] = if proper { unit(0.5 * (p[lane] + 1.0)) } else { 0.5 };
            t[lane] = if proper { unit(0.5 * (q[lane] + 1.0)) } else { 0.5 };
        }
        let squares = self.cube_sizes(direction, &faces, &p, &q, live);
        let (mut levels, shares, blends) = self.choose(&squares, live);
        let mut colors = self.filter(&self.cube_taps(&levels, &faces, &s, &t, live));
        if blends {
            self.next(&mut levels);
            let next = self.filter(&self.cube_taps(&levels, &faces, &s, &t, live));
            mix(&mut colors, &next, &shares);
        }
        colors
    }

    /// Squared size of each pixel in texels, on its own face.
    #[inline(always)]
    fn cube_sizes(
        &self,
        direction: &[Lanes; 3],
        faces: &[i32; LANES],
        p: &Lanes,
        q: &Lanes,
        live: u16,
    ) -> Lanes {
        let side = 0.5 * self.size()[0];
        let mut sizes = [0.0; LANES];
        for first in 0..4 {
            let [a, b, c, d] = quad(2 * first);
            if [a, b, c, d].iter().all(|lane| !alive(live, *lane)) {
                continue;
            }
            let size = |a: [f32; 2], b: [f32; 2], c: [f32; 2]| {
                let side = |value: f32| value * side;
                larger_square([side(b[0] - a[0]), side(b[1] - a[1]), side(c[0] - a[0]), side(c[1] - a[1])])
            };
            if faces[a] == faces[b] && faces[a] == faces[c] && faces[a] == faces[d] {
                let common = size([p[a], q[a]], [p[b], q[b]], [p[c], q[c]]);
                [a, b, c, d].into_iter().for_each(|lane| sizes[lane] = common);
                continue;
            }
            for lane in [a, b, c, d] {
                let on = |other: usize| {
                    let [x, y, z] = direction;
                    on_face(faces[lane], [x[other], y[other], z[other]])
                };
                sizes[lane] = size(on(a), on(b), on(c));
            }
        }
        sizes
    }

    #[inline(always)]
    fn cube_taps(
        &self,
        levels: &[usize; LANES],
        faces: &[i32; LANES],
        s: &Lanes,
        t: &Lanes,
        live: u16,
    ) -> Taps {
        let mut sides = [0_i32; LANES];
        for lane in 0..LANES {
            sides[lane] = self.levels[levels[lane]].width;
        }
        let mut taps = Taps { texels: [[0; LANES]; 4], across: [0.0; LANES], up: [0.0; LANES] };
        let (mut xs, mut ys) = ([0_i32; LANES], [0_i32; LANES]);
        for lane in 0..LANES {
            let side = sides[lane] as f32;
            (xs[lane], taps.across[lane]) = split(s[lane] * side - 0.5);
            (ys[lane], taps.up[lane]) = split(t[lane] * side - 0.5);
        }
        for lane in (0..LANES).filter(|lane| alive(live, *lane)) {
            let level = &self.levels[levels[lane]];
            let (x, y, side) = (xs[lane], ys[lane], level.width);
            if x >= 0 && y >= 0 && x + 1 < side && y + 1 < side {
                let at = level.start + faces[lane] as usize * level.texels() + (y * side + x) as usize;
                taps.texels[0][lane] = self.texels[at];
                taps.texels[1][lane] = self.texels[at + 1];
                taps.texels[2][lane] = self.texels[at + side as usize];
                taps.texels[3][lane] = self.texels[at + side as usize + 1];
            } else {
                for corner in 0..4_usize {
                    let (x, y) = (x + (corner & 1) as i32, y + (corner >> 1) as i32);
                    taps.texels[corner][lane] = self.cube_texel(faces[lane], level, x, y);
                }
            }
        }
        taps
    }

    /// A texel of a face; beyond an edge the texel of the neighbouring face.
    fn cube_texel(&self, face: i32, level: &Level, x: i32, y: i32) -> u32 {
        let side = level.width;
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
        self.texels[level.start + face as usize * level.texels() + (y * side + x) as usize]
    }

    /// Adds levels of half the size each, down to one texel; a texel is the mean of the two by two it stands for.
    fn add_levels(&mut self, width: i32, height: i32, faces: usize) {
        let mut last = Level { width, height, start: 0 };
        self.levels.push(last);
        while (last.width > 1 || last.height > 1) && self.levels.len() < MOST_LEVELS {
            let start = self.texels.len();
            let next = Level { width: (last.width / 2).max(1), height: (last.height / 2).max(1), start };
            for face in 0..faces {
                self.halve(&last, &next, last.start + face * last.texels());
            }
            self.levels.push(next);
            last = next;
        }
        if faces == 1 {
            let even = |level: &Level| Even::new(&self.texels[level.start..], level.width, level.height);
            self.even = self.levels.iter().map(even).collect();
        }
    }

    fn halve(&mut self, from: &Level, to: &Level, start: usize) {
        let columns: Vec<_> = (0..to.width).map(|x| taps(x, to.width, from.width)).collect();
        for y in 0..to.height {
            let (y0, y1, up) = taps(y, to.height, from.height);
            for (x0, x1, across) in &columns {
                let at = |x: usize, y: usize| {
                    self.texels[start + y * from.width as usize + x].to_le_bytes().map(f32::from)
                };
                let low = blend(at(*x0, y0), at(*x1, y0), *across);
                let high = blend(at(*x0, y1), at(*x1, y1), *across);
                let mean = blend(low, high, up).map(|value| (value + 0.5) as u8);
                self.texels.push(u32::from_le_bytes(mean));
            }
        }
    }
}

/// The larger of two squared lengths, of vectors that follow each other.
#[inline(always)]
pub(crate) fn larger_square([a, b, c, d]: [f32; 4]) -> f32 {
    let (first, second) = (a * a + b * b, c * c + d * d);
    if first > second { first } else { second }
}

#[inline(always)]
fn mix(colors: &mut [Lanes; 4], next: &[Lanes; 4], shares: &Lanes) {
    for (color, next) in colors.iter_mut().zip(next) {
        for lane in 0..LANES {
            color[lane] += (next[lane] - color[lane]) * shares[lane];
        }
    }
}

/// Within 0 and 1; 0 for no number.
#[inline(always)]
fn unit(value: f32) -> f32 {
    let value = if value > 0.0 { value } else { 0.0 };
    if value < 1.0 { value } else { 1.0 }
}

/// Face, and coordinates from 0 to 1 on it.
fn cube_face([x, y, z]: [f32; 3]) -> (i32, f32, f32) {
    let (ax, ay, az) = (x.abs(), y.abs(), z.abs());
    let (face, s, t, major) = if ax >= ay && ax >= az {
        if x >= 0.0 { (0, -z, -y, ax) } else { (1, z, -y, ax) }
    } else if ay >= az {
        if y >= 0.0 { (2, x, z, ay) } else { (3, x, -z, ay) }
    } else if z >= 0.0 {
        (4, x, -y, az)
    } else {
        (5, -x, -y, az)
    };
    let middle = |value: f32| unit(0.5 * (value / major + 1.0));
    if major > 0.0 { (face, middle(s), middle(t)) } else { (face, 0.5, 0.5) }
}

/// Coordinates of a direction on a given face, in half sides.
fn on_face(face: i32, [x, y, z]: [f32; 3]) -> [f32; 2] {
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
fn cube_direction(face: i32, s: f32, t: f32) -> [f32; 3] {
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
    [0, 1, 2, 3].map(|channel| a[channel] + (b[channel] - a[channel]) * share)
}

/// Part after the decimal point; 0 for values that are very large or no numbers.
#[inline(always)]
fn wrap(value: f32) -> f32 {
    let part = value - floor(value).1;
    // Comparisons are false for NaN.
    if value.abs() < MOST_SIDE as f32 { part } else { 0.0 }
}

/// Whole part and fraction.
#[inline(always)]
fn split(value: f32) -> (i32, f32) {
    let (whole, rounded) = floor(value);
    (whole, value - rounded)
}

/// Two neighbours and the share of the second at the centre of texel `index` of the smaller level.
fn taps(index: i32, smaller: i32, larger: i32) -> (usize, usize, f32) {
    let position = (index as f32 + 0.5) * larger as f32 / smaller as f32 - 0.5;
    let (whole, fraction) = split(position);
    let limit = |value: i32| value.clamp(0, larger - 1) as usize;
    (limit(whole), limit(whole + 1), fraction)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checker(side: i32) -> Texture {
        let texels = (0..side * side)
            .map(|i| if (i % side + i / side) % 2 == 0 { u32::MAX } else { 0xFF00_0000 })
            .collect();
        let mut texture = Texture { kind: TextureType::Flat as i32, texels, ..Texture::default() };
        texture.add_levels(side, side, 1);
        texture
    }

    fn at(texture: &Texture, s: f32, t: f32, size: f32) -> f32 {
        texture.flat(&[s; LANES], &[t; LANES], &[size * size; LANES], u16::MAX)[0][3]
    }

    #[test]
    fn the_smallest_level_is_the_mean() {
        let texture = checker(8);
        assert!((at(&texture, 0.3, 0.7, 1e6) - 0.5).abs() < 0.01);
        assert_eq!(at(&texture, 0.5 / 8.0, 0.5 / 8.0, 0.1), 1.0);
        assert_eq!(at(&texture, 1.5 / 8.0, 0.5 / 8.0, 0.1), 0.0);
        assert!(at(&texture, f32::NAN, f32::INFINITY, f32::NAN).is_finite());
        assert!(at(&texture, -1e-12, 1e30, 2.5).is_finite());
    }

    #[test]
    fn levels_follow_the_logarithm_of_the_driver() {
        let texture = checker(64);
        for (size, level, share) in [(1.0, 0, 0.0), (2.0, 1, 0.0), (3.0, 1, 0.5625), (5.0, 2, 0.28125)] {
            assert_eq!(texture.level(size * size), (level, share), "{size}");
        }
        assert_eq!(texture.level(f32::INFINITY), (6, 0.0));
        assert_eq!(texture.level(f32::NAN), (0, 0.0));
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
    fn each_face_of_a_cube_has_its_own_texels_and_edges_belong_to_two() {
        let colors = [10, 60, 110, 160, 210, 250_u32];
        let mut texture = Texture { kind: TextureType::Cube as i32, ..Texture::default() };
        texture.texels = colors.iter().flat_map(|color| [*color; 16]).collect();
        texture.add_levels(4, 4, 6);
        let look = |direction: [f32; 3]| {
            let lanes = direction.map(|value| [value; LANES]);
            texture.cube(&lanes, u16::MAX)[0][9] * 255.0
        };
        for (face, color) in colors.iter().enumerate() {
            let seen = look(cube_direction(face as i32, 0.2, -0.3));
            assert!((seen - *color as f32).abs() < 1e-3, "{face} {seen}");
        }
        // Half way between two faces is their mean.
        let edge = look([1.0, 0.0, 1.0]);
        assert!((edge - 110.0).abs() < 1.0, "{edge}");
        assert!(look([f32::NAN; 3]).is_finite());
    }

    #[test]
    fn srgb_bytes_are_decoded() {
        let table = decode_table();
        assert_eq!((table[0], table[255]), (0.0, 255.0));
        assert!((table[128] / 255.0 - 0.2158605).abs() < 1e-6);
    }
}
