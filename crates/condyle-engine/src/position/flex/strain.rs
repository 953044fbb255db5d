//! Strain at the vertices of a thin plate, as two numbers that are zero when the plate only bends.
//!
//! The deformation around a vertex is the least-squares fit `F = (Σ w dy dxᵀ) B` over the edges that meet there, where `dx` is an
//! edge at rest in the plane of the plate, `dy` the edge now, `w` the mass of the neighbour and `B` the inverse of `Σ w dx dxᵀ`
//! (`flex_vertmetric`). With `C = Fᵀ F` the two numbers are `tr C − 2` and `det C − 1`, both times the root of the mass of the
//! vertex. An edge from `y₁` to `y₂` adds `2 w F B dx` and `2 w F adj(C) B dx` to the derivatives by `y₂`, and their negatives to
//! those by `y₁`. Method: Chen, Kry, Vouga, "Locking-free Simulation of Isometric Thin Plates", 2019.

use condyle_math::sparse::Pattern;
use condyle_math::{MIN_VALUE, Vec3, matrix, vec3};
use condyle_model::Model;

use super::{edge_vertices, vertex_body, vertices};
use crate::data::{Flexes, Kinematics, SmoothScratch, scratch};
use crate::jacobian::{chain, dofs_above, point_column};

/// `flex_edgeequality` of flexes whose strain at vertices is held.
const HOLDS_STRAIN: i32 = 2;

/// Whether the strain at the vertices of a flex is constrained.
pub(crate) fn is_held(model: &Model, flex: usize) -> bool {
    model.flex_dim[flex] == 2 && model.flex_edgeequality[flex] == HOLDS_STRAIN
}

/// Pattern of `flexvert_J`, two rows per vertex.
pub(crate) fn pattern(model: &Model) -> Pattern<'_> {
    Pattern {
        rownnz: model.flexvert_J_rownnz.as_flattened(),
        rowadr: model.flexvert_J_rowadr.as_flattened(),
        colind: model.flexvert_J_colind.as_flattened(),
    }
}

/// Edges that meet in a vertex, counted over all flexes.
pub(crate) fn edges_of_vertex(model: &Model, flex: usize, vertex: usize) -> impl Iterator<Item = usize> + '_ {
    let first_edge = model.flex_edgeadr[flex].max(0) as usize;
    let list = super::range(model.flex_vertedgeadr[vertex], model.flex_vertedgenum[vertex]);
    model.flex_vertedge.as_flattened()[list].iter().map(move |edge| first_edge + *edge as usize)
}

/// An edge at rest, m.
pub(crate) fn rest_edge(model: &Model, flex: usize, ends: [usize; 2]) -> Vec3 {
    let part = vec3::sub(model.flex_vert0[ends[1]], model.flex_vert0[ends[0]]);
    std::array::from_fn(|axis| part[axis] * (2.0 * model.flex_size[flex][axis]))
}

/// Weight of an edge at one of its ends: the mass at the other end.
pub(crate) fn weight(model: &Model, ends: [usize; 2], vertex: usize) -> f64 {
    let neighbour = if vertex == ends[0] { ends[1] } else { ends[0] };
    let mass = model.body_mass[vertex_body(model, neighbour)];
    if mass < MIN_VALUE { MIN_VALUE } else { mass }
}

/// A 3×2 matrix times a 2×2 matrix.
fn mul(a: &[f64; 6], b: &[f64; 4]) -> [f64; 6] {
    let [b00, b01, b10, b11] = *b;
    let mut result = [0.0; 6];
    for row in 0..3 {
        let (x, y) = (a[2 * row], a[2 * row + 1]);
        result[2 * row] = x * b00 + y * b10;
        result[2 * row + 1] = x * b01 + y * b11;
    }
    result
}

/// Deformation around a vertex, and the matrices that turn an edge at rest into derivatives of the two numbers.
struct Deformation {
    /// `tr C − 2`, `det C − 1`.
    invariants: [f64; 2],
    /// `F B` and `F adj(C) B`.
    gradients: [[f64; 6]; 2],
}

