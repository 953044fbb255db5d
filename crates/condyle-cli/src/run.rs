//! `condyle run`: simulate, show progress, record, plot, sum up.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};
use condyle::{NonFinitePolicy, Sim};
use indicatif::{ProgressBar, ProgressStyle};

use crate::{load, plot, record, state, summary};

#[derive(Args)]
pub struct RunArguments {
    /// Model file; without one, the built-in figure.
    model: Option<PathBuf>,
    /// Number of steps.
    #[arg(long, conflicts_with = "seconds")]
    steps: Option<u64>,
    /// Simulated seconds; 10 when neither this nor --steps is given.
    #[arg(long)]
    seconds: Option<f64>,
    /// Start from this keyframe, by name or number.
    #[arg(long)]
    keyframe: Option<String>,
    /// Constant controls, separated by commas; missing ones are zero.
    #[arg(long, value_delimiter = ',', allow_hyphen_values = true)]
    ctrl: Vec<f64>,
    /// Write time, qpos, qvel, ctrl and sensor data of every step to a .csv or .npz file.
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// What to do when a number is unusable (NaN or beyond 1e10): reset, stay at the last finite state, or stop.
    #[arg(long, value_enum, default_value_t = OnNonFinite::Reset, value_name = "POLICY")]
    on_nonfinite: OnNonFinite,
    /// Threads that may solve islands of coupled bodies; results do not depend on it.
    #[arg(long, default_value_t = 1, value_name = "N")]
    threads: usize,
    /// Draw joint positions over time to an .svg file.
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
}

#[derive(Clone, Copy, ValueEnum)]
enum OnNonFinite {
    Reset,
    Hold,
    Error,
}

impl From<OnNonFinite> for NonFinitePolicy {
    fn from(choice: OnNonFinite) -> Self {
        match choice {
            OnNonFinite::Reset => Self::AutoReset,
            OnNonFinite::Hold => Self::Hold,
            OnNonFinite::Error => Self::Error,
        }
    }
}

/// Steps between two looks at the clock.
const CHUNK: u64 = 64;

pub fn run(arguments: &RunArguments) -> Result<(), String> {
    let mut sim = load(arguments.model.as_ref())?;
    prepare(&mut sim, arguments)?;
    sim.set_non_finite_policy(arguments.on_nonfinite.into());
    sim.set_threads(arguments.threads);
    let steps = step_count(&sim, arguments)?;
    let mut recording = (arguments.record.is_some() || arguments.plot.is_some())
        .then(|| record::Recording::new(&sim.model, steps));

    let progress = progress_bar(steps);
    let started = Instant::now();
    let mut events = summary::Events::default();
    let mut done = 0;
    'run: while done < steps {
        for _ in 0..CHUNK.min(steps - done) {
            if let Some(recording) = &mut recording {
                recording.push(&sim);
            }
            let stopped = sim.try_step().is_err();
            events.add(&sim);
            if stopped {
                break 'run;
            }
            done += 1;
        }
        progress.set_position(done);
        progress.set_message(rates(&sim, done, started.elapsed()));
    }
    progress.finish_and_clear();
    let elapsed = started.elapsed();

    if let Some(recording) = &recording {
        if let Some(path) = &arguments.record {
            recording.write(path)?;
            println!("recorded {} steps to {}", recording.len(), path.display());
        }
        if let Some(path) = &arguments.plot {
            std::fs::write(path, plot::joint_positions(&sim.model, recording))
                .map_err(|error| format!("{}: {error}", path.display()))?;
            println!("plotted joint positions to {}", path.display());
        }
    }
    print!("{}", summary::describe(&mut sim, done, elapsed, &events));
    match sim.report().non_finite {
        Some(found) if done < steps => Err(found.describe(&sim.model)),
        _ => Ok(()),
    }
}

fn prepare(sim: &mut Sim, arguments: &RunArguments) -> Result<(), String> {
    if let Some(key) = &arguments.keyframe {
        state::set_keyframe(sim, key)?;
    }
    if arguments.ctrl.len() > sim.model.nu {
        return Err(format!(
            "{} controls given, the model has {} actuators",
            arguments.ctrl.len(),
            sim.model.nu
        ));
    }
    sim.data.inputs.ctrl[..arguments.ctrl.len()].copy_from_slice(&arguments.ctrl);
    Ok(())
}

fn step_count(sim: &Sim, arguments: &RunArguments) -> Result<u64, String> {
    if let Some(steps) = arguments.steps {
        return Ok(steps);
    }
    let seconds = arguments.seconds.unwrap_or(10.0);
    if !(seconds.is_finite() && seconds >= 0.0) {
        return Err(format!("--seconds {seconds} is not a duration"));
    }
    Ok((seconds / sim.model.opt.timestep).round() as u64)
}

/// A bar that shows nothing unless standard error is a terminal.
fn progress_bar(steps: u64) -> ProgressBar {
    let bar = ProgressBar::new(steps);
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos}/{len} steps  {msg}  {eta} left") {
        bar.set_style(style);
    }
    bar
}

fn rates(sim: &Sim, done: u64, elapsed: Duration) -> String {
    let seconds = elapsed.as_secs_f64().max(1e-9);
    let per_second = done as f64 / seconds;
    format!("{per_second:.0} steps/s, {:.1}x real time", per_second * sim.model.opt.timestep)
}
