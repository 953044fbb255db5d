//! The broad phase of small models: the pairs of bodies that the rules allow are listed once, and a step tests only those.
//!
//! The list depends on the model alone and is made anew when one of the arrays behind it changes. In a step, boxes aligned with the
//! world and then the spheres themselves sort out the pairs whose geoms have all their bounding spheres apart: no test behind the broad
//! phase finds a contact there. Where two spheres clearly overlap, the sweep of [`broadphase`] would find the pair; what is left is
//! compared as the sweep compares it. So the contacts and their order are the same.

use condyle_model::{Model, disable};

use crate::data::{Awake, Flexes, Kinematics};
use crate::sleep::SleepState;

use super::broadphase::{self, BroadScratch, Nearness, bodies_of, pair_of};
use super::filter::{self, PairSide};

/// With more pairs than this, a sweep is faster than testing each.
const MOST_PAIRS: usize = 400;
/// With more bodies than this, pairs are not even listed.
const MOST_COLLIDERS: usize = 64;
/// Gap between boxes, as a share of the largest coordinate, from which on rounding cannot make bounding spheres meet.
pub(super) const CLEAR: f64 = 1e-9;

/// What the list was made from.
pub(super) type Key = ([u64; 9], usize, bool);

/// The pairs the rules allow, and work space of a step.
#[derive(Clone, Debug, Default)]
pub struct Candidates {
    key: Option<Key>,
    /// Whether the list is short enough to be used.
    usable: bool,
    /// Pairs of a static body that meets everything and any other body, and that other body.
    with_static: Vec<(u64, u32)>,
    /// Whether `with_static` ascends and comes before all of `moving`.
    in_order: bool,
    /// Pairs of places in `colliders`, ascending.
    moving: Vec<[u32; 2]>,
    /// Bodies in `moving` with their place among all bodies that can collide.
    colliders: Vec<Collider>,
    /// Their geoms one after another, and whether each can touch anything.
    geoms: Vec<(u32, bool)>,
    /// Bounds along the axes of the world.
    bounds: Vec<[f64; 6]>,
    /// Pairs of `moving` that came near in this step.
    near: Vec<u32>,
    /// Bounds in the frame of the sweep, for the bodies of `near`.
    boxes: Vec<Option<[f64; 6]>>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Collider {
    body: u32,
    place: u32,
    /// Number of geoms up to the last of this body.
    geoms_end: u32,
    welded_to_world: bool,
}

pub(super) fn key(model: &Model) -> Option<Key> {
    let revisions = [
        model.body_weldid.revision()?,
        model.body_parentid.revision()?,
        model.body_geomadr.revision()?,
        model.body_geomnum.revision()?,
        model.body_contype.revision()?,
        model.body_conaffinity.revision()?,
        model.geom_contype.revision()?,
        model.geom_conaffinity.revision()?,
        model.geom_type.revision()?,
    ];
    Some((revisions, model.nbody, model.opt.disableflags & disable::FILTERPARENT == 0))
}

/// Pairs that may touch, into `broad.pairs`. `false` if this way cannot be gone; then `broad.pairs` holds nothing of use.
pub fn find_pairs(
    model: &Model,
    kinematics: &Kinematics,
    flexes: &Flexes,
    awake: &Awake,
    broad: &mut BroadScratch,
) -> bool {
    let BroadScratch { candidates, pairs, .. } = broad;
    candidates.follow(model);
    if !candidates.usable || !candidates.bound(model, kinematics) {
        return false;
    }
    let any_asleep = awake.any_body_asleep(model);
    let asleep = |body: u32| any_asleep && awake.body_awake[body as usize] == SleepState::Asleep as i32;
    pairs.clear();
    for (pair, body) in &candidates.with_static {
        if !asleep(*body) {
            pairs.push(*pair);
        }
    }
    let largest = candidates.find_near();
    let mut frame = None;
    let Candidates { moving, colliders, near, boxes, .. } = candidates;
    boxes.clear();
    for pair in near.iter() {
        let [first, second] = moving[*pair as usize].map(|place| place as usize);
        let (a, b) = (colliders[first], colliders[second]);
        if any_asleep && [a, b].iter().all(|side| side.welded_to_world || asleep(side.body)) {
            continue;
        }
        let bodies = [a.body as usize, b.body as usize];
        let meet = match broadphase::nearness(model, kinematics, bodies, largest) {
            Nearness::Apart => false,
            Nearness::Overlap => true,
            Nearness::Unclear => {
                if frame.is_none() {
                    frame = broadphase::principal_frame(model, kinematics, flexes);
                    boxes.resize(colliders.len(), None);
                }
                let Some(frame) = &frame else { break };
                for (place, body) in [first, second].into_iter().zip(bodies) {
                    boxes[place]
                        .get_or_insert_with(|| broadphase::bounding_box(model, kinematics, body, frame));
                }
                match (&boxes[first], &boxes[second]) {
                    (Some(box1), Some(box2)) => broadphase::boxes_overlap((box1, a.place), (box2, b.place)),
                    _ => false,
                }
            }
        };
        if meet {
            pairs.push(pair_of(bodies[0], bodies[1]));
        }
    }
    if !candidates.in_order {
        pairs.sort_unstable();
    }
    true
}

impl Candidates {
    /// Make the list anew if the model is another than last time.
    fn follow(&mut self, model: &Model) {
        let key = key(model);
        if key.is_none() {
            (self.key, self.usable) = (None, false);
        } else if key != self.key {
            self.key = key;
            self.usable = model.nflex == 0 && self.list(model);
        }
    }

