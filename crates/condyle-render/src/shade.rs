//! Colour of a surface at a pixel: light at the three corners around it, interpolated in perspective, times texture, through fog.

use crate::context::Context;
use crate::draw::{Draw, Mapping};
use crate::light::{EyeLight, clamp};
use crate::setup::{Element, shares};
use crate::shape::{Patch, Shape};
use crate::texture::{cube_face, on_face};
use crate::vector::{Vec3, dot, normalize, scale, transform};

/// What shading reads; the same for all tiles.
#[derive(Clone, Copy)]
pub struct Stage<'a> {
    pub context: &'a Context,
    pub draws: &'a [Draw],
    pub dynamic: &'a [Shape],
    pub elements: &'a [Element],
    pub corners: &'a [[f32; 4]],
    /// All lights of the scene.
    pub lights: &'a [EyeLight],
    /// Lights of the scene seen in the mirror.
    pub mirror_lights: &'a [EyeLight],
    /// Lights without shadows, as numbers of `lights`.
    pub plain: &'a [usize],
    /// Lights with shadows, as numbers of `lights`.
    pub shadowed: &'a [usize],
    /// Light from everywhere, where there is no lamp.
    pub ambient: f32,
    pub fog: Option<Fog>,
    pub fog_rgb: Vec3,
}

#[derive(Clone, Copy, Debug)]
pub struct Fog {
    pub start: f32,
    pub end: f32,
}

/// Which lights take part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lighting {
    /// Those without shadows; the others one by one.
    Divided,
    All,
    /// All, seen in the mirror, with colours times the mirror's reflectance.
    Mirrored,
}

/// Light at the corners of a triangle, remembered.
#[derive(Clone, Copy, Debug)]
struct LitTriangle {
    key: u64,
    base: [Vec3; 3],
    alphas: [f32; 3],
}

const NO_KEY: u64 = u64::MAX;
const REMEMBERED: usize = 1024;

/// What a thread remembers between pixels; what it remembers changes no result.
#[derive(Clone, Debug)]
pub struct Memory {
    lit: Vec<LitTriangle>,
    /// Light of each lamp with shadows at the corners, for each remembered triangle.
    lamps: Vec<[Vec3; 3]>,
    /// The surface met last.
    surface: Surface,
    /// The cell of a patch found last.
    cell: [usize; 2],
    block: Block,
}

/// A surface: how shares and positions follow from the pixel.
#[derive(Clone, Copy, Debug)]
struct Surface {
    element: u32,
    /// Shares over W of three corners; `None` for a surface seen from its edge.
    shares: Option<[[f64; 3]; 3]>,
    form: Form,
}

const NO_SURFACE: Surface = Surface { element: u32::MAX, shares: None, form: Form::Face([[0.0; 3]; 3]) };

/// Where the points of a surface are, in its own frame.
#[derive(Clone, Copy, Debug)]
enum Form {
    /// Corners of a triangle.
    Face([Vec3; 3]),
    /// A patch with its origin and axes, and the start and the width of its ranges.
    Patch { origin: Vec3, axes: [Vec3; 2], start: [f32; 2], width: [f32; 2] },
}

impl Form {
    /// Coordinates on a patch; `shares` are those of its corners 0, 1 and 3.
    #[inline]
    fn on_patch(start: [f32; 2], width: [f32; 2], shares: [f32; 3]) -> [f32; 2] {
        [start[0] + shares[1] * width[0], start[1] + shares[2] * width[1]]
    }

    #[inline]
    fn position(&self, shares: [f32; 3]) -> Vec3 {
        match self {
            Self::Face([a, b, c]) => [
                mix(shares, [a[0], b[0], c[0]]),
                mix(shares, [a[1], b[1], c[1]]),
                mix(shares, [a[2], b[2], c[2]]),
            ],
            Self::Patch { origin, axes: [along_u, along_v], start, width } => {
                let [u, v] = Self::on_patch(*start, *width, shares);
                [
                    origin[0] + u * along_u[0] + v * along_v[0],
                    origin[1] + u * along_u[1] + v * along_v[1],
                    origin[2] + u * along_u[2] + v * along_v[2],
                ]
            }
        }
    }
}

/// Two by two pixels of a textured surface.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Block {
    element: u32,
    corner: [i32; 2],
    /// Face of a cube texture.
    face: usize,
    /// Size of a pixel in texels.
    size: f32,
}

