//! Trees of axis-aligned boxes over the faces of a mesh, the geoms of a body or the elements of a flex.
//!
//! A node holds the box of its leaves; it is split at the median of the leaf positions along its longest side. Nodes are stored
//! in depth-first order.

use condyle_math::{Quat, Vec3, quat};

use crate::principal::EPS;
use crate::select::select_nth;

/// One thing to enclose.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BvhLeaf {
    /// Identifier stored in the leaf node.
    pub id: i32,
    /// Position the leaves are sorted by; with a quaternion also the origin of the box.
    pub position: Vec3,
    /// Orientation of the box; without one the box is in the axes of the tree already.
    pub orientation: Option<Quat>,
    /// Centre and half sizes of the box.
    pub aabb: [f64; 6],
}

/// A bounding volume tree, one entry per node.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Bvh {
    /// Centre and half sizes.
    pub aabb: Vec<[f64; 6]>,
    /// Indices of the two children within this tree, −1 for none.
    pub child: Vec<[i32; 2]>,
    /// Identifier of the leaf, −1 for inner nodes.
    pub node_id: Vec<i32>,
    /// Depth of the node.
    pub level: Vec<i32>,
}

/// The smaller of two values; the first on a tie, and a NaN in the second place is ignored.
#[inline]
pub(crate) fn lower(a: f64, b: f64) -> f64 {
    if b < a { b } else { a }
}

/// The larger of two values; the first on a tie, and a NaN in the second place is ignored.
#[inline]
pub(crate) fn upper(a: f64, b: f64) -> f64 {
    if a < b { b } else { a }
}

/// Builds the tree of `leaves` in the frame at `origin` with `orientation`.
pub fn build_bvh(leaves: &[BvhLeaf], origin: Vec3, orientation: Quat) -> Bvh {
    let inverse = quat::conjugate(orientation);
    let mut elements: Vec<Element> = leaves
        .iter()
        .enumerate()
        .map(|(index, leaf)| {
            let offset =
                [leaf.position[0] - origin[0], leaf.position[1] - origin[1], leaf.position[2] - origin[2]];
            Element { leaf: index as u32, position: quat::rotate_or_zero(offset, inverse) }
        })
        .collect();
    let boxes = leaves.iter().map(|leaf| leaf_box(leaf, origin, inverse)).collect();
    let mut builder = Builder { leaves, boxes, tree: Bvh::with_room(2 * leaves.len()) };
    builder.add_node(&mut elements, 0);
    builder.tree
}

#[derive(Clone, Copy)]
struct Element {
    leaf: u32,
    position: Vec3,
}

struct Builder<'a> {
    leaves: &'a [BvhLeaf],
    /// Lowest and highest corner of each leaf.
    boxes: Vec<[Vec3; 2]>,
    tree: Bvh,
}

