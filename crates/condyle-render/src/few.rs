//! Pixels shaded one by one: where a block shows little of a surface, most of its lanes would be idle.
//!
//! The operations are those of whole blocks, in their order, so that it does not matter which way a pixel goes. Textures look at
//! neighbours and stay with blocks, and so does fog.

use condyle_math::Work;

use crate::cells::{Cell, halves};
use crate::cover::Cover;
use crate::draw::Mapping;
use crate::lanes::{LANES, quantize, quantize_all};
use crate::light::{FEW, Few};
use crate::raster::GROUP;
use crate::shade::{Block, Memory, PlaceKind, Stage, Surface, interpolate};
use crate::shadow::Query;
use crate::tiles::{Fragment, Job};

/// Blocks with at most this many pixels of a surface are not shaded as a whole.
const MOST_PIXELS: u32 = 8;

/// Pixels of a block; where there are fewer than [`FEW`], the first stands for the others too.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Spots {
    lanes: [usize; FEW],
    count: usize,
}

impl Spots {
    /// Takes pixels out of those that are live, of which there is one.
    #[inline(always)]
    fn take(live: &mut u16) -> Self {
        let mut spots = Self { lanes: [live.trailing_zeros() as usize % LANES; FEW], count: 0 };
        while spots.count < FEW && *live != 0 {
            spots.lanes[spots.count] = live.trailing_zeros() as usize % LANES;
            spots.count += 1;
            *live &= *live - 1;
        }
        spots
    }

    /// Shares of corners at the centres of the pixels, in perspective.
    #[inline(always)]
    fn shares(&self, rows: &[[f64; 3]; 3], [left, bottom]: [i32; 2]) -> [Few; 3] {
        let (mut parts, mut inverse, mut out) = ([[0.0_f64; FEW]; 3], [0.0; FEW], [[0.0; FEW]; 3]);
        let (mut x, mut y) = ([0.0; FEW], [0.0; FEW]);
        for at in 0..FEW {
            x[at] = f64::from(left + (self.lanes[at] % GROUP) as i32) + 0.5;
            y[at] = f64::from(bottom + (self.lanes[at] / GROUP) as i32) + 0.5;
        }
        for corner in 0..3 {
            let [along_x, along_y, constant] = rows[corner];
            for at in 0..FEW {
                parts[corner][at] = along_x * x[at] + along_y * y[at] + constant;
            }
        }
        for at in 0..FEW {
            let sum = parts[0][at] + parts[1][at] + parts[2][at];
            inverse[at] = 1.0 / if sum == 0.0 { f64::INFINITY } else { sum };
        }
        for corner in 0..3 {
            for at in 0..FEW {
                out[corner][at] = (parts[corner][at] * inverse[at]) as f32;
            }
        }
        out
    }
}

/// Colours of a few pixels and where they are in the frame of the surface.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ShadedFew {
    rgb: [Few; 3],
    position: [Few; 3],
}

/// A few pixels being shaded.
struct Shading<'a> {
    stage: &'a Stage<'a>,
    memory: &'a mut Memory,
    block: &'a Block,
    spots: &'a Spots,
}

impl Work for Shading<'_> {
    type Output = Option<ShadedFew>;

    #[inline(always)]
    fn run(self) -> Option<ShadedFew> {
        self.stage.few_colors(self.memory, self.block, self.spots)
    }
}

impl Stage<'_> {
    /// Whether pixels of a block are to be shaded one by one.
    #[inline(always)]
    pub(crate) fn shows_few(&self, block: &Block) -> bool {
        if block.live.count_ones() > MOST_PIXELS || self.fog.is_some() || !self.wires.is_empty() {
            return false;
        }
        let draw = self.draw_of(block.element);
        draw.line_width.is_none()
            && draw.material.mapping == Mapping::None
            && draw.shape.get(self.context, self.dynamic).is_some_and(|shape| shape.alphas.is_empty())
    }

    /// Colours of a few pixels, without opacity; the light of lamps with shadows is in `memory.few_lamps`.
    #[inline(always)]
    fn few_colors(&self, memory: &mut Memory, block: &Block, spots: &Spots) -> Option<ShadedFew> {
        let element = &self.elements[block.element as usize];
        let draw = &self.draws[element.draw as usize];
        let place = self.place(element)?;
        if memory.surface.element != block.element {
            memory.surface = self.surface(block.element, &place);
        }
        let Surface { shares, form, .. } = memory.surface;
        let here = spots.shares(shares.as_ref()?, block.origin);
        let flat = form.coordinates(&here);
        let mut few = ShadedFew { rgb: [[0.0; FEW]; 3], position: [[0.0; FEW]; 3] };
        let lamps = if draw.takes_shadow { memory.lamps.len() } else { 0 };
        if lamps > 0 {
            form.positions(&here, &flat, &mut few.position);
        }
        match &place.kind {
            PlaceKind::Patch(patch) if !draw.material.unlit => {
                for at in 0..spots.count {
                    let cell = Cell::find(place.shape, patch, [flat[0][at], flat[1][at]], &mut memory.cell);
                    let (lower, weights) = halves(&[cell.within[0]], &[cell.within[1]]);
                    let cell = [cell.column, cell.row];
                    let colors =
                        self.cell_colors(memory, draw, place.shape, patch, block, cell, lower[0] != 0);
                    for axis in 0..3 {
                        let mut out = [0.0];
                        interpolate(&colors, axis, &weights, &mut out);
                        few.rgb[axis][at] = out[0];
                        for lamp in 0..lamps {
                            interpolate(&memory.lamps[lamp], axis, &weights, &mut out);
                            memory.few_lamps[lamp][axis][at] = out[0];
                        }
                    }
                }
            }
            kind => {
                let colors = self.face_colors(memory, draw, place.shape, block, kind);
                for axis in 0..3 {
                    interpolate(&colors, axis, &here, &mut few.rgb[axis]);
                    for lamp in 0..lamps {
                        interpolate(&memory.lamps[lamp], axis, &here, &mut memory.few_lamps[lamp][axis]);
                    }
                }
            }
        }
        Some(few)
    }

    #[inline(always)]
    fn shade_few(&self, memory: &mut Memory, block: &Block, spots: &Spots) -> Option<ShadedFew> {
        self.registers.run(Shading { stage: self, memory, block, spots })
    }

    /// Colours of pixels one by one as bytes.
    pub(crate) fn few_bytes(&self, memory: &mut Memory, block: &Block) -> [[u8; LANES]; 3] {
        let mut bytes = [[0; LANES]; 3];
        let mut rest = block.live;
        while rest != 0 {
            let spots = Spots::take(&mut rest);
            let Some(few) = self.shade_few(memory, block, &spots) else { break };
            put(&spots, &few, &mut bytes);
        }
        bytes
    }
}

