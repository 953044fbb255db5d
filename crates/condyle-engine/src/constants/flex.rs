//! Constants of flexes: sparsity of their Jacobians, edges around vertices, metrics of plates at rest, inverse weights of edges.
//!
//! The metric of a vertex is `B = (Σ w dx dxᵀ)⁻¹` over the edges that meet there, see [`crate::position::flex::strain`].
//! Reference: `makeFlexSparse`, `mj_alignFlex`.

use condyle_math::{MIN_VALUE, dense, mat3, quat, vec3};
use condyle_model::Model;

use super::ConstantsError;
use crate::Data;
use crate::jacobian::chain;
use crate::position::flex::{corners, edge, edge_vertices, edges, elements, strain, vertex_body, vertices};
use crate::position::inertia;

/// Set what depends on structure and rest shape alone.
pub(super) fn set_structure(model: &mut Model) -> Result<(), ConstantsError> {
    if model.nflex == 0 {
        return Ok(());
    }
    clear(model);
    let mut used = 0;
    for flex in 0..model.nflex {
        if model.flex_rigid[flex] != 0 || model.flex_interp[flex] != 0 {
            continue;
        }
        if model.flex_edgeequality[flex] != 0 || edge::has_passive_edges(model, flex) {
            set_edge_pattern(model, flex);
        }
        if strain::is_held(model, flex) {
            used = set_edges_of_vertices(model, flex, used);
            for vertex in vertices(model, flex) {
                model.flex_vertmetric[vertex] = metric(model, flex, vertex)?;
            }
            set_strain_pattern(model, flex);
        }
    }
    for flex in 0..model.nflex {
        if strain::is_held(model, flex) {
            align(model, flex);
        }
    }
    Ok(())
}

fn clear(model: &mut Model) {
    model.flexedge_J_rowadr.fill(0);
    model.flexedge_J_rownnz.fill(0);
    model.flexvert_J_rowadr.fill([0; 2]);
    model.flexvert_J_rownnz.fill([0; 2]);
    model.flex_vertedgeadr.fill(0);
    model.flex_vertedgenum.fill(0);
    model.flex_vertedge.fill([0; 2]);
    model.flex_vertmetric.fill([0.0; 4]);
}

/// Write `values` from `start` on, as far as there is room. Returns how many were written.
fn write(target: &mut [i32], start: i32, values: &[i32]) -> i32 {
    let room = target.get_mut(start.max(0) as usize..).unwrap_or_default();
    let count = values.len().min(room.len());
    room[..count].copy_from_slice(&values[..count]);
    count as i32
}

/// Rows of `flexedge_J`: the dofs that move either end. A row starts where the row before it ends, also where that row belongs to a
/// flex without a Jacobian and so ends at 0.
fn set_edge_pattern(model: &mut Model, flex: usize) {
    let mut chain = vec![0; 2 * model.nv];
    for edge in edges(model, flex) {
        if let Some(before) = edge.checked_sub(1) {
            model.flexedge_J_rowadr[edge] = model.flexedge_J_rowadr[before] + model.flexedge_J_rownnz[before];
        }
        let bodies = edge_vertices(model, flex, edge).map(|vertex| vertex_body(model, vertex));
        let width = chain::of_either(model, bodies, &mut chain);
        let start = model.flexedge_J_rowadr[edge];
        model.flexedge_J_rownnz[edge] = write(&mut model.flexedge_J_colind, start, &chain[..width]);
    }
}

/// Lists of the edges that meet in each vertex, from entry `used` on. Returns the new number of entries.
fn set_edges_of_vertices(model: &mut Model, flex: usize, used: usize) -> usize {
    for edge in edges(model, flex) {
        for vertex in edge_vertices(model, flex, edge) {
            model.flex_vertedgenum[vertex] += 1;
        }
    }
    let mut end = used;
    for vertex in vertices(model, flex) {
        model.flex_vertedgeadr[vertex] = end as i32;
        end += model.flex_vertedgenum[vertex] as usize;
    }
    let first = vertices(model, flex).start;
    let mut next: Vec<i32> = model.flex_vertedgeadr[vertices(model, flex)].to_vec();
    for (number, edge) in edges(model, flex).enumerate() {
        for vertex in edge_vertices(model, flex, edge) {
            let place = &mut next[vertex - first];
            write(model.flex_vertedge.as_flattened_mut(), *place, &[number as i32]);
            *place += 1;
        }
    }
    end
}

