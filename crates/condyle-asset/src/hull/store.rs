//! Facets, ridges and vertices of a hull under construction, and the two ordered lists that hold them.
//!
//! The order of the facet and vertex lists and of every set decides the order of the result, so removal from a set is
//! spelled out each time: [`take_out`] fills the gap with the last element, [`take_out_in_order`] closes it.

use condyle_math::Vec3;

use super::HullError;

/// No element.
pub(super) const NONE: usize = usize::MAX;

/// One face of the hull: a triangle, or a polygon after merging.
#[derive(Debug, Clone, Default)]
pub(super) struct Facet {
    /// Outward unit normal and offset of the plane, once computed.
    pub(super) normal: Vec3,
    pub(super) offset: f64,
    pub(super) has_plane: bool,
    /// Mean of the vertices projected to the plane, once needed.
    pub(super) centre: Option<Vec3>,
    pub(super) previous: usize,
    pub(super) next: usize,
    /// Vertices, youngest first.
    pub(super) vertices: Vec<usize>,
    /// Neighbours; of a triangle, number `i` is opposite vertex `i`.
    pub(super) neighbors: Vec<usize>,
    /// Ridges to neighbours where either side is a polygon.
    pub(super) ridges: Vec<usize>,
    pub(super) had_ridges: bool,
    /// Points above the plane, the furthest last.
    pub(super) outside: Vec<usize>,
    /// Points near the plane.
    pub(super) coplanar: Vec<usize>,
    pub(super) furthest_distance: f64,
    pub(super) max_outside: f64,
    /// Replacement of a visible facet, next of a cycle of new facets, or the cycle that ends at a horizon facet.
    pub(super) link: usize,
    pub(super) visit: u32,
    pub(super) merge_count: u32,
    pub(super) top_oriented: bool,
    pub(super) simplicial: bool,
    pub(super) seen: bool,
    pub(super) visible: bool,
    pub(super) is_new: bool,
    pub(super) tested: bool,
    pub(super) coplanar_horizon: bool,
    pub(super) merge_horizon: bool,
    pub(super) cycle_done: bool,
    pub(super) keep_centre: bool,
    pub(super) newly_merged: bool,
    pub(super) degenerate: bool,
    pub(super) redundant: bool,
    pub(super) flipped: bool,
    pub(super) triangulated: bool,
}

/// An edge between two facets of which at least one is a polygon.
#[derive(Debug, Clone, Default)]
pub(super) struct Ridge {
    /// Ends, youngest first.
    pub(super) vertices: [usize; 2],
    pub(super) top: usize,
    pub(super) bottom: usize,
    pub(super) simplicial_top: bool,
    pub(super) simplicial_bottom: bool,
    pub(super) nonconvex: bool,
    pub(super) tested: bool,
}

impl Ridge {
    pub(super) fn other_facet(&self, facet: usize) -> usize {
        if self.top == facet { self.bottom } else { self.top }
    }

    pub(super) fn other_vertex(&self, vertex: usize) -> usize {
        if self.vertices[0] == vertex { self.vertices[1] } else { self.vertices[0] }
    }
}

/// A corner of the hull. Its index grows with its age in the hull.
#[derive(Debug, Clone, Default)]
pub(super) struct Vertex {
    pub(super) point: usize,
    /// Facets around it, kept once merging has started.
    pub(super) neighbors: Vec<usize>,
    pub(super) previous: usize,
    pub(super) next: usize,
    pub(super) visit: u32,
    pub(super) seen: bool,
    pub(super) lost_ridge: bool,
    pub(super) deleted: bool,
    pub(super) is_new: bool,
    pub(super) partitioned: bool,
}

/// Facets, ridges, vertices and the lists. Element 0 of facets and of vertices is the end mark of its list.
#[derive(Debug)]
pub(super) struct Store {
    pub(super) facets: Vec<Facet>,
    /// Places of deleted facets, used again for new ones.
    pub(super) free_facets: Vec<usize>,
    pub(super) ridges: Vec<Ridge>,
    pub(super) vertices: Vec<Vertex>,
    pub(super) facet_list: usize,
    pub(super) next_facet: usize,
    pub(super) new_facets: usize,
    pub(super) visible_facets: usize,
    pub(super) facet_count: usize,
    pub(super) visible_count: usize,
    pub(super) vertex_list: usize,
    pub(super) new_vertices: usize,
    pub(super) vertex_count: usize,
    pub(super) deleted_vertices: Vec<usize>,
    pub(super) visit: u32,
    pub(super) vertex_visit: u32,
}

/// End mark of the facet list.
pub(super) const FACET_END: usize = 0;
/// End mark of the vertex list.
pub(super) const VERTEX_END: usize = 0;

