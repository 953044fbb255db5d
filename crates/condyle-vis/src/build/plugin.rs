//! What plugins add: boxes for the readings of their sensors, and colours of geoms.

use condyle_engine::plugin::{self, Drawing};
use condyle_model::{GeomType, ObjectType};

use super::Builder;

/// Appends the boxes and notes the colours. Reference: the `visualize` functions of MuJoCo's plugins.
pub(super) fn add(b: &mut Builder<'_>) -> Option<()> {
    let (model, data) = (b.model, b.data);
    plugin::draw(model, data, |drawing| match drawing {
        Drawing::GeomColor { geom, rgb } => {
            b.geom_colors.resize(model.ngeom, None);
            if let Some(place) = b.geom_colors.get_mut(geom) {
                *place = Some(rgb);
            }
        }
        Drawing::Box { sensor, size, position, rotation, rgba } => {
            if let Some(mut geom) = b.decor(sensor, ObjectType::Unknown) {
                geom.init(GeomType::Box as i32, Some(size), Some(position), Some(&rotation), Some(rgba));
                b.push(geom);
            }
        }
    });
    Some(())
}
