//! Kinematics of deformable bodies (flexes): vertices, boxes around elements, edges, strain at vertices.
//!
//! | quantity | file |
//! |---|---|
//! | `flexvert_xpos` | `vertex.rs`, with the shape functions of interpolated flexes in `basis.rs` |
//! | `flexelem_aabb`, `bvh_aabb_dyn` | `boxes.rs` |
//! | `flexedge_length`, `flexedge_J`, `flexedge_velocity` | `edge.rs` |
//! | `flexvert_length`, `flexvert_J` | `strain.rs` |
//!
//! Reference: `mj_flex`.

pub mod basis;
mod boxes;
pub mod edge;
pub(crate) mod strain;
mod vertex;

use std::ops::Range;

use condyle_model::{Model, disable};

use crate::data::{Flexes, Kinematics, SmoothScratch};

/// Positions, boxes, edges and strains of all flexes.
#[inline(never)]
pub fn flexes(model: &Model, kinematics: &Kinematics, out: &mut Flexes, buffers: &mut SmoothScratch) {
    if model.nflex == 0 {
        return;
    }
    vertex::positions(model, kinematics, out);
    boxes::of_elements(model, out);
    if model.opt.disableflags & disable::MIDPHASE == 0 {
        boxes::of_trees(model, out);
    }
    rates(model, kinematics, out, buffers, |flex| model.flex_rigid[flex] == 0);
}

/// Lengths, strains and their Jacobians of the flexes that `deforms` names; interpolated ones have none.
fn rates(
    model: &Model,
    kinematics: &Kinematics,
    out: &mut Flexes,
    buffers: &mut SmoothScratch,
    deforms: impl Fn(usize) -> bool,
) {
    out.flexvert_J.as_flattened_mut().fill(0.0);
    out.flexedge_J.fill(0.0);
    for flex in 0..model.nflex {
        if deforms(flex) && model.flex_interp[flex] == 0 {
            edge::of_flex(model, kinematics, flex, out, buffers);
            if strain::is_held(model, flex) {
                strain::of_flex(model, kinematics, flex, out, buffers);
            }
        }
    }
}

/// Lengths and Jacobians in the reference configuration, where rigid flexes have them too.
pub(crate) fn reference_rates(
    model: &Model,
    kinematics: &Kinematics,
    out: &mut Flexes,
    buffers: &mut SmoothScratch,
) {
    if model.nflex > 0 {
        rates(model, kinematics, out, buffers, |_| true);
    }
}

fn range(start: i32, count: i32) -> Range<usize> {
    let start = start.max(0) as usize;
    start..start + count.max(0) as usize
}

/// Nodes of an interpolated flex.
pub fn nodes(model: &Model, flex: usize) -> Range<usize> {
    range(model.flex_nodeadr[flex], model.flex_nodenum[flex])
}

/// Vertices of a flex.
pub fn vertices(model: &Model, flex: usize) -> Range<usize> {
    range(model.flex_vertadr[flex], model.flex_vertnum[flex])
}

/// Edges of a flex.
pub fn edges(model: &Model, flex: usize) -> Range<usize> {
    range(model.flex_edgeadr[flex], model.flex_edgenum[flex])
}

/// Elements of a flex.
pub fn elements(model: &Model, flex: usize) -> Range<usize> {
    range(model.flex_elemadr[flex], model.flex_elemnum[flex])
}

/// Vertices of element `element` of a flex (counted from its first), each counted from the flex's first vertex.
#[inline]
pub fn corners(model: &Model, flex: usize, element: usize) -> &[i32] {
    let width = model.flex_dim[flex] as usize + 1;
    &model.flex_elem[model.flex_elemdataadr[flex] as usize + element * width..][..width]
}

/// The two vertices of an edge of a flex, counted over all flexes.
#[inline]
pub fn edge_vertices(model: &Model, flex: usize, edge: usize) -> [usize; 2] {
    model.flex_edge[edge].map(|vertex| model.flex_vertadr[flex] as usize + vertex as usize)
}

/// The body that carries a vertex of a flex that is not interpolated.
#[inline]
pub fn vertex_body(model: &Model, vertex: usize) -> usize {
    model.flex_vertbodyid[vertex].max(0) as usize
}
