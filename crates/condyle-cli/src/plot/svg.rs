//! Pictures as SVG text, with colours that follow the reader's choice of light or dark.

use std::fmt::Write as _;

use super::picture::{Anchor, Ink, Mark, Picture};

pub(super) fn draw(picture: &Picture) -> String {
    let (width, height) = (picture.width, picture.height);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         font-family=\"DejaVu Sans, Verdana, sans-serif\">\n<style>\n"
    );
    style(&mut svg, 0);
    svg.push_str("@media (prefers-color-scheme: dark) {\n");
    style(&mut svg, 1);
    svg.push_str("}\n</style>\n<rect width=\"100%\" height=\"100%\" class=\"bg\"/>\n");
    for mark in &picture.marks {
        match mark {
            Mark::Line { points, ink, width } => line(&mut svg, points, *ink, *width),
            Mark::Text { at, text, anchor, size, ink, upward } => {
                let anchor = match anchor {
                    Anchor::Start => "start",
                    Anchor::Middle => "middle",
                    Anchor::End => "end",
                };
                let turn = if *upward {
                    format!(" transform=\"rotate(-90 {:.1} {:.1})\"", at[0], at[1])
                } else {
                    String::new()
                };
                let _ = writeln!(
                    svg,
                    "<text x=\"{:.1}\" y=\"{:.1}\" font-size=\"{size}\" text-anchor=\"{anchor}\" class=\"{}\"{turn}>{}</text>",
                    at[0],
                    at[1],
                    ink.class(),
                    escape(text)
                );
            }
        }
    }
    svg.push_str("</svg>\n");
    svg
}

/// Rules for all inks; texts and grounds are filled, lines are drawn.
fn style(svg: &mut String, theme: usize) {
    for ink in Ink::all() {
        let (class, colour) = (ink.class(), ink.colours()[theme]);
        let _ = match ink {
            Ink::Background | Ink::Text => writeln!(svg, ".{class} {{ fill: {colour} }}"),
            _ => writeln!(svg, ".{class} {{ fill: none; stroke: {colour} }}"),
        };
    }
}

fn line(svg: &mut String, points: &[[f64; 2]], ink: Ink, width: f64) {
    for part in points.split(|[x, y]| !(x.is_finite() && y.is_finite())) {
        // A point by itself is drawn as a dot: a line to where it is, with round ends.
        let (Some(first), true) = (part.first(), !part.is_empty()) else { continue };
        let _ = write!(
            svg,
            "<polyline class=\"{}\" stroke-width=\"{width}\" stroke-linejoin=\"round\" stroke-linecap=\"round\" points=\"",
            ink.class()
        );
        for (number, [x, y]) in part.iter().enumerate() {
            // Points on a level stretch between its ends add nothing.
            let level = |other: usize| part.get(other).is_some_and(|point| (point[1] - y).abs() < 0.05);
            if number > 0 && level(number - 1) && level(number + 1) {
                continue;
            }
            let _ = write!(svg, "{x:.1},{y:.1} ");
        }
        if part.len() == 1 {
            let _ = write!(svg, "{:.1},{:.1} ", first[0], first[1]);
        }
        svg.truncate(svg.trim_end().len());
        svg.push_str("\"/>\n");
    }
}

fn escape(text: &str) -> String {
    let clean: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    clean.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
