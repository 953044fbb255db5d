//! Pictures of curves, as SVG or PNG by the ending of the file.
//!
//! [`Series`] collects channels during a run in bounded memory; [`over_time`] makes panels of them, one per quantity and unit, with at most
//! [`MOST_CURVES`] curves each, so that every curve has a colour of its own. [`panel`] lays panels out, [`svg`] and [`png`] draw.

mod font;
pub(crate) mod panel;
mod picture;
mod png;
mod svg;

use std::path::Path;

use condyle::Sim;

use crate::channel::{Channel, Group};
use crate::file;
use panel::{Curve, Panel};
pub(crate) use picture::Picture;

/// Endings of pictures.
pub(crate) const ENDINGS: [&str; 2] = ["svg", "png"];
/// Curves in one panel: as many as there are colours that can be told apart.
pub(crate) const MOST_CURVES: usize = picture::COLOURS;
/// Stretches of time a curve is divided into; of each the least and the greatest value are kept.
const STRETCHES: u64 = 400;

/// Write a picture, by the ending of the name.
pub(crate) fn write(picture: &Picture, path: &Path) -> Result<(), String> {
    if file::has_ending(path, "svg") {
        file::write(path, svg::draw(picture).as_bytes())
    } else if file::has_ending(path, "png") {
        file::write(path, &png::draw(picture)?)
    } else {
        Err(file::wrong_ending(path, "pictures", &ENDINGS))
    }
}

/// Channels over time.
pub(crate) struct Series {
    channels: Vec<Channel>,
    curves: Vec<Vec<[f64; 2]>>,
    /// Numbers of the groups that channels belong to.
    groups: Vec<(Group, Vec<f64>)>,
    /// Least and greatest of the present stretch, each as time and value.
    present: Vec<Option<[[f64; 2]; 2]>>,
    /// Rows per stretch, and those in the present one.
    stretch: u64,
    rows: u64,
    time: f64,
}

impl Series {
    /// Room for a run of `steps` steps.
    pub(crate) fn new(channels: Vec<Channel>, steps: u64) -> Self {
        let count = channels.len();
        let mut groups: Vec<(Group, Vec<f64>)> = Vec::new();
        for channel in &channels {
            let place = groups.iter().position(|(group, _)| *group == channel.group).unwrap_or_else(|| {
                groups.push((channel.group, Vec::new()));
                groups.len() - 1
            });
            let values = &mut groups[place].1;
            values.resize(values.len().max(channel.index + 1), 0.0);
        }
        Self {
            channels,
            groups,
            curves: vec![Vec::new(); count],
            present: vec![None; count],
            stretch: steps.div_ceil(STRETCHES).max(1),
            rows: 0,
            time: f64::NEG_INFINITY,
        }
    }

    /// Take the state a step starts from.
    pub(crate) fn before_step(&mut self, sim: &Sim) {
        if sim.time() < self.time {
            // The clock was set back: the simulation was reset, and the curves begin anew.
            self.close_stretch();
            for curve in &mut self.curves {
                curve.push([f64::NAN; 2]);
            }
        }
        self.time = sim.time();
        self.take(sim, true);
    }

    /// Take what the step computed.
    pub(crate) fn after_step(&mut self, sim: &Sim) {
        self.take(sim, false);
        self.rows += 1;
        if self.rows >= self.stretch {
            self.close_stretch();
        }
    }

    fn take(&mut self, sim: &Sim, state: bool) {
        for (group, values) in self.groups.iter_mut().filter(|(group, _)| group.is_state() == state) {
            group.values(sim, values);
        }
        for (channel, present) in self.channels.iter().zip(&mut self.present) {
            if channel.group.is_state() != state {
                continue;
            }
            let values = self.groups.iter().find(|(group, _)| *group == channel.group);
            let Some(&value) = values.and_then(|(_, values)| values.get(channel.index)) else { continue };
            let point = [self.time, value];
            let [least, greatest] = present.get_or_insert([point; 2]);
            if !(value >= least[1]) {
                *least = point;
            }
            if !(value <= greatest[1]) {
                *greatest = point;
            }
        }
    }

    fn close_stretch(&mut self) {
        for (curve, present) in self.curves.iter_mut().zip(&mut self.present) {
            if let Some([least, greatest]) = present.take() {
                let (first, second) =
                    if least[0] <= greatest[0] { (least, greatest) } else { (greatest, least) };
                curve.push(first);
                if second[0] > first[0] {
                    curve.push(second);
                }
            }
        }
        self.rows = 0;
    }
}

/// A picture of all channels of a series.
pub(crate) fn over_time(title: &str, mut series: Series) -> Picture {
    series.close_stretch();
    let times = series.curves.iter().flatten().map(|point| point[0]).filter(|time| time.is_finite());
    let [start, end] = panel::bounds(times);
    let mut kinds: Vec<(String, Vec<Curve>)> = Vec::new();
    for (channel, points) in series.channels.iter().zip(series.curves) {
        let quantity = channel.quantity();
        let axis = if channel.unit.is_empty() { quantity } else { format!("{quantity}, {}", channel.unit) };
        let curve = Curve { name: channel.short_name(), points };
        match kinds.iter_mut().find(|(known, _)| *known == axis) {
            Some((_, curves)) => curves.push(curve),
            None => kinds.push((axis, vec![curve])),
        }
    }
    let mut panels = Vec::new();
    for (axis, mut curves) in kinds {
        // Panels that share a quantity share a scale, so that they can be compared.
        let vertical = panel::scale(curves.iter().flat_map(|curve| &curve.points).map(|point| point[1]));
        let parts = curves.len().div_ceil(MOST_CURVES);
        let share = curves.len().div_ceil(parts);
        for part in 0..parts {
            let rest = curves.split_off(share.min(curves.len()));
            panels.push(Panel {
                title: if parts > 1 { format!("{} of {parts}", part + 1) } else { String::new() },
                x: "time, s".into(),
                y: axis.clone(),
                horizontal: [start, end],
                vertical,
                curves,
            });
            curves = rest;
        }
    }
    panel::column(title, &panels)
}
