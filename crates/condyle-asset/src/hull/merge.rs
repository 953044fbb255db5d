//! Which facets are merged, and in which order.
//!
//! New facets are compared with their neighbours: if the centre of one is not clearly below the plane of the other the pair is
//! coplanar or concave. The mildest pairs are merged first; a facet goes into the neighbour its vertices are nearest to.

use super::store::NONE;
use super::{FacetMerge, Hull, HullError, MergeKind};

/// Facets with more vertices than this are compared by their centre instead of all vertices.
const MANY_VERTICES: usize = 26;
/// Facets with more vertices than this are merged only across ridges known to be nonconvex.
const MANY_FOR_RIDGES: usize = 18;

/// How far the vertices of a facet lie below and above another.
#[derive(Debug, Clone, Copy)]
pub(super) struct Spread {
    pub(super) facet: usize,
    pub(super) distance: f64,
    pub(super) lowest: f64,
    pub(super) highest: f64,
}

impl Hull<'_> {
    /// Merges new facets until all are clearly convex.
    pub(super) fn merge_new_facets(&mut self) -> Result<(), HullError> {
        if self.new_facets_clearly_convex() {
            return Ok(());
        }
        let merged = self.merge_horizon_cycles()? | self.merge_flipped()?;
        self.find_all_merges()?;
        self.perform_merges(merged)
    }

    /// Whether every new triangle is clearly below its neighbours; the usual case, which needs no centres.
    fn new_facets_clearly_convex(&mut self) -> bool {
        let facets = self.store.facets_from(self.store.new_facets);
        for &facet in &facets {
            let entry = &self.store.facets[facet];
            if !self.store.facets[entry.neighbors[0]].simplicial || entry.flipped || !entry.has_plane {
                return false;
            }
        }
        let limit = -2.0 * self.tolerance.distance;
        for &facet in &facets {
            let entry = &self.store.facets[facet];
            for i in 1..entry.neighbors.len() {
                if self.vertex_distance(entry.vertices[i], entry.neighbors[i]) >= limit {
                    return false;
                }
            }
            let shared = &entry.vertices[1..];
            let opposite =
                self.store.facets[entry.neighbors[0]].vertices.iter().find(|vertex| !shared.contains(vertex));
            if opposite.is_some_and(|&vertex| self.vertex_distance(vertex, facet) >= limit) {
                return false;
            }
        }
        true
    }

    /// Merges facets that the interior point is above.
    fn merge_flipped(&mut self) -> Result<bool, HullError> {
        let flipped: Vec<usize> = self
            .store
            .facets_from(self.store.new_facets)
            .into_iter()
            .filter(|&facet| self.store.facets[facet].flipped && !self.store.facets[facet].redundant)
            .collect();
        let mut merged = false;
        for facet in flipped {
            if !self.store.facets[facet].visible {
                let best = self.best_neighbor(facet)?;
                self.fuse(facet, best.facet, MergeKind::Flipped, Some(best), false)?;
                merged = true;
            }
        }
        self.merge_degenerate()?;
        Ok(merged)
    }

    /// Adds a potential merge of `first` into `second`, or of both.
    pub(super) fn add_merge(
        &mut self,
        first: usize,
        second: usize,
        kind: MergeKind,
        distance: f64,
    ) -> Result<(), HullError> {
        let facets = &mut self.store.facets;
        if (facets[first].redundant && kind != MergeKind::Mirrored) || facets[second].redundant {
            return Ok(());
        }
        if facets[first].degenerate && kind == MergeKind::Degenerate {
            return Ok(());
        }
        if facets[second].flipped && !facets[first].flipped {
            return Err(HullError::Topology("a facet would be merged into a flipped one"));
        }
        let merge = FacetMerge { kind, first, second, distance };
        match kind {
            MergeKind::Degenerate => {
                facets[first].degenerate = true;
                // Redundant facets go first, and they are taken from the end.
                if self.degenerate_merges.last().is_none_or(|last| last.kind == MergeKind::Degenerate) {
                    self.degenerate_merges.push(merge);
                } else {
                    self.degenerate_merges.insert(0, merge);
                }
            }
            MergeKind::Redundant => {
                facets[first].redundant = true;
                self.degenerate_merges.push(merge);
            }
            MergeKind::Mirrored => {
                facets[first].redundant = true;
                facets[second].redundant = true;
                self.degenerate_merges.push(merge);
            }
            _ => self.facet_merges.push(merge),
        }
        Ok(())
    }

    /// Compares all new facets with their neighbours.
    fn find_all_merges(&mut self) -> Result<(), HullError> {
        let visit = self.store.next_visit();
        for facet in self.store.facets_from(self.store.new_facets) {
            self.store.facets[facet].visit = visit;
            for i in 0..self.store.facets[facet].neighbors.len() {
                let neighbor = self.store.facets[facet].neighbors[i];
                if self.store.facets[neighbor].visit != visit
                    && self.add_merge_if_not_convex(facet, neighbor)?
                {
                    let shared = self.store.facets[neighbor]
                        .ridges
                        .iter()
                        .find(|&&ridge| self.store.ridges[ridge].other_facet(neighbor) == facet);
                    if let Some(&ridge) = shared {
                        self.store.ridges[ridge].nonconvex = true;
                    }
                }
            }
            self.store.facets[facet].tested = true;
            for i in 0..self.store.facets[facet].ridges.len() {
                let ridge = self.store.facets[facet].ridges[i];
                self.store.ridges[ridge].tested = true;
            }
        }
        self.sort_merges();
        Ok(())
    }

    /// Compares merged facets with their neighbours across ridges not yet tested.
    fn find_more_merges(&mut self) -> Result<(), HullError> {
        let visit = self.store.next_visit();
        for facet in self.store.facets_from(self.store.new_facets) {
            if self.store.facets[facet].tested {
                continue;
            }
            self.store.facets[facet].visit = visit;
            for i in 0..self.store.facets[facet].neighbors.len() {
                let neighbor = self.store.facets[facet].neighbors[i];
                self.store.facets[neighbor].seen = false;
            }
            for i in 0..self.store.facets[facet].ridges.len() {
                let ridge = self.store.facets[facet].ridges[i];
                if self.store.ridges[ridge].tested && !self.store.ridges[ridge].nonconvex {
                    continue;
                }
                let neighbor = self.store.ridges[ridge].other_facet(facet);
                if self.store.facets[neighbor].seen {
                    self.store.ridges[ridge].tested = true;
                    self.store.ridges[ridge].nonconvex = false;
                } else if self.store.facets[neighbor].visit != visit {
                    self.store.facets[neighbor].seen = true;
                    let nonconvex = self.add_merge_if_not_convex(facet, neighbor)?;
                    self.store.ridges[ridge].nonconvex = nonconvex;
                    self.store.ridges[ridge].tested = true;
                }
            }
            self.store.facets[facet].tested = true;
        }
        self.sort_merges();
        Ok(())
    }

    /// Merges are taken from the end: the mildest kind and within it the smallest distance come last.
    fn sort_merges(&mut self) {
        self.facet_merges.sort_by(|a, b| b.kind.cmp(&a.kind).then(b.distance.total_cmp(&a.distance)));
    }

    /// Adds a merge if the centre of either facet is not clearly below the plane of the other.
    fn add_merge_if_not_convex(&mut self, facet: usize, neighbor: usize) -> Result<bool, HullError> {
        let radius = self.tolerance.centre;
        let centre = self.centre(facet);
        let above = self.distance(centre, neighbor);
        let centre = self.centre(neighbor);
        let neighbor_above = self.distance(centre, facet);
        let concave = above > radius || neighbor_above > radius;
        let coplanar =
            (above <= radius && above >= -radius) || (neighbor_above <= radius && neighbor_above >= -radius);
        if concave && coplanar {
            if above > neighbor_above {
                self.add_merge(facet, neighbor, MergeKind::ConcaveCoplanar, above)?;
            } else {
                self.add_merge(neighbor, facet, MergeKind::ConcaveCoplanar, neighbor_above)?;
            }
        } else if concave {
            let distance = if above < neighbor_above { neighbor_above } else { above };
            self.add_merge(facet, neighbor, MergeKind::Concave, distance)?;
        } else if coplanar {
            let (a, b) = (above.abs(), neighbor_above.abs());
            self.add_merge(facet, neighbor, MergeKind::Coplanar, if a > b { b } else { a })?;
        }
        Ok(concave || coplanar)
    }

    /// Performs the collected merges and those they cause.
    fn perform_merges(&mut self, merged_before: bool) -> Result<(), HullError> {
        let mut reduce = merged_before;
        loop {
            while !self.facet_merges.is_empty() || !self.degenerate_merges.is_empty() {
                if !self.degenerate_merges.is_empty() {
                    self.merge_degenerate()?;
                    reduce = true;
                }
                while let Some(merge) = self.facet_merges.pop() {
                    let (first, second) = (&self.store.facets[merge.first], &self.store.facets[merge.second]);
                    if first.visible || second.visible {
                        continue;
                    }
                    // Coplanar facets changed by another merge are tested again first.
                    let changed = (!first.tested && first.is_new) || (!second.tested && second.is_new);
                    if merge.kind == MergeKind::Coplanar && changed {
                        continue;
                    }
                    self.merge_nonconvex(merge)?;
                    self.merge_degenerate()?;
                    reduce = true;
                }
                self.find_more_merges()?;
            }
            if !(self.keeps_vertex_neighbors && reduce) {
                return Ok(());
            }
            reduce = false;
            if !self.reduce_vertices()? {
                return Ok(());
            }
            self.find_more_merges()?;
        }
    }

    /// Merges one of two facets into its best neighbour, whichever moves vertices less.
    fn merge_nonconvex(&mut self, merge: FacetMerge) -> Result<(), HullError> {
        let (mut first, mut second) = (merge.first, merge.second);
        if !self.store.facets[first].is_new {
            std::mem::swap(&mut first, &mut second);
        }
        let best = self.best_neighbor(first)?;
        let other = self.best_neighbor(second)?;
        let (facet, into) = if best.distance < other.distance { (first, best) } else { (second, other) };
        self.fuse(facet, into.facet, merge.kind, Some(into), false)
    }

    /// Merges facets with too few neighbours and facets whose vertices all belong to a neighbour; how many.
    pub(super) fn merge_degenerate(&mut self) -> Result<usize, HullError> {
        let mut count = 0;
        while let Some(merge) = self.degenerate_merges.pop() {
            let facet = merge.first;
            if self.store.facets[facet].visible {
                continue;
            }
            self.store.facets[facet].degenerate = false;
            self.store.facets[facet].redundant = false;
            if merge.kind == MergeKind::Redundant {
                let into = self.store.replacement(merge.second)?;
                if into == NONE {
                    return Err(HullError::Topology("a redundant facet has no replacement"));
                }
                if into != facet {
                    self.fuse(facet, into, merge.kind, None, false)?;
                    count += 1;
                }
                continue;
            }
            match self.store.facets[facet].neighbors.len() {
                0 => {
                    self.store.will_delete(facet, NONE);
                    for i in 0..self.store.facets[facet].vertices.len() {
                        let vertex = self.store.facets[facet].vertices[i];
                        super::store::take_out(&mut self.store.vertices[vertex].neighbors, facet);
                        if self.store.vertices[vertex].neighbors.is_empty() {
                            self.store.mark_deleted(vertex);
                        }
                    }
                    count += 1;
                }
                1 | 2 => {
                    let best = self.best_neighbor(facet)?;
                    self.fuse(facet, best.facet, merge.kind, Some(best), false)?;
                    count += 1;
                }
                _ => {}
            }
        }
        Ok(count)
    }

    /// The neighbour whose plane the vertices of a facet are nearest to.
    fn best_neighbor(&mut self, facet: usize) -> Result<Spread, HullError> {
        let size = self.store.facets[facet].vertices.len();
        let by_centre = size > MANY_VERTICES;
        let mut best: Option<Spread> = None;
        if size > MANY_FOR_RIDGES {
            for i in 0..self.store.facets[facet].ridges.len() {
                let ridge = self.store.facets[facet].ridges[i];
                if self.store.ridges[ridge].nonconvex {
                    let neighbor = self.store.ridges[ridge].other_facet(facet);
                    self.compare_neighbor(facet, neighbor, by_centre, &mut best);
                }
            }
        }
        if best.is_none() {
            for i in 0..self.store.facets[facet].neighbors.len() {
                let neighbor = self.store.facets[facet].neighbors[i];
                self.compare_neighbor(facet, neighbor, by_centre, &mut best);
            }
        }
        let mut best = best.ok_or(HullError::Topology("a facet to be merged has no neighbours"))?;
        if by_centre {
            let spread = self.spread(facet, best.facet);
            best.lowest = spread.lowest;
            best.highest = spread.highest;
        }
        Ok(best)
    }

    fn compare_neighbor(
        &mut self,
        facet: usize,
        neighbor: usize,
        by_centre: bool,
        best: &mut Option<Spread>,
    ) {
        let facets = &self.store.facets;
        if facets[facet].flipped
            && facets[neighbor].flipped
            && best.is_some_and(|best| !facets[best.facet].flipped)
        {
            return;
        }
        let spread = if by_centre {
            let centre = self.centre(facet);
            let distance = self.distance(centre, neighbor) * 3.0;
            let (lowest, highest) = if distance < 0.0 { (distance, 0.0) } else { (0.0, distance) };
            Spread { facet: neighbor, distance: distance.abs(), lowest, highest }
        } else {
            self.spread(facet, neighbor)
        };
        if spread.distance < best.map_or(f64::MAX, |best| best.distance) {
            *best = Some(spread);
        }
    }

    /// Distances of the vertices of a facet, except shared ones, from the plane of another.
    fn spread(&self, facet: usize, other: usize) -> Spread {
        let (mut lowest, mut highest) = (0.0, 0.0);
        let shared = &self.store.facets[other].vertices;
        for &vertex in &self.store.facets[facet].vertices {
            if !shared.contains(&vertex) {
                let distance = self.vertex_distance(vertex, other);
                if distance < lowest {
                    lowest = distance;
                } else if distance > highest {
                    highest = distance;
                }
            }
        }
        let distance = if highest > -lowest { highest } else { -lowest };
        Spread { facet: other, distance, lowest, highest }
    }
}
