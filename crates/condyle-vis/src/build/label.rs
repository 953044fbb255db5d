//! Labels without a shape: names of bodies and numbers of islands.

use condyle_model::{GeomType, ObjectType};

use super::Builder;
use super::geom::island_of_dof;
use crate::element::narrow;
use crate::types::{LabelKind, VisualFlag, set_text};

/// Names of all bodies or of the selected one. With inertia shown, its shapes carry them.
pub(super) fn add_bodies(b: &mut Builder<'_>) -> Option<()> {
    let selection = b.labels(LabelKind::Selection);
    if b.shows(VisualFlag::Inertia) || !(selection || b.labels(LabelKind::Body)) {
        return Some(());
    }
    for body in 1..b.model.nbody {
        if (selection && b.perturbation.select != body as i32) || b.leaves_out(b.category(body as i32)) {
            continue;
        }
        let mut geom = b.decor(body, ObjectType::Unknown)?;
        geom.r#type = GeomType::Label as i32;
        geom.pos = narrow(&b.data.kinematics.xpos[body]);
        geom.mat = narrow(&b.data.kinematics.xmat[body]);
        b.name(&mut geom, ObjectType::Body, body);
        b.push(geom);
    }
    Some(())
}

/// Number of the island of each body that is in one.
pub(super) fn add_islands(b: &mut Builder<'_>) -> Option<()> {
    if !b.labels(LabelKind::Island) {
        return Some(());
    }
    let model = b.model;
    for body in 1..model.nbody {
        let weld = model.body_weldid[body] as usize;
        if model.body_dofnum[weld] == 0 {
            continue;
        }
        let Some(island) = island_of_dof(b, model.body_dofadr[weld] as usize) else { continue };
        let mut geom = b.decor(body, ObjectType::Unknown)?;
        geom.r#type = GeomType::Label as i32;
        geom.pos = narrow(&b.data.kinematics.xipos[body]);
        geom.mat = narrow(&b.data.kinematics.ximat[body]);
        set_text(&mut geom.label, &island.to_string());
        b.push(geom);
    }
    Some(())
}
