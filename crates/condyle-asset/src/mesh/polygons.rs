//! Coplanar faces merged into polygons, for contact patches.
//!
//! Faces with nearly the same normal are collected in an ordered set; within one direction, faces that share an edge form an
//! island, and the outline of each island is one polygon. "Nearly the same" is not transitive, so which group a face joins
//! depends on the shape of the search tree: it is a red-black tree with the usual insertion.

use std::collections::{BTreeMap, HashMap};

use condyle_math::{MIN_VALUE, Vec3};

use crate::principal::triangle_normal;

/// Cosine above which two normals count as equal.
const SAME_DIRECTION: f64 = 0.99999872;

/// Polygons of a mesh and the polygons around each vertex.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Polygons {
    /// Vertices of each polygon, counter-clockwise.
    pub outlines: Vec<Vec<i32>>,
    /// Unit normal of each polygon.
    pub normals: Vec<Vec3>,
    /// Polygons that each vertex belongs to.
    pub around_vertex: Vec<Vec<i32>>,
}

impl Polygons {
    /// Merges the `faces` of a mesh.
    pub(super) fn new(vertices: &[Vec3], faces: &[i32]) -> Self {
        let mut groups = Groups::default();
        for &face in faces.as_chunks::<3>().0 {
            let [a, b, c] = face.map(|v| vertices[v as usize]);
            let normal = triangle_normal(a, b, c).0;
            match groups.find(normal) {
                Some(group) => groups.nodes[group].outline.insert(face),
                None => groups.insert(normal, face),
            }
        }
        let mut polygons = Self { around_vertex: vec![Vec::new(); vertices.len()], ..Self::default() };
        for group in groups.in_order() {
            for path in groups.nodes[group].outline.paths() {
                if path.len() >= 3 {
                    polygons.outlines.push(path);
                    polygons.normals.push(groups.nodes[group].normal);
                }
            }
        }
        for (polygon, outline) in polygons.outlines.iter().enumerate() {
            for &vertex in outline {
                polygons.around_vertex[vertex as usize].push(polygon as i32);
            }
        }
        polygons
    }

    /// Normals of the first three vertices of each polygon, after the mesh was moved.
    pub(super) fn recompute_normals(&mut self, vertices: &[Vec3]) {
        for (normal, outline) in self.normals.iter_mut().zip(&self.outlines) {
            if let [a, b, c, ..] = outline[..] {
                *normal = triangle_normal(vertices[a as usize], vertices[b as usize], vertices[c as usize]).0;
            }
        }
    }
}

/// Whether `a` comes before `b`: decreasing by x, then y, then z, unless they point in nearly the same direction.
fn before(a: &Vec3, b: &Vec3) -> bool {
    if a[0] * b[0] + a[1] * b[1] + a[2] * b[2] > SAME_DIRECTION {
        return false;
    }
    for i in 0..3 {
        if (a[i] - b[i]).abs() > MIN_VALUE {
            return a[i] > b[i];
        }
    }
    false
}

const NONE: usize = usize::MAX;

struct Node {
    normal: Vec3,
    outline: Outline,
    parent: usize,
    child: [usize; 2],
    black: bool,
}

/// Red-black tree of directions; no removal.
struct Groups {
    nodes: Vec<Node>,
    root: usize,
}

impl Default for Groups {
    fn default() -> Self {
        Self { nodes: Vec::new(), root: NONE }
    }
}

impl Groups {
    /// First node that does not come before `normal`, if `normal` does not come before it either.
    fn find(&self, normal: Vec3) -> Option<usize> {
        let (mut at, mut candidate) = (self.root, NONE);
        while at != NONE {
            let node = &self.nodes[at];
            if before(&node.normal, &normal) {
                at = node.child[1];
            } else {
                candidate = at;
                at = node.child[0];
            }
        }
        (candidate != NONE && !before(&normal, &self.nodes[candidate].normal)).then_some(candidate)
    }

    /// Adds a direction. A node equivalent to it on the way down, which [`Groups::find`] may have missed, makes the face vanish.
    fn insert(&mut self, normal: Vec3, face: [i32; 3]) {
        let (mut at, mut parent, mut side) = (self.root, NONE, 0);
        while at != NONE {
            parent = at;
            let node = &self.nodes[at];
            if before(&normal, &node.normal) {
                side = 0;
            } else if before(&node.normal, &normal) {
                side = 1;
            } else {
                return;
            }
            at = node.child[side];
        }
        let new = self.nodes.len();
        self.nodes.push(Node { normal, outline: Outline::new(face), parent, child: [NONE; 2], black: false });
        if parent == NONE {
            self.root = new;
        } else {
            self.nodes[parent].child[side] = new;
        }
        self.rebalance(new);
    }

