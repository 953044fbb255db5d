//! What the crates share that is no physics: diagnostics, files, numbers in text and JSON.
//!
//! Internal: programs depend on the crate `condyle`, which re-exports what they need. Everything here may change in any version.

#![warn(missing_docs)]

pub mod diagnostic;
pub mod files;
pub mod json;
pub mod number;
mod setters;

pub use diagnostic::{Diagnostic, Location, Severity, SourceFile};
pub use files::{FileError, Files};
