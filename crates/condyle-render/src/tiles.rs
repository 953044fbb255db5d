//! The making of a tile: visible surfaces, their colours, the mirror, haze and transparent surfaces, and the mean of samples.
//!
//! Samples are kept in planes, one for each sample of a pixel and rows one after the other, so that neighbours lie side by side.

use condyle_math::Work;

use crate::corner::Lighting;
use crate::cover::Cover;
use crate::draw::{Blend, Layer, Mirror};
use crate::lamp::Lamp;
use crate::lanes::{LANES, alive, bits, bits_of, byte_masks, pixel, quantize, quantize_all};
use crate::raster::{GROUP, GROUPS, PIXELS, Scan, Tile, tiny};
use crate::setup::{Setup, TILE};
use crate::shade::{Block, Memory, Shaded, Stage};
use crate::shadow::Query;

const NOTHING: u32 = u32::MAX;
const SIDE: usize = TILE as usize;

/// A surface in a block of pixels: which samples show it, and its colours.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Fragment {
    /// Lower row and group of the block in the tile.
    place: [u8; 2],
    mirrors: bool,
    /// Samples of each pixel as bits.
    samples: [u8; LANES],
    pub rgb: [[u8; LANES]; 3],
}

impl Fragment {
    /// Adds light at a pixel, at most to 255.
    #[inline]
    pub(crate) fn add(&mut self, lane: usize, light: [u8; 3]) {
        for axis in 0..3 {
            self.rgb[axis][lane] = self.rgb[axis][lane].saturating_add(light[axis]);
        }
    }
}

impl Fragment {
    /// Adds light at some pixels.
    #[inline(always)]
    fn add_all(&mut self, pixels: u16, light: &[[u8; LANES]; 3]) {
        let mut masks = [0; LANES];
        for (bytes, mask) in masks.as_chunks_mut().0.iter_mut().zip(byte_masks(pixels)) {
            *bytes = mask.to_le_bytes();
        }
        for axis in 0..3 {
            for lane in 0..LANES {
                self.rgb[axis][lane] = self.rgb[axis][lane].saturating_add(light[axis][lane] & masks[lane]);
            }
        }
    }
}

/// What is kept of a tile between the parts of a picture's making.
#[derive(Clone, Debug, Default)]
pub(crate) struct TileState {
    /// Depth of each sample; the first plane is the picture's.
    pub depth: Vec<f32>,
    pub fragments: Vec<Fragment>,
    /// Points that wait for the lamps with shadows, one list for each lamp.
    pub queries: Vec<Vec<Query>>,
    /// The finished tile.
    pub rgb: Vec<[u8; 3]>,
}

impl TileState {
    /// First row and column of the blocks that show the mirror.
    pub(crate) fn mirror_places(&self) -> impl Iterator<Item = [i32; 2]> {
        let mirrors = self.fragments.iter().filter(|fragment| fragment.mirrors);
        mirrors.map(|fragment| [i32::from(fragment.place[0]), i32::from(fragment.place[1]) * GROUP as i32])
    }
}

/// Room of a thread.
#[derive(Clone, Debug, Default)]
pub(crate) struct Workspace {
    pub memory: Memory,
    shaded: Shaded,
    elements: Vec<u32>,
    shown: Vec<Shown>,
    /// Bytes of samples: red, green and blue of the first sample, then those of the second.
    colors: Vec<u8>,
    sums: Vec<u16>,
    mirror: MirrorSpace,
    /// For each lamp the element that was asked about last, and whether all of its plane in the tile is bare.
    bare: Vec<(u32, bool)>,
}

/// A surface in a block: the block's lower row and group, what is shaded, and the samples of its pixels that show it as bits.
#[derive(Clone, Copy, Debug)]
struct Shown {
    place: [u8; 2],
    block: Block,
    samples: [u8; LANES],
}

#[derive(Clone, Debug, Default)]
struct MirrorSpace {
    depth: Vec<f32>,
    colors: Vec<u8>,
    /// 255 for samples that show the mirror, else 0.
    shows: Vec<u8>,
}

/// Triangles of a tile that are drawn in order, front to back and then, unless additive, back to front.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LateOrder {
    pub twice: bool,
}

