//! `condyle convert`: any model file to MJCF, or to a binary model.

use std::path::PathBuf;

use clap::Args;
use condyle::model::diagnostic::render_all;
use condyle::model::mjb;
use condyle::{LoadOptions, load_spec, load_with, to_mjcf};

#[derive(Args)]
pub struct ConvertArguments {
    /// Model file: MJCF, URDF or MJB.
    input: PathBuf,
    /// Where to write; `.mjb` for a binary model, anything else for MJCF.
    #[arg(short, long)]
    output: PathBuf,
    /// Read on over what is probably a mistake.
    #[arg(long)]
    lenient: bool,
}

/// Convert one file and report what was noticed on the way.
pub fn convert(arguments: &ConvertArguments) -> Result<(), String> {
    let options = LoadOptions { lenient: arguments.lenient, ..LoadOptions::default() };
    let binary = arguments.output.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("mjb"));
    let (bytes, warnings) = if binary {
        let loaded = load_with(&arguments.input, &options).map_err(|error| error.to_string())?;
        (mjb::write(&loaded.model), loaded.warnings)
    } else {
        let (spec, warnings) = load_spec(&arguments.input, &options).map_err(|error| error.to_string())?;
        (to_mjcf(&spec).into_bytes(), warnings)
    };
    std::fs::write(&arguments.output, bytes)
        .map_err(|error| format!("{}: {error}", arguments.output.display()))?;
    if !warnings.is_empty() {
        println!("{}", render_all(&warnings));
    }
    println!("wrote {}", arguments.output.display());
    Ok(())
}
