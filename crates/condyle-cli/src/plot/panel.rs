//! Panels of curves with axes, round ticks and a legend, laid out below or beside one another.

use super::font;
use super::picture::{Anchor, Ink, Mark, Picture};

/// A curve; points that are not numbers part it.
pub(crate) struct Curve {
    pub name: String,
    pub points: Vec<[f64; 2]>,
}

/// Curves over the same axes.
pub(crate) struct Panel {
    pub title: String,
    /// What the axes show, with units.
    pub x: String,
    pub y: String,
    /// What part of the axes is shown.
    pub horizontal: [f64; 2],
    pub vertical: [f64; 2],
    pub curves: Vec<Curve>,
}

const SMALL: f64 = 11.0;
const NORMAL: f64 = 12.0;
const LARGE: f64 = 15.0;
/// Space for the scale and the title of the vertical axis, and below the panel for those of the horizontal one.
const LEFT: f64 = 76.0;
const BOTTOM: f64 = 42.0;
const TITLE: f64 = 34.0;
const LEGEND_LINE: f64 = 17.0;
/// Most space for names in a legend.
const LEGEND_MOST: f64 = 250.0;

/// Least and greatest of the finite values; a range of length one around a single value.
pub(crate) fn bounds(values: impl Iterator<Item = f64>) -> [f64; 2] {
    let [low, high] = values
        .filter(|value| value.is_finite())
        .fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], value| [low.min(value), high.max(value)]);
    if low < high && (high - low).is_finite() {
        [low, high]
    } else if low.is_finite() && low == high {
        [low, low + 1.0f64.max(1e-3 * low.abs())]
    } else {
        [-1.0, 1.0]
    }
}

/// A vertical range with some air around the values. Differences too small to see against the values are not magnified.
pub(crate) fn scale(values: impl Iterator<Item = f64>) -> [f64; 2] {
    let finite = values.filter(|value| value.is_finite());
    let [low, high] = finite
        .fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], value| [low.min(value), high.max(value)]);
    if !(low <= high) || !(high - low).is_finite() {
        return [-1.0, 1.0];
    }
    let size = low.abs().max(high.abs());
    if high - low <= 1e-9 * size || high == low {
        let air = if size > 0.0 { 0.1 * size } else { 1.0 };
        return [low - air, high + air];
    }
    let air = 0.05 * (high - low);
    [low - air, high + air]
}

/// Round numbers within a range, about `wanted` of them, and the digits behind the point they need.
pub(crate) fn ticks([low, high]: [f64; 2], wanted: f64) -> (Vec<f64>, usize) {
    let rough = (high - low) / wanted;
    if !(rough > 0.0 && rough.is_finite()) {
        return (vec![low], 3);
    }
    let power = 10f64.powf(rough.log10().floor());
    let step =
        [1.0, 2.0, 5.0, 10.0].into_iter().map(|factor| factor * power).find(|step| *step >= 0.7 * rough);
    let step = step.unwrap_or(10.0 * power);
    let first = (low / step).ceil();
    let count = ((high / step).floor() - first).clamp(0.0, 50.0) as usize;
    let values = (0..=count).map(|number| (first + number as f64) * step).map(|tick| tick + 0.0);
    let digits = (-(step.log10() + 1e-9).floor()).clamp(0.0, 12.0) as usize;
    (values.collect(), digits)
}

/// A tick as text: plain where that is short, else with a power of ten.
fn tick_text(value: f64, digits: usize) -> String {
    if value.abs() >= 1e6 || digits > 6 {
        if value == 0.0 { "0".into() } else { format!("{value:.1e}") }
    } else {
        format!("{value:.digits$}").replace('-', "−")
    }
}

/// Panels below one another, with legends at their right.
pub(crate) fn column(title: &str, panels: &[Panel]) -> Picture {
    const WIDTH: f64 = 1000.0;
    let names = panels.iter().flat_map(|panel| &panel.curves);
    let longest = names.map(|curve| font::width(&curve.name) * NORMAL).fold(40.0, f64::max).min(LEGEND_MOST);
    let right = longest + 44.0;
    let inner = match panels.len() {
        0 | 1 => 360.0,
        2 => 240.0,
        _ => 190.0,
    };
    let mut picture = Picture { width: WIDTH, height: 0.0, marks: Vec::new() };
    picture.text([LEFT, 21.0], font::cut(title, (WIDTH - LEFT - 20.0) / LARGE), Anchor::Start, LARGE);
    let mut top = TITLE;
    for panel in panels {
        let frame = Frame { left: LEFT, right: WIDTH - right, top, bottom: top + inner };
        draw(&mut picture, panel, &frame);
        legend(&mut picture, panel, [frame.right + 14.0, frame.top + 10.0], longest);
        top = frame.bottom + BOTTOM;
    }
    picture.height = (top + 6.0).ceil();
    picture
}

