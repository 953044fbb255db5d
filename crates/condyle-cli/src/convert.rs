//! `condyle convert`: any model file to MJCF, or to a binary model.
//!
//! A URDF says things that MJCF has no place for, and leaves open what MJCF wants to know. All of that goes to the error output, and
//! with `--report` to a file.

use std::path::{Path, PathBuf};

use clap::Args;
use condyle::model::diagnostic::render_all;
use condyle::{Fate, LoadOptions, Remark, conversion_remarks, load_spec, load_with, save, save_spec};

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
    /// Also write what a URDF lost, changed or left open: one JSON object per line if the name ends in `.json`, else text.
    #[arg(long)]
    report: Option<PathBuf>,
}

fn has_extension(path: &Path, wanted: &str) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(wanted))
}

/// Convert one file and report what was noticed on the way.
pub fn convert(arguments: &ConvertArguments) -> Result<(), String> {
    let options = LoadOptions { lenient: arguments.lenient, ..LoadOptions::default() };
    let binary = has_extension(&arguments.input, "mjb");
    let (written, warnings) = if binary || has_extension(&arguments.output, "mjb") {
        let loaded = load_with(&arguments.input, &options).map_err(|error| error.to_string())?;
        (save(&loaded.model, &arguments.output), loaded.warnings)
    } else {
        let (spec, warnings) = load_spec(&arguments.input, &options).map_err(|error| error.to_string())?;
        (save_spec(&spec, &arguments.output), warnings)
    };
    written.map_err(|error| error.to_string())?;
    let mut remarks = Vec::new();
    if !binary && let Ok(text) = std::fs::read(&arguments.input) {
        remarks = conversion_remarks(&arguments.input.to_string_lossy(), &text);
    }
    if let Some(path) = &arguments.report {
        write_report(path, &remarks)?;
    }
    // The remarks about a URDF say what its warnings say, and more.
    if remarks.is_empty() && !warnings.is_empty() {
        eprintln!("{}", render_all(&warnings));
    }
    for remark in &remarks {
        eprintln!("{remark}");
    }
    println!("wrote {}{}", arguments.output.display(), summary(&remarks));
    Ok(())
}

fn write_report(path: &Path, remarks: &[Remark]) -> Result<(), String> {
    let json = has_extension(path, "json");
    let line = |remark: &Remark| if json { remark.to_json() } else { remark.to_string() };
    let text: String = remarks.iter().map(|remark| line(remark) + "\n").collect();
    std::fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
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
