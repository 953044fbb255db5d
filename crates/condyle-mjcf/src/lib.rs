//! MJCF and URDF text to the editable model and back, with diagnostics.

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

pub mod limits;
pub mod number;
pub mod report;
pub mod schema;
pub mod xml;
