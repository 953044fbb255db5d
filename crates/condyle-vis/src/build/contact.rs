//! Contacts: discs at their points, frames, and arrows for their forces.

use condyle_engine::data::Contact;
use condyle_engine::query::contact_force::contact_force;
use condyle_math::{MIN_VALUE, Mat3, Vec3, dense, mat3, vec3};
use condyle_model::{GeomType, ObjectType};

use super::{Builder, color, text};
use crate::element::narrow;
use crate::types::{FrameKind, LabelKind, VisualFlag, set_text};

/// Bytes of the name of one side of a contact in its label.
const SIDE_BYTES: usize = 47;

/// Every contact, in order.
pub(super) fn add(b: &mut Builder<'_>) -> Option<()> {
    let (points, forces) = (b.shows(VisualFlag::ContactPoint), b.shows(VisualFlag::ContactForce));
    let frames = b.options.frame == FrameKind::Contact as i32;
    if !(points || forces || frames) {
        return Some(());
    }
    for (index, contact) in b.data.contacts.iter().enumerate() {
        if points {
            add_point(b, index, contact)?;
        }
        let axes = mat3::transpose(&contact.frame);
        if frames {
            // Half as large as other frames.
            let scale = &b.model.vis.scale;
            let size = [scale.framelength, scale.framewidth]
                .map(|size| (f64::from(size) * b.model.stat.meansize / 2.0) as f32);
            b.add_frame(index, contact.pos, &axes, size[0], size[1])?;
        }
        if forces && contact.efc_address >= 0 {
            add_force(b, index, contact, &axes)?;
        }
    }
    Some(())
}

/// A disc across the normal, at least as thick as the contact is deep.
fn add_point(b: &mut Builder<'_>, index: usize, contact: &Contact) -> Option<()> {
    let vis = &b.model.vis;
    let mean_size = b.model.stat.meansize;
    let mut geom = b.decor(index, ObjectType::Unknown)?;
    geom.r#type = GeomType::Cylinder as i32;
    let radius = (f64::from(vis.scale.contactwidth) * mean_size) as f32;
    let height = (f64::from(vis.scale.contactheight) * mean_size) as f32;
    let depth = (-contact.dist / 2.0) as f32;
    geom.size = [radius, radius, if height > depth { height } else { depth }];
    geom.pos = narrow(&contact.pos);
    let [nx, ny, nz, ax, ay, az, bx, by, bz] = contact.frame;
    geom.mat = narrow(&[ax, bx, nx, ay, by, ny, az, bz, nz]);
    geom.rgba = if contact.efc_address < 0 {
        vis.rgba.contactgap
    } else if b.shows(VisualFlag::Island) {
        color::island(first_dof(b, contact.efc_address), true)
    } else {
        vis.rgba.contactpoint
    };
    if b.labels(LabelKind::ContactPoint) {
        let [first, second] = [0, 1].map(|side| side_name(b, contact, side));
        set_text(&mut geom.label, &format!("{first} | {second}"));
    }
    b.push(geom);
    Some(())
}

/// First dof of the island of a constraint row.
fn first_dof(b: &Builder<'_>, row: i32) -> Option<i32> {
    let islands = &b.data.islands;
    if islands.nisland == 0 {
        return None;
    }
    let island = usize::try_from(*islands.efc_island.get(usize::try_from(row).ok()?)?).ok()?;
    islands.island_dofadr.get(island).copied()
}

/// Name of the geom on one side of a contact, or of the flex with its element or vertex; numbers where there is no name.
fn side_name(b: &Builder<'_>, contact: &Contact, side: usize) -> String {
    let model = b.model;
    let name = |kind, id: i32, letter: char| {
        let name = usize::try_from(id).map_or("", |id| model.name(kind, id));
        if name.is_empty() { format!("{letter}{id}") } else { name.to_owned() }
    };
    let mut text = if contact.geom[side] >= 0 {
        name(ObjectType::Geom, contact.geom[side], 'g')
    } else {
        let flex = name(ObjectType::Flex, contact.flex[side], 'f');
        let (element, vertex) = (contact.elem[side], contact.vert[side]);
        if element >= 0 { format!("{flex}.e{element}") } else { format!("{flex}.v{vertex}") }
    };
    while text.len() > SIDE_BYTES {
        text.pop();
    }
    text
}

/// Arrows for the force as a whole, or for its normal and its friction part.
fn add_force(b: &mut Builder<'_>, index: usize, contact: &Contact, axes: &Mat3) -> Option<()> {
    let model = b.model;
    let [x, y, z, ..] = contact_force(model, &b.data.solution, contact);
    let mut force = [0.0; 3];
    for (axis, value) in [x, y, z].into_iter().enumerate().take(contact.dim.clamp(0, 3) as usize) {
        force[axis] = value;
    }
    if vec3::norm(force) < MIN_VALUE {
        return Some(());
    }
    let bodies = [0, 1].map(|side| match usize::try_from(contact.geom[side]) {
        Ok(geom) => model.geom_bodyid[geom],
        Err(_) => model.nbody as i32 + contact.flex[side],
    });
    let split = b.shows(VisualFlag::ContactSplit) && contact.dim > 1;
    let both_move = bodies[0] > 0 && bodies[1] > 0;
    let shape = if both_move && !split { GeomType::Arrow2 } else { GeomType::Arrow };
    let width = f64::from(model.vis.scale.forcewidth) * model.stat.meansize;
    let (whole, friction) = (model.vis.rgba.contactforce, model.vis.rgba.contactfriction);
    let parts = [normal_part(axes, force), friction_part(axes, force)];
    let parts = if split { &parts[..] } else { &[all_parts(axes, force)][..] };
    for (part, vector) in parts.iter().enumerate() {
        let mut arrow = vec3::scale(*vector, f64::from(model.vis.map.force) / model.stat.meanmass);
        if bodies[0] > bodies[1] {
            arrow = vec3::scale(arrow, -1.0);
        }
        let mut geom = b.decor(index, ObjectType::Unknown)?;
        geom.span(shape, width, contact.pos, vec3::add(contact.pos, arrow));
        geom.rgba = if part == 1 { friction } else { whole };
        if b.labels(LabelKind::ContactForce) && part == 0 {
            set_text(&mut geom.label, &text::short(vec3::norm(force)));
        }
        b.push(geom);
    }
    Some(())
}

fn all_parts(axes: &Mat3, force: Vec3) -> Vec3 {
    [0, 1, 2].map(|row| dense::dot(&axes[3 * row..3 * row + 3], &force))
}

fn normal_part(axes: &Mat3, force: Vec3) -> Vec3 {
    [0, 3, 6].map(|row| axes[row] * force[0])
}

fn friction_part(axes: &Mat3, force: Vec3) -> Vec3 {
    [0, 3, 6].map(|row| axes[row + 1] * force[1] + axes[row + 2] * force[2])
}
