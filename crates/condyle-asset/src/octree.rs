//! Octree around a mesh with the signed distance at the corners of its cells, for distance field geoms.
//!
//! Cells that meet a triangle are divided down to a fixed depth; neighbouring leaves differ by one level at most. A corner that
//! lies in the middle of an edge or face of a larger neighbour takes the mean of the corners around it, so that the
//! interpolated field is continuous.

use std::collections::{HashMap, VecDeque};

use condyle_math::{Vec3, vec3};

use crate::distance::MeshDistance;
use crate::error::AssetError;
use crate::mesh::centre_and_halves;

const MAX_LEVEL: i32 = 6;
/// The root is this much larger than the bounding box.
const MARGIN: f64 = 1.1;
/// Coordinates nearer than this are on the same plane.
const SAME_PLANE: f64 = 1e-9;
const NONE: usize = usize::MAX;

/// A finished octree, one entry per node.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Octree {
    /// Depth of the node.
    pub level: Vec<i32>,
    /// Children, −1 for none.
    pub child: Vec<[i32; 8]>,
    /// Centre and half sizes.
    pub aabb: Vec<[f64; 6]>,
    /// Signed distances at the corners; bits 0, 1, 2 of the index are x, y, z.
    pub coefficient: Vec<[f64; 8]>,
}

/// Builds the octree of a mesh with the given bounds (lowest, highest corner).
pub fn build_octree(vertices: &[Vec3], faces: &[i32], bounds: &[f64; 6]) -> Result<Octree, AssetError> {
    let triangles: Vec<[Vec3; 3]> =
        faces.as_chunks::<3>().0.iter().map(|face| face.map(|vertex| vertices[vertex as usize])).collect();
    let mut builder = Builder::default();
    builder.divide(&triangles, &root_box(bounds));
    builder.balance();
    builder.find_hanging_corners();
    let distance = MeshDistance::new(vertices, faces);
    let values = builder.corner_values(&distance)?;
    Ok(builder.finish(&values))
}

fn root_box(bounds: &[f64; 6]) -> [f64; 6] {
    let mut root = [0.0; 6];
    for i in 0..3 {
        let centre = (bounds[i] + bounds[i + 3]) / 2.0;
        let half = (bounds[i + 3] - bounds[i]) / 2.0;
        root[i] = centre - MARGIN * half;
        root[i + 3] = centre + MARGIN * half;
    }
    root
}

struct Cell {
    level: i32,
    parent: usize,
    slot: usize,
    child: [usize; 8],
    corner: [usize; 8],
    bounds: [f64; 6],
}

impl Cell {
    fn is_leaf(&self) -> bool {
        self.child[0] == NONE
    }

    fn centre(&self) -> Vec3 {
        [0, 1, 2].map(|i| (self.bounds[i] + self.bounds[i + 3]) / 2.0)
    }
}

#[derive(Default)]
struct Builder {
    cells: Vec<Cell>,
    corners: Vec<Vec3>,
    corner_index: HashMap<[u64; 3], usize>,
    /// Corners whose mean a hanging corner takes; none for the others.
    hanging: Vec<Vec<usize>>,
}

impl Builder {
    /// Divides cells that meet triangles, level by level.
    fn divide(&mut self, triangles: &[[Vec3; 3]], root: &[f64; 6]) {
        self.add_cell(0, NONE, 0, *root);
        let mut queue: VecDeque<(usize, Vec<usize>)> = VecDeque::new();
        queue.push_back((0, (0..triangles.len()).collect()));
        while let Some((cell, candidates)) = queue.pop_front() {
            let bounds = &self.cells[cell].bounds;
            let inside: Vec<usize> =
                candidates.into_iter().filter(|&t| box_meets_triangle(&triangles[t], bounds)).collect();
            if inside.is_empty() || self.cells[cell].level >= MAX_LEVEL {
                continue;
            }
            for child in self.split(cell) {
                queue.push_back((child, inside.clone()));
            }
        }
    }

    /// Gives a cell its eight children.
    fn split(&mut self, cell: usize) -> [usize; 8] {
        let parent = self.cells[cell].bounds;
        let level = self.cells[cell].level + 1;
        std::array::from_fn(|slot| {
            let mut bounds = [0.0; 6];
            for i in 0..3 {
                let upper = slot & (1 << i) != 0;
                bounds[i] = if upper { (parent[i + 3] + parent[i]) / 2.0 } else { parent[i] };
                bounds[i + 3] = if upper { parent[i + 3] } else { (parent[i] + parent[i + 3]) / 2.0 };
            }
            let child = self.add_cell(level, cell, slot, bounds);
            self.cells[cell].child[slot] = child;
            child
        })
    }