/// Panels two beside each other, with legends inside.
pub(crate) fn grid(title: &str, panels: &[Panel]) -> Picture {
    const CELL: [f64; 2] = [500.0, 330.0];
    let rows = panels.len().div_ceil(2);
    let (width, height) = (2.0 * CELL[0], TITLE + rows as f64 * CELL[1]);
    let mut picture = Picture { width, height, marks: Vec::new() };
    picture.text([LEFT, 21.0], title, Anchor::Start, LARGE);
    for (index, panel) in panels.iter().enumerate() {
        let (left, top) = (CELL[0] * (index % 2) as f64, TITLE + CELL[1] * (index / 2) as f64);
        let frame = Frame {
            left: left + LEFT,
            right: left + CELL[0] - 18.0,
            top: top + 8.0,
            bottom: top + CELL[1] - BOTTOM - 6.0,
        };
        draw(&mut picture, panel, &frame);
        if panel.curves.len() > 1 {
            legend(&mut picture, panel, [frame.left + 12.0, frame.top + 14.0], 160.0);
        }
    }
    picture
}

/// Where a panel is in its picture.
struct Frame {
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
}

impl Frame {
    fn x(&self, value: f64, [low, high]: [f64; 2]) -> f64 {
        self.left + (self.right - self.left) * (value - low) / (high - low)
    }

    fn y(&self, value: f64, [low, high]: [f64; 2]) -> f64 {
        self.bottom - (self.bottom - self.top) * (value - low) / (high - low)
    }
}

fn draw(picture: &mut Picture, panel: &Panel, frame: &Frame) {
    let (across, up) = (panel.horizontal, panel.vertical);
    let (values, digits) = ticks(across, (frame.right - frame.left) / 80.0);
    for value in values {
        let x = frame.x(value, across);
        picture.line([x, frame.top], [x, frame.bottom], Ink::Grid);
        picture.text([x, frame.bottom + 15.0], tick_text(value, digits), Anchor::Middle, SMALL);
    }
    let (values, digits) = ticks(up, (frame.bottom - frame.top) / 42.0);
    for value in values {
        let y = frame.y(value, up);
        picture.line([frame.left, y], [frame.right, y], Ink::Grid);
        picture.text([frame.left - 7.0, y + 4.0], tick_text(value, digits), Anchor::End, SMALL);
    }
    picture.line([frame.left, frame.bottom], [frame.right, frame.bottom], Ink::Axis);
    picture.line([frame.left, frame.top], [frame.left, frame.bottom], Ink::Axis);
    picture.text([0.5 * (frame.left + frame.right), frame.bottom + 31.0], &panel.x, Anchor::Middle, NORMAL);
    picture.marks.push(Mark::Text {
        at: [frame.left - 58.0, 0.5 * (frame.top + frame.bottom)],
        text: font::cut(&panel.y, (frame.bottom - frame.top) / NORMAL),
        anchor: Anchor::Middle,
        size: NORMAL,
        ink: Ink::Text,
        upward: true,
    });
    if !panel.title.is_empty() {
        picture.text([frame.right, frame.top - 5.0], &panel.title, Anchor::End, SMALL);
    }
    for (number, curve) in panel.curves.iter().enumerate() {
        let points = curve.points.iter().map(|[x, y]| {
            let inside = *y >= up[0] && *y <= up[1];
            if inside { [frame.x(*x, across), frame.y(*y, up)] } else { [f64::NAN; 2] }
        });
        let points = points.collect();
        picture.marks.push(Mark::Line { points, ink: Ink::Curve(number), width: 1.6 });
    }
}

fn legend(picture: &mut Picture, panel: &Panel, [left, top]: [f64; 2], width: f64) {
    for (number, curve) in panel.curves.iter().enumerate() {
        let y = top + LEGEND_LINE * number as f64;
        let points = vec![[left, y - 4.0], [left + 18.0, y - 4.0]];
        picture.marks.push(Mark::Line { points, ink: Ink::Curve(number), width: 2.5 });
        picture.text([left + 24.0, y], font::cut(&curve.name, width / NORMAL), Anchor::Start, NORMAL);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_inside() {
        assert_eq!(
            ticks([0.0, 10.0], 10.0),
            (vec![0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0], 0)
        );
        let (values, digits) = ticks([-0.31, 0.42], 4.0);
        assert_eq!((values.as_slice(), digits), (&[-0.2, 0.0, 0.2, 0.4][..], 1));
        for range in [[1e-12, 3e-12], [-1e300, 1e300], [5.0, 5.0], [f64::NAN, 1.0], [1e16, 1e16 + 4.0]] {
            assert!(ticks(range, 5.0).0.len() <= 51);
        }
    }

    #[test]
    fn ranges_of_equal_values_have_a_length() {
        for values in [vec![], vec![0.0], vec![3.0, 3.0], vec![f64::NAN], vec![-1e300, 1e300 * 1e10]] {
            let [low, high] = scale(values.clone().into_iter());
            assert!(low < high && (high - low).is_finite(), "{values:?}");
            let [low, high] = bounds(values.into_iter());
            assert!(low < high);
        }
    }
}
