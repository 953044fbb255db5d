//! 2D figures: lines on a grid with title, axes and legend.

use condyle_vis::Figure;
use condyle_vis::types::{MAX_LINES, text};

use crate::exact::{exp2, log2};
use crate::font::{Font, FontKind};
use crate::overlay::{rectangle, stroke, text_at};
use crate::printf::number;
use crate::target::Target;
use crate::view::Rect;

/// Most ticks of an axis.
const MOST_TICKS: i32 = 20;
/// Smallest length of an axis in units of the data.
const LEAST_RANGE: f32 = 1e-5;
/// Room around the data, as a share of the axes.
const MARGIN: f32 = 0.001;

/// Draws a figure into a rectangle and notes in it where its axes are.
pub fn figure(target: &mut Target, window: Rect, figure: &mut Figure, font: &Font) {
    if window.width <= 0 || window.height <= 0 {
        return;
    }
    rectangle(target, window, figure.settings.figurergba);
    let range = [axis_range(figure, 0), axis_range(figure, 1)];
    figure.settings.xaxisdata = range[0];
    figure.settings.yaxisdata = range[1];
    if window.width <= 1 || window.height <= 1 {
        return;
    }
    let mut pane = window;
    titles(target, &mut pane, figure, font);
    if pane.height <= 0 {
        return;
    }
    let pad = font.height(FontKind::Normal) / 2;
    ticks(target, &mut pane, figure, font, &range);
    pane = Rect {
        left: pane.left + pad,
        width: pane.width - 2 * pad,
        bottom: pane.bottom + pad,
        height: pane.height - 2 * pad,
    };
    if pane.width <= 0 || pane.height <= 0 {
        return;
    }
    figure.settings.xaxispixel = [pane.left, pane.left + pane.width - 1];
    figure.settings.yaxispixel = [pane.bottom, pane.bottom + pane.height - 1];
    rectangle(target, pane, figure.settings.panergba);
    grid(target, pane, figure);
    let plot = Plot { pane, range };
    for line in (0..MAX_LINES).rev() {
        plot.line(target, figure, line, figure.settings.linewidth);
    }
    if figure.settings.flg_selection != 0 {
        let x = figure.settings.selection;
        let ends = [plot.place([x, range[1][0]]), plot.place([x, range[1][1]])];
        stroke(target, &pane, ends[0], ends[1], 3.0, [1.0; 3]);
    }
    let mut highlighted = figure.settings.highlightid;
    if figure.settings.flg_legend != 0
        && pane.width > 1
        && pane.height > 1
        && let Some(line) = legend(target, pane, figure, font)
    {
        highlighted = line as i32;
    }
    if let Ok(line) = usize::try_from(highlighted)
        && line < MAX_LINES
    {
        plot.line(target, figure, line, 5.0 * figure.settings.linewidth);
        selected_value(target, &plot, figure, font, line);
    }
}

/// Ends of an axis: given, or from the finite data; y ends on round numbers.
fn axis_range(figure: &Figure, axis: usize) -> [f32; 2] {
    let settings = &figure.settings;
    let mut range = [settings.range[2 * axis], settings.range[2 * axis + 1]];
    let mut known = range[0] < range[1];
    if !known || settings.flg_extend != 0 {
        for line in 0..MAX_LINES {
            for point in points(figure, line).filter(|point| point[axis].is_finite()) {
                let value = point[axis];
                range = if known { [range[0].min(value), range[1].max(value)] } else { [value; 2] };
                known = true;
            }
        }
    }
    let length = range[1] - range[0];
    if length < LEAST_RANGE {
        let missing = LEAST_RANGE - length;
        range = [range[0] - 0.5 * missing, range[1] + 0.5 * missing];
    }
    let length = range[1] - range[0];
    if axis == 1 {
        if length > 0.0 && length.is_finite() {
            let power = power_of_ten(length);
            range = [(range[0] / power).floor() * power, (range[1] / power).ceil() * power];
        }
        if settings.flg_symmetric != 0 {
            let most = range[0].abs().max(range[1].abs());
            range = [-most, most];
        }
    }
    range
}

/// Largest power of ten that is not above a positive number.
fn power_of_ten(value: f32) -> f32 {
    let whole = (log2(f64::from(value)) / std::f64::consts::LOG2_10 + 1e-9).floor();
    exp2(whole * std::f64::consts::LOG2_10) as f32
}

/// Points of a line of a figure.
fn points(figure: &Figure, line: usize) -> impl Iterator<Item = [f32; 2]> {
    let count = usize::try_from(figure.settings.linepnt[line]).unwrap_or(0);
    figure.linedata.get(line).into_iter().flat_map(|data| data.as_chunks::<2>().0.iter().copied()).take(count)
}

