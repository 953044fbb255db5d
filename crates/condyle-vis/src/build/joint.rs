//! Joints: a box for a free joint, a sphere for a ball joint, arrows for slides and hinges.

use condyle_math::{Vec3, vec3};
use condyle_model::{ConstraintType, GeomType, JointType, ObjectType};

use super::tendon::limit_impedance;
use super::{Builder, color, in_group};
use crate::element::narrow;
use crate::types::{LabelKind, VisualFlag};

/// Every joint of a shown group; its colour goes over to that of constraints as its limit stiffens.
pub(super) fn add(b: &mut Builder<'_>) -> Option<()> {
    if !b.shows(VisualFlag::Joint) {
        return Some(());
    }
    let model = b.model;
    let length = f64::from(model.vis.scale.jointlength * b.mean_size());
    let width = f64::from(model.vis.scale.jointwidth * b.mean_size());
    for joint in 0..model.njnt {
        if !in_group(&b.options.jointgroup, model.jnt_group[joint]) {
            continue;
        }
        let mut geom = b.decor(joint, ObjectType::Joint)?;
        let k = &b.data.kinematics;
        match model.jnt_type(joint) {
            Some(JointType::Slide | JointType::Hinge) => {
                let (shape, ends) = arrow(b, joint, length);
                geom.span(shape, width, ends[0], ends[1]);
            }
            other => {
                let ball = other == Some(JointType::Ball);
                geom.r#type = if ball { GeomType::Sphere } else { GeomType::Box } as i32;
                geom.size = [(0.3 * length) as f32; 3];
                geom.pos = narrow(&k.xanchor[joint]);
                geom.mat = narrow(&k.xmat[model.jnt_bodyid[joint] as usize]);
            }
        }
        let impedance = limit_impedance(b, ConstraintType::LimitJoint, joint);
        let (own, limit) = (model.vis.rgba.joint, model.vis.rgba.constraint);
        for channel in 0..3 {
            geom.rgba[channel] = color::mix(impedance, own[channel], limit[channel]);
        }
        geom.rgba[3] = 1.0;
        if b.labels(LabelKind::Joint) {
            b.name(&mut geom, ObjectType::Joint, joint);
        }
        b.push(geom);
    }
    Some(())
}

/// Shape and ends of the arrow along the axis of a slide or hinge.
pub(super) fn arrow(b: &Builder<'_>, joint: usize, length: f64) -> (GeomType, [Vec3; 2]) {
    let slide = b.model.jnt_type[joint] == JointType::Slide as i32;
    let from = b.data.kinematics.xanchor[joint];
    let to = vec3::add_scaled(from, b.data.kinematics.xaxis[joint], length);
    (if slide { GeomType::Arrow } else { GeomType::Arrow1 }, [from, to])
}