    fn add_cell(&mut self, level: i32, parent: usize, slot: usize, bounds: [f64; 6]) -> usize {
        let corner = std::array::from_fn(|k| {
            let position = [0, 1, 2].map(|i| if k & (1 << i) != 0 { bounds[i + 3] } else { bounds[i] });
            // Adding zero makes both zeros equal.
            *self.corner_index.entry(position.map(|x| (x + 0.0).to_bits())).or_insert_with(|| {
                self.corners.push(position);
                self.corners.len() - 1
            })
        });
        self.cells.push(Cell { level, parent, slot, child: [NONE; 8], corner, bounds });
        self.cells.len() - 1
    }

    fn leaves(&self) -> Vec<usize> {
        (0..self.cells.len()).filter(|&cell| self.cells[cell].is_leaf()).collect()
    }

    /// The leaf on the other side of a face: direction 0 to 5 is −x, +x, −y, +y, −z, +z.
    fn neighbor(&self, cell: usize, direction: usize) -> Option<usize> {
        let (bit, side) = (1 << (direction / 2), direction % 2);
        // Up to the first ancestor that has a sibling on that side.
        let mut at = cell;
        let mut result = loop {
            let entry = &self.cells[at];
            if entry.parent == NONE {
                return None;
            }
            if (side == 1) != (entry.slot & bit != 0) {
                break self.cells[entry.parent].child[entry.slot ^ bit];
            }
            at = entry.parent;
        };
        // Down to the leaf that touches the face.
        let centre = self.cells[cell].centre();
        while result != NONE && !self.cells[result].is_leaf() {
            let middle = self.cells[result].centre();
            let mut slot = (0..3).filter(|&i| centre[i] > middle[i]).map(|i| 1 << i).sum::<usize>();
            slot = (slot & !bit) | if side == 1 { 0 } else { bit };
            result = self.cells[result].child[slot];
        }
        (result != NONE).then_some(result)
    }

    /// Divides leaves until neighbours differ by one level at most.
    fn balance(&mut self) {
        loop {
            let mut too_large = Vec::new();
            for leaf in self.leaves() {
                for direction in 0..6 {
                    let Some(neighbor) = self.neighbor(leaf, direction) else {
                        continue;
                    };
                    let (own, other) = (self.cells[leaf].level, self.cells[neighbor].level);
                    if other > own + 1 {
                        too_large.push(leaf);
                    }
                    if own > other + 1 {
                        too_large.push(neighbor);
                    }
                }
            }
            if too_large.is_empty() {
                return;
            }
            for cell in too_large {
                if self.cells[cell].is_leaf() {
                    self.split(cell);
                }
            }
        }
    }

    /// Finds the corners of leaves that lie inside an edge or a face of a larger neighbour.
    fn find_hanging_corners(&mut self) {
        self.hanging = vec![Vec::new(); self.corners.len()];
        for leaf in self.leaves() {
            for direction in 0..6 {
                let Some(neighbor) = self.neighbor(leaf, direction) else {
                    continue;
                };
                if self.cells[neighbor].level >= self.cells[leaf].level {
                    continue;
                }
                let (axis, side) = (direction / 2, direction % 2);
                for k in 0..4 {
                    let slot = side << axis | (k & 1) << ((axis + 1) % 3) | (k >> 1) << ((axis + 2) % 3);
                    let corner = self.cells[leaf].corner[slot];
                    if self.hanging[corner].is_empty() {
                        self.hanging[corner] = self.support_of(self.corners[corner], neighbor);
                    }
                }
            }
        }
    }

    /// Corners of `cell` around a position inside one of its edges or faces; none for a corner of the cell.
    fn support_of(&self, position: Vec3, cell: usize) -> Vec<usize> {
        let cell = &self.cells[cell];
        let at_low = [0, 1, 2].map(|i| (position[i] - cell.bounds[i]).abs() < SAME_PLANE);
        let at_high = [0, 1, 2].map(|i| (position[i] - cell.bounds[i + 3]).abs() < SAME_PLANE);
        let on_plane = [0, 1, 2].map(|i| at_low[i] || at_high[i]);
        let fixed: usize = (0..3).filter(|&i| at_high[i]).map(|i| 1 << i).sum();
        match on_plane.iter().filter(|on| **on).count() {
            2 => {
                let along = on_plane.iter().position(|on| !on).unwrap_or(0);
                vec![cell.corner[fixed], cell.corner[fixed | 1 << along]]
            }
            1 => {
                let face = on_plane.iter().position(|on| *on).unwrap_or(0);
                (0..4)
                    .map(|k| cell.corner[fixed | (k & 1) << ((face + 1) % 3) | (k >> 1) << ((face + 2) % 3)])
                    .collect()
            }
            _ => Vec::new(),
        }
    }

