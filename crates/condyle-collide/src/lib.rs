//! Geometry only: shapes and poses in, contacts and ray hits out.
//!
//! Internal: programs depend on the crate `condyle`, which re-exports what they need. Everything here may change in any version.
//!
//! Nothing here knows about models, bodies or time. A pair function takes two shapes (a size and a [`Pose`]) and a margin and appends
//! [`ContactPoint`]s to a [`ContactBuffer`]; a ray function takes a shape and a ray and returns the distance along the ray.
//! Functions never allocate, and non-finite input gives some answer without a panic.

#![warn(missing_docs)]

pub mod contact;
pub mod convex;
pub mod hfield;
pub mod inside;
pub mod pair;
pub mod ray;
pub mod sdf;
pub mod shape;

pub use contact::{ContactBuffer, ContactPoint, MAX_CONTACTS_PER_PAIR};
pub use shape::{Pose, Size};
