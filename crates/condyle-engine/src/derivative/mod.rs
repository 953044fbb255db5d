//! Derivatives of the dynamics.

pub mod accumulate;
mod actuator;
mod bias;
mod fluid;
mod passive;
pub mod smooth_velocity;
