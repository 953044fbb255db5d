//! `condyle convert`: any model file to MJCF, or to a binary model.
//!
//! A URDF says things that MJCF has no place for, and leaves open what MJCF wants to know. All of that goes to the error output, and
//! with `--report` to a file.

use std::path::{Path, PathBuf};

use clap::{Args, ValueEnum};
use condyle::diagnostic::render_all;
use condyle::model::hill::Curve;
use condyle::muscle::to_hill_muscles;
use condyle::{
    ConversionKind, ConversionNote, Diagnostic, LoadOptions, SaveError, Spec, load_spec, load_with, save,
    save_spec, save_spec_with_assets,
};

use crate::file::{check_ending, check_writable, has_ending, write};
use crate::urdf::UrdfArguments;
use crate::{Outcome, sayln, tell};

/// Endings of models that can be written.
const ENDINGS: [&str; 3] = ["xml", "mjcf", "mjb"];

#[derive(Args)]
pub(crate) struct ConvertArguments {
    /// Model file: MJCF, URDF or MJB.
    input: PathBuf,
    /// Where to write: `.xml` or `.mjcf` for MJCF, `.mjb` for a binary model.
    #[arg(short, long)]
    output: PathBuf,
    /// Continue past likely mistakes, with a warning.
    #[arg(long)]
    lenient: bool,
    /// Also write a report of what was dropped, changed or assumed when converting a URDF: one JSON object per line if the name
    /// ends in `.json`, otherwise text.
    #[arg(long)]
    report: Option<PathBuf>,
    /// Copy meshes, textures and other files into a folder 'assets' beside the output, so that they can be moved together.
    #[arg(long)]
    copy_assets: bool,
    #[command(flatten)]
    urdf: UrdfArguments,
    /// Replace standard muscles by Hill-type muscles, with rigid (the default) or compliant tendons.
    #[arg(long, value_enum, num_args = 0..=1, default_missing_value = "rigid", value_name = "TENDON")]
    hill: Option<Tendon>,
    /// Curves of the Hill-type muscles that --hill makes.
    #[arg(long, value_enum, default_value_t = MuscleCurve::Smooth, requires = "hill")]
    curve: MuscleCurve,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Tendon {
    Rigid,
    Compliant,
}

#[derive(Clone, Copy, ValueEnum)]
enum MuscleCurve {
    Standard,
    Smooth,
    Thelen,
    Millard,
}

impl From<MuscleCurve> for Curve {
    fn from(choice: MuscleCurve) -> Self {
        match choice {
            MuscleCurve::Standard => Self::Standard,
            MuscleCurve::Smooth => Self::Smooth,
            MuscleCurve::Thelen => Self::Thelen,
            MuscleCurve::Millard => Self::Millard,
        }
    }
}

/// Save a model whose standard muscles have become Hill-type muscles.
fn convert_muscles(
    arguments: &ConvertArguments,
    options: &LoadOptions,
    tendon: Tendon,
) -> Result<Written, String> {
    if has_ending(&arguments.output, "mjb") {
        return Err("--hill writes MJCF; convert the result to a binary model in a second step".into());
    }
    let loaded = load_with(&arguments.input, options).map_err(|error| error.to_string())?;
    let mut spec = if has_ending(&arguments.input, "mjb") {
        Spec::from_model(&loaded.model).map_err(|error| error.to_string())?
    } else {
        load_spec(&arguments.input, options).map_err(|error| error.to_string())?.spec
    };
    let compliant = tendon == Tendon::Compliant;
    let count = to_hill_muscles(&mut spec, &loaded.model, compliant, arguments.curve.into())?;
    if count == 0 {
        return Err(format!(
            "{}: the model has no standard muscles to replace by Hill-type muscles",
            arguments.input.display()
        ));
    }
    tell!("replaced {count} muscles by Hill-type muscles");
    Ok(Written { saved: save_text(&spec, arguments), warnings: loaded.warnings, notes: loaded.notes })
}

/// Save as MJCF, with copies of the files it refers to if they are wanted.
fn save_text(spec: &Spec, arguments: &ConvertArguments) -> Result<(), SaveError> {
    if arguments.copy_assets {
        save_spec_with_assets(spec, &arguments.output).map(|_| ())
    } else {
        save_spec(spec, &arguments.output)
    }
}

/// How saving went, and what was noticed while loading.
struct Written {
    saved: Result<(), SaveError>,
    warnings: Vec<Diagnostic>,
    notes: Vec<ConversionNote>,
}

/// Convert one file and report what was noticed on the way.
pub(crate) fn convert(arguments: &ConvertArguments) -> Outcome {
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
    let options = LoadOptions::default().lenient(arguments.lenient).urdf(urdf);
    let binary = has_ending(&arguments.input, "mjb");
    let Written { saved, warnings, notes } = if let Some(tendon) = arguments.hill {
        convert_muscles(arguments, &options, tendon)?
    } else if binary || has_ending(&arguments.output, "mjb") {
        let loaded = load_with(&arguments.input, &options).map_err(|error| error.to_string())?;
        let saved = save(&loaded.model, &arguments.output);
        Written { saved, warnings: loaded.warnings, notes: loaded.notes }
    } else {
        let loaded = load_spec(&arguments.input, &options).map_err(|error| error.to_string())?;
        let saved = save_text(&loaded.spec, arguments);
        Written { saved, warnings: loaded.warnings, notes: loaded.notes }
    };
    saved.map_err(|error| error.to_string())?;
    // What was written is good only if it can be read.
    match load_with(&arguments.output, &options) {
        Err(error) => {
            return Err(format!("{error}\n\n{} was written but does not load", arguments.output.display()));
        }
        // Muscles may not fit their paths.
        Ok(loaded) if arguments.hill.is_some() && !loaded.warnings.is_empty() => {
            tell!("{}", render_all(&loaded.warnings));
        }
        Ok(_) => {}
    }
    if let Some(path) = &arguments.report {
        write_report(path, &notes)?;
    }
    // The notes about a URDF say what its warnings say, and more.
    if notes.is_empty() && !warnings.is_empty() {
        tell!("{}", render_all(&warnings));
    }
    for note in &notes {
        tell!("{note}");
    }
    sayln!("wrote {}{}", arguments.output.display(), summary(&notes));
    Ok(0)
}

fn write_report(path: &Path, notes: &[ConversionNote]) -> Result<(), String> {
    let json = has_ending(path, "json");
    let line = |note: &ConversionNote| if json { note.to_json() } else { note.to_string() };
    let text: String = notes.iter().map(|note| line(note) + "\n").collect();
    write(path, text.as_bytes())
}

fn summary(notes: &[ConversionNote]) -> String {
    if notes.is_empty() {
        return String::new();
    }
    let count = |kind: ConversionKind| notes.iter().filter(|note| note.kind == kind).count();
    format!(
        ": {} dropped, {} changed, {} assumed",
        count(ConversionKind::Dropped),
        count(ConversionKind::Changed),
        count(ConversionKind::Assumed)
    )
}
