//! Smallest distance between two geoms and the segment that realises it. Reference: `mj_geomDistance`.

use condyle_model::Model;

use crate::Data;

/// Distance of two geoms, at most `cutoff`, and the segment between their nearest points.
pub fn geom_distance(
    _model: &Model,
    _data: &mut Data,
    _geom1: usize,
    _geom2: usize,
    cutoff: f64,
) -> (f64, [f64; 6]) {
    (cutoff, [0.0; 6])
}