/// A tile and what its making reads.
pub(crate) struct Job<'a, const S: usize> {
    pub stage: &'a Stage<'a>,
    pub setup: &'a Setup,
    pub number: usize,
    pub samples: &'a [[i32; 2]; S],
    pub lamps: &'a [Lamp],
    /// One for each lamp.
    pub covers: &'a [Cover],
    pub order: LateOrder,
}

fn fill<T: Clone>(values: &mut Vec<T>, count: usize, value: T) {
    values.clear();
    values.resize(count, value);
}

/// A part of the making of a tile.
struct Making<'a, const S: usize> {
    job: &'a Job<'a, S>,
    state: &'a mut TileState,
    space: &'a mut Workspace,
    part: Part,
}

enum Part {
    Reveal,
    Finish,
}

impl<const S: usize> Work for Making<'_, S> {
    type Output = ();

    #[inline(always)]
    fn run(self) {
        match self.part {
            Part::Reveal => self.job.reveal_surfaces(self.state, self.space),
            Part::Finish => self.job.finish_surfaces(self.state, self.space),
        }
    }
}

impl<const S: usize> Job<'_, S> {
    fn tile(&self) -> Tile {
        Tile::new(self.number, self.setup.columns, self.setup.width, self.setup.height)
    }

    fn bin(&self, layer: Layer) -> &[u32] {
        &self.setup.bins[layer as usize][self.number]
    }

    /// Finds the visible surfaces of the tile and their colours, but for lamps with shadows.
    pub(crate) fn reveal(&self, state: &mut TileState, space: &mut Workspace) {
        self.stage.registers.run(Making { job: self, state, space, part: Part::Reveal });
    }

    /// Finishes the tile once the lamps' light is in its fragments.
    pub(crate) fn finish(&self, state: &mut TileState, space: &mut Workspace) {
        self.stage.registers.run(Making { job: self, state, space, part: Part::Finish });
    }

    #[inline(always)]
    fn reveal_surfaces(&self, state: &mut TileState, space: &mut Workspace) {
        let tile = self.tile();
        fill(&mut state.depth, PIXELS * S, 0.0);
        fill(&mut space.elements, PIXELS * S, NOTHING);
        state.fragments.clear();
        // Lists of lamps that are not there now keep their memory for the next picture.
        if state.queries.len() < self.lamps.len() {
            state.queries.resize(self.lamps.len(), Vec::new());
        }
        state.queries.iter_mut().for_each(Vec::clear);
        self.nearest(Layer::Opaque, &tile, &mut state.depth, &mut space.elements);
        let Workspace { memory, shaded, elements, shown, bare, .. } = space;
        fill(bare, self.lamps.len(), (NOTHING, false));
        let TileState { fragments, queries, .. } = state;
        self.surfaces(&tile, elements, Lighting::Divided, shown);
        for Shown { place, block, samples } in shown.iter() {
            let mut fragment = Fragment {
                place: *place,
                mirrors: self.mirrors(block.element),
                samples: *samples,
                rgb: [[0; LANES]; 3],
            };
            if self.stage.shows_few(block) {
                self.show_few(memory, block, fragments.len(), &mut fragment, queries);
            } else if self.stage.shade(memory, block, shaded).is_some() {
                fragment.rgb = shaded.bytes();
                if self.stage.draw_of(block.element).takes_shadow && !self.lamps.is_empty() {
                    let number = fragments.len();
                    let known = (queries.as_mut_slice(), bare.as_mut_slice());
                    self.ask_lamps(memory, block, shaded, number, &mut fragment, known);
                }
            }
            fragments.push(fragment);
        }
    }

    /// The light of lamps with shadows, as questions whether it arrives.
    #[inline(always)]
    fn ask_lamps(
        &self,
        memory: &Memory,
        block: &Block,
        shaded: &Shaded,
        number: usize,
        fragment: &mut Fragment,
        (queries, bare): (&mut [Vec<Query>], &mut [(u32, bool)]),
    ) {
        // Lamps with shadows light only what is opaque, texture included.
        let live = block.live & bits(|lane| shaded.rgba[3][lane] >= 0.99);
        let flat = block.live == u16::MAX
            && self.stage.wires.is_empty()
            && self.stage.draw_of(block.element).line_width.is_none();
        let mut world = None;
        for (lamp, view) in self.lamps.iter().enumerate() {
            let [red, green, blue] = quantize_all(&self.stage.lamp(memory, shaded, lamp));
            let lit = live & bits(|lane| (red[lane] | green[lane] | blue[lane]) != 0);
            if lit == 0 {
                continue;
            }
            if flat && self.is_bare(memory, block.element, lamp, &mut bare[lamp]) {
                fragment.add_all(lit, &[red, green, blue]);
                continue;
            }
            let known = match world {
                Some(known) => known,
                None => self.stage.world_positions(block.element, &shaded.position),
            };
            world = Some(known);
            let texels = view.texels(&known);
            let beside = lit & bits(|lane| !texels.inside[lane]);
            let clear = beside | self.covers[lamp].clear(&texels, lit);
            fragment.add_all(clear, &[red, green, blue]);
            let mut rest = lit & !clear;
            while rest != 0 {
                let lane = rest.trailing_zeros() as usize;
                rest &= rest - 1;
                queries[lamp].push(Query {
                    texel: texels.texel(lane),
                    depth: texels.depth[lane],
                    tile: self.number as u32,
                    fragment: (number * LANES + lane) as u32,
                    rgb: [red[lane], green[lane], blue[lane]],
                });
            }
        }
    }

    /// Whether the lamp shines on all that is seen in the tile of the plane of the surface shaded last.
    #[inline(always)]
    fn is_bare(&self, memory: &Memory, element: u32, lamp: usize, known: &mut (u32, bool)) -> bool {
        if known.0 != element {
            let seen = self.stage.seen_corners(memory, &self.tile());
            let is_bare = |(corners, error)| self.covers[lamp].is_bare(&self.lamps[lamp], &corners, &error);
            *known = (element, seen.is_some_and(is_bare));
        }
        known.1
    }

    #[inline(always)]
    fn mirrors(&self, element: u32) -> bool {
        match self.stage.draw_of(element).mirror {
            Mirror::No => false,
            Mirror::Whole => true,
            // A cube has patches only.
            Mirror::FirstPatch => self.stage.elements[element as usize].face == 0,
        }
    }

    /// The nearest surface at each sample; of two at the same depth the later one.
    #[inline(always)]
    fn nearest(&self, layer: Layer, tile: &Tile, depth: &mut [f32], elements: &mut [u32]) {
        // No sample is farther away than this.
        let (mut farthest, mut drawn) = (0.0, false);
        for number in self.bin(layer) {
            let prim = &self.setup.prims[*number as usize];
            if prim.covered != 0 {
                tiny::<S>(prim, tile, self.samples, depth, elements);
                continue;
            }
            let Some(scan) = Scan::new(prim, tile, self.samples) else { continue };
            if scan.is_large() {
                if drawn && prim.range[1] >= farthest {
                    (farthest, drawn) = (least(depth), false);
                }
                if prim.range[1] < farthest {
                    continue;
                }
                drawn = true;
            }
            scan.keep_nearest(prim.element, depth, elements);
        }
    }

    /// Lists the surfaces of each block.
    #[inline(always)]
    fn surfaces(&self, tile: &Tile, elements: &[u32], lighting: Lighting, list: &mut Vec<Shown>) {
        list.clear();
        let elements = elements.as_chunks::<GROUP>().0;
        for row in (0..(tile.top - tile.bottom) as usize).step_by(2) {
            for group in 0..GROUPS {
                let origin = [tile.left + (group * GROUP) as i32, tile.bottom + row as i32];
                if origin[0] >= tile.right {
                    break;
                }
                let inside = inside(tile, origin);
                let mut shown = [[NOTHING; LANES]; S];
                for (sample, shown) in shown.iter_mut().enumerate() {
                    let at = (sample * SIDE + row) * GROUPS + group;
                    shown[..GROUP].copy_from_slice(&elements[at]);
                    shown[GROUP..].copy_from_slice(&elements[at + GROUPS]);
                }
                let place = [row as u8, group as u8];
                let mut block = Block { element: NOTHING, origin, live: inside, lighting };
                if inside == u16::MAX && same(&shown) {
                    block.element = shown[0][0];
                    if block.element != NOTHING {
                        list.push(Shown { place, block, samples: [(1 << S) - 1; LANES] });
                    }
                    continue;
                }
                for sample in 0..S {
                    let mut rest = inside;
                    while rest != 0 {
                        let lane = rest.trailing_zeros() as usize;
                        rest &= rest - 1;
                        if shown[sample][lane] == NOTHING {
                            continue;
                        }
                        block.element = shown[sample][lane];
                        let samples = take(&mut shown, block.element, inside);
                        block.live = bits(|lane| samples[lane] != 0);
                        list.push(Shown { place, block, samples });
                    }
                }
            }
        }
    }

    #[inline(always)]
    fn finish_surfaces(&self, state: &mut TileState, space: &mut Workspace) {
        let later = [Layer::MirrorOpaque, Layer::MirrorLate, Layer::Late];
        if later.iter().all(|layer| self.bin(*layer).is_empty()) {
            average::<S>(state, &mut space.sums);
            return;
        }
        let tile = self.tile();
        fill(&mut space.colors, 3 * PIXELS * S, 0);
        let mut any_mirror = false;
        for fragment in &state.fragments {
            paint::<S>(&mut space.colors, fragment.place, &fragment.samples, &fragment.rgb);
            any_mirror |= fragment.mirrors;
        }
        if any_mirror && later[..2].iter().any(|layer| !self.bin(*layer).is_empty()) {
            self.reflect(state, space, &tile);
        }
        let Workspace { memory, shaded, colors, .. } = space;
        self.blend_late(Layer::Late, &tile, (memory, shaded), &mut state.depth, colors, None);
        fill(&mut space.sums, 3 * PIXELS, 0);
        for plane in space.colors.chunks_exact(3 * PIXELS) {
            for (sum, byte) in space.sums.iter_mut().zip(plane) {
                *sum += u16::from(*byte);
            }
        }
        means::<S>(&mut space.sums, &mut state.rgb);
    }

    /// Adds what the mirror shows to the samples where the mirror is visible.
    #[inline(always)]
    fn reflect(&self, state: &TileState, space: &mut Workspace, tile: &Tile) {
        let Workspace { memory, shaded, elements, shown, colors, mirror, .. } = space;
        fill(&mut mirror.depth, PIXELS * S, 0.0);
        fill(elements, PIXELS * S, NOTHING);
        fill(&mut mirror.colors, 3 * PIXELS * S, 0);
        fill(&mut mirror.shows, PIXELS * S, 0);
        for fragment in state.fragments.iter().filter(|fragment| fragment.mirrors) {
            let starts = rows(fragment.place.map(usize::from));
            for half in 0..2 {
                let samples = eight(&fragment.samples, half * GROUP);
                for sample in 0..S {
                    let start = sample * PIXELS + starts[half];
                    if let Some(shows) = mirror.shows[start..].first_chunk_mut::<GROUP>() {
                        *shows = (u64::from_le_bytes(*shows) | sample_mask(samples, sample)).to_le_bytes();
                    }
                }
            }
        }
        self.nearest(Layer::MirrorOpaque, tile, &mut mirror.depth, elements);
        for (element, shows) in elements.iter_mut().zip(&mirror.shows) {
            *element = if *shows != 0 { *element } else { NOTHING };
        }
        self.surfaces(tile, elements, Lighting::Mirrored, shown);
        for Shown { place, block, samples } in shown.iter() {
            if self.stage.shows_few(block) {
                paint::<S>(&mut mirror.colors, *place, samples, &self.stage.few_bytes(memory, block));
            } else if self.stage.shade(memory, block, shaded).is_some() {
                paint::<S>(&mut mirror.colors, *place, samples, &shaded.bytes());
            }
        }
        let MirrorSpace { depth, colors: reflected, shows } = mirror;
        self.blend_late(Layer::MirrorLate, tile, (memory, shaded), depth, reflected, Some(shows));
        for (color, reflected) in colors.iter_mut().zip(reflected) {
            *color = color.saturating_add(*reflected);
        }
    }

    /// Blends triangles over the tile in the order of their draws, then once more in the opposite order.
    #[inline(always)]
    fn blend_late(
        &self,
        layer: Layer,
        tile: &Tile,
        (memory, shaded): (&mut Memory, &mut Shaded),
        depth: &mut [f32],
        colors: &mut [u8],
        shows: Option<&[u8]>,
    ) {
        let bin = self.bin(layer);
        let draw_of =
            |number: u32| self.stage.elements[self.setup.prims[number as usize].element as usize].draw;
        let mut blend = |number: u32| self.blend(number, tile, (memory, shaded), depth, colors, shows);
        bin.iter().for_each(|number| blend(*number));
        if self.order.twice {
            let mut end = bin.len();
            while end > 0 {
                let draw = draw_of(bin[end - 1]);
                let start =
                    bin[..end].iter().rposition(|number| draw_of(*number) != draw).map_or(0, |at| at + 1);
                if !self.stage.draws[draw as usize].writes_depth {
                    bin[start..end].iter().for_each(|number| blend(*number));
                }
                end = start;
            }
        }
    }

    /// Blends a triangle over the tile.
    #[inline(always)]
    fn blend(
        &self,
        number: u32,
        tile: &Tile,
        (memory, shaded): (&mut Memory, &mut Shaded),
        depth: &mut [f32],
        colors: &mut [u8],
        shows: Option<&[u8]>,
    ) {
        let prim = &self.setup.prims[number as usize];
        let draw = self.stage.draw_of(prim.element);
        let lighting = if shows.is_some() { Lighting::Mirrored } else { Lighting::All };
        let Some(scan) = Scan::new(prim, tile, self.samples) else { return };
        for row in (scan.rows[0] & !1..=scan.rows[1]).step_by(2) {
            for group in scan.groups[0]..=scan.groups[1] {
                let origin = [tile.left + (group * GROUP) as i32, tile.bottom + row as i32];
                let halves = [row, row + 1].map(|row| scan.visible(row, group, depth));
                let mut samples = [0_u8; LANES];
                for sample in 0..S {
                    for lane in 0..LANES {
                        let visible = halves[lane / GROUP].0[sample][lane % GROUP]
                            & shows.is_none_or(|shows| shows[sample * PIXELS + pixel(row, group, lane)] != 0);
                        samples[lane] |= u8::from(visible) << sample;
                    }
                }
                let live = bits(|lane| samples[lane] != 0) & inside(tile, origin);
                if live == 0 {
                    continue;
                }
                let block = Block { element: prim.element, origin, live, lighting };
                if self.stage.shade(memory, &block, shaded).is_none() {
                    continue;
                }
                let (rgb, alpha) = (shaded.bytes(), quantize(&shaded.rgba[3]));
                mix::<S>(colors, [row, group], &samples, &rgb, &alpha, draw.blend);
                if draw.writes_depth {
                    for sample in 0..S {
                        for lane in (0..LANES).filter(|lane| samples[*lane] >> sample & 1 != 0) {
                            depth[sample * PIXELS + pixel(row, group, lane)] =
                                halves[lane / GROUP].1[sample][lane % GROUP];
                        }
                    }
                }
            }
        }
    }
}

