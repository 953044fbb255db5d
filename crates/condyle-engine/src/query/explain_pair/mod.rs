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

pub use rule::{Rule, Step, Verdict};

use condyle_model::{Model, ObjectType, disable};

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

    /// The outcome as a sentence.
    pub fn summary(&self) -> String {
        match (self.contacts.len(), self.reason()) {
            (0, Some(step)) => format!("no contact: {}", step.message),
            (0, None) => "no contact".to_owned(),
            (count, _) => {
                let deepest = self.contacts.iter().map(|contact| contact.dist).fold(f64::INFINITY, lower);
                let plural = if count == 1 { "contact" } else { "contacts" };
                let force = if self.is_active() { "" } else { ", without force" };
                format!("{count} {plural}, smallest distance {deepest:.6} m{force}")
            }
        }
    }
}

fn lower(a: f64, b: f64) -> f64 {
    if b < a { b } else { a }
}

/// Name of an element in quotes, or its body and number.
pub(super) fn label(model: &Model, kind: ObjectType, id: usize) -> String {
    match model.name(kind, id) {
        "" => model.label(kind, id),
        name => format!("'{name}'"),
    }
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
    fn body(&self, body: usize) -> String {
        label(self.model, ObjectType::Body, body)
    }

    fn geom(&self, geom: usize) -> String {
        label(self.model, ObjectType::Geom, geom)
    }

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
        let mut step = Step::passes(Rule::Flags, "contacts and constraints are enabled");
        for (name, _) in off.iter().filter(|(_, bit)| flags & bit != 0) {
            step = Step::stops(Rule::Flags, format!("the flag '{name}' is disabled for the whole model"))
                .help(format!("remove {name}=\"disable\" from <option><flag/>"));
        }
        self.push(step.number("disableflags", f64::from(flags)));
    }

    /// Geoms that an explicit pair names are tested with its parameters and no rule about bodies or masks.
    fn explicit_pairs(&mut self) {
        for index in 0..self.explicit.len() {
            let (model, pair) = (self.model, self.explicit[index]);
            let (first_step, first_contact) = (self.steps.len(), self.contacts.len());
            let name = label(model, ObjectType::Pair, pair);
            self.push(
                Step::passes(
                    Rule::ExplicitPair,
                    format!(
                        "<pair> {name} names the two geoms: body, parent, exclude and mask rules do not apply"
                    ),
                )
                .number("pair", pair as f64),
            );
            let rests = |body: usize| self.data.awake.body_awake[body] != SleepState::Awake as i32;
            if sleep_enabled(model) && self.bodies.iter().all(|body| rests(*body)) {
                self.push(
                    Step::stops(Rule::Sleep, "neither body is awake")
                        .help("give one of them a velocity or force, or disable sleep"),
                );
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
            let body = self.body(self.bodies[0]);
            self.push(
                Step::stops(Rule::SameBody, format!("both geoms belong to body {body}"))
                    .number("body", self.bodies[0] as f64)
                    .help(
                        "name the two geoms in <contact><pair/>, or put one of them on a body that can move",
                    ),
            );
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
        let everywhere = self.bodies.iter().find(|body| broadphase::meets_everything(model, **body));
        if let Some(body) = everywhere.filter(|_| found) {
            let body = self.body(*body);
            let message =
                format!("body {body} is fixed and holds world geoms or a plane: it is near everything");
            self.push(Step::passes(Rule::BodyBoxes, message));
            return;
        }
        let Some(distances) = broadphase::box_distances(model, &data.kinematics, &data.flexes, body1, body2)
        else {
            return;
        };
        let largest = distances.iter().fold(f64::NEG_INFINITY, |a, b| if *b > a { *b } else { a });
        let apart = if stopped { largest > 0.0 } else { !found };
        let step = if apart {
            Step::stops(Rule::BodyBoxes, format!("the boxes around the two bodies are {largest:.6} m apart"))
                .help("nothing is wrong with the pair: move the bodies closer, or raise the margin of the geoms")
        } else {
            Step::passes(Rule::BodyBoxes, "the boxes around the two bodies overlap")
        };
        let names = ["distance1", "distance2", "distance3"];
        self.push(
            names.into_iter().zip(distances).fold(step, |step, (name, value)| step.number(name, value)),
        );
    }

    fn welds(&mut self) {
        let model = self.model;
        let welds = self.bodies.map(|body| model.body_weldid[body] as usize);
        let [body1, body2] = self.bodies.map(|body| self.body(body));
        let step = if welds[0] != welds[1] {
            Step::passes(
                Rule::WeldGroup,
                format!("bodies {body1} and {body2} can move relative to each other"),
            )
        } else if welds[0] == 0 {
            Step::stops(Rule::WeldGroup, format!("bodies {body1} and {body2} are both fixed to the world"))
                .help("give one of the bodies a joint, or name the two geoms in <contact><pair/>")
        } else {
            let group = self.body(welds[0]);
            Step::stops(
                Rule::WeldGroup,
                format!("bodies {body1} and {body2} are both fixed to body {group}: no joint between them"),
            )
            .help("give one of the bodies a joint, or name the two geoms in <contact><pair/>")
        };
        self.push(step.number("weld1", welds[0] as f64).number("weld2", welds[1] as f64));
    }

    fn body_masks(&mut self) {
        let (model, [body1, body2]) = (self.model, self.bodies);
        let [masks1, masks2] = self.bodies.map(|body| filter::gathered_masks(model, body));
        let mute = self.bodies.into_iter().find(|body| !filter::can_collide(model, *body));
        let step = if let Some(body) = mute {
            let body = self.body(body);
            Step::stops(Rule::BodyMasks, format!("no geom of body {body} has a contype or conaffinity"))
                .help("the geoms of that body are for display only; set contype=\"1\" conaffinity=\"1\"")
        } else if !filter::any_geoms_match(model, body1, body2)
            || !filter::colliders_match(model, body1, body2)
        {
            Step::stops(
                Rule::BodyMasks,
                format!(
                    "contype and conaffinity of the bodies' geoms share no bit: {} & {} and {} & {}",
                    masks1[0], masks2[1], masks2[0], masks1[1]
                ),
            )
            .help("give the geoms a common bit: contype of one in conaffinity of the other")
        } else {
            Step::passes(Rule::BodyMasks, "the bodies have geoms whose masks match")
        };
        self.push(
            step.number("contype1", f64::from(masks1[0]))
                .number("conaffinity1", f64::from(masks1[1]))
                .number("contype2", f64::from(masks2[0]))
                .number("conaffinity2", f64::from(masks2[1])),
        );
    }

    fn sides(&self) -> [PairSide; 2] {
        let awake = &self.data.awake;
        let any_asleep = sleep_enabled(self.model) && awake.nbody_awake < self.model.nbody;
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
            Step::stops(Rule::Sleep, "one body is asleep and the other is asleep or fixed")
                .help("give one of them a velocity or force, or disable sleep")
        } else {
            Step::passes(Rule::Sleep, "one of the two bodies is awake")
        });
    }

    fn parent(&mut self) {
        let enabled = self.model.opt.disableflags & disable::FILTERPARENT == 0;
        let [a, b] = self.sides();
        let related = a.weld != 0 && b.weld != 0 && (a.weld == b.weld_parent || b.weld == a.weld_parent);
        let step = if !related {
            Step::passes(Rule::ParentAndChild, "neither body is the parent of the other")
        } else if !enabled {
            Step::passes(Rule::ParentAndChild, "the bodies are parent and child, and that filter is disabled")
        } else if a.weld == b.weld {
            return;
        } else {
            let (parent, child) = if a.weld == b.weld_parent { (0, 1) } else { (1, 0) };
            let [parent, child] = [parent, child].map(|side: usize| self.body(self.bodies[side]));
            Step::stops(
                Rule::ParentAndChild,
                format!("body {parent} is the parent of body {child}, and a joint connects them"),
            )
            .help("name the two geoms in <contact><pair/>, or disable the flag 'filterparent' for the model")
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
            Some(exclude) => Step::stops(
                Rule::Exclude,
                format!("<exclude> {} names the two bodies", label(model, ObjectType::Exclude, exclude)),
            )
            .number("exclude", exclude as f64)
            .help("remove the exclude, or name the two geoms in <contact><pair/>"),
            None => Step::passes(Rule::Exclude, "no exclude names the two bodies"),
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
            let geom = self.geom(self.geoms[side]);
            self.push(
                Step::stops(
                    Rule::GeomMasks,
                    format!("geom {geom} has contype 0 and conaffinity 0: it is for display"),
                )
                .number(["contype1", "contype2"][side], 0.0)
                .number(["conaffinity1", "conaffinity2"][side], 0.0)
                .help(format!("set contype=\"1\" conaffinity=\"1\" on geom {geom}")),
            );
            return;
        }
        let mut visited = false;
        midphase::visit(model, kinematics, body1, body2, false, &mut MidScratch::default(), |geoms| {
            visited |= geoms == self.geoms || geoms == [self.geoms[1], self.geoms[0]];
        });
        let distance = midphase::box_distance(model, kinematics, self.geoms);
        let step = if visited {
            Step::passes(Rule::GeomBoxes, "the boxes around the two geoms overlap within the margin")
        } else {
            let message = match distance > 0.0 {
                true => format!("the boxes around the two geoms are {distance:.6} m apart"),
                false => "the bounding volumes around the two geoms do not overlap".to_owned(),
            };
            Step::stops(Rule::GeomBoxes, message)
                .help("nothing is wrong with the pair: move the geoms closer, or raise their margin")
        };
        self.push(step.number("distance", distance));
    }

    fn geom_masks(&mut self) {
        let (model, [geom1, geom2]) = (self.model, self.geoms);
        let (type1, affinity1) = (model.geom_contype[geom1], model.geom_conaffinity[geom1]);
        let (type2, affinity2) = (model.geom_contype[geom2], model.geom_conaffinity[geom2]);
        let masks = filter::geoms_match(model, self.geoms);
        let data = self.data;
        let context = PairContext { state: &data.state, inputs: &data.inputs, kinematics: &data.kinematics };
        let allowed = data.hooks.may_collide(model, context, self.geoms);
        let step = if allowed != masks {
            let message = format!(
                "the user's contact filter {} the pair in place of the masks",
                if allowed { "allows" } else { "refuses" }
            );
            if allowed {
                Step::passes(Rule::UserFilter, message)
            } else {
                Step::stops(Rule::UserFilter, message).help("change the contact filter that is installed")
            }
        } else if masks {
            Step::passes(
                Rule::GeomMasks,
                format!("contype & conaffinity match: {type1} & {affinity2}, {type2} & {affinity1}"),
            )
        } else {
            let [name1, name2] = self.geoms.map(|geom| self.geom(geom));
            let help = match (type1, type2) {
                (0, 0) => format!("set contype=\"1\" conaffinity=\"1\" on geom {name1} and geom {name2}"),
                (0, _) => format!("set conaffinity=\"{}\" on geom {name1}", affinity1 | type2),
                _ => format!("set conaffinity=\"{}\" on geom {name2}", affinity2 | type1),
            };
            Step::stops(
                Rule::GeomMasks,
                format!(
                    "contype & conaffinity share no bit: {type1} & {affinity2} = 0, {type2} & {affinity1} = 0"
                ),
            )
            .help(help)
        };
        self.push(
            step.number("contype1", f64::from(type1))
                .number("conaffinity1", f64::from(affinity1))
                .number("contype2", f64::from(type2))
                .number("conaffinity2", f64::from(affinity2)),
        );
    }
}
