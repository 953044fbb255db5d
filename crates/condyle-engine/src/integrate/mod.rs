//! Advancing the state.
//!
//! An integrator turns accelerations into the [`Rates`](advance::Rates) with which [`advance`] moves the state.

pub mod advance;
pub mod euler;
pub(crate) mod flex_block;
pub mod implicit;
pub mod runge_kutta;