/// The least of all depths.
#[inline(always)]
fn least(depths: &[f32]) -> f32 {
    let mut least = [f32::INFINITY; 2 * GROUP];
    for depths in depths.as_chunks::<{ 2 * GROUP }>().0 {
        for lane in 0..2 * GROUP {
            least[lane] = if depths[lane] < least[lane] { depths[lane] } else { least[lane] };
        }
    }
    least.into_iter().fold(f32::INFINITY, f32::min)
}

/// Pixels of a block that lie in the picture.
#[inline(always)]
fn inside(tile: &Tile, origin: [i32; 2]) -> u16 {
    let columns = (tile.right - origin[0]).clamp(0, GROUP as i32) as u32;
    let row = (1_u16 << columns) - 1;
    if origin[1] + 1 < tile.top { row | row << GROUP } else { row }
}

/// Whether all samples of a block show the same element.
#[inline(always)]
fn same<const S: usize>(shown: &[[u32; LANES]; S]) -> bool {
    let first = shown[0][0];
    let mut differ = [0; LANES];
    for shown in shown {
        for lane in 0..LANES {
            differ[lane] |= (shown[lane] ^ first) as i32;
        }
    }
    bits_of(differ) == 0
}

/// The samples that show an element, which are taken out.
#[inline(always)]
fn take<const S: usize>(shown: &mut [[u32; LANES]; S], element: u32, inside: u16) -> [u8; LANES] {
    let mut samples = [0_u8; LANES];
    for (sample, shown) in shown.iter_mut().enumerate() {
        for lane in 0..LANES {
            let same = shown[lane] == element;
            samples[lane] |= u8::from(same) << sample;
            shown[lane] = if same { NOTHING } else { shown[lane] };
        }
    }
    if inside != u16::MAX {
        for lane in 0..LANES {
            samples[lane] = if alive(inside, lane) { samples[lane] } else { 0 };
        }
    }
    samples
}

