//! `condyle explain-pair` and `condyle contacts`: why two geoms touch or not, and who touches whom.

use std::fmt::Write as _;
use std::path::PathBuf;

use clap::Args;
use condyle::diagnostic::did_you_mean;
use condyle::report::{contact as contact_table, pair as pair_text};
use condyle::{Model, ObjectType, PairExplanation, explain_pair};
use condyle_base::json;

use crate::label::label;
use crate::state::{Format, StateArguments};
use crate::{Outcome, say, sayln};

#[derive(Args)]
pub(crate) struct ExplainArguments {
    /// Model file.
    model: PathBuf,
    /// First geom or body, by name; a geom also by number or as body/geom#15.
    #[arg(value_name = "GEOM1")]
    first: String,
    /// Second geom or body.
    #[arg(value_name = "GEOM2")]
    second: String,
    #[command(flatten)]
    state: StateArguments,
    /// Format of the output.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

#[derive(Args)]
pub(crate) struct ContactsArguments {
    /// Model file.
    model: PathBuf,
    #[command(flatten)]
    state: StateArguments,
    /// Format of the output.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// Print why two geoms collide or not; of two bodies, or of a body and a geom, all pairs of geoms.
pub(crate) fn explain(arguments: &ExplainArguments) -> Outcome {
    let sim = arguments.state.prepare(&arguments.model)?;
    let model = &sim.model;
    let (first, second) = (find(model, &arguments.first)?, find(model, &arguments.second)?);
    let pairs = first.geoms.iter().flat_map(|geom1| second.geoms.iter().map(move |geom2| (*geom1, *geom2)));
    let explanations: Vec<PairExplanation> =
        pairs.filter_map(|(geom1, geom2)| explain_pair(model, &sim.data, geom1, geom2)).collect();
    if explanations.is_empty() {
        return Err(format!("'{}' and '{}' are the same geom", arguments.first, arguments.second));
    }
    let single = !first.body && !second.body;
    match arguments.format {
        Format::Json if single => sayln!("{}", pair_text::json(model, &explanations[0])),
        Format::Json => {
            let mut text = String::new();
            json::list(&mut text, &explanations, |out, explanation| {
                out.push_str(&pair_text::json(model, explanation))
            });
            sayln!("{text}");
        }
        Format::Text if explanations.len() == 1 => say!("{}", pair_text::text(model, &explanations[0])),
        Format::Text => say!("{}", overview(model, &explanations)),
    }
    Ok(0)
}

/// All pairs in a line each, then at length one that touches, or else the first.
fn overview(model: &Model, explanations: &[PairExplanation]) -> String {
    let touching = explanations.iter().filter(|explanation| explanation.collides()).count();
    let mut text = format!("{} pairs of geoms, {touching} in contact\n", explanations.len());
    for explanation in explanations {
        let [geom1, geom2] = explanation.geoms.map(|geom| label(model, ObjectType::Geom, geom));
        let _ = writeln!(text, "  {geom1} and {geom2}: {}", pair_text::summary(model, explanation));
    }
    let chosen = explanations.iter().find(|explanation| explanation.collides()).unwrap_or(&explanations[0]);
    let _ = write!(text, "\n{}", pair_text::text(model, chosen));
    text
}

/// Print all contacts.
pub(crate) fn contacts(arguments: &ContactsArguments) -> Outcome {
    let sim = arguments.state.prepare(&arguments.model)?;
    let reports = sim.data.contact_reports(&sim.model);
    match arguments.format {
        Format::Json => sayln!("{}", contact_table::json(&sim.model, &reports)),
        Format::Text if reports.is_empty() => sayln!("no contacts at {} s", sim.time()),
        Format::Text => say!("{}", contact_table::table(&sim.model, &reports)),
    }
    Ok(0)
}

/// Geoms that were named: one, or all of a body.
struct Named {
    geoms: Vec<usize>,
    body: bool,
}

/// A geom by name, number or label, or a body by name; the error offers names that look like it.
fn find(model: &Model, name: &str) -> Result<Named, String> {
    let number = name.rsplit_once('#').map_or(name, |(_, number)| number);
    let by_number = || number.parse().ok().filter(|id| *id < model.ngeom);
    if let Some(geom) = model.find(ObjectType::Geom, name) {
        return Ok(Named { geoms: vec![geom], body: false });
    }
    if let Some(body) = model.find(ObjectType::Body, name) {
        let geoms: Vec<usize> =
            (0..model.ngeom).filter(|geom| model.geom_bodyid[*geom] == body as i32).collect();
        if geoms.is_empty() {
            return Err(format!("body '{name}' has no geoms"));
        }
        return Ok(Named { geoms, body: true });
    }
    by_number().map(|geom| Named { geoms: vec![geom], body: false }).ok_or_else(|| {
        let named =
            |kind, count| (0..count).map(move |id| model.name(kind, id)).filter(|name| !name.is_empty());
        let names: Vec<&str> =
            named(ObjectType::Geom, model.ngeom).chain(named(ObjectType::Body, model.nbody)).collect();
        let alike: Vec<&str> = names.iter().copied().filter(|known| known.contains(name)).take(8).collect();
        if let (true, Some(near)) = (alike.is_empty(), did_you_mean(name, names.iter().copied())) {
            return format!("no geom or body '{name}'; did you mean '{near}'?");
        }
        let offered = if alike.is_empty() { names.into_iter().take(8).collect() } else { alike };
        format!("no geom or body '{name}'; named geoms and bodies: {}", offered.join(", "))
    })
}
