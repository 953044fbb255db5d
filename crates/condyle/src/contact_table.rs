//! Contact reports as a table for people and as JSON for tools.

use std::fmt::Write as _;

use condyle_base::json::{self, Object};
use condyle_model::{Model, ObjectType};

use condyle_engine::query::contact_report::{ContactReport, ContactSide};

/// Reports as a table, one line per contact; forces are those on the second geom.
pub fn table(reports: &[ContactReport]) -> String {
    let pair =
        |report: &ContactReport| format!("{} -> {}", report.sides[0].geom_name, report.sides[1].geom_name);
    let bodies =
        |report: &ContactReport| format!("{} -> {}", report.sides[0].body_name, report.sides[1].body_name);
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
    let geom_name = side.geom.map_or(side.geom_name.as_str(), |geom| model.name(ObjectType::Geom, geom));
    let body_name = side.body.map_or(side.body_name.as_str(), |body| model.name(ObjectType::Body, body));
    let mut object = Object::open(out);
    object.integer("geom", side.geom).name("geom_name", geom_name);
    object.integer("body", side.body).name("body_name", body_name);
    object.numbers("force", &side.force).numbers("torque", &side.torque);
    object.close();
}