/// The rows of a block in a plane of samples or colours.
#[inline]
fn rows([row, group]: [usize; 2]) -> [usize; 2] {
    let start = row * SIDE + group * GROUP;
    [start, start + SIDE]
}

/// For each of eight pixels all bits of a byte if it shows a sample, by the bits of the pixels' samples.
#[inline(always)]
const fn sample_mask(samples: u64, sample: usize) -> u64 {
    (samples >> sample & 0x0101_0101_0101_0101).wrapping_mul(255)
}

/// Eight bytes as one number.
#[inline(always)]
fn eight(bytes: &[u8], start: usize) -> u64 {
    bytes[start..].first_chunk().map_or(0, |bytes| u64::from_le_bytes(*bytes))
}

/// Sets the colours of samples.
#[inline(always)]
fn paint<const S: usize>(colors: &mut [u8], place: [u8; 2], samples: &[u8; LANES], rgb: &[[u8; LANES]; 3]) {
    let starts = rows(place.map(usize::from));
    for half in 0..2 {
        let samples = eight(samples, half * GROUP);
        let rgb = [eight(&rgb[0], half * GROUP), eight(&rgb[1], half * GROUP), eight(&rgb[2], half * GROUP)];
        for sample in 0..S {
            let shown = sample_mask(samples, sample);
            for axis in 0..3 {
                let start = (3 * sample + axis) * PIXELS + starts[half];
                if let Some(colors) = colors[start..].first_chunk_mut::<GROUP>() {
                    let old = u64::from_le_bytes(*colors);
                    *colors = (old ^ ((old ^ rgb[axis]) & shown)).to_le_bytes();
                }
            }
        }
    }
}

