//! Questions about a configuration that are not stages of the step. No stage uses this module; what stages share with it stands with
//! them and is named here as well.

pub mod constraint;
pub mod contact_report;
pub mod explain_pair;
mod field_descent;
mod passed_volumes;

pub use crate::collision::{distance, multi_ray, ray};
pub use crate::constraint::contact_force;
pub use crate::jacobian::{self, force};
pub use field_descent::{FieldDescents, field_descents};
pub use passed_volumes::passed_volumes;

/// Velocity and acceleration of objects, momentum of subtrees, and differences of configurations.
pub mod motion {
    pub use crate::position::configuration::*;
    pub use crate::velocity::motion::*;
}
