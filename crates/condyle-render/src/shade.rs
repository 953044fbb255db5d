//! Colours of a surface at the pixels of a block: light at the three corners around each, interpolated in perspective, times texture,
//! through fog.

use condyle_math::scalar::max;
use condyle_math::{Registers, Work};

use crate::cells::{Cells, around, halves};
use crate::context::Context;
use crate::corner::{CornerMemory, Lighting, Lights, grid_key};
use crate::draw::{Draw, Mapping, Material};
use crate::lanes::{LANES, Lanes, bits, pick, quad, quantize};
use crate::light::{FEW, Few, clamp};
use crate::raster::{GROUP, Tile};
use crate::setup::{Element, TILE, shares};
use crate::shape::{Patch, Shape};
use crate::texture::{Texture, larger_square};
use crate::vector::{Affine, Vec3};
use crate::window::Seen;
use crate::wire::{Wire, line_shares};

/// What shading reads; the same for all tiles.
#[derive(Clone, Copy)]
pub(crate) struct Stage<'a> {
    /// Instructions that are used; results do not depend on it.
    pub registers: Registers,
    pub context: &'a Context,
    pub draws: &'a [Draw],
    pub dynamic: &'a [Shape],
    pub elements: &'a [Element],
    /// The edges that elements are where only edges are drawn.
    pub wires: &'a [Option<Wire>],
    pub corners: &'a Seen,
    pub lights: Lights<'a>,
    pub fog: Option<Fog>,
    pub fog_rgb: Vec3,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Fog {
    pub start: f32,
    pub end: f32,
}

/// What a thread remembers between blocks; what it remembers changes no result.
#[derive(Clone, Debug)]
pub(crate) struct Memory {
    corners: CornerMemory,
    /// The surface met last.
    pub surface: Surface,
    /// The cell of a patch found last.
    pub cell: [usize; 2],
    /// Light of each lamp with shadows at the corners around the pixels shaded last.
    pub lamps: Vec<[Vec3; 3]>,
    /// The same at the pixels, where they are shaded one by one.
    pub few_lamps: Vec<[Few; 3]>,
    /// The same at the pixels, where they do not all have the same corners.
    between: Vec<[Lanes; 3]>,
    apart: bool,
}

/// A surface: how shares and positions follow from the pixel.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Surface {
    pub element: u32,
    /// Shares over W of three corners; `None` for a surface seen from its edge.
    pub shares: Option<[[f64; 3]; 3]>,
    pub form: Form,
}

const NO_SURFACE: Surface = Surface { element: u32::MAX, shares: None, form: Form::Face([[0.0; 3]; 3]) };

/// Where the points of a surface are, in its own frame.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Form {
    /// Corners of a triangle.
    Face([Vec3; 3]),
    /// A patch with its origin and axes, and the start and the width of its ranges.
    Patch { origin: Vec3, axes: [Vec3; 2], start: [f32; 2], width: [f32; 2] },
}

impl Default for Memory {
    fn default() -> Self {
        Self {
            corners: CornerMemory::default(),
            surface: NO_SURFACE,
            cell: [0; 2],
            lamps: Vec::new(),
            few_lamps: Vec::new(),
            between: Vec::new(),
            apart: false,
        }
    }
}

impl Memory {
    pub(crate) fn begin(&mut self, lamps: usize) {
        self.corners.begin(lamps);
        self.surface = NO_SURFACE;
        self.lamps.clear();
        self.lamps.resize(lamps, [[0.0; 3]; 3]);
        self.few_lamps.clear();
        self.few_lamps.resize(lamps, [[0.0; FEW]; 3]);
        self.between.clear();
        self.between.resize(lamps, [[0.0; LANES]; 3]);
    }
}

/// Colours from 0 to 1 with their opacity, and what lamps with shadows need to add theirs.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shaded {
    pub rgba: [Lanes; 4],
    /// Factor of the lamps' light: texture and fog.
    pub tint: [Lanes; 3],
    /// Shares of the corners that light is interpolated between.
    weights: [Lanes; 3],
    /// Where the points are in the surface's frame.
    pub position: [Lanes; 3],
}

