//! Convex hull of a point set, as the vertex and edge graph that collision support functions walk.
//!
//! Which of several equal hulls comes out (the triangulation of flat faces, the order of vertices, neighbours and faces)
//! decides contacts, so the construction follows the one of the reference step by step: Quickhull (Barber, Dobkin, Huhdanpaa
//! 1996) in three dimensions with merging of facets that are not clearly convex, then triangulation. Reference: qhull with
//! option Qt.
//!
//! 1. `start.rs`: tolerances from the coordinates, a simplex of far apart points.
//! 2. `cone.rs`: the furthest point of a facet and the horizon it sees make a cone of new facets.
//! 3. `merge.rs`, `fuse.rs`, `cycle.rs`, `rename.rs`: facets that are coplanar or concave with a neighbour become one.
//! 4. `partition.rs`, `locate.rs`: points above removed facets move to new ones.
//! 5. `triangulate.rs`: polygons become fans.

mod cone;
mod cycle;
mod fuse;
mod locate;
mod merge;
mod partition;
mod plane;
mod rename;
mod start;
mod store;
#[cfg(test)]
mod tests;
mod triangulate;

use std::fmt;

use condyle_math::Vec3;

use crate::error::AssetError;
use store::{FACET_END, NONE, Store};

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

/// Why there is no hull.
#[derive(Debug, Clone, Copy, PartialEq)]
enum HullError {
    /// All points lie in one plane, on one line or at one point, or so nearly that rounding decides.
    Flat,
    /// Rounding made a facet too wide to be merged with a neighbour.
    Wide,
    /// Rounding led to facets that do not fit together.
    Topology(&'static str),
}

impl fmt::Display for HullError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flat => write!(f, "the points are flat"),
            Self::Wide => write!(f, "a facet is too wide to be merged with a neighbour"),
            Self::Topology(reason) => write!(f, "{reason}"),
        }
    }
}

/// Convex hull of `points`; `max_vertices` bounds the number of hull vertices unless negative.
pub fn convex_hull(points: &[Vec3], max_vertices: i32) -> Result<HullGraph, AssetError> {
    if points.len() < 4 || points.iter().flatten().any(|x| !x.is_finite()) {
        let message = format!("a convex hull needs at least 4 finite points, found {}", points.len());
        return Err(AssetError::new("hull-points", message));
    }
    build(points, max_vertices).map_err(|error| match error {
        HullError::Flat => flat_error(points),
        _ => AssetError::new("hull", format!("cannot make the convex hull: {error}")).help(
            "the mesh is nearly flat or has points that nearly coincide; simplify it or merge close vertices",
        ),
    })
}

fn build(points: &[Vec3], max_vertices: i32) -> Result<HullGraph, HullError> {
    let mut hull = Hull::new(points);
    hull.start()?;
    // Counted from the first simplex, which has four vertices.
    let limit = if max_vertices < 0 { usize::MAX } else { (max_vertices as usize).max(4) };
    while let Some((point, facet)) = hull.next_furthest() {
        if hull.store.vertex_count >= limit {
            break;
        }
        hull.add_point(point, facet)?;
    }
    hull.triangulate()?;
    hull.collect_vertex_neighbors();
    hull.graph()
}

/// Says along which direction flat points have no extent.
fn flat_error(points: &[Vec3]) -> AssetError {
    let extent = [0, 1, 2].map(|axis| {
        let (low, high) = points.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), point| {
            (
                if point[axis] < low { point[axis] } else { low },
                if point[axis] > high { point[axis] } else { high },
            )
        });
        high - low
    });
    let mut distinct: Vec<[u64; 3]> = points.iter().map(|p| p.map(|x| (x + 0.0).to_bits())).collect();
    distinct.sort_unstable();
    distinct.dedup();
    let flat: Vec<&str> =
        ["x", "y", "z"].into_iter().zip(extent).filter(|(_, e)| *e == 0.0).map(|(axis, _)| axis).collect();
    let message = if distinct.len() < 4 {
        format!("cannot make the convex hull: only {} different points", distinct.len())
    } else if flat.is_empty() {
        "cannot make the convex hull: the points lie in an oblique plane or on a line".into()
    } else {
        format!("cannot make the convex hull: the mesh is flat along {}", flat.join(" and "))
    };
    AssetError::new("hull-flat", message)
        .help("give the mesh some thickness, or use a box, or disable collision for a visual mesh")
}

/// A potential merge of two facets.
#[derive(Debug, Clone, Copy)]
struct FacetMerge {
    kind: MergeKind,
    first: usize,
    second: usize,
    distance: f64,
}

/// Reasons to merge, the more urgent later.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum MergeKind {
    Coplanar,
    Concave,
    ConcaveCoplanar,
    Flipped,
    Degenerate,
    Redundant,
    Mirrored,
    CoplanarHorizon,
}

