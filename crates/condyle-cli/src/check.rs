//! `condyle check`: everything that is wrong with model files, in one go.

use std::path::{Path, PathBuf};

use clap::Args;
use condyle::diagnostic::{Location, SourceFile, render_all};
use condyle::{Diagnostic, LoadError, LoadOptions, Loaded, Model, load_with};

use crate::say::paint;
use crate::state::{Format, TIMESTEP_HELP, timestep_problem};
use crate::urdf::UrdfArguments;
use crate::{Outcome, say, sayln};

#[derive(Args)]
pub(crate) struct CheckArguments {
    /// Model files; '-' reads standard input.
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Format of the output.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Continue past likely mistakes, with a warning.
    #[arg(long)]
    lenient: bool,
    /// Reproduce MuJoCo's loading bugs.
    #[arg(long)]
    reference_bugs: bool,
    #[command(flatten)]
    urdf: UrdfArguments,
}

/// Check every file; an error if one of them does not load or cannot run.
pub(crate) fn check(arguments: &CheckArguments) -> Outcome {
    let options = LoadOptions::default()
        .lenient(arguments.lenient)
        .reference_bugs(arguments.reference_bugs)
        .urdf(arguments.urdf.options());
    let mut failed = 0;
    for file in &arguments.files {
        let (name, text) = if file == Path::new("-") {
            ("<stdin>".to_owned(), crate::read_stdin()?)
        } else {
            // Binary files have no lines to point at.
            (file.display().to_string(), std::fs::read(file).unwrap_or_default())
        };
        let loaded = if file == Path::new("-") {
            condyle::load_bytes(&name, &text, &options)
        } else {
            load_with(file, &options)
        };
        let problems = problems_of(loaded, &name, text);
        let bad = problems.as_ref().map_or(true, |problems| problems.iter().any(Diagnostic::is_error));
        failed += usize::from(bad);
        match problems {
            Ok(problems) => show(&problems, arguments.format),
            Err(message) => sayln!("{}", paint(&format!("error: {message}"))),
        }
        if !bad && arguments.format == Format::Text {
            sayln!("{name}: ok");
        }
    }
    match failed {
        0 => Ok(0),
        _ => Err(format!("{failed} of {} files cannot be used", arguments.files.len())),
    }
}

/// Everything to say about a file; an error without a position is only a message.
fn problems_of(
    loaded: Result<Loaded, LoadError>,
    name: &str,
    text: Vec<u8>,
) -> Result<Vec<Diagnostic>, String> {
    match loaded {
        Ok(loaded) => {
            let mut problems = loaded.warnings;
            problems.extend(timestep(&loaded.model, name, text));
            Ok(problems)
        }
        Err(error) if error.diagnostics.is_empty() => Err(error.to_string()),
        Err(error) => Ok(error.diagnostics),
    }
}

/// A time step with which time does not advance. Loading accepts it, as MuJoCo does; running with it makes no sense.
fn timestep(model: &Model, name: &str, text: Vec<u8>) -> Option<Diagnostic> {
    let timestep = model.opt.timestep;
    if timestep > 0.0 && timestep.is_finite() {
        return None;
    }
    let place = find_timestep(name, text, timestep);
    Some(Diagnostic::error("E0901", timestep_problem(timestep)).at(place.as_ref()).help(TIMESTEP_HELP))
}

/// The last attribute of the text that says so.
fn find_timestep(name: &str, text: Vec<u8>, timestep: f64) -> Option<Location> {
    const NAME: &[u8] = b"timestep";
    let says = |start: usize| {
        let rest = text[start + NAME.len()..].trim_ascii_start().strip_prefix(b"=")?.trim_ascii_start();
        let (quote, rest) = rest.split_first()?;
        let value = &rest[..rest.iter().position(|byte| byte == quote)?];
        let number: f64 = std::str::from_utf8(value).ok()?.trim().parse().ok()?;
        let end = text.len() - rest.len() + value.len() + 1;
        (number == timestep || number.is_nan() && timestep.is_nan()).then_some(end)
    };
    let starts = (0..text.len().saturating_sub(NAME.len())).rev();
    let (start, end) = starts
        .filter(|start| text[*start..].starts_with(NAME))
        .find_map(|start| says(start).map(|end| (start, end)))?;
    let line = text[..start].iter().filter(|byte| **byte == b'\n').count() as u32 + 1;
    let source = SourceFile::new(name, text);
    Some(Location { source, start: start as u32, end: end as u32, line })
}

fn show(diagnostics: &[Diagnostic], format: Format) {
    match format {
        Format::Text if diagnostics.is_empty() => {}
        Format::Text => say!("{}\n", paint(&render_all(diagnostics))),
        Format::Json => {
            for diagnostic in diagnostics {
                sayln!("{}", diagnostic.to_json());
            }
        }
    }
}
