//! Why two geoms touch, or why they do not: the rules of collision detection in their order, each with its numbers.
//!
//! The walk asks the same functions as the collision stage, so it ends with a contact exactly when that stage makes one from the same
//! poses. It goes on after the first rule that stops the pair, so that all obstacles are known at once; a rule that cannot be
//! judged is left out. Poses, sleep states and hooks are those of the data as they are: run `forward` first.
//!
//! Rules for all pairs: enabled at all. Then, unless an explicit pair names the two geoms: same body, welded bodies, body masks,
//! sleep, parent and child, boxes of the bodies, excludes, boxes of the geoms, geom masks or the user's filter. Then for all pairs: a
//! test for the two shapes, bounding spheres, distance against margin, gap.

mod rule;
mod shape_rules;

pub use rule::{Finding, Rule, Step, Verdict};

use condyle_model::{Model, disable};

use crate::Data;
use crate::collision::broadphase::{self, BroadScratch};
use crate::collision::filter::{self, PairSide};
use crate::collision::in_type_order;
use crate::collision::midphase::{self, MidScratch};
use crate::collision::parameters::{self, Surface};
use crate::data::{Contact, sleep_enabled};
use crate::hooks::PairContext;
use crate::sleep::SleepState;

/// The walk of one pair through the rules of collision detection.
#[derive(Clone, Debug, PartialEq)]
pub struct PairExplanation {
    /// The two geoms in the order of their contacts: the lower type first.
    pub geoms: [usize; 2],
    /// The explicit pairs that name the two geoms.
    pub explicit: Vec<usize>,
    /// Rules in the order in which they are asked.
    pub steps: Vec<Step>,
    /// The contacts of the pair.
    pub contacts: Vec<Contact>,
}

impl PairExplanation {
    /// Whether the pair makes contacts.
    pub fn collides(&self) -> bool {
        !self.contacts.is_empty()
    }

    /// Whether one of the contacts becomes a constraint and can carry force.
    pub fn is_active(&self) -> bool {
        self.contacts.iter().any(|contact| contact.exclude == 0)
    }

    /// The first rule that stops the pair.
    pub fn reason(&self) -> Option<&Step> {
        self.steps.iter().find(|step| step.verdict == Verdict::Stops)
    }
}

fn lower(a: f64, b: f64) -> f64 {
    if b < a { b } else { a }
}

/// Explain the pair of geoms `geom1` and `geom2`; `None` if there is no such geom or both are the same.
pub fn explain_pair(model: &Model, data: &Data, geom1: usize, geom2: usize) -> Option<PairExplanation> {
    if geom1 >= model.ngeom || geom2 >= model.ngeom || geom1 == geom2 {
        return None;
    }
    let geoms = in_type_order(model, [geom1, geom2]);
    let named = |pair: usize| {
        let names = [model.pair_geom1[pair] as usize, model.pair_geom2[pair] as usize];
        names == geoms || names == [geoms[1], geoms[0]]
    };
    let mut walk = Walk {
        model,
        data,
        geoms,
        bodies: geoms.map(|geom| model.geom_bodyid[geom] as usize),
        explicit: (0..model.npair).filter(|pair| named(*pair)).collect(),
        steps: Vec::new(),
        contacts: Vec::new(),
    };
    walk.flags();
    let enabled = !walk.stopped_since(0);
    if walk.explicit.is_empty() {
        walk.dynamic_pair();
    } else {
        walk.explicit_pairs();
    }
    if !enabled {
        walk.contacts.clear();
    }
    walk.immobile();
    Some(PairExplanation { geoms, explicit: walk.explicit, steps: walk.steps, contacts: walk.contacts })
}

/// The walk so far.
struct Walk<'a> {
    model: &'a Model,
    data: &'a Data,
    geoms: [usize; 2],
    bodies: [usize; 2],
    explicit: Vec<usize>,
    steps: Vec<Step>,
    contacts: Vec<Contact>,
}