impl Shaded {
    /// Red, green and blue as bytes.
    #[inline(always)]
    pub(crate) fn bytes(&self) -> [[u8; LANES]; 3] {
        let [r, g, b, _] = &self.rgba;
        [quantize(r), quantize(g), quantize(b)]
    }
}

/// A surface of the scene.
pub(crate) struct Place<'a> {
    pub shape: &'a Shape,
    pub kind: PlaceKind<'a>,
}

pub(crate) enum PlaceKind<'a> {
    Face([u32; 3]),
    Patch(&'a Patch),
}

/// What is computed for a block with the parts of a picture's making that it belongs to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Block {
    pub element: u32,
    /// Lower left pixel.
    pub origin: [i32; 2],
    /// Pixels that count.
    pub live: u16,
    pub lighting: Lighting,
}

/// A block being shaded.
struct Shading<'a> {
    stage: &'a Stage<'a>,
    memory: &'a mut Memory,
    block: &'a Block,
    shaded: &'a mut Shaded,
}

impl Work for Shading<'_> {
    type Output = Option<()>;

    #[inline(always)]
    fn run(self) -> Option<()> {
        self.stage.colors(self.memory, self.block, self.shaded)
    }
}

impl Stage<'_> {
    #[inline(always)]
    pub(crate) fn place(&self, element: &Element) -> Option<Place<'_>> {
        let draw = &self.draws[element.draw as usize];
        let shape = draw.shape.get(self.context, self.dynamic)?;
        let face = element.face as usize;
        let kind = match shape.faces.get(face) {
            Some(corners) => PlaceKind::Face(*corners),
            None => PlaceKind::Patch(shape.patches.get(face - shape.faces.len())?),
        };
        Some(Place { shape, kind })
    }

    pub(crate) fn surface(&self, index: u32, place: &Place<'_>) -> Surface {
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
        let corners = numbers.map(|number| self.corners.at(number));
        Surface { element: index, shares: shares(&corners), form }
    }

    /// The edge that an element is.
    #[inline(always)]
    pub(crate) fn wire(&self, element: u32) -> Option<&Wire> {
        self.wires.get(element as usize)?.as_ref()
    }

    #[inline]
    pub(crate) fn draw_of(&self, element: u32) -> &Draw {
        &self.draws[self.elements[element as usize].draw as usize]
    }

    /// Colours of an element at the pixels of a block; `None` for a surface without any.
    pub(crate) fn shade(&self, memory: &mut Memory, block: &Block, shaded: &mut Shaded) -> Option<()> {
        self.registers.run(Shading { stage: self, memory, block, shaded })
    }

    #[inline(always)]
    fn colors(&self, memory: &mut Memory, block: &Block, shaded: &mut Shaded) -> Option<()> {
        let element = &self.elements[block.element as usize];
        let draw = &self.draws[element.draw as usize];
        let material = &draw.material;
        let place = self.place(element)?;
        if draw.line_width.is_some() {
            self.line_colors(memory, draw, &place, block, shaded);
            return Some(());
        }
        if memory.surface.element != block.element {
            memory.surface = self.surface(block.element, &place);
        }
        let Surface { shares: rows, form, .. } = memory.surface;
        let rows = rows.as_ref()?;
        let here = match self.wire(block.element) {
            Some(wire) => wire.shares_at(block.origin),
            None => center_shares(rows, block.origin),
        };
        let flat = form.coordinates(&here);
        let textured = material.mapping != Mapping::None;
        if textured || self.fog.is_some() || (draw.takes_shadow && !memory.lamps.is_empty()) {
            form.positions(&here, &flat, &mut shaded.position);
        }
        let texture =
            if textured { self.texture(material, &place, &here, &shaded.position, block.live) } else { None };
        self.light(memory, draw, &place, block, &here, &flat, shaded);
        self.opacity(draw, &place, &shaded.weights, &mut shaded.rgba[3]);
        match &texture {
            Some(texture) => {
                for axis in 0..4 {
                    for lane in 0..LANES {
                        shaded.rgba[axis][lane] *= texture[axis][lane];
                    }
                }
                shaded.tint = [texture[0], texture[1], texture[2]];
            }
            None => shaded.tint = [[1.0; LANES]; 3],
        }
        if let Some(fog) = &self.fog {
            self.fog(fog, &draw.to_eye, shaded);
        }
        Some(())
    }

    /// Lines have their own colour whatever light there is. The reference draws them once more for each lamp with shadows, as it does with all that is
    /// opaque, so that they are brighter where a lamp shines on them.
    #[inline(always)]
    fn line_colors(
        &self,
        memory: &mut Memory,
        draw: &Draw,
        place: &Place<'_>,
        block: &Block,
        shaded: &mut Shaded,
    ) {
        let [r, g, b, alpha] = draw.material.finish.rgba;
        let rgb = clamp([r, g, b]);
        memory.apart = false;
        memory.lamps.fill([rgb; 3]);
        shaded.weights = [[1.0; LANES], [0.0; LANES], [0.0; LANES]];
        shaded.tint = [[1.0; LANES]; 3];
        shaded.rgba = [rgb[0], rgb[1], rgb[2], alpha].map(|value| [value; LANES]);
        let lamps = draw.takes_shadow && !memory.lamps.is_empty();
        if let PlaceKind::Face([from, to, _]) = place.kind
            && (lamps || self.fog.is_some())
        {
            let numbers = [from as usize, to as usize];
            let ends = numbers.map(|number| place.shape.positions[number]);
            let seen = numbers.map(|number| self.corners.at(draw.first_corner as usize + number));
            let shares = line_shares(&seen, block.origin);
            for axis in 0..3 {
                for lane in 0..LANES {
                    let way = ends[1][axis] - ends[0][axis];
                    shaded.position[axis][lane] = ends[0][axis] + shares[lane] * way;
                }
            }
        }
        if let Some(fog) = &self.fog {
            self.fog(fog, &draw.to_eye, shaded);
        }
    }

    #[inline(always)]
    fn fog(&self, fog: &Fog, to_eye: &Affine, shaded: &mut Shaded) {
        let [x, y, z] = &shaded.position;
        let row = &to_eye[2];
        let mut clear = [0.0; LANES];
        for lane in 0..LANES {
            let depth = -(row[0] * x[lane] + row[1] * y[lane] + row[2] * z[lane] + row[3]);
            let value = (fog.end - depth) / (fog.end - fog.start);
            let value = if value > 0.0 { value } else { 0.0 };
            clear[lane] = if value < 1.0 { value } else { 1.0 };
        }
        for axis in 0..3 {
            for lane in 0..LANES {
                let color = shaded.rgba[axis][lane];
                shaded.rgba[axis][lane] = color * clear[lane] + self.fog_rgb[axis] * (1.0 - clear[lane]);
                shaded.tint[axis][lane] *= clear[lane];
            }
        }
    }

    /// What lamp number `lamp` of those with shadows adds at the pixels shaded last.
    #[inline(always)]
    pub(crate) fn lamp(&self, memory: &Memory, shaded: &Shaded, lamp: usize) -> [Lanes; 3] {
        let mut rgb = [[0.0; LANES]; 3];
        for axis in 0..3 {
            match memory.apart {
                true => rgb[axis] = memory.between[lamp][axis],
                false => interpolate(&memory.lamps[lamp], axis, &shaded.weights, &mut rgb[axis]),
            }
            for lane in 0..LANES {
                rgb[axis][lane] *= shaded.tint[axis][lane];
            }
        }
        rgb
    }

    /// Corners of the part of the plane of the surface shaded last that is seen in a rectangle of pixels, in the world, and how far beside
    /// it the positions of its points may be computed to lie; `None` where something else than that plane is seen.
    pub(crate) fn seen_corners(&self, memory: &Memory, tile: &Tile) -> Option<([[f64; 3]; 4], [f64; 3])> {
        const ROUNDING: f64 = 16.0 / 16_777_216.0;
        let Surface { element, shares, form } = &memory.surface;
        let (shares, map) = (shares.as_ref()?, &self.draw_of(*element).to_world);
        let (origin, axes, size) = form.frame();
        let mut corners = [[0.0; 3]; 4];
        let mut most = 1.0;
        for (number, corner) in corners.iter_mut().enumerate() {
            let x = f64::from(if number & 1 == 0 { tile.left } else { tile.left + TILE });
            let y = f64::from(if number & 2 == 0 { tile.bottom } else { tile.bottom + TILE });
            let parts = shares.map(|row| row[0] * x + row[1] * y + row[2]);
            let sum = parts[0] + parts[1] + parts[2];
            // Also false for NaN.
            if !(sum > 0.0) {
                return None;
            }
            let (u, v) = (parts[1] / sum, parts[2] / sum);
            most = [u, v, parts[0] / sum].iter().fold(most, |most, share| max(most, share.abs()));
            let point = [0, 1, 2].map(|axis| origin[axis] + u * axes[0][axis] + v * axes[1][axis]);
            *corner = map.map(|row| f64::from(row[3]) + along(&row, &point));
        }
        let size = size.map(|size| size * most);
        Some((
            corners,
            map.map(|row| ROUNDING * (f64::from(row[3]).abs() + along(&row.map(f32::abs), &size))),
        ))
    }

    /// Where in the world the pixels shaded last are.
    #[inline(always)]
    pub(crate) fn world_positions<const N: usize>(
        &self,
        element: u32,
        [x, y, z]: &[[f32; N]; 3],
    ) -> [[f32; N]; 3] {
        let map = &self.draw_of(element).to_world;
        let mut world = [[0.0; N]; 3];
        for (row, out) in map.iter().zip(&mut world) {
            for lane in 0..N {
                out[lane] = row[0] * x[lane] + row[1] * y[lane] + row[2] * z[lane] + row[3];
            }
        }
        world
    }

    #[inline(always)]
    fn opacity(&self, draw: &Draw, place: &Place<'_>, weights: &[Lanes; 3], out: &mut Lanes) {
        let alpha = draw.material.finish.rgba[3].max(0.0).min(1.0);
        match &place.kind {
            PlaceKind::Face(corners) if !place.shape.alphas.is_empty() => {
                let at =
                    |corner: u32| place.shape.alphas.get(corner as usize).copied().unwrap_or(1.0) * alpha;
                let alphas = corners.map(at);
                for lane in 0..LANES {
                    out[lane] = weights[0][lane] * alphas[0]
                        + weights[1][lane] * alphas[1]
                        + weights[2][lane] * alphas[2];
                }
            }
            _ => *out = [alpha; LANES],
        }
    }

    /// Colours under light, between those of the corners around the pixels, and the shares of the corners.
    #[allow(clippy::too_many_arguments, reason = "all of it is at hand where this is called")]
    #[inline(always)]
    fn light(
        &self,
        memory: &mut Memory,
        draw: &Draw,
        place: &Place<'_>,
        block: &Block,
        here: &[Lanes; 3],
        flat: &[Lanes; 2],
        shaded: &mut Shaded,
    ) {
        memory.apart = false;
        if !draw.material.unlit
            && let PlaceKind::Patch(patch) = &place.kind
        {
            return self.grid(memory, draw, place.shape, patch, block, flat, shaded);
        }
        shaded.weights = *here;
        let colors = self.face_colors(memory, draw, place.shape, block, &place.kind);
        for axis in 0..3 {
            interpolate(&colors, axis, &shaded.weights, &mut shaded.rgba[axis]);
        }
    }

    /// Colours under light at the three corners of a face, or of a surface without light.
    #[inline(always)]
    pub(crate) fn face_colors(
        &self,
        memory: &mut Memory,
        draw: &Draw,
        shape: &Shape,
        block: &Block,
        kind: &PlaceKind<'_>,
    ) -> [Vec3; 3] {
        match kind {
            PlaceKind::Face(numbers) if !draw.material.unlit => {
                memory.lamps.fill([[0.0; 3]; 3]);
                let flat = shape.flat.get(self.elements[block.element as usize].face as usize);
                let [a, b, c] = [numbers[0] as usize, numbers[1] as usize, numbers[2] as usize];
                let first = u64::from(draw.first_corner);
                let keys = match flat {
                    Some(_) => {
                        [grid_key(block.element, 0), grid_key(block.element, 1), grid_key(block.element, 2)]
                    }
                    None => [first + a as u64, first + b as u64, first + c as u64],
                };
                let Memory { corners, lamps, .. } = memory;
                corners.light(&self.lights, draw, block.lighting, keys, lamps, || {
                    let place = |number: usize| {
                        (shape.positions[number], flat.copied().unwrap_or_else(|| shape.normals[number]))
                    };
                    [place(a), place(b), place(c)]
                })
            }
            _ => {
                // Three times a third of the same colour.
                let [r, g, b, _] = draw.material.finish.rgba;
                [clamp([r, g, b]); 3]
            }
        }
    }

    /// Colours under light at the corners of half of a cell of a patch.
    #[allow(clippy::too_many_arguments, reason = "all of it is at hand where this is called")]
    #[inline(always)]
    pub(crate) fn cell_colors(
        &self,
        memory: &mut Memory,
        draw: &Draw,
        shape: &Shape,
        patch: &Patch,
        block: &Block,
        [column, row]: [usize; 2],
        lower: bool,
    ) -> [Vec3; 3] {
        let (us, vs) = (shape.range(patch.us), shape.range(patch.vs));
        let last = us.len() - 1;
        let Memory { corners, lamps, .. } = memory;
        lamps.fill([[0.0; 3]; 3]);
        let [a, b, c] = around(column, row, lower);
        let keys = [
            grid_key(block.element, a[1] * us.len() + a[0]),
            grid_key(block.element, b[1] * us.len() + b[0]),
            grid_key(block.element, c[1] * us.len() + c[0]),
        ];
        let places =
            || [a, b, c].map(|[i, j]| (patch.at(us[i], vs[j]), patch.normals[usize::from(i == last)]));
        corners.light(&self.lights, draw, block.lighting, keys, lamps, places)
    }

    /// The same on a patch, where each pixel may lie in another cell. The corners of a cell are (i, j), (i+1, j), (i+1, j+1), (i, j+1);
    /// its lower half has the first, second and fourth, the other half the rest.
    #[allow(clippy::too_many_arguments, reason = "all of it is at hand where this is called")]
    #[inline(always)]
    fn grid(
        &self,
        memory: &mut Memory,
        draw: &Draw,
        shape: &Shape,
        patch: &Patch,
        block: &Block,
        flat: &[Lanes; 2],
        shaded: &mut Shaded,
    ) {
        let (us, vs) = (shape.range(patch.us), shape.range(patch.vs));
        let columns = Cells::find(us, &flat[0], block.live, &mut memory.cell[0]);
        let rows = Cells::find(vs, &flat[1], block.live, &mut memory.cell[1]);
        let lower;
        (lower, shaded.weights) = halves(&columns.within, &rows.within);
        // Pixels in the same half of a cell have the same corners.
        let mut numbers = [0; LANES];
        for lane in 0..LANES {
            numbers[lane] = 2 * (rows.cell[lane] * us.len() as u32 + columns.cell[lane]) + lower[lane];
        }
        let mut rest = block.live;
        while rest != 0 {
            let lane = rest.trailing_zeros() as usize;
            let mut here = [0; LANES];
            for other in 0..LANES {
                here[other] = -i32::from(numbers[other] == numbers[lane]);
            }
            rest &= !bits(|other| here[other] != 0);
            let cell = [columns.cell[lane] as usize, rows.cell[lane] as usize];
            let colors = self.cell_colors(memory, draw, shape, patch, block, cell, lower[lane] != 0);
            let Memory { lamps, between, apart, .. } = &mut *memory;
            if rest == 0 && !*apart {
                for axis in 0..3 {
                    interpolate(&colors, axis, &shaded.weights, &mut shaded.rgba[axis]);
                }
                return;
            }
            *apart = true;
            for axis in 0..3 {
                choose(&colors, axis, &shaded.weights, &here, &mut shaded.rgba[axis]);
            }
            for (colors, out) in lamps.iter().zip(between.iter_mut()) {
                for axis in 0..3 {
                    choose(colors, axis, &shaded.weights, &here, &mut out[axis]);
                }
            }
        }
    }

    #[inline(always)]
    fn texture(
        &self,
        material: &Material,
        place: &Place<'_>,
        here: &[Lanes; 3],
        position: &[Lanes; 3],
        live: u16,
    ) -> Option<[Lanes; 4]> {
        let texture = self.context.textures.get(material.texture as usize)?;
        if texture.is_empty() {
            return None;
        }
        let [x, y, z] = position;
        let (mut s, mut t) = ([0.0; LANES], [0.0; LANES]);
        match material.mapping {
            Mapping::None => return None,
            Mapping::Cube(factor) => {
                let mut direction = [[0.0; LANES]; 3];
                for axis in 0..3 {
                    for lane in 0..LANES {
                        direction[axis][lane] = position[axis][lane] * factor[axis];
                    }
                }
                return Some(texture.cube(&direction, live));
            }
            Mapping::Sky => {
                let mut back = [0.0; LANES];
                for lane in 0..LANES {
                    back[lane] = -y[lane];
                }
                return Some(texture.cube(&[*x, *z, back], live));
            }
            Mapping::Planar(factor) => {
                for lane in 0..LANES {
                    s[lane] = factor[0] * x[lane] - 0.5;
                    t[lane] = -factor[1] * y[lane] - 0.5;
                }
            }
            Mapping::Coordinates => {
                if let PlaceKind::Face(corners) = &place.kind {
                    let uv = corners.map(|corner| {
                        place.shape.texcoords.get(corner as usize).copied().unwrap_or_default()
                    });
                    for lane in 0..LANES {
                        let [a, b, c] = [here[0][lane], here[1][lane], here[2][lane]];
                        s[lane] = a * uv[0][0] + b * uv[1][0] + c * uv[2][0];
                        t[lane] = a * uv[0][1] + b * uv[1][1] + c * uv[2][1];
                    }
                }
            }
        }
        Some(texture.flat(&s, &t, &pixel_sizes(texture, &s, &t), live))
    }
}

