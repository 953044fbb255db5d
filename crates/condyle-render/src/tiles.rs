//! The making of a tile: visible surfaces, their colours, the mirror, haze and transparent surfaces, and the mean of samples.

use crate::draw::{Blend, Layer, Mirror};
use crate::raster::{Tile, rasterize};
use crate::setup::{Setup, TILE};
use crate::shade::{Lighting, Memory, Stage};
use crate::shadow::{Lamp, Query};
use crate::target::quantize;

const PIXELS: usize = (TILE * TILE) as usize;
const NOTHING: u32 = u32::MAX;

/// A surface at a pixel: which samples show it, and its colour.
#[derive(Clone, Copy, Debug, Default)]
pub struct Fragment {
    pub pixel: u16,
    pub samples: u8,
    pub mirrors: bool,
    pub rgb: [u8; 3],
}

/// What is kept of a tile between the parts of a picture's making.
#[derive(Clone, Debug, Default)]
pub struct TileState {
    depth: Vec<f32>,
    elements: Vec<u32>,
    pub fragments: Vec<Fragment>,
    /// Points that wait for the lamps with shadows, one list for each lamp.
    pub queries: Vec<Vec<Query>>,
    /// The finished tile.
    pub rgb: Vec<[u8; 3]>,
    pub final_depth: Vec<f32>,
}

/// Room of a thread.
#[derive(Clone, Debug, Default)]
pub struct Workspace {
    pub memory: Memory,
    colors: Vec<[u8; 3]>,
    sums: Vec<[u16; 3]>,
    mirror: MirrorSpace,
}

#[derive(Clone, Debug, Default)]
struct MirrorSpace {
    depth: Vec<f32>,
    elements: Vec<u32>,
    colors: Vec<[u8; 3]>,
    shows: Vec<bool>,
}

/// Triangles of a tile that are drawn in order, front to back and then, unless additive, back to front.
#[derive(Clone, Copy, Debug)]
pub struct LateOrder {
    pub twice: bool,
}

/// Finds the visible surfaces of a tile and their colours, but for lamps with shadows.
pub fn reveal<const S: usize>(
    state: &mut TileState,
    space: &mut Workspace,
    stage: &Stage<'_>,
    setup: &Setup,
    number: usize,
    samples: &[[i32; 2]; S],
    lamps: &[Lamp],
) {
    let tile = Tile::new(number, setup.columns, setup.width, setup.height);
    state.depth.clear();
    state.depth.resize(PIXELS * S, 0.0);
    state.elements.clear();
    state.elements.resize(PIXELS * S, NOTHING);
    state.fragments.clear();
    // Lists of lamps that are not there now keep their memory for the next picture.
    if state.queries.len() < lamps.len() {
        state.queries.resize(lamps.len(), Vec::new());
    }
    state.queries.iter_mut().for_each(Vec::clear);
    let bin = &setup.bins[Layer::Opaque as usize][number];
    nearest(bin, setup, &tile, samples, &mut state.depth, &mut state.elements);
    for (x, y) in blocks(&tile) {
        let pixel = tile.local(x, y);
        let shown: &[u32] = &state.elements[pixel * S..pixel * S + S];
        for_each_surface(shown, |element, mask| {
            let mut fragment = Fragment { pixel: pixel as u16, samples: mask, mirrors: false, rgb: [0; 3] };
            fragment.mirrors = mirrors(stage, element);
            let at = state.fragments.len() as u32;
            let Some(shaded) = stage.shade(&mut space.memory, element, [x, y], Lighting::Divided) else {
                state.fragments.push(fragment);
                return;
            };
            fragment.rgb = [0, 1, 2].map(|axis| quantize(shaded.rgba[axis]));
            // Lamps with shadows light only what is opaque, texture included.
            if stage.draw_of(element).takes_shadow && shaded.rgba[3] >= 0.99 {
                for (lamp, view) in lamps.iter().enumerate() {
                    let rgb = stage.lamp(&space.memory, &shaded, lamp).map(quantize);
                    if rgb == [0; 3] {
                        continue;
                    }
                    match view.texel(stage.world_position(&space.memory, element, &shaded)) {
                        Some((texel, depth)) => state.queries[lamp].push(Query {
                            texel,
                            depth,
                            tile: number as u32,
                            fragment: at,
                            rgb,
                            dark: false,
                        }),
                        None => add_light(&mut fragment.rgb, rgb),
                    }
                }
            }
            state.fragments.push(fragment);
        });
    }
}

