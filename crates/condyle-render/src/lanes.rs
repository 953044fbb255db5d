//! Blocks of eight by two pixels, which are shaded together: sixteen values side by side, in loops that compilers turn into vector
//! instructions. The lower row comes first. Textures need neighbours in both directions, hence two rows.

use crate::raster::GROUP;
use crate::setup::TILE;

/// Pixels of a block.
pub(crate) const LANES: usize = 2 * GROUP;

/// A value for each pixel of a block.
pub(crate) type Lanes = [f32; LANES];

/// Whether a pixel is among those that count.
#[inline(always)]
pub(crate) const fn alive(live: u16, lane: usize) -> bool {
    live >> lane & 1 != 0
}

/// A bit for each pixel.
const BITS: [i32; LANES] = [
    1,
    1 << 1,
    1 << 2,
    1 << 3,
    1 << 4,
    1 << 5,
    1 << 6,
    1 << 7,
    1 << 8,
    1 << 9,
    1 << 10,
    1 << 11,
    1 << 12,
    1 << 13,
    1 << 14,
    1 << 15,
];

/// All bits of the pixels that count, and none of the others.
#[inline(always)]
pub(crate) fn masks(live: u16) -> [i32; LANES] {
    let mut masks = [0; LANES];
    for lane in 0..LANES {
        masks[lane] = -i32::from(i32::from(live) & BITS[lane] != 0);
    }
    masks
}

/// The same in bytes, those of the lower row in the lower half.
#[inline(always)]
pub(crate) const fn byte_masks(live: u16) -> [u64; 2] {
    // Eight copies of the bits, of each the one of its place, carried to the highest bit of the byte and spread from there.
    const fn spread(bits: u64) -> u64 {
        let chosen = bits.wrapping_mul(0x0101_0101_0101_0101) & 0x8040_2010_0804_0201;
        let highest = chosen.wrapping_add(0x7F7F_7F7F_7F7F_7F7F) & 0x8080_8080_8080_8080;
        (highest >> 7).wrapping_mul(255)
    }
    [spread((live & 0xFF) as u64), spread((live >> 8) as u64)]
}

/// The least of several numbers; in halves, which compilers turn into vector instructions.
#[inline(always)]
pub(crate) fn least_of(mut values: [i32; LANES]) -> i32 {
    for lane in 0..LANES / 2 {
        values[lane] = values[lane].min(values[lane + LANES / 2]);
    }
    for lane in 0..LANES / 4 {
        values[lane] = values[lane].min(values[lane + LANES / 4]);
    }
    (values[0].min(values[1])).min(values[2].min(values[3]))
}

/// All bits that several numbers have.
#[inline(always)]
pub(crate) fn bits_of(mut values: [i32; LANES]) -> i32 {
    for lane in 0..LANES / 2 {
        values[lane] |= values[lane + LANES / 2];
    }
    for lane in 0..LANES / 4 {
        values[lane] |= values[lane + LANES / 4];
    }
    values[0] | values[1] | values[2] | values[3]
}

/// The first value where the mask has all bits, the second where it has none.
#[inline(always)]
pub(crate) fn pick(mask: i32, first: f32, second: f32) -> f32 {
    f32::from_bits((first.to_bits() & mask as u32) | (second.to_bits() & !mask as u32))
}

/// The two by two pixels that begin in a column: lower left, lower right, upper left, upper right.
#[inline(always)]
pub(crate) const fn quad(column: usize) -> [usize; 4] {
    [column, column + 1, column + GROUP, column + GROUP + 1]
}

/// Pixel of a tile in a block: the block's lower row and its group, and the pixel's number in the block.
#[inline(always)]
pub(crate) const fn pixel(row: usize, group: usize, lane: usize) -> usize {
    (row + lane / GROUP) * TILE as usize + group * GROUP + lane % GROUP
}

/// Adding it leaves the whole number in the lowest bits of the sum; subtracting it again rounds.
const WHOLE: f32 = 12_582_912.0;

