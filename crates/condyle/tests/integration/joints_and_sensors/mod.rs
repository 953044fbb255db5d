//! Contract: features few models use. Inertia of springs, slider-cranks at their dead centres, rare sensors, long parameter lists of
//! activation dynamics, spring energy of ball and free joints, margins of joint limits.

mod activation_parameters;
mod joint_limit_margin;
mod sensors;
mod slider_crank;
mod spring_energy;
mod spring_inertia;
