//! Distance along a ray to the first surface it meets, one file per shape.
