//! The facets a point sees, and the cone of new facets from the point to their horizon.

use std::collections::HashMap;

use super::store::{FACET_END, NONE, Store, VERTEX_END, replace, take_out};
use super::{Hull, HullError};

impl Hull<'_> {
    /// Moves the facets visible from `point`, starting with `facet`, to the end of the list, in the order they are found.
    pub(super) fn find_horizon(&mut self, point: usize, facet: usize) -> Result<(), HullError> {
        self.store.move_facet_to_end(facet);
        self.store.visible_count = 1;
        self.store.visible_facets = facet;
        self.store.facets[facet].visible = true;
        self.store.facets[facet].link = NONE;
        let visit = self.store.next_visit();
        self.store.facets[facet].visit = visit;
        let mut horizon = 0;
        let mut at = facet;
        while at != FACET_END {
            for i in 0..self.store.facets[at].neighbors.len() {
                let neighbor = self.store.facets[at].neighbors[i];
                if self.store.facets[neighbor].visit == visit {
                    continue;
                }
                self.store.facets[neighbor].visit = visit;
                let distance = self.point_distance(point, neighbor);
                if distance > self.tolerance.min_visible {
                    self.store.move_facet_to_end(neighbor);
                    self.store.facets[neighbor].visible = true;
                    self.store.facets[neighbor].link = NONE;
                    self.store.visible_count += 1;
                } else {
                    horizon += 1;
                    self.mark_horizon(neighbor, distance);
                }
            }
            at = self.store.facets[at].next;
        }
        if horizon == 0 { Err(HullError::Topology("a point is above all facets")) } else { Ok(()) }
    }

    /// Notes whether the point is coplanar with a facet of the horizon.
    fn mark_horizon(&mut self, facet: usize, distance: f64) {
        let coplanar = distance >= -self.tolerance.max_coplanar;
        let entry = &mut self.store.facets[facet];
        entry.coplanar_horizon = coplanar;
        if !coplanar {
            return;
        }
        if distance > 0.0 {
            if entry.max_outside < distance {
                entry.max_outside = distance;
            }
            if self.max_outside < distance {
                self.max_outside = distance;
            }
        } else if self.min_vertex > distance {
            self.min_vertex = distance;
        }
    }

    /// Makes the cone of new facets from `point` to the horizon of the visible facets.
    pub(super) fn build_cone(&mut self, point: usize) -> Result<(), HullError> {
        self.store.new_facets = FACET_END;
        self.store.new_vertices = VERTEX_END;
        let apex = self.store.add_vertex(point);
        self.store.append_vertex(apex);
        self.store.next_visit();
        // A visible facet without horizon is replaced by the facet made last.
        let (mut made, mut made_from_ridges) = (NONE, NONE);
        for visible in self.store.visible() {
            for i in 0..self.store.facets[visible].neighbors.len() {
                let neighbor = self.store.facets[visible].neighbors[i];
                self.store.facets[neighbor].seen = false;
            }
            if self.store.facets[visible].had_ridges {
                self.store.facets[visible].visit = self.store.visit;
                made_from_ridges = self.facets_over_ridges(visible, apex)?;
            }
            if self.store.facets[visible].simplicial {
                made = self.facets_over_neighbors(visible, apex)?;
            }
            if made_from_ridges != NONE {
                made = made_from_ridges;
            }
            if made != NONE {
                self.store.facets[visible].link = made;
            }
            self.store.facets[visible].ridges.clear();
            self.store.facets[visible].neighbors.clear();
        }
        self.match_new_facets()?;
        for facet in self.store.facets_from(self.store.new_facets) {
            if !self.store.facets[facet].merge_horizon {
                self.set_plane(facet);
            }
        }
        self.update_vertices_of_cone();
        Ok(())
    }

    fn add_new_facet(&mut self, vertices: Vec<usize>, top_oriented: bool, horizon: usize) -> usize {
        self.store.make_vertices_new(&vertices);
        let facet = self.store.add_facet(vertices, top_oriented, self.tolerance.distance);
        self.store.facets[facet].neighbors = vec![horizon, NONE, NONE];
        self.store.append_facet(facet);
        facet
    }

    /// New facets from `apex` to the ridges between `visible` and facets that are not; the last one made.
    pub(super) fn facets_over_ridges(&mut self, visible: usize, apex: usize) -> Result<usize, HullError> {
        let mut made = NONE;
        for i in 0..self.store.facets[visible].ridges.len() {
            let index = self.store.facets[visible].ridges[i];
            let ridge = self.store.ridges[index].clone();
            let neighbor = ridge.other_facet(visible);
            if !self.store.facets[neighbor].visible {
                let top_oriented = ridge.top == visible;
                made = self.add_new_facet(
                    vec![apex, ridge.vertices[0], ridge.vertices[1]],
                    top_oriented,
                    neighbor,
                );
                self.join_horizon_cycle(made, neighbor);
                let Store { facets, ridges, .. } = &mut self.store;
                if !facets[neighbor].seen {
                    replace(&mut facets[neighbor].neighbors, visible, made)?;
                } else if facets[neighbor].simplicial {
                    return Err(HullError::Topology("a triangle shares two edges with a facet"));
                } else {
                    facets[neighbor].neighbors.push(made);
                }
                if facets[neighbor].simplicial {
                    take_out(&mut facets[neighbor].ridges, index);
                } else {
                    if top_oriented {
                        ridges[index].top = made;
                        ridges[index].simplicial_top = true;
                    } else {
                        ridges[index].bottom = made;
                        ridges[index].simplicial_bottom = true;
                    }
                    self.store.attach_ridge(made, index);
                }
            }
            self.store.facets[neighbor].seen = true;
        }
        Ok(made)
    }

    /// New facets that are coplanar with the same horizon facet form a cycle, to be merged with it at once.
    fn join_horizon_cycle(&mut self, facet: usize, horizon: usize) {
        let facets = &mut self.store.facets;
        if !facets[horizon].coplanar_horizon {
            return;
        }
        facets[facet].merge_horizon = true;
        if facets[horizon].seen {
            let first = facets[horizon].link;
            facets[facet].link = facets[first].link;
            facets[first].link = facet;
        } else {
            facets[facet].link = facet;
            facets[horizon].link = facet;
        }
    }

    /// New facets from `apex` to the neighbours of a triangle that are neither visible nor reached by a ridge.
    fn facets_over_neighbors(&mut self, visible: usize, apex: usize) -> Result<usize, HullError> {
        let mut made = NONE;
        for i in 0..self.store.facets[visible].neighbors.len() {
            let neighbor = self.store.facets[visible].neighbors[i];
            let entry = &self.store.facets[neighbor];
            if entry.seen || entry.visible {
                continue;
            }
            let skip = entry
                .neighbors
                .iter()
                .position(|&facet| facet == visible)
                .ok_or(HullError::Topology("a facet is not a neighbour of its neighbour"))?;
            let top_oriented = entry.top_oriented == (skip % 2 == 1);
            let mut vertices = entry.vertices.clone();
            vertices.remove(skip);
            vertices.insert(0, apex);
            made = self.add_new_facet(vertices, top_oriented, neighbor);
            if self.store.facets[neighbor].coplanar_horizon {
                self.store.facets[made].link = made;
                self.store.facets[made].merge_horizon = true;
            }
            self.store.facets[neighbor].neighbors[skip] = made;
        }
        Ok(made)
    }

    /// Connects new facets that share an edge to the apex.
    pub(super) fn match_new_facets(&mut self) -> Result<(), HullError> {
        let mut open: HashMap<usize, (usize, usize)> = HashMap::new();
        for facet in self.store.facets_from(self.store.new_facets) {
            for skip in 1..3 {
                let key = self.store.facets[facet].vertices[3 - skip];
                let Some((other, other_skip)) = open.remove(&key) else {
                    open.insert(key, (facet, skip));
                    continue;
                };
                let facets = &mut self.store.facets;
                let same = skip % 2 == other_skip % 2;
                if facets[other].neighbors[other_skip] != NONE
                    || same != (facets[facet].top_oriented ^ facets[other].top_oriented)
                {
                    return Err(HullError::Topology("an edge has more than two facets"));
                }
                facets[other].neighbors[other_skip] = facet;
                facets[facet].neighbors[skip] = other;
            }
        }
        if open.is_empty() { Ok(()) } else { Err(HullError::Topology("an edge has only one facet")) }
    }

    /// Facets around the vertices of the cone; vertices that only visible facets have are deleted.
    fn update_vertices_of_cone(&mut self) {
        if self.keeps_vertex_neighbors {
            for vertex in self.store.vertices_from(self.store.new_vertices) {
                let Store { vertices, facets, .. } = &mut self.store;
                let neighbors = &mut vertices[vertex].neighbors;
                let mut i = 0;
                while i < neighbors.len() {
                    if facets[neighbors[i]].visible {
                        neighbors.swap_remove(i);
                    } else {
                        i += 1;
                    }
                }
            }
            for facet in self.store.facets_from(self.store.new_facets) {
                for i in 0..self.store.facets[facet].vertices.len() {
                    let vertex = self.store.facets[facet].vertices[i];
                    self.store.vertices[vertex].neighbors.push(facet);
                }
            }
        }
        self.delete_hidden_vertices();
    }

    /// Marks old vertices of visible facets as deleted when no other facet has them.
    pub(super) fn delete_hidden_vertices(&mut self) {
        for visible in self.store.visible() {
            for i in 0..self.store.facets[visible].vertices.len() {
                let vertex = self.store.facets[visible].vertices[i];
                let Store { vertices, facets, .. } = &mut self.store;
                let entry = &mut vertices[vertex];
                if entry.is_new || entry.deleted {
                    continue;
                }
                let kept = self.keeps_vertex_neighbors
                    && entry.neighbors.iter().any(|&facet| !facets[facet].visible);
                if kept {
                    take_out(&mut entry.neighbors, visible);
                } else {
                    self.store.mark_deleted(vertex);
                }
            }
        }
    }
}
