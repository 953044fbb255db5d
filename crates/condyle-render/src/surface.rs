//! Surfaces of a model as lists of triangles, for those who draw by other means.

use condyle_model::Model;

use crate::builtin::Quality;
use crate::model_shapes;
pub use crate::model_shapes::{hull, mesh, skin};
pub use crate::shape::{Patch, Shape};

/// Height field: two flat triangles for each cell, and its sides.
pub fn height_field(model: &Model, field: usize) -> Shape {
    let quality = &model.vis.quality;
    model_shapes::height_field(
        model,
        field,
        Quality::new(quality.numslices, quality.numstacks, quality.numquads),
    )
}
