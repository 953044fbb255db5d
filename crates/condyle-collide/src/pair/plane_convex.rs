//! Plane against any shape with a support function.