/// Pixels of a tile in blocks of two by two, which share what textures need; tiles begin at even pixels.
fn blocks(tile: &Tile) -> impl Iterator<Item = (i32, i32)> {
    let Tile { left, bottom, right, top } = *tile;
    let rows = (bottom..top).step_by(2);
    rows.flat_map(move |y| (left..right).step_by(2).map(move |x| (x, y)))
        .flat_map(|(x, y)| [(x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1)])
        .filter(move |(x, y)| *x < right && *y < top)
}

/// Adds colours, at most to 255.
#[inline]
pub fn add_light(rgb: &mut [u8; 3], light: [u8; 3]) {
    for axis in 0..3 {
        rgb[axis] = rgb[axis].saturating_add(light[axis]);
    }
}

fn mirrors(stage: &Stage<'_>, element: u32) -> bool {
    let draw = stage.draw_of(element);
    match draw.mirror {
        Mirror::No => false,
        Mirror::Whole => true,
        // A cube has patches only.
        Mirror::FirstPatch => stage.elements[element as usize].face == 0,
    }
}

/// The nearest surface at each sample; of two at the same depth the later one.
fn nearest<const S: usize>(
    bin: &[u32],
    setup: &Setup,
    tile: &Tile,
    samples: &[[i32; 2]; S],
    depth: &mut [f32],
    elements: &mut [u32],
) {
    for number in bin {
        let prim = &setup.prims[*number as usize];
        rasterize(prim, tile, samples, |pixel, _, _, mask, values| {
            let depth = &mut depth[pixel * S..pixel * S + S];
            let elements = &mut elements[pixel * S..pixel * S + S];
            for sample in 0..S {
                if mask >> sample & 1 != 0 && values[sample] >= depth[sample] {
                    depth[sample] = values[sample];
                    elements[sample] = prim.element;
                }
            }
        });
    }
}

/// Calls `visit` once for each surface among a pixel's samples, with the samples as bits.
#[inline]
fn for_each_surface(shown: &[u32], mut visit: impl FnMut(u32, u8)) {
    let mut done = 0_u8;
    for (sample, element) in shown.iter().enumerate() {
        if done >> sample & 1 != 0 || *element == NOTHING {
            continue;
        }
        let mut mask = 0;
        for (other, value) in shown.iter().enumerate() {
            mask |= u8::from(value == element) << other;
        }
        done |= mask;
        visit(*element, mask);
    }
}

