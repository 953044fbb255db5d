//! The compiled model: sizes, arrays, options, names and the MJB format.
