//! Text, rectangles and labels over a picture.

use condyle_vis::Scene;

use crate::font::{Font, FontKind, distance};
use crate::target::Target;
use crate::view::{Rect, average_camera, camera_view, camera_volume, project_after, project_point};

/// Distance between lines of text and around it, pixels.
const PAD: i32 = 5;
/// Most characters of one overlay.
const MOST_CHARACTERS: usize = 500;

/// Draws text with its lower left corner at a pixel.
pub fn text_at(target: &mut Target, font: &Font, kind: FontKind, text: &[u8], at: [i32; 2], rgb: [f32; 3]) {
    let mut write = |rim: f32, rgb: [f32; 3], opacity: f32| {
        let mut left = at[0];
        for character in text {
            font.draw(kind, *character, rim, |x, y| {
                target.blend(left.saturating_add(x), at[1].saturating_add(y), rgb, opacity);
            });
            left = left.saturating_add(font.width(kind, *character));
        }
    };
    if kind == FontKind::Shadow {
        write(1.0, [0.0; 3], 1.0);
    }
    write(0.0, rgb, 1.0);
}

/// Draws text at a place in parts of the window.
pub fn text(
    target: &mut Target,
    window: Rect,
    font: &Font,
    kind: FontKind,
    text: &str,
    at: [f32; 2],
    rgb: [f32; 3],
) {
    let x = window.left as f32 + at[0] * window.width as f32;
    let y = window.bottom as f32 + at[1] * window.height as f32;
    // Text that begins outside the window is left out, as a raster position outside is not valid.
    if (0.0..=1.0).contains(&at[0]) && (0.0..=1.0).contains(&at[1]) {
        text_at(target, font, kind, text.as_bytes(), [x as i32, y as i32], rgb);
    }
}

/// Blends a rectangle over the picture.
pub fn rectangle(target: &mut Target, rect: Rect, rgba: [f32; 4]) {
    let (columns, rows) = target.clip(&rect);
    for y in rows {
        for x in columns.clone() {
            target.blend(x, y, [rgba[0], rgba[1], rgba[2]], rgba[3].max(0.0).min(1.0));
        }
    }
}

/// A rectangle with text in its middle.
pub fn label(
    target: &mut Target,
    rect: Rect,
    font: &Font,
    kind: FontKind,
    text: &str,
    background: [f32; 4],
    rgb: [f32; 3],
) {
    if rect.width <= 0 || rect.height <= 0 {
        return;
    }
    rectangle(target, rect, background);
    let width = font.text_width(kind, text.as_bytes());
    let x = rect.left.saturating_add(((rect.width - width) / 2).max(0));
    let y = rect.bottom.saturating_add((rect.height - font.height(kind)) / 2);
    let kind = if kind == FontKind::Shadow { FontKind::Normal } else { kind };
    text_at(target, font, kind, text.as_bytes(), [x, y], rgb);
}

/// Places of overlays, with MuJoCo's numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GridPosition {
    /// Upper left corner.
    TopLeft = 0,
    /// Upper right corner.
    TopRight = 1,
    /// Lower left corner.
    BottomLeft = 2,
    /// Lower right corner.
    BottomRight = 3,
    /// Middle of the upper edge.
    Top = 4,
    /// Middle of the lower edge.
    Bottom = 5,
    /// Middle of the left edge.
    Left = 6,
    /// Middle of the right edge.
    Right = 7,
}

impl GridPosition {
    /// The place with this number.
    pub fn from_number(number: i32) -> Option<Self> {
        [
            Self::TopLeft,
            Self::TopRight,
            Self::BottomLeft,
            Self::BottomRight,
            Self::Top,
            Self::Bottom,
            Self::Left,
            Self::Right,
        ]
        .into_iter()
        .find(|place| *place as i32 == number)
    }
}

/// One or two columns of text on a dark ground at a place of the window.
pub fn overlay(
    target: &mut Target,
    window: Rect,
    font: &Font,
    kind: FontKind,
    place: GridPosition,
    first: &str,
    second: &str,
) {
    if window.width <= 0 || window.height <= 0 {
        return;
    }
    const GREY: [f32; 3] = [0.7; 3];
    const WHITE: [f32; 3] = [1.0; 3];
    if second.is_empty() {
        column(target, window, font, kind, 0, place, WHITE, first);
    } else if matches!(place, GridPosition::TopLeft | GridPosition::BottomLeft) {
        let skip = column(target, window, font, kind, 0, place, GREY, first);
        column(target, window, font, kind, skip, place, WHITE, second);
    } else {
        let skip = column(target, window, font, kind, 0, place, WHITE, second);
        column(target, window, font, kind, skip, place, GREY, first);
    }
}

