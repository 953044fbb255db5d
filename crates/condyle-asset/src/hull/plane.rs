//! Planes of triangles and distances to them.
//!
//! The normal is the cross product of two edges. If a vertex is then further from the plane than rounding allows, the plane is
//! computed again by elimination with pivoting.

use condyle_math::Vec3;

use super::Hull;
use super::start::SMALLEST;

impl Hull<'_> {
    /// Signed distance of a position above a facet.
    #[inline]
    pub(super) fn distance(&self, position: Vec3, facet: usize) -> f64 {
        let facet = &self.store.facets[facet];
        let normal = &facet.normal;
        facet.offset + position[0] * normal[0] + position[1] * normal[1] + position[2] * normal[2]
    }

    /// Signed distance of an input point above a facet.
    #[inline]
    pub(super) fn point_distance(&self, point: usize, facet: usize) -> f64 {
        self.distance(self.points[point], facet)
    }

    /// Signed distance of a vertex above a facet.
    #[inline]
    pub(super) fn vertex_distance(&self, vertex: usize, facet: usize) -> f64 {
        self.distance(self.points[self.store.vertices[vertex].point], facet)
    }

    /// Computes the plane of a triangle and whether the interior point is above it.
    pub(super) fn set_plane(&mut self, facet: usize) {
        let &[a, b, c] = &self.store.facets[facet].vertices[..] else {
            return;
        };
        let corners = [a, b, c].map(|vertex| self.points[self.store.vertices[vertex].point]);
        let top_oriented = self.store.facets[facet].top_oriented;
        let (normal, offset, inexact) = self.plane_by_cross_product(&corners, top_oriented);
        let entry = &mut self.store.facets[facet];
        entry.has_plane = true;
        (entry.normal, entry.offset) = (normal, offset);
        if inexact {
            let (normal, offset, singular) = self.plane_by_elimination(&corners, top_oriented);
            let entry = &mut self.store.facets[facet];
            (entry.normal, entry.offset) = (normal, offset);
            if singular {
                self.face_outward(facet);
            }
        }
        self.check_not_flipped(facet);
    }

    /// Turns the plane so that the interior point is below it.
    pub(super) fn face_outward(&mut self, facet: usize) {
        if self.distance(self.interior, facet) > 0.0 {
            let entry = &mut self.store.facets[facet];
            entry.normal = entry.normal.map(|x| -x);
            entry.offset = -entry.offset;
        }
    }

    /// Marks a facet as flipped if the interior point is not clearly below it.
    pub(super) fn check_not_flipped(&mut self, facet: usize) -> bool {
        if self.store.facets[facet].flipped {
            return false;
        }
        let flipped = self.distance(self.interior, facet) >= -self.tolerance.distance;
        self.store.facets[facet].flipped = flipped;
        !flipped
    }

    fn plane_by_cross_product(&self, corners: &[Vec3; 3], top_oriented: bool) -> (Vec3, f64, bool) {
        let [p, q, r] = corners;
        let (x1, y1, z1) = (q[0] - p[0], q[1] - p[1], q[2] - p[2]);
        let (x2, y2, z2) = (r[0] - p[0], r[1] - p[1], r[2] - p[2]);
        let mut normal = [y2 * z1 - z2 * y1, x1 * z2 - z1 * x2, x2 * y1 - y2 * x1];
        self.normalize(&mut normal, top_oriented);
        let along = |point: &Vec3| point[0] * normal[0] + point[1] * normal[1] + point[2] * normal[2];
        let offset = -along(p);
        let inexact = [r, q].into_iter().any(|point| (offset + along(point)).abs() > self.tolerance.distance);
        (normal, offset, inexact)
    }

    fn plane_by_elimination(&self, corners: &[Vec3; 3], top_oriented: bool) -> (Vec3, f64, bool) {
        let [p, q, r] = corners;
        let mut rows = [q, r].map(|point| [point[0] - p[0], point[1] - p[1], point[2] - p[2]]);
        let mut negative = top_oriented;
        let mut singular = false;
        for k in 0..2 {
            let mut pivot = rows[k][k].abs();
            if k == 0 && rows[1][0].abs() > pivot {
                pivot = rows[1][0].abs();
                rows.swap(0, 1);
                negative = !negative;
            }
            if pivot <= self.tolerance.near_zero[k] {
                singular = true;
                if pivot == 0.0 {
                    continue;
                }
            }
            if k == 0 {
                let factor = rows[1][0] / rows[0][0];
                for j in 1..3 {
                    rows[1][j] -= factor * rows[0][j];
                }
            }
        }
        for k in [1, 0] {
            if rows[k][k] < 0.0 {
                negative = !negative;
            }
        }
        let (mut normal, zero) = self.substitute_back(&rows, negative);
        self.normalize(&mut normal, true);
        let mut offset = -(p[0] * normal[0]);
        offset -= p[1] * normal[1];
        offset -= p[2] * normal[2];
        (normal, offset, singular || zero)
    }

    /// Normal of the plane spanned by two rows in triangular form, and whether a pivot was zero.
    fn substitute_back(&self, rows: &[Vec3; 2], negative: bool) -> (Vec3, bool) {
        let unit = if negative { -1.0 } else { 1.0 };
        let mut normal = [0.0, 0.0, unit];
        let mut zero = false;
        for i in [1, 0] {
            let mut value = 0.0;
            for j in i + 1..3 {
                value -= rows[i][j] * normal[j];
            }
            let pivot = rows[i][i];
            if pivot.abs() > self.tolerance.min_product {
                normal[i] = value / pivot;
            } else if let Some(quotient) = quotient(value, pivot, self.tolerance.min_quotient) {
                normal[i] = quotient;
            } else {
                zero = true;
                normal[i] = unit;
                for tail in &mut normal[i + 1..] {
                    *tail = 0.0;
                }
            }
        }
        (normal, zero)
    }

    /// Makes a normal unit, reversed for facets that are not top oriented.
    fn normalize(&self, normal: &mut Vec3, top_oriented: bool) {
        let mut norm = (normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]).sqrt();
        if norm > self.tolerance.min_norm {
            if !top_oriented {
                norm = -norm;
            }
            *normal = normal.map(|x| x / norm);
        } else if norm == 0.0 {
            *normal = [(1.0_f64 / 3.0).sqrt(); 3];
        } else {
            if !top_oriented {
                norm = -norm;
            }
            for i in 0..3 {
                match quotient(normal[i], norm, SMALLEST) {
                    Some(quotient) => normal[i] = quotient,
                    None => {
                        let mut largest = 0;
                        for j in 1..3 {
                            if normal[j].abs() > normal[largest].abs() {
                                largest = j;
                            }
                        }
                        let unit = if normal[largest] * norm >= 0.0 { 1.0 } else { -1.0 };
                        *normal = [0.0; 3];
                        normal[largest] = unit;
                        return;
                    }
                }
            }
        }
    }

    /// Mean of the vertices of a facet, projected to its plane; computed once and kept.
    pub(super) fn centre(&mut self, facet: usize) -> Vec3 {
        if let Some(centre) = self.store.facets[facet].centre {
            return centre;
        }
        let vertices = &self.store.facets[facet].vertices;
        let mean = [0, 1, 2].map(|axis| {
            let mut sum = 0.0;
            for &vertex in vertices {
                sum += self.points[self.store.vertices[vertex].point][axis];
            }
            sum / vertices.len() as f64
        });
        let distance = self.distance(mean, facet);
        let normal = self.store.facets[facet].normal;
        let centre = [0, 1, 2].map(|i| mean[i] - distance * normal[i]);
        self.store.facets[facet].centre = Some(centre);
        centre
    }
}

/// `numerator / denominator`, or none if the quotient would overflow.
fn quotient(numerator: f64, denominator: f64, smallest: f64) -> Option<f64> {
    if numerator < smallest && numerator > -smallest {
        return (numerator.abs() < denominator.abs()).then(|| numerator / denominator);
    }
    let inverse = denominator / numerator;
    (inverse > smallest || inverse < -smallest).then(|| numerator / denominator)
}
