//! `condyle convert`: any model file to MJCF, or to a binary model.

use std::path::PathBuf;

use clap::Args;
use condyle::model::diagnostic::render_all;
use condyle::{LoadOptions, load_spec, load_with, save, save_spec};

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
    let binary =
        |path: &PathBuf| path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("mjb"));
    let (written, warnings) = if binary(&arguments.input) || binary(&arguments.output) {
        let loaded = load_with(&arguments.input, &options).map_err(|error| error.to_string())?;
        (save(&loaded.model, &arguments.output), loaded.warnings)
    } else {
        let (spec, warnings) = load_spec(&arguments.input, &options).map_err(|error| error.to_string())?;
        (save_spec(&spec, &arguments.output), warnings)
    };
    written.map_err(|error| error.to_string())?;
    if !warnings.is_empty() {
        println!("{}", render_all(&warnings));
    }
    println!("wrote {}", arguments.output.display());
    Ok(())
}
