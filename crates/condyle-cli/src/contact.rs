//! `condyle explain-pair` and `condyle contacts`: why two geoms touch or not, and who touches whom.

use std::path::PathBuf;

use clap::Args;
use condyle::query::contact_table;
use condyle::{Model, ObjectType, explain_pair};

use crate::state::{Format, StateArguments};

#[derive(Args)]
pub struct ExplainArguments {
    /// Model file.
    model: PathBuf,
    /// First geom, by name or number.
    geom1: String,
    /// Second geom, by name or number.
    geom2: String,
    #[command(flatten)]
    state: StateArguments,
    /// How the answer is printed.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

#[derive(Args)]
pub struct ContactsArguments {
    /// Model file.
    model: PathBuf,
    #[command(flatten)]
    state: StateArguments,
    /// How the contacts are printed.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
}

/// Print why two geoms collide or not.
pub fn explain(arguments: &ExplainArguments) -> Result<(), String> {
    let sim = arguments.state.prepare(&arguments.model)?;
    let (geom1, geom2) = (find(&sim.model, &arguments.geom1)?, find(&sim.model, &arguments.geom2)?);
    let explanation = explain_pair(&sim.model, &sim.data, geom1, geom2)
        .ok_or_else(|| format!("'{}' and '{}' are the same geom", arguments.geom1, arguments.geom2))?;
    match arguments.format {
        Format::Text => print!("{}", explanation.render(&sim.model)),
        Format::Json => println!("{}", explanation.to_json(&sim.model)),
    }
    Ok(())
}

/// Print all contacts.
pub fn contacts(arguments: &ContactsArguments) -> Result<(), String> {
    let sim = arguments.state.prepare(&arguments.model)?;
    let reports = sim.data.contact_reports(&sim.model);
    match arguments.format {
        Format::Json => println!("{}", contact_table::json(&reports)),
        Format::Text if reports.is_empty() => println!("no contacts at {} s", sim.time()),
        Format::Text => print!("{}", contact_table::table(&reports)),
    }
    Ok(())
}

/// A geom by name or number; the error offers names that look like it.
fn find(model: &Model, geom: &str) -> Result<usize, String> {
    let by_number = || geom.trim_start_matches('#').parse().ok().filter(|id| *id < model.ngeom);
    model.find(ObjectType::Geom, geom).or_else(by_number).ok_or_else(|| {
        let names: Vec<&str> = (0..model.ngeom)
            .map(|id| model.name(ObjectType::Geom, id))
            .filter(|name| !name.is_empty())
            .collect();
        let alike: Vec<&str> = names.iter().copied().filter(|name| name.contains(geom)).take(8).collect();
        let offered = if alike.is_empty() { names.into_iter().take(8).collect() } else { alike };
        format!("no geom '{geom}' among {} geoms; named ones: {}", model.ngeom, offered.join(", "))
    })
}