    fn rebalance(&mut self, new: usize) {
        let mut at = new;
        loop {
            let parent = self.nodes[at].parent;
            if parent == NONE {
                self.nodes[at].black = true;
                return;
            }
            if self.nodes[parent].black {
                return;
            }
            let grandparent = self.nodes[parent].parent;
            if grandparent == NONE {
                self.nodes[parent].black = true;
                return;
            }
            let side = usize::from(self.nodes[grandparent].child[1] == parent);
            let uncle = self.nodes[grandparent].child[1 - side];
            if uncle != NONE && !self.nodes[uncle].black {
                self.nodes[parent].black = true;
                self.nodes[uncle].black = true;
                self.nodes[grandparent].black = false;
                at = grandparent;
                continue;
            }
            let mut top = parent;
            if self.nodes[parent].child[1 - side] == at {
                self.rotate(parent, side);
                top = at;
            }
            self.nodes[top].black = true;
            self.nodes[grandparent].black = false;
            self.rotate(grandparent, 1 - side);
            return;
        }
    }

    /// Turns the edge between `at` and its child on the other side, so that `at` goes down towards `side`.
    fn rotate(&mut self, at: usize, side: usize) {
        let up = self.nodes[at].child[1 - side];
        let middle = self.nodes[up].child[side];
        let parent = self.nodes[at].parent;
        self.nodes[at].child[1 - side] = middle;
        if middle != NONE {
            self.nodes[middle].parent = at;
        }
        self.nodes[up].parent = parent;
        if parent == NONE {
            self.root = up;
        } else {
            let place = usize::from(self.nodes[parent].child[1] == at);
            self.nodes[parent].child[place] = up;
        }
        self.nodes[up].child[side] = at;
        self.nodes[at].parent = up;
    }

    /// Nodes from first to last.
    fn in_order(&self) -> Vec<usize> {
        let mut order = Vec::with_capacity(self.nodes.len());
        let mut stack = Vec::new();
        let mut at = self.root;
        loop {
            while at != NONE {
                stack.push(at);
                at = self.nodes[at].child[0];
            }
            let Some(next) = stack.pop() else {
                return order;
            };
            order.push(next);
            at = self.nodes[next].child[1];
        }
    }
}

/// Boundary edges of a set of coplanar faces.
struct Outline {
    /// Edges in the order they came; those that vanished leave a gap.
    edges: Vec<Option<Edge>>,
    /// Positions of the edges by their ends, once there are many.
    places: Option<HashMap<(i32, i32), Vec<usize>>>,
    /// For each island one that it was connected to, itself if none. The oldest one stands for all.
    connected: Vec<usize>,
}

#[derive(Clone, Copy)]
struct Edge {
    from: i32,
    to: i32,
    island: usize,
}

/// Outlines with more edges than this are searched by a map.
const MANY_EDGES: usize = 32;

impl Outline {
    fn new([a, b, c]: [i32; 3]) -> Self {
        let edges = [(a, b), (b, c), (c, a)].map(|(from, to)| Some(Edge { from, to, island: 0 })).to_vec();
        Self { edges, places: None, connected: vec![0] }
    }

    /// Adds a face: edges met in the opposite direction vanish, islands it connects become one.
    fn insert(&mut self, [a, b, c]: [i32; 3]) {
        let mut island = None;
        let mut new_edges = Vec::with_capacity(3);
        for (from, to) in [(a, b), (b, c), (c, a)] {
            let Some(met) = self.take(to, from) else {
                new_edges.push((from, to));
                continue;
            };
            let met = self.oldest(met.island);
            island = Some(match island {
                None => met,
                Some(current) => {
                    let (low, high) = if met < current { (met, current) } else { (current, met) };
                    self.connected[high] = low;
                    low
                }
            });
        }
        let island = island.unwrap_or_else(|| {
            self.connected.push(self.connected.len());
            self.connected.len() - 1
        });
        for (from, to) in new_edges {
            if let Some(places) = &mut self.places {
                places.entry((from, to)).or_default().push(self.edges.len());
            }
            self.edges.push(Some(Edge { from, to, island }));
        }
    }

