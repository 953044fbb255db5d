//! The editable model and its compiler.
//!
//! Internal: programs depend on the crate `condyle`, which re-exports what they need. Everything here may change in any version.
//!
//! A [`Spec`] holds a model as it is written: a tree of bodies with joints, geoms and sites, assets, and elements that refer to
//! them by name. [`compile()`] turns it into a [`Model`](condyle_model::Model).

#![warn(missing_docs)]

pub mod arena;
pub mod attach;
pub mod compile;
pub mod composite;
pub mod decompile;
pub mod default_class;
pub mod edit;
pub mod element;
pub mod flexcomp;
pub mod orientation;
pub mod settings;
pub mod spec;

pub use arena::{Arena, Id};
pub use attach::{AttachError, Attached, Part, Rename, Target};
pub use compile::inertia::repaired_inertia;
pub use compile::pose::{quat_from_z, resolve_orientation};
pub use compile::sizes::{can_be_had, data_bytes};
pub use compile::{AssetSource, CompileOptions, Compiled, FileSystem, compile};
pub use composite::{Cable, CableError, CableRoot, CableSkin, Curve, CurveShape};
pub use decompile::DecompileError;
pub use default_class::DefaultClass;
pub use edit::{DeleteError, ElementRef, FrameError, Kind, Owner};
pub use element::*;
pub use flexcomp::{Flexcomp, FlexcompDof, FlexcompParts, FlexcompProblem, FlexcompType, Pins};
pub use orientation::*;
pub use settings::*;
pub use spec::{Spec, find_by_name};
