//! The state a command looks at: the reference configuration, a keyframe, or what a simulation reaches after some time.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use condyle::{Model, ObjectType, Sim};

use crate::load_with;
use crate::urdf::UrdfArguments;

/// How a result is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// Readable text.
    Text,
    /// JSON, for tools.
    Json,
}

#[derive(Args)]
pub(crate) struct StateArguments {
    /// Start from this keyframe, by name or number.
    #[arg(long, visible_alias = "keyframe", allow_negative_numbers = true)]
    key: Option<String>,
    /// Simulate up to this time, in seconds.
    #[arg(long, allow_negative_numbers = true)]
    time: Option<f64>,
    #[command(flatten)]
    urdf: UrdfArguments,
}

/// Set a keyframe; the error names those there are.
pub(crate) fn set_keyframe(sim: &mut Sim, key: &str) -> Result<(), String> {
    if sim.reset_to_keyframe(key) { Ok(()) } else { Err(no_keyframe(&sim.model, key)) }
}

/// The error for a keyframe that is not there.
pub(crate) fn no_keyframe(model: &Model, key: &str) -> String {
    if model.nkey == 0 {
        return format!("no keyframe '{key}': the model has none\n  = help: leave the keyframe out");
    }
    let names: Vec<&str> = (0..model.nkey).map(|index| model.name(ObjectType::Key, index)).collect();
    format!("no keyframe '{key}'\n  = help: the model has {} ({})", model.nkey, names.join(", "))
}

/// Most steps until a time: more than anybody waits for is a mistake.
const MOST_STEPS: f64 = 1e12;

/// An error unless time advances with every step.
pub(crate) fn check_timestep(model: &Model) -> Result<(), String> {
    let timestep = model.opt.timestep;
    if timestep > 0.0 && timestep.is_finite() {
        return Ok(());
    }
    Err(format!("{}\n  = help: {}", timestep_problem(timestep), TIMESTEP_HELP))
}

/// What to do about a time step that leads nowhere.
pub(crate) const TIMESTEP_HELP: &str =
    "write <option timestep=\"0.002\"/>, in seconds; most models run with 0.001 to 0.005";

/// What is wrong with a time step.
pub(crate) fn timestep_problem(timestep: f64) -> String {
    format!("the time step is {timestep} s: simulated time would not advance")
}

impl StateArguments {
    /// The model in the chosen state, with everything computed.
    pub(crate) fn prepare(&self, model: &PathBuf) -> Result<Sim, String> {
        let mut sim = load_with(Some(model), &self.urdf.load_options())?;
        if let Some(key) = &self.key {
            set_keyframe(&mut sim, key)?;
        }
        if let Some(time) = self.time {
            if !(time.is_finite() && time >= 0.0) {
                return Err(format!(
                    "--time {time} is not a valid time\n  = help: give seconds, such as 1.5"
                ));
            }
            check_timestep(&sim.model)?;
            let steps = ((time - sim.time()) / sim.model.opt.timestep).round();
            if steps > MOST_STEPS {
                return Err(format!(
                    "--time {time:?} would take {steps:.1e} steps\n  = help: give fewer seconds"
                ));
            }
            for _ in 0..if steps > 0.0 { steps as u64 } else { 0 } {
                sim.step();
            }
        }
        sim.forward();
        Ok(sim)
    }
}
