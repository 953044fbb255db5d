//! What can be wrong with a call of a batch, and with single simulations in it.

use std::fmt;

/// Why a batch cannot be made or a call not be made: nothing has happened.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum BatchError {
    /// The model puts trees to sleep, which only a persistent batch can follow.
    SleepNeedsPersistent,
    /// The system gives no more threads.
    Threads(String),
    /// There is not so much memory.
    Memory {
        /// Bytes that were asked for.
        bytes: usize,
    },
    /// No array of the data that can be bound has this name.
    NotBindable(String),
    /// No array of the model that can be expanded has this name.
    NotExpandable(String),
    /// Simulations must be named in rising order, each once.
    Order {
        /// A number in the list.
        before: usize,
        /// The number after it, which is not larger.
        after: usize,
    },
    /// There is no simulation of this number.
    NoSimulation {
        /// The number that was given.
        index: usize,
        /// How many simulations there are.
        simulations: usize,
    },
    /// Something that is counted does not exist.
    OutOfRange {
        /// What was looked for.
        what: &'static str,
        /// The number that was given.
        index: i64,
        /// How many there are.
        count: usize,
    },
    /// An array of the wrong length.
    Length {
        /// The name of the array.
        array: &'static str,
        /// The length it should have.
        expected: usize,
        /// The length it has.
        found: usize,
    },
    /// State components that do not exist, or that are no inputs.
    Signature(u32),
    /// Neither one model nor one for each simulation.
    ModelCount {
        /// Models that were given.
        models: usize,
        /// Simulations there are.
        simulations: usize,
    },
    /// The model of this number needs a data of other sizes.
    ModelSizes(usize),
    /// Fields have values per simulation, so models cannot be set.
    Expanded,
    /// Models were set, so fields cannot have values per simulation.
    ModelsSet,
    /// The constants of a model can only be computed for the batch's own.
    Model(String),
    /// Simulations failed; the others went on.
    Failed(SimulationError),
}

/// Some simulations failed in a call. They have the state they had before it; all others ran.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SimulationError {
    /// The simulations that failed, in rising order.
    pub ids: Vec<usize>,
    /// What was wrong with the first of them.
    pub message: String,
    /// How many simulations the call was for.
    pub called: usize,
}

impl fmt::Display for SimulationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown: Vec<String> = self.ids.iter().take(5).map(usize::to_string).collect();
        let more = if self.ids.len() > 5 { ", …" } else { "" };
        write!(
            f,
            "{} of {} simulations failed ({}{more}); simulation {}: {}",
            self.ids.len(),
            self.called,
            shown.join(", "),
            shown.first().map_or("", String::as_str),
            self.message
        )
    }
}

impl std::error::Error for SimulationError {}

impl fmt::Display for BatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::SleepNeedsPersistent => {
                f.write_str("the model lets trees sleep, so the batch must be persistent")
            }
            Self::Threads(reason) => write!(f, "cannot start the threads: {reason}"),
            Self::Memory { bytes } => {
                let gib = *bytes as f64 / f64::from(1 << 30);
                write!(f, "the simulations would need {gib:.1} GiB of memory, which cannot be had")
            }
            Self::NotBindable(name) => write!(f, "{name} is not an array of the data that can be bound"),
            Self::NotExpandable(name) => {
                write!(f, "{name} is not an array of the model that can be expanded")
            }
            Self::Order { before, after } => {
                write!(f, "ids must be sorted and unique, got {before} before {after}")
            }
            Self::NoSimulation { index, simulations } => {
                write!(f, "ids must be in [0, {simulations}), got {index}")
            }
            Self::OutOfRange { what, index, count } => {
                write!(f, "{what} must be in [0, {count}), got {index}")
            }
            Self::Length { array, expected, found } => {
                write!(f, "{array} should have {expected} numbers, got {found}")
            }
            Self::Signature(signature) => write!(f, "invalid state signature {signature}"),
            Self::ModelCount { models, simulations } => {
                write!(f, "{models} models for {simulations} simulations; give one, or one per simulation")
            }
            Self::ModelSizes(index) => write!(f, "model {index} has different sizes from the batch's model"),
            Self::Expanded => {
                f.write_str("fields have per-simulation values, which models of the caller would replace")
            }
            Self::ModelsSet => f.write_str("the simulations run on models of the caller; edit those instead"),
            Self::Model(reason) => f.write_str(reason),
            Self::Failed(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for BatchError {}
