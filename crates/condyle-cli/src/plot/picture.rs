//! What a picture consists of: lines, curves and texts, with colours by their meaning.

/// Colours that curves can have.
pub(super) const COLOURS: usize = 10;

/// What a mark stands for; decides its colour in light and dark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ink {
    Background,
    Grid,
    Axis,
    Text,
    /// A curve, by its number in the panel.
    Curve(usize),
}

/// Colours on a light ground and on a dark one: blue, orange, green, red, purple, brown, pink, grey, olive, cyan.
const CURVES: [[&str; 2]; COLOURS] = [
    ["#1668b8", "#6cb2ff"],
    ["#e07b00", "#ffab45"],
    ["#15803d", "#54d17e"],
    ["#cf222e", "#ff7b72"],
    ["#7c3aed", "#c4a1ff"],
    ["#7a4a2b", "#d9a07a"],
    ["#d6219c", "#ff8ad8"],
    ["#5c6670", "#b4bfca"],
    ["#8a8a00", "#d4d44a"],
    ["#0795a8", "#4fe0f0"],
];

impl Ink {
    /// All inks, for a style sheet.
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        [Self::Background, Self::Grid, Self::Axis, Self::Text]
            .into_iter()
            .chain((0..COLOURS).map(Self::Curve))
    }

    /// Colour on a light ground and on a dark one.
    pub(crate) const fn colours(self) -> [&'static str; 2] {
        match self {
            Self::Background => ["#ffffff", "#0d1117"],
            Self::Grid => ["#e3e6ea", "#272e38"],
            Self::Axis => ["#8b949e", "#6e7681"],
            Self::Text => ["#24292f", "#d0d7de"],
            Self::Curve(number) => CURVES[number % COLOURS],
        }
    }

    /// Name in a style sheet.
    pub(crate) fn class(self) -> String {
        match self {
            Self::Background => "bg".into(),
            Self::Grid => "grid".into(),
            Self::Axis => "axis".into(),
            Self::Text => "text".into(),
            Self::Curve(number) => format!("c{}", number % COLOURS),
        }
    }
}

/// Where a text stands against its point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Anchor {
    Start,
    Middle,
    End,
}

/// Something drawn.
#[derive(Clone, Debug)]
pub(crate) enum Mark {
    /// A broken line; points that are not numbers part it.
    Line { points: Vec<[f64; 2]>, ink: Ink, width: f64 },
    /// A text whose baseline goes through the point, upward if turned.
    Text { at: [f64; 2], text: String, anchor: Anchor, size: f64, ink: Ink, upward: bool },
}

/// A picture in points.
#[derive(Clone, Debug)]
pub(crate) struct Picture {
    pub width: f64,
    pub height: f64,
    pub marks: Vec<Mark>,
}

impl Picture {
    pub(crate) fn line(&mut self, from: [f64; 2], to: [f64; 2], ink: Ink) {
        self.marks.push(Mark::Line { points: vec![from, to], ink, width: 1.0 });
    }

    pub(crate) fn text(&mut self, at: [f64; 2], text: impl Into<String>, anchor: Anchor, size: f64) {
        self.marks.push(Mark::Text { at, text: text.into(), anchor, size, ink: Ink::Text, upward: false });
    }
}
