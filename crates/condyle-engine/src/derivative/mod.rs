//! Derivatives of the dynamics.

pub mod accumulate;
mod actuator;
mod bias;
pub mod finite_difference;
mod fluid;
mod passive;
pub mod smooth_velocity;