const NO_BLOCK: Block = Block { element: u32::MAX, corner: [0; 2], face: 0, size: 0.0 };

impl Default for Memory {
    fn default() -> Self {
        let nothing = LitTriangle { key: NO_KEY, base: [[0.0; 3]; 3], alphas: [0.0; 3] };
        Self {
            lit: vec![nothing; REMEMBERED],
            lamps: Vec::new(),
            surface: NO_SURFACE,
            cell: [0; 2],
            block: NO_BLOCK,
        }
    }
}

impl Memory {
    pub fn begin(&mut self, lamps: usize) {
        self.lit.iter_mut().for_each(|triangle| triangle.key = NO_KEY);
        self.lamps.clear();
        self.lamps.resize(lamps * REMEMBERED, [[0.0; 3]; 3]);
        self.surface = NO_SURFACE;
        self.block = NO_BLOCK;
    }
}

/// A point of a surface.
struct Place<'a> {
    shape: &'a Shape,
    kind: PlaceKind<'a>,
}

enum PlaceKind<'a> {
    Face([u32; 3]),
    Patch(&'a Patch),
}

/// The triangle around a point of a surface: its number and the shares of its corners.
struct Around {
    shares: [f32; 3],
    key: u64,
    /// Cell of a patch, and which half of it.
    cell: [usize; 2],
    lower: bool,
}

/// The corners of a triangle.
struct Corners {
    positions: [Vec3; 3],
    normals: [Vec3; 3],
    alphas: [f32; 3],
}

/// A colour from 0 to 1 with its opacity, and what each lamp with shadows would add.
pub struct Shaded {
    pub rgba: [f32; 4],
    /// Factor of the lamps' light: texture and fog.
    pub tint: Vec3,
    /// Where in `Memory` the lamps' light is, and the shares of corners.
    slot: usize,
    weights: [f32; 3],
    /// Shares of the corners that the surface's interpolation runs on.
    here: [f32; 3],
}