/// Draws one column and returns its width, which the next one skips.
#[allow(clippy::too_many_arguments, reason = "what a column of text needs")]
fn column(
    target: &mut Target,
    window: Rect,
    font: &Font,
    kind: FontKind,
    skip: i32,
    place: GridPosition,
    rgb: [f32; 3],
    text: &str,
) -> i32 {
    let bytes = &text.as_bytes()[..text.len().min(MOST_CHARACTERS)];
    let lines = || bytes.split(|byte| *byte == b'\n');
    let line_height = font.height(kind);
    let widest = lines().map(|line| font.text_width(kind, line)).max().unwrap_or(0);
    let count = lines().count() as i32;
    let width = PAD + widest + 8;
    let height = PAD + count * line_height + (count - 1) * PAD;
    use GridPosition as G;
    let left = match place {
        G::TopLeft | G::BottomLeft | G::Left => window.left + skip + PAD,
        G::TopRight | G::BottomRight | G::Right => window.left + window.width - skip - 1 - PAD - width,
        G::Top | G::Bottom => window.left + (window.width - skip - width) / 2 - 1 - PAD,
    };
    let bottom = match place {
        G::TopLeft | G::TopRight | G::Top => window.bottom + window.height - 1 - PAD - height,
        G::BottomLeft | G::BottomRight | G::Bottom => window.bottom + PAD,
        G::Left | G::Right => window.bottom + (window.height - height) / 2 - 1 - PAD,
    };
    rectangle(target, Rect { left, bottom, width, height }, [0.0, 0.0, 0.0, 0.5]);
    let mut top = line_height;
    for line in lines() {
        text_at(target, font, kind, line, [left + 3, bottom + height - top], rgb);
        top += PAD + line_height;
    }
    width - 2
}

/// Draws the labels of the scene's elements.
pub fn labels(target: &mut Target, window: Rect, font: &Font, scene: &Scene) {
    if scene.shown_geoms().iter().all(|geom| geom.label[0] == 0) {
        return;
    }
    let Some(camera) = average_camera(&scene.camera[0], &scene.camera[1]) else { return };
    let size = [f64::from(window.width), f64::from(window.height)];
    let projection = camera_volume(&camera, [window.width, window.height]).project([0.0, 0.0], size);
    let rows = project_after(&projection, &camera_view(&camera, scene));
    for geom in scene.shown_geoms().iter().filter(|geom| geom.label[0] != 0) {
        let [x, y, z, w] = project_point(&rows, geom.pos);
        let (x, y) = (x / w, y / w);
        let inside = w > 0.0 && z >= 0.0 && z <= w && x >= 0.0 && y >= 0.0;
        if inside && x <= window.width as f32 && y <= window.height as f32 {
            let at = [window.left + x as i32, window.bottom + y as i32];
            text_at(target, font, FontKind::Shadow, geom.label_text().as_bytes(), at, [1.0; 3]);
        }
    }
}

/// Draws a line of the given width between two points in pixels, cut to a rectangle.
pub fn stroke(target: &mut Target, window: &Rect, a: [f32; 2], b: [f32; 2], width: f32, rgb: [f32; 3]) {
    if !(a[0].is_finite() && a[1].is_finite() && b[0].is_finite() && b[1].is_finite()) {
        return;
    }
    let (columns, rows) = target.clip(window);
    let half = 0.5 * width.max(1.0).min(64.0);
    let range = |low: f32, high: f32, limit: std::ops::Range<i32>| {
        let start = ((low - half).floor() as i32).clamp(limit.start, limit.end);
        let end = ((high + half).ceil() as i32).clamp(start, limit.end);
        start..end
    };
    for y in range(a[1].min(b[1]), a[1].max(b[1]), rows) {
        for x in range(a[0].min(b[0]), a[0].max(b[0]), columns.clone()) {
            let covered = crate::raster::FOUR
                .iter()
                .filter(|sample| {
                    let p = [x as f32 + sample[0] as f32 / 256.0, y as f32 + sample[1] as f32 / 256.0];
                    distance(p, a, b) <= half
                })
                .count();
            if covered > 0 {
                target.blend(x, y, rgb, covered as f32 / 4.0);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WINDOW: Rect = Rect { left: 0, bottom: 0, width: 200, height: 100 };

    #[test]
    fn an_overlay_darkens_its_corner_and_writes_in_it() {
        let mut target = Target::new(200, 100);
        target.fill(&WINDOW, [200; 3]);
        let font = Font::new(100);
        overlay(&mut target, WINDOW, &font, FontKind::Normal, GridPosition::TopLeft, "time\nsteps", "1\n2");
        let at = |x: i32, y: i32| target.rgb[3 * target.index(x, y)];
        assert_eq!(at(7, 90), 100);
        assert_eq!(at(190, 10), 200);
        assert!(target.rgb.contains(&255));
    }

    #[test]
    fn strange_places_draw_nothing_and_do_not_fail() {
        let mut target = Target::new(20, 10);
        let font = Font::new(300);
        text_at(&mut target, &font, FontKind::Big, b"far away", [i32::MAX - 3, i32::MIN], [1.0; 3]);
        stroke(&mut target, &WINDOW, [f32::NAN, 0.0], [1.0, 1.0], 3.0, [1.0; 3]);
        overlay(&mut target, Rect { width: 0, ..WINDOW }, &font, FontKind::Big, GridPosition::Top, "x", "");
        assert!(target.rgb.iter().all(|byte| *byte == 0));
        stroke(&mut target, &WINDOW, [-1e9, 5.0], [1e9, 5.0], 1e9, [1.0; 3]);
        assert!(target.rgb.iter().all(|byte| *byte == 255));
    }
}
