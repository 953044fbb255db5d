//! Data and the simulation pipeline.
//!
//! Internal: programs depend on the crate `condyle`, which re-exports what they need. Everything here may change in any version.
//!
//! [`mod@step`] is the table of contents: every line of it is a stage, and every stage is a folder of this crate.

#![warn(missing_docs)]

pub mod acceleration;
pub mod actuation;
pub mod collision;
pub mod constants;
pub mod constraint;
pub mod data;
pub mod derivative;
pub mod finite_difference;
pub mod history;
pub mod hooks;
pub mod integrate;
pub mod jacobian;
pub mod plugin;
pub mod position;
pub mod query;
pub mod sensor;
pub mod sleep;
pub mod snapshot;
pub mod state;
pub mod step;
pub mod velocity;

pub use data::Data;
pub use snapshot::{Snapshot, SnapshotError};
pub use step::reset;
pub use step::{forward, step, step_reported, step1, step2, try_step};
