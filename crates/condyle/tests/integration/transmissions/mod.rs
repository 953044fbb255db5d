//! Contract: transmissions through slider-cranks and through joints in the frame of their parent.

mod joint_in_parent;
mod slider_crank;
