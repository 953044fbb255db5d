//! Contract: transmissions through slider-cranks and through joints in the frame of their parent.

#[path = "../common/mod.rs"]
mod common;

mod joint_in_parent;
mod slider_crank;
