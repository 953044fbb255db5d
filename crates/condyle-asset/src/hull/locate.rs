//! The facet that a point is furthest above.
//!
//! The search walks uphill from a start facet, or looks at all new facets, and ends with the neighbours of the best facet that
//! are nearly coplanar with it.

use super::start::larger;
use super::store::{FACET_END, NONE};
use super::{Hull, HullError};

/// Result of a search.
#[derive(Debug, Clone, Copy)]
pub(super) struct Found {
    pub(super) facet: usize,
    pub(super) distance: f64,
    pub(super) outside: bool,
}

const FAR_BELOW: f64 = -f64::MAX / 2.0;

impl Hull<'_> {
    /// A point this far above a facet is assigned to it without looking further.
    pub(super) fn clearly_outside(&self) -> f64 {
        let factor = if self.many_merges() { 2.0 } else { 1.0 };
        factor * larger(2.0 * self.tolerance.min_outside, self.max_outside)
    }

    /// Walks from facet to higher neighbour. Unless `exhaustive`, the first facet the point is outside of is good enough.
    pub(super) fn find_best(
        &mut self,
        point: usize,
        start: usize,
        exhaustive: bool,
        only_new: bool,
    ) -> Result<Found, HullError> {
        let visit = self.store.next_visit();
        let (mut best, mut best_distance) = (NONE, FAR_BELOW);
        if !self.store.facets[start].flipped {
            let distance = self.point_distance(point, start);
            if !exhaustive && distance >= self.tolerance.min_outside {
                return Ok(Found { facet: start, distance, outside: true });
            }
            (best, best_distance) = (start, distance);
        }
        self.store.facets[start].visit = visit;
        let mut at = start;
        'walk: loop {
            for i in 0..self.store.facets[at].neighbors.len() {
                let neighbor = self.store.facets[at].neighbors[i];
                let entry = &mut self.store.facets[neighbor];
                if (only_new && !entry.is_new) || entry.visit == visit {
                    continue;
                }
                entry.visit = visit;
                if entry.flipped {
                    continue;
                }
                let distance = self.point_distance(point, neighbor);
                if distance > best_distance {
                    if !exhaustive && distance >= self.tolerance.min_outside {
                        return Ok(Found { facet: neighbor, distance, outside: true });
                    }
                    (best, best_distance) = (neighbor, distance);
                    at = neighbor;
                    continue 'walk;
                }
            }
            break;
        }
        if only_new {
            if best == NONE {
                return self.find_best_new(point, self.store.new_facets, exhaustive);
            }
            if !self.new_facets_not_sharp && best_distance < -self.tolerance.distance {
                if self.new_facets_are_sharp() {
                    let found = self.find_best_new(point, best, exhaustive)?;
                    self.search_all_new = true;
                    return Ok(found);
                }
                self.new_facets_not_sharp = true;
            }
        }
        if best == NONE {
            (best, best_distance) = self.best_neighbor_not_flipped(point, at)?;
        }
        let (facet, distance) = self.search_coplanar(point, best, best_distance);
        Ok(Found { facet, distance, outside: !(distance < self.tolerance.min_outside) })
    }

    fn best_neighbor_not_flipped(&self, point: usize, facet: usize) -> Result<(usize, f64), HullError> {
        let (mut best, mut best_distance) = (NONE, FAR_BELOW);
        for &neighbor in &self.store.facets[facet].neighbors {
            if self.store.facets[neighbor].flipped {
                continue;
            }
            let distance = self.point_distance(point, neighbor);
            if distance > best_distance {
                (best, best_distance) = (neighbor, distance);
            }
        }
        if best == NONE {
            Err(HullError::Topology("all facets near a point are flipped"))
        } else {
            Ok((best, best_distance))
        }
    }

    /// Looks at the facets from `start` to the end of the list, then at the new facets before it.
    pub(super) fn find_best_new(
        &mut self,
        point: usize,
        start: usize,
        exhaustive: bool,
    ) -> Result<Found, HullError> {
        if start == NONE || start == FACET_END {
            return Err(HullError::Topology("merging has deleted all facets of a cone"));
        }
        let visit = self.store.next_visit();
        let clearly_outside = self.clearly_outside();
        let (mut best, mut best_distance) = (NONE, FAR_BELOW);
        for (round, first) in [start, self.store.new_facets].into_iter().enumerate() {
            let mut facet = first;
            while facet != NONE && facet != FACET_END && !(round == 1 && facet == start) {
                self.store.facets[facet].visit = visit;
                if !self.store.facets[facet].flipped {
                    let distance = self.point_distance(point, facet);
                    if distance > best_distance {
                        best = facet;
                        if !exhaustive && distance >= clearly_outside {
                            return Ok(Found { facet, distance, outside: true });
                        }
                        best_distance = distance;
                    }
                }
                facet = self.store.facets[facet].next;
            }
        }
        let from = if best == NONE { start } else { best };
        let (facet, distance) = self.search_coplanar(point, from, best_distance);
        Ok(Found { facet, distance, outside: !(distance < self.tolerance.min_outside) })
    }

    /// Whether the normals of the new facets lie in different octants.
    fn new_facets_are_sharp(&self) -> bool {
        let facets = self.store.facets_from(self.store.new_facets);
        let octant = |facet: usize| self.store.facets[facet].normal.map(|x| x > 0.0);
        facets.iter().any(|&facet| octant(facet) != octant(facets[0]))
    }

    /// Looks at the facets around the best one that the point is nearly as far above.
    fn search_coplanar(&mut self, point: usize, start: usize, start_distance: f64) -> (usize, f64) {
        let visit = self.store.next_visit();
        let t = &self.tolerance;
        let factor = if self.many_merges() { 2.0 } else { 1.0 };
        let reach = factor * (self.max_outside + 2.0 * t.distance + larger(t.min_visible, t.max_coplanar));
        let (mut best, mut best_distance) = (start, start_distance);
        let mut lowest = best_distance - reach;
        self.store.facets[start].visit = visit;
        let mut pending: Vec<usize> = Vec::new();
        let mut at = start;
        loop {
            let mut next = NONE;
            for i in 0..self.store.facets[at].neighbors.len() {
                let neighbor = self.store.facets[at].neighbors[i];
                if self.store.facets[neighbor].visit == visit {
                    continue;
                }
                self.store.facets[neighbor].visit = visit;
                if !self.store.facets[neighbor].flipped {
                    let distance = self.point_distance(point, neighbor);
                    if distance > best_distance {
                        lowest = distance - reach;
                        if distance > best_distance + reach {
                            pending.clear();
                        }
                        (best, best_distance) = (neighbor, distance);
                    } else if distance < lowest {
                        continue;
                    }
                }
                if next != NONE {
                    pending.push(next);
                }
                next = neighbor;
            }
            if next == NONE {
                match pending.pop() {
                    Some(facet) => next = facet,
                    None => return (best, best_distance),
                }
            }
            at = next;
        }
    }
}
