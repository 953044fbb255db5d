//! A distance field sampled at the corners of an octree's leaves and interpolated trilinearly.
//!
//! Outside the octree a point is first moved just inside and its distance from the box is added.

use condyle_math::Vec3;
use condyle_math::scalar::max_first;

use super::{FAR, difference_gradient};

/// How far inside the box an outer point is moved.
const INSET: f64 = 1e-6;
/// Tolerance of the test whether a point lies in a node.
const SLACK: f64 = 1e-8;
/// Deepest descent.
const MAX_DEPTH: usize = 100;

/// An octree of samples. Node 0 is the root; indices out of range end the descent.
#[derive(Clone, Copy, Debug)]
pub struct Octree<'a> {
    /// Box of each node: centre and half sizes.
    pub node_aabb: &'a [[f64; 6]],
    /// Children of each node (x changes fastest), all −1 in a leaf.
    pub node_child: &'a [[i32; 8]],
    /// Values at the corners of each leaf (x changes fastest).
    pub node_value: &'a [[f64; 8]],
}

/// A leaf and the position in it, each coordinate from 0 to 1.
struct Place<'a> {
    values: &'a [f64; 8],
    at: Vec3,
}

impl<'a> Octree<'a> {
    /// The field at a point.
    pub fn distance(&self, x: Vec3) -> f64 {
        let Some(root) = self.node_aabb.first() else { return FAR };
        let (moved, from_box) = move_into_box(x, root);
        let Some(place) = self.find(moved) else { return FAR };
        let mut sum = 0.0;
        for corner in 0..8 {
            sum += place.weight(corner) * place.values[corner];
        }
        if from_box > 0.0 { sum + from_box } else { sum }
    }

    /// Its gradient: of the interpolation inside the box, by differences outside.
    pub fn gradient(&self, x: Vec3) -> Vec3 {
        let Some(root) = self.node_aabb.first() else { return [0.0; 3] };
        let (moved, from_box) = move_into_box(x, root);
        if !(from_box <= 0.0) {
            return difference_gradient(|x| self.distance(x), x);
        }
        let mut sum = [0.0; 3];
        if let Some(place) = self.find(moved) {
            for corner in 0..8 {
                let slope = place.weight_slope(corner);
                for axis in 0..3 {
                    sum[axis] += slope[axis] * place.values[corner];
                }
            }
        }
        sum
    }

    /// The leaf that holds a point.
    fn find(&self, x: Vec3) -> Option<Place<'a>> {
        let mut node = 0;
        for _ in 0..MAX_DEPTH {
            let (aabb, child) = (self.node_aabb.get(node)?, self.node_child.get(node)?);
            let low: Vec3 = std::array::from_fn(|i| aabb[i] - aabb[i + 3]);
            let high: Vec3 = std::array::from_fn(|i| aabb[i] + aabb[i + 3]);
            if (0..3).any(|i| x[i] + SLACK < low[i] || x[i] - SLACK > high[i]) {
                return None;
            }
            let at: Vec3 = std::array::from_fn(|i| (x[i] - low[i]) / (high[i] - low[i]));
            if child.iter().all(|&child| child == -1) {
                return Some(Place { values: self.node_value.get(node)?, at });
            }
            let octant: usize = (0..3).filter(|&i| !(at[i] < 0.5)).map(|i| 1 << i).sum();
            node = usize::try_from(child[octant]).ok()?;
        }
        None
    }
}

impl Place<'_> {
    /// One factor of a corner's weight.
    fn factor(&self, corner: usize, axis: usize) -> f64 {
        if corner & (1 << axis) != 0 { self.at[axis] } else { 1.0 - self.at[axis] }
    }

    fn weight(&self, corner: usize) -> f64 {
        self.factor(corner, 0) * self.factor(corner, 1) * self.factor(corner, 2)
    }

    /// Derivative of a corner's weight by the position in the leaf.
    fn weight_slope(&self, corner: usize) -> Vec3 {
        let sign = |axis: usize| if corner & (1 << axis) != 0 { 1.0 } else { -1.0 };
        [
            sign(0) * self.factor(corner, 1) * self.factor(corner, 2),
            self.factor(corner, 0) * sign(1) * self.factor(corner, 2),
            self.factor(corner, 0) * self.factor(corner, 1) * sign(2),
        ]
    }
}

/// A point moved just inside a box (centre, half sizes), and its distance from the box, negative inside.
fn move_into_box(x: Vec3, aabb: &[f64; 6]) -> (Vec3, f64) {
    let offset: Vec3 = std::array::from_fn(|i| x[i] - aabb[i]);
    let beyond: Vec3 = std::array::from_fn(|i| offset[i].abs() - aabb[i + 3]);
    if beyond.iter().all(|&excess| excess <= 0.0) {
        return (x, max_first(beyond[0], max_first(beyond[1], beyond[2])));
    }
    let mut moved = x;
    let mut squared = 0.0;
    for i in 0..3 {
        if beyond[i] >= 0.0 {
            squared += beyond[i] * beyond[i];
            moved[i] -= if offset[i] > 0.0 { beyond[i] + INSET } else { -(beyond[i] + INSET) };
        }
    }
    (moved, squared.sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEAF: [i32; 8] = [-1; 8];

    /// The field x + 2 y + 4 z on one leaf of half size 1.
    fn linear() -> Octree<'static> {
        Octree {
            node_aabb: &[[0.0, 0.0, 0.0, 1.0, 1.0, 1.0]],
            node_child: &[LEAF],
            node_value: &[[-7.0, -5.0, -3.0, -1.0, 1.0, 3.0, 5.0, 7.0]],
        }
    }

    #[test]
    fn a_linear_field_is_interpolated_exactly() {
        assert_eq!(linear().distance([0.25, -0.5, 0.75]), 0.25 - 1.0 + 3.0);
        // Per leaf width, which is 2.
        assert_eq!(linear().gradient([0.25, -0.5, 0.75]), [2.0, 4.0, 8.0]);
    }

    #[test]
    fn outside_the_distance_from_the_box_is_added() {
        assert!((linear().distance([3.0, 0.0, 0.0]) - 3.0).abs() < 1e-5);
    }

    #[test]
    fn broken_trees_are_far_away() {
        let circle = Octree { node_child: &[[0; 8]], ..linear() };
        assert_eq!(circle.distance([0.0; 3]), FAR);
        let lost = Octree { node_child: &[[9; 8]], ..linear() };
        assert_eq!(lost.gradient([0.0; 3]), [0.0; 3]);
        let empty = Octree { node_aabb: &[], node_child: &[], node_value: &[] };
        assert_eq!(empty.distance([0.0; 3]), FAR);
    }
}
