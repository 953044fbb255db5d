//! The compiled model: sizes, arrays, options, names and the MJB format.
//!
//! Internal: programs depend on the crate `condyle`, which re-exports what they need. Everything here may change in any version.

#![warn(missing_docs)]

mod column;
pub mod element;
pub mod enums;
mod fingerprint;
pub mod hill;
pub mod mjb;
pub mod model;
pub mod names;
pub mod options;
pub mod plugins;
mod prepared;
pub mod sensors;
mod table;
mod validate;

pub use column::Column;
pub use element::{ArrayInfo, DType, Element, Scalar, Values, ValuesMut};
pub use enums::*;
pub use fingerprint::Fingerprint;
pub use model::Model;
pub use options::{PhysicsOptions, Record, Statistic, Visual};
pub use prepared::Prepared;

/// Version of the reference whose numbers and files this crate follows, as its header states it.
pub const REFERENCE_VERSION: i32 = 3_005_000;

/// Fixed array widths of the model format.
pub mod widths {
    /// Numbers in a row of `eq_data`.
    pub const EQUALITY_DATA: usize = 11;
    /// Numbers in a row of `actuator_dynprm`.
    pub const DYNAMICS: usize = 10;
    /// Numbers in a row of `actuator_gainprm`.
    pub const GAIN: usize = 10;
    /// Numbers in a row of `actuator_biasprm`.
    pub const BIAS: usize = 10;
    /// Numbers in a row of `geom_fluid`.
    pub const FLUID: usize = 12;
    /// Numbers in `solref`: time constant and damping ratio.
    pub const REFERENCE: usize = 2;
    /// Numbers in `solimp`: minimum and maximum impedance, width, midpoint, power.
    pub const IMPEDANCE: usize = 5;
    /// Numbers in a row of `sensor_intprm`.
    pub const SENSOR: usize = 3;
    /// Textures of a material, one per role.
    pub const TEXTURE_ROLES: usize = 10;
}
