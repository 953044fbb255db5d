//! Characters as strokes on a grid, drawn at any size.
//!
//! The grid is 4 units wide with the baseline at 2, the height of small letters at 6 and of capitals at 8. A character is a list of
//! strokes separated by commas; a stroke is a list of points, each two digits for x and y.

use crate::font_metrics::{BIG, Metrics, NORMAL};

/// Strokes of the printable characters from 32 to 126.
const STROKES: [&str; 95] = [
    "",                                                // space
    "28 24,22 22",                                     // !
    "18 16,38 36",                                     // "
    "12 18,32 38,04 44,06 46",                         // #
    "47 38 18 07 06 15 35 44 43 32 12 03,28 22",       // $
    "02 48,07 08 18 17 07,33 32 42 43 33",             // %
    "42 07 18 28 27 04 03 12 22 44",                   // &
    "28 26",                                           // '
    "38 27 23 32",                                     // (
    "18 27 23 12",                                     // )
    "23 27,14 36,16 34",                               // *
    "05 45,23 27",                                     // +
    "22 11",                                           // ,
    "05 45",                                           // -
    "22 22",                                           // .
    "02 48",                                           // /
    "03 07 18 38 47 43 32 12 03",                      // 0
    "16 28 22,12 32",                                  // 1
    "07 18 38 47 46 02 42",                            // 2
    "07 18 38 47 46 35 44 43 32 12 03,15 35",          // 3
    "32 38 04 44",                                     // 4
    "48 08 05 35 44 43 32 12 03",                      // 5
    "47 38 18 07 03 12 32 43 44 35 15 04",             // 6
    "08 48 12",                                        // 7
    "15 06 07 18 38 47 46 35 15 04 03 12 32 43 44 35", // 8
    "03 12 32 43 47 38 18 07 06 15 35 46",             // 9
    "25 25,22 22",                                     // :
    "25 25,22 11",                                     // ;
    "47 05 43",                                        // <
    "06 46,04 44",                                     // =
    "07 45 03",                                        // >
    "07 18 38 47 46 25 24,22 22",                      // ?
    "34 36 26 15 14 23 33 44 46 37 17 06 03 12 32",    // @
    "02 28 42,14 34",                                  // A
    "02 08 38 47 46 35 05,35 44 43 32 02",             // B
    "47 38 18 07 03 12 32 43",                         // C
    "02 08 28 46 44 22 02",                            // D
    "48 08 02 42,05 35",                               // E
    "48 08 02,05 35",                                  // F
    "47 38 18 07 03 12 32 43 45 25",                   // G
    "02 08,42 48,05 45",                               // H
    "12 32,18 38,22 28",                               // I
    "48 43 32 12 03",                                  // J
    "02 08,48 05 42",                                  // K
    "08 02 42",                                        // L
    "02 08 25 48 42",                                  // M
    "02 08 42 48",                                     // N
    "03 07 18 38 47 43 32 12 03",                      // O
    "02 08 38 47 46 35 05",                            // P
    "03 07 18 38 47 43 32 12 03,24 42",                // Q
    "02 08 38 47 46 35 05,25 42",                      // R
    "47 38 18 07 06 15 35 44 43 32 12 03",             // S
    "08 48,28 22",                                     // T
    "08 03 12 32 43 48",                               // U
    "08 22 48",                                        // V
    "08 12 25 32 48",                                  // W
    "02 48,08 42",                                     // X
    "08 25 48,25 22",                                  // Y
    "08 48 02 42",                                     // Z
    "38 28 22 32",                                     // [
    "08 42",                                           // \
    "18 28 22 12",                                     // ]
    "06 28 46",                                        // ^
    "01 41",                                           // _
    "18 27",                                           // `
    "16 36 45 42,44 14 03 12 32 43",                   // a
    "08 02,05 16 36 45 43 32 12 03",                   // b
    "45 36 16 05 03 12 32 43",                         // c
    "48 42,45 36 16 05 03 12 32 43",                   // d
    "04 44 45 36 16 05 03 12 32 43",                   // e
    "38 28 17 12,06 36",                               // f
    "46 41 30 10 01,45 36 16 05 03 12 32 43",          // g
    "08 02,05 16 36 45 42",                            // h
    "26 22,28 28",                                     // i
    "36 31 20 10,38 38",                               // j
    "08 02,46 04,15 42",                               // k
    "18 28 23 32",                                     // l
    "02 06,05 16 25 22,25 36 45 42",                   // m
    "02 06,05 16 36 45 42",                            // n
    "05 16 36 45 43 32 12 03 05",                      // o
    "00 06,05 16 36 45 43 32 12 03",                   // p
    "40 46,45 36 16 05 03 12 32 43",                   // q
    "02 06,05 16 36",                                  // r
    "45 36 16 05 14 34 43 32 12 03",                   // s
    "18 13 22 32,06 36",                               // t
    "06 03 12 32 43,46 42",                            // u
    "06 22 46",                                        // v
    "06 12 24 32 46",                                  // w
    "06 42,02 46",                                     // x
    "06 22,46 22 10",                                  // y
    "06 46 02 42",                                     // z
    "38 28 26 15 24 22 32",                            // {
    "28 21",                                           // |
    "18 28 26 35 24 22 12",                            // }
    "04 15 34 45",                                     // ~
];

