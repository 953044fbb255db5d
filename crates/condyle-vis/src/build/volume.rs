//! Bounding volumes of bodies, flexes and meshes, and the cells of octrees, as boxes of lines.

use condyle_engine::query::passed_volumes;
use condyle_math::{Mat3, Vec3};
use condyle_model::{GeomType, ObjectType};

use super::{Builder, in_group, place};
use crate::types::VisualFlag;

/// Width of the lines between the nodes of an interpolated flex, pixels.
const LINE_WIDTH: f64 = 3.0;

/// Whether a node is on the level that is shown, or a leaf above it.
fn is_shown(b: &Builder<'_>, node: usize) -> bool {
    let (depth, shown) = (b.model.bvh_depth[node], b.options.bvh_depth);
    depth == shown || (is_leaf(b, node) && depth <= shown)
}

fn is_leaf(b: &Builder<'_>, node: usize) -> bool {
    b.model.bvh_child[node] == [-1, -1]
}

/// Finds out which nodes collision detection and rays pass, if marks are asked for. A program can mark more of them in the data.
pub(super) fn mark_passed(b: &mut Builder<'_>) -> Option<()> {
    let shown = b.shows(VisualFlag::BodyTree) || b.shows(VisualFlag::MeshTree);
    if shown && b.model.vis.global.bvactive != 0 {
        b.passed = passed_volumes(b.model, b.data);
    }
    Some(())
}

fn is_passed(b: &Builder<'_>, node: usize) -> bool {
    b.model.vis.global.bvactive != 0 && (b.passed[node] || b.data.kinematics.bvh_active[node] != 0)
}

/// Colour of a node by whether it is passed.
fn colour(b: &Builder<'_>, node: usize) -> [f32; 4] {
    let colours = &b.model.vis.rgba;
    if is_passed(b, node) { colours.bvactive } else { colours.bv }
}

/// Appends a box given by centre and half sizes in a frame.
fn add_box(
    b: &mut Builder<'_>,
    id: usize,
    bounds: &[f64; 6],
    frame: (Vec3, &Mat3),
    rgba: [f32; 4],
) -> Option<()> {
    let (center, half) = split(bounds);
    let mut geom = b.decor(id, ObjectType::Unknown)?;
    let position = place(frame.0, frame.1, center);
    geom.init(GeomType::LineBox as i32, Some(half), Some(position), Some(frame.1), Some(rgba));
    b.push(geom);
    Some(())
}

fn split(bounds: &[f64; 6]) -> (Vec3, Vec3) {
    let [x, y, z, half_x, half_y, half_z] = *bounds;
    ([x, y, z], [half_x, half_y, half_z])
}

/// Trees of bodies; a leaf is the box of its geom.
pub(super) fn add_bodies(b: &mut Builder<'_>) -> Option<()> {
    if !b.shows(VisualFlag::BodyTree) {
        return Some(());
    }
    let model = b.model;
    let mut body = 0;
    for node in 0..model.nbvhstatic {
        if !is_shown(b, node) {
            continue;
        }
        while body < model.nbody && node as i32 >= model.body_bvhadr[body] + model.body_bvhnum[body] {
            body += 1;
        }
        if body >= model.nbody {
            break;
        }
        let k = &b.data.kinematics;
        let geom = usize::try_from(model.bvh_nodeid[node]).ok().filter(|geom| *geom < model.ngeom);
        let (bounds, frame) = match geom {
            Some(geom) if is_leaf(b, node) => {
                (&model.geom_aabb[geom], (k.geom_xpos[geom], &k.geom_xmat[geom]))
            }
            _ => (&model.bvh_aabb[node], (k.xipos[body], &k.ximat[body])),
        };
        let rgba = colour(b, node);
        add_box(b, node, bounds, frame, rgba)?;
    }
    Some(())
}

/// Trees of flexes, and the lattice of nodes of interpolated flexes.
pub(super) fn add_flexes(b: &mut Builder<'_>) -> Option<()> {
    if !b.shows(VisualFlag::MeshTree) {
        return Some(());
    }
    let model = b.model;
    for flex in 0..model.nflex {
        let first = model.flex_bvhadr[flex].max(0) as usize;
        let count = model.flex_bvhnum[flex].max(0) as usize;
        if count > 0 && in_group(&b.options.flexgroup, model.flex_group[flex]) {
            for node in first..first + count {
                if !is_shown(b, node) {
                    continue;
                }
                let (center, half) = split(&b.data.flexes.bvh_aabb_dyn[node - model.nbvhstatic]);
                let rgba = colour(b, node);
                let mut geom = b.decor(node, ObjectType::Unknown)?;
                geom.init(GeomType::LineBox as i32, Some(half), Some(center), None, Some(rgba));
                b.push(geom);
            }
        }
        if model.flex_interp[flex] > 0 {
            add_lattice(b, flex)?;
        }
    }
    Some(())
}