/// Finishes a tile once the lamps' light is in its fragments.
pub fn finish<const S: usize>(
    state: &mut TileState,
    space: &mut Workspace,
    stage: &Stage<'_>,
    setup: &Setup,
    number: usize,
    samples: &[[i32; 2]; S],
    order: LateOrder,
) {
    let tile = Tile::new(number, setup.columns, setup.width, setup.height);
    let mirrored = [Layer::MirrorOpaque, Layer::MirrorLate];
    let later = [Layer::MirrorOpaque, Layer::MirrorLate, Layer::Late];
    if later.iter().all(|layer| setup.bins[*layer as usize][number].is_empty()) {
        average::<S>(state, &mut space.sums);
        return;
    }
    space.colors.clear();
    space.colors.resize(PIXELS * S, [0; 3]);
    let mut any_mirror = false;
    for fragment in &state.fragments {
        let at = usize::from(fragment.pixel) * S;
        for sample in 0..S {
            if fragment.samples >> sample & 1 != 0 {
                space.colors[at + sample] = fragment.rgb;
            }
        }
        any_mirror |= fragment.mirrors;
    }
    if any_mirror && mirrored.iter().any(|layer| !setup.bins[*layer as usize][number].is_empty()) {
        reflect(state, space, stage, setup, number, &tile, samples, order);
    }
    let Workspace { memory, colors, .. } = space;
    blend_late(
        &setup.bins[Layer::Late as usize][number],
        setup,
        &tile,
        samples,
        order,
        memory,
        stage,
        &mut state.depth,
        colors,
        None,
    );
    state.rgb.clear();
    state.final_depth.clear();
    for pixel in 0..PIXELS {
        let at = pixel * S;
        state.final_depth.push(state.depth[at]);
        let mut sum = [0_u32; 3];
        for color in &space.colors[at..at + S] {
            for axis in 0..3 {
                sum[axis] += u32::from(color[axis]);
            }
        }
        state.rgb.push(sum.map(|value| ((value + S as u32 / 2) / S as u32) as u8));
    }
}

/// The mean of the samples of each pixel, for a tile to which nothing is added.
fn average<const S: usize>(state: &mut TileState, sums: &mut Vec<[u16; 3]>) {
    sums.clear();
    sums.resize(PIXELS, [0; 3]);
    for fragment in &state.fragments {
        let count = fragment.samples.count_ones() as u16;
        let sum = &mut sums[usize::from(fragment.pixel)];
        for axis in 0..3 {
            sum[axis] += count * u16::from(fragment.rgb[axis]);
        }
    }
    state.rgb.clear();
    state.rgb.extend(sums.iter().map(|[r, g, b]| {
        let mean = |sum: u16| ((sum + S as u16 / 2) / S as u16) as u8;
        [mean(*r), mean(*g), mean(*b)]
    }));
    state.final_depth.clear();
    state.final_depth.extend(state.depth.iter().step_by(S));
}

/// Adds what the mirror shows to the samples where the mirror is visible.
#[allow(clippy::too_many_arguments, reason = "the parts of a tile's making share all of this")]
fn reflect<const S: usize>(
    state: &TileState,
    space: &mut Workspace,
    stage: &Stage<'_>,
    setup: &Setup,
    number: usize,
    tile: &Tile,
    samples: &[[i32; 2]; S],
    order: LateOrder,
) {
    let Workspace { memory, colors, mirror, .. } = space;
    mirror.depth.clear();
    mirror.depth.resize(PIXELS * S, 0.0);
    mirror.elements.clear();
    mirror.elements.resize(PIXELS * S, NOTHING);
    mirror.colors.clear();
    mirror.colors.resize(PIXELS * S, [0; 3]);
    mirror.shows.clear();
    mirror.shows.resize(PIXELS * S, false);
    for fragment in state.fragments.iter().filter(|fragment| fragment.mirrors) {
        for sample in 0..S {
            if fragment.samples >> sample & 1 != 0 {
                mirror.shows[usize::from(fragment.pixel) * S + sample] = true;
            }
        }
    }
    let bin = &setup.bins[Layer::MirrorOpaque as usize][number];
    nearest(bin, setup, tile, samples, &mut mirror.depth, &mut mirror.elements);
    for y in tile.bottom..tile.top {
        for x in tile.left..tile.right {
            let at = tile.local(x, y) * S;
            for sample in 0..S {
                if !mirror.shows[at + sample] {
                    mirror.elements[at + sample] = NOTHING;
                }
            }
            for_each_surface(&mirror.elements[at..at + S], |element, mask| {
                let Some(shaded) = stage.shade(memory, element, [x, y], Lighting::Mirrored) else { return };
                let rgb = [0, 1, 2].map(|axis| quantize(shaded.rgba[axis]));
                for sample in 0..S {
                    if mask >> sample & 1 != 0 {
                        mirror.colors[at + sample] = rgb;
                    }
                }
            });
        }
    }
    blend_late(
        &setup.bins[Layer::MirrorLate as usize][number],
        setup,
        tile,
        samples,
        order,
        memory,
        stage,
        &mut mirror.depth,
        &mut mirror.colors,
        Some(&mirror.shows),
    );
    for (color, reflected) in colors.iter_mut().zip(&mirror.colors) {
        add_light(color, *reflected);
    }
}

