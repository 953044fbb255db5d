//! Condyle: a physics engine for articulated bodies with contact.
//!
//! ```no_run
//! let mut sim = condyle::Sim::load("robot.xml")?;
//! for _ in 0..1000 {
//!     sim.step();
//! }
//! println!("{:?}", sim.data.state.qpos);
//! # Ok::<(), condyle::LoadError>(())
//! ```
//!
//! [`Model`] is what a file compiles to and never changes while it runs; [`Data`] is one simulation. [`Sim`] bundles the two.

pub mod batch;
mod load;
pub mod muscle;
pub mod pictures;
pub mod rollout;
mod save;
mod sim;

pub use batch::Batch;
pub use condyle_engine::data::{
    NonFinite, NonFinitePolicy, Notice, StepReport, Timer, TimerStat, Timers, system_clock,
};
pub use condyle_engine::query::contact_report::{ContactReport, ContactSide, ContactStatus};
pub use condyle_engine::query::explain_pair::{PairExplanation, explain_pair};
pub use condyle_engine::{
    Data, Snapshot, SnapshotError, forward, query, reset, state, step, step_reported, step1, step2, try_step,
};
pub use condyle_mjcf::schema;
pub use condyle_mjcf::{
    Fate, Mjcf, Remark, UrdfActuators, UrdfOptions, conversion_remarks, conversion_remarks_with, to_mjcf,
    to_mjcf_with_files,
};
pub use condyle_model as model;
pub use condyle_model::{Diagnostic, Files, Model, ObjectType, Severity};
pub use condyle_spec::Spec;
pub use condyle_vis as vis;
pub use load::{
    LoadError, LoadOptions, Loaded, load, load_binary, load_bytes, load_spec, load_str, load_with,
};
pub use save::{SaveError, model_to_mjcf, save, save_as_text, save_spec, save_spec_with_assets};
pub use sim::Sim;

/// What most programs need.
pub mod prelude {
    pub use crate::{Data, LoadError, Model, ObjectType, Sim, load};
}

/// The examples of the documents, compiled and run as tests.
#[cfg(doctest)]
mod documents {
    #[doc = include_str!("../../../README.md")]
    struct Readme;

    #[doc = include_str!("../../../docs/guide.md")]
    struct Guide;
}
