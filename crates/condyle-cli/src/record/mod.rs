//! Recording a run: one row per step, written while the run goes on.
//!
//! A row has the state a step starts from (time, `qpos`, `qvel`, `act`, `ctrl`) and what the step computes for it (actuator forces,
//! sensor readings). Nothing is kept in memory, so a run may be as long as the disk allows, and a run that is ended early leaves a
//! complete file.

mod csv;
mod npz;

use std::path::{Path, PathBuf};

use condyle::Sim;

use crate::channel::{Channel, Group};

/// What a file of rows can do.
trait Sink {
    /// One row: time, then the numbers of all groups one after another.
    fn row(&mut self, time: f64, values: &[f64]) -> std::io::Result<()>;
    /// Bring the file to a state in which it can be read.
    fn flush(&mut self) -> std::io::Result<()>;
    /// The last row has been written.
    fn finish(&mut self) -> std::io::Result<()>;
}

/// Columns of one group.
struct Block {
    group: Group,
    channels: Vec<Channel>,
    /// Where its numbers begin in a row.
    start: usize,
}

/// A recording in progress.
pub(crate) struct Recorder {
    path: PathBuf,
    sink: Box<dyn Sink>,
    groups: Vec<(Group, std::ops::Range<usize>)>,
    time: f64,
    values: Vec<f64>,
    rows: u64,
}

/// Endings of recordings.
pub(crate) const ENDINGS: [&str; 2] = ["csv", "npz"];

impl Recorder {
    /// Open the file, by its ending, for all channels of a model.
    pub(crate) fn create(path: &Path, channels: &[Channel]) -> Result<Self, String> {
        let mut blocks: Vec<Block> = Vec::new();
        let mut start = 0;
        for group in Group::ALL {
            let own: Vec<Channel> =
                channels.iter().filter(|channel| channel.group == group).cloned().collect();
            let width = own.len();
            blocks.push(Block { group, channels: own, start });
            start += width;
        }
        let groups = blocks
            .iter()
            .map(|block| (block.group, block.start..block.start + block.channels.len()))
            .collect();
        let failed = |error: std::io::Error| crate::file::cannot_write(path, &error);
        let sink: Box<dyn Sink> = if crate::file::has_ending(path, "csv") {
            Box::new(csv::Csv::create(path, &blocks).map_err(failed)?)
        } else if crate::file::has_ending(path, "npz") {
            Box::new(npz::Npz::create(path, blocks).map_err(failed)?)
        } else {
            return Err(crate::file::wrong_ending(path, "recordings", &ENDINGS));
        };
        Ok(Self { path: path.to_owned(), sink, groups, time: 0.0, values: vec![0.0; start], rows: 0 })
    }

    /// Take the state a step starts from.
    pub(crate) fn before_step(&mut self, sim: &Sim) {
        self.time = sim.time();
        self.take(sim, true);
    }

    /// Take what the step computed, and write the row.
    pub(crate) fn after_step(&mut self, sim: &Sim) -> Result<(), String> {
        self.take(sim, false);
        self.rows += 1;
        let written = self.sink.row(self.time, &self.values);
        written.map_err(|error| self.failed(&error))
    }

    fn take(&mut self, sim: &Sim, state: bool) {
        for (group, range) in &self.groups {
            if group.is_state() == state {
                group.values(sim, &mut self.values[range.clone()]);
            }
        }
    }

    /// Bring out what has been written so far.
    pub(crate) fn flush(&mut self) -> Result<(), String> {
        let flushed = self.sink.flush();
        flushed.map_err(|error| self.failed(&error))
    }

    /// Close the file; returns the number of rows.
    pub(crate) fn finish(mut self) -> Result<u64, String> {
        let finished = self.sink.finish();
        finished.map_err(|error| self.failed(&error)).map(|()| self.rows)
    }

    fn failed(&self, error: &std::io::Error) -> String {
        crate::file::cannot_write(&self.path, error)
    }
}
