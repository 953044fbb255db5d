//! The last minutes of a simulation as snapshots that can be returned to.
//!
//! Snapshots are numbered in the order they were taken. Their memory is bounded: the oldest go first. When the bound is reached before
//! the minutes are, every other snapshot of the older half is dropped, so that the whole time stays reachable, more coarsely.

use std::collections::VecDeque;

use condyle_engine::{Data, Snapshot};
use condyle_model::Model;

/// Most bytes of all snapshots.
const MOST_BYTES: usize = 256 << 20;
/// Most snapshots.
const MOST: usize = 20_000;
/// Snapshots per second of simulated time.
const RATE: f64 = 30.0;

#[derive(Debug)]
struct Entry {
    number: u64,
    time: f64,
    step: u64,
    snapshot: Snapshot,
}

/// Snapshots, oldest first.
#[derive(Debug, Default)]
pub(crate) struct History {
    entries: VecDeque<Entry>,
    next: u64,
    bytes: usize,
    /// The snapshot the simulation stands at, until it moves on.
    at: Option<u64>,
}

impl History {
    pub(crate) fn clear(&mut self) {
        self.entries.clear();
        self.bytes = 0;
        self.at = None;
    }

    /// Whether enough time has passed since the last snapshot.
    pub(crate) fn is_due(&self, time: f64) -> bool {
        self.entries.back().is_none_or(|last| !(time - last.time < 1.0 / RATE && time >= last.time))
    }

    /// Keeps the present state.
    pub(crate) fn keep(&mut self, model: &Model, data: &Data) {
        let snapshot = Snapshot::take(model, data);
        self.bytes += snapshot.as_bytes().len();
        let (time, step) = (data.state.time, data.diagnostics.report.step);
        self.entries.push_back(Entry { number: self.next, time, step, snapshot });
        self.next += 1;
        if self.bytes > MOST_BYTES || self.entries.len() > MOST {
            self.thin();
        }
    }

    /// Drops every other snapshot of the older half; of few, the oldest.
    fn thin(&mut self) {
        let half = (self.entries.len() / 2) as u64;
        let mut place = 0;
        let few = half < 16;
        let bytes = &mut self.bytes;
        self.entries.retain(|entry| {
            let drop = if few { place == 0 } else { place < half && place % 2 == 1 };
            place += 1;
            if drop {
                *bytes -= entry.snapshot.as_bytes().len();
            }
            !drop
        });
    }

    /// The simulation goes on from where it stands: what came after is forgotten.
    pub(crate) fn resume(&mut self) {
        if let Some(at) = self.at.take() {
            while self.entries.back().is_some_and(|last| last.number > at) {
                if let Some(entry) = self.entries.pop_back() {
                    self.bytes -= entry.snapshot.as_bytes().len();
                }
            }
        }
    }

    /// Returns to a snapshot. `false` when there is none of this number.
    pub(crate) fn restore(&mut self, number: u64, model: &Model, data: &mut Data) -> bool {
        let Ok(place) = self.entries.binary_search_by_key(&number, |entry| entry.number) else {
            return false;
        };
        let restored = self.entries[place].snapshot.restore(model, data).is_ok();
        if restored {
            self.at = Some(number);
        }
        restored
    }

    /// Number of the snapshot `back` places before where the simulation stands.
    pub(crate) fn before(&self, back: usize, step: u64) -> Option<u64> {
        let last = match self.at {
            Some(at) => self.entries.iter().rposition(|entry| entry.number <= at)?,
            // The newest snapshot may be the present state itself.
            None => match self.entries.iter().rposition(|entry| entry.step < step) {
                Some(place) => place + 1,
                None => return None,
            },
        };
        self.entries.get(last.checked_sub(back)?).map(|entry| entry.number)
    }

    /// Number and time of the oldest and the newest snapshot.
    pub(crate) fn range(&self) -> Option<[(u64, f64); 2]> {
        let end = |entry: &Entry| (entry.number, entry.time);
        Some([end(self.entries.front()?), end(self.entries.back()?)])
    }

    /// The number nearest to `number` that is kept.
    pub(crate) fn nearest(&self, number: u64) -> Option<u64> {
        let place = self.entries.partition_point(|entry| entry.number < number);
        self.entries.get(place).or_else(|| self.entries.back()).map(|entry| entry.number)
    }

    /// The snapshot the simulation stands at.
    pub(crate) const fn position(&self) -> Option<u64> {
        self.at
    }

    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }
}