/// Title of the selected subplot and label of the x axis; the pane loses their heights.
fn titles(target: &mut Target, pane: &mut Rect, figure: &Figure, font: &Font) {
    let settings = &figure.settings;
    let height = font.height(FontKind::Normal);
    let pad = height / 2;
    let middle = |width: i32| pane.left + (pane.width / 2 - width / 2).max(0);
    let parts = || text(&settings.title).split("  ").map(str::trim).filter(|part| !part.is_empty());
    let selected = usize::try_from(settings.subplot).unwrap_or(0);
    let title = parts().nth(selected);
    let (mut above, mut below) = (0, 0);
    if let Some(title) = title {
        let width = font.text_width(FontKind::Normal, title.as_bytes());
        let at = [middle(width), pane.bottom + pane.height - pad - height];
        text_at(target, font, FontKind::Normal, title.as_bytes(), at, settings.textrgb);
        above = height + pad;
    }
    let label = text(&settings.xlabel).as_bytes();
    if !label.is_empty() {
        let at = [middle(font.text_width(FontKind::Normal, label)), pane.bottom + pad];
        text_at(target, font, FontKind::Normal, label, at, settings.textrgb);
        below = height + pad / 2;
    }
    pane.bottom += below;
    pane.height -= above + below;
}

/// Numbers at the ticks of both axes; the pane loses their room.
fn ticks(target: &mut Target, pane: &mut Rect, figure: &Figure, font: &Font, range: &[[f32; 2]; 2]) {
    let settings = &figure.settings;
    if settings.gridsize[0] <= 1 || settings.gridsize[1] <= 1 {
        return;
    }
    let height = font.height(FontKind::Normal);
    let pad = height / 2;
    let counts = settings.gridsize.map(|size| size.min(MOST_TICKS));
    let value = |axis: usize, tick: i32| {
        range[axis][0] + (range[axis][1] - range[axis][0]) * tick as f32 / (counts[axis] - 1) as f32
    };
    let written = |axis: usize, tick: i32| {
        number(
            text(if axis == 0 { &settings.xformat } else { &settings.yformat }),
            f64::from(value(axis, tick)),
        )
    };
    let width_of = |text: &str| font.text_width(FontKind::Normal, text.as_bytes());
    let below = if settings.flg_ticklabel[0] != 0 { height + pad } else { 0 };
    let mut beside = 0;
    if settings.flg_ticklabel[1] != 0 {
        beside = (0..counts[1]).map(|tick| width_of(&written(1, tick))).max().unwrap_or(0);
        beside = beside.max(width_of(text(&settings.minwidth))) + pad;
    }
    let grey = [settings.textrgb[0]; 3];
    if settings.flg_ticklabel[0] != 0 {
        for tick in 0..counts[0] {
            let text = written(0, tick);
            let width = width_of(&text);
            let back = if tick == 0 {
                0
            } else if tick == counts[0] - 1 {
                width
            } else {
                width / 2
            };
            let along = (pane.width - 2 * pad - beside) * tick / (counts[0] - 1);
            let at = [pane.left + pad + beside - back + along, pane.bottom + pad];
            text_at(target, font, FontKind::Normal, text.as_bytes(), at, grey);
        }
    }
    if settings.flg_ticklabel[1] != 0 {
        for tick in 0..counts[1] {
            let text = written(1, tick);
            let along = (pane.height - 2 * pad - below) * tick / (counts[1] - 1);
            let at = [pane.left + beside - width_of(&text), pane.bottom + pad + below - height / 2 + along];
            text_at(target, font, FontKind::Normal, text.as_bytes(), at, grey);
        }
    }
    pane.left += beside;
    pane.width -= beside;
    pane.bottom += below;
    pane.height -= below;
}

fn grid(target: &mut Target, pane: Rect, figure: &Figure) {
    let settings = &figure.settings;
    if settings.gridsize[0] <= 1 || settings.gridsize[1] <= 1 {
        return;
    }
    let plot = Plot { pane, range: [[0.0, 1.0]; 2] };
    for axis in 0..2 {
        let count = settings.gridsize[axis].min(MOST_TICKS);
        for tick in 0..count {
            let share = tick as f32 / (count - 1) as f32;
            let ends = if axis == 0 { [[share, 0.0], [share, 1.0]] } else { [[0.0, share], [1.0, share]] };
            let [a, b] = ends.map(|end| plot.place(end));
            stroke(target, &pane, a, b, settings.gridwidth, settings.gridrgb);
        }
    }
}

/// A pane and the data range it shows.
struct Plot {
    pane: Rect,
    range: [[f32; 2]; 2],
}

impl Plot {
    /// Pixel of a data point.
    fn place(&self, point: [f32; 2]) -> [f32; 2] {
        let origin = [self.pane.left as f32, self.pane.bottom as f32];
        let size = [self.pane.width as f32, self.pane.height as f32];
        [0, 1].map(|axis| {
            let [low, high] = self.range[axis];
            let length = high - low;
            let share = (point[axis] - (low - length * MARGIN)) / (length * (1.0 + 2.0 * MARGIN));
            origin[axis] + share * size[axis]
        })
    }

