//! `condyle convert`: any model file to MJCF, or to a binary model.
//!
//! A URDF says things that MJCF has no place for, and leaves open what MJCF wants to know. All of that goes to the error output, and
//! with `--report` to a file.

use std::path::{Path, PathBuf};

use clap::Args;
use condyle::model::diagnostic::render_all;
use condyle::{
    Fate, LoadOptions, Remark, conversion_remarks_with, load_spec, load_with, save, save_spec,
    save_spec_with_assets,
};

use crate::file::{check_ending, check_writable, has_ending, write};
use crate::urdf::UrdfArguments;
use crate::{Outcome, sayln, tell};

/// Endings of models that can be written.
const ENDINGS: [&str; 3] = ["xml", "mjcf", "mjb"];

#[derive(Args)]
pub struct ConvertArguments {
    /// Model file: MJCF, URDF or MJB.
    input: PathBuf,
    /// Where to write: `.xml` or `.mjcf` for MJCF, `.mjb` for a binary model.
    #[arg(short, long)]
    output: PathBuf,
    /// Read on over what is probably a mistake.
    #[arg(long)]
    lenient: bool,
    /// Also write what a URDF lost, changed or left open: one JSON object per line if the name ends in `.json`, else text.
    #[arg(long)]
    report: Option<PathBuf>,
    /// Copy meshes, textures and other files into the folder 'assets' beside the output, so that both can be moved together.
    #[arg(long)]
    copy_assets: bool,
    #[command(flatten)]
    urdf: UrdfArguments,
}

/// Convert one file and report what was noticed on the way.
pub fn convert(arguments: &ConvertArguments) -> Outcome {
    if has_ending(&arguments.output, "urdf") {
        return Err(format!(
            "{}: URDF can be read but not written; models are written as .xml or .mjb",
            arguments.output.display()
        ));
    }
    check_ending(&arguments.output, "models", &ENDINGS)?;
    check_writable(&arguments.output)?;
    if let Some(report) = &arguments.report {
        check_writable(report)?;
    }
    let urdf = arguments.urdf.options();
    let options = LoadOptions { lenient: arguments.lenient, urdf: urdf.clone(), ..LoadOptions::default() };
    let binary = has_ending(&arguments.input, "mjb");
    let (written, warnings) = if binary || has_ending(&arguments.output, "mjb") {
        let loaded = load_with(&arguments.input, &options).map_err(|error| error.to_string())?;
        (save(&loaded.model, &arguments.output), loaded.warnings)
    } else {
        let (spec, warnings) = load_spec(&arguments.input, &options).map_err(|error| error.to_string())?;
        let saved = if arguments.copy_assets {
            save_spec_with_assets(&spec, &arguments.output).map(|_| ())
        } else {
            save_spec(&spec, &arguments.output)
        };
        (saved, warnings)
    };
    written.map_err(|error| error.to_string())?;
    // What was written is good only if it can be read.
    if let Err(error) = load_with(&arguments.output, &options) {
        return Err(format!("{error}\n\n{} was written, but does not load", arguments.output.display()));
    }
    let mut remarks = Vec::new();
    if !binary && let Ok(text) = std::fs::read(&arguments.input) {
        remarks = conversion_remarks_with(&arguments.input.to_string_lossy(), &text, &urdf);
    }
    if let Some(path) = &arguments.report {
        write_report(path, &remarks)?;
    }
    // The remarks about a URDF say what its warnings say, and more.
    if remarks.is_empty() && !warnings.is_empty() {
        tell!("{}", render_all(&warnings));
    }
    for remark in &remarks {
        tell!("{remark}");
    }
    sayln!("wrote {}{}", arguments.output.display(), summary(&remarks));
    Ok(0)
}

fn write_report(path: &Path, remarks: &[Remark]) -> Result<(), String> {
    let json = has_ending(path, "json");
    let line = |remark: &Remark| if json { remark.to_json() } else { remark.to_string() };
    let text: String = remarks.iter().map(|remark| line(remark) + "\n").collect();
    write(path, text.as_bytes())
}

fn summary(remarks: &[Remark]) -> String {
    if remarks.is_empty() {
        return String::new();
    }
    let count = |fate: Fate| remarks.iter().filter(|remark| remark.fate == fate).count();
    format!(
        ": {} dropped, {} changed, {} assumed",
        count(Fate::Dropped),
        count(Fate::Changed),
        count(Fate::Assumed)
    )
}