#[inline(always)]
fn put(spots: &Spots, few: &ShadedFew, bytes: &mut [[u8; LANES]; 3]) {
    for (bytes, values) in bytes.iter_mut().zip(&few.rgb) {
        let values = quantize(values);
        for at in 0..spots.count {
            bytes[spots.lanes[at]] = values[at];
        }
    }
}

impl<const S: usize> Job<'_, S> {
    /// Shades pixels one by one, with questions to the lamps whether their light arrives.
    #[inline(always)]
    pub(crate) fn show_few(
        &self,
        memory: &mut Memory,
        block: &Block,
        number: usize,
        fragment: &mut Fragment,
        queries: &mut [Vec<Query>],
    ) {
        let draw = self.stage.draw_of(block.element);
        let alpha = draw.material.finish.rgba[3].max(0.0).min(1.0);
        let asks = draw.takes_shadow && alpha >= 0.99;
        let mut rest = block.live;
        while rest != 0 {
            let spots = Spots::take(&mut rest);
            let Some(few) = self.stage.shade_few(memory, block, &spots) else { return };
            put(&spots, &few, &mut fragment.rgb);
            if asks && !self.lamps.is_empty() {
                self.ask_few(memory, block, &spots, &few, number, fragment, queries);
            }
        }
    }

    #[allow(clippy::too_many_arguments, reason = "all of it is at hand where this is called")]
    #[inline(always)]
    fn ask_few(
        &self,
        memory: &Memory,
        block: &Block,
        spots: &Spots,
        few: &ShadedFew,
        number: usize,
        fragment: &mut Fragment,
        queries: &mut [Vec<Query>],
    ) {
        let world = self.stage.world_positions(block.element, &few.position);
        for (lamp, view) in self.lamps.iter().enumerate() {
            let [red, green, blue] = quantize_all(&memory.few_lamps[lamp]);
            let texels = view.texels(&world);
            let cover: &Cover = &self.covers[lamp];
            for at in 0..spots.count {
                let (lane, rgb) = (spots.lanes[at], [red[at], green[at], blue[at]]);
                if rgb == [0; 3] {
                    continue;
                }
                if !texels.inside[at] || cover.is_clear_at(&texels, at) {
                    fragment.add(lane, rgb);
                    continue;
                }
                queries[lamp].push(Query {
                    texel: texels.texel(at),
                    depth: texels.depth[at],
                    tile: self.number as u32,
                    fragment: (number * LANES + lane) as u32,
                    rgb,
                });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shade::center_shares;

    #[test]
    fn pixels_have_the_shares_that_they_have_in_their_block() {
        let rows = [[0.013, -0.4, 7.1], [-0.2, 0.3, 1.7], [0.05, 0.07, -3.0]];
        let whole = center_shares(&rows, [40, 62]);
        for live in [1_u16, 0x8000, 0x0101, 0xA5C3, 0x7F00, u16::MAX] {
            let (mut rest, mut seen) = (live, 0);
            while rest != 0 {
                let spots = Spots::take(&mut rest);
                let here = spots.shares(&rows, [40, 62]);
                for at in 0..spots.count {
                    seen |= 1 << spots.lanes[at];
                    for corner in 0..3 {
                        assert_eq!(here[corner][at].to_bits(), whole[corner][spots.lanes[at]].to_bits());
                    }
                }
            }
            assert_eq!(seen, live);
        }
    }
}
