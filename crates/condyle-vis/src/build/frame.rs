//! Frames of geoms, sites, bodies and the world: three cylinders each.

use super::{Builder, in_group};
use crate::types::{FrameKind, VisualFlag};

/// Frames of shown geoms.
pub(super) fn add_geoms(b: &mut Builder<'_>) -> Option<()> {
    if b.options.frame != FrameKind::Geom as i32 {
        return Some(());
    }
    let model = b.model;
    let (length, width) = b.frame_size();
    for geom in 0..model.ngeom {
        if !b.wants(b.category(model.geom_bodyid[geom]) as i32)
            || !in_group(&b.options.geomgroup, model.geom_group[geom])
            || is_invisible(b, model.geom_matid[geom], &model.geom_rgba[geom])
        {
            continue;
        }
        let k = &b.data.kinematics;
        b.add_frame(geom, k.geom_xpos[geom], &k.geom_xmat[geom], length, width)?;
    }
    Some(())
}

/// Frames of shown sites.
pub(super) fn add_sites(b: &mut Builder<'_>) -> Option<()> {
    if b.options.frame != FrameKind::Site as i32 {
        return Some(());
    }
    let model = b.model;
    let (length, width) = b.frame_size();
    for site in 0..model.nsite {
        if !b.wants(b.category(model.site_bodyid[site]) as i32)
            || !in_group(&b.options.sitegroup, model.site_group[site])
            || is_invisible(b, model.site_matid[site], &model.site_rgba[site])
        {
            continue;
        }
        let k = &b.data.kinematics;
        b.add_frame(site, k.site_xpos[site], &k.site_xmat[site], length, width)?;
    }
    Some(())
}

fn is_invisible(b: &Builder<'_>, material: i32, rgba: &[f32; 4]) -> bool {
    let material = usize::try_from(material).ok().and_then(|material| b.model.mat_rgba.get(material));
    material.unwrap_or(rgba)[3] == 0.0
}

/// The frame of the world, twice as large as the others, or those of all bodies; with inertia shown, the inertial frames.
pub(super) fn add_world_or_bodies(b: &mut Builder<'_>) -> Option<()> {
    let bodies = if b.options.frame == FrameKind::World as i32 {
        0..1
    } else if b.options.frame == FrameKind::Body as i32 {
        1..b.model.nbody
    } else {
        return Some(());
    };
    let (length, width) = b.frame_size();
    let factor = if bodies.start == 0 { 2.0 } else { 1.0 };
    let inertial = b.shows(VisualFlag::Inertia);
    for body in bodies {
        let category = b.category(body as i32);
        if body > 0 && b.leaves_out(category) {
            continue;
        }
        let k = &b.data.kinematics;
        let (position, rotation) =
            if inertial { (k.xipos[body], &k.ximat[body]) } else { (k.xpos[body], &k.xmat[body]) };
        b.add_frame(body, position, rotation, length * factor, width * factor)?;
    }
    Some(())
}
