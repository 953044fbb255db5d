//! Centres of mass of trees, and lines that connect bodies through their joints.

use condyle_model::{GeomType, ObjectType};

use super::Builder;
use crate::element::narrow;
use crate::types::VisualFlag;

/// A sphere at the centre of mass of each body attached to the world, with everything it carries.
pub(super) fn add_centers_of_mass(b: &mut Builder<'_>) -> Option<()> {
    if !b.shows(VisualFlag::CenterOfMass) {
        return Some(());
    }
    let model = b.model;
    for body in 1..model.nbody {
        if model.body_rootid[body] != body as i32 {
            continue;
        }
        let mut geom = b.decor(body, ObjectType::Unknown)?;
        geom.r#type = GeomType::Sphere as i32;
        geom.size = [b.mean_size() * model.vis.scale.com; 3];
        geom.pos = narrow(&b.data.kinematics.subtree_com[body]);
        geom.rgba = model.vis.rgba.com;
        b.push(geom);
    }
    Some(())
}

/// Capsules from the centre of mass of a body through its joints, last to first, to that of its parent; none to the world.
pub(super) fn add_connections(b: &mut Builder<'_>) -> Option<()> {
    if !b.shows(VisualFlag::AutoConnect) {
        return Some(());
    }
    let (model, k) = (b.model, &b.data.kinematics);
    let width = f64::from(b.mean_size() * model.vis.scale.connect);
    for body in 1..model.nbody {
        let parent = model.body_parentid[body] as usize;
        if parent == 0 {
            continue;
        }
        let joints = model.body_jntadr[body].max(0) as usize;
        let joints = joints..joints + model.body_jntnum[body].max(0) as usize;
        let mut from = k.xipos[body];
        for to in joints.rev().map(|joint| k.xanchor[joint]).chain([k.xipos[parent]]) {
            let rgba = Some(model.vis.rgba.connect);
            b.add_connector(GeomType::Capsule, width, [from, to], rgba, body, ObjectType::Unknown)?;
            from = to;
        }
    }
    Some(())
}
