//! Vertices that merging has made superfluous.
//!
//! A vertex without ridges in a merged facet is dropped from it. A vertex that only two facets share lies in the middle of an
//! edge: its ridges are given to another vertex that both facets have.

use super::store::{Store, take_out, take_out_in_order};
use super::{Hull, HullError};

impl Hull<'_> {
    /// Removes superfluous vertices of merged facets; whether that caused further merges.
    pub(super) fn reduce_vertices(&mut self) -> Result<bool, HullError> {
        let mut merged = self.merge_degenerate()? > 0;
        'restart: loop {
            for facet in self.store.facets_from(self.store.new_facets) {
                if self.store.facets[facet].newly_merged && self.remove_extra_vertices(facet) {
                    self.add_if_degenerate(facet)?;
                    if self.merge_degenerate()? > 0 {
                        merged = true;
                        continue 'restart;
                    }
                }
            }
            for facet in self.store.facets_from(self.store.new_facets) {
                if !self.store.facets[facet].newly_merged {
                    continue;
                }
                self.store.facets[facet].newly_merged = false;
                let mut i = 0;
                while i < self.store.facets[facet].vertices.len() {
                    let vertex = self.store.facets[facet].vertices[i];
                    if self.store.vertices[vertex].lost_ridge && self.rename_shared_vertex(vertex, facet)? {
                        if self.merge_degenerate()? > 0 {
                            merged = true;
                            continue 'restart;
                        }
                    } else {
                        i += 1;
                    }
                }
            }
            for vertex in self.store.vertices_from(self.store.new_vertices) {
                if !self.store.vertices[vertex].deleted {
                    self.store.vertices[vertex].lost_ridge = false;
                }
            }
            return Ok(merged);
        }
    }

    /// Drops vertices of a polygon that none of its ridges has; whether there were any.
    fn remove_extra_vertices(&mut self, facet: usize) -> bool {
        if self.store.facets[facet].simplicial {
            return false;
        }
        let Store { facets, ridges, vertices, .. } = &mut self.store;
        for &vertex in &facets[facet].vertices {
            vertices[vertex].seen = false;
        }
        for &ridge in &facets[facet].ridges {
            for vertex in ridges[ridge].vertices {
                vertices[vertex].seen = true;
            }
        }
        let extra: Vec<usize> =
            facets[facet].vertices.iter().copied().filter(|&v| !vertices[v].seen).collect();
        facets[facet].vertices.retain(|&vertex| vertices[vertex].seen);
        for &vertex in &extra {
            take_out(&mut self.store.vertices[vertex].neighbors, facet);
            if self.store.vertices[vertex].neighbors.is_empty() {
                self.store.mark_deleted(vertex);
            }
        }
        !extra.is_empty()
    }

    /// Gives the ridges of a vertex that only `facet` and one neighbour have to another of their vertices.
    fn rename_shared_vertex(&mut self, vertex: usize, facet: usize) -> Result<bool, HullError> {
        let &[a, b] = &self.store.vertices[vertex].neighbors[..] else {
            return Ok(false);
        };
        let other = if a == facet { b } else { a };
        let visit = self.store.next_visit();
        self.store.facets[other].visit = visit;
        let mut ridges = Vec::new();
        self.ridges_of_vertex(vertex, facet, &mut ridges);
        let other_vertices = &self.store.facets[other].vertices;
        let mut common: Vec<usize> = self.store.facets[facet]
            .vertices
            .iter()
            .copied()
            .filter(|v| other_vertices.contains(v))
            .collect();
        take_out(&mut common, vertex);
        let Some(new) = self.find_new_vertex(vertex, common, &ridges) else {
            return Ok(false);
        };
        self.rename_vertex(vertex, new, &ridges, facet, other)?;
        Ok(true)
    }

    /// Collects the ridges of `facet` that end at `vertex` and lead to a facet of the current visit.
    fn ridges_of_vertex(&mut self, vertex: usize, facet: usize, collected: &mut Vec<usize>) {
        let visit = self.store.visit;
        let Store { facets, ridges, .. } = &mut self.store;
        for &ridge in &facets[facet].ridges {
            let entry = &ridges[ridge];
            if facets[entry.other_facet(facet)].visit == visit && entry.vertices.contains(&vertex) {
                collected.push(ridge);
            }
        }
        facets[facet].visit = visit - 1;
    }

    /// A vertex that can take the place of `old` in `ridges` without making two ridges equal; rare ones are preferred.
    fn find_new_vertex(&mut self, old: usize, candidates: Vec<usize>, ridges: &[usize]) -> Option<usize> {
        let uses = |vertex: usize| {
            ridges.iter().filter(|&&ridge| self.store.ridges[ridge].vertices.contains(&vertex)).count()
        };
        let mut candidates: Vec<(usize, usize)> =
            candidates.into_iter().map(|vertex| (uses(vertex), vertex)).collect();
        let mut i = 0;
        while i < candidates.len() {
            if candidates[i].0 == 0 {
                candidates.swap_remove(i);
            } else {
                i += 1;
            }
        }
        candidates.sort_by_key(|&(uses, _)| uses);
        for (_, vertex) in candidates {
            let present = self.ridges_around(vertex);
            let clash = present.iter().any(|&ridge| {
                let far_end = self.store.ridges[ridge].other_vertex(vertex);
                ridges
                    .iter()
                    .any(|&other| other != ridge && self.store.ridges[other].other_vertex(old) == far_end)
            });
            if !clash {
                return Some(vertex);
            }
        }
        None
    }

    /// Ridges between the facets around a vertex.
    fn ridges_around(&mut self, vertex: usize) -> Vec<usize> {
        self.store.visit += 2;
        let neighbors = self.store.vertices[vertex].neighbors.clone();
        for &facet in &neighbors {
            self.store.facets[facet].visit = self.store.visit;
        }
        let mut ridges = Vec::new();
        for &facet in neighbors.iter().take(neighbors.len().saturating_sub(1)) {
            self.ridges_of_vertex(vertex, facet, &mut ridges);
        }
        ridges
    }

    /// Replaces `old` by `new` in `ridges`; `old` leaves the facet, or the hull if only two facets have it.
    fn rename_vertex(
        &mut self,
        old: usize,
        new: usize,
        ridges: &[usize],
        facet: usize,
        other: usize,
    ) -> Result<(), HullError> {
        for &ridge in ridges {
            if self.rename_ridge_vertex(ridge, old, new) {
                self.check_duplicate(ridge, new)?;
            }
        }
        if self.store.vertices[old].neighbors.len() == 2 {
            for i in 0..2 {
                let neighbor = self.store.vertices[old].neighbors[i];
                take_out_in_order(&mut self.store.facets[neighbor].vertices, old);
                self.add_if_degenerate(neighbor)?;
            }
            self.store.mark_deleted(old);
        } else {
            take_out_in_order(&mut self.store.facets[facet].vertices, old);
            take_out(&mut self.store.vertices[old].neighbors, facet);
            if self.remove_extra_vertices(other) {
                self.add_if_degenerate(other)?;
            }
        }
        self.add_if_degenerate(facet)
    }

    /// Replaces an end of a ridge. A ridge that already ends at `new` disappears; whether it is still there.
    fn rename_ridge_vertex(&mut self, ridge: usize, old: usize, new: usize) -> bool {
        let entry = &mut self.store.ridges[ridge];
        let kept = entry.other_vertex(old);
        if kept == new {
            self.delete_ridge(ridge);
            return false;
        }
        let old_place = usize::from(entry.vertices[1] == old);
        let new_place = usize::from(kept > new);
        entry.vertices = if new_place == 1 { [kept, new] } else { [new, kept] };
        entry.simplicial_top = false;
        entry.simplicial_bottom = false;
        if old_place != new_place {
            std::mem::swap(&mut entry.top, &mut entry.bottom);
        }
        true
    }

    /// Two ridges with the same ends pinch a facet, which cannot be resolved here.
    fn check_duplicate(&self, ridge: usize, new: usize) -> Result<(), HullError> {
        let entry = &self.store.ridges[ridge];
        for facet in [entry.top, entry.bottom] {
            let facet = &self.store.facets[facet];
            let size = facet.vertices.len();
            if size < 3 || (size == 3 && !facet.simplicial && facet.vertices.contains(&new)) {
                return Ok(());
            }
        }
        for facet in [entry.top, entry.bottom] {
            let facet = &self.store.facets[facet];
            if !facet.simplicial && facet.merge_count > 0 {
                let twin = facet
                    .ridges
                    .iter()
                    .any(|&other| other != ridge && self.store.ridges[other].vertices == entry.vertices);
                if twin {
                    return Err(HullError::Topology("two edges of a facet coincide"));
                }
            }
        }
        Ok(())
    }
}
