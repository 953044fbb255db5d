//! What the mouse does: the pull and turn on the selected body, the selected point, and forces set from outside.

use condyle_math::{MIN_VALUE, Vec3, dense, mat3, quat, vec3};
use condyle_model::{GeomType, ObjectType};

use super::text::fixed;
use super::{Builder, place};
use crate::element::narrow;
use crate::types::{LabelKind, VisualFlag, perturb, set_text};

/// A capsule from the selected point to where it is pulled, with a sphere at the end; a box turned as the body shall be.
pub(super) fn add_object(b: &mut Builder<'_>) -> Option<()> {
    let Some(body) = b.selected().filter(|_| b.shows(VisualFlag::PerturbObject)) else { return Some(()) };
    let active = b.perturbation.active | b.perturbation.active2;
    if active & perturb::TRANSLATE != 0 {
        add_pull(b, body)?;
    }
    if active & perturb::ROTATE != 0 {
        add_turn(b, body)?;
    }
    Some(())
}

fn add_pull(b: &mut Builder<'_>, body: usize) -> Option<()> {
    let (model, perturbation) = (b.model, b.perturbation);
    let mut geom = b.decor(body, ObjectType::Unknown)?;
    let width = f64::from(b.mean_size() * model.vis.scale.constraint);
    geom.span(GeomType::Capsule, width, selected_point(b, body), perturbation.refselpos);
    let rgba = colour(b, model.vis.rgba.constraint, perturb::TRANSLATE);
    geom.rgba = rgba;
    b.push(geom);

    let mut geom = b.decor(body, ObjectType::Unknown)?;
    let rotation = quat::to_mat(&perturbation.refquat);
    let position = Some(perturbation.refselpos);
    geom.init(GeomType::Sphere as i32, Some([2.0 * width; 3]), position, Some(&rotation), Some(rgba));
    b.push(geom);
    Some(())
}

/// The box is that of the body's collision tree, where it has one.
fn add_turn(b: &mut Builder<'_>, body: usize) -> Option<()> {
    let (model, k) = (b.model, &b.data.kinematics);
    let mut geom = b.decor(body, ObjectType::Unknown)?;
    let root = model.body_bvhadr(body).filter(|_| model.body_bvhnum[body] != 0);
    let (offset, size): (Vec3, Vec3) = match root.and_then(|root| model.bvh_aabb.get(root)) {
        Some(&[x, y, z, half_x, half_y, half_z]) => {
            (mat3::mul_vec(&k.ximat[body], [x, y, z]), [half_x, half_y, half_z])
        }
        None => ([0.0; 3], [f64::from(b.mean_size()); 3]),
    };
    let position = vec3::add(offset, k.xipos[body]);
    let rotation = quat::to_mat(&b.perturbation.refquat);
    let rgba = colour(b, model.vis.rgba.inertia, perturb::ROTATE);
    geom.init(GeomType::Box as i32, Some(size), Some(position), Some(&rotation), Some(rgba));
    b.push(geom);
    Some(())
}

/// Colour of the first mouse; the second has red and green exchanged, both together have the greater of each.
fn colour(b: &Builder<'_>, base: [f32; 4], bit: i32) -> [f32; 4] {
    let first = b.perturbation.active & bit > 0;
    let second = b.perturbation.active2 & bit > 0;
    let channel = |own: f32, other: f32| {
        let value = if first { own } else { 0.0 };
        if second && !(value > other) { other } else { value }
    };
    [channel(base[0], base[1]), channel(base[1], base[0]), base[2], base[3]]
}

/// The selected point in the world.
fn selected_point(b: &Builder<'_>, body: usize) -> Vec3 {
    let k = &b.data.kinematics;
    place(k.xpos[body], &k.xmat[body], b.perturbation.localpos)
}

/// A small sphere at the selected point.
pub(super) fn add_selected_point(b: &mut Builder<'_>) -> Option<()> {
    let Some(body) = b.selected().filter(|_| b.shows(VisualFlag::Select)) else { return Some(()) };
    let point = selected_point(b, body);
    let mut geom = b.decor(body, ObjectType::Unknown)?;
    geom.r#type = GeomType::Sphere as i32;
    geom.size = [b.mean_size() * b.model.vis.scale.selectpoint; 3];
    geom.pos = narrow(&point);
    geom.rgba = b.model.vis.rgba.selectpoint;
    if b.labels(LabelKind::SelectionPoint) {
        let [x, y, z] = point.map(fixed);
        let [u, v, w] = b.perturbation.localpos.map(fixed);
        set_text(&mut geom.label, &format!("{x} {y} {z} (local {u} {v} {w})"));
    }
    b.push(geom);
    Some(())
}

/// Arrows for the forces on bodies that are set from outside.
pub(super) fn add_forces(b: &mut Builder<'_>) -> Option<()> {
    if !b.shows(VisualFlag::PerturbForce) {
        return Some(());
    }
    let model = b.model;
    for body in 1..model.nbody {
        let applied = &b.data.inputs.xfrc_applied[body];
        let force = [applied[0], applied[1], applied[2]];
        if dense::is_zero(applied) || vec3::norm(force) <= MIN_VALUE {
            continue;
        }
        let from = b.data.kinematics.xipos[body];
        let arrow = vec3::scale(force, f64::from(model.vis.map.force) / model.stat.meanmass);
        let width = f64::from(model.vis.scale.forcewidth * b.mean_size());
        let ends = [from, vec3::add(from, arrow)];
        b.add_connector(GeomType::Arrow, width, ends, Some(model.vis.rgba.force), body, ObjectType::Unknown)?;
    }
    Some(())
}