/// Inverse of `Σ w dx dxᵀ`; zero when the edges of the vertex lie on one line.
fn metric(model: &Model, flex: usize, vertex: usize) -> Result<[f64; 4], ConstantsError> {
    let mut sum = [0.0; 4];
    for edge in strain::edges_of_vertex(model, flex, vertex) {
        let ends = edge_vertices(model, flex, edge);
        let rest = strain::rest_edge(model, flex, ends);
        if rest[2].abs() > MIN_VALUE {
            return Err(ConstantsError::UnevenPlate { flex });
        }
        let weight = strain::weight(model, ends, vertex);
        for (k, entry) in sum.iter_mut().enumerate() {
            *entry += weight * rest[k / 2] * rest[k % 2];
        }
    }
    let determinant = sum[0] * sum[3] - sum[1] * sum[2];
    if determinant.abs() < MIN_VALUE {
        return Ok([0.0; 4]);
    }
    let inverse = 1.0 / determinant;
    Ok([sum[3] * inverse, -sum[1] * inverse, -sum[2] * inverse, sum[0] * inverse])
}

/// Rows of `flexvert_J`: the dofs that move a vertex or one of its neighbours. Rows follow one another like those of edges.
fn set_strain_pattern(model: &mut Model, flex: usize) {
    let mut chain = vec![0; model.nv];
    let mut moves = vec![false; model.nv];
    let mut columns = Vec::with_capacity(model.nv);
    for vertex in vertices(model, flex) {
        moves.fill(false);
        for edge in strain::edges_of_vertex(model, flex, vertex) {
            for end in edge_vertices(model, flex, edge) {
                let width = chain::of_body(model, vertex_body(model, end), &mut chain);
                for dof in &chain[..width] {
                    moves[*dof as usize] = true;
                }
            }
        }
        columns.clear();
        columns.extend((0..model.nv).filter(|dof| moves[*dof]).map(|dof| dof as i32));
        let start = vertex
            .checked_sub(1)
            .map_or(0, |before| model.flexvert_J_rowadr[before][1] + model.flexvert_J_rownnz[before][1]);
        let target = model.flexvert_J_colind.as_flattened_mut();
        let first = write(target, start, &columns);
        let second = write(target, start + first, &columns);
        model.flexvert_J_rowadr[vertex] = [start, start + first];
        model.flexvert_J_rownnz[vertex] = [first, second];
    }
    // The row behind the last one of the flex is given its start even when its own flex has none.
    let end = vertices(model, flex).end;
    if let (Some(last), true) = (end.checked_sub(1), end < model.nflexvert) {
        model.flexvert_J_rowadr[end][0] = model.flexvert_J_rowadr[last][1] + model.flexvert_J_rownnz[last][1];
    }
}

/// Turn the rest shape of a plate so that the normal of its first triangle points along z.
fn align(model: &mut Model, flex: usize) {
    let vertices = vertices(model, flex);
    if elements(model, flex).is_empty() {
        return;
    }
    let &[a, b, c] = corners(model, flex, 0) else { return };
    let [a, b, c] = [a, b, c].map(|corner| model.flex_vert0[vertices.start + corner as usize]);
    let normal = vec3::normalize(vec3::cross(vec3::sub(b, a), vec3::sub(c, a))).0;
    let turn = quat::to_mat(&quat::z_to_vec(normal));
    for point in &mut model.flex_vert0[vertices] {
        *point = mat3::mul_vec_transposed(&turn, *point);
    }
}

/// `flexedge_invweight0`: inverse inertia along each edge in the reference configuration.
pub(super) fn set_edge_weights(model: &mut Model, data: &Data) {
    let nv = model.nv;
    if nv == 0 {
        return;
    }
    let mut row = vec![0.0; nv];
    let mut solved = vec![0.0; nv];
    for flex in 0..model.nflex {
        if model.flex_interp[flex] != 0 {
            continue;
        }
        for edge in edges(model, flex) {
            let bodies = edge_vertices(model, flex, edge).map(|vertex| vertex_body(model, vertex));
            model.flexedge_invweight0[edge] = if model.flexedge_rigid[edge] != 0 {
                0.0
            } else if bodies.iter().all(|body| model.body_simple[*body] == 2) {
                (1.0 / model.body_mass[bodies[0]] + 1.0 / model.body_mass[bodies[1]]) / 2.0
            } else {
                row.fill(0.0);
                let range = edge::pattern(model).range(edge);
                for (dof, value) in
                    model.flexedge_J_colind[range.clone()].iter().zip(&data.flexes.flexedge_J[range])
                {
                    row[*dof as usize] = *value;
                }
                solved.copy_from_slice(&row);
                inertia::solve(model, &data.inertia, &mut solved);
                dense::dot(&row, &solved)
            };
        }
    }
}
