//! Derivatives of the dynamics.

pub mod accumulate;
mod actuator;
mod bias;
pub(crate) mod flex_stiffness;
mod fluid;
mod passive;
pub mod smooth_velocity;
