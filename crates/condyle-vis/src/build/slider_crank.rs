//! Slider-cranks: a cylinder along the slider and a capsule for the rod.

use condyle_math::{mat3, vec3};
use condyle_model::{GeomType, ObjectType, TransmissionType};

use super::Builder;
use crate::types::{Category, LabelKind};

/// Slider and rod of every slider-crank transmission; a rod that is too short has a colour of its own.
pub(super) fn add(b: &mut Builder<'_>) -> Option<()> {
    if !b.wants(Category::Dynamic as i32) {
        return Some(());
    }
    let (model, kinematics) = (b.model, &b.data.kinematics);
    let width = b.mean_size() * model.vis.scale.slidercrank;
    for actuator in 0..model.nu {
        if model.actuator_trntype[actuator] != TransmissionType::SliderCrank as i32 {
            continue;
        }
        let [Ok(crank), Ok(slider)] = model.actuator_trnid[actuator].map(usize::try_from) else { continue };
        let rod = model.actuator_cranklength[actuator];
        let (pin, base) = (kinematics.site_xpos[crank], kinematics.site_xpos[slider]);
        let axis = mat3::column(&kinematics.site_xmat[slider], 2);
        let offset = vec3::sub(pin, base);
        let along = vec3::dot(offset, axis);
        let mut determinant = along * along + rod * rod - vec3::dot(offset, offset);
        let broken = determinant < 0.0;
        if broken {
            determinant = 0.0;
        }
        let end = vec3::add(vec3::scale(axis, along - determinant.sqrt()), base);

        let mut geom = b.begin(actuator, Category::Dynamic, ObjectType::Actuator)?;
        geom.span(GeomType::Cylinder, f64::from(width), base, end);
        geom.rgba = model.vis.rgba.slidercrank;
        if b.labels(LabelKind::Actuator) {
            b.name(&mut geom, ObjectType::Actuator, actuator);
        }
        b.push(geom);

        let mut geom = b.begin(actuator, Category::Dynamic, ObjectType::Actuator)?;
        geom.span(GeomType::Capsule, f64::from(width) / 2.0, end, pin);
        geom.rgba = if broken { model.vis.rgba.crankbroken } else { model.vis.rgba.slidercrank };
        b.push(geom);
    }
    Some(())
}