/// Largest whole number not above a value, as a number of each kind; for values below 2^22. Compilers have vector instructions for this,
/// but none for a conversion that is defined for all numbers.
#[inline(always)]
pub(crate) fn floor(value: f32) -> (i32, f32) {
    let sum = value + WHOLE;
    let rounded = sum - WHOLE;
    let above = rounded > value;
    let whole = sum.to_bits() as i32 - WHOLE.to_bits() as i32;
    (whole - i32::from(above), if above { rounded - 1.0 } else { rounded })
}

/// Colours from 0 to 1 as bytes.
#[inline(always)]
pub(crate) fn quantize<const N: usize>(values: &[f32; N]) -> [u8; N] {
    let mut wide = [0_i32; N];
    for lane in 0..N {
        let value = values[lane];
        let value = if value > 0.0 { value } else { 0.0 };
        let value = if value < 1.0 { value } else { 1.0 };
        wide[lane] = floor(value * 255.0 + 0.5).0;
    }
    let mut bytes = [0; N];
    for lane in 0..N {
        bytes[lane] = wide[lane] as u8;
    }
    bytes
}

/// Red, green and blue as bytes.
#[inline(always)]
pub(crate) fn quantize_all<const N: usize>([red, green, blue]: &[[f32; N]; 3]) -> [[u8; N]; 3] {
    // A closure in `map` is not always compiled for wide registers.
    [quantize(red), quantize(green), quantize(blue)]
}

/// Bits of those pixels for which `test` holds.
#[inline(always)]
pub(crate) fn bits(test: impl Fn(usize) -> bool) -> u16 {
    // The product gathers the lowest bits of eight bytes in the highest byte.
    const GATHER: u64 = 0x0102_0408_1020_4080;
    let mut bytes = [[0_u8; GROUP]; 2];
    for lane in 0..GROUP {
        bytes[0][lane] = u8::from(test(lane));
        bytes[1][lane] = u8::from(test(GROUP + lane));
    }
    let [low, high] = [u64::from_le_bytes(bytes[0]), u64::from_le_bytes(bytes[1])];
    (low.wrapping_mul(GATHER) >> 56 | (high.wrapping_mul(GATHER) >> 56) << GROUP) as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_those_of_single_colours() {
        let values: Lanes = std::array::from_fn(|lane| match lane {
            0 => f32::NAN,
            1 => -1.0,
            2 => 2.0,
            _ => lane as f32 / 15.0,
        });
        assert_eq!(quantize(&values), values.map(crate::target::quantize));
    }

    #[test]
    fn bits_stand_where_their_pixels_do() {
        for pattern in [0, 1, 0x8000, 0xA5C3, 0x0180, u16::MAX] {
            assert_eq!(bits(|lane| pattern >> lane & 1 != 0), pattern);
        }
    }

    #[test]
    fn masks_stand_where_their_pixels_do() {
        for pattern in [0, 1, 0x8000, 0xA5C3, 0x0180, u16::MAX] {
            let bytes = byte_masks(pattern).map(u64::to_le_bytes);
            for (lane, mask) in masks(pattern).into_iter().enumerate() {
                assert_eq!(mask, if alive(pattern, lane) { -1 } else { 0 });
                assert_eq!(bytes.as_flattened()[lane], mask as u8);
            }
        }
    }

    #[test]
    fn floors_are_those_of_the_system() {
        for value in [0.0, 0.5, -0.5, 1.0, -1.0, 1.5, 2.5, -1.5, 0.999_999_94, 4_000_000.5, -4_000_000.25_f32]
        {
            assert_eq!(floor(value), (value.floor() as i32, value.floor()), "{value}");
        }
    }

    #[test]
    fn blocks_tile_the_tile() {
        let mut seen = vec![0; crate::raster::PIXELS];
        for row in (0..TILE as usize).step_by(2) {
            for group in 0..crate::raster::GROUPS {
                (0..LANES).for_each(|lane| seen[pixel(row, group, lane)] += 1);
            }
        }
        assert!(seen.iter().all(|count| *count == 1));
    }
}