fn deformation(model: &Model, flexes: &Flexes, flex: usize, vertex: usize) -> Deformation {
    let mut fit = [0.0; 6];
    for edge in edges_of_vertex(model, flex, vertex) {
        let ends = edge_vertices(model, flex, edge);
        let rest = rest_edge(model, flex, ends);
        let now = vec3::sub(flexes.flexvert_xpos[ends[1]], flexes.flexvert_xpos[ends[0]]);
        let weight = weight(model, ends, vertex);
        for row in 0..3 {
            fit[2 * row] += weight * now[row] * rest[0];
            fit[2 * row + 1] += weight * now[row] * rest[1];
        }
    }
    let metric = &model.flex_vertmetric[vertex];
    let f = mul(&fit, metric);
    let product = |i: usize, j: usize| f[i] * f[j] + f[i + 2] * f[j + 2] + f[i + 4] * f[j + 4];
    let cauchy = [product(0, 0), product(0, 1), product(1, 0), product(1, 1)];
    let adjugate = [cauchy[3], -cauchy[1], -cauchy[2], cauchy[0]];
    Deformation {
        invariants: [cauchy[0] + cauchy[3] - 2.0, cauchy[0] * cauchy[3] - cauchy[1] * cauchy[2] - 1.0],
        gradients: [mul(&f, metric), mul(&mul(&f, &adjugate), metric)],
    }
}

/// Strain and its Jacobian at the vertices of one flex; the Jacobian is clear when this starts.
pub(crate) fn of_flex(
    model: &Model,
    kinematics: &Kinematics,
    flex: usize,
    out: &mut Flexes,
    buffers: &mut SmoothScratch,
) {
    let nv = model.nv;
    for row in &mut buffers.strain_rows {
        scratch::sized(row, nv).fill(0.0);
    }
    for vertex in vertices(model, flex) {
        let deformation = deformation(model, out, flex, vertex);
        let mass = model.body_mass[vertex_body(model, vertex)];
        // Without this scale the rows of light vertices would be badly conditioned.
        let scale = if mass > MIN_VALUE { mass.sqrt() } else { 1.0 };
        out.flexvert_length[vertex] = deformation.invariants.map(|value| value * scale);

        for edge in edges_of_vertex(model, flex, vertex) {
            let ends = edge_vertices(model, flex, edge);
            let rest = rest_edge(model, flex, ends);
            let factor = -2.0 * weight(model, ends, vertex);
            let gradients = deformation.gradients.each_ref().map(|matrix| {
                let mut gradient = [0.0; 3];
                matrix::mul_vec(&mut gradient, matrix, &rest[..2]);
                vec3::scale(gradient, factor)
            });
            add_end(
                model,
                kinematics,
                out.flexvert_xpos[ends[0]],
                ends[0],
                &gradients,
                &mut buffers.strain_rows,
            );
            let gradients = gradients.map(|gradient| gradient.map(|x| -x));
            add_end(
                model,
                kinematics,
                out.flexvert_xpos[ends[1]],
                ends[1],
                &gradients,
                &mut buffers.strain_rows,
            );
        }
        for (row, sums) in buffers.strain_rows.iter_mut().enumerate() {
            take_row(model, out, vertex, row, sums, scale);
        }
    }
}

/// Add what moving one end of an edge contributes to the two rows of a vertex.
fn add_end(
    model: &Model,
    kinematics: &Kinematics,
    point: Vec3,
    vertex: usize,
    gradients: &[Vec3; 2],
    strain_rows: &mut [Vec<f64>; 2],
) {
    let body = vertex_body(model, vertex);
    let offset = vec3::sub(point, kinematics.subtree_com[model.body_rootid[body] as usize]);
    for dof in dofs_above(model, body) {
        let column = point_column(&kinematics.cdof[dof], offset);
        for (gradient, sums) in gradients.iter().zip(strain_rows.iter_mut()) {
            sums[dof] += chain::along(*gradient, column);
        }
    }
}

/// Move the sums of one row into the Jacobian and clear them.
fn take_row(model: &Model, out: &mut Flexes, vertex: usize, row: usize, sums: &mut [f64], scale: f64) {
    let entries = super::range(model.flexvert_J_rowadr[vertex][row], model.flexvert_J_rownnz[vertex][row]);
    let columns = &model.flexvert_J_colind.as_flattened()[entries.clone()];
    for (entry, dof) in out.flexvert_J.as_flattened_mut()[entries].iter_mut().zip(columns) {
        *entry += std::mem::take(&mut sums[*dof as usize]) * scale;
    }
}
