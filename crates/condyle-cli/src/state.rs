//! The state a command looks at: the reference configuration, a keyframe, or what a simulation reaches after some time.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use condyle::{ObjectType, Sim};

use crate::load;

/// How a result is printed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    /// For people.
    Text,
    /// For tools.
    Json,
}

#[derive(Args)]
pub struct StateArguments {
    /// Start from this keyframe, by name or number.
    #[arg(long, visible_alias = "keyframe")]
    key: Option<String>,
    /// Simulate until this time, s.
    #[arg(long)]
    time: Option<f64>,
}

/// Set a keyframe; the error names those there are.
pub fn set_keyframe(sim: &mut Sim, key: &str) -> Result<(), String> {
    if sim.reset_to_keyframe(key) {
        return Ok(());
    }
    let names: Vec<&str> = (0..sim.model.nkey).map(|index| sim.model.name(ObjectType::Key, index)).collect();
    Err(format!("no keyframe '{key}'; the model has {} ({})", sim.model.nkey, names.join(", ")))
}

impl StateArguments {
    /// The model in the chosen state, with everything computed.
    pub fn prepare(&self, model: &PathBuf) -> Result<Sim, String> {
        let mut sim = load(Some(model))?;
        if let Some(key) = &self.key {
            set_keyframe(&mut sim, key)?;
        }
        if let Some(time) = self.time {
            if !time.is_finite() {
                return Err(format!("--time {time} is not a time"));
            }
            let steps = ((time - sim.time()) / sim.model.opt.timestep).round();
            for _ in 0..if steps > 0.0 { steps as u64 } else { 0 } {
                sim.step();
            }
        }
        sim.forward();
        Ok(sim)
    }
}