/// Squared size of a pixel in texels, the same for two by two pixels: from texture coordinates at the first, right of it and above it.
#[inline(always)]
fn pixel_sizes(texture: &Texture, s: &Lanes, t: &Lanes) -> Lanes {
    let [width, height] = texture.size();
    let mut sizes = [0.0; LANES];
    for column in (0..GROUP).step_by(2) {
        let lanes = quad(column);
        let [a, b, c, _] = lanes;
        let size = larger_square([
            (s[b] - s[a]) * width,
            (t[b] - t[a]) * height,
            (s[c] - s[a]) * width,
            (t[c] - t[a]) * height,
        ]);
        lanes.into_iter().for_each(|lane| sizes[lane] = size);
    }
    sizes
}

/// Colours between those of corners.
#[inline(always)]
pub(crate) fn interpolate<const N: usize>(
    colors: &[Vec3; 3],
    axis: usize,
    weights: &[[f32; N]; 3],
    out: &mut [f32; N],
) {
    let [a, b, c] = [colors[0][axis], colors[1][axis], colors[2][axis]];
    for lane in 0..N {
        out[lane] = weights[0][lane] * a + weights[1][lane] * b + weights[2][lane] * c;
    }
}

/// The same for the pixels that are here (-1).
#[inline(always)]
fn choose(colors: &[Vec3; 3], axis: usize, weights: &[Lanes; 3], here: &[i32; LANES], out: &mut Lanes) {
    let mut all = [0.0; LANES];
    interpolate(colors, axis, weights, &mut all);
    for lane in 0..LANES {
        out[lane] = pick(here[lane], all[lane], out[lane]);
    }
}

