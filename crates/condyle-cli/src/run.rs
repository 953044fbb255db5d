//! `condyle run`: simulate, show progress, record, plot, sum up.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};
use condyle::{Describe, NonFinitePolicy, Sim};
use indicatif::{ProgressBar, ProgressStyle};

use crate::channel::{self, Channel};
use crate::control::{self, Table};
use crate::interrupt::Interrupt;
use crate::picture::{Video, ViewArguments};
use crate::plot::{self, Series};
use crate::record::{self, Recorder};
use crate::urdf::UrdfArguments;
use crate::{Outcome, file, load_with, sayln, state, summary};

/// Exit code of a run in which a value became invalid, so that it was reset, held or stopped.
const INVALID_VALUE: u8 = 3;

const EXIT_CODES: &str = "Exit codes:
  0    the run finished
  1    the model does not load, or a file cannot be read or written
  2    the arguments are wrong
  3    a value became invalid: the run was reset, steps were not taken, or it was stopped (see --on-nonfinite)
  130  Ctrl-C: the run ended early; recordings and plots cover the steps before it
  143  the same for SIGTERM";

#[derive(Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct RunArguments {
    /// Model file, or '-' for standard input; the built-in figure if omitted.
    model: Option<PathBuf>,
    /// Number of steps.
    #[arg(long, conflicts_with = "seconds")]
    steps: Option<u64>,
    /// Simulated seconds; 10 if neither this nor --steps is given.
    #[arg(long, visible_alias = "time", allow_hyphen_values = true)]
    seconds: Option<f64>,
    /// Start from this keyframe, by name or number.
    #[arg(long, visible_alias = "key")]
    keyframe: Option<String>,
    /// Constant controls, separated by commas: values in actuator order, or NAME=VALUE; the rest are zero.
    #[arg(long, value_delimiter = ',', allow_hyphen_values = true)]
    ctrl: Vec<String>,
    /// Controls over time: a CSV file with a `time` column and a column per actuator name, such as a recording.
    #[arg(long, value_name = "FILE")]
    ctrl_file: Option<PathBuf>,
    /// Write every step to a .csv or .npz file: time, qpos, qvel, act, ctrl, actuator forces, sensor readings.
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Plot signals over time to an .svg or .png file.
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
    /// What to plot: qpos, qvel, act, ctrl, force, sensor or muscle, or a single element or component such as qpos:knee or sensor:imu.x.
    #[arg(long, value_delimiter = ',', default_value = "qpos")]
    signals: Vec<String>,
    /// Draw the run to a .gif, .apng, .mp4 or .webm file; the last two need ffmpeg.
    #[arg(long, value_name = "FILE")]
    video: Option<PathBuf>,
    /// Frames of the video per simulated second.
    #[arg(long, default_value_t = 30.0, value_name = "RATE", allow_negative_numbers = true)]
    fps: f64,
    /// What to do when a value becomes invalid (NaN or beyond 1e10): reset, hold the last finite state, or stop with an error.
    #[arg(long, value_enum, default_value_t = OnNonFinite::Reset, value_name = "POLICY")]
    on_nonfinite: OnNonFinite,
    /// Number of threads for solving islands of coupled bodies; results do not depend on it.
    #[arg(long, default_value_t = 1, value_name = "N")]
    threads: usize,
    #[command(flatten)]
    urdf: UrdfArguments,
    #[command(flatten)]
    view: ViewArguments,
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
/// Time between two moments at which a recording can be read.
const FLUSH: Duration = Duration::from_secs(1);

pub(crate) fn run(arguments: &RunArguments) -> Outcome {
    let options = arguments.urdf.load_options();
    let mut sim = load_with(arguments.model.as_ref(), &options)?;
    let mut controls = prepare(&mut sim, arguments)?;
    sim.set_non_finite_policy(arguments.on_nonfinite.into());
    sim.set_threads(arguments.threads);
    let steps = step_count(&sim, arguments)?;
    let mut outputs = Outputs::open(&sim, arguments, steps)?;

    let interrupt = Interrupt::watch();
    let progress = progress_bar(steps);
    let started = Instant::now();
    let mut flushed = started;
    let mut events = summary::Events::default();
    let mut done = 0;
    'run: while done < steps && interrupt.exit_code().is_none() {
        for _ in 0..CHUNK.min(steps - done) {
            if let Some(table) = &mut controls {
                table.apply(done, sim.data.state.time, &mut sim.data.inputs.ctrl);
            }
            outputs.before_step(&sim);
            let stopped = sim.try_step().is_err();
            outputs.after_step(&sim)?;
            events.add(&sim);
            if stopped {
                break 'run;
            }
            done += 1;
        }
        progress.set_position(done);
        progress.set_message(rates(&sim, done, started.elapsed()));
        if flushed.elapsed() > FLUSH {
            outputs.flush()?;
            flushed = Instant::now();
        }
    }
    progress.finish_and_clear();
    let elapsed = started.elapsed();

    // Files first: a reader that has closed the pipe ends the command at the first line.
    let interrupted = interrupt.exit_code();
    let written = outputs.finish(&sim)?;
    if interrupted.is_some() {
        sayln!("interrupted after {done} of {steps} steps");
    }
    for line in written {
        sayln!("{line}");
    }
    crate::say!("{}", summary::describe(&sim, done, elapsed, &events));
    if let Some(code) = interrupted {
        return Ok(code);
    }
    match sim.report().non_finite {
        Some(found) if done < steps => {
            crate::tell!("error: {}", found.describe(&sim.model));
            Ok(INVALID_VALUE)
        }
        _ if events.had_invalid_values() => Ok(INVALID_VALUE),
        _ => Ok(0),
    }
}