impl Store {
    pub(super) fn new() -> Self {
        let facet = Facet {
            previous: NONE,
            next: NONE,
            link: NONE,
            is_new: true,
            simplicial: true,
            ..Facet::default()
        };
        let vertex = Vertex { point: NONE, previous: NONE, next: NONE, ..Vertex::default() };
        Self {
            facets: vec![facet],
            free_facets: Vec::new(),
            ridges: Vec::new(),
            vertices: vec![vertex],
            facet_list: FACET_END,
            next_facet: FACET_END,
            new_facets: FACET_END,
            visible_facets: NONE,
            facet_count: 0,
            visible_count: 0,
            vertex_list: VERTEX_END,
            new_vertices: VERTEX_END,
            vertex_count: 0,
            deleted_vertices: Vec::new(),
            visit: 0,
            vertex_visit: 0,
        }
    }

    pub(super) fn add_facet(&mut self, vertices: Vec<usize>, top_oriented: bool, max_outside: f64) -> usize {
        let facet = Facet {
            vertices,
            top_oriented,
            max_outside,
            previous: NONE,
            next: NONE,
            link: NONE,
            simplicial: true,
            is_new: true,
            ..Facet::default()
        };
        match self.free_facets.pop() {
            Some(place) => {
                self.facets[place] = facet;
                place
            }
            None => {
                self.facets.push(facet);
                self.facets.len() - 1
            }
        }
    }

    pub(super) fn add_vertex(&mut self, point: usize) -> usize {
        self.vertices.push(Vertex { point, previous: NONE, next: NONE, ..Vertex::default() });
        self.vertices.len() - 1
    }

    /// Adds a ridge to the sets of both facets.
    pub(super) fn add_ridge(&mut self, ridge: Ridge) {
        let index = self.ridges.len();
        for facet in [ridge.top, ridge.bottom] {
            self.attach_ridge(facet, index);
        }
        self.ridges.push(ridge);
    }

    pub(super) fn attach_ridge(&mut self, facet: usize, ridge: usize) {
        self.facets[facet].ridges.push(ridge);
        self.facets[facet].had_ridges = true;
    }

    pub(super) fn next_visit(&mut self) -> u32 {
        self.visit += 1;
        self.visit
    }

    pub(super) fn next_vertex_visit(&mut self) -> u32 {
        self.vertex_visit += 1;
        self.vertex_visit
    }

    /// Puts a facet before the end mark.
    pub(super) fn append_facet(&mut self, facet: usize) {
        if self.new_facets == FACET_END {
            self.new_facets = facet;
            if self.visible_facets == FACET_END {
                self.visible_facets = facet;
            }
        }
        if self.next_facet == FACET_END {
            self.next_facet = facet;
        }
        let last = self.facets[FACET_END].previous;
        self.facets[facet].previous = last;
        self.facets[facet].next = FACET_END;
        if last != NONE {
            self.facets[last].next = facet;
        } else {
            self.facet_list = facet;
        }
        self.facets[FACET_END].previous = facet;
        self.facet_count += 1;
    }

    /// Takes a facet out of the list; list heads that point to it move to the next one.
    pub(super) fn remove_facet(&mut self, facet: usize) {
        let (previous, next) = (self.facets[facet].previous, self.facets[facet].next);
        for head in [&mut self.new_facets, &mut self.next_facet, &mut self.visible_facets] {
            if *head == facet {
                *head = next;
            }
        }
        if previous != NONE {
            self.facets[previous].next = next;
        } else {
            self.facet_list = next;
        }
        if next != NONE {
            self.facets[next].previous = previous;
        }
        self.facet_count -= 1;
    }

    /// Puts a facet before `place`.
    fn insert_facet_before(&mut self, facet: usize, place: usize) {
        let previous = self.facets[place].previous;
        self.facets[facet].previous = previous;
        if previous != NONE {
            self.facets[previous].next = facet;
        }
        self.facets[place].previous = facet;
        self.facets[facet].next = place;
        if self.facet_list == place {
            self.facet_list = facet;
        }
        if self.next_facet == place {
            self.next_facet = facet;
        }
        self.facet_count += 1;
    }

    /// Puts a facet in front of those still to be processed.
    pub(super) fn process_first(&mut self, facet: usize) {
        self.remove_facet(facet);
        let place = self.next_facet;
        self.insert_facet_before(facet, place);
        self.next_facet = facet;
    }

    /// Moves a facet to the front of the visible ones, to be deleted; points go to `replacement`.
    pub(super) fn will_delete(&mut self, facet: usize, replacement: usize) {
        self.remove_facet(facet);
        let place = if self.visible_facets == NONE { FACET_END } else { self.visible_facets };
        self.insert_facet_before(facet, place);
        self.visible_facets = facet;
        self.visible_count += 1;
        let entry = &mut self.facets[facet];
        entry.visible = true;
        entry.link = replacement;
        entry.ridges.clear();
        entry.neighbors.clear();
    }

    /// Moves a facet to the end of the list.
    pub(super) fn move_facet_to_end(&mut self, facet: usize) {
        self.remove_facet(facet);
        self.append_facet(facet);
    }