/// Shares of corners at the centres of pixels, in perspective.
#[inline(always)]
pub(crate) fn center_shares(rows: &[[f64; 3]; 3], origin: [i32; 2]) -> [Lanes; 3] {
    const MIDDLES: [f64; GROUP] = [0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5];
    let mut out = [[0.0; LANES]; 3];
    let left = f64::from(origin[0]);
    for row in 0..LANES / GROUP {
        let y = f64::from(origin[1] + row as i32) + 0.5;
        let mut parts = [[0.0_f64; GROUP]; 3];
        for corner in 0..3 {
            let [along_x, along_y, constant] = rows[corner];
            let along_y = along_y * y;
            for column in 0..GROUP {
                parts[corner][column] = along_x * (left + MIDDLES[column]) + along_y + constant;
            }
        }
        let mut inverse = [0.0_f64; GROUP];
        for column in 0..GROUP {
            let sum = parts[0][column] + parts[1][column] + parts[2][column];
            // Nothing for a sum of zero, without a branch.
            inverse[column] = 1.0 / if sum == 0.0 { f64::INFINITY } else { sum };
        }
        for corner in 0..3 {
            let out = &mut out[corner].as_chunks_mut::<GROUP>().0[row];
            for column in 0..GROUP {
                out[column] = (parts[corner][column] * inverse[column]) as f32;
            }
        }
    }
    out
}

