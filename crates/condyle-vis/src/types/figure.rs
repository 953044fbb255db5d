//! A 2D figure of lines.

use condyle_model::records;

use super::{MAX_LINE_POINTS, MAX_LINES, set_text};

records! {
    FigureSettings: "A 2D figure but for its points." {
        flg_legend: i32 = 0, "1: show the legend.";
        flg_ticklabel: [i32; 2] = [0; 2], "1: show the labels of ticks, along x and y.";
        flg_extend: i32 = 0, "1: extend the axes to fit the data.";
        flg_barplot: i32 = 0, "1: lines are isolated segments.";
        flg_selection: i32 = 0, "1: show a vertical line at `selection`.";
        flg_symmetric: i32 = 0, "1: make the y axis symmetric.";
        linewidth: f32 = 0.0, "Width of lines, pixels.";
        gridwidth: f32 = 0.0, "Width of grid lines, pixels.";
        gridsize: [i32; 2] = [0; 2], "Number of grid points along x and y.";
        gridrgb: [f32; 3] = [0.0; 3], "Colour of grid lines.";
        figurergba: [f32; 4] = [0.0; 4], "Colour of the figure.";
        panergba: [f32; 4] = [0.0; 4], "Colour of the pane.";
        legendrgba: [f32; 4] = [0.0; 4], "Colour of the legend.";
        textrgb: [f32; 3] = [0.0; 3], "Colour of text.";
        linergb: [f32; 3 * MAX_LINES] = [0.0; 3 * MAX_LINES], "Colours of lines, one after the other.";
        range: [f32; 4] = [0.0; 4], "Least and greatest x, least and greatest y; automatic if not increasing.";
        xformat: [u8; 20] = [0; 20], "How ticks of x are written, as for C's printf.";
        yformat: [u8; 20] = [0; 20], "How ticks of y are written, as for C's printf.";
        minwidth: [u8; 20] = [0; 20], "Text as wide as the narrowest tick label of y.";
        title: [u8; 1000] = [0; 1000], "Title; two or more spaces separate subplots.";
        xlabel: [u8; 100] = [0; 100], "Label of the x axis.";
        linename: [u8; 100 * MAX_LINES] = [0; 100 * MAX_LINES], "Names of lines in the legend, 100 bytes each.";
        legendoffset: i32 = 0, "Lines by which the legend is moved down.";
        subplot: i32 = 0, "Subplot whose title is shown.";
        highlight: [i32; 2] = [0; 2], "Point in pixels; the line whose legend entry is there is highlighted.";
        highlightid: i32 = 0, "Line that is highlighted without a point; -1: none.";
        selection: f32 = 0.0, "x of the selection line.";
        linepnt: [i32; MAX_LINES] = [0; MAX_LINES], "Number of points of each line; 0: not shown.";
        xaxispixel: [i32; 2] = [0; 2], "Ends of the x axis in pixels; set by who draws.";
        yaxispixel: [i32; 2] = [0; 2], "Ends of the y axis in pixels; set by who draws.";
        xaxisdata: [f32; 2] = [0.0; 2], "Ends of the x axis in units of the data; set by who draws.";
        yaxisdata: [f32; 2] = [0.0; 2], "Ends of the y axis in units of the data; set by who draws.";
    }
}

/// A 2D figure of lines.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// How the figure looks.
    pub settings: FigureSettings,
    /// Points of each line, x and y alternating.
    pub linedata: Vec<[f32; 2 * MAX_LINE_POINTS]>,
}

/// Colours of the first lines.
const LINE_COLORS: [[f32; 3]; 8] = [
    [1.0, 0.3, 0.3],
    [0.1, 1.0, 0.1],
    [0.3, 0.3, 1.0],
    [0.1, 1.0, 1.0],
    [1.0, 0.2, 1.0],
    [1.0, 1.0, 0.1],
    [1.0, 0.6, 0.2],
    [0.6, 0.7, 0.4],
];

impl Default for Figure {
    fn default() -> Self {
        let mut settings = FigureSettings {
            highlightid: -1,
            flg_legend: 1,
            flg_ticklabel: [1; 2],
            flg_extend: 1,
            linewidth: 3.0,
            gridwidth: 1.0,
            gridsize: [2; 2],
            gridrgb: [0.4; 3],
            figurergba: [0.0, 0.0, 0.0, 1.0],
            panergba: [0.0, 0.0, 0.0, 1.0],
            legendrgba: [0.0, 0.0, 0.0, 0.3],
            textrgb: [1.0; 3],
            range: [0.0, 1.0, 0.0, 1.0],
            ..FigureSettings::default()
        };
        set_text(&mut settings.xformat, "%.0f");
        set_text(&mut settings.yformat, "%.2g");
        set_text(&mut settings.minwidth, "XXX");
        for (index, color) in settings.linergb.chunks_exact_mut(3).enumerate() {
            match LINE_COLORS.get(index) {
                Some(known) => color.copy_from_slice(known),
                None => color.copy_from_slice(&generated_color(index as i32)),
            }
        }
        Self { settings, linedata: vec![[0.0; 2 * MAX_LINE_POINTS]; MAX_LINES] }
    }
}

/// Well-spread colours from the Halton sequences of 2, 3 and 5, summed in double precision and rounded once.
fn generated_color(index: i32) -> [f32; 3] {
    [2, 3, 5].map(|base| {
        let spread = f64::from(0.8_f32) * crate::halton::halton(index, base);
        (f64::from(0.1_f32) + spread) as f32
    })
}