impl Walk<'_> {
    fn push(&mut self, step: Step) {
        self.steps.push(step);
    }

    /// Whether one of the steps from `start` on stops the pair.
    fn stopped_since(&self, start: usize) -> bool {
        self.steps[start..].iter().any(|step| step.verdict == Verdict::Stops)
    }

    fn flags(&mut self) {
        let flags = self.model.opt.disableflags;
        let off = [("contact", disable::CONTACT), ("constraint", disable::CONSTRAINT)];
        let disabled = off.iter().rfind(|(_, bit)| flags & bit != 0);
        let step = match disabled {
            Some(&(name, _)) => Step::stops(Rule::Flags, Finding::Disabled(name)),
            None => Step::passes(Rule::Flags, Finding::Enabled),
        };
        self.push(step.number("disableflags", f64::from(flags)));
    }

    /// Geoms that an explicit pair names are tested with its parameters and no rule about bodies or masks.
    fn explicit_pairs(&mut self) {
        for index in 0..self.explicit.len() {
            let (model, pair) = (self.model, self.explicit[index]);
            let (first_step, first_contact) = (self.steps.len(), self.contacts.len());
            self.push(
                Step::passes(Rule::ExplicitPair, Finding::ExplicitPair(pair)).number("pair", pair as f64),
            );
            let rests = |body: usize| self.data.awake.body_awake[body] != SleepState::Awake as i32;
            if sleep_enabled(model) && self.bodies.iter().all(|body| rests(*body)) {
                self.push(Step::stops(Rule::Sleep, Finding::NeitherAwake));
            }
            let margin = parameters::effective_margin(model, model.pair_margin[pair]);
            self.shapes(margin, parameters::of_pair(model, pair));
            if self.stopped_since(first_step) {
                self.contacts.truncate(first_contact);
            }
        }
    }

    fn dynamic_pair(&mut self) {
        if self.bodies[0] == self.bodies[1] {
            let body = self.bodies[0];
            self.push(Step::stops(Rule::SameBody, Finding::SameBody(body)).number("body", body as f64));
        } else {
            self.body_rules();
            self.exclude();
            self.geom_boxes();
        }
        let has_test = self.has_test();
        let judged = self.steps.iter().any(|step| step.rule == Rule::GeomMasks);
        if has_test && !judged {
            self.geom_masks();
        }
        let [geom1, geom2] = self.geoms;
        let margin = self.model.geom_margin[geom1] + self.model.geom_margin[geom2];
        let margin = parameters::effective_margin(self.model, margin);
        if has_test {
            self.touching(margin, parameters::mixed(self.model, self.geoms.map(Surface::Geom)));
        }
        if self.stopped_since(0) {
            self.contacts.clear();
        }
    }

    /// Rules for the two bodies that decide whether the broad phase makes a pair of them.
    fn body_rules(&mut self) {
        let (model, data, [body1, body2]) = (self.model, self.data, self.bodies);
        let before = self.steps.len();
        self.welds();
        self.body_masks();
        self.sleep();
        self.parent();
        let stopped = self.stopped_since(before);

        let mut scratch = BroadScratch::default();
        broadphase::find_pairs(model, &data.kinematics, &data.flexes, &data.awake, &mut scratch);
        let found = scratch.pairs.contains(&broadphase::pair_of(body1, body2));
        let everywhere = self.bodies.into_iter().find(|body| broadphase::meets_everything(model, *body));
        if let Some(body) = everywhere.filter(|_| found) {
            self.push(Step::passes(Rule::BodyBoxes, Finding::NearEverything(body)));
            return;
        }
        let Some(distances) = broadphase::box_distances(model, &data.kinematics, &data.flexes, body1, body2)
        else {
            return;
        };
        let largest = distances.iter().fold(f64::NEG_INFINITY, |a, b| if *b > a { *b } else { a });
        let apart = if stopped { largest > 0.0 } else { !found };
        let step = if apart {
            Step::stops(Rule::BodyBoxes, Finding::BodyBoxesApart(largest))
        } else {
            Step::passes(Rule::BodyBoxes, Finding::BodyBoxesOverlap)
        };
        let names = ["distance1", "distance2", "distance3"];
        self.push(
            names.into_iter().zip(distances).fold(step, |step, (name, value)| step.number(name, value)),
        );
    }

    fn welds(&mut self) {
        let model = self.model;
        let welds = self.bodies.map(|body| model.body_weldid[body] as usize);
        let step = if welds[0] != welds[1] {
            Step::passes(Rule::WeldGroup, Finding::Movable)
        } else if welds[0] == 0 {
            Step::stops(Rule::WeldGroup, Finding::FixedToWorld)
        } else {
            Step::stops(Rule::WeldGroup, Finding::FixedTo(welds[0]))
        };
        self.push(step.number("weld1", welds[0] as f64).number("weld2", welds[1] as f64));
    }

    fn body_masks(&mut self) {
        let (model, [body1, body2]) = (self.model, self.bodies);
        let masks = self.bodies.map(|body| filter::gathered_masks(model, body));
        let mute = self.bodies.into_iter().find(|body| !filter::can_collide(model, *body));
        let step = if let Some(body) = mute {
            Step::stops(Rule::BodyMasks, Finding::BodyWithoutMasks(body))
        } else if !filter::any_geoms_match(model, body1, body2)
            || !filter::colliders_match(model, body1, body2)
        {
            Step::stops(Rule::BodyMasks, Finding::BodyMasksDiffer(masks))
        } else {
            Step::passes(Rule::BodyMasks, Finding::BodyMasksMatch)
        };
        self.push(step.masks(masks));
    }

    fn sides(&self) -> [PairSide; 2] {
        let awake = &self.data.awake;
        let any_asleep = awake.any_body_asleep(self.model);
        self.bodies.map(|body| {
            let asleep = any_asleep && awake.body_awake[body] == SleepState::Asleep as i32;
            PairSide::of(self.model, body, asleep)
        })
    }

    fn sleep(&mut self) {
        if !sleep_enabled(self.model) {
            return;
        }
        let [a, b] = self.sides();
        let stops = (a.asleep && (b.asleep || b.weld == 0)) || (b.asleep && a.weld == 0);
        self.push(if stops {
            Step::stops(Rule::Sleep, Finding::AsleepOrFixed)
        } else {
            Step::passes(Rule::Sleep, Finding::OneAwake)
        });
    }

    fn parent(&mut self) {
        let enabled = self.model.opt.disableflags & disable::FILTERPARENT == 0;
        let [a, b] = self.sides();
        let related = a.weld != 0 && b.weld != 0 && (a.weld == b.weld_parent || b.weld == a.weld_parent);
        let step = if !related {
            Step::passes(Rule::ParentAndChild, Finding::NotRelated)
        } else if !enabled {
            Step::passes(Rule::ParentAndChild, Finding::RelatedWithoutFilter)
        } else if a.weld == b.weld {
            return;
        } else {
            let (parent, child): (usize, usize) = if a.weld == b.weld_parent { (0, 1) } else { (1, 0) };
            let finding = Finding::ParentOf(self.bodies[parent], self.bodies[child]);
            Step::stops(Rule::ParentAndChild, finding)
        };
        self.push(step);
    }

    fn exclude(&mut self) {
        let model = self.model;
        let (low, high) =
            (self.bodies[0].min(self.bodies[1]) as u32, self.bodies[0].max(self.bodies[1]) as u32);
        let signature = (low << 16).wrapping_add(high);
        let found = model.exclude_signature.iter().position(|excluded| *excluded as u32 == signature);
        let step = match found {
            Some(exclude) => {
                Step::stops(Rule::Exclude, Finding::Excluded(exclude)).number("exclude", exclude as f64)
            }
            None => Step::passes(Rule::Exclude, Finding::NotExcluded),
        };
        self.push(step);
    }

    /// Boxes of the geoms, compared on the way down the trees of both bodies.
    fn geom_boxes(&mut self) {
        let (model, kinematics) = (self.model, &self.data.kinematics);
        let [body1, body2] = [self.bodies[0].min(self.bodies[1]), self.bodies[0].max(self.bodies[1])];
        let single = model.body_geomnum[body1] == 1 && model.body_geomnum[body2] == 1;
        let off = model.opt.disableflags & disable::MIDPHASE != 0;
        if single || off || model.body_bvhadr[body1] < 0 || model.body_bvhadr[body2] < 0 {
            return;
        }
        let leaf = |geom: usize, body: usize| {
            let start = model.body_bvhadr[body] as usize;
            let nodes = start..start + model.body_bvhnum[body].max(0) as usize;
            nodes
                .into_iter()
                .any(|node| model.bvh_nodeid[node] == geom as i32 && model.bvh_child[node] == [-1, -1])
        };
        let absent = (0..2).find(|side| !leaf(self.geoms[*side], self.bodies[*side]));
        if let Some(side) = absent {
            self.push(
                Step::stops(Rule::GeomMasks, Finding::GeomWithoutMasks(self.geoms[side]))
                    .number(["contype1", "contype2"][side], 0.0)
                    .number(["conaffinity1", "conaffinity2"][side], 0.0),
            );
            return;
        }
        let mut visited = false;
        midphase::visit(model, kinematics, body1, body2, false, &mut MidScratch::default(), |geoms| {
            visited |= geoms == self.geoms || geoms == [self.geoms[1], self.geoms[0]];
        });
        let distance = midphase::box_distance(model, kinematics, self.geoms);
        let step = if visited {
            Step::passes(Rule::GeomBoxes, Finding::GeomBoxesOverlap)
        } else if distance > 0.0 {
            Step::stops(Rule::GeomBoxes, Finding::GeomBoxesApart(distance))
        } else {
            Step::stops(Rule::GeomBoxes, Finding::GeomVolumesApart)
        };
        self.push(step.number("distance", distance));
    }

    fn geom_masks(&mut self) {
        let (model, data) = (self.model, self.data);
        let masks = self.geoms.map(|geom| [model.geom_contype[geom], model.geom_conaffinity[geom]]);
        let matching = filter::geoms_match(model, self.geoms);
        let context = PairContext { state: &data.state, inputs: &data.inputs, kinematics: &data.kinematics };
        let allowed = data.hooks.may_collide(model, context, self.geoms);
        let verdict = if allowed { Verdict::Passes } else { Verdict::Stops };
        let step = if allowed != matching {
            Step::new(Rule::UserFilter, verdict, Finding::UserFilter(allowed))
        } else if matching {
            Step::new(Rule::GeomMasks, verdict, Finding::GeomMasksMatch(masks))
        } else {
            Step::new(Rule::GeomMasks, verdict, Finding::GeomMasksDiffer(masks))
        };
        self.push(step.masks(masks));
    }
}