    fn line(&self, target: &mut Target, figure: &Figure, line: usize, width: f32) {
        let bars = figure.settings.flg_barplot != 0;
        let rgb = [0, 1, 2].map(|axis| figure.settings.linergb[3 * line + axis]);
        let mut last: Option<[f32; 2]> = None;
        for (index, point) in points(figure, line).enumerate() {
            let here = self.place(point);
            if let Some(last) = last
                && (!bars || index % 2 == 1)
            {
                stroke(target, &self.pane, last, here, width, rgb);
            }
            last = Some(here);
        }
    }
}

/// Names of lines at the upper right; returns the line that the mouse points at.
fn legend(target: &mut Target, pane: Rect, figure: &Figure, font: &Font) -> Option<usize> {
    let settings = &figure.settings;
    let height = font.height(FontKind::Shadow);
    let pad = height / 2;
    let name = |line: usize| text(settings.linename.get(100 * line..100 * line + 100).unwrap_or_default());
    let first = usize::try_from(settings.legendoffset).unwrap_or(0);
    let room = usize::try_from((pane.height - 2 * pad - 1) / height).unwrap_or(0);
    let shown = || (first..MAX_LINES).filter(|line| !name(*line).is_empty()).take(room);
    let width = shown().map(|line| font.text_width(FontKind::Shadow, name(line).as_bytes())).max()?;
    let total = shown().count() as i32 * height;
    let (right, top) = (pane.left + pane.width, pane.bottom + pane.height);
    let ground = Rect {
        left: right - 2 * pad - width,
        bottom: top - 2 * pad - total,
        width: width + 2 * pad,
        height: total + 2 * pad,
    };
    rectangle(target, ground, settings.legendrgba);
    let mouse = [settings.highlight[0] - pane.left, settings.highlight[1] - pane.bottom];
    let inside = mouse[0] >= pane.width - pad - width
        && mouse[0] <= pane.width - pad
        && mouse[1] >= pane.height - pad - total
        && mouse[1] <= pane.height - pad;
    let pointed = inside.then(|| (pane.height - pad - mouse[1]) / height);
    let mut highlighted = None;
    for (row, line) in shown().enumerate() {
        let text = name(line).as_bytes();
        let at =
            [right - pad - font.text_width(FontKind::Shadow, text), top - pad - (row as i32 + 1) * height];
        let rgb = [0, 1, 2].map(|axis| settings.linergb[3 * line + axis]);
        text_at(target, font, FontKind::Shadow, text, at, rgb);
        if pointed == Some(row as i32) {
            highlighted = Some(line);
        }
    }
    highlighted
}

/// The highlighted line's value nearest to the selection.
fn selected_value(target: &mut Target, plot: &Plot, figure: &Figure, font: &Font, line: usize) {
    let settings = &figure.settings;
    if settings.flg_selection == 0 {
        return;
    }
    let off = |point: &[f32; 2]| (settings.selection - point[0]).abs();
    let nearest =
        points(figure, line).reduce(|best, point| if off(&point) < off(&best) { point } else { best });
    let Some([x, y]) = nearest else { return };
    let text = format!("( {} : {} )", number("%.4g", f64::from(x)), number("%.4g", f64::from(y)));
    let at = plot.place([0, 1].map(|axis| 0.9 * plot.range[axis][0] + 0.1 * plot.range[axis][1]));
    text_at(target, font, FontKind::Shadow, text.as_bytes(), [at[0] as i32, at[1] as i32], settings.textrgb);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filled() -> Figure {
        let mut figure = Figure::default();
        figure.settings.linepnt[0] = 3;
        figure.linedata[0][..6].copy_from_slice(&[0.0, 1.0, 5.0, 7.3, 10.0, f32::NAN]);
        condyle_vis::types::set_text(&mut figure.settings.title, "energy");
        condyle_vis::types::set_text(&mut figure.settings.linename[..100], "total");
        figure
    }

    #[test]
    fn axes_extend_to_the_finite_data_and_y_to_round_numbers() {
        let mut drawn = filled();
        let window = Rect { left: 0, bottom: 0, width: 300, height: 200 };
        let mut target = Target::new(300, 200);
        figure(&mut target, window, &mut drawn, &Font::new(100));
        assert_eq!(drawn.settings.xaxisdata, [0.0, 10.0]);
        assert_eq!(drawn.settings.yaxisdata, [0.0, 8.0]);
        assert!(target.rgb.iter().any(|byte| *byte > 200));
        assert!(drawn.settings.xaxispixel[0] > 0 && drawn.settings.xaxispixel[1] < 300);
    }

    #[test]
    fn tiny_windows_and_strange_settings_do_not_fail() {
        for (width, height) in [(0, 0), (1, 1), (2, 40), (40, 2), (30, 30)] {
            let mut drawn = filled();
            drawn.settings.linepnt = [i32::MAX; MAX_LINES];
            drawn.settings.gridsize = [i32::MAX, 2];
            drawn.settings.legendoffset = -5;
            drawn.settings.range = [f32::NAN, f32::INFINITY, f32::MIN, f32::MAX];
            drawn.settings.flg_selection = 1;
            drawn.settings.highlightid = 99;
            let mut target = Target::new(40, 40);
            figure(&mut target, Rect { left: -3, bottom: 0, width, height }, &mut drawn, &Font::new(50));
        }
    }
}
