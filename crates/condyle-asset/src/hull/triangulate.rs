//! Polygons become fans of triangles around their youngest vertex.
//!
//! Every ridge of a polygon makes a triangle with that vertex; the triangles over ridges that end at the vertex itself are
//! empty and are removed again by linking their neighbours.

use super::store::{FACET_END, NONE, Store, VERTEX_END, replace};
use super::{Hull, HullError, MergeKind};

impl Hull<'_> {
    /// Triangulates all polygons.
    pub(super) fn triangulate(&mut self) -> Result<(), HullError> {
        self.store.next_visit();
        // Facets made from here on are told from older ones by their index.
        self.store.free_facets.clear();
        self.facet_merges.clear();
        self.degenerate_merges.clear();
        self.store.new_vertices = VERTEX_END;
        let mut first_triangulated = NONE;
        let mut first_vertex = NONE;
        for facet in self.store.facets_from(self.store.facet_list) {
            if self.store.facets[facet].visible || self.store.facets[facet].simplicial {
                continue;
            }
            // The list is walked from the first polygon, which will have been moved among the deleted ones.
            if first_triangulated == NONE {
                first_triangulated = facet;
            }
            self.triangulate_facet(facet, &mut first_vertex)?;
        }
        for facet in self.store.facets_from(first_triangulated) {
            let entry = &self.store.facets[facet];
            if !entry.visible && entry.vertices[0] == entry.vertices[1] {
                self.remove_empty_triangle(facet)?;
            }
        }
        self.store.visible_facets = FACET_END;
        while let Some(merge) = self.degenerate_merges.pop() {
            if merge.kind == MergeKind::Mirrored {
                self.remove_mirrored(merge.first, merge.second)?;
            }
        }
        self.store.new_vertices = first_vertex;
        self.store.visible_facets = NONE;
        self.update_vertices_of_fans(NONE);
        self.store.reset_lists(false);
        for facet in self.store.facets_from(first_triangulated) {
            if self.store.facets[facet].visible {
                self.store.delete_facet(facet);
                self.store.visible_count = self.store.visible_count.saturating_sub(1);
            }
        }
        Ok(())
    }

    fn triangulate_facet(&mut self, facet: usize, first_vertex: &mut usize) -> Result<(), HullError> {
        let first_new = self.store.facets.len();
        for i in 0..self.store.facets[facet].neighbors.len() {
            let neighbor = self.store.facets[facet].neighbors[i];
            self.store.facets[neighbor].seen = false;
            self.store.facets[neighbor].coplanar_horizon = false;
        }
        self.store.visible_facets = FACET_END;
        self.store.new_facets = FACET_END;
        self.store.facets[facet].visit = self.store.visit;
        let apex = self.store.facets[facet].vertices[0];
        self.facets_over_ridges(facet, apex)?;
        self.store.will_delete(facet, NONE);
        for new in self.store.facets_from(self.store.new_facets) {
            let (normal, offset) = (self.store.facets[facet].normal, self.store.facets[facet].offset);
            let entry = &mut self.store.facets[new];
            entry.triangulated = true;
            entry.link = facet;
            entry.has_plane = true;
            (entry.normal, entry.offset) = (normal, offset);
        }
        self.match_new_facets()?;
        if *first_vertex == NONE {
            *first_vertex = self.store.new_vertices;
        }
        self.store.new_vertices = NONE;
        self.store.visible_facets = NONE;
        self.update_vertices_of_fans(first_new);
        self.store.reset_lists(false);
        Ok(())
    }

    /// Facets around the vertices that changed: visible ones leave, new ones join. Facets from `first_new` on are surely new.
    fn update_vertices_of_fans(&mut self, first_new: usize) {
        if !self.keeps_vertex_neighbors {
            self.delete_hidden_vertices();
            return;
        }
        for vertex in self.store.vertices_from(self.store.new_vertices) {
            let Store { vertices, facets, .. } = &mut self.store;
            vertices[vertex].neighbors.retain(|&facet| !facets[facet].visible);
        }
        for facet in self.store.facets_from(self.store.new_facets) {
            for i in 0..self.store.facets[facet].vertices.len() {
                let vertex = self.store.facets[facet].vertices[i];
                let neighbors = &mut self.store.vertices[vertex].neighbors;
                if facet >= first_new || !neighbors.contains(&facet) {
                    neighbors.push(facet);
                }
            }
        }
        self.delete_hidden_vertices();
    }

    fn remove_empty_triangle(&mut self, facet: usize) -> Result<(), HullError> {
        let &[first, second, ..] = &self.store.facets[facet].neighbors[..] else {
            return Err(HullError::Topology("an empty triangle lacks neighbours"));
        };
        self.link((facet, first), (facet, second))?;
        self.store.will_delete(facet, NONE);
        Ok(())
    }

    /// Connects two facets in place of the ones removed between them, each given with the removed one.
    fn link(&mut self, (old_a, a): (usize, usize), (old_b, b): (usize, usize)) -> Result<(), HullError> {
        let a_has_b = self.store.facets[a].neighbors.contains(&b);
        if a_has_b != self.store.facets[b].neighbors.contains(&a) {
            return Err(HullError::Topology("neighbours of a removed triangle do not match"));
        }
        if a_has_b {
            let known =
                self.store.facets[a].redundant && self.store.facets[b].redundant && self.is_mirrored(a, b);
            if !known {
                self.add_merge(a, b, MergeKind::Mirrored, 0.0)?;
            }
        }
        replace(&mut self.store.facets[b].neighbors, old_b, a)?;
        replace(&mut self.store.facets[a].neighbors, old_a, b)
    }

    fn is_mirrored(&self, a: usize, b: usize) -> bool {
        self.degenerate_merges.iter().any(|merge| {
            merge.kind == MergeKind::Mirrored
                && ((merge.first == a && merge.second == b) || (merge.first == b && merge.second == a))
        })
    }

    /// Removes two triangles with the same vertices.
    fn remove_mirrored(&mut self, a: usize, b: usize) -> Result<(), HullError> {
        for i in 0..self.store.facets[a].neighbors.len() {
            let neighbor = self.store.facets[a].neighbors[i];
            let Some(&other) = self.store.facets[b].neighbors.get(i) else {
                return Err(HullError::Topology("mirrored triangles do not match"));
            };
            if neighbor == b && other == a {
                continue;
            }
            let facets = &self.store.facets;
            if facets[neighbor].redundant && facets[other].redundant && self.is_mirrored(neighbor, other) {
                continue;
            }
            if facets[neighbor].visible && facets[other].visible {
                continue;
            }
            self.link((a, neighbor), (b, other))?;
        }
        self.store.will_delete(a, NONE);
        self.store.will_delete(b, NONE);
        Ok(())
    }
}