/// A row of a map on a point, without the number that it adds.
fn along(row: &[f32; 4], point: &[f64; 3]) -> f64 {
    f64::from(row[0]) * point[0] + f64::from(row[1]) * point[1] + f64::from(row[2]) * point[2]
}

impl Form {
    /// The first of three corners, the ways from it to the second and the third, and how large the numbers are that positions are
    /// computed from.
    fn frame(&self) -> ([f64; 3], [[f64; 3]; 2], [f64; 3]) {
        match self {
            Self::Face(corners) => {
                let [a, b, c] = corners.map(|corner| corner.map(f64::from));
                let way = |to: [f64; 3]| [to[0] - a[0], to[1] - a[1], to[2] - a[2]];
                let size = [0, 1, 2].map(|axis| a[axis].abs() + b[axis].abs() + c[axis].abs());
                (a, [way(b), way(c)], size)
            }
            Self::Patch { origin, axes, start, width } => {
                let [origin, u, v] = [origin, &axes[0], &axes[1]].map(|vector| vector.map(f64::from));
                let [start, width] = [start, width].map(|values| values.map(f64::from));
                let first = [0, 1, 2].map(|axis| origin[axis] + start[0] * u[axis] + start[1] * v[axis]);
                let far = [0, 1].map(|way| start[way].abs() + width[way].abs());
                let size = [0, 1, 2]
                    .map(|axis| origin[axis].abs() + far[0] * u[axis].abs() + far[1] * v[axis].abs());
                (first, [u.map(|value| value * width[0]), v.map(|value| value * width[1])], size)
            }
        }
    }

