//! Contact reports with names: as a table for people and as JSON for tools.

use std::fmt::Write as _;

use condyle_base::json::{self, Object};
use condyle_model::{Model, ObjectType};

use condyle_engine::query::contact_report::{ContactMover, ContactPart, ContactReport, ContactSide};

/// What touches on one side: the name of the geom, or its body and number (`torso/geom#15`); for a flex its name and which element
/// or vertex.
pub fn part_name(model: &Model, side: &ContactSide) -> String {
    let flex = |flex| model.label(ObjectType::Flex, flex);
    match side.part {
        ContactPart::Geom(geom) => model.label(ObjectType::Geom, geom),
        ContactPart::FlexElement(id, element) => format!("{} element {element}", flex(id)),
        ContactPart::FlexVertex(id, vertex) => format!("{} vertex {vertex}", flex(id)),
        ContactPart::Flex(id) => flex(id),
        ContactPart::Unknown => "flex".to_owned(),
    }
}

/// What one side moves with: the name of the body, or its number (`body#3`); "several" for an element of a flex.
pub fn body_name(model: &Model, side: &ContactSide) -> String {
    match side.mover {
        ContactMover::Body(body) => model.label(ObjectType::Body, body),
        ContactMover::Several => "several".to_owned(),
        ContactMover::Unknown => String::new(),
    }
}

/// Reports as a table, one line per contact; forces are those on the second geom.
pub fn table(model: &Model, reports: &[ContactReport]) -> String {
    let both = |report: &ContactReport, name: fn(&Model, &ContactSide) -> String| {
        format!("{} -> {}", name(model, &report.sides[0]), name(model, &report.sides[1]))
    };
    let pair = |report: &ContactReport| both(report, part_name);
    let bodies = |report: &ContactReport| both(report, body_name);
    let width = |title: &str, column: &dyn Fn(&ContactReport) -> String| {
        reports.iter().map(|report| column(report).chars().count()).fold(title.len(), usize::max)
    };
    let (geoms, owners) = (width("geom1 -> geom2", &pair), width("body1 -> body2", &bodies));
    let mut text = String::new();
    let _ = writeln!(
        text,
        "{:>3}  {:geoms$}  {:owners$}  {:>10}  {:28}  {:23}  {:>11}  {:>11}  {:>6}  {:>9}  status",
        "#",
        "geom1 -> geom2",
        "body1 -> body2",
        "distance",
        "point",
        "normal (1 -> 2)",
        "normal N",
        "friction N",
        "cone",
        "slip m/s"
    );
    for report in reports {
        let slip = report.slip.iter().map(|x| x * x).sum::<f64>().sqrt();
        let _ = writeln!(
            text,
            "{:>3}  {:geoms$}  {:owners$}  {:>10.6}  {:28}  {:23}  {:>11.4}  {:>11.4}  {:>5.0}%  {:>9.2e}  {}",
            report.index,
            pair(report),
            bodies(report),
            report.distance,
            vector(report.point, 4, 8),
            vector(report.normal, 3, 6),
            report.normal_force,
            report.friction_force,
            100.0 * report.cone_usage,
            slip,
            report.status.name()
        );
    }
    text
}

fn vector(values: [f64; 3], digits: usize, width: usize) -> String {
    let parts: Vec<String> = values.iter().map(|value| format!("{value:width$.digits$}")).collect();
    parts.join(" ")
}

/// Reports as a JSON list; geoms and bodies without a name have `null` there.
pub fn json(model: &Model, reports: &[ContactReport]) -> String {
    let mut text = String::new();
    json::list(&mut text, reports, |out, report| {
        let mut object = Object::open(out);
        object.integer("index", Some(report.index));
        side(model, object.member("geom1"), &report.sides[0]);
        side(model, object.member("geom2"), &report.sides[1]);
        object.numbers("point", &report.point).numbers("normal", &report.normal);
        object.number("distance", report.distance).number("depth", report.depth);
        object.string("status", report.status.name());
        object.integer("dimension", usize::try_from(report.dimension).ok());
        object.number("normal_force", report.normal_force).number("friction_force", report.friction_force);
        object.numbers("friction", &report.friction).numbers("slip", &report.slip);
        object.number("normal_velocity", report.normal_velocity).number("cone_usage", report.cone_usage);
        object.number("coulomb_margin", report.coulomb_margin);
        object.close();
    });
    text
}

fn side(model: &Model, out: &mut String, side: &ContactSide) {
    // Parts of flexes have no number of their own here, so that their label stays.
    let geom_name = match side.part {
        ContactPart::Geom(geom) => model.name(ObjectType::Geom, geom).to_owned(),
        _ => part_name(model, side),
    };
    let body_name = match side.mover {
        ContactMover::Body(body) => model.name(ObjectType::Body, body).to_owned(),
        _ => body_name(model, side),
    };
    let mut object = Object::open(out);
    object.integer("geom", side.geom()).name("geom_name", &geom_name);
    object.integer("body", side.body()).name("body_name", &body_name);
    object.numbers("force", &side.force).numbers("torque", &side.torque);
    object.close();
}
