//! Textures: patterns made from parameters and cubes put together from images.
//!
//! A cube is a strip of six squares in the order right, left, up, down, front, back.

use condyle_math::PI;

use crate::error::AssetError;
use crate::image::Image;

/// Most bytes of a made texture.
pub const MAX_BYTES: u64 = 1 << 31;

/// What fills a made texture.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pattern {
    /// From the first to the second colour.
    Gradient,
    /// Two by two squares.
    Checker,
    /// The first colour (the bottom of a cube has the second).
    Flat,
}

/// What is drawn over a made texture.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Mark {
    /// Nothing.
    None,
    /// The border of each square.
    Edge,
    /// The middle lines of each square.
    Cross,
    /// Each pixel with the given probability, from a fixed seed.
    Random(f64),
}

/// A made texture.
#[derive(Debug, Clone, PartialEq)]
pub struct BuiltinTexture {
    /// What fills it.
    pub pattern: Pattern,
    /// What is drawn over it.
    pub mark: Mark,
    /// First colour.
    pub rgb1: [f64; 3],
    /// Second colour.
    pub rgb2: [f64; 3],
    /// Colour of the mark.
    pub mark_rgb: [f64; 3],
    /// Pixels per row.
    pub width: i32,
    /// Rows; not used for cubes.
    pub height: i32,
    /// Bytes per pixel of the array; three are written.
    pub channels: i32,
    /// Whether it is a cube of six squares.
    pub cube: bool,
}

fn to_bytes(rgb: &[f64; 3]) -> [u8; 3] {
    rgb.map(|x| (255.0 * x) as i64 as u8)
}

/// Makes a texture.
pub fn builtin_texture(texture: &BuiltinTexture) -> Result<Image, AssetError> {
    let error = |message: &str| Err(AssetError::new("texture-builtin", message));
    if texture.width < 1 || texture.width >= i32::MAX / 6 {
        return error("invalid width of builtin texture");
    }
    let width = texture.width as usize;
    let height = if texture.cube { 6 * width } else { texture.height.max(0) as usize };
    if height < 1 {
        return error("invalid height of builtin texture");
    }
    if texture.channels < 3 || width as u64 * height as u64 * texture.channels as u64 > MAX_BYTES {
        return error("builtin texture is too large or has fewer than three channels");
    }
    let channels = texture.channels as usize;
    let mut pixels = vec![0; channels * width * height];
    let squares = if texture.cube { 6 } else { 1 };
    let square_height = height / squares;
    for square in 0..squares {
        let start = 3 * square * width * square_height;
        // The four sides of a cube with a gradient are the same; the first is copied.
        if square > 0 && texture.cube && texture.pattern == Pattern::Gradient && !matches!(square, 2 | 3) {
            pixels.copy_within(0..3 * width * square_height, start);
            continue;
        }
        let mut canvas = Canvas { pixels: &mut pixels, start, width, height: square_height };
        canvas.fill(texture, square);
        canvas.mark(texture.mark, to_bytes(&texture.mark_rgb));
    }
    if let Mark::Random(probability) = texture.mark
        && probability > 0.0
    {
        let mut canvas = Canvas { pixels: &mut pixels, start: 0, width, height };
        canvas.scatter(probability, to_bytes(&texture.mark_rgb));
    }
    Ok(Image { width, height, channels, srgb: false, pixels })
}

/// A rectangle of three-byte pixels inside a larger array.
struct Canvas<'a> {
    pixels: &'a mut [u8],
    start: usize,
    width: usize,
    height: usize,
}

