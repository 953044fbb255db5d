//! Advancing the state.

pub mod advance;
mod blame;
pub mod check;
pub mod euler;
pub(crate) mod flex_block;
pub mod implicit;
pub mod runge_kutta;

pub use check::{begin, check_acceleration, check_position, check_velocity, remember};
pub use euler::euler;
pub use implicit::implicit;
pub use runge_kutta::runge_kutta;
