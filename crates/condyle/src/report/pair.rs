//! Why two geoms collide or not: the finding of every rule as a sentence, with what to change, and all of them as text and as JSON.

use std::fmt::Write as _;

use condyle_base::json::{self, Object};
use condyle_model::{Model, ObjectType};

use condyle_engine::query::explain_pair::{Finding, PairExplanation, Step};

use super::quoted;

/// The explanation with names, one line per rule.
pub fn text(model: &Model, explanation: &PairExplanation) -> String {
    let mut text = String::new();
    let [first, second] = explanation.geoms.map(|geom| describe(model, geom));
    let _ = writeln!(text, "{first} and {second}");
    for step in &explanation.steps {
        let said = message(model, explanation, step);
        let _ = writeln!(text, "  {:6} {:16} {said}", step.verdict.name(), step.rule.name());
        if let Some(help) = help(model, explanation, step) {
            let _ = writeln!(text, "  {:6} {:16} help: {help}", "", "");
        }
    }
    let _ = writeln!(text, "{}", summary(model, explanation));
    text
}

/// The explanation as one JSON object.
pub fn json(model: &Model, explanation: &PairExplanation) -> String {
    let mut text = String::new();
    let mut object = Object::open(&mut text);
    object.boolean("collides", explanation.collides()).boolean("active", explanation.is_active());
    object.string("summary", &summary(model, explanation));
    match explanation.reason() {
        Some(step) if !explanation.collides() => object.string("stopped_by", step.rule.name()),
        _ => {
            object.member("stopped_by").push_str("null");
            &mut object
        }
    };
    json::list(object.member("geoms"), explanation.geoms, |out, geom| geom_json(out, model, geom));
    json::list(object.member("steps"), &explanation.steps, |out, step| {
        let mut object = Object::open(out);
        object.string("rule", step.rule.name()).string("verdict", step.verdict.name());
        object.string("message", &message(model, explanation, step));
        match help(model, explanation, step) {
            Some(help) => json::string(object.member("help"), &help),
            None => object.member("help").push_str("null"),
        }
        let mut numbers = Object::open(object.member("numbers"));
        for (name, value) in &step.numbers {
            numbers.number(name, *value);
        }
        numbers.close();
        object.close();
    });
    json::list(object.member("contacts"), &explanation.contacts, |out, contact| {
        let mut object = Object::open(out);
        object.number("distance", contact.dist).numbers("point", &contact.pos);
        object.numbers("normal", &contact.frame[..3]).boolean("active", contact.exclude == 0);
        object.close();
    });
    object.close();
    text
}

/// The outcome as a sentence.
pub fn summary(model: &Model, explanation: &PairExplanation) -> String {
    match (explanation.contacts.len(), explanation.reason()) {
        (0, Some(step)) => format!("no contact: {}", message(model, explanation, step)),
        (0, None) => "no contact".to_owned(),
        (count, _) => {
            let lower = |a: f64, b: f64| if b < a { b } else { a };
            let deepest = explanation.contacts.iter().map(|contact| contact.dist).fold(f64::INFINITY, lower);
            let force = if explanation.is_active() { "" } else { ", without force" };
            format!("{count} {}, smallest distance {deepest:.6} m{force}", contacts(count))
        }
    }
}

const fn contacts(count: usize) -> &'static str {
    if count == 1 { "contact" } else { "contacts" }
}

