//! Cells of patches: which of them pixels lie in, and the shares of the corners around.

use crate::lanes::{LANES, Lanes, alive, bits, pick};
use crate::shape::{Patch, Shape};

/// The three corners around a point in half a cell of a grid.
#[inline(always)]
pub(crate) const fn around(i: usize, j: usize, lower: bool) -> [[usize; 2]; 3] {
    if lower { [[i, j], [i + 1, j], [i, j + 1]] } else { [[i + 1, j], [i + 1, j + 1], [i, j + 1]] }
}

/// Whether pixels lie in the lower half of their cells (1) or not (0), and the shares of the corners of that half.
#[inline(always)]
pub(crate) fn halves<const N: usize>(across: &[f32; N], up: &[f32; N]) -> ([u32; N], [[f32; N]; 3]) {
    let mut lower = [0; N];
    for lane in 0..N {
        lower[lane] = -i32::from(across[lane] + up[lane] <= 1.0);
    }
    let (mut weights, mut numbers) = ([[0.0; N]; 3], [0; N]);
    let [first, second, third] = &mut weights;
    for lane in 0..N {
        let (a, b) = (across[lane], up[lane]);
        first[lane] = pick(lower[lane], 1.0 - a - b, 1.0 - b);
        second[lane] = pick(lower[lane], a, a + b - 1.0);
        third[lane] = pick(lower[lane], b, 1.0 - a);
    }
    for lane in 0..N {
        numbers[lane] = (lower[lane] & 1) as u32;
    }
    (numbers, weights)
}

/// The cell that a pixel lies in, and where between its lines.
pub(crate) struct Cell {
    pub column: usize,
    pub row: usize,
    pub within: [f32; 2],
}

impl Cell {
    /// The cell of a patch that a pixel with these coordinates lies in; perhaps the one of `hint`, or one beside it.
    #[inline(always)]
    pub(crate) fn find(shape: &Shape, patch: &Patch, flat: [f32; 2], hint: &mut [usize; 2]) -> Self {
        let lines = [shape.range(patch.us), shape.range(patch.vs)];
        let mut within = [0.0; 2];
        for axis in 0..2 {
            let (lines, value) = (lines[axis], flat[axis]);
            let number = cell(lines, value, hint[axis]);
            let width = lines[number + 1] - lines[number];
            within[axis] = if width > 0.0 { (value - lines[number]) / width } else { 0.0 };
            hint[axis] = number;
        }
        Self { column: hint[0], row: hint[1], within }
    }
}

/// Between which lines the pixels lie.
pub(crate) struct Cells {
    pub cell: [u32; LANES],
    /// All pixels that count lie in one cell.
    pub same: bool,
    /// Where between the two lines.
    pub within: Lanes,
}

impl Cells {
    /// Neighbouring pixels mostly lie in the same cell, `hint`.
    #[inline(always)]
    pub(crate) fn find(lines: &[f32], values: &Lanes, live: u16, hint: &mut usize) -> Self {
        let mut found = Self { cell: [0; LANES], same: true, within: [0.0; LANES] };
        if live != 0 {
            *hint = cell(lines, values[live.trailing_zeros() as usize], *hint);
        }
        *hint = (*hint).min(lines.len() - 2);
        let (low, high) = (lines[*hint], lines[*hint + 1]);
        let inside = bits(|lane| (low <= values[lane]) & (values[lane] < high));
        if inside & live == live {
            found.cell = [*hint as u32; LANES];
            let width = high - low;
            if width > 0.0 {
                for lane in 0..LANES {
                    found.within[lane] = (values[lane] - low) / width;
                }
            }
            return found;
        }
        found.same = false;
        let (mut lows, mut widths) = ([0.0; LANES], [0.0; LANES]);
        for lane in (0..LANES).filter(|lane| alive(live, *lane)) {
            *hint = cell(lines, values[lane], *hint);
            found.cell[lane] = *hint as u32;
            (lows[lane], widths[lane]) = (lines[*hint], lines[*hint + 1] - lines[*hint]);
        }
        for lane in 0..LANES {
            let share = (values[lane] - lows[lane]) / widths[lane];
            found.within[lane] = if widths[lane] > 0.0 { share } else { 0.0 };
        }
        found
    }
}

/// The cell a value lies in; the first or last one for values outside.
#[inline]
fn cell(lines: &[f32], value: f32, hint: usize) -> usize {
    // Most pixels lie beside the cell of the one before.
    for near in [hint, hint.wrapping_add(1), hint.wrapping_sub(1)] {
        if let Some([low, high]) = lines.get(near..).and_then(|lines| lines.first_chunk())
            && *low <= value
            && value < *high
        {
            return near;
        }
    }
    let after = lines.partition_point(|line| *line <= value);
    after.saturating_sub(1).min(lines.len() - 2)
}
