//! Why two geoms collide or not, as text for people and as JSON for tools.

use std::fmt::Write as _;

use condyle_base::json::{self, Object};
use condyle_model::{Model, ObjectType};

use crate::PairExplanation;

/// The explanation with names, one line per rule.
pub fn text(model: &Model, explanation: &PairExplanation) -> String {
    let mut text = String::new();
    let [first, second] = explanation.geoms.map(|geom| describe(model, geom));
    let _ = writeln!(text, "{first} and {second}");
    for step in &explanation.steps {
        let _ = writeln!(text, "  {:6} {:16} {}", step.verdict.name(), step.rule.name(), step.message);
        if let Some(help) = &step.help {
            let _ = writeln!(text, "  {:6} {:16} help: {help}", "", "");
        }
    }
    let _ = writeln!(text, "{}", explanation.summary());
    text
}

/// The explanation as one JSON object.
pub fn json(model: &Model, explanation: &PairExplanation) -> String {
    let mut text = String::new();
    let mut object = Object::open(&mut text);
    object.boolean("collides", explanation.collides()).boolean("active", explanation.is_active());
    object.string("summary", &explanation.summary());
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
        object.string("message", &step.message);
        match &step.help {
            Some(help) => json::string(object.member("help"), help),
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

/// Name of an element in quotes, or its body and number.
fn label(model: &Model, kind: ObjectType, id: usize) -> String {
    match model.name(kind, id) {
        "" => model.label(kind, id),
        name => format!("'{name}'"),
    }
}

fn kind(model: &Model, geom: usize) -> String {
    model.geom_type(geom).map_or_else(|| "?".to_owned(), |kind| format!("{kind:?}").to_lowercase())
}

fn describe(model: &Model, geom: usize) -> String {
    let body = label(model, ObjectType::Body, model.geom_bodyid[geom] as usize);
    format!("geom {} ({}, body {body})", label(model, ObjectType::Geom, geom), kind(model, geom))
}

fn geom_json(out: &mut String, model: &Model, geom: usize) {
    let body = model.geom_bodyid[geom] as usize;
    let mut object = Object::open(out);
    object.integer("id", Some(geom)).name("name", model.name(ObjectType::Geom, geom));
    object.string("type", &kind(model, geom)).integer("body", Some(body));
    object.name("body_name", model.name(ObjectType::Body, body));
    object.close();
}
