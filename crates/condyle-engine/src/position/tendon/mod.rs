//! Tendons: paths, lengths, Jacobians and what follows from their armature.

pub mod armature;
pub mod path;
pub mod wrap;
