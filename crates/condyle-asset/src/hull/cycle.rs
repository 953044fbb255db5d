//! New facets that are coplanar with a facet of the horizon are merged into it before anything else.
//!
//! A single new facet adds its apex. Several facets on one horizon facet form a cycle and are merged together, so that the
//! edges between them never become ridges.

use super::store::{FACET_END, NONE, Store, replace, take_out, take_out_in_order};
use super::{Hull, HullError, MergeKind};

impl Hull<'_> {
    /// Merges all new facets without a plane into their horizon facets; whether there were any.
    pub(super) fn merge_horizon_cycles(&mut self) -> Result<bool, HullError> {
        let mut any = false;
        let mut facet = self.store.new_facets;
        while facet != NONE && facet != FACET_END {
            let mut next = self.store.facets[facet].next;
            if !self.store.facets[facet].has_plane {
                any = true;
                let horizon = self.store.facets[facet].neighbors[0];
                if self.store.facets[facet].link == facet {
                    for i in 1..self.store.facets[facet].vertices.len() {
                        let vertex = self.store.facets[facet].vertices[i];
                        self.store.vertices[vertex].lost_ridge = true;
                    }
                    self.store.facets[horizon].link = NONE;
                    self.fuse(facet, horizon, MergeKind::CoplanarHorizon, None, true)?;
                } else {
                    let cycle = self.cycle_of(facet)?;
                    for &same in &cycle {
                        self.store.facets[same].cycle_done = true;
                    }
                    while next != NONE && self.store.facets[next].cycle_done {
                        next = self.store.facets[next].next;
                    }
                    self.store.facets[horizon].link = NONE;
                    self.fuse_cycle(&cycle, horizon)?;
                    let count = self.store.facets[horizon].merge_count + cycle.len() as u32;
                    self.store.facets[horizon].merge_count = count.min(511);
                }
            }
            facet = next;
        }
        if any {
            for facet in self.store.facets_from(self.store.new_facets) {
                if self.store.facets[facet].coplanar_horizon {
                    self.add_redundant_neighbors(facet)?;
                    self.store.facets[facet].coplanar_horizon = false;
                }
            }
            self.merge_degenerate()?;
        }
        Ok(any)
    }

    /// Facets of a cycle, ending with `facet`.
    fn cycle_of(&self, facet: usize) -> Result<Vec<usize>, HullError> {
        let mut cycle = Vec::new();
        let mut at = facet;
        while cycle.len() <= self.store.facets.len() {
            at = self.store.facets[at].link;
            if at == NONE || self.store.facets[at].visible || self.store.facets[at].cycle_done {
                break;
            }
            cycle.push(at);
            if at == facet {
                return Ok(cycle);
            }
        }
        Err(HullError::Topology("a cycle of new facets does not close"))
    }

    fn fuse_cycle(&mut self, cycle: &[usize], horizon: usize) -> Result<(), HullError> {
        self.collect_vertex_neighbors();
        let apex = cycle.first().map_or(NONE, |&facet| self.store.facets[facet].vertices[0]);
        self.make_ridges(horizon);
        let member = self.store.next_visit();
        for &same in cycle {
            self.store.facets[same].visit = member;
        }
        let done = self.store.next_visit();
        self.fuse_cycle_neighbors(cycle, horizon, member, done)?;
        self.fuse_cycle_ridges(cycle, horizon, member);
        self.store.facets[horizon].visit = member;
        self.fuse_cycle_vertices(cycle, horizon, apex, member);
        if self.store.facets[horizon].vertices.first() != Some(&apex) {
            self.store.facets[horizon].vertices.insert(0, apex);
        }
        if !self.store.facets[horizon].is_new {
            let vertices = self.store.facets[horizon].vertices.clone();
            self.store.make_vertices_new(&vertices);
        }
        self.store.move_facet_to_end(horizon);
        let entry = &mut self.store.facets[horizon];
        entry.is_new = true;
        entry.simplicial = false;
        entry.newly_merged = true;
        for &same in cycle {
            self.store.will_delete(same, horizon);
        }
        if self.store.facets[horizon].vertices.len() <= 8 {
            self.store.facets[horizon].centre = None;
        }
        self.merge_total += 1;
        Ok(())
    }

    fn fuse_cycle_neighbors(
        &mut self,
        cycle: &[usize],
        horizon: usize,
        member: u32,
        done: u32,
    ) -> Result<(), HullError> {
        let facets = &mut self.store.facets;
        facets[horizon].visit = done;
        let mut neighbors = std::mem::take(&mut facets[horizon].neighbors);
        neighbors.retain(|&neighbor| facets[neighbor].visit != member);
        for &neighbor in &neighbors {
            facets[neighbor].visit = done;
        }
        facets[horizon].neighbors = neighbors;
        for &same in cycle {
            for i in 0..self.store.facets[same].neighbors.len() {
                let neighbor = self.store.facets[same].neighbors[i];
                let Store { facets, ridges, .. } = &mut self.store;
                if facets[neighbor].visit == member {
                    continue;
                }
                let first_time = facets[neighbor].visit != done;
                if first_time {
                    facets[horizon].neighbors.push(neighbor);
                    facets[neighbor].visit = done;
                }
                if !facets[neighbor].simplicial {
                    take_out(&mut facets[neighbor].neighbors, same);
                    if first_time {
                        facets[neighbor].neighbors.push(horizon);
                    }
                } else if first_time {
                    replace(&mut facets[neighbor].neighbors, same, horizon)?;
                    for &ridge in &facets[neighbor].ridges {
                        let ridge = &mut ridges[ridge];
                        if ridge.top == same {
                            ridge.top = horizon;
                            break;
                        } else if ridge.bottom == same {
                            ridge.bottom = horizon;
                            break;
                        }
                    }
                } else {
                    self.make_ridges(neighbor);
                    take_out(&mut self.store.facets[neighbor].neighbors, same);
                }
            }
        }
        Ok(())
    }

    fn fuse_cycle_ridges(&mut self, cycle: &[usize], horizon: usize, member: u32) {
        let Store { facets, ridges, .. } = &mut self.store;
        let mut kept = std::mem::take(&mut facets[horizon].ridges);
        kept.retain(|&ridge| facets[ridges[ridge].other_facet(horizon)].visit != member);
        facets[horizon].ridges = kept;
        for &same in cycle {
            for ridge in std::mem::take(&mut self.store.facets[same].ridges) {
                let Store { facets, ridges, .. } = &mut self.store;
                let entry = &mut ridges[ridge];
                let neighbor = if entry.top == same {
                    entry.top = horizon;
                    entry.bottom
                } else if entry.bottom == same {
                    entry.bottom = horizon;
                    entry.top
                } else {
                    facets[horizon].ridges.push(ridge);
                    continue;
                };
                if neighbor == horizon {
                    continue;
                }
                if facets[neighbor].visit == member {
                    take_out(&mut facets[neighbor].ridges, ridge);
                } else {
                    facets[horizon].ridges.push(ridge);
                }
            }
            if !self.store.facets[same].simplicial {
                continue;
            }
            for skip in 0..self.store.facets[same].neighbors.len() {
                let neighbor = self.store.facets[same].neighbors[skip];
                if self.store.facets[neighbor].visit != member && self.store.facets[neighbor].simplicial {
                    let ridge = self.ridge_of_triangle(same, horizon, neighbor, skip, false);
                    self.store.add_ridge(ridge);
                }
            }
        }
    }

    fn fuse_cycle_vertices(&mut self, cycle: &[usize], horizon: usize, apex: usize, member: u32) {
        let mut base = Vec::new();
        let visit = self.store.next_vertex_visit();
        self.store.vertices[apex].visit = visit;
        for &same in cycle {
            for i in 0..self.store.facets[same].vertices.len() {
                let vertex = self.store.facets[same].vertices[i];
                if self.store.vertices[vertex].visit != visit {
                    self.store.vertices[vertex].visit = visit;
                    base.push(vertex);
                }
            }
        }
        base.push(apex);
        for vertex in base {
            let Store { facets, vertices, .. } = &mut self.store;
            let neighbors = &mut vertices[vertex].neighbors;
            neighbors.retain(|&facet| facets[facet].visit != member);
            neighbors.push(horizon);
            let lonely = neighbors.len() < 2;
            self.store.vertices[vertex].lost_ridge = true;
            if lonely {
                take_out_in_order(&mut self.store.facets[horizon].vertices, vertex);
                self.store.mark_deleted(vertex);
            }
        }
    }
}
