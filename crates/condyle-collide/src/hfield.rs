//! Height field against convex shapes.
