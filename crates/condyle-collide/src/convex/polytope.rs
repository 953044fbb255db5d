//! The polytope that EPA expands: vertices, triangular faces with adjacency, and the list of faces that may still be closest.

use condyle_math::{MIN_VALUE, Vec3, vec3};

use super::ConvexObject;
use super::subdistance::project_on_plane;
use super::support::{Vertex, minkowski};

/// Where a face stands with respect to the candidate list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Standing {
    /// Part of the polytope, too far away to become the closest face.
    Unlisted,
    /// At this position in the candidate list.
    Listed(usize),
    /// No longer part of the polytope.
    Removed,
}

/// A triangle of the polytope.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Face {
    pub vertices: [usize; 3],
    /// Face across each edge: (0,1), (1,2), (2,0).
    pub adjacent: [usize; 3],
    /// Projection of the origin on the face's plane; also an outward normal.
    pub projection: Vec3,
    /// Squared length of `projection`.
    pub squared_distance: f64,
    pub standing: Standing,
}

/// Reusable storage of one expansion.
#[derive(Clone, Debug, Default)]
pub(crate) struct Polytope {
    pub vertices: Vec<Vertex>,
    pub faces: Vec<Face>,
    /// Faces that may be closest to the origin; removal moves the last one into the gap.
    pub candidates: Vec<usize>,
    /// Edges between removed and remaining faces: remaining face and its edge.
    pub horizon: Vec<(usize, usize)>,
    /// Removed faces whose neighbours are still to be visited: face, entry edge, next neighbour (1 or 2).
    pending: Vec<(usize, usize, usize)>,
}

impl Polytope {
    /// Empty, memory kept.
    pub fn clear(&mut self) {
        self.vertices.clear();
        self.faces.clear();
        self.candidates.clear();
        self.horizon.clear();
    }

    /// Append a vertex and return its index.
    pub fn insert(&mut self, vertex: Vertex) -> usize {
        self.vertices.push(vertex);
        self.vertices.len() - 1
    }

    /// Append the support vertex along `direction` (of length `length`; the x axis if that is too short).
    pub fn insert_support(
        &mut self,
        first: &mut ConvexObject,
        second: &mut ConvexObject,
        direction: Vec3,
        length: f64,
    ) -> usize {
        let (unit, opposite) = if length > MIN_VALUE {
            let unit = [direction[0] / length, direction[1] / length, direction[2] / length];
            (unit, vec3::scale(unit, -1.0))
        } else {
            ([1.0, 0.0, 0.0], [-1.0, 0.0, 0.0])
        };
        self.insert(minkowski(first, second, unit, opposite))
    }

    /// Append a face; returns its squared distance from the origin, zero if its vertices are on a line.
    pub fn attach(&mut self, vertices: [usize; 3], adjacent: [usize; 3]) -> f64 {
        let [a, b, c] = vertices.map(|index| self.vertices[index].difference);
        let projection = project_on_plane(c, b, a);
        let normal = projection.unwrap_or_default();
        let squared_distance = vec3::dot(normal, normal);
        self.faces.push(Face {
            vertices,
            adjacent,
            projection: normal,
            squared_distance,
            standing: Standing::Unlisted,
        });
        squared_distance
    }

    /// Put a face on the candidate list.
    pub fn list(&mut self, face: usize) {
        self.faces[face].standing = Standing::Listed(self.candidates.len());
        self.candidates.push(face);
    }

    fn remove(&mut self, face: usize) {
        if let Standing::Listed(position) = self.faces[face].standing {
            self.candidates.swap_remove(position);
            if let Some(&moved) = self.candidates.get(position) {
                self.faces[moved].standing = Standing::Listed(position);
            }
        }
        self.faces[face].standing = Standing::Removed;
    }

    /// The edge of `face` that starts at `vertex`.
    fn edge_from(&self, face: usize, vertex: usize) -> usize {
        let vertices = &self.faces[face].vertices;
        if vertices[0] == vertex {
            0
        } else if vertices[1] == vertex {
            1
        } else {
            2
        }
    }

    /// Remove `start` and every face visible from `point` that is connected to it, and collect the horizon in walking order.
    pub fn carve(&mut self, start: usize, point: Vec3) {
        self.remove(start);
        for edge in 0..3 {
            let neighbour = self.faces[start].adjacent[edge];
            let entry = self.edge_from(neighbour, self.faces[start].vertices[(edge + 1) % 3]);
            if edge == 0 || self.faces[neighbour].standing != Standing::Removed {
                self.visit(neighbour, entry, point);
                self.drain_pending(point);
            }
        }
    }

    /// A visible face is removed and its neighbours are scheduled; any other contributes its edge to the horizon.
    fn visit(&mut self, face: usize, entry: usize, point: Vec3) {
        let Face { projection, squared_distance, .. } = self.faces[face];
        if vec3::dot(projection, point) - squared_distance > MIN_VALUE {
            self.remove(face);
            self.pending.push((face, entry, 1));
        } else {
            self.horizon.push((face, entry));
        }
    }

    /// Depth first, so that the horizon comes out as a closed loop.
    fn drain_pending(&mut self, point: Vec3) {
        while let Some((face, entry, turn)) = self.pending.pop() {
            if turn == 1 {
                self.pending.push((face, entry, 2));
            }
            let edge = (entry + turn) % 3;
            let neighbour = self.faces[face].adjacent[edge];
            if self.faces[neighbour].standing != Standing::Removed {
                let entry = self.edge_from(neighbour, self.faces[face].vertices[(edge + 1) % 3]);
                self.visit(neighbour, entry, point);
            }
        }
    }
}