impl Canvas<'_> {
    fn set(&mut self, row: usize, column: usize, color: [u8; 3]) {
        let at = self.start + 3 * (row * self.width + column);
        if let Some(pixel) = self.pixels.get_mut(at..at + 3) {
            pixel.copy_from_slice(&color);
        }
    }

    fn fill(&mut self, texture: &BuiltinTexture, square: usize) {
        let (first, second) = (to_bytes(&texture.rgb1), to_bytes(&texture.rgb2));
        match texture.pattern {
            Pattern::Flat => {
                let color = if texture.cube && square == 3 { second } else { first };
                self.fill_rows(0..self.height, |_| color);
            }
            Pattern::Checker => {
                let (half_width, half_height) = (self.width / 2, self.height / 2);
                for (rows, upper) in [(0..half_height, true), (half_height..self.height, false)] {
                    self.fill_rows(rows, |column| {
                        let same = upper == (column < half_width);
                        if same != (square >= 4) { first } else { second }
                    });
                }
            }
            Pattern::Gradient => {
                for row in 0..self.height {
                    for column in 0..self.width {
                        let color = self.gradient(texture, square, row, column);
                        self.set(row, column, color);
                    }
                }
            }
        }
    }

    /// Fills rows that are all the same.
    fn fill_rows(&mut self, rows: std::ops::Range<usize>, color: impl Fn(usize) -> [u8; 3]) {
        if rows.is_empty() {
            return;
        }
        for column in 0..self.width {
            self.set(rows.start, column, color(column));
        }
        let length = 3 * self.width;
        let first = self.start + rows.start * length;
        for row in rows.skip(1) {
            let to = self.start + row * length;
            if to + length <= self.pixels.len() {
                self.pixels.copy_within(first..first + length, to);
            }
        }
    }

    fn gradient(&self, texture: &BuiltinTexture, square: usize, row: usize, column: usize) -> [u8; 3] {
        let x = (2 * column) as f64 / (self.width as f64 - 1.0) - 1.0;
        let y = 1.0 - (2 * row) as f64 / (self.height as f64 - 1.0);
        if texture.cube {
            interpolate(&texture.rgb1, &texture.rgb2, elevation(x, y, square))
        } else {
            interpolate(&texture.rgb2, &texture.rgb1, 2.0 * (x * x + y * y).sqrt() - 1.0)
        }
    }

    fn mark(&mut self, mark: Mark, color: [u8; 3]) {
        let (rows, columns) = match mark {
            Mark::Edge => ([0, self.height - 1], [0, self.width - 1]),
            Mark::Cross => ([self.height / 2; 2], [self.width / 2; 2]),
            Mark::None | Mark::Random(_) => return,
        };
        for row in 0..self.height {
            for column in columns {
                self.set(row, column, color);
            }
        }
        for column in 0..self.width {
            for row in rows {
                self.set(row, column, color);
            }
        }
    }

    fn scatter(&mut self, probability: f64, color: [u8; 3]) {
        let mut random = MersenneTwister::new(42);
        for row in 0..self.height {
            for column in 0..self.width {
                // 2^64 as the divisor of a 64-bit draw.
                if random.next() as f64 / 18_446_744_073_709_551_616.0 < probability {
                    self.set(row, column, color);
                }
            }
        }
    }
}

/// Height above the horizon, −1 to 1, of a point of a cube square.
fn elevation(x: f64, y: f64, square: usize) -> f64 {
    let up = || 1.0 - (1.0 / (1.0 + x * x + y * y).sqrt()).acos() / (0.5 * PI);
    match square {
        2 => up(),
        3 => -up(),
        _ => (y / (1.0 + x * x + y * y).sqrt()).asin() / (0.5 * PI),
    }
}

/// Colour between `low` and `high` by a sigmoid of `position`, −1 to 1.
fn interpolate(high: &[f64; 3], low: &[f64; 3], position: f64) -> [u8; 3] {
    let correction = 1.0 / 2.0_f64.sqrt();
    let mut alpha = 0.5 * (1.0 + position / (1.0 + position * position).sqrt() / correction);
    if alpha < 0.0 {
        alpha = 0.0;
    } else if alpha > 1.0 {
        alpha = 1.0;
    }
    [0, 1, 2].map(|i| (255.0 * (alpha * high[i] + (1.0 - alpha) * low[i])) as i64 as u8)
}

/// The 64-bit Mersenne twister of Matsumoto and Nishimura.
struct MersenneTwister {
    state: [u64; 312],
    index: usize,
}

impl MersenneTwister {
    fn new(seed: u64) -> Self {
        let mut state = [seed; 312];
        for i in 1..312 {
            let previous: u64 = state[i - 1];
            state[i] =
                (previous ^ (previous >> 62)).wrapping_mul(6_364_136_223_846_793_005).wrapping_add(i as u64);
        }
        Self { state, index: 312 }
    }

    fn next(&mut self) -> u64 {
        if self.index == 312 {
            for i in 0..312 {
                let x = (self.state[i] & 0xffff_ffff_8000_0000) | (self.state[(i + 1) % 312] & 0x7fff_ffff);
                let twist = if x & 1 == 1 { 0xb502_6f5a_a966_19e9 } else { 0 };
                self.state[i] = self.state[(i + 156) % 312] ^ (x >> 1) ^ twist;
            }
            self.index = 0;
        }
        let mut x = self.state[self.index];
        self.index += 1;
        x ^= (x >> 29) & 0x5555_5555_5555_5555;
        x ^= (x << 17) & 0x71d6_7fff_eda6_0000;
        x ^= (x << 37) & 0xfff7_eee0_0000_0000;
        x ^ (x >> 43)
    }
}

