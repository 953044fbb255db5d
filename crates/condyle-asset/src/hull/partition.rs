//! Points move from deleted facets to the facets they are above, or near enough to be remembered.

use super::store::{FACET_END, NONE};
use super::{Hull, HullError};

/// A point further above its facet than this times the allowed distance is treated as an outside point again.
const FAR_COPLANAR: f64 = 30.0;

impl Hull<'_> {
    /// Assigns all points but the vertices to the facets of the first simplex.
    pub(super) fn partition_all(&mut self, vertices: &[usize]) -> Result<(), HullError> {
        let mut is_vertex = vec![false; self.points.len()];
        for &vertex in vertices {
            is_vertex[self.store.vertices[vertex].point] = true;
        }
        let mut remaining: Vec<usize> = (0..self.points.len()).filter(|&point| !is_vertex[point]).collect();
        let outside = self.clearly_outside();
        for facet in self.store.facets_from(self.store.facet_list) {
            let (mut best, mut best_distance) = (NONE, -f64::MAX);
            let mut set = Vec::new();
            let points = std::mem::take(&mut remaining);
            for point in points {
                let distance = self.point_distance(point, facet);
                if distance < outside {
                    remaining.push(point);
                } else if best == NONE {
                    (best, best_distance) = (point, distance);
                } else if distance > best_distance {
                    set.push(best);
                    (best, best_distance) = (point, distance);
                } else {
                    set.push(point);
                }
            }
            if best != NONE {
                set.push(best);
                self.store.facets[facet].furthest_distance = best_distance;
            }
            self.store.facets[facet].outside = set;
        }
        self.search_all_new = true;
        for point in remaining {
            self.partition_point(point, self.store.facet_list)?;
        }
        self.search_all_new = false;
        Ok(())
    }

    /// Assigns the points of the visible facets, and deleted vertices, to new facets.
    pub(super) fn partition_visible(&mut self) -> Result<(), HullError> {
        for visible in self.store.visible() {
            let outside = std::mem::take(&mut self.store.facets[visible].outside);
            let coplanar = std::mem::take(&mut self.store.facets[visible].coplanar);
            if outside.is_empty() && coplanar.is_empty() {
                continue;
            }
            let mut facet = self.store.replacement(visible)?;
            if facet == NONE {
                facet = self.store.new_facets;
            }
            if facet == NONE || facet == FACET_END {
                return Err(HullError::Topology("all new facets were deleted as degenerate"));
            }
            for point in outside {
                self.partition_point(point, facet)?;
            }
            for point in coplanar {
                self.partition_coplanar(point, facet, None, self.search_all_new)?;
            }
        }
        for i in 0..self.store.deleted_vertices.len() {
            let vertex = self.store.deleted_vertices[i];
            if !self.store.vertices[vertex].partitioned {
                let facet = self.store.new_facets;
                self.partition_coplanar(self.store.vertices[vertex].point, facet, None, true)?;
                self.store.vertices[vertex].partitioned = true;
            }
        }
        Ok(())
    }

    /// Assigns a point to the facet it is furthest above.
    fn partition_point(&mut self, point: usize, start: usize) -> Result<(), HullError> {
        let found = if self.search_all_new {
            self.find_best_new(point, start, false)?
        } else {
            self.find_best(point, start, false, true)?
        };
        if self.store.facets[found.facet].visible {
            return Err(HullError::Topology("a point was assigned to a visible facet"));
        }
        let near = found.distance >= -self.tolerance.near_inside;
        if found.outside || (self.narrow && near) {
            self.add_outside(point, found.facet, found.distance);
        } else if found.distance >= -self.tolerance.max_coplanar || near {
            self.partition_coplanar(point, found.facet, Some(found.distance), self.search_all_new)?;
        }
        Ok(())
    }

    /// Adds a point to the outside set of a facet, the furthest one stays last.
    fn add_outside(&mut self, point: usize, facet: usize, distance: f64) {
        let minimum = self.tolerance.min_outside;
        let narrow = self.narrow;
        let entry = &mut self.store.facets[facet];
        let mut newly_outside = false;
        if entry.outside.is_empty() {
            entry.outside.push(point);
            newly_outside = !narrow || distance > minimum;
            entry.furthest_distance = distance;
        } else if entry.furthest_distance < distance {
            newly_outside = narrow && entry.furthest_distance < minimum && distance >= minimum;
            entry.outside.push(point);
            entry.furthest_distance = distance;
        } else {
            let last = entry.outside.len() - 1;
            entry.outside.insert(last, point);
        }
        // The facet must come after those already processed.
        if newly_outside && self.store.next_facet != facet {
            if self.store.facets[facet].is_new {
                if self.store.facets[self.store.next_facet].is_new {
                    self.store.next_facet = self.store.new_facets;
                }
            } else {
                self.store.move_facet_to_end(facet);
                if self.store.new_facets != NONE {
                    self.store.facets[facet].is_new = true;
                }
            }
        }
    }

    /// Remembers a point near a facet. `distance` is known if `facet` is known to be the best one.
    pub(super) fn partition_coplanar(
        &mut self,
        point: usize,
        facet: usize,
        distance: Option<f64>,
        all_new: bool,
    ) -> Result<(), HullError> {
        let (best, best_distance) = match distance {
            Some(distance) => (facet, distance),
            None => {
                let found = if all_new {
                    self.find_best_new(point, facet, true)?
                } else {
                    self.find_best(point, facet, true, false)?
                };
                if found.distance < -self.tolerance.near_inside {
                    self.repartitioned_facet = NONE;
                    return Ok(());
                }
                (found.facet, found.distance)
            }
        };
        if self.store.facets[best].visible {
            return Err(HullError::Topology("a coplanar point was assigned to a visible facet"));
        }
        if best_distance > self.max_outside {
            let mut again = distance.is_none() && facet != best && self.cosine(facet, best) < 0.0;
            if !again && best_distance > self.tolerance.max_outside * FAR_COPLANAR {
                if facet == best {
                    if facet == self.repartitioned_facet {
                        return Err(HullError::Topology("a point moves to and fro between the same facets"));
                    }
                    self.repartitioned_facet = facet;
                }
                again = true;
            }
            if again {
                let search_all_new = std::mem::replace(&mut self.search_all_new, false);
                self.partition_point(point, best)?;
                self.search_all_new = search_all_new;
                self.repartitioned_facet = NONE;
                return Ok(());
            }
            self.repartitioned_facet = NONE;
            self.max_outside = best_distance;
        }
        let furthest = self.store.facets[best].coplanar.last().copied();
        let is_furthest = furthest.is_none_or(|other| self.point_distance(other, best) < best_distance);
        let set = &mut self.store.facets[best].coplanar;
        let place = if is_furthest { set.len() } else { set.len() - 1 };
        set.insert(place, point);
        Ok(())
    }
}