impl Stage<'_> {
    fn place(&self, element: &Element) -> Option<Place<'_>> {
        let draw = &self.draws[element.draw as usize];
        let shape = draw.shape.get(self.context, self.dynamic)?;
        let face = element.face as usize;
        let kind = match shape.faces.get(face) {
            Some(corners) => PlaceKind::Face(*corners),
            None => PlaceKind::Patch(shape.patches.get(face - shape.faces.len())?),
        };
        Some(Place { shape, kind })
    }

    /// Works out a surface, unless it is the one met last.
    #[inline]
    fn meet(&self, memory: &mut Memory, index: u32, place: &Place<'_>) {
        if memory.surface.element != index {
            memory.surface = self.surface(index, place);
        }
    }

    fn surface(&self, index: u32, place: &Place<'_>) -> Surface {
        let element = &self.elements[index as usize];
        let first = self.draws[element.draw as usize].first_corner as usize;
        let shape = place.shape;
        let (numbers, form) = match &place.kind {
            PlaceKind::Face([a, b, c]) => {
                let [a, b, c] = [*a as usize, *b as usize, *c as usize];
                let positions = [shape.positions[a], shape.positions[b], shape.positions[c]];
                ([first + a, first + b, first + c], Form::Face(positions))
            }
            PlaceKind::Patch(patch) => {
                let at = first + shape.positions.len() + 4 * (element.face as usize - shape.faces.len());
                let (us, vs) = (shape.range(patch.us), shape.range(patch.vs));
                let start = [us[0], vs[0]];
                let form = Form::Patch {
                    origin: patch.origin,
                    axes: [patch.axis_u, patch.axis_v],
                    start,
                    width: [us[us.len() - 1] - start[0], vs[vs.len() - 1] - start[1]],
                };
                ([at, at + 1, at + 3], form)
            }
        };
        let corners = [self.corners[numbers[0]], self.corners[numbers[1]], self.corners[numbers[2]]];
        Surface { element: index, shares: shares(&corners), form }
    }

    /// Where in the world the point shaded last is.
    #[inline]
    pub fn world_position(&self, memory: &Memory, element: u32, shaded: &Shaded) -> Vec3 {
        transform(&self.draw_of(element).to_world, memory.surface.form.position(shaded.here))
    }

    pub fn draw_of(&self, element: u32) -> &Draw {
        &self.draws[self.elements[element as usize].draw as usize]
    }

    /// Colour of an element at a pixel.
    pub fn shade(
        &self,
        memory: &mut Memory,
        index: u32,
        pixel: [i32; 2],
        lighting: Lighting,
    ) -> Option<Shaded> {
        let element = &self.elements[index as usize];
        let draw = &self.draws[element.draw as usize];
        let material = &draw.material;
        if draw.line_width.is_some() {
            let rgba = material.finish.rgba;
            return Some(Shaded { rgba, tint: [0.0; 3], slot: 0, weights: [0.0; 3], here: [0.0; 3] });
        }
        let place = self.place(element)?;
        self.meet(memory, index, &place);
        let here = center_shares(memory.surface.shares.as_ref()?, pixel);
        let texture = match draw.material.mapping {
            Mapping::None => [1.0; 4],
            _ => self.texture(memory, draw, &place, here, pixel),
        };
        let around = place.around(u64::from(index), here, &memory.surface.form, &mut memory.cell);
        let slot = (around.key ^ (around.key >> 32)) as usize % REMEMBERED;
        if memory.lit[slot].key != around.key {
            self.light(memory, slot, draw, around.key, &place.corners(&around), lighting);
        }
        let lit = &memory.lit[slot];
        let mut rgba = [0.0; 4];
        for axis in 0..3 {
            let [a, b, c] = &lit.base;
            rgba[axis] = mix(around.shares, [a[axis], b[axis], c[axis]]) * texture[axis];
        }
        rgba[3] = mix(around.shares, lit.alphas) * texture[3];
        let mut tint = [texture[0], texture[1], texture[2]];
        if let Some(fog) = &self.fog {
            let depth = -transform(&draw.to_eye, memory.surface.form.position(here))[2];
            let clear = ((fog.end - depth) / (fog.end - fog.start)).max(0.0).min(1.0);
            for axis in 0..3 {
                rgba[axis] = rgba[axis] * clear + self.fog_rgb[axis] * (1.0 - clear);
            }
            tint = scale(tint, clear);
        }
        Some(Shaded { rgba, tint, slot, weights: around.shares, here })
    }

    /// What lamp number `lamp` of those with shadows adds at the point shaded last.
    #[inline]
    pub fn lamp(&self, memory: &Memory, shaded: &Shaded, lamp: usize) -> Vec3 {
        let [a, b, c] = &memory.lamps[shaded.slot * self.shadowed.len() + lamp];
        let mut rgb = [0.0; 3];
        for axis in 0..3 {
            rgb[axis] = mix(shaded.weights, [a[axis], b[axis], c[axis]]) * shaded.tint[axis];
        }
        rgb
    }

    fn light(
        &self,
        memory: &mut Memory,
        slot: usize,
        draw: &Draw,
        key: u64,
        corners: &Corners,
        lighting: Lighting,
    ) {
        let mut base = [[0.0; 3]; 3];
        let finish = &draw.material.finish;
        let lamps = self.shadowed.len();
        for corner in 0..3 {
            if draw.material.unlit {
                base[corner] = clamp([finish.rgba[0], finish.rgba[1], finish.rgba[2]]);
                continue;
            }
            let position = transform(&draw.to_eye, corners.positions[corner]);
            let normal = unit(draw.normals.map(|row| dot(row, corners.normals[corner])));
            let to_eye = unit(scale(position, -1.0));
            let own = finish.emission + self.ambient;
            let mut color = [finish.rgba[0] * own, finish.rgba[1] * own, finish.rgba[2] * own];
            let mut add = |light: &EyeLight| light.add(&mut color, finish, position, normal, to_eye);
            match lighting {
                Lighting::Divided if draw.takes_shadow => {
                    self.plain.iter().for_each(|light| add(&self.lights[*light]));
                    for (lamp, light) in self.shadowed.iter().enumerate() {
                        let mut color = [0.0; 3];
                        self.lights[*light].add(&mut color, finish, position, normal, to_eye);
                        memory.lamps[slot * lamps + lamp][corner] = clamp(color);
                    }
                }
                Lighting::Divided | Lighting::All => self.lights.iter().for_each(add),
                Lighting::Mirrored => self.mirror_lights.iter().for_each(add),
            }
            base[corner] = clamp(color);
        }
        let alpha = finish.rgba[3].max(0.0).min(1.0);
        memory.lit[slot] = LitTriangle { key, base, alphas: corners.alphas.map(|share| share * alpha) };
    }

    fn texture(
        &self,
        memory: &mut Memory,
        draw: &Draw,
        place: &Place<'_>,
        here: [f32; 3],
        pixel: [i32; 2],
    ) -> [f32; 4] {
        let Some(texture) = self.context.textures.get(draw.material.texture as usize) else {
            return [1.0; 4];
        };
        if texture.is_empty() {
            return [1.0; 4];
        }
        let Memory { surface: Surface { element, shares: Some(rows), form }, block, .. } = memory else {
            return [1.0; 4];
        };
        // Sizes of a pixel come from the two by two pixels it belongs to.
        let corner = [pixel[0] & !1, pixel[1] & !1];
        let at = |dx: i32, dy: i32| center_shares(rows, [corner[0] + dx, corner[1] + dy]);
        let mut size_of = |face: usize, size: &dyn Fn() -> f32| {
            if (block.element, block.corner, block.face) != (*element, corner, face) {
                *block = Block { element: *element, corner, face, size: size() };
            }
            block.size
        };
        match draw.material.mapping {
            Mapping::Cube(_) | Mapping::Sky => {
                let direction = |shares: [f32; 3]| {
                    let p = form.position(shares);
                    match draw.material.mapping {
                        Mapping::Cube(factor) => [p[0] * factor[0], p[1] * factor[1], p[2] * factor[2]],
                        _ => [p[0], p[2], -p[1]],
                    }
                };
                let middle = direction(here);
                let face = cube_face(middle).0;
                let rho = size_of(face, &|| {
                    let side = 0.5 * texture.size()[0];
                    let [a, b, c] =
                        [at(0, 0), at(1, 0), at(0, 1)].map(|shares| on_face(face, direction(shares)));
                    largest([b[0] - a[0], b[1] - a[1], c[0] - a[0], c[1] - a[1]]) * side
                });
                texture.cube(middle, rho)
            }
            Mapping::Planar(factor) => {
                let coordinates = |shares: [f32; 3]| {
                    let p = form.position(shares);
                    [factor[0] * p[0] - 0.5, -factor[1] * p[1] - 0.5]
                };
                let [s, t] = coordinates(here);
                let size = || pixel_size(texture.size(), [at(0, 0), at(1, 0), at(0, 1)].map(coordinates));
                texture.flat(s, t, size_of(0, &size))
            }
            _ => {
                let [s, t] = place.coordinates(here);
                let coordinates = |shares| place.coordinates(shares);
                let size = || pixel_size(texture.size(), [at(0, 0), at(1, 0), at(0, 1)].map(coordinates));
                texture.flat(s, t, size_of(0, &size))
            }
        }
    }
}

