//! Edges of flexes: length, Jacobian of the length, rate of the length.
//!
//! `length = |x₂ − x₁|`, its Jacobian is `directionᵀ (J₂ − J₁)` over the dofs that move either end, and the rate is that times
//! `qvel`. The pattern of the Jacobian is part of the model.

use condyle_math::sparse::{self, Pattern};
use condyle_math::{matrix, vec3};
use condyle_model::Model;

use super::{edge_vertices, edges, vertex_body};
use crate::data::{Flexes, Kinematics, SmoothScratch, State, Velocity, scratch};
use crate::jacobian::chain;

/// Whether anything in the flex acts along edges, so that their Jacobian is needed.
fn needs_jacobian(model: &Model, flex: usize) -> bool {
    model.flex_edgeequality[flex] == 1 || has_passive_edges(model, flex)
}

/// Whether the flex has passive forces that need the Jacobian of its edges.
pub(crate) fn has_passive_edges(model: &Model, flex: usize) -> bool {
    model.flex_edgedamping[flex] != 0.0
        || model.flex_edgestiffness[flex] != 0.0
        || model.flex_damping[flex] != 0.0
}

/// Length and Jacobian of the edges of one flex; the Jacobian is clear when this starts.
pub fn of_flex(
    model: &Model,
    kinematics: &Kinematics,
    flex: usize,
    out: &mut Flexes,
    buffers: &mut SmoothScratch,
) {
    let nv = model.nv;
    let with_jacobian = nv > 0 && needs_jacobian(model, flex);
    let SmoothScratch { chain, jacobian, difference, .. } = buffers;
    // Both ends may be on one body with dofs of its own, which then counts twice.
    let chain = scratch::sized(chain, 2 * nv);
    let difference = scratch::sized(difference, 6 * nv);
    for edge in edges(model, flex) {
        let ends = edge_vertices(model, flex, edge);
        // Subtracted before they are put together: numbers loaded together after they were stored one by one would have to wait.
        let between = vec3::sub(out.flexvert_xpos[ends[1]], out.flexvert_xpos[ends[0]]);
        let (direction, length) = vec3::normalize(between);
        out.flexedge_length[edge] = length;
        if !with_jacobian {
            continue;
        }
        let points = ends.map(|vertex| out.flexvert_xpos[vertex]);
        let bodies = ends.map(|vertex| vertex_body(model, vertex));
        let start = model.flexedge_J_rowadr[edge].max(0) as usize;
        let row = out.flexedge_J.get_mut(start..).unwrap_or_default();
        if chain::simple_difference_along(model, kinematics, bodies, points, direction, row).is_some() {
            continue;
        }
        if bodies[0] == bodies[1] {
            difference.fill(0.0);
        }
        let width = chain::difference(
            model,
            kinematics,
            true,
            chain,
            bodies,
            points,
            Some(difference),
            None,
            jacobian,
        );
        if let Some(row) = row.get_mut(..width) {
            matrix::mul_transposed_vec(row, difference, &direction);
        }
    }
}

/// Pattern of `flexedge_J`.
pub fn pattern(model: &Model) -> Pattern<'_> {
    Pattern {
        rownnz: &model.flexedge_J_rownnz,
        rowadr: &model.flexedge_J_rowadr,
        colind: &model.flexedge_J_colind,
    }
}

/// `flexedge_velocity = flexedge_J qvel`
pub fn velocities(model: &Model, state: &State, flexes: &Flexes, out: &mut Velocity) {
    sparse::mul_vec(&mut out.flexedge_velocity, &flexes.flexedge_J, &state.qvel, pattern(model));
}
