//! `condyle info`: everything a model consists of, with numbers, names and units.
//!
//! A [`Section`] describes one kind of element; text and JSON come from the same description.

mod sections;
mod table;

use std::fmt::Write as _;
use std::path::PathBuf;

use clap::Args;
use condyle::{LoadOptions, Model};
use condyle_base::json::{self, Object};

use crate::label::short;
use crate::say::bold;
use crate::state::Format;
use crate::urdf::UrdfArguments;
use crate::{Outcome, load_with, say, sayln};
use table::Section;

#[derive(Args)]
pub(crate) struct InfoArguments {
    /// Model file, or '-' for standard input; the built-in figure if omitted.
    model: Option<PathBuf>,
    /// Format of the output.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    #[command(flatten)]
    urdf: UrdfArguments,
}

/// Print the description of a model.
pub(crate) fn info(arguments: &InfoArguments) -> Outcome {
    let options = LoadOptions::default().urdf(arguments.urdf.options());
    let sim = load_with(arguments.model.as_ref(), &options)?;
    match arguments.format {
        Format::Text => say!("{}", describe(&sim.model)),
        Format::Json => sayln!("{}", describe_json(&sim.model)),
    }
    Ok(0)
}

/// Sizes that say what a model is made of.
fn sizes(model: &Model) -> [(&'static str, usize); 14] {
    [
        ("bodies", model.nbody),
        ("joints", model.njnt),
        ("geoms", model.ngeom),
        ("sites", model.nsite),
        ("cameras", model.ncam),
        ("tendons", model.ntendon),
        ("actuators", model.nu),
        ("sensors", model.nsensor),
        ("equalities", model.neq),
        ("qpos", model.nq),
        ("qvel", model.nv),
        ("act", model.na),
        ("ctrl", model.nu),
        ("sensordata", model.nsensordata),
    ]
}

/// The word for so many: one body, two bodies.
fn counted_by(plural: &str, count: usize) -> String {
    match (count, plural.strip_suffix("ies"), plural.strip_suffix('s')) {
        (1, Some(stem), _) => format!("{stem}y"),
        (1, None, Some(singular)) => singular.to_owned(),
        _ => plural.to_owned(),
    }
}

/// The description as text.
pub(crate) fn describe(model: &Model) -> String {
    let mut text = String::new();
    let name = model.model_name();
    let _ = writeln!(text, "{}", bold(if name.is_empty() { "(unnamed)" } else { name }));
    let counted = |list: &[(&str, usize)], name_first: bool| {
        let parts = list.iter().map(|(name, count)| {
            if name_first {
                format!("{name} {count}")
            } else {
                format!("{count} {}", counted_by(name, *count))
            }
        });
        parts.collect::<Vec<_>>().join(", ")
    };
    let sizes = sizes(model);
    let _ = writeln!(text, "  {}", counted(&sizes[..9], false));
    let _ = writeln!(text, "  {}", counted(&sizes[9..], true));
    let _ = writeln!(
        text,
        "  timestep {} s, gravity {} m/s², total mass {} kg",
        model.opt.timestep,
        model.opt.gravity.map(short).join(" "),
        short(model.body_mass.iter().sum())
    );
    for section in sections::all(model).iter().filter(|section| !section.rows.is_empty()) {
        text.push('\n');
        section.text(&mut text);
    }
    text
}

/// The description as one JSON object.
fn describe_json(model: &Model) -> String {
    let mut text = String::new();
    let mut object = Object::open(&mut text);
    object.string("name", model.model_name());
    let mut counts = Object::open(object.member("sizes"));
    for (name, count) in sizes(model) {
        counts.integer(name, Some(count));
    }
    counts.close();
    object.number("timestep", model.opt.timestep).numbers("gravity", &model.opt.gravity);
    object.number("total_mass", model.body_mass.iter().sum());
    for section in sections::all(model) {
        let Section { key, .. } = section;
        json::list(object.member(key), &section.rows, |out, row| section.json(out, row));
    }
    object.close();
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_is_counted_in_the_singular() {
        let words = [(1, "bodies"), (1, "cameras"), (1, "equalities"), (2, "bodies"), (0, "cameras")];
        let counted = words.map(|(count, plural)| counted_by(plural, count));
        assert_eq!(counted, ["body", "camera", "equality", "bodies", "cameras"]);
    }
}