    /// Takes a facet out of the list and frees its sets.
    pub(super) fn delete_facet(&mut self, facet: usize) {
        self.remove_facet(facet);
        let entry = &mut self.facets[facet];
        entry.vertices = Vec::new();
        entry.neighbors = Vec::new();
        entry.ridges = Vec::new();
        entry.outside = Vec::new();
        entry.coplanar = Vec::new();
        self.free_facets.push(facet);
    }

    pub(super) fn append_vertex(&mut self, vertex: usize) {
        if self.new_vertices == VERTEX_END {
            self.new_vertices = vertex;
        }
        let last = self.vertices[VERTEX_END].previous;
        let entry = &mut self.vertices[vertex];
        entry.is_new = true;
        entry.previous = last;
        entry.next = VERTEX_END;
        if last != NONE {
            self.vertices[last].next = vertex;
        } else {
            self.vertex_list = vertex;
        }
        self.vertices[VERTEX_END].previous = vertex;
        self.vertex_count += 1;
    }

    pub(super) fn remove_vertex(&mut self, vertex: usize) {
        let (previous, next) = (self.vertices[vertex].previous, self.vertices[vertex].next);
        if self.new_vertices == vertex {
            self.new_vertices = next;
        }
        if previous != NONE {
            self.vertices[previous].next = next;
        } else {
            self.vertex_list = next;
        }
        if next != NONE {
            self.vertices[next].previous = previous;
        }
        self.vertex_count -= 1;
    }

    /// Moves vertices that are not among the new ones to the end of the list.
    pub(super) fn make_vertices_new(&mut self, vertices: &[usize]) {
        for &vertex in vertices {
            if !self.vertices[vertex].is_new {
                self.remove_vertex(vertex);
                self.append_vertex(vertex);
            }
        }
    }

    pub(super) fn mark_deleted(&mut self, vertex: usize) {
        self.vertices[vertex].deleted = true;
        self.deleted_vertices.push(vertex);
    }

    /// Facets from `start` to the end of the list.
    pub(super) fn facets_from(&self, start: usize) -> Vec<usize> {
        let mut facets = Vec::new();
        let mut at = start;
        while at != NONE && at != FACET_END {
            facets.push(at);
            at = self.facets[at].next;
        }
        facets
    }

    /// Visible facets, which lie together in the list.
    pub(super) fn visible(&self) -> Vec<usize> {
        let mut facets = Vec::new();
        let mut at = self.visible_facets;
        while at != NONE && at != FACET_END && self.facets[at].visible {
            facets.push(at);
            at = self.facets[at].next;
        }
        facets
    }

    /// Vertices from `start` to the end of the list.
    pub(super) fn vertices_from(&self, start: usize) -> Vec<usize> {
        let mut vertices = Vec::new();
        let mut at = start;
        while at != NONE && at != VERTEX_END {
            vertices.push(at);
            at = self.vertices[at].next;
        }
        vertices
    }

    /// Ends the processing of a point: nothing is new or visible any more.
    pub(super) fn reset_lists(&mut self, reset_visible: bool) {
        for vertex in self.vertices_from(self.new_vertices) {
            self.vertices[vertex].is_new = false;
        }
        self.new_vertices = NONE;
        for facet in self.facets_from(self.new_facets) {
            self.facets[facet].is_new = false;
        }
        self.new_facets = NONE;
        if reset_visible {
            for facet in self.visible() {
                self.facets[facet].link = NONE;
                self.facets[facet].visible = false;
            }
            self.visible_count = 0;
        }
        self.visible_facets = NONE;
    }

    /// The facet that took the place of a visible one.
    pub(super) fn replacement(&self, facet: usize) -> Result<usize, HullError> {
        let mut at = facet;
        for _ in 0..=self.facets.len() {
            if at == NONE || !self.facets[at].visible {
                return Ok(at);
            }
            at = self.facets[at].link;
        }
        Err(HullError::Topology("facets replace each other in a circle"))
    }
}

/// Removes an element, the last one takes its place. Whether it was there.
pub(super) fn take_out(set: &mut Vec<usize>, element: usize) -> bool {
    match set.iter().position(|&x| x == element) {
        Some(position) => {
            set.swap_remove(position);
            true
        }
        None => false,
    }
}

/// Removes an element and closes the gap.
pub(super) fn take_out_in_order(set: &mut Vec<usize>, element: usize) {
    if let Some(position) = set.iter().position(|&x| x == element) {
        set.remove(position);
    }
}

/// Puts `new` in the place of `old`.
pub(super) fn replace(set: &mut [usize], old: usize, new: usize) -> Result<(), HullError> {
    match set.iter_mut().find(|x| **x == old) {
        Some(place) => {
            *place = new;
            Ok(())
        }
        None => Err(HullError::Topology("an element to replace is missing from its set")),
    }
}
