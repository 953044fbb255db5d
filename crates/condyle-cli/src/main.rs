//! The `condyle` command.

mod bench;
mod check;
mod contact;
mod convert;
mod info;
mod muscle;
mod plot;
mod record;
mod run;
mod state;
mod summary;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

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
    /// Sizes, body tree and which joint is which number.
    Info {
        /// Model file; without one, the built-in figure.
        model: Option<PathBuf>,
    },
    /// Everything that is wrong with model files, with positions and help.
    Check(check::CheckArguments),
    /// Why two geoms collide or not, rule by rule.
    ExplainPair(contact::ExplainArguments),
    /// Who touches whom, where and with what force.
    Contacts(contact::ContactsArguments),
    /// Write any model file as MJCF, or as a binary model.
    Convert(convert::ConvertArguments),
    /// Parameters of a muscle with their units, and its curves.
    Muscle(muscle::MuscleArguments),
    /// Steps per second of a model.
    Bench {
        /// Model file; without one, the built-in figure.
        model: Option<PathBuf>,
        /// Steps per round.
        #[arg(long, default_value_t = 1000)]
        steps: u32,
        /// Rounds; the best one counts.
        #[arg(long, default_value_t = 5)]
        rounds: u32,
        /// Threads that may solve islands of coupled bodies.
        #[arg(long, default_value_t = 1, value_name = "N")]
        threads: usize,
        /// Show where the time of a step goes.
        #[arg(long)]
        profile: bool,
    },
}

/// The model that runs when none is named.
const FIGURE: &str = include_str!("../../../models/bench/figure.xml");

/// Load the named model, or the built-in one.
fn load(model: Option<&PathBuf>) -> Result<condyle::Sim, String> {
    match model {
        Some(path) => condyle::Sim::load(path).map_err(|error| error.to_string()),
        None => condyle::load_str(FIGURE, &condyle::LoadOptions::default())
            .map(|loaded| condyle::Sim::new(loaded.model))
            .map_err(|error| error.to_string()),
    }
}

fn main() -> ExitCode {
    let outcome = match Arguments::parse().command {
        Command::Run(arguments) => run::run(&arguments),
        Command::Check(arguments) => check::check(&arguments),
        Command::ExplainPair(arguments) => contact::explain(&arguments),
        Command::Contacts(arguments) => contact::contacts(&arguments),
        Command::Convert(arguments) => convert::convert(&arguments),
        Command::Muscle(arguments) => muscle::run(&arguments),
        Command::Info { model } => load(model.as_ref()).map(|sim| print!("{}", info::describe(&sim.model))),
        Command::Bench { model, steps, rounds, threads, profile } => load(model.as_ref()).map(|mut sim| {
            sim.set_threads(threads);
            bench::bench(sim, steps, rounds, profile);
        }),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            // Problems of a model file come rendered, each with its own heading.
            let heading = if message.starts_with("error[") { "" } else { "error: " };
            eprintln!("{heading}{message}");
            ExitCode::FAILURE
        }
    }
}
