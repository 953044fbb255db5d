//! Bodies that are fixed or asleep, with their bounds: while their geoms stay where they are, as long as the same bodies sleep, nothing of it is made anew.
//!
//! What is kept follows from the model and from the positions of the geoms, which are compared bit by bit.

use std::ops::Range;

use condyle_math::{Vec3, dense};
use condyle_model::{Model, enable};

use crate::data::Kinematics;

use super::candidates::CLEAR;
use super::filter;
use super::grid::{NOTHING, include, largest, meet};
use super::neighbours::Bounds;

/// Bodies that are compared together first.
const GROUP: usize = 8;

/// What bounds follow from beside the places of the geoms.
type Key = ([u64; 2], bool, u64);

/// The bodies of the broad phase by whether they can move, as places in its list, and the bounds of those that cannot.
#[derive(Clone, Debug, Default)]
pub(super) struct Resting {
    /// Who was awake when the lists were made; empty if all were.
    body_awake: Vec<i32>,
    is_listed: bool,
    pub(super) moving: Vec<u32>,
    pub(super) bodies: Vec<u32>,
    /// Runs of geoms of these bodies.
    geoms: Vec<Range<usize>>,
    /// Whether bounds and positions belong to the lists.
    is_kept: bool,
    key: Option<Key>,
    /// Whether all geoms are finite balls.
    pub(super) usable: bool,
    pub(super) bounds: Vec<Bounds>,
    /// Bounds of each [`GROUP`] of bodies.
    groups: Vec<Bounds>,
    positions: Vec<Vec3>,
}

fn key(model: &Model) -> Option<Key> {
    let revisions = [model.geom_rbound.revision()?, model.geom_margin.revision()?];
    Some((revisions, model.opt.enableflags & enable::OVERRIDE != 0, model.opt.o_margin.to_bits()))
}

impl Resting {
    /// The bodies of the broad phase are others, `count` of them: make room for as many as may rest later.
    pub(super) fn begin(&mut self, model: &Model, count: usize) {
        (self.is_listed, self.is_kept) = (false, false);
        self.body_awake.clear();
        self.body_awake.reserve(model.nbody);
        for list in [&mut self.moving, &mut self.bodies] {
            list.clear();
            list.reserve(count);
        }
        self.geoms.clear();
        self.geoms.reserve(count);
        self.bounds.clear();
        self.bounds.reserve(count);
        self.groups.clear();
        self.groups.reserve(count.div_ceil(GROUP));
        self.positions.resize(model.ngeom, [0.0; 3]);
    }

    /// List the bodies again if others are awake than last time; `None` if nobody sleeps. `numbers` are the bodies behind the places, and `rests` says
    /// of a place whether that body is fixed or asleep.
    pub(super) fn list(
        &mut self,
        model: &Model,
        awake: Option<&[i32]>,
        numbers: impl Iterator<Item = u32>,
        rests: impl Fn(usize) -> bool,
    ) {
        let awake = awake.unwrap_or_default();
        if self.is_listed && self.body_awake == awake {
            return;
        }
        self.body_awake.clear();
        self.body_awake.extend_from_slice(awake);
        (self.is_listed, self.is_kept) = (true, false);
        self.moving.clear();
        self.bodies.clear();
        self.geoms.clear();
        for (place, body) in numbers.enumerate() {
            if !rests(place) {
                self.moving.push(place as u32);
                continue;
            }
            self.bodies.push(place as u32);
            let own = filter::geoms_of(model, body as usize);
            match self.geoms.last_mut() {
                Some(run) if run.end == own.start => run.end = own.end,
                _ => self.geoms.push(own),
            }
        }
    }

    /// Bring the bounds up to date; `bound` makes those of a place, and says whether that was possible.
    pub(super) fn bound(
        &mut self,
        model: &Model,
        kinematics: &Kinematics,
        bound: impl Fn(usize, &mut bool) -> Bounds,
    ) {
        let (now, key) = (&kinematics.geom_xpos, key(model));
        let in_place = |run: &Range<usize>| {
            let (kept, now) = (&self.positions[run.clone()], &now[run.clone()]);
            dense::same_bits(kept.as_flattened(), now.as_flattened())
        };
        if self.is_kept && key == self.key && self.geoms.iter().all(in_place) {
            return;
        }
        for run in &self.geoms {
            self.positions[run.clone()].copy_from_slice(&now[run.clone()]);
        }
        (self.is_kept, self.key, self.usable) = (key.is_some(), key, true);
        self.bounds.clear();
        for place in &self.bodies {
            self.bounds.push(bound(*place as usize, &mut self.usable));
        }
        self.groups.clear();
        self.groups.extend(self.bounds.chunks(GROUP).map(|group| {
            let mut total = NOTHING;
            for bounds in group {
                include(&mut total, [bounds[0], bounds[1], bounds[2]], [bounds[3], bounds[4], bounds[5]]);
            }
            total
        }));
    }

    /// Visit the bodies that are not clearly apart from `whole`, with bounds and place.
    pub(super) fn near(&self, whole: &Bounds, clear: f64, mut visit: impl FnMut(u32, &Bounds)) {
        // The clear distance of a far body is larger, but that body is then far. That of a group is as large as any of its bodies.
        let is_near = |bounds: &Bounds| meet(bounds, whole, 2.0 * clear + CLEAR * largest(bounds));
        let bodies = self.bodies.chunks(GROUP).zip(self.bounds.chunks(GROUP));
        for ((places, all), group) in bodies.zip(&self.groups) {
            if is_near(group) {
                for (place, bounds) in places.iter().zip(all).filter(|(_, bounds)| is_near(bounds)) {
                    visit(*place, bounds);
                }
            }
        }
    }
}