/// Kind of font.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FontKind {
    /// Normal size.
    Normal,
    /// Normal with a dark rim.
    Shadow,
    /// Large, for headings.
    Big,
}

impl FontKind {
    /// The kind with MuJoCo's number.
    pub fn from_number(number: i32) -> Self {
        match number {
            1 => Self::Shadow,
            2 => Self::Big,
            _ => Self::Normal,
        }
    }
}

/// A font of a scale in percent.
#[derive(Clone, Copy, Debug)]
pub struct Font {
    normal: &'static Metrics,
    big: &'static Metrics,
}

impl Font {
    /// The font with the scale nearest to one in percent.
    pub fn new(scale: i32) -> Self {
        let index = (scale.clamp(50, 300) + 25) / 50 - 1;
        let index = usize::try_from(index).unwrap_or(0).min(NORMAL.len() - 1);
        Self { normal: &NORMAL[index], big: &BIG[index] }
    }

    /// Scale, percent.
    pub fn scale(&self) -> i32 {
        self.normal.scale
    }

    fn metrics(&self, kind: FontKind) -> &'static Metrics {
        if kind == FontKind::Big { self.big } else { self.normal }
    }

    /// Height of a line, pixels.
    pub fn height(&self, kind: FontKind) -> i32 {
        self.metrics(kind).height
    }

    /// Width of a character; 0 for those that are not printable.
    pub fn width(&self, kind: FontKind, character: u8) -> i32 {
        let index = usize::from(character).wrapping_sub(32);
        self.metrics(kind).widths.get(index).map_or(0, |width| i32::from(*width))
    }

    /// Width of a line of Latin-1 text, pixels.
    pub fn text_width(&self, kind: FontKind, text: &[u8]) -> i32 {
        text.iter().map(|character| self.width(kind, *character)).sum()
    }

    /// Calls `ink` for each pixel of a character; `rim` widens the strokes, pixels.
    pub fn draw(&self, kind: FontKind, character: u8, rim: f32, mut ink: impl FnMut(i32, i32)) {
        let index = usize::from(character).wrapping_sub(32);
        let Some(strokes) = STROKES.get(index) else { return };
        let (width, height) = (self.width(kind, character), self.height(kind));
        let (unit_x, unit_y) = (width as f32 * 0.18, height as f32 * 0.085);
        let origin = [width as f32 * 0.14, height as f32 * 0.28];
        // At least half a pixel's diagonal, so that the smallest dot still covers the centre of a pixel.
        let reach = 0.5 * (height as f32 / 14.0).max(1.42) + rim;
        let place = |point: &str| {
            let digit =
                |at: usize| point.as_bytes().get(at).map_or(0.0, |byte| f32::from(byte.wrapping_sub(b'0')));
            [origin[0] + digit(0) * unit_x, origin[1] + (digit(1) - 2.0) * unit_y]
        };
        for y in 0..height {
            for x in 0..width {
                let pixel = [x as f32 + 0.5, y as f32 + 0.5];
                let near = strokes.split(',').any(|stroke| {
                    let mut points = stroke.split(' ').filter(|point| !point.is_empty()).map(place);
                    let Some(mut last) = points.next() else { return false };
                    points.any(|next| {
                        let hit = distance(pixel, last, next) <= reach;
                        last = next;
                        hit
                    })
                });
                if near {
                    ink(x, y);
                }
            }
        }
    }
}

/// Distance of a point from a line segment.
pub fn distance(p: [f32; 2], a: [f32; 2], b: [f32; 2]) -> f32 {
    let (way, from) = ([b[0] - a[0], b[1] - a[1]], [p[0] - a[0], p[1] - a[1]]);
    let length = way[0] * way[0] + way[1] * way[1];
    let share =
        if length > 0.0 { ((from[0] * way[0] + from[1] * way[1]) / length).max(0.0).min(1.0) } else { 0.0 };
    let off = [from[0] - share * way[0], from[1] - share * way[1]];
    (off[0] * off[0] + off[1] * off[1]).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_printable_character_but_the_space_has_ink_inside_its_box() {
        for scale in [50, 100, 150, 200, 250, 300] {
            let font = Font::new(scale);
            assert_eq!(font.scale(), scale);
            for character in 33..127 {
                for kind in [FontKind::Normal, FontKind::Big] {
                    let mut count = 0;
                    font.draw(kind, character, 0.0, |x, y| {
                        assert!(x < font.width(kind, character) && y < font.height(kind));
                        count += 1;
                    });
                    assert!(count > 0, "{}", character as char);
                }
            }
        }
    }

    #[test]
    fn characters_are_told_apart() {
        let font = Font::new(150);
        let picture = |character: u8| {
            let mut pixels = Vec::new();
            font.draw(FontKind::Normal, character, 0.0, |x, y| pixels.push((x, y)));
            pixels
        };
        // Capital O and zero share their strokes and differ in width at most.
        for a in 33..127_u8 {
            for b in a + 1..127 {
                assert!(picture(a) != picture(b) || (a, b) == (b'0', b'O'), "{} {}", a as char, b as char);
            }
        }
    }
}
