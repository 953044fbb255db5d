//! The `condyle` command, as a function: the program calls it, and so does `python -m condyle`.

mod bench;
mod channel;
mod check;
mod contact;
mod control;
mod convert;
mod doctor;
mod file;
mod info;
mod interrupt;
mod label;
mod manual;
mod muscle;
mod picture;
mod plot;
mod record;
mod run;
mod say;
mod state;
mod summary;
mod urdf;
mod view;

use std::ffi::OsString;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use clap::{Parser, Subcommand};
use condyle::diagnostic::render_all;

/// How a command ends: its exit code, or what went wrong.
type Outcome = Result<u8, String>;

#[derive(Parser)]
#[command(name = "condyle", version, about = "Physics engine for articulated bodies with contact")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Simulate a model and report what happened.
    Run(run::RunArguments),
    /// List what a model contains, with numbers, names and units.
    Info(info::InfoArguments),
    /// Report every problem in model files, with positions and suggestions.
    Check(check::CheckArguments),
    /// Explain, rule by rule, why two geoms or bodies do or do not collide.
    ExplainPair(contact::ExplainArguments),
    /// List contacts: which geoms touch, where and with what force.
    Contacts(contact::ContactsArguments),
    /// Convert a model file to MJCF or to a binary model.
    Convert(convert::ConvertArguments),
    /// Show the parameters of muscles with their units, and plot their curves.
    Muscle(muscle::MuscleArguments),
    /// Draw a picture of a model: colours, depth or a segmentation by element.
    Render(picture::RenderArguments),
    /// Open a model in the browser to watch it, pull it about and plot it.
    View(view::ViewArguments),
    /// Measure how many steps per second a model takes.
    Bench(bench::BenchArguments),
    /// Print completions for a shell, to be saved where the shell looks for them.
    Completions {
        /// The shell to complete for.
        shell: clap_complete::Shell,
    },
    /// Print the manual page, or write all pages to a folder.
    Man(manual::ManArguments),
}

/// The model that runs when none is named.
const FIGURE: &str = include_str!("figure.xml");

/// Most bytes of a model read from standard input.
const MOST_INPUT: u64 = 256 << 20;

/// All of standard input.
fn read_stdin() -> Result<Vec<u8>, String> {
    let mut text = Vec::new();
    let read = std::io::stdin().lock().take(MOST_INPUT).read_to_end(&mut text);
    read.map_err(|error| format!("standard input: {error}"))?;
    Ok(text)
}

/// Load the named model, `-` from standard input, or the built-in one. Warnings go to the error output.
fn load_with(model: Option<&PathBuf>, options: &condyle::LoadOptions) -> Result<condyle::Sim, String> {
    let loaded = match model {
        Some(path) if path == Path::new("-") => condyle::load_bytes("<stdin>", &read_stdin()?, options),
        Some(path) => condyle::load_with(path, options),
        None => condyle::load_str(FIGURE, options),
    };
    let loaded = loaded.map_err(|error| error.to_string())?;
    if !loaded.warnings.is_empty() {
        tell!("{}", say::paint(&render_all(&loaded.warnings)));
    }
    Ok(condyle::Sim::new(loaded.model))
}

/// Run the command with these arguments, the first being the name of the program; its exit code.
pub fn command<A: Into<OsString> + Clone>(arguments: impl IntoIterator<Item = A>) -> u8 {
    let arguments = match Arguments::try_parse_from(arguments) {
        Ok(arguments) => arguments,
        Err(error) => {
            // Help and versions come this way too; an output that is closed is no reason to fail.
            let _ = error.print();
            return u8::try_from(error.exit_code()).unwrap_or(2);
        }
    };
    let outcome = match arguments.command {
        Command::Run(arguments) => run::run(&arguments),
        Command::Check(arguments) => check::check(&arguments),
        Command::ExplainPair(arguments) => contact::explain(&arguments),
        Command::Contacts(arguments) => contact::contacts(&arguments),
        Command::Convert(arguments) => convert::convert(&arguments),
        Command::Muscle(arguments) => muscle::run(&arguments),
        Command::Info(arguments) => info::info(&arguments),
        Command::Render(arguments) => picture::render(&arguments),
        Command::View(arguments) => view::view(&arguments),
        Command::Bench(arguments) => bench::bench(&arguments),
        Command::Completions { shell } => manual::completions(shell),
        Command::Man(arguments) => manual::man(&arguments),
    };
    say::flush();
    match outcome {
        Ok(code) => code,
        Err(message) => {
            // Problems of a model file come rendered, each with its own heading.
            let rendered = message.starts_with("error[") || message.starts_with("warning[");
            let heading = if rendered { "" } else { "error: " };
            tell!("{}", say::paint(&format!("{heading}{message}")));
            1
        }
    }
}

#[cfg(test)]
mod tests {
    /// The crate is published on its own, so it holds a copy of the model.
    #[test]
    fn the_built_in_figure_is_the_model_of_the_repository() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/bench/figure.xml");
        assert_eq!(super::FIGURE, std::fs::read_to_string(path).unwrap());
    }
}
