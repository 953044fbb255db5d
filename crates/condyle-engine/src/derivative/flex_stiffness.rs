//! Stiffness of interpolated deformable bodies over the dofs: `Jᵀ R K Rᵀ J` with `K` the matrix between the nodes, `R` the rotation of
//! the body and `J` the Jacobian of the nodes.
//!
//! The forces of these bodies depend on position so strongly that the implicit integrators take them at the end of the step. The change
//! of the rotation is left out. Reference: `mjd_flexInterp_addH`, `mjd_flexInterp_mulKD`.

use condyle_math::{Mat3, Vec3, dense, mat3, matrix, quat};
use condyle_model::Model;

use crate::data::{Kinematics, scratch};
use crate::jacobian::chain;
use crate::velocity::passive::flex::interpolated::{node_bodies, positions, stiffness, unrotate};
use crate::velocity::passive::flex::is_elastic;

/// Matrix and Jacobian of the nodes of one flex.
#[derive(Clone, Debug, Default)]
pub(crate) struct StiffnessScratch {
    position: Vec<Vec3>,
    /// Stiffness times a scale, in world axes.
    matrix: Vec<f64>,
    jacobian: NodeJacobian,
    /// The matrix times the Jacobian over the reduced dofs.
    product: Vec<f64>,
    /// The Jacobian over the reduced dofs.
    reduced: Vec<f64>,
    sum: Vec<f64>,
    node_vector: [Vec<f64>; 2],
}

/// Jacobian of the nodes: per node a chain of dofs and three rows over it.
#[derive(Clone, Debug, Default)]
struct NodeJacobian {
    /// Start of the chain of each node, and the end of the last.
    start: Vec<usize>,
    columns: Vec<i32>,
    values: Vec<f64>,
}

impl NodeJacobian {
    fn compute(&mut self, model: &Model, kinematics: &Kinematics, bodies: &[i32], points: &[Vec3]) {
        self.start.clear();
        self.start.push(0);
        let mut end = 0;
        for (body, point) in bodies.iter().zip(points) {
            let body = *body as usize;
            let chain = &mut scratch::sized(&mut self.columns, end + model.nv)[end..];
            let width = chain::of_body(model, body, chain);
            let rows = &mut scratch::sized(&mut self.values, 3 * (end + width))[3 * end..];
            chain::of_point(model, kinematics, Some(rows), None, *point, body, &chain[..width]);
            end += width;
            self.start.push(end);
        }
    }

    fn nodes(&self) -> usize {
        self.start.len().saturating_sub(1)
    }

    /// Dofs and values of a row: `axis` of `node`.
    fn row(&self, node: usize, axis: usize) -> (&[i32], &[f64]) {
        let (start, end) = (self.start[node], self.start[node + 1]);
        let width = end - start;
        (&self.columns[start..end], &self.values[3 * start + axis * width..][..width])
    }

    /// All rows, in order.
    fn rows(&self) -> impl Iterator<Item = (&[i32], &[f64])> {
        (0..3 * self.nodes()).map(|row| self.row(row / 3, row % 3))
    }
}

/// Dofs of the nodes of all interpolated bodies, in the order of the reduced problem.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ReducedDofs<'a> {
    pub count: usize,
    /// For each dof of the model its number in the reduced problem, −1 for none.
    pub local: &'a [i32],
}

/// For all interpolated bodies, with `S = (h² + h · damping) Jᵀ R K Rᵀ J`: `matrix −= S` over the reduced dofs, lower triangle only, and
/// `product += S vector` over all dofs.
pub(crate) fn add(
    model: &Model,
    kinematics: &Kinematics,
    timestep: f64,
    dofs: ReducedDofs<'_>,
    matrix: &mut [f64],
    vector: &[f64],
    product: &mut [f64],
    buffers: &mut StiffnessScratch,
) {
    for flex in 0..model.nflex {
        if model.flex_interp[flex] == 0 || model.flex_rigid[flex] != 0 || !is_elastic(model, flex) {
            continue;
        }
        let scale = timestep * timestep + timestep * model.flex_damping[flex];
        if scale == 0.0 {
            continue;
        }
        let Some(stiffness) = stiffness(model, flex) else { continue };
        let bodies = node_bodies(model, flex);
        let points = scratch::sized(&mut buffers.position, bodies.len());
        positions(model, kinematics, flex, points);
        let to_body = quat::to_mat(&unrotate(model, flex, points));
        let turned = scratch::sized(&mut buffers.matrix, stiffness.len());
        turn_blocks(turned, stiffness, 3 * bodies.len(), &to_body, scale);
        buffers.jacobian.compute(model, kinematics, bodies, points);
        subtract_from(matrix, dofs, buffers);
        add_product(product, vector, buffers);
    }
}