impl Builder<'_> {
    /// Adds the node of `elements` and everything below it; −1 for no elements. The depth is at most log2 of the leaf count.
    fn add_node(&mut self, elements: &mut [Element], level: i32) -> i32 {
        let Some(only) = elements.first().copied() else {
            return -1;
        };
        let (low, high) = self.bounds(elements);
        let index = self.tree.node_id.len();
        self.tree.child.push([-1, -1]);
        self.tree.node_id.push(-1);
        self.tree.level.push(level);
        self.tree.aabb.push([
            (high[0] + low[0]) / 2.0,
            (high[1] + low[1]) / 2.0,
            (high[2] + low[2]) / 2.0,
            (high[0] - low[0]) / 2.0,
            (high[1] - low[1]) / 2.0,
            (high[2] - low[2]) / 2.0,
        ]);
        if elements.len() == 1 {
            self.tree.node_id[index] = self.leaves[only.leaf as usize].id;
            return index as i32;
        }
        let edges = [high[0] - low[0], high[1] - low[1], high[2] - low[2]];
        let mut axis = 0;
        if edges[1] >= edges[0] + EPS {
            axis = 1;
        }
        if edges[2] >= edges[axis] + EPS {
            axis = 2;
        }
        let middle = elements.len() / 2;
        select_nth(elements, middle, &|a: &Element, b: &Element| {
            if (a.position[axis] - b.position[axis]).abs() > EPS {
                a.position[axis] < b.position[axis]
            } else {
                a.leaf < b.leaf
            }
        });
        let (left, right) = elements.split_at_mut(middle);
        let left = self.add_node(left, level + 1);
        let right = self.add_node(right, level + 1);
        self.tree.child[index] = [left, right];
        index as i32
    }

    /// Lowest and highest corner of the boxes of `elements`; a flat side is widened a little.
    fn bounds(&self, elements: &[Element]) -> (Vec3, Vec3) {
        let (mut low, mut high) = ([f64::MAX; 3], [-f64::MAX; 3]);
        for element in elements {
            let [lowest, highest] = &self.boxes[element.leaf as usize];
            for i in 0..3 {
                low[i] = lower(low[i], lowest[i]);
                high[i] = upper(high[i], highest[i]);
            }
        }
        for i in 0..3 {
            if (low[i] - high[i]).abs() < EPS {
                low[i] -= EPS;
                high[i] += EPS;
            }
        }
        (low, high)
    }
}

impl Bvh {
    fn with_room(nodes: usize) -> Self {
        Self {
            aabb: Vec::with_capacity(nodes),
            child: Vec::with_capacity(nodes),
            node_id: Vec::with_capacity(nodes),
            level: Vec::with_capacity(nodes),
        }
    }
}

/// Lowest and highest corner of the box of a leaf in the frame of the tree; the first of equal corners counts, so that the sign of
/// a zero is kept.
fn leaf_box(leaf: &BvhLeaf, origin: Vec3, inverse: Quat) -> [Vec3; 2] {
    let [x, y, z, dx, dy, dz] = leaf.aabb;
    let sides = [[x - dx, y - dy, z - dz], [x + dx, y + dy, z + dz]];
    let (mut low, mut high) = ([f64::MAX; 3], [-f64::MAX; 3]);
    // Two opposite corners have all coordinates of a box that is not turned.
    let step = if leaf.orientation.is_some() { 1 } else { 7 };
    for corner in (0..8).step_by(step) {
        let mut point = [0, 1, 2].map(|i| sides[corner >> i & 1][i]);
        if let Some(orientation) = leaf.orientation {
            point = quat::rotate_or_zero(point, orientation);
            for i in 0..3 {
                point[i] += leaf.position[i] - origin[i];
            }
            point = quat::rotate_or_zero(point, inverse);
        }
        for i in 0..3 {
            low[i] = lower(low[i], point[i]);
            high[i] = upper(high[i], point[i]);
        }
    }
    [low, high]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn leaf(id: i32, x: f64) -> BvhLeaf {
        BvhLeaf { id, position: [x, 0.0, 0.0], orientation: None, aabb: [x, 0.0, 0.0, 0.5, 0.5, 0.0] }
    }

    #[test]
    fn leaves_are_split_at_the_median_and_flat_boxes_widened() {
        let tree = build_bvh(&[leaf(7, 3.0), leaf(8, 1.0), leaf(9, 2.0)], [0.0; 3], quat::IDENTITY);
        assert_eq!(tree.node_id, [-1, 8, -1, 9, 7]);
        assert_eq!(tree.child, [[1, 2], [-1, -1], [3, 4], [-1, -1], [-1, -1]]);
        assert_eq!(tree.level, [0, 1, 1, 2, 2]);
        assert_eq!(tree.aabb[0], [2.0, 0.0, 0.0, 1.5, 0.5, 1e-14]);
    }

    #[test]
    fn no_leaves_give_no_nodes() {
        assert_eq!(build_bvh(&[], [0.0; 3], quat::IDENTITY), Bvh::default());
    }
}
