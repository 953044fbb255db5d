//! Coplanar faces merged into polygons, for contact patches.
//!
//! Faces with nearly the same normal are collected in an ordered set; within one direction, faces that share an edge form an
//! island, and the outline of each island is one polygon. "Nearly the same" is not transitive, so which group a face joins
//! depends on the shape of the search tree: it is a red-black tree with the usual insertion.

use condyle_math::{MIN_VALUE, Vec3};

use crate::hash::{FastMap, fast_map};
use crate::principal::triangle_normal;

/// Cosine above which two normals count as equal.
const SAME_DIRECTION: f64 = 0.99999872;

/// Lists of numbers, one after another in one array.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Lists {
    /// All numbers.
    pub items: Vec<i32>,
    /// Where each list ends.
    ends: Vec<u32>,
}

impl Lists {
    /// Bytes the arrays take.
    fn bytes(&self) -> usize {
        4 * (self.items.capacity() + self.ends.capacity())
    }

    /// Number of lists.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there is no list.
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// The lists.
    pub fn iter(&self) -> impl Iterator<Item = &[i32]> {
        let mut start = 0;
        self.ends.iter().map(move |&end| {
            let list = &self.items[start..end as usize];
            start = end as usize;
            list
        })
    }

    fn push(&mut self, list: &[i32]) {
        self.items.extend_from_slice(list);
        self.ends.push(self.items.len() as u32);
    }

    /// For each of `count` numbers the lists it is in.
    fn inverse(&self, count: usize) -> Self {
        let mut starts = vec![0_u32; count + 1];
        for &item in &self.items {
            starts[item as usize + 1] += 1;
        }
        for at in 1..=count {
            starts[at] += starts[at - 1];
        }
        let mut items = vec![0; self.items.len()];
        for (list, members) in self.iter().enumerate() {
            for &item in members {
                let place = &mut starts[item as usize];
                items[*place as usize] = list as i32;
                *place += 1;
            }
        }
        // Every start has moved to the end of its list.
        starts.truncate(count);
        Self { items, ends: starts }
    }
}

/// Polygons of a mesh and the polygons around each vertex.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Polygons {
    /// Vertices of each polygon, counter-clockwise.
    pub outlines: Lists,
    /// Unit normal of each polygon.
    pub normals: Vec<Vec3>,
    /// Polygons that each vertex belongs to.
    pub around_vertex: Lists,
}

impl Polygons {
    /// Bytes the arrays take.
    pub(crate) fn bytes(&self) -> usize {
        self.outlines.bytes() + self.around_vertex.bytes() + 24 * self.normals.capacity()
    }

    /// Merges the `faces` of a mesh.
    pub(super) fn new(vertices: &[Vec3], faces: &[i32]) -> Self {
        let mut groups = Groups::default();
        for &face in faces.as_chunks::<3>().0 {
            let [a, b, c] = face.map(|v| vertices[v as usize]);
            let normal = triangle_normal(a, b, c).0;
            match groups.find(&normal) {
                Some(group) => groups.members[group as usize].insert(face),
                None => groups.insert(normal, face),
            }
        }
        let mut polygons = Self::default();
        for group in groups.in_order() {
            let normal = groups.nodes[group as usize].normal;
            let mut add = |path: &[i32]| {
                polygons.outlines.push(path);
                polygons.normals.push(normal);
            };
            match &mut groups.members[group as usize] {
                Members::One(face) => add(face),
                Members::Many(outline) => outline.paths(|path| {
                    if path.len() >= 3 {
                        add(path);
                    }
                }),
            }
        }
        polygons.around_vertex = polygons.outlines.inverse(vertices.len());
        polygons
    }