fn largest(values: [f32; 4]) -> f32 {
    values.iter().fold(0.0, |most, value| value.abs().max(most))
}

/// Size of a pixel in texels, from texture coordinates at a pixel, right of it and above it.
fn pixel_size(size: [f32; 2], [a, b, c]: [[f32; 2]; 3]) -> f32 {
    largest([
        (b[0] - a[0]) * size[0],
        (b[1] - a[1]) * size[1],
        (c[0] - a[0]) * size[0],
        (c[1] - a[1]) * size[1],
    ])
}

#[inline]
fn mix(shares: [f32; 3], values: [f32; 3]) -> f32 {
    shares[0] * values[0] + shares[1] * values[1] + shares[2] * values[2]
}

/// Unit vector; zero stays zero.
fn unit(v: Vec3) -> Vec3 {
    if v == [0.0; 3] { v } else { normalize_any(v) }
}

/// Unit vector also of vectors that are very short or long.
fn normalize_any(v: Vec3) -> Vec3 {
    let most = v[0].abs().max(v[1].abs()).max(v[2].abs());
    if most > 0.0 && most.is_finite() { normalize(scale(v, 1.0 / most)) } else { [0.0; 3] }
}

/// Shares of corners at the centre of a pixel, in perspective.
#[inline]
fn center_shares(rows: &[[f64; 3]; 3], pixel: [i32; 2]) -> [f32; 3] {
    let (x, y) = (f64::from(pixel[0]) + 0.5, f64::from(pixel[1]) + 0.5);
    let [a, b, c] = rows;
    let first = a[0] * x + a[1] * y + a[2];
    let second = b[0] * x + b[1] * y + b[2];
    let third = c[0] * x + c[1] * y + c[2];
    let sum = first + second + third;
    let inverse = if sum == 0.0 { 0.0 } else { 1.0 / sum };
    [(first * inverse) as f32, (second * inverse) as f32, (third * inverse) as f32]
}

