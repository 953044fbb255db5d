//! Lights of the model: a cylinder behind each, so that it casts no shadow.

use condyle_math::{quat, vec3};
use condyle_model::{GeomType, ObjectType};

use super::Builder;
use super::camera::share;
use crate::element::narrow;
use crate::types::{FrameKind, LabelKind, VisualFlag};

/// Every light.
pub(super) fn add(b: &mut Builder<'_>) -> Option<()> {
    if !b.shows(VisualFlag::Light) {
        return Some(());
    }
    let model = b.model;
    let size = b.mean_size() * model.vis.scale.light;
    for light in 0..model.nlight {
        let k = &b.data.kinematics;
        let (position, direction) = (k.light_xpos[light], k.light_xdir[light]);
        let rotation = quat::to_mat(&quat::z_to_vec(direction));
        let behind = vec3::add_scaled(position, direction, f64::from(-size) - 0.0001);
        let mut geom = b.decor(light, ObjectType::Light)?;
        geom.r#type = GeomType::Cylinder as i32;
        geom.size = [share(size, 0.8), share(size, 0.8), share(size, 1.0)];
        geom.pos = narrow(&behind);
        geom.mat = narrow(&rotation);
        geom.rgba = model.vis.rgba.light;
        if b.labels(LabelKind::Light) {
            b.name(&mut geom, ObjectType::Light, light);
        }
        b.push(geom);
        if b.options.frame == FrameKind::Light as i32 {
            let (length, width) = b.frame_size();
            b.add_frame(light, position, &rotation, length, width)?;
        }
    }
    Some(())
}
