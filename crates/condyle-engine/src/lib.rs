//! Data and the simulation pipeline.
