//! Merges one facet into a neighbour: vertices, neighbours and ridges of the first become those of the second.
//!
//! The second facet keeps its plane. It is moved to the end of the list; the first one joins the visible facets, to be deleted.

use super::merge::Spread;
use super::store::{NONE, Ridge, Store, replace, take_out, take_out_in_order};
use super::{Hull, HullError, MergeKind};

/// Facets may move a vertex by this times the distance one merge can cause.
const WIDE: f64 = 100.0;
/// Facets with more vertices than this keep their centre when another facet is merged into them.
const MANY_FOR_CENTRE: usize = 8;
const MAX_MERGE_COUNT: u32 = 511;

impl Hull<'_> {
    /// Merges `facet` into `into`. With `apex_only` the facet is a new triangle on the horizon, which adds its apex.
    pub(super) fn fuse(
        &mut self,
        facet: usize,
        into: usize,
        kind: MergeKind,
        spread: Option<Spread>,
        apex_only: bool,
    ) -> Result<(), HullError> {
        if let Some(spread) = spread {
            let facets = &self.store.facets;
            let mut limit = WIDE * self.tolerance.one_merge;
            for width in [facets[facet].max_outside, facets[into].max_outside] {
                if limit < width {
                    limit = width;
                }
            }
            if spread.highest > limit || -spread.lowest > limit {
                return Err(HullError::Wide);
            }
        }
        if facet == into || self.store.facets[facet].visible || self.store.facets[into].visible {
            return Err(HullError::Topology("a facet would be merged with itself or a deleted one"));
        }
        if self.store.facet_count - self.store.visible_count <= 4 {
            return Err(HullError::Topology("only a simplex is left, no facets can be merged"));
        }
        self.collect_vertex_neighbors();
        self.make_ridges(facet);
        self.make_ridges(into);
        if let Some(spread) = spread {
            self.note_spread(into, spread);
        }
        let count = self.store.facets[facet].merge_count + self.store.facets[into].merge_count + 1;
        self.store.facets[into].merge_count = count.min(MAX_MERGE_COUNT);
        self.store.facets[into].newly_merged = true;
        self.forget_tests(facet, into);
        if self.store.facets[facet].vertices.len() == 3 {
            self.fuse_triangle(facet, into, apex_only)?;
        } else {
            self.fuse_polygon(facet, into)?;
        }
        self.store.move_facet_to_end(into);
        self.store.facets[into].is_new = true;
        self.store.facets[into].tested = false;
        if kind != MergeKind::CoplanarHorizon {
            self.add_redundant_neighbors(into)?;
            self.add_degenerate_neighbors(facet)?;
            self.add_if_degenerate(into)?;
        }
        self.store.will_delete(facet, into);
        self.merge_total += 1;
        Ok(())
    }

    fn note_spread(&mut self, into: usize, spread: Spread) {
        let entry = &mut self.store.facets[into];
        if self.max_outside < spread.highest {
            self.max_outside = spread.highest;
        }
        if entry.max_outside < spread.highest {
            entry.max_outside = spread.highest;
        }
        if self.min_vertex > spread.lowest {
            self.min_vertex = spread.lowest;
        }
        let wide = self.tolerance.wide_facet;
        if spread.highest > wide || spread.lowest < -wide {
            entry.keep_centre = true;
        }
    }

    /// Gives a triangle ridges to all its neighbours, so that it can be a polygon.
    pub(super) fn make_ridges(&mut self, facet: usize) {
        if !self.store.facets[facet].simplicial {
            return;
        }
        self.store.facets[facet].simplicial = false;
        let Store { facets, ridges, .. } = &mut self.store;
        for i in 0..facets[facet].neighbors.len() {
            let neighbor = facets[facet].neighbors[i];
            facets[neighbor].seen = false;
        }
        for i in 0..facets[facet].ridges.len() {
            let neighbor = ridges[facets[facet].ridges[i]].other_facet(facet);
            facets[neighbor].seen = true;
        }
        for skip in 0..self.store.facets[facet].neighbors.len() {
            let entry = &self.store.facets[facet];
            let neighbor = entry.neighbors[skip];
            if !self.store.facets[neighbor].seen {
                let ridge = self.ridge_of_triangle(facet, facet, neighbor, skip, entry.tested);
                self.store.add_ridge(ridge);
            }
        }
    }

    /// The ridge opposite corner `skip` of `triangle`, between `facet` and `neighbor`.
    pub(super) fn ridge_of_triangle(
        &self,
        triangle: usize,
        facet: usize,
        neighbor: usize,
        skip: usize,
        tested: bool,
    ) -> Ridge {
        let entry = &self.store.facets[triangle];
        let mut corners = (0..entry.vertices.len()).filter(|&i| i != skip).map(|i| entry.vertices[i]);
        let vertices = [corners.next().unwrap_or(NONE), corners.next().unwrap_or(NONE)];
        let top = entry.top_oriented ^ (skip % 2 == 1);
        let own_simplicial = triangle == facet;
        let other_simplicial = self.store.facets[neighbor].simplicial;
        Ridge {
            vertices,
            top: if top { facet } else { neighbor },
            bottom: if top { neighbor } else { facet },
            simplicial_top: if top { own_simplicial } else { other_simplicial },
            simplicial_bottom: if top { other_simplicial } else { own_simplicial },
            nonconvex: false,
            tested,
        }
    }

    /// The ridges of a merged facet, and the centre unless it is kept, have to be tested again.
    fn forget_tests(&mut self, facet: usize, into: usize) {
        let Store { facets, ridges, .. } = &mut self.store;
        facets[into].tested = false;
        for &ridge in &facets[facet].ridges {
            ridges[ridge].tested = false;
        }
        let entry = &mut facets[into];
        if entry.centre.is_none() {
            return;
        }
        let size = entry.vertices.len();
        if !entry.keep_centre {
            entry.keep_centre = size > MANY_FOR_CENTRE;
        } else if size == 3 {
            entry.keep_centre = false;
        }
        if !entry.keep_centre {
            entry.centre = None;
            for &ridge in &entry.ridges {
                ridges[ridge].tested = false;
            }
        }
    }

    /// Merges a triangle: its vertex opposite the common ridge is added.
    fn fuse_triangle(&mut self, facet: usize, into: usize, apex_only: bool) -> Result<(), HullError> {
        let (opposite, is_new) = if apex_only {
            let apex = self.store.facets[facet].vertices[0];
            if !self.store.facets[into].is_new {
                let vertices = self.store.facets[into].vertices.clone();
                self.store.make_vertices_new(&vertices);
            }
            let is_new = self.store.facets[into].vertices.first() != Some(&apex);
            if is_new {
                self.store.facets[into].vertices.insert(0, apex);
            }
            (apex, is_new)
        } else {
            let opposite = self.vertex_opposite(facet, into)?;
            let is_new = self.add_facet_vertex(into, opposite);
            if !self.store.facets[into].is_new {
                let vertices = self.store.facets[into].vertices.clone();
                self.store.make_vertices_new(&vertices);
            } else {
                self.store.make_vertices_new(&[opposite]);
            }
            (opposite, is_new)
        };
        for i in 0..self.store.facets[facet].vertices.len() {
            let vertex = self.store.facets[facet].vertices[i];
            if vertex == opposite && is_new {
                replace(&mut self.store.vertices[vertex].neighbors, facet, into)?;
            } else {
                self.leave_vertex(vertex, facet, into);
            }
        }
        self.take_over_triangle_ridges(facet, into)
    }

    /// The vertex of a triangle that is not on its ridge to `into`.
    fn vertex_opposite(&mut self, facet: usize, into: usize) -> Result<usize, HullError> {
        let Store { facets, ridges, vertices, .. } = &mut self.store;
        let shared = facets[facet].ridges.iter().find(|&&ridge| ridges[ridge].other_facet(facet) == into);
        let ends = shared.map_or([NONE; 2], |&ridge| ridges[ridge].vertices);
        for end in ends {
            if end != NONE {
                vertices[end].lost_ridge = true;
            }
        }
        let opposite = facets[facet].vertices.iter().copied().find(|vertex| !ends.contains(vertex));
        opposite.ok_or(HullError::Topology("a triangle has no vertex opposite a ridge"))
    }

    /// Adds a vertex in order of age; whether it was missing.
    pub(super) fn add_facet_vertex(&mut self, facet: usize, vertex: usize) -> bool {
        let vertices = &mut self.store.facets[facet].vertices;
        let place = vertices.iter().position(|&other| other <= vertex).unwrap_or(vertices.len());
        let is_new = vertices.get(place) != Some(&vertex);
        if is_new {
            vertices.insert(place, vertex);
        }
        is_new
    }

    /// `facet` no longer counts among the facets of a vertex; with fewer than two left the vertex is deleted.
    fn leave_vertex(&mut self, vertex: usize, facet: usize, into: usize) {
        take_out(&mut self.store.vertices[vertex].neighbors, facet);
        if self.store.vertices[vertex].neighbors.len() < 2 {
            take_out_in_order(&mut self.store.facets[into].vertices, vertex);
            self.store.mark_deleted(vertex);
        }
    }

    fn take_over_triangle_ridges(&mut self, facet: usize, into: usize) -> Result<(), HullError> {
        let visit = self.store.next_visit();
        for i in 0..self.store.facets[into].neighbors.len() {
            let neighbor = self.store.facets[into].neighbors[i];
            self.store.facets[neighbor].visit = visit;
        }
        let mut i = 0;
        while i < self.store.facets[facet].ridges.len() {
            let ridge = self.store.facets[facet].ridges[i];
            let other = self.store.ridges[ridge].other_facet(facet);
            if other == into {
                self.delete_ridge(ridge);
                take_out(&mut self.store.facets[into].neighbors, facet);
                continue;
            }
            i += 1;
            self.store.attach_ridge(into, ridge);
            if self.store.facets[other].visit != visit {
                self.store.facets[into].neighbors.push(other);
                replace(&mut self.store.facets[other].neighbors, facet, into)?;
                self.store.facets[other].visit = visit;
            } else {
                self.forget_second_neighbor(other, facet, into)?;
            }
            self.move_ridge_end(ridge, facet, into);
        }
        Ok(())
    }

    /// `other` was a neighbour of both facets; only `into` stays. The first neighbour keeps its place.
    fn forget_second_neighbor(&mut self, other: usize, facet: usize, into: usize) -> Result<(), HullError> {
        self.make_ridges(other);
        let neighbors = &mut self.store.facets[other].neighbors;
        if neighbors.first() == Some(&facet) {
            take_out(neighbors, into);
            replace(neighbors, facet, into)
        } else {
            take_out(neighbors, facet);
            Ok(())
        }
    }

    fn move_ridge_end(&mut self, ridge: usize, facet: usize, into: usize) {
        let ridge = &mut self.store.ridges[ridge];
        if ridge.top == facet {
            ridge.top = into;
            ridge.simplicial_top = false;
        } else {
            ridge.bottom = into;
            ridge.simplicial_bottom = false;
        }
    }

    fn fuse_polygon(&mut self, facet: usize, into: usize) -> Result<(), HullError> {
        let vertex_visit = self.store.next_vertex_visit();
        for i in 0..self.store.facets[into].vertices.len() {
            let vertex = self.store.facets[into].vertices[i];
            self.store.vertices[vertex].visit = vertex_visit;
        }
        self.fuse_neighbors(facet, into)?;
        self.fuse_vertices(facet, into);
        self.fuse_ridges(facet, into);
        for i in 0..self.store.facets[facet].vertices.len() {
            let vertex = self.store.facets[facet].vertices[i];
            if self.store.vertices[vertex].visit != vertex_visit {
                replace(&mut self.store.vertices[vertex].neighbors, facet, into)?;
            } else {
                self.leave_vertex(vertex, facet, into);
            }
        }
        if !self.store.facets[into].is_new {
            let vertices = self.store.facets[into].vertices.clone();
            self.store.make_vertices_new(&vertices);
        }
        Ok(())
    }

    fn fuse_neighbors(&mut self, facet: usize, into: usize) -> Result<(), HullError> {
        let visit = self.store.next_visit();
        for i in 0..self.store.facets[into].neighbors.len() {
            let neighbor = self.store.facets[into].neighbors[i];
            self.store.facets[neighbor].visit = visit;
        }
        for i in 0..self.store.facets[facet].neighbors.len() {
            let neighbor = self.store.facets[facet].neighbors[i];
            if self.store.facets[neighbor].visit == visit {
                self.forget_second_neighbor(neighbor, facet, into)?;
            } else if neighbor != into {
                self.store.facets[into].neighbors.push(neighbor);
                replace(&mut self.store.facets[neighbor].neighbors, facet, into)?;
            }
        }
        take_out(&mut self.store.facets[facet].neighbors, into);
        take_out(&mut self.store.facets[into].neighbors, facet);
        Ok(())
    }

    /// Union of the vertices, youngest first.
    fn fuse_vertices(&mut self, facet: usize, into: usize) {
        let mut union = self.store.facets[facet].vertices.clone();
        union.extend_from_slice(&self.store.facets[into].vertices);
        union.sort_unstable_by(|a, b| b.cmp(a));
        union.dedup();
        self.store.facets[into].vertices = union;
    }

    fn fuse_ridges(&mut self, facet: usize, into: usize) {
        let mut i = 0;
        while i < self.store.facets[into].ridges.len() {
            let ridge = self.store.facets[into].ridges[i];
            if self.store.ridges[ridge].top == facet || self.store.ridges[ridge].bottom == facet {
                self.delete_ridge(ridge);
            } else {
                i += 1;
            }
        }
        for i in 0..self.store.facets[facet].ridges.len() {
            let ridge = self.store.facets[facet].ridges[i];
            self.move_ridge_end(ridge, facet, into);
            self.store.attach_ridge(into, ridge);
        }
    }

    /// Removes a ridge from both facets. If it was nonconvex another ridge between them inherits the mark.
    pub(super) fn delete_ridge(&mut self, ridge: usize) {
        let Store { facets, ridges, vertices, .. } = &mut self.store;
        let Ridge { top, bottom, nonconvex, vertices: ends, .. } = ridges[ridge].clone();
        if nonconvex {
            ridges[ridge].nonconvex = false;
            let twin = facets[top].ridges.iter().copied().find(|&other| {
                other != ridge && (ridges[other].top == bottom || ridges[other].bottom == bottom)
            });
            if let Some(twin) = twin {
                ridges[twin].nonconvex = true;
            }
        }
        for end in ends {
            vertices[end].lost_ridge = true;
        }
        take_out(&mut facets[top].ridges, ridge);
        take_out(&mut facets[bottom].ridges, ridge);
    }

    /// Neighbours whose vertices all belong to `facet` are redundant.
    pub(super) fn add_redundant_neighbors(&mut self, facet: usize) -> Result<(), HullError> {
        if self.store.facets[facet].neighbors.len() < 3 {
            return self.add_merge(facet, facet, MergeKind::Degenerate, 0.0);
        }
        let visit = self.store.next_vertex_visit();
        for i in 0..self.store.facets[facet].vertices.len() {
            let vertex = self.store.facets[facet].vertices[i];
            self.store.vertices[vertex].visit = visit;
        }
        for i in 0..self.store.facets[facet].neighbors.len() {
            let neighbor = self.store.facets[facet].neighbors[i];
            let entry = &self.store.facets[neighbor];
            if entry.visible {
                return Err(HullError::Topology("a facet has a deleted neighbour"));
            }
            if entry.degenerate || entry.redundant || (self.store.facets[facet].flipped && !entry.flipped) {
                continue;
            }
            if entry.vertices.iter().all(|&vertex| self.store.vertices[vertex].visit == visit) {
                self.add_merge(neighbor, facet, MergeKind::Redundant, 0.0)?;
            }
        }
        Ok(())
    }

    /// Neighbours of `facet` that have fewer than three neighbours are degenerate.
    fn add_degenerate_neighbors(&mut self, facet: usize) -> Result<(), HullError> {
        for i in 0..self.store.facets[facet].neighbors.len() {
            let neighbor = self.store.facets[facet].neighbors[i];
            let entry = &self.store.facets[neighbor];
            if entry.visible {
                return Err(HullError::Topology("a facet has a deleted neighbour"));
            }
            if !entry.degenerate && !entry.redundant && entry.neighbors.len() < 3 {
                self.add_merge(neighbor, neighbor, MergeKind::Degenerate, 0.0)?;
            }
        }
        Ok(())
    }

    /// A facet is redundant if a neighbour has all its vertices, degenerate with fewer than three neighbours.
    pub(super) fn add_if_degenerate(&mut self, facet: usize) -> Result<(), HullError> {
        if self.store.facets[facet].flipped {
            return Ok(());
        }
        for i in 0..self.store.facets[facet].neighbors.len() {
            let neighbor = self.store.facets[facet].neighbors[i];
            if self.store.facets[neighbor].flipped {
                continue;
            }
            if self.store.facets[neighbor].visible {
                return Err(HullError::Topology("a facet has a deleted neighbour"));
            }
            let visit = self.store.next_vertex_visit();
            let Store { facets, vertices, .. } = &mut self.store;
            for &vertex in &facets[neighbor].vertices {
                vertices[vertex].visit = visit;
            }
            if facets[facet].vertices.iter().all(|&vertex| vertices[vertex].visit == visit) {
                return self.add_merge(facet, neighbor, MergeKind::Redundant, 0.0);
            }
        }
        if self.store.facets[facet].neighbors.len() < 3 {
            return self.add_merge(facet, facet, MergeKind::Degenerate, 0.0);
        }
        Ok(())
    }
}
