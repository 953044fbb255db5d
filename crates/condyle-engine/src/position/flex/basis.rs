//! Shape functions of interpolated flexes: tensor products of Lagrange polynomials on the unit cube.
//!
//! With order 1 a cube has 2³ nodes and `φ₀ = 1 − s`, `φ₁ = s`; with order 2 it has 3³ nodes and `φ₀ = 2s² − 3s + 1`,
//! `φ₁ = 4(s − s²)`, `φ₂ = 2s² − s`. Node `i` has its z place in the lowest digit, then y, then x. Reference: `mju_evalBasis`.

use condyle_math::{Vec3, vec3};

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
    let mut sum = [0.0; 3];
    for (node, value) in values.iter().enumerate().take(node_count(order)) {
        sum = vec3::add_scaled(sum, *value, weight(point, node, order));
    }
    sum
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
    fn interpolation_reproduces_a_linear_map() {
        for order in [1, 2] {
            let map = |p: Vec3| [2.0 * p[0] - p[2] + 1.0, p[0] + p[1], 3.0 * p[2] - 0.5];
            let values: Vec<Vec3> = (0..node_count(order))
                .map(|node| map(places(node, order).map(|place| place as f64 / order as f64)))
                .collect();
            let point = [0.25, 0.6, 0.9];
            let result = interpolate(point, &values, order);
            assert!(vec3::distance(result, map(point)) < 1e-14);
        }
    }
}