    /// Removes the first edge with these ends.
    fn take(&mut self, from: i32, to: i32) -> Option<Edge> {
        if self.places.is_none() && self.edges.len() > MANY_EDGES {
            let mut places: HashMap<(i32, i32), Vec<usize>> = HashMap::new();
            for (place, edge) in self.edges.iter().enumerate() {
                if let Some(edge) = edge {
                    places.entry((edge.from, edge.to)).or_default().push(place);
                }
            }
            self.places = Some(places);
        }
        let place = match &mut self.places {
            Some(places) => {
                let same = places.get_mut(&(from, to)).filter(|same| !same.is_empty())?;
                same.remove(0)
            }
            None => self
                .edges
                .iter()
                .position(|edge| edge.is_some_and(|edge| edge.from == from && edge.to == to))?,
        };
        self.edges[place].take()
    }

    /// The oldest island connected to this one.
    fn oldest(&mut self, island: usize) -> usize {
        let mut at = island;
        while self.connected[at] != at {
            self.connected[at] = self.connected[self.connected[at]];
            at = self.connected[at];
        }
        at
    }

    /// Vertices along the boundary of each island; islands whose boundary does not close are left out.
    fn paths(&mut self) -> Vec<Vec<i32>> {
        let mut edges: Vec<Edge> = self.edges.iter().copied().flatten().collect();
        if let [a, b, c] = edges[..] {
            return vec![vec![a.from, b.from, c.from]];
        }
        // The continuation is the first edge of the island that starts at the vertex; the very first edge is never one.
        let mut continuation = HashMap::new();
        let mut islands: BTreeMap<usize, (Edge, usize)> = BTreeMap::new();
        for (place, edge) in edges.iter_mut().enumerate() {
            edge.island = self.oldest(edge.island);
            islands.entry(edge.island).or_insert((*edge, 0)).1 += 1;
            if place > 0 {
                continuation.entry((edge.island, edge.from)).or_insert(edge.to);
            }
        }
        let mut paths = Vec::new();
        for (island, (start, size)) in islands {
            let mut path = vec![start.from, start.to];
            let mut at = start.to;
            // A boundary longer than the island has edges runs in a circle without its start.
            for _ in 0..size {
                let Some(&next) = continuation.get(&(island, at)) else {
                    break;
                };
                at = next;
                if at == start.from {
                    paths.push(path);
                    break;
                }
                path.push(at);
            }
        }
        paths
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SQUARE: [Vec3; 4] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]];

    #[test]
    fn two_coplanar_triangles_give_one_quadrilateral() {
        let polygons = Polygons::new(&SQUARE, &[0, 1, 2, 0, 2, 3]);
        assert_eq!(polygons.outlines, [[0, 1, 2, 3]]);
        assert_eq!(polygons.around_vertex, [[0], [0], [0], [0]]);
        assert_eq!(polygons.normals, [[0.0, 0.0, 1.0]]);
    }

    #[test]
    fn separate_coplanar_faces_stay_separate_polygons() {
        let vertices: Vec<Vec3> =
            (0..2).flat_map(|k| SQUARE.map(|v| [v[0] + 5.0 * k as f64, v[1], v[2]])).collect();
        let polygons = Polygons::new(&vertices, &[0, 1, 2, 4, 5, 6, 0, 2, 3, 4, 6, 7]);
        assert_eq!(polygons.outlines.len(), 2);
        assert!(polygons.outlines.iter().all(|outline| outline.len() == 4));
    }

    #[test]
    fn many_directions_come_in_decreasing_order() {
        let mut vertices = vec![[0.0, 0.0, 0.0]];
        let mut faces = Vec::new();
        for k in 0..200 {
            let angle = f64::from(k * 37 % 200) * 0.01;
            let first = vertices.len() as i32;
            vertices.push([0.0, 1.0, 0.0]);
            vertices.push([angle.sin(), 0.0, angle.cos()]);
            faces.extend([0, first, first + 1]);
        }
        let polygons = Polygons::new(&vertices, &faces);
        assert_eq!(polygons.normals.len(), 200);
        assert!(polygons.normals.windows(2).all(|pair| pair[0][0] > pair[1][0]));
    }
}
