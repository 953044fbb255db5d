//! Convex hull of a point set, as the vertex and edge graph that collision support functions walk.

use condyle_math::Vec3;

use crate::error::AssetError;

/// Vertices, edges and triangles of a convex hull.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HullGraph {
    /// Index of each hull vertex in the mesh.
    pub vertices: Vec<i32>,
    /// Start of the neighbours of each hull vertex in `edges`.
    pub edge_start: Vec<i32>,
    /// Neighbours of each hull vertex as positions in `vertices`, each list ended by −1.
    pub edges: Vec<i32>,
    /// Triangles, three mesh vertex indices each, counter-clockwise seen from outside.
    pub faces: Vec<i32>,
}

impl HullGraph {
    /// The graph as one array of integers: counts, `edge_start`, `vertices`, `edges`, `faces`.
    pub fn to_array(&self) -> Vec<i32> {
        let mut array = vec![self.vertices.len() as i32, (self.faces.len() / 3) as i32];
        array.extend_from_slice(&self.edge_start);
        array.extend_from_slice(&self.vertices);
        array.extend_from_slice(&self.edges);
        array.extend_from_slice(&self.faces);
        array
    }
}

/// Convex hull of `points`; `max_vertices` bounds the number of hull vertices unless negative.
pub fn convex_hull(points: &[Vec3], max_vertices: i32) -> Result<HullGraph, AssetError> {
    let _ = (points, max_vertices);
    Err(AssetError::new("hull-missing", "no convex hull"))
}