/// Product of two shares of 255, rounded.
#[inline]
const fn product(a: u8, b: u8) -> u8 {
    let value = a as u16 * b as u16 + 128;
    ((value + (value >> 8)) >> 8) as u8
}

/// Blends colours over those of samples.
#[inline(always)]
fn mix<const S: usize>(
    colors: &mut [u8],
    place: [usize; 2],
    samples: &[u8; LANES],
    rgb: &[[u8; LANES]; 3],
    alpha: &[u8; LANES],
    blend: Blend,
) {
    let mut rest = [0; LANES];
    let mut parts = *rgb;
    for lane in 0..LANES {
        rest[lane] = match blend {
            Blend::Replace => 0,
            Blend::Alpha => 255 - alpha[lane],
            Blend::Additive => 255,
        };
        if blend != Blend::Replace {
            for axis in 0..3 {
                parts[axis][lane] = product(rgb[axis][lane], alpha[lane]);
            }
        }
    }
    let starts = rows(place);
    for (plane, colors) in colors.chunks_exact_mut(PIXELS).enumerate() {
        let (sample, axis) = (plane / 3, plane % 3);
        for (half, start) in starts.into_iter().enumerate() {
            let colors = &mut colors[start..start + GROUP];
            let from = half * GROUP;
            let (samples, rest) = (&samples[from..from + GROUP], &rest[from..from + GROUP]);
            let parts = &parts[axis][from..from + GROUP];
            for lane in 0..GROUP {
                let blended = parts[lane].saturating_add(product(colors[lane], rest[lane]));
                let shown = samples[lane] >> sample & 1 != 0;
                colors[lane] = if shown { blended } else { colors[lane] };
            }
        }
    }
}