/// What a rule found, as a sentence.
pub fn message(model: &Model, explanation: &PairExplanation, step: &Step) -> String {
    let body = |body| quoted(model, ObjectType::Body, body);
    let geom = |geom| quoted(model, ObjectType::Geom, geom);
    let [body1, body2] = explanation.geoms.map(|geom| body(model.geom_bodyid[geom] as usize));
    let [kind1, kind2] = explanation.geoms.map(|geom| kind(model, geom));
    match step.finding {
        Finding::Enabled => "contacts and constraints are enabled".to_owned(),
        Finding::Disabled(flag) => format!("the flag '{flag}' is disabled for the whole model"),
        Finding::ExplicitPair(pair) => format!(
            "<pair> {} names the two geoms: body, parent, exclude and mask rules do not apply",
            quoted(model, ObjectType::Pair, pair)
        ),
        Finding::NeitherAwake => "neither body is awake".to_owned(),
        Finding::AsleepOrFixed => "one body is asleep and the other is asleep or fixed".to_owned(),
        Finding::OneAwake => "one of the two bodies is awake".to_owned(),
        Finding::SameBody(owner) => format!("both geoms belong to body {}", body(owner)),
        Finding::Movable => format!("bodies {body1} and {body2} can move relative to each other"),
        Finding::FixedToWorld => format!("bodies {body1} and {body2} are both fixed to the world"),
        Finding::FixedTo(group) => format!(
            "bodies {body1} and {body2} are both fixed to body {}: no joint between them",
            body(group)
        ),
        Finding::BodyWithoutMasks(mute) => {
            format!("no geom of body {} has a contype or conaffinity", body(mute))
        }
        Finding::BodyMasksDiffer([[type1, affinity1], [type2, affinity2]]) => format!(
            "contype and conaffinity of the bodies' geoms share no bit: {type1} & {affinity2} and {type2} & {affinity1}"
        ),
        Finding::BodyMasksMatch => "the bodies have geoms whose masks match".to_owned(),
        Finding::NotRelated => "neither body is the parent of the other".to_owned(),
        Finding::RelatedWithoutFilter => {
            "the bodies are parent and child, and that filter is disabled".to_owned()
        }
        Finding::ParentOf(parent, child) => {
            format!("body {} is the parent of body {}, and a joint connects them", body(parent), body(child))
        }
        Finding::NearEverything(fixed) => {
            format!("body {} is fixed and holds world geoms or a plane: it is near everything", body(fixed))
        }
        Finding::BodyBoxesApart(distance) => {
            format!("the boxes around the two bodies are {distance:.6} m apart")
        }
        Finding::BodyBoxesOverlap => "the boxes around the two bodies overlap".to_owned(),
        Finding::Excluded(exclude) => {
            format!("<exclude> {} names the two bodies", quoted(model, ObjectType::Exclude, exclude))
        }
        Finding::NotExcluded => "no exclude names the two bodies".to_owned(),
        Finding::GeomWithoutMasks(mute) => {
            format!("geom {} has contype 0 and conaffinity 0: it is for display", geom(mute))
        }
        Finding::GeomBoxesOverlap => "the boxes around the two geoms overlap within the margin".to_owned(),
        Finding::GeomBoxesApart(distance) => {
            format!("the boxes around the two geoms are {distance:.6} m apart")
        }
        Finding::GeomVolumesApart => "the bounding volumes around the two geoms do not overlap".to_owned(),
        Finding::NoTest => format!("there is no test for a {kind1} with a {kind2}"),
        Finding::HeightFieldOnDistanceField => {
            "a height field does not collide with a signed distance field".to_owned()
        }
        Finding::Test => format!("a {kind1} can collide with a {kind2}"),
        Finding::UserFilter(allows) => format!(
            "the user's contact filter {} the pair in place of the masks",
            if allows { "allows" } else { "refuses" }
        ),
        Finding::GeomMasksMatch([[type1, affinity1], [type2, affinity2]]) => {
            format!("contype & conaffinity match: {type1} & {affinity2}, {type2} & {affinity1}")
        }
        Finding::GeomMasksDiffer([[type1, affinity1], [type2, affinity2]]) => format!(
            "contype & conaffinity share no bit: {type1} & {affinity2} = 0, {type2} & {affinity1} = 0"
        ),
        Finding::NoSphere => "one of the geoms has no bounding sphere".to_owned(),
        Finding::Spheres { plane, apart, between, reach, margin } => format!(
            "{} {between:.6} m {} bounding radius {reach:.6} m + margin {margin:.6} m",
            if plane { "height of the centre above the plane" } else { "distance of the centres" },
            if apart { ">" } else { "<=" }
        ),
        Finding::NormalUndefined => "the surfaces touch, but the contact normal is undefined".to_owned(),
        Finding::SurfacesApart { distance, margin } => {
            format!("the surfaces are {distance:.6} m apart, the margin is {margin:.6} m")
        }
        Finding::Touching { count, smallest, margin } => {
            format!("{count} {}, smallest distance {smallest:.6} m, margin {margin:.6} m", contacts(count))
        }
        Finding::Gap { all: true, smallest, include, .. } => {
            format!("distance {smallest:.6} m >= margin - gap = {include:.6} m: detected, but no force")
        }
        Finding::Gap { smallest, include, muted, .. } => {
            let apart =
                if muted == 0 { String::new() } else { format!("; {muted} further out carry no force") };
            format!("distance {smallest:.6} m < margin - gap = {include:.6} m{apart}")
        }
        Finding::Immobile => "nothing that touches can move: detected, but no force".to_owned(),
    }
}

