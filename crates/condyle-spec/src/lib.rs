//! The editable model and its compiler.