    /// Coordinates on a patch; the shares are those of its corners 0, 1 and 3.
    #[inline(always)]
    pub(crate) fn coordinates<const N: usize>(&self, here: &[[f32; N]; 3]) -> [[f32; N]; 2] {
        let mut flat = [[0.0; N]; 2];
        if let Self::Patch { start, width, .. } = self {
            for lane in 0..N {
                flat[0][lane] = start[0] + here[1][lane] * width[0];
                flat[1][lane] = start[1] + here[2][lane] * width[1];
            }
        }
        flat
    }

    #[inline(always)]
    pub(crate) fn positions<const N: usize>(
        &self,
        here: &[[f32; N]; 3],
        flat: &[[f32; N]; 2],
        out: &mut [[f32; N]; 3],
    ) {
        match self {
            Self::Face([a, b, c]) => {
                for axis in 0..3 {
                    for lane in 0..N {
                        out[axis][lane] =
                            here[0][lane] * a[axis] + here[1][lane] * b[axis] + here[2][lane] * c[axis];
                    }
                }
            }
            Self::Patch { origin, axes: [along_u, along_v], .. } => {
                for axis in 0..3 {
                    for lane in 0..N {
                        out[axis][lane] =
                            origin[axis] + flat[0][lane] * along_u[axis] + flat[1][lane] * along_v[axis];
                    }
                }
            }
        }
    }
}