/// A cube from one image: repeated on all sides (a one by one grid) or cut from a grid whose `layout` names the squares by
/// `R L U D F B` or `.` for unused. Squares that are not named get the colour `rgb1`.
pub fn cube_from_grid(
    image: &Image,
    grid: [i32; 2],
    layout: &[u8],
    rgb1: &[f64; 3],
) -> Result<Image, AssetError> {
    let [rows, columns] = grid;
    if rows < 1 || columns < 1 || i64::from(rows) * i64::from(columns) > 12 {
        return Err(AssetError::new(
            "texture-grid",
            "gridsize must be non-zero and no more than 12 squares in texture",
        ));
    }
    let (rows, columns) = (rows as usize, columns as usize);
    if image.channels != 3 {
        return Err(AssetError::new("texture-cube", "cube textures need three channels"));
    }
    if image.width / columns != image.height / rows
        || !image.width.is_multiple_of(columns)
        || !image.height.is_multiple_of(rows)
    {
        let message =
            format!("PNG size {} by {} must be integer multiple of gridsize", image.width, image.height);
        return Err(AssetError::new("texture-grid", message));
    }
    let side = image.width / columns;
    if rows == 1 && columns == 1 {
        return Ok(image.clone());
    }
    let mut squares: [Option<Image>; 6] = Default::default();
    for cell in 0..rows * columns {
        let square = match layout.get(cell) {
            Some(b'R') => 0,
            Some(b'L') => 1,
            Some(b'U') => 2,
            Some(b'D') => 3,
            Some(b'F') => 4,
            Some(b'B') => 5,
            Some(b'.') => continue,
            _ => {
                let message = "gridlayout symbol is not among '.RLUDFB' in texture";
                return Err(AssetError::new("texture-grid", message));
            }
        };
        let (row_start, column_start) = (side * (cell / columns), side * (cell % columns));
        let mut pixels = Vec::with_capacity(3 * side * side);
        for row in 0..side {
            let at = 3 * ((row + row_start) * image.width + column_start);
            pixels.extend_from_slice(image.pixels.get(at..at + 3 * side).unwrap_or_default());
        }
        squares[square] = Some(Image { width: side, height: side, channels: 3, srgb: image.srgb, pixels });
    }
    cube_from_squares(&squares, rgb1)
}

/// A cube from up to six square images of one size; missing ones get the colour `rgb1`.
pub fn cube_from_squares(squares: &[Option<Image>; 6], rgb1: &[f64; 3]) -> Result<Image, AssetError> {
    let Some(first) = squares.iter().flatten().next() else {
        return Err(AssetError::new("texture-cube", "no images for a cube or skybox texture"));
    };
    let side = first.width;
    let mut pixels = Vec::with_capacity(18 * side * side);
    for square in squares {
        match square {
            Some(image) => {
                if image.width != image.height || image.channels != 3 {
                    return Err(AssetError::new("texture-cube", "non-square image in cube or skybox"));
                }
                if image.width != side {
                    let message = format!("image of {} pixels in a cube or skybox of {side}", image.width);
                    return Err(AssetError::new("texture-cube", message));
                }
                pixels.extend_from_slice(&image.pixels);
            }
            None => pixels.extend(std::iter::repeat_n(to_bytes(rgb1), side * side).flatten()),
        }
    }
    Ok(Image { width: side, height: 6 * side, channels: 3, srgb: first.srgb, pixels })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_generator_matches_its_published_value() {
        // 10000th draw with the default seed, as the C++ standard requires.
        let mut random = MersenneTwister::new(5489);
        let draws: Vec<u64> = (0..10_000).map(|_| random.next()).collect();
        assert_eq!(draws[9_999], 9_981_545_732_273_789_042);
    }

    #[test]
    fn checkers_alternate_and_edges_are_marked() {
        let mut texture = BuiltinTexture {
            pattern: Pattern::Checker,
            mark: Mark::None,
            rgb1: [1.0, 0.0, 0.0],
            rgb2: [0.0, 1.0, 0.0],
            mark_rgb: [0.0, 0.0, 1.0],
            width: 2,
            height: 2,
            channels: 3,
            cube: false,
        };
        let image = builtin_texture(&texture).unwrap();
        assert_eq!(image.pixels, [255, 0, 0, 0, 255, 0, 0, 255, 0, 255, 0, 0]);
        texture.mark = Mark::Edge;
        assert!(builtin_texture(&texture).unwrap().pixels.chunks(3).all(|pixel| pixel == [0, 0, 255]));
        texture.width = i32::MAX / 2;
        assert!(builtin_texture(&texture).is_err());
    }

    #[test]
    fn grids_are_cut_into_squares() {
        let image = Image { width: 2, height: 1, channels: 3, srgb: false, pixels: vec![1, 2, 3, 4, 5, 6] };
        let cube = cube_from_grid(&image, [1, 2], b"UD", &[0.0; 3]).unwrap();
        assert_eq!((cube.width, cube.height), (1, 6));
        assert_eq!(cube.pixels[6..12], [1, 2, 3, 4, 5, 6]);
        assert!(cube_from_grid(&image, [1, 2], b"UX", &[0.0; 3]).is_err());
    }
}
