//! The polytope that EPA expands: vertices, triangular faces with adjacency, and the list of faces that may still be closest.

use condyle_math::{MIN_VALUE, Vec3, vec3};

use super::ConvexObject;
use super::subdistance::project_on_plane;
use super::support::{Vertex, minkowski};

/// Position in the candidate list of a face too far away to become the closest.
const UNLISTED: u32 = u32::MAX;
/// Position in the candidate list of a face that is no longer part of the polytope.
const REMOVED: u32 = u32::MAX - 1;

/// A triangle of the polytope; fits one cache line.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Face {
    /// Projection of the origin on the face's plane; also an outward normal.
    pub projection: Vec3,
    /// Squared length of `projection`.
    pub squared_distance: f64,
    pub vertices: [u32; 3],
    /// Face across each edge: (0,1), (1,2), (2,0).
    pub adjacent: [u32; 3],
    /// Position in the candidate list, or one of the two marks above.
    position: u32,
}

/// A face that may be closest to the origin. The distance is repeated here so that the search for the minimum reads one dense array.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate {
    pub squared_distance: f64,
    pub face: u32,
}

/// Reusable storage of one expansion.
#[derive(Clone, Debug, Default)]
pub(crate) struct Polytope {
    pub vertices: Vec<Vertex>,
    pub faces: Vec<Face>,
    /// In no particular order; removal moves the last one into the gap.
    pub candidates: Vec<Candidate>,
    /// Edges between removed and remaining faces: remaining face and its edge.
    pub horizon: Vec<(u32, u32)>,
    /// Removed faces whose neighbours are still to be visited: face, entry edge, next neighbour (1 or 2).
    pending: Vec<(u32, u32, u32)>,
}

impl Polytope {
    /// Empty, memory kept.
    pub(super) fn clear(&mut self) {
        self.vertices.clear();
        self.faces.clear();
        self.candidates.clear();
        self.horizon.clear();
    }

    /// Append a vertex and return its index.
    #[inline]
    pub(super) fn insert(&mut self, vertex: Vertex) -> u32 {
        self.vertices.push(vertex);
        self.vertices.len() as u32 - 1
    }

    /// Append the support vertex along `direction` (of length `length`; the x axis if that is too short).
    pub(super) fn insert_support(
        &mut self,
        first: &mut ConvexObject,
        second: &mut ConvexObject,
        direction: Vec3,
        length: f64,
    ) -> u32 {
        let (unit, opposite) = if length > MIN_VALUE {
            let unit = [direction[0] / length, direction[1] / length, direction[2] / length];
            (unit, vec3::scale(unit, -1.0))
        } else {
            ([1.0, 0.0, 0.0], [-1.0, 0.0, 0.0])
        };
        self.insert(minkowski(first, second, unit, opposite))
    }

    /// A vertex of the Minkowski difference.
    #[inline(always)]
    pub(super) fn point(&self, vertex: u32) -> Vec3 {
        self.vertices[vertex as usize].difference
    }

    #[inline(always)]
    pub(super) fn face(&self, face: u32) -> &Face {
        &self.faces[face as usize]
    }

    /// Append a face; returns its squared distance from the origin, zero if its vertices are on a line.
    #[inline]
    pub(super) fn attach(&mut self, vertices: [u32; 3], adjacent: [u32; 3]) -> f64 {
        let [a, b, c] = vertices.map(|vertex| self.point(vertex));
        let projection = project_on_plane(c, b, a).unwrap_or_default();
        let squared_distance = vec3::dot(projection, projection);
        self.faces.push(Face { projection, squared_distance, vertices, adjacent, position: UNLISTED });
        squared_distance
    }

    /// Put a face on the candidate list.
    #[inline]
    pub(super) fn list(&mut self, face: u32) {
        let entry = &mut self.faces[face as usize];
        entry.position = self.candidates.len() as u32;
        self.candidates.push(Candidate { squared_distance: entry.squared_distance, face });
    }

    #[inline]
    fn is_removed(&self, face: u32) -> bool {
        self.face(face).position == REMOVED
    }

    fn remove(&mut self, face: u32) {
        let position = std::mem::replace(&mut self.faces[face as usize].position, REMOVED);
        if position < REMOVED {
            self.candidates.swap_remove(position as usize);
            if let Some(moved) = self.candidates.get(position as usize) {
                self.faces[moved.face as usize].position = position;
            }
        }
    }

    /// The edge of `face` that starts at `vertex`.
    #[inline]
    fn edge_from(&self, face: u32, vertex: u32) -> u32 {
        let vertices = &self.face(face).vertices;
        if vertices[0] == vertex {
            0
        } else if vertices[1] == vertex {
            1
        } else {
            2
        }
    }

    /// The face across `edge` of `face`, and the edge by which one enters it.
    #[inline]
    fn across(&self, face: u32, edge: usize) -> (u32, u32) {
        let Face { vertices, adjacent, .. } = self.face(face);
        let neighbour = adjacent[edge];
        (neighbour, self.edge_from(neighbour, vertices[(edge + 1) % 3]))
    }

    /// Remove `start` and every face visible from `point` that is connected to it, and collect the horizon in walking order.
    pub(super) fn carve(&mut self, start: u32, point: Vec3) {
        self.remove(start);
        for edge in 0..3 {
            let (neighbour, entry) = self.across(start, edge);
            if edge == 0 || !self.is_removed(neighbour) {
                self.visit(neighbour, entry, point);
                self.drain_pending(point);
            }
        }
    }

    /// A visible face is removed and its neighbours are scheduled; any other contributes its edge to the horizon.
    #[inline]
    fn visit(&mut self, face: u32, entry: u32, point: Vec3) {
        let Face { projection, squared_distance, .. } = *self.face(face);
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
            let edge = (entry + turn) as usize % 3;
            let (neighbour, entry) = self.across(face, edge);
            if !self.is_removed(neighbour) {
                self.visit(neighbour, entry, point);
            }
        }
    }
}