/// Lines between neighbouring nodes of an interpolated flex.
fn add_lattice(b: &mut Builder<'_>, flex: usize) -> Option<()> {
    let nodes = node_positions(b, flex);
    let side = model_side(b, flex);
    let at = |i: usize, j: usize, k: usize| nodes.get(side * side * i + side * j + k).copied();
    for i in 0..side {
        for j in 0..side {
            for k in 0..side {
                let Some(from) = at(i, j, k) else { continue };
                let steps = [(i + 1 < side, [1, 0, 0]), (j + 1 < side, [0, 1, 0]), (k + 1 < side, [0, 0, 1])];
                for (inside, [di, dj, dk]) in steps {
                    if let Some(to) = at(i + di, j + dj, k + dk).filter(|_| inside) {
                        b.add_connector(
                            GeomType::Line,
                            LINE_WIDTH,
                            [from, to],
                            None,
                            i,
                            ObjectType::Unknown,
                        )?;
                    }
                }
            }
        }
    }
    Some(())
}

/// Nodes along each edge of an interpolated flex.
fn model_side(b: &Builder<'_>, flex: usize) -> usize {
    b.model.flex_interp[flex].clamp(0, 2) as usize + 1
}

/// Where the nodes of an interpolated flex are.
fn node_positions(b: &Builder<'_>, flex: usize) -> Vec<Vec3> {
    let (model, k) = (b.model, &b.data.kinematics);
    let first = model.flex_nodeadr[flex].max(0) as usize;
    let count = model.flex_nodenum[flex].max(0) as usize;
    (first..first + count)
        .map(|node| {
            let body = model.flex_nodebodyid[node] as usize;
            if model.flex_centered[flex] != 0 {
                k.xpos[body]
            } else {
                place(k.xpos[body], &k.xmat[body], model.flex_node[node])
            }
        })
        .collect()
}

/// Mesh of a geom by its data; height fields count with the number of their field, as in MuJoCo.
fn mesh_of(b: &Builder<'_>, geom: usize) -> Option<usize> {
    usize::try_from(b.model.geom_dataid[geom]).ok().filter(|mesh| *mesh < b.model.nmesh)
}

/// Trees of meshes; when passed nodes are marked, only those.
pub(super) fn add_meshes(b: &mut Builder<'_>) -> Option<()> {
    if !b.shows(VisualFlag::MeshTree) {
        return Some(());
    }
    let model = b.model;
    for geom in 0..model.ngeom {
        let Some(mesh) = mesh_of(b, geom) else { continue };
        if model.geom_type[geom] == GeomType::Sdf as i32 || model.mesh_octadr[mesh] >= 0 {
            continue;
        }
        let first = model.mesh_bvhadr[mesh].max(0) as usize;
        for node in first..first + model.mesh_bvhnum[mesh].max(0) as usize {
            let k = &b.data.kinematics;
            if !is_shown(b, node) || (model.vis.global.bvactive != 0 && !is_passed(b, node)) {
                continue;
            }
            let rgba = colour(b, node);
            add_box(b, node, &model.bvh_aabb[node], (k.geom_xpos[geom], &k.geom_xmat[geom]), rgba)?;
        }
    }
    Some(())
}

/// Cells of octrees on the level that is shown.
pub(super) fn add_octrees(b: &mut Builder<'_>) -> Option<()> {
    if !b.shows(VisualFlag::MeshTree) {
        return Some(());
    }
    let model = b.model;
    for geom in 0..model.ngeom {
        let Some(mesh) = mesh_of(b, geom) else { continue };
        let Some(first) = model.mesh_octadr(mesh) else { continue };
        if model.geom_type[geom] == GeomType::HField as i32 {
            continue;
        }
        for cell in first..first + model.mesh_octnum[mesh].max(0) as usize {
            if model.oct_depth[cell] != b.options.bvh_depth {
                continue;
            }
            let k = &b.data.kinematics;
            let frame = (k.geom_xpos[geom], &k.geom_xmat[geom]);
            add_box(b, cell, &model.oct_aabb[cell], frame, model.vis.rgba.bv)?;
        }
    }
    Some(())
}