    /// Normals of the first three vertices of each polygon, after the mesh was moved.
    pub(super) fn recompute_normals(&mut self, vertices: &[Vec3]) {
        for (normal, outline) in self.normals.iter_mut().zip(self.outlines.iter()) {
            if let &[a, b, c, ..] = outline {
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

const NONE: u32 = u32::MAX;

struct Node {
    normal: Vec3,
    parent: u32,
    child: [u32; 2],
    black: bool,
}

/// Red-black tree of directions with the faces of each; no removal.
struct Groups {
    nodes: Vec<Node>,
    members: Vec<Members>,
    root: u32,
}

/// The faces of one direction.
enum Members {
    One([i32; 3]),
    Many(Box<Outline>),
}

impl Members {
    fn insert(&mut self, face: [i32; 3]) {
        if let Self::One(first) = self {
            *self = Self::Many(Box::new(Outline::new(*first)));
        }
        if let Self::Many(outline) = self {
            outline.insert(face);
        }
    }
}

impl Default for Groups {
    fn default() -> Self {
        Self { nodes: Vec::new(), members: Vec::new(), root: NONE }
    }
}

impl Groups {
    /// First node that does not come before `normal`, if `normal` does not come before it either.
    fn find(&self, normal: &Vec3) -> Option<u32> {
        let (mut at, mut candidate) = (self.root, NONE);
        while let Some(node) = self.nodes.get(at as usize) {
            if before(&node.normal, normal) {
                at = node.child[1];
            } else {
                candidate = at;
                at = node.child[0];
            }
        }
        (candidate != NONE && !before(normal, &self.nodes[candidate as usize].normal)).then_some(candidate)
    }

    /// Adds a direction. A node equivalent to it on the way down, which [`Groups::find`] may have missed, makes the face vanish.
    fn insert(&mut self, normal: Vec3, face: [i32; 3]) {
        let (mut at, mut parent, mut side) = (self.root, NONE, 0);
        while let Some(node) = self.nodes.get(at as usize) {
            parent = at;
            if before(&normal, &node.normal) {
                side = 0;
            } else if before(&node.normal, &normal) {
                side = 1;
            } else {
                return;
            }
            at = node.child[side];
        }
        let new = self.nodes.len() as u32;
        self.nodes.push(Node { normal, parent, child: [NONE; 2], black: false });
        self.members.push(Members::One(face));
        if parent == NONE {
            self.root = new;
        } else {
            self.node(parent).child[side] = new;
        }
        self.rebalance(new);
    }

    fn node(&mut self, at: u32) -> &mut Node {
        &mut self.nodes[at as usize]
    }

    fn rebalance(&mut self, new: u32) {
        let mut at = new;
        loop {
            let parent = self.node(at).parent;
            if parent == NONE {
                self.node(at).black = true;
                return;
            }
            if self.node(parent).black {
                return;
            }
            let grandparent = self.node(parent).parent;
            if grandparent == NONE {
                self.node(parent).black = true;
                return;
            }
            let side = usize::from(self.node(grandparent).child[1] == parent);
            let uncle = self.node(grandparent).child[1 - side];
            if uncle != NONE && !self.node(uncle).black {
                self.node(parent).black = true;
                self.node(uncle).black = true;
                self.node(grandparent).black = false;
                at = grandparent;
                continue;
            }
            let mut top = parent;
            if self.node(parent).child[1 - side] == at {
                self.rotate(parent, side);
                top = at;
            }
            self.node(top).black = true;
            self.node(grandparent).black = false;
            self.rotate(grandparent, 1 - side);
            return;
        }
    }

    /// Turns the edge between `at` and its child on the other side, so that `at` goes down towards `side`.
    fn rotate(&mut self, at: u32, side: usize) {
        let up = self.node(at).child[1 - side];
        let middle = self.node(up).child[side];
        let parent = self.node(at).parent;
        self.node(at).child[1 - side] = middle;
        if middle != NONE {
            self.node(middle).parent = at;
        }
        self.node(up).parent = parent;
        if parent == NONE {
            self.root = up;
        } else {
            let place = usize::from(self.node(parent).child[1] == at);
            self.node(parent).child[place] = up;
        }
        self.node(up).child[side] = at;
        self.node(at).parent = up;
    }

    /// Nodes from first to last.
    fn in_order(&self) -> Vec<u32> {
        let mut order = Vec::with_capacity(self.nodes.len());
        let mut stack = Vec::new();
        let mut at = self.root;
        loop {
            while let Some(node) = self.nodes.get(at as usize) {
                stack.push(at);
                at = node.child[0];
            }
            let Some(next) = stack.pop() else {
                return order;
            };
            order.push(next);
            at = self.nodes[next as usize].child[1];
        }
    }
}

/// Boundary edges of a set of coplanar faces.
struct Outline {
    /// Edges in the order they came; those that vanished leave a gap.
    edges: Vec<Edge>,
    /// Positions of the edges by their ends, once there are many.
    places: Option<FastMap<u64, Places>>,
    /// For each island one that it was connected to, itself if none. The oldest one stands for all.
    connected: Vec<u32>,
}

#[derive(Clone, Copy)]
struct Edge {
    from: i32,
    to: i32,
    island: u32,
}

/// Positions of equal edges: nearly always one.
#[derive(Default)]
struct Places {
    first: Option<u32>,
    others: Vec<u32>,
}

impl Places {
    fn push(&mut self, place: u32) {
        match self.first {
            None => self.first = Some(place),
            Some(_) => self.others.push(place),
        }
    }

    fn take(&mut self) -> Option<u32> {
        let first = self.first.take();
        if !self.others.is_empty() {
            self.first = Some(self.others.remove(0));
        }
        first
    }
}

/// Island of an edge that vanished.
const GONE: u32 = u32::MAX;

/// Outlines with more edges than this are searched by a map.
const MANY_EDGES: usize = 32;

fn key(from: i32, to: i32) -> u64 {
    u64::from(from as u32) << 32 | u64::from(to as u32)
}

impl Outline {
    fn new([a, b, c]: [i32; 3]) -> Self {
        let mut edges = Vec::with_capacity(6);
        edges.extend([(a, b), (b, c), (c, a)].map(|(from, to)| Edge { from, to, island: 0 }));
        Self { edges, places: None, connected: vec![0] }
    }

    /// Adds a face: edges met in the opposite direction vanish, islands it connects become one.
    fn insert(&mut self, [a, b, c]: [i32; 3]) {
        let mut island = None;
        let mut new_edges = [None; 3];
        for ((from, to), new) in [(a, b), (b, c), (c, a)].into_iter().zip(&mut new_edges) {
            let Some(met) = self.take(to, from) else {
                *new = Some((from, to));
                continue;
            };
            let met = self.oldest(met);
            island = Some(match island {
                None => met,
                Some(current) => {
                    let (low, high) = if met < current { (met, current) } else { (current, met) };
                    self.connected[high as usize] = low;
                    low
                }
            });
        }
        let island = island.unwrap_or_else(|| {
            self.connected.push(self.connected.len() as u32);
            self.connected.len() as u32 - 1
        });
        for (from, to) in new_edges.into_iter().flatten() {
            if let Some(places) = &mut self.places {
                places.entry(key(from, to)).or_default().push(self.edges.len() as u32);
            }
            self.edges.push(Edge { from, to, island });
        }
    }

    /// Removes the first edge with these ends and returns its island.
    fn take(&mut self, from: i32, to: i32) -> Option<u32> {
        if self.places.is_none() && self.edges.len() > MANY_EDGES {
            let mut places: FastMap<u64, Places> = fast_map(self.edges.len());
            for (place, edge) in self.edges.iter().enumerate().filter(|(_, edge)| edge.island != GONE) {
                places.entry(key(edge.from, edge.to)).or_default().push(place as u32);
            }
            self.places = Some(places);
        }
        let place = match &mut self.places {
            Some(places) => places.get_mut(&key(from, to))?.take()? as usize,
            None => self
                .edges
                .iter()
                .position(|edge| edge.from == from && edge.to == to && edge.island != GONE)?,
        };
        Some(std::mem::replace(&mut self.edges[place].island, GONE))
    }

    /// The oldest island connected to this one.
    fn oldest(&mut self, island: u32) -> u32 {
        let mut at = island as usize;
        while self.connected[at] as usize != at {
            self.connected[at] = self.connected[self.connected[at] as usize];
            at = self.connected[at] as usize;
        }
        at as u32
    }

    /// Vertices along the boundary of each island, oldest first; islands whose boundary does not close are left out.
    fn paths(&mut self, mut add: impl FnMut(&[i32])) {
        let mut edges = std::mem::take(&mut self.edges);
        edges.retain(|edge| edge.island != GONE);
        if let [a, b, c] = edges[..] {
            add(&[a.from, b.from, c.from]);
            return;
        }
        for edge in &mut edges {
            edge.island = self.oldest(edge.island);
        }
        // The continuation is the first edge of the island that starts at the vertex; the very first edge is never one.
        let mut sorted: Vec<(u32, i32, u32)> = edges
            .iter()
            .enumerate()
            .skip(1)
            .map(|(place, edge)| (edge.island, edge.from, place as u32))
            .collect();
        sorted.sort_unstable();
        let continuation = |island: u32, vertex: i32| {
            let at = sorted.partition_point(|&(group, from, _)| (group, from) < (island, vertex));
            let &(group, from, place) = sorted.get(at)?;
            ((group, from) == (island, vertex)).then(|| edges[place as usize].to)
        };
        let mut starts: Vec<(u32, u32)> =
            edges.iter().enumerate().map(|(place, edge)| (edge.island, place as u32)).collect();
        starts.sort_unstable();
        let mut path = Vec::new();
        for island in starts.chunk_by(|a, b| a.0 == b.0) {
            let (group, first) = island[0];
            let start = edges[first as usize];
            path.clear();
            path.extend([start.from, start.to]);
            let mut at = start.to;
            // A boundary longer than the island has edges runs in a circle without its start.
            for _ in 0..island.len() {
                let Some(next) = continuation(group, at) else {
                    break;
                };
                at = next;
                if at == start.from {
                    add(&path);
                    break;
                }
                path.push(at);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SQUARE: [Vec3; 4] = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.0], [0.0, 1.0, 0.0]];

    #[test]
    fn two_coplanar_triangles_give_one_quadrilateral() {
        let polygons = Polygons::new(&SQUARE, &[0, 1, 2, 0, 2, 3]);
        assert_eq!(polygons.outlines.iter().collect::<Vec<_>>(), [[0, 1, 2, 3]]);
        assert_eq!(polygons.around_vertex.iter().collect::<Vec<_>>(), [[0], [0], [0], [0]]);
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
