//! Geoms of the model. Infinite planes follow the camera in steps of their texture.

use condyle_engine::data::sleep_enabled;
use condyle_engine::sleep::cycle_start;
use condyle_math::scalar::round;
use condyle_math::{Vec3, mat3, vec3};
use condyle_model::{GeomType, ObjectType};

use super::{Builder, color, in_group};
use crate::element::narrow;
use crate::types::{Geom, LabelKind, MAX_PLANE_GRID, VisualFlag};

/// Every geom of a shown group that is not invisible.
pub(super) fn add(b: &mut Builder<'_>) -> Option<()> {
    let model = b.model;
    let mut plane = -1;
    for index in 0..model.ngeom {
        let kind = model.geom_type(index);
        if kind == Some(GeomType::Plane) {
            plane += 1;
        }
        let category = b.category(model.geom_bodyid[index]);
        if !b.wants(category as i32) || !in_group(&b.options.geomgroup, model.geom_group[index]) {
            continue;
        }
        let mut geom = b.begin(index, category, ObjectType::Geom)?;
        let (position, rotation) = (b.data.kinematics.geom_xpos[index], &b.data.kinematics.geom_xmat[index]);
        geom.init(model.geom_type[index], Some(model.geom_size[index]), Some(position), Some(rotation), None);
        geom.dataid = model.geom_dataid[index];
        geom.modelrbound = model.geom_rbound[index] as f32;
        b.set_material(&mut geom, model.geom_matid[index], b.geom_rgba(index));
        if b.shows(VisualFlag::Island) {
            color_by_island(b, &mut geom, index);
        }
        let mesh = usize::try_from(model.geom_dataid[index]).ok().filter(|mesh| *mesh < model.nmesh);
        let mesh = mesh.filter(|_| matches!(kind, Some(GeomType::Mesh | GeomType::Sdf)));
        if mesh.is_some_and(|mesh| model.mesh_texcoordadr[mesh] >= 0) {
            geom.texcoord = 1;
        }
        if geom.rgba[3] == 0.0 {
            continue;
        }
        if b.perturbation.select > 0 && b.perturbation.select == model.geom_bodyid[index] {
            b.glow(&mut geom);
        }
        if b.labels(LabelKind::Geom) {
            b.name(&mut geom, ObjectType::Geom, index);
        }
        if matches!(kind, Some(GeomType::Mesh | GeomType::Sdf)) {
            geom.dataid = geom.dataid.saturating_mul(2);
            let collides = model.geom_contype[index] != 0 || model.geom_conaffinity[index] != 0;
            let hull = mesh.is_some_and(|mesh| model.mesh_graphadr[mesh] >= 0);
            if hull && collides && b.shows(VisualFlag::ConvexHull) {
                geom.dataid += 1;
            }
        } else if kind == Some(GeomType::Plane) {
            geom.dataid = plane;
            geom.pos = narrow(&plane_center(b, index));
        }
        b.push(geom);
    }
    Some(())
}

/// Gives a geom that can move the colour of its island, or of its tree if trees can sleep.
fn color_by_island(b: &Builder<'_>, geom: &mut Geom, index: usize) {
    let (model, data) = (b.model, b.data);
    let body = model.geom_bodyid[index] as usize;
    let weld = model.body_weldid[body] as usize;
    if model.body_dofnum[weld] == 0 {
        return;
    }
    geom.matid = -1;
    let dof = model.body_dofadr[weld] as usize;
    let awake = data.awake.body_awake[body] != 0;
    let mut first = island_of_dof(b, dof).and_then(|island| data.islands.island_dofadr.get(island).copied());
    if first.is_none() && sleep_enabled(model) {
        let tree = model.dof_treeid[dof] as usize;
        let tree = if awake { Some(tree) } else { cycle_start(&data.state.tree_asleep, tree) };
        first = tree.and_then(|tree| model.tree_dofadr.get(tree).copied());
    }
    geom.rgba = color::island(first, awake);
}

/// Island of a dof, if there is one.
pub(super) fn island_of_dof(b: &Builder<'_>, dof: usize) -> Option<usize> {
    if b.data.islands.nisland == 0 {
        return None;
    }
    usize::try_from(*b.data.islands.dof_island.get(dof)?).ok()
}

/// Where a plane is drawn: along its infinite directions it follows the camera, in steps of its texture or of its grid.
fn plane_center(b: &Builder<'_>, index: usize) -> Vec3 {
    let model = b.model;
    let size = model.geom_size[index];
    let position = b.data.kinematics.geom_xpos[index];
    let mut center = position;
    if !(size[0] <= 0.0 || size[1] <= 0.0) {
        return center;
    }
    let [left, right] = &b.scene.camera;
    let offset: Vec3 =
        std::array::from_fn(|axis| 0.5 * f64::from(left.pos[axis] + right.pos[axis]) - position[axis]);
    for axis in 0..2 {
        if !(size[axis] <= 0.0) {
            continue;
        }
        let far = f64::from(model.vis.map.zfar) * model.stat.extent;
        let repeat = usize::try_from(model.geom_matid[index])
            .ok()
            .and_then(|material| model.mat_texrepeat.get(material))
            .map(|repeat| repeat[axis])
            .filter(|repeat| *repeat > 0.0);
        let step = match repeat {
            Some(repeat) => f64::from(2.0 / repeat),
            None => 2.1 * far / (MAX_PLANE_GRID - 2) as f64,
        };
        let along = mat3::column(&b.data.kinematics.geom_xmat[index], axis);
        let distance = vec3::dot(offset, along);
        let distance = 2.0 * step * f64::from(round(0.5 * distance / step));
        center = vec3::add_scaled(center, along, distance);
    }
    center
}
