//! Contract: transmissions through slider-cranks, sites and joints in the frame of their parent.

mod joint_in_parent;
mod site;
mod slider_crank;
