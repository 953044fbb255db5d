//! The compiled model: sizes, arrays, options, names and the MJB format.

pub mod diagnostic;

pub use diagnostic::{Diagnostic, Location, Severity, SourceFile};
