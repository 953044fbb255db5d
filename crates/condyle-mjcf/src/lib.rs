//! MJCF and URDF text to the editable model and back, with diagnostics.
//!
//! Internal: programs depend on the crate `condyle`, which re-exports what they need. Everything here may change in any version.
//!
//! ```
//! use condyle_mjcf::{LoadOptions, load_str};
//!
//! let (spec, warnings) = load_str("<mujoco><worldbody><geom size='1'/></worldbody></mujoco>", &LoadOptions::default())
//!     .unwrap();
//! assert_eq!(spec.geoms.len(), 1);
//! assert!(warnings.is_empty());
//!
//! let problems = load_str("<mujoco><worldbody><geom sise='1'/></worldbody></mujoco>", &LoadOptions::default());
//! assert_eq!(problems.unwrap_err()[0].help.as_deref(), Some("did you mean 'size'?"));
//! ```
//!
//! Codes of problems: `E00` reading and caps, `E01` XML, `E02` the format's table and the form of values, `E04` meaning, `E05`
//! includes, `E06` URDF, `E07` the compiler, `E09` not supported yet; warnings have a `W` instead.

#![warn(missing_docs)]
#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod conversion;
mod include;
pub mod limits;
mod load;
pub use condyle_base::number;
mod read;
pub mod report;
pub mod schema;
mod suspect_elements;
mod write;
pub mod xml;

pub use conversion::{ConversionKind, ConversionNote};
pub use limits::Limits;
pub use load::{
    LoadOptions, Loaded, LoadedSpec, Reading, load_bytes, load_path, load_str, read_bytes, read_path,
};
pub use read::urdf::options::{UrdfActuators, UrdfOptions};
pub use write::{Mjcf, asset_paths, to_mjcf, to_mjcf_in_radians, to_mjcf_relocated, to_mjcf_with_files};
