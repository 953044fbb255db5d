//! What plugins add: boxes for the readings of their sensors, colours of geoms, and the way of the search between distance fields.

use condyle_engine::plugin::{self, Drawing};
use condyle_engine::query::field_descents;
use condyle_model::{GeomType, ObjectType};

use super::{Builder, field_descent};
use crate::types::VisualFlag;

/// Appends the boxes and notes the colours. Reference: the `visualize` functions of MuJoCo's plugins.
pub(super) fn add(b: &mut Builder<'_>) -> Option<()> {
    let (model, data) = (b.model, b.data);
    let descents = if b.shows(VisualFlag::SdfIterations) { field_descents(model, data) } else { Vec::new() };
    for instance in 0..model.nplugin {
        add_drawings(b, instance);
        if let Some(descents) = descents.get(instance) {
            let _full = field_descent::add(b, instance, descents);
        }
    }
    Some(())
}

fn add_drawings(b: &mut Builder<'_>, instance: usize) {
    let (model, data) = (b.model, b.data);
    plugin::draw(model, data, instance, |drawing| match drawing {
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
}
