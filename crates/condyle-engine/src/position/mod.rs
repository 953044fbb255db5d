//! Position-dependent stages.

pub mod camera_light;
pub mod com;
pub mod configuration;
pub mod flex;
pub mod inertia;
pub mod kinematics;
pub mod read_frames;
pub mod sleeping_poses;
pub mod tendon;
pub mod transmission;
pub mod world_frames;