/// Every 3×3 block as `scale · Rᵀ block R`.
fn turn_blocks(out: &mut [f64], blocks: &[f64], size: usize, rotation: &Mat3, scale: f64) {
    let back = mat3::transpose(rotation);
    for i in (0..size).step_by(3) {
        for j in (0..size).step_by(3) {
            let block: Mat3 = std::array::from_fn(|k| blocks[(i + k / 3) * size + j + k % 3]);
            let block = mat3::mul(&back, &mat3::mul(&block, rotation));
            for (k, entry) in block.iter().enumerate() {
                out[(i + k / 3) * size + j + k % 3] = scale * entry;
            }
        }
    }
}

/// `out −= Jᵀ matrix J` over the reduced dofs, lower triangle only.
fn subtract_from(out: &mut [f64], dofs: ReducedDofs<'_>, buffers: &mut StiffnessScratch) {
    let StiffnessScratch { matrix, jacobian, product, reduced, sum, .. } = buffers;
    let (size, count) = (3 * jacobian.nodes(), dofs.count);
    let matrix = &matrix[..size * size];
    let product = scratch::sized(product, size * count);
    multiply_entries(product, matrix, jacobian, dofs);
    // Zeros of the Jacobian can be left out unless something is not finite.
    let finite = |values: &[f64]| values.iter().all(|x| x.is_finite());
    let sparse = finite(matrix) && finite(product);
    if !sparse {
        let reduced = scratch::sized(reduced, size * count);
        spread(reduced, jacobian, dofs);
        matrix::mul(product, matrix, reduced, size, size, count);
    }
    let sum = scratch::sized(sum, count * count);
    sum.fill(0.0);
    for ((k, (columns, values)), product) in jacobian.rows().enumerate().zip(product.chunks_exact(count)) {
        let mut add = |i: usize, value: f64| {
            dense::add_scaled_to(&mut sum[i * count..][..=i], &product[..=i], value);
        };
        if sparse {
            for (i, value) in entries(columns, values, dofs) {
                add(i, value);
            }
        } else {
            for (i, value) in reduced[k * count..][..count].iter().enumerate() {
                add(i, *value);
            }
        }
    }
    for (i, (out, sum)) in out.chunks_exact_mut(count).zip(sum.chunks_exact(count)).enumerate() {
        dense::sub_from(&mut out[..=i], &sum[..=i]);
    }
}

/// The entries of a row of the Jacobian that belong to reduced dofs, with these.
fn entries<'a>(
    columns: &'a [i32],
    values: &'a [f64],
    dofs: ReducedDofs<'a>,
) -> impl Iterator<Item = (usize, f64)> + 'a {
    columns
        .iter()
        .zip(values)
        .filter_map(move |(dof, value)| Some((usize::try_from(dofs.local[*dof as usize]).ok()?, *value)))
}

/// `product = matrix J` over the reduced dofs, from the entries of `J` alone.
fn multiply_entries(product: &mut [f64], matrix: &[f64], jacobian: &NodeJacobian, dofs: ReducedDofs<'_>) {
    let size = 3 * jacobian.nodes();
    product.fill(0.0);
    for (row, product) in matrix.chunks_exact(size).zip(product.chunks_exact_mut(dofs.count)) {
        for (coefficient, (columns, values)) in row.iter().zip(jacobian.rows()) {
            for (column, value) in entries(columns, values, dofs) {
                product[column] += value * coefficient;
            }
        }
    }
}

/// The Jacobian as a dense matrix over the reduced dofs.
fn spread(out: &mut [f64], jacobian: &NodeJacobian, dofs: ReducedDofs<'_>) {
    out.fill(0.0);
    for ((columns, values), out) in jacobian.rows().zip(out.chunks_exact_mut(dofs.count)) {
        for (column, value) in entries(columns, values, dofs) {
            out[column] = value;
        }
    }
}

/// `out += Jᵀ matrix J vector`
fn add_product(out: &mut [f64], vector: &[f64], buffers: &mut StiffnessScratch) {
    let StiffnessScratch { matrix, jacobian, node_vector: [moved, force], .. } = buffers;
    let size = 3 * jacobian.nodes();
    let moved = scratch::sized(moved, size);
    for ((columns, values), moved) in jacobian.rows().zip(moved.iter_mut()) {
        *moved = 0.0;
        for (dof, value) in columns.iter().zip(values) {
            *moved += value * vector[*dof as usize];
        }
    }
    let force = scratch::sized(force, size);
    matrix::mul_vec(force, &matrix[..size * size], moved);
    for ((columns, values), force) in jacobian.rows().zip(&*force) {
        for (dof, value) in columns.iter().zip(values) {
            out[*dof as usize] += value * force;
        }
    }
}