/// State of the construction.
struct Hull<'a> {
    points: &'a [Vec3],
    store: Store,
    tolerance: start::Tolerance,
    /// Point inside the first simplex and so inside the hull.
    interior: Vec3,
    /// Furthest any point has been left outside of a facet.
    max_outside: f64,
    /// Furthest any vertex lies below its facets.
    min_vertex: f64,
    merge_total: usize,
    keeps_vertex_neighbors: bool,
    narrow: bool,
    search_all_new: bool,
    new_facets_not_sharp: bool,
    repartitioned_facet: usize,
    facet_merges: Vec<FacetMerge>,
    degenerate_merges: Vec<FacetMerge>,
}

impl<'a> Hull<'a> {
    fn new(points: &'a [Vec3]) -> Self {
        Self {
            points,
            store: Store::new(),
            tolerance: start::Tolerance::default(),
            interior: [0.0; 3],
            max_outside: 0.0,
            min_vertex: 0.0,
            merge_total: 0,
            keeps_vertex_neighbors: false,
            narrow: false,
            search_all_new: false,
            new_facets_not_sharp: false,
            repartitioned_facet: NONE,
            facet_merges: Vec::new(),
            degenerate_merges: Vec::new(),
        }
    }

    /// Whether so many facets were merged that points are compared with all new facets.
    fn many_merges(&self) -> bool {
        self.merge_total > 50
    }

    /// The furthest point of the first facet that has points outside.
    fn next_furthest(&mut self) -> Option<(usize, usize)> {
        while self.store.next_facet != FACET_END {
            let facet = self.store.next_facet;
            if self.store.facets[facet].outside.is_empty() {
                self.store.next_facet = self.store.facets[facet].next;
                continue;
            }
            if self.narrow && self.store.facets[facet].furthest_distance < self.tolerance.min_outside {
                self.store.next_facet = self.store.facets[facet].next;
                continue;
            }
            return self.store.facets[facet].outside.pop().map(|point| (point, facet));
        }
        None
    }

    /// Makes `point`, which is outside of `facet`, a vertex of the hull.
    fn add_point(&mut self, point: usize, facet: usize) -> Result<(), HullError> {
        self.update_max_outside();
        self.find_horizon(point, facet)?;
        self.build_cone(point)?;
        self.search_all_new = false;
        self.facet_merges.clear();
        self.degenerate_merges.clear();
        self.merge_new_facets()?;
        self.search_all_new = self.many_merges()
            || self
                .store
                .facets_from(self.store.new_facets)
                .iter()
                .any(|&f| !self.store.facets[f].simplicial);
        self.partition_visible()?;
        self.search_all_new = false;
        self.new_facets_not_sharp = false;
        self.delete_visible();
        self.store.reset_lists(true);
        Ok(())
    }

    fn delete_visible(&mut self) {
        for facet in self.store.visible() {
            self.store.delete_facet(facet);
        }
        self.store.visible_count = 0;
        for vertex in std::mem::take(&mut self.store.deleted_vertices) {
            self.store.remove_vertex(vertex);
            self.store.vertices[vertex].neighbors = Vec::new();
        }
    }

    /// Facets around each vertex, unless they are kept already.
    fn collect_vertex_neighbors(&mut self) {
        if self.keeps_vertex_neighbors {
            return;
        }
        for facet in self.store.facets_from(self.store.facet_list) {
            if self.store.facets[facet].visible {
                continue;
            }
            for i in 0..self.store.facets[facet].vertices.len() {
                let vertex = self.store.facets[facet].vertices[i];
                self.store.vertices[vertex].neighbors.push(facet);
            }
        }
        self.keeps_vertex_neighbors = true;
    }

    /// The finished hull as a graph.
    fn graph(&self) -> Result<HullGraph, HullError> {
        let vertices = self.store.vertices_from(self.store.vertex_list);
        let mut position = vec![-1_i32; self.store.vertices.len()];
        for (i, &vertex) in vertices.iter().enumerate() {
            position[vertex] = i as i32;
        }
        let mut graph = HullGraph::default();
        for &vertex in &vertices {
            let start = graph.edges.len();
            graph.edge_start.push(start as i32);
            graph.vertices.push(self.store.vertices[vertex].point as i32);
            for &facet in &self.store.vertices[vertex].neighbors {
                for &other in &self.store.facets[facet].vertices {
                    let other = position[other];
                    if other < 0 {
                        return Err(HullError::Topology("a facet has a vertex that is not part of the hull"));
                    }
                    if other != position[vertex] && !graph.edges[start..].contains(&other) {
                        graph.edges.push(other);
                    }
                }
            }
            graph.edges.push(-1);
        }
        for facet in self.store.facets_from(self.store.facet_list) {
            let entry = &self.store.facets[facet];
            let &[a, b, c] = &entry.vertices[..] else {
                return Err(HullError::Topology("a facet is not a triangle"));
            };
            let corners = if entry.top_oriented { [b, a, c] } else { [a, b, c] };
            graph.faces.extend(corners.map(|vertex| self.store.vertices[vertex].point as i32));
        }
        if graph.edges.len() != graph.vertices.len() + graph.faces.len() {
            return Err(HullError::Topology("edges and faces of the hull do not match"));
        }
        Ok(graph)
    }
}
