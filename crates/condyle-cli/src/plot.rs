//! Joint positions over time as an SVG picture.

use std::fmt::Write as _;

use condyle::model::JointType;
use condyle::{Model, ObjectType};

use crate::record::Recording;

const WIDTH: f64 = 900.0;
const HEIGHT: f64 = 480.0;
const LEFT: f64 = 60.0;
const TOP: f64 = 20.0;
const RIGHT: f64 = 200.0;
const BOTTOM: f64 = 40.0;
/// Curves that stay apart on a screen.
const MOST_CURVES: usize = 24;

/// A picture of the scalar joints; models without any show the first coordinates.
pub fn joint_positions(model: &Model, recording: &Recording) -> String {
    let mut curves: Vec<(String, usize)> = (0..model.njnt)
        .filter(|&joint| {
            matches!(JointType::from_i32(model.jnt_type[joint]), Some(JointType::Slide | JointType::Hinge))
        })
        .map(|joint| {
            let index = model.jnt_qposadr[joint] as usize;
            let name = model.name(ObjectType::Joint, joint);
            (if name.is_empty() { format!("qpos[{index}]") } else { name.to_owned() }, index)
        })
        .collect();
    if curves.is_empty() {
        curves = (0..model.nq).map(|index| (format!("qpos[{index}]"), index)).collect();
    }
    curves.truncate(MOST_CURVES);
    draw(&curves, recording)
}

fn draw(curves: &[(String, usize)], recording: &Recording) -> String {
    let (first, last) = (recording.times.first().copied(), recording.times.last().copied());
    let (start, end) = (first.unwrap_or(0.0), last.unwrap_or(1.0));
    let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
    for (_, index) in curves {
        for value in recording.position(*index).filter(|value| value.is_finite()) {
            if value < low {
                low = value;
            }
            if value > high {
                high = value;
            }
        }
    }
    if !(low < high) {
        (low, high) = (low.min(0.0) - 1.0, low.min(0.0) + 1.0);
        if !low.is_finite() {
            (low, high) = (-1.0, 1.0);
        }
    }
    let x = |time: f64| LEFT + (WIDTH - LEFT - RIGHT) * (time - start) / (end - start).max(1e-12);
    let y = |value: f64| HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * (value - low) / (high - low);

    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" font-family=\"sans-serif\" \
         font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    for tick in 0..=5 {
        let part = f64::from(tick) / 5.0;
        let (time, value) = (start + part * (end - start), low + part * (high - low));
        let _ = writeln!(
            svg,
            "<line x1=\"{0:.1}\" x2=\"{0:.1}\" y1=\"{TOP}\" y2=\"{1:.1}\" stroke=\"#ddd\"/>\
             <text x=\"{0:.1}\" y=\"{2:.1}\" text-anchor=\"middle\">{time:.2}</text>",
            x(time),
            HEIGHT - BOTTOM,
            HEIGHT - BOTTOM + 16.0
        );
        let _ = writeln!(
            svg,
            "<line x1=\"{LEFT}\" x2=\"{0:.1}\" y1=\"{1:.1}\" y2=\"{1:.1}\" stroke=\"#ddd\"/>\
             <text x=\"{2:.1}\" y=\"{3:.1}\" text-anchor=\"end\">{value:.3}</text>",
            WIDTH - RIGHT,
            y(value),
            LEFT - 6.0,
            y(value) + 4.0
        );
    }
    let _ = writeln!(
        svg,
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">time, s</text>",
        (LEFT + WIDTH - RIGHT) / 2.0,
        HEIGHT - 6.0
    );
    // One point every two pixels is as fine as a screen shows.
    let stride = (recording.len() / 320).max(1);
    for (number, (name, index)) in curves.iter().enumerate() {
        let hue = number * 360 / curves.len().max(1);
        let _ = write!(svg, "<polyline fill=\"none\" stroke=\"hsl({hue},70%,42%)\" points=\"");
        for (time, value) in recording.times.iter().zip(recording.position(*index)).step_by(stride) {
            if value.is_finite() {
                let _ = write!(svg, "{:.1},{:.1} ", x(*time), y(value));
            }
        }
        let _ = writeln!(
            svg,
            "\"/>\n<text x=\"{:.1}\" y=\"{:.1}\" fill=\"hsl({hue},70%,35%)\">{}</text>",
            WIDTH - RIGHT + 10.0,
            TOP + 12.0 + 18.0 * number as f64,
            escape(name)
        );
    }
    svg.push_str("</svg>\n");
    svg
}

/// Text as SVG takes it.
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