    /// List the pairs; `false` if there are too many.
    fn list(&mut self, model: &Model) -> bool {
        self.with_static.clear();
        self.moving.clear();
        self.colliders.clear();
        self.geoms.clear();
        let able = |body: &usize| filter::can_collide(model, *body);
        if (1..model.nbody).filter(able).count() > MOST_COLLIDERS {
            return false;
        }
        let filter_parent = model.opt.disableflags & disable::FILTERPARENT == 0;
        let side = |body: usize| PairSide::of(model, body, false);
        let masks = |body: usize| filter::gathered_masks(model, body);
        for body1 in (0..model.nbody).filter(able) {
            if !broadphase::meets_everything(model, body1) {
                continue;
            }
            for body2 in (0..model.nbody).filter(able) {
                let world = PairSide { weld: 0, weld_parent: 0, asleep: false };
                if !filter::pair_is_ruled_out(world, side(body2), filter_parent)
                    && filter::masks_match(masks(body1), masks(body2))
                {
                    self.with_static.push((pair_of(body1, body2), body2 as u32));
                }
            }
        }
        let bodies: Vec<usize> = (1..model.nbody).filter(able).collect();
        let mut place_of = vec![u32::MAX; bodies.len()];
        for first in 0..bodies.len() {
            for second in first + 1..bodies.len() {
                let pair = [bodies[first], bodies[second]];
                let ruled_out = filter::pair_is_ruled_out(side(pair[0]), side(pair[1]), filter_parent);
                if ruled_out || !filter::masks_match(masks(pair[0]), masks(pair[1])) {
                    continue;
                }
                let places = [first, second].map(|place| {
                    if place_of[place] == u32::MAX {
                        place_of[place] = self.colliders.len() as u32;
                        let body = bodies[place] as u32;
                        let collides =
                            |geom: usize| model.geom_contype[geom] | model.geom_conaffinity[geom] != 0;
                        let geoms = filter::geoms_of(model, bodies[place]);
                        self.geoms.extend(geoms.map(|geom| (geom as u32, collides(geom))));
                        let (place, geoms_end) = (place as u32, self.geoms.len() as u32);
                        let welded_to_world = model.body_weldid[body as usize] == 0;
                        self.colliders.push(Collider { body, place, geoms_end, welded_to_world });
                    }
                    place_of[place]
                });
                self.moving.push(places);
            }
        }
        let with_static = self.with_static.iter();
        self.in_order =
            with_static.clone().is_sorted() && with_static.clone().all(|(p, _)| bodies_of(*p).0 == 0);
        self.moving.len() <= MOST_PAIRS
    }

    /// Bounds of the bodies along the axes of the world; `false` where the geoms are no finite balls.
    fn bound(&mut self, model: &Model, kinematics: &Kinematics) -> bool {
        let Self { colliders, geoms, bounds, .. } = self;
        bounds.clear();
        let (mut usable, mut first) = (true, 0);
        for collider in colliders.iter() {
            let mut total = [
                f64::INFINITY,
                f64::INFINITY,
                f64::INFINITY,
                f64::NEG_INFINITY,
                f64::NEG_INFINITY,
                f64::NEG_INFINITY,
            ];
            let end = collider.geoms_end as usize;
            for (geom, collides) in &geoms[first..end] {
                let geom = *geom as usize;
                let radius = model.geom_rbound[geom];
                let reach = radius + broadphase::margin_of(model, geom);
                let center = kinematics.geom_xpos[geom];
                usable &=
                    radius > 0.0 && reach >= 0.0 && (center[0] + center[1] + center[2] + reach).is_finite();
                // Geoms that are only seen touch nothing.
                if !collides {
                    continue;
                }
                for axis in 0..3 {
                    let (low, high) = (center[axis] - reach, center[axis] + reach);
                    total[axis] = if low < total[axis] { low } else { total[axis] };
                    total[axis + 3] = if high > total[axis + 3] { high } else { total[axis + 3] };
                }
            }
            first = end;
            bounds.push(total);
        }
        usable
    }

    /// Pairs whose bounds are not clearly apart; returns the largest magnitude of a coordinate.
    fn find_near(&mut self) -> f64 {
        let Self { moving, bounds, near, .. } = self;
        near.clear();
        let largest = |largest: f64, x: &f64| if x.abs() > largest { x.abs() } else { largest };
        let largest = bounds.iter().flatten().fold(0.0, largest);
        let clear = CLEAR * largest;
        for (index, pair) in moving.iter().enumerate() {
            let [a, b] = pair.map(|place| &bounds[place as usize]);
            let apart = |axis: usize| a[axis] - b[axis + 3] > clear || b[axis] - a[axis + 3] > clear;
            if !(apart(0) || apart(1) || apart(2)) {
                near.push(index as u32);
            }
        }
        largest
    }
}