/// The mean of the samples of each pixel, for a tile to which nothing is added.
#[inline(always)]
fn average<const S: usize>(state: &mut TileState, sums: &mut Vec<u16>) {
    fill(sums, 3 * PIXELS, 0);
    for fragment in &state.fragments {
        let starts = rows(fragment.place.map(usize::from));
        let live = bits(|lane| fragment.samples[lane] != 0);
        if live.count_ones() <= 4 {
            let mut rest = live;
            while rest != 0 {
                let lane = rest.trailing_zeros() as usize;
                rest &= rest - 1;
                let count = fragment.samples[lane].count_ones() as u16;
                let at = starts[lane / GROUP] + lane % GROUP;
                for axis in 0..3 {
                    sums[axis * PIXELS + at] += count * u16::from(fragment.rgb[axis][lane]);
                }
            }
            continue;
        }
        let mut counts = [0_u16; LANES];
        for lane in 0..LANES {
            // Pairs of bits, then both pairs.
            let pairs = fragment.samples[lane] - (fragment.samples[lane] >> 1 & 0b0101);
            counts[lane] = u16::from((pairs & 0b0011) + (pairs >> 2));
        }
        for (axis, sums) in sums.as_chunks_mut::<PIXELS>().0.iter_mut().enumerate() {
            let groups = sums.as_chunks_mut::<GROUP>().0;
            for (half, start) in starts.into_iter().enumerate() {
                let (counts, rgb) =
                    (counts.as_chunks::<GROUP>().0[half], fragment.rgb[axis].as_chunks::<GROUP>().0[half]);
                let sums = &mut groups[start / GROUP];
                for lane in 0..GROUP {
                    sums[lane] += counts[lane] * u16::from(rgb[lane]);
                }
            }
        }
    }
    means::<S>(sums, &mut state.rgb);
}

