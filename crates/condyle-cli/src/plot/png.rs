//! Pictures as PNG files, two pixels per point.

use tiny_skia::{Color, FillRule, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, Stroke, Transform};
use ttf_parser::OutlineBuilder;

use super::font;
use super::picture::{Anchor, Ink, Mark, Picture};

const SCALE: f32 = 2.0;
/// Most pixels of a picture.
const MOST_PIXELS: f64 = 1e8;

pub(super) fn draw(picture: &Picture) -> Result<Vec<u8>, String> {
    let (width, height) = (picture.width * f64::from(SCALE), picture.height * f64::from(SCALE));
    if width * height > MOST_PIXELS {
        return Err(format!(
            "a picture of {width:.0} by {height:.0} pixels is too large; choose fewer signals"
        ));
    }
    let mut map = Pixmap::new(width as u32, height as u32).ok_or("an empty picture")?;
    map.fill(colour(Ink::Background));
    for mark in &picture.marks {
        match mark {
            Mark::Line { points, ink, width } => line(&mut map, points, *ink, *width),
            Mark::Text { at, text, anchor, size, ink, upward } => {
                write(&mut map, *at, text, *anchor, *size, *ink, *upward);
            }
        }
    }
    map.encode_png().map_err(|error| error.to_string())
}

/// The colour on a light ground.
fn colour(ink: Ink) -> Color {
    let text = ink.colours()[0];
    let part = |at: usize| text.get(at..at + 2).and_then(|hex| u8::from_str_radix(hex, 16).ok()).unwrap_or(0);
    Color::from_rgba8(part(1), part(3), part(5), 255)
}

fn paint(ink: Ink) -> Paint<'static> {
    let mut paint = Paint::default();
    paint.set_color(colour(ink));
    paint.anti_alias = true;
    paint
}

fn line(map: &mut Pixmap, points: &[[f64; 2]], ink: Ink, width: f64) {
    let stroke = Stroke {
        width: width as f32,
        line_cap: LineCap::Round,
        line_join: LineJoin::Round,
        ..Stroke::default()
    };
    for part in points.split(|[x, y]| !(x.is_finite() && y.is_finite())) {
        let mut builder = PathBuilder::new();
        for (number, [x, y]) in part.iter().enumerate() {
            if number == 0 {
                builder.move_to(*x as f32, *y as f32);
            }
            if number > 0 || part.len() == 1 {
                builder.line_to(*x as f32, *y as f32);
            }
        }
        if let Some(path) = builder.finish() {
            map.stroke_path(&path, &paint(ink), &stroke, Transform::from_scale(SCALE, SCALE), None);
        }
    }
}

/// Outlines of glyphs one behind the other, in units of the font.
struct Glyphs {
    path: PathBuilder,
    x: f32,
}

impl OutlineBuilder for Glyphs {
    fn move_to(&mut self, x: f32, y: f32) {
        self.path.move_to(self.x + x, -y);
    }
    fn line_to(&mut self, x: f32, y: f32) {
        self.path.line_to(self.x + x, -y);
    }
    fn quad_to(&mut self, x1: f32, y1: f32, x: f32, y: f32) {
        self.path.quad_to(self.x + x1, -y1, self.x + x, -y);
    }
    fn curve_to(&mut self, x1: f32, y1: f32, x2: f32, y2: f32, x: f32, y: f32) {
        self.path.cubic_to(self.x + x1, -y1, self.x + x2, -y2, self.x + x, -y);
    }
    fn close(&mut self) {
        self.path.close();
    }
}

fn outlines(text: &str) -> Option<(Path, f32, f32)> {
    let face = font::face()?;
    let mut glyphs = Glyphs { path: PathBuilder::new(), x: 0.0 };
    for c in text.chars() {
        let glyph = face.glyph_index(c).unwrap_or_default();
        face.outline_glyph(glyph, &mut glyphs);
        glyphs.x += f32::from(face.glyph_hor_advance(glyph).unwrap_or(0));
    }
    Some((glyphs.path.finish()?, glyphs.x, f32::from(face.units_per_em())))
}

fn write(map: &mut Pixmap, at: [f64; 2], text: &str, anchor: Anchor, size: f64, ink: Ink, upward: bool) {
    let Some((path, width, em)) = outlines(text) else { return };
    let scale = size as f32 / em;
    let shift = match anchor {
        Anchor::Start => 0.0,
        Anchor::Middle => -0.5 * width * scale,
        Anchor::End => -width * scale,
    };
    let turn = if upward { -90.0 } else { 0.0 };
    let transform = Transform::from_scale(scale, scale)
        .post_translate(shift, 0.0)
        .post_concat(Transform::from_rotate(turn))
        .post_translate(at[0] as f32, at[1] as f32)
        .post_scale(SCALE, SCALE);
    map.fill_path(&path, &paint(ink), FillRule::Winding, transform, None);
}
