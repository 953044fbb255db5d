//! Condyle: a physics engine for articulated bodies with contact.
//!
//! ```no_run
//! use condyle::prelude::*;
//!
//! let mut sim = Sim::load("robot.xml")?;
//! sim.set_ctrl("elbow", 0.3)?;
//! sim.run_for(2.0);
//! println!("{:?} {:?}", sim.body("hand")?.position(), sim.sensor("imu")?);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | to | use |
//! |---|---|
//! | load and save models | [`load`], [`load_with`], [`load_str`], [`save`] |
//! | edit a model | [`Spec`], [`SpecExt`], [`spec`] |
//! | work out what follows from a changed model | [`set_constants`], [`set_length_ranges`] |
//! | simulate | [`Sim`], or [`Model`] and [`Data`] with [`step()`], [`forward`], [`inverse`] |
//! | find elements by name | [`Names`] on a model, the accessors of [`Sim`] |
//! | run code in the step | [`hooks`], [`plugin`] |
//! | read reports | [`report`], [`Describe`] |
//! | ask questions | [`query`], [`Jacobian`], [`Sim::linearize`], [`Sim::inverse_dynamics`], [`Sim::inverse_jacobians`] |
//! | set a simulation aside | [`Snapshot`], [`state`] |
//! | run many at once | [`Batch`], [`rollout`] |
//! | take pictures | [`pictures`], [`vis`] |
//!
//! [`Model`] is what a file compiles to and never changes while it runs; [`Data`] is one simulation, in groups by what computes them
//! ([`data`]). [`Sim`] bundles the two.
//!
//! # Speed
//!
//! The kernels of the engine are spread over several crates. A program gets their full speed with link-time optimisation, which a
//! library cannot turn on for it; write this into the `Cargo.toml` of the program:
//!
//! ```toml
//! [profile.release]
//! lto = "fat"
//! codegen-units = 1
//! ```

#![warn(missing_docs)]

mod access;
mod analysis;
pub mod asset_cache;
pub mod batch;
pub mod data;
mod handle;
pub mod hooks;
mod jacobian;
mod load;
pub mod model;
pub mod muscle;
pub mod pictures;
pub mod plugin;
pub mod query;
pub mod report;
pub mod rollout;
mod save;
pub mod schema;
mod sim;
pub mod spec;
pub mod vis;
mod wakeful_pool;

pub use access::{
    ActuatorView, BodyView, CameraView, GeomView, JointMut, JointView, SimMut, SiteView, TendonView,
};
pub use analysis::{
    DifferenceError, InverseJacobians, InverseJacobiansOptions, LengthError, LinearizeOptions, Transition,
};
pub use batch::Batch;
pub use condyle_base::{Diagnostic, Files, Severity, diagnostic};
pub use condyle_engine::constants::{
    ConstantsError, LengthRangeError, LengthRangeOptions, set_constants, set_length_ranges,
};
pub use condyle_engine::data::{
    NonFinite, NonFinitePolicy, StepIssue, StepReport, Timer, TimerStat, Timers, system_clock,
};
pub use condyle_engine::query::contact_report::{
    ContactMover, ContactPart, ContactReport, ContactSide, ContactStatus,
};
pub use condyle_engine::query::explain_pair::{PairExplanation, explain_pair};
pub use condyle_engine::state;
pub use condyle_engine::step::reset::{reset, reset_to_keyframe};
pub use condyle_engine::step::{forward, inverse, step, step_reported, step1, step2, try_step};
pub use condyle_engine::{Data, Snapshot, SnapshotError};
pub use condyle_mjcf::{
    ConversionKind, ConversionNote, Limits, LoadOptions, Loaded, LoadedSpec, Mjcf, UrdfActuators,
    UrdfOptions, to_mjcf, to_mjcf_with_files,
};
pub use condyle_model::{GeomType, JointType, Model, ObjectType, TransmissionType};
pub use handle::{
    ActuatorId, BodyId, CameraId, EqualityId, GeomId, Handle, Handles, JointId, KeyframeId, LightId,
    MaterialId, MeshId, Names, Select, SensorId, SiteId, TendonId, UnknownName,
};
pub use hooks::{Callbacks, Hooks};
pub use jacobian::Jacobian;
pub use load::{LoadError, load, load_binary, load_bytes, load_spec, load_str, load_with};
pub use report::Describe;
pub use save::{SaveError, model_to_mjcf, save, save_as_text, save_spec, save_spec_with_assets};
pub use sim::Sim;
pub use spec::{Spec, SpecExt};

/// What most programs need.
pub mod prelude {
    pub use crate::{
        Callbacks, Data, Describe, GeomType, Hooks, JointType, LinearizeOptions, LoadError, LoadOptions,
        Model, Names, ObjectType, Sim, SimMut, Spec, SpecExt, TransmissionType, load, load_str,
    };
}

/// The examples of the documents, compiled and run as tests.
#[cfg(doctest)]
mod documents {
    #[doc = include_str!("../../../README.md")]
    struct Readme;

    #[doc = include_str!("../README.md")]
    struct CrateReadme;

    #[doc = include_str!("../../../docs/guide.md")]
    struct Guide;
}
