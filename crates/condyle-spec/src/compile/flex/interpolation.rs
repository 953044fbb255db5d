//! Stiffness of a flex whose vertices are interpolated from a grid of 8 or 27 nodes: one linear-elastic finite element.
//!
//! `K = −∫ λ tr ε(u) tr ε(v) + μ ε(u):ε(v)` over the box between the first and the last node, with ε the symmetric gradient of the
//! products of one-dimensional shape functions, integrated at as many points per axis as there are nodes.

use condyle_math::Vec3;

/// The dense matrix over the coordinates of the nodes, row by row. `order` is 1 (trilinear) or 2 (quadratic).
pub(super) fn stiffness(nodes: &[Vec3], young: f64, poisson: f64, order: i32) -> Vec<f64> {
    let (Some(first), Some(last)) = (nodes.first(), nodes.last()) else { return Vec::new() };
    if nodes.len() != if order == 1 { 8 } else { 27 } {
        return Vec::new();
    }
    let points = quadrature(order);
    let extent = [0, 1, 2].map(|axis| last[axis] - first[axis]);
    let determinant = extent[0] * extent[1] * extent[2];
    let inverse = extent.map(|length| 1.0 / length);
    let lambda = young * poisson / (1.0 + poisson) / (1.0 - 2.0 * poisson);
    let mu = young / (2.0 * (1.0 + poisson));

    let columns = 3 * nodes.len();
    let mut matrix = vec![0.0; columns * columns];
    for &(s, s_weight) in points {
        for &(t, t_weight) in points {
            for &(u, u_weight) in points {
                let volume = s_weight * t_weight * u_weight * determinant;
                let gradients = gradients([s, t, u], inverse, order);
                add_point(&mut matrix, columns, &gradients, [lambda, mu], volume);
            }
        }
    }
    matrix
}

/// Subtracts what one integration point contributes.
fn add_point(matrix: &mut [f64], columns: usize, gradients: &[Vec3], [lambda, mu]: [f64; 2], volume: f64) {
    for (i, of_row) in gradients.iter().enumerate() {
        for (j, of_column) in gradients.iter().enumerate() {
            for k in 0..3 {
                for l in 0..3 {
                    // The displacement gradients have one row that is not zero.
                    let (mut du, mut dv) = ([[0.0; 3]; 3], [[0.0; 3]; 3]);
                    du[k] = *of_row;
                    dv[l] = *of_column;
                    let place = &mut matrix[columns * (3 * i + k) + 3 * j + l];
                    *place -= lambda * trace(&du) * trace(&dv) * volume;
                    *place -= mu * trace_of_product(&symmetric(&du), &symmetric(&dv)) * volume;
                }
            }
        }
    }
}

type Tensor = [[f64; 3]; 3];

fn symmetric(tensor: &Tensor) -> Tensor {
    [0, 1, 2].map(|i| [0, 1, 2].map(|j| (tensor[i][j] + tensor[j][i]) / 2.0))
}

fn trace(tensor: &Tensor) -> f64 {
    tensor[0][0] + tensor[1][1] + tensor[2][2]
}

fn trace_of_product(one: &Tensor, other: &Tensor) -> f64 {
    let [x, y, z] =
        [0, 1, 2].map(|i| one[i][0] * other[0][i] + one[i][1] * other[1][i] + one[i][2] * other[2][i]);
    x + y + z
}

/// Gradients of the shape functions at a point of the unit cube, in the lengths of the box; z runs fastest.
fn gradients([s, t, u]: Vec3, inverse: Vec3, order: i32) -> Vec<Vec3> {
    let mut gradients = Vec::with_capacity(27);
    for x in 0..=order {
        for y in 0..=order {
            for z in 0..=order {
                gradients.push([
                    inverse[0] * (slope(s, x, order) * shape(t, y, order) * shape(u, z, order)),
                    inverse[1] * (shape(s, x, order) * slope(t, y, order) * shape(u, z, order)),
                    inverse[2] * (shape(s, x, order) * shape(t, y, order) * slope(u, z, order)),
                ]);
            }
        }
    }
    gradients
}

/// Points on [0, 1] and their weights. The outer points of the quadratic rule lie outside the interval, as in the reference.
fn quadrature(order: i32) -> &'static [(f64, f64)] {
    use std::sync::LazyLock;
    static LINEAR: LazyLock<[(f64, f64); 2]> = LazyLock::new(|| {
        let offset = 0.5 / 3.0_f64.sqrt();
        [(-offset + 0.5, 0.5), (offset + 0.5, 0.5)]
    });
    static QUADRATIC: LazyLock<[(f64, f64); 3]> = LazyLock::new(|| {
        let offset = 0.5 / (3.0_f64 / 5.0).sqrt();
        let (middle, outer) = (8.0 / 9.0 * 0.5, 5.0 / 9.0 * 0.5);
        [(0.5, middle), (-offset + 0.5, outer), (offset + 0.5, outer)]
    });
    if order == 1 { &*LINEAR } else { &*QUADRATIC }
}

/// One-dimensional shape function of a node.
fn shape(s: f64, node: i32, order: i32) -> f64 {
    match (order, node) {
        (1, 0) => 1.0 - s,
        (1, _) => s,
        (_, 0) => 2.0 * s * s - 3.0 * s + 1.0,
        (_, 1) => 4.0 * (s - s * s),
        _ => 2.0 * s * s - s,
    }
}

/// Derivative of [`shape`].
fn slope(s: f64, node: i32, order: i32) -> f64 {
    match (order, node) {
        (1, 0) => -1.0,
        (1, _) => 1.0,
        (_, 0) => 4.0 * s - 3.0,
        (_, 1) => 4.0 * (1.0 - 2.0 * s),
        _ => 4.0 * s - 1.0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Moving all nodes together costs nothing.
    #[test]
    fn translation_needs_no_force() {
        let mut nodes = Vec::new();
        for x in 0..2 {
            for y in 0..2 {
                for z in 0..2 {
                    nodes.push([f64::from(x), 2.0 * f64::from(y), 3.0 * f64::from(z)]);
                }
            }
        }
        let matrix = stiffness(&nodes, 10.0, 0.2, 1);
        for row in matrix.chunks_exact(24) {
            for axis in 0..3 {
                let force: f64 = row.iter().skip(axis).step_by(3).sum();
                assert!(force.abs() < 1e-12, "{force}");
            }
        }
        assert!(matrix[0] < -1.0, "a node that moves alone is held back");
    }
}