/// Blends triangles over the tile in the order of their draws, then once more in the opposite order.
#[allow(clippy::too_many_arguments, reason = "the parts of a tile's making share all of this")]
fn blend_late<const S: usize>(
    bin: &[u32],
    setup: &Setup,
    tile: &Tile,
    samples: &[[i32; 2]; S],
    order: LateOrder,
    memory: &mut Memory,
    stage: &Stage<'_>,
    depth: &mut [f32],
    colors: &mut [[u8; 3]],
    shows: Option<&[bool]>,
) {
    let draw_of = |number: u32| stage.elements[setup.prims[number as usize].element as usize].draw;
    let lighting = if shows.is_some() { Lighting::Mirrored } else { Lighting::All };
    let mut blend = |number: u32| {
        let prim = &setup.prims[number as usize];
        let draw = stage.draw_of(prim.element);
        rasterize(prim, tile, samples, |pixel, x, y, mask, values| {
            let at = pixel * S;
            let mut visible = 0;
            for sample in 0..S {
                let shown = shows.is_none_or(|shows| shows[at + sample]);
                let near = values[sample] >= depth[at + sample];
                visible |= u32::from(shown && near) << sample;
            }
            let visible = visible & mask;
            if visible == 0 {
                return;
            }
            let Some(shaded) = stage.shade(memory, prim.element, [x, y], lighting) else { return };
            let [r, g, b, a] = shaded.rgba.map(quantize);
            for sample in 0..S {
                if visible >> sample & 1 != 0 {
                    mix(&mut colors[at + sample], [r, g, b], a, draw.blend);
                    if draw.writes_depth {
                        depth[at + sample] = values[sample];
                    }
                }
            }
        });
    };
    bin.iter().for_each(|number| blend(*number));
    if order.twice {
        let mut end = bin.len();
        while end > 0 {
            let draw = draw_of(bin[end - 1]);
            let start = bin[..end].iter().rposition(|number| draw_of(*number) != draw).map_or(0, |at| at + 1);
            if !stage.draws[draw as usize].writes_depth {
                bin[start..end].iter().for_each(|number| blend(*number));
            }
            end = start;
        }
    }
}

/// Product of two shares of 255, rounded.
#[inline]
fn product(a: u8, b: u8) -> u8 {
    let value = u32::from(a) * u32::from(b) + 128;
    ((value + (value >> 8)) >> 8) as u8
}

#[inline]
fn mix(old: &mut [u8; 3], new: [u8; 3], alpha: u8, blend: Blend) {
    for axis in 0..3 {
        old[axis] = match blend {
            Blend::Replace => new[axis],
            Blend::Alpha => product(new[axis], alpha).saturating_add(product(old[axis], 255 - alpha)),
            Blend::Additive => product(new[axis], alpha).saturating_add(old[axis]),
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_of_bytes_are_rounded_shares() {
        for a in 0..=255_u8 {
            for b in [0, 1, 77, 128, 254, 255_u8] {
                let exact = f64::from(a) * f64::from(b) / 255.0;
                assert!((f64::from(product(a, b)) - exact).abs() <= 0.5, "{a} {b}");
            }
        }
    }

    #[test]
    fn each_surface_of_a_pixel_is_visited_once() {
        let mut seen = Vec::new();
        for_each_surface(&[7, NOTHING, 3, 7], |element, mask| seen.push((element, mask)));
        assert_eq!(seen, [(7, 0b1001), (3, 0b0100)]);
    }
}
