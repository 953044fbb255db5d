//! Closed-form contacts, one file per pair of shapes.
//!
//! Every function is `collide(first, second, margin, out) -> usize`: it appends the contacts whose distance is within `margin` and returns
//! how many. Normals point from the first shape to the second.

pub mod plane_convex;
