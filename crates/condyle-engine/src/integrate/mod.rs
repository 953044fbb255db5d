//! Advancing the state.

pub mod advance;
pub mod check;
pub mod euler;
pub mod implicit;
pub mod runge_kutta;

pub use check::{check_acceleration, check_position, check_velocity};
pub use euler::euler;
pub use implicit::implicit;
pub use runge_kutta::runge_kutta;