/// Recording, plot and video of a run.
struct Outputs {
    record: Option<(PathBuf, Recorder)>,
    plot: Option<(PathBuf, Series)>,
    video: Option<(PathBuf, Video)>,
}

impl Outputs {
    /// Open or at least check all files, before the run begins.
    fn open(sim: &Sim, arguments: &RunArguments, steps: u64) -> Result<Self, String> {
        let channels: Vec<Channel> = channel::all(&sim.model);
        let plot = match &arguments.plot {
            Some(path) => {
                file::check_ending(path, "pictures", &plot::ENDINGS)?;
                let selected = channel::select(&channels, &arguments.signals)?;
                file::check_writable(path)?;
                Some((path.clone(), Series::new(selected, steps)))
            }
            None => None,
        };
        let record = match &arguments.record {
            Some(path) => {
                file::check_ending(path, "recordings", &record::ENDINGS)?;
                Some((path.clone(), Recorder::create(path, &channels)?))
            }
            None => None,
        };
        let video = match &arguments.video {
            Some(path) => {
                let video = Video::create(path, sim, &arguments.view, arguments.fps, steps)?;
                Some((path.clone(), video))
            }
            None if arguments.view.given() => {
                return Err("--camera, --track, --size, --show and --hide require --video FILE".into());
            }
            None => None,
        };
        Ok(Self { record, plot, video })
    }

    fn before_step(&mut self, sim: &Sim) {
        if let Some((_, recorder)) = &mut self.record {
            recorder.before_step(sim);
        }
        if let Some((_, series)) = &mut self.plot {
            series.before_step(sim);
        }
    }

    fn after_step(&mut self, sim: &Sim) -> Result<(), String> {
        if let Some((_, series)) = &mut self.plot {
            series.after_step(sim);
        }
        if let Some((_, video)) = &mut self.video {
            video.after_step(sim)?;
        }
        self.record.as_mut().map_or(Ok(()), |(_, recorder)| recorder.after_step(sim))
    }

    fn flush(&mut self) -> Result<(), String> {
        self.record.as_mut().map_or(Ok(()), |(_, recorder)| recorder.flush())
    }

    /// Close all files; returns what to say about them.
    fn finish(self, sim: &Sim) -> Result<Vec<String>, String> {
        let mut lines = Vec::new();
        if let Some((path, recorder)) = self.record {
            lines.push(format!("recorded {} steps to {}", recorder.finish()?, path.display()));
        }
        if let Some((path, series)) = self.plot {
            let name = sim.model.model_name();
            plot::write(&plot::over_time(name, series), &path)?;
            lines.push(format!("plotted to {}", path.display()));
        }
        if let Some((path, video)) = self.video {
            lines.push(format!("drew {} frames to {}", video.finish()?, path.display()));
        }
        Ok(lines)
    }
}

fn prepare(sim: &mut Sim, arguments: &RunArguments) -> Result<Option<Table>, String> {
    if let Some(key) = &arguments.keyframe {
        state::set_keyframe(sim, key)?;
    }
    for (actuator, value) in control::constants(&sim.model, &arguments.ctrl)? {
        sim.data.inputs.ctrl[actuator] = value;
    }
    arguments.ctrl_file.as_ref().map(|path| Table::read(&sim.model, path)).transpose()
}

/// Most steps that simulated seconds may stand for: a run that would take longer than anybody waits is a mistake.
const MOST_STEPS: f64 = 1e15;

fn step_count(sim: &Sim, arguments: &RunArguments) -> Result<u64, String> {
    state::check_timestep(&sim.model)?;
    if let Some(steps) = arguments.steps {
        return Ok(steps);
    }
    let seconds = arguments.seconds.unwrap_or(10.0);
    if !(seconds.is_finite() && seconds >= 0.0) {
        return Err(format!("--seconds {seconds} is not a valid duration"));
    }
    let steps = (seconds / sim.model.opt.timestep).round();
    if steps > MOST_STEPS {
        return Err(format!(
            "{seconds:?} s at {} s per step would take {steps:.1e} steps; give fewer --seconds, or use --steps",
            sim.model.opt.timestep
        ));
    }
    Ok(steps as u64)
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