    /// Distances at the corners, parents before children; hanging corners take means.
    fn corner_values(&self, distance: &MeshDistance) -> Result<Vec<f64>, AssetError> {
        let mut values = vec![0.0; self.corners.len()];
        let mut known = vec![false; self.corners.len()];
        let mut queue = VecDeque::from([0]);
        while let Some(cell) = queue.pop_front() {
            for &corner in &self.cells[cell].corner {
                if known[corner] {
                    continue;
                }
                let support = &self.hanging[corner];
                if support.is_empty() {
                    values[corner] = distance.signed_distance(self.corners[corner]);
                } else {
                    let mut sum = 0.0;
                    for &other in support {
                        sum += values[other];
                        if !known[other] {
                            return Err(AssetError::new("octree", "sdf coefficient computation failed"));
                        }
                    }
                    values[corner] = sum / support.len() as f64;
                }
                known[corner] = true;
            }
            queue.extend(self.cells[cell].child.iter().filter(|&&child| child != NONE));
        }
        Ok(values)
    }

    fn finish(&self, values: &[f64]) -> Octree {
        let mut octree = Octree::default();
        for cell in &self.cells {
            octree.level.push(cell.level);
            octree.child.push(cell.child.map(|child| if child == NONE { -1 } else { child as i32 }));
            octree.aabb.push(centre_and_halves(&cell.bounds));
            octree.coefficient.push(cell.corner.map(|corner| values[corner]));
        }
        octree
    }
}

/// Whether a box and a triangle overlap: bounding boxes, the plane of the triangle, projections (Schwarz and Seidel 2010).
fn box_meets_triangle(v: &[Vec3; 3], bounds: &[f64; 6]) -> bool {
    for i in 0..3 {
        if v.iter().all(|corner| corner[i] < bounds[i]) || v.iter().all(|corner| corner[i] > bounds[i + 3]) {
            return false;
        }
    }
    let edges = [vec3::sub(v[1], v[0]), vec3::sub(v[2], v[1]), vec3::sub(v[0], v[2])];
    let normal = vec3::cross(edges[0], edges[1]);
    let low = [bounds[0], bounds[1], bounds[2]];
    let size = [bounds[3] - bounds[0], bounds[4] - bounds[1], bounds[5] - bounds[2]];
    let critical = [0, 1, 2].map(|i| if normal[i] > 0.0 { size[i] } else { 0.0 });
    let near = [0, 1, 2].map(|i| critical[i] - v[0][i]);
    let far = [0, 1, 2].map(|i| size[i] - critical[i] - v[0][i]);
    let base = vec3::dot(normal, low);
    if (base + vec3::dot(normal, near)) * (base + vec3::dot(normal, far)) > 0.0 {
        return false;
    }
    let positive = |x: f64| if 0.0 > x { 0.0 } else { x };
    for a in 0..3 {
        let (b, c) = ((a + 1) % 3, (a + 2) % 3);
        let sign = if normal[a] >= 0.0 { 1.0 } else { -1.0 };
        for i in 0..3 {
            let across = [-edges[i][c] * sign, edges[i][b] * sign];
            let offset = -(across[0] * v[i][b] + across[1] * v[i][c])
                + positive(size[b] * across[0])
                + positive(size[c] * across[1]);
            if (across[0] * low[b] + across[1] * low[c]) + offset < 0.0 {
                return false;
            }
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn leaves_around_a_tetrahedron_are_balanced_and_signed() {
        let vertices = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
        let octree =
            build_octree(&vertices, &[0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3], &[0.0, 0.0, 0.0, 1.0, 1.0, 1.0])
                .unwrap();
        assert_eq!(octree.level.iter().max(), Some(&MAX_LEVEL));
        assert!(octree.coefficient.iter().flatten().any(|&x| x < 0.0));
        // Distances of the corners of the root are not interpolated.
        assert!((octree.coefficient[0][7] - (3.0 * 1.05 - 1.0) / 3.0_f64.sqrt()).abs() < 1e-12);
        for (node, children) in octree.child.iter().enumerate() {
            for &child in children {
                assert!(child < 0 || octree.level[child as usize] == octree.level[node] + 1);
            }
        }
    }
}
