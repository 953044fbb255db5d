//! Questions about a configuration that are not stages of the step.

pub mod force;
pub mod jacobian;
pub mod jacobian_chain;
pub mod motion;