/// What to change to get another verdict.
pub fn help(model: &Model, explanation: &PairExplanation, step: &Step) -> Option<String> {
    let geom = |geom| quoted(model, ObjectType::Geom, geom);
    let text = match step.finding {
        Finding::Disabled(flag) => return Some(format!("remove {flag}=\"disable\" from <option><flag/>")),
        Finding::GeomWithoutMasks(mute) => {
            return Some(format!("set contype=\"1\" conaffinity=\"1\" on geom {}", geom(mute)));
        }
        Finding::GeomMasksDiffer([[type1, affinity1], [type2, affinity2]]) => {
            let [name1, name2] = explanation.geoms.map(geom);
            return Some(match (type1, type2) {
                (0, 0) => format!("set contype=\"1\" conaffinity=\"1\" on geom {name1} and geom {name2}"),
                (0, _) => format!("set conaffinity=\"{}\" on geom {name1}", affinity1 | type2),
                _ => format!("set conaffinity=\"{}\" on geom {name2}", affinity2 | type1),
            });
        }
        Finding::NeitherAwake | Finding::AsleepOrFixed => {
            "give one of them a velocity or force, or disable sleep"
        }
        Finding::SameBody(_) => {
            "name the two geoms in <contact><pair/>, or put one of them on a body that can move"
        }
        Finding::FixedToWorld | Finding::FixedTo(_) => {
            "give one of the bodies a joint, or name the two geoms in <contact><pair/>"
        }
        Finding::BodyWithoutMasks(_) => {
            "the geoms of that body are for display only; set contype=\"1\" conaffinity=\"1\""
        }
        Finding::BodyMasksDiffer(_) => {
            "give the geoms a common bit: contype of one in conaffinity of the other"
        }
        Finding::ParentOf(..) => {
            "name the two geoms in <contact><pair/>, or disable the flag 'filterparent' for the model"
        }
        Finding::BodyBoxesApart(_) => {
            "nothing is wrong with the pair: move the bodies closer, or raise the margin of the geoms"
        }
        Finding::Excluded(_) => "remove the exclude, or name the two geoms in <contact><pair/>",
        Finding::GeomBoxesApart(_) | Finding::GeomVolumesApart | Finding::SurfacesApart { .. } => {
            "nothing is wrong with the pair: move the geoms closer, or raise their margin"
        }
        Finding::NoTest => {
            "planes and height fields do not collide with each other; use a box for one of them"
        }
        Finding::HeightFieldOnDistanceField => "use a mesh geom for the second shape",
        Finding::UserFilter(false) => "change the contact filter that is installed",
        Finding::Spheres { apart: true, .. } => "nothing is wrong with the pair: the geoms are too far apart",
        Finding::NormalUndefined => "check that positions and sizes of both geoms are finite",
        Finding::Gap { all: true, gap, .. } if gap > 0.0 => "lower the gap of the geoms, or move them closer",
        Finding::Gap { all: true, .. } => "move them closer",
        Finding::Immobile => "give one of the bodies a joint",
        _ => return None,
    };
    Some(text.to_owned())
}

fn kind(model: &Model, geom: usize) -> String {
    model.geom_type(geom).map_or_else(|| "?".to_owned(), |kind| format!("{kind:?}").to_lowercase())
}

fn describe(model: &Model, geom: usize) -> String {
    let body = quoted(model, ObjectType::Body, model.geom_bodyid[geom] as usize);
    format!("geom {} ({}, body {body})", quoted(model, ObjectType::Geom, geom), kind(model, geom))
}

fn geom_json(out: &mut String, model: &Model, geom: usize) {
    let body = model.geom_bodyid[geom] as usize;
    let mut object = Object::open(out);
    object.integer("id", Some(geom)).name("name", model.name(ObjectType::Geom, geom));
    object.string("type", &kind(model, geom)).integer("body", Some(body));
    object.name("body_name", model.name(ObjectType::Body, body));
    object.close();
}
