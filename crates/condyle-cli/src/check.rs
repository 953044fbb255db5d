//! `condyle check`: everything that is wrong with model files, in one go.

use std::path::PathBuf;

use clap::Args;
use condyle::model::diagnostic::render_all;
use condyle::{Diagnostic, LoadOptions, load_with};

use crate::state::Format;

#[derive(Args)]
pub struct CheckArguments {
    /// Model files.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// How problems are printed.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Read on over what is probably a mistake.
    #[arg(long)]
    lenient: bool,
    /// Reproduce loading bugs of the reference.
    #[arg(long)]
    reference_bugs: bool,
}

/// Check every file; an error if one of them does not load.
pub fn check(arguments: &CheckArguments) -> Result<(), String> {
    let options = LoadOptions {
        lenient: arguments.lenient,
        reference_bugs: arguments.reference_bugs,
        ..LoadOptions::default()
    };
    let mut failed = 0;
    for file in &arguments.files {
        match load_with(file, &options) {
            Ok(loaded) => {
                show(&loaded.warnings, arguments.format);
                if arguments.format == Format::Text {
                    println!("{}: ok", file.display());
                }
            }
            Err(error) => {
                failed += 1;
                if error.diagnostics.is_empty() {
                    println!("{error}");
                } else {
                    show(&error.diagnostics, arguments.format);
                }
            }
        }
    }
    match failed {
        0 => Ok(()),
        _ => Err(format!("{failed} of {} files cannot be loaded", arguments.files.len())),
    }
}

fn show(diagnostics: &[Diagnostic], format: Format) {
    match format {
        Format::Text if diagnostics.is_empty() => {}
        Format::Text => println!("{}", render_all(diagnostics)),
        Format::Json => {
            for diagnostic in diagnostics {
                println!("{}", diagnostic.to_json());
            }
        }
    }
}