/// Means from sums of samples: red of all pixels, then green and blue.
#[inline(always)]
fn means<const S: usize>(sums: &mut [u16], rgb: &mut Vec<[u8; 3]>) {
    for sum in sums.iter_mut() {
        *sum = (*sum + S as u16 / 2) / S as u16;
    }
    let (red, rest) = sums.split_at(PIXELS);
    let (green, blue) = rest.split_at(PIXELS);
    rgb.resize(PIXELS, [0; 3]);
    for (pixel, ((r, g), b)) in rgb.iter_mut().zip(red.iter().zip(green).zip(blue)) {
        *pixel = [*r as u8, *g as u8, *b as u8];
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
    fn samples_of_an_element_are_taken_once() {
        let mut shown = [[NOTHING; LANES]; 4];
        (shown[0][3], shown[3][3], shown[2][3], shown[1][15]) = (7, 7, 3, 7);
        let seven = take(&mut shown, 7, u16::MAX);
        assert_eq!((seven[3], seven[15], seven[0]), (0b1001, 0b0010, 0));
        assert_eq!(take(&mut shown, 3, u16::MAX)[3], 0b0100);
        assert!(shown.iter().flatten().all(|element| *element == NOTHING));
    }

    #[test]
    fn blending_changes_the_samples_that_show_the_surface_alone() {
        let mut colors = vec![100; 3 * PIXELS * 4];
        let mut samples = [0; LANES];
        (samples[2], samples[9]) = (0b0001, 0b1000);
        let (rgb, alpha) = ([[200; LANES]; 3], [128; LANES]);
        mix::<4>(&mut colors, [6, 2], &samples, &rgb, &alpha, Blend::Alpha);
        let changed: Vec<usize> = (0..colors.len()).filter(|at| colors[*at] != 100).collect();
        let at = |sample: usize, axis: usize, lane: usize| (3 * sample + axis) * PIXELS + pixel(6, 2, lane);
        assert_eq!(changed, [at(0, 0, 2), at(0, 1, 2), at(0, 2, 2), at(3, 0, 9), at(3, 1, 9), at(3, 2, 9)]);
        assert_eq!(colors[at(0, 0, 2)], 150);
    }
}