impl Place<'_> {
    fn coordinates(&self, shares: [f32; 3]) -> [f32; 2] {
        match &self.kind {
            PlaceKind::Face(corners) => {
                let uv = corners
                    .map(|corner| self.shape.texcoords.get(corner as usize).copied().unwrap_or_default());
                [0, 1].map(|axis| mix(shares, uv.map(|uv| uv[axis])))
            }
            PlaceKind::Patch(_) => [0.0; 2],
        }
    }

    /// The triangle around a point. `hint` is the cell found last.
    #[inline]
    fn around(&self, element: u64, shares: [f32; 3], form: &Form, hint: &mut [usize; 2]) -> Around {
        match (&self.kind, form) {
            (PlaceKind::Patch(patch), Form::Patch { start, width, .. }) => {
                let [u, v] = Form::on_patch(*start, *width, shares);
                let (us, vs) = (self.shape.range(patch.us), self.shape.range(patch.vs));
                *hint = [cell(us, u, hint[0]), cell(vs, v, hint[1])];
                half_cell(us, vs, *hint, element, u, v)
            }
            _ => Around { shares, key: element << 32, cell: [0; 2], lower: true },
        }
    }

    /// The corners of the triangle around a point.
    fn corners(&self, around: &Around) -> Corners {
        match &self.kind {
            PlaceKind::Face(corners) => {
                let alpha = |corner: u32| self.shape.alphas.get(corner as usize).copied().unwrap_or(1.0);
                Corners {
                    positions: corners.map(|corner| self.shape.positions[corner as usize]),
                    normals: corners.map(|corner| self.shape.normals[corner as usize]),
                    alphas: corners.map(alpha),
                }
            }
            PlaceKind::Patch(patch) => {
                let (us, vs) = (self.shape.range(patch.us), self.shape.range(patch.vs));
                let [i, j] = around.cell;
                let last = us.len() - 1;
                let numbers = if around.lower { [(0, 0), (1, 0), (0, 1)] } else { [(1, 0), (1, 1), (0, 1)] };
                Corners {
                    positions: numbers.map(|(di, dj)| patch.at(us[i + di], vs[j + dj])),
                    normals: numbers.map(|(di, _)| patch.normals[usize::from(i + di == last)]),
                    alphas: [1.0; 3],
                }
            }
        }
    }
}

/// The half of a cell around a point. The corners of a cell are (i, j), (i+1, j), (i+1, j+1), (i, j+1); the lower half has the first,
/// second and fourth, the other half the rest.
#[inline]
fn half_cell(us: &[f32], vs: &[f32], cell: [usize; 2], element: u64, u: f32, v: f32) -> Around {
    let [i, j] = cell;
    let within = |lines: &[f32], k: usize, value: f32| {
        let width = lines[k + 1] - lines[k];
        if width > 0.0 { (value - lines[k]) / width } else { 0.0 }
    };
    let (a, b) = (within(us, i, u), within(vs, j, v));
    let lower = a + b <= 1.0;
    let shares = if lower { [1.0 - a - b, a, b] } else { [1.0 - b, a + b - 1.0, 1.0 - a] };
    let last = us.len() - 1;
    let key = element << 32 | ((j * last + i) as u64) << 1 | u64::from(lower);
    Around { shares, key, cell, lower }
}

/// The cell a value lies in; the first or last one for values outside. Neighbouring pixels mostly lie in the same cell, `hint`.
#[inline]
fn cell(lines: &[f32], value: f32, hint: usize) -> usize {
    if let Some([low, high]) = lines.get(hint..).and_then(|lines| lines.first_chunk())
        && *low <= value
        && value < *high
    {
        return hint;
    }
    let after = lines.partition_point(|line| *line <= value);
    after.saturating_sub(1).min(lines.len() - 2)
}
