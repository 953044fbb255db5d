//! Shape functions of interpolated flexes: tensor products of Lagrange polynomials on the unit cube.
//!
//! With order 1 a cube has 2³ nodes and `φ₀ = 1 − s`, `φ₁ = s`; with order 2 it has 3³ nodes and `φ₀ = 2s² − 3s + 1`,
//! `φ₁ = 4(s − s²)`, `φ₂ = 2s² − s`. Node `i` has its z place in the lowest digit, then y, then x. Reference: `mju_evalBasis`.

use condyle_math::{Mat3, Vec3, vec3};

/// Most nodes of one flex.
pub const MAX_NODES: usize = 27;

/// Nodes of a cube of the given order.
pub fn node_count(order: usize) -> usize {
    (order + 1) * (order + 1) * (order + 1)
}

/// Shape function of place `i` along one axis.
#[inline]
pub fn shape(s: f64, i: usize, order: usize) -> f64 {
    match (order, i) {
        (1, 0) => 1.0 - s,
        (1, _) => s,
        (_, 0) => 2.0 * s * s - 3.0 * s + 1.0,
        (_, 1) => 4.0 * (s - s * s),
        _ => 2.0 * s * s - s,
    }
}

/// Derivative of [`shape`] by `s`.
#[inline]
fn slope(s: f64, i: usize, order: usize) -> f64 {
    match (order, i) {
        (1, 0) => -1.0,
        (1, _) => 1.0,
        (_, 0) => 4.0 * s - 3.0,
        (_, 1) => 4.0 * (1.0 - 2.0 * s),
        _ => 4.0 * s - 1.0,
    }
}

/// Places of a node along x, y and z.
#[inline]
pub fn places(node: usize, order: usize) -> [usize; 3] {
    let side = order + 1;
    [node / (side * side), node / side % side, node % side]
}

/// Weight of a node at a point of the unit cube.
#[inline]
pub fn weight(point: Vec3, node: usize, order: usize) -> f64 {
    let [x, y, z] = places(node, order);
    shape(point[2], z, order) * shape(point[1], y, order) * shape(point[0], x, order)
}

/// `Σ weight · value` over the nodes.
#[inline]
pub fn interpolate(point: Vec3, values: &[Vec3], order: usize) -> Vec3 {
    match order {
        1 => interpolate_cube::<2>(point, values),
        _ => interpolate_cube::<3>(point, values),
    }
}

/// [`interpolate`] with `SIDE` nodes along each axis: the shape functions of an axis are computed once, not for every node.
#[inline]
fn interpolate_cube<const SIDE: usize>(point: Vec3, values: &[Vec3]) -> Vec3 {
    let [along_x, along_y, along_z] =
        point.map(|s| std::array::from_fn::<f64, SIDE, _>(|i| shape(s, i, SIDE - 1)));
    let mut sum = [0.0; 3];
    let mut rows = values.chunks_exact(SIDE);
    for x in along_x {
        for (y, row) in along_y.into_iter().zip(&mut rows) {
            for (z, value) in along_z.into_iter().zip(row) {
                sum = vec3::add_scaled(sum, *value, z * y * x);
            }
        }
    }
    sum
}

/// Gradient of [`interpolate`] by the point: row `i` is the gradient of component `i`.
pub fn gradient(point: Vec3, values: &[Vec3], order: usize) -> Mat3 {
    let mut result = [0.0; 9];
    for (node, value) in values.iter().enumerate() {
        let [x, y, z] = places(node, order);
        let [along_x, along_y, along_z] =
            [shape(point[0], x, order), shape(point[1], y, order), shape(point[2], z, order)];
        let slopes = [
            slope(point[0], x, order) * along_y * along_z,
            along_x * slope(point[1], y, order) * along_z,
            along_x * along_y * slope(point[2], z, order),
        ];
        for row in 0..3 {
            for column in 0..3 {
                result[3 * row + column] += value[row] * slopes[column];
            }
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_one_at_their_node_and_add_up_to_one() {
        for order in [1, 2] {
            let nodes = node_count(order);
            for node in 0..nodes {
                let point = places(node, order).map(|place| place as f64 / order as f64);
                for other in 0..nodes {
                    assert_eq!(weight(point, other, order), if other == node { 1.0 } else { 0.0 });
                }
            }
            let inside = [0.3, 0.55, 0.8];
            let total: f64 = (0..nodes).map(|node| weight(inside, node, order)).sum();
            assert!((total - 1.0).abs() < 1e-14);
        }
    }

    #[test]
    fn interpolation_sums_weighted_values_node_by_node() {
        let values: Vec<Vec3> =
            (0..MAX_NODES).map(|i| [0, 1, 2].map(|axis| ((7 * i + 3 * axis) as f64).sin())).collect();
        for order in [1, 2] {
            for i in 0..50 {
                let point = [0.11, 0.23, 0.37].map(|step| (step * i as f64) % 1.0);
                let mut sum = [0.0; 3];
                for node in 0..node_count(order) {
                    sum = vec3::add_scaled(sum, values[node], weight(point, node, order));
                }
                assert_eq!(interpolate(point, &values, order).map(f64::to_bits), sum.map(f64::to_bits));
            }
        }
    }

    #[test]
    fn interpolation_reproduces_a_linear_map() {
        for order in [1, 2] {
            let map = |p: Vec3| [2.0 * p[0] - p[2] + 1.0, p[0] + p[1], 3.0 * p[2] - 0.5];
            let values: Vec<Vec3> = (0..node_count(order))
                .map(|node| map(places(node, order).map(|place| place as f64 / order as f64)))
                .collect();
            let point = [0.25, 0.6, 0.9];
            let result = interpolate(point, &values, order);
            assert!(vec3::distance(result, map(point)) < 1e-14);
            let slopes = [2.0, 0.0, -1.0, 1.0, 1.0, 0.0, 0.0, 0.0, 3.0];
            for (found, expected) in gradient(point, &values, order).iter().zip(slopes) {
                assert!((found - expected).abs() < 1e-13);
            }
        }
    }
}
