//! Tolerances that follow from the size of the coordinates, and the first simplex.
//!
//! The simplex starts with the points of least and greatest x; each further vertex is the extreme point that spans the largest
//! area, then volume. If extreme points are too flat all points are searched.

use condyle_math::Vec3;

use super::store::NONE;
use super::{Hull, HullError};

/// Distances that decide what is outside, visible, coplanar or convex.
#[derive(Debug, Default)]
pub(super) struct Tolerance {
    /// Rounding error of a distance to a plane.
    pub(super) distance: f64,
    /// A facet is visible from points further away than this.
    pub(super) min_visible: f64,
    /// A point is outside if further away than this.
    pub(super) min_outside: f64,
    /// A point is coplanar if nearer than this.
    pub(super) max_coplanar: f64,
    /// Largest distance that one merge can cause.
    pub(super) one_merge: f64,
    /// Points nearer than this below a facet are kept.
    pub(super) near_inside: f64,
    /// Facets wider than this keep their centre.
    pub(super) wide_facet: f64,
    /// Centres nearer to a neighbour's plane than this are coplanar.
    pub(super) centre: f64,
    /// Largest distance of a point outside of its facet.
    pub(super) max_outside: f64,
    /// Pivots below this count as zero, by column.
    pub(super) near_zero: Vec3,
    /// Smallest denominators: of a norm, of a quotient to be normalised, of an inner product.
    pub(super) min_norm: f64,
    pub(super) min_quotient: f64,
    pub(super) min_product: f64,
}

/// Smallest positive normal number.
pub(super) const SMALLEST: f64 = f64::MIN_POSITIVE;
/// Ratio of a determinant to its bound below which a simplex may be needlessly narrow.
const NARROW_RATIO: f64 = 1e-3;
/// Cosine between neighbouring facets of a hull too narrow for the usual order of points.
const NARROW_COSINE: f64 = -0.99999999;

#[inline]
pub(super) fn larger(a: f64, b: f64) -> f64 {
    if a < b { b } else { a }
}

/// Extreme points along each axis with the sizes taken from them.
struct Extremes {
    points: [usize; 6],
    max_absolute: f64,
    max_width: f64,
    sum: f64,
    near_zero: Vec3,
}

impl Hull<'_> {
    /// Makes the first simplex and assigns all points to its facets.
    pub(super) fn start(&mut self) -> Result<(), HullError> {
        let extremes = self.extremes();
        self.set_tolerances(&extremes);
        let simplex = self.largest_simplex(&extremes)?;
        let mut vertices = Vec::new();
        for point in simplex {
            let vertex = self.store.add_vertex(point);
            vertices.insert(0, vertex);
        }
        self.build_simplex(&vertices);
        self.store.reset_lists(true);
        self.store.next_facet = self.store.facet_list;
        self.interior = self.mean_of_vertices(&vertices);
        self.orient_simplex()?;
        self.partition_all(&vertices)?;
        self.store.reset_lists(true);
        self.store.next_facet = self.store.facet_list;
        self.furthest_facet_first();
        Ok(())
    }

    fn extremes(&mut self) -> Extremes {
        let mut extremes = Extremes {
            points: [0; 6],
            max_absolute: 0.0,
            max_width: -f64::MAX,
            sum: 0.0,
            near_zero: [0.0; 3],
        };
        for axis in 0..3 {
            let (mut low, mut high) = (0, 0);
            for (i, point) in self.points.iter().enumerate() {
                if self.points[high][axis] < point[axis] {
                    high = i;
                } else if self.points[low][axis] > point[axis] {
                    low = i;
                }
            }
            let (minimum, maximum) = (self.points[low][axis], self.points[high][axis]);
            let absolute = larger(maximum, -minimum);
            extremes.max_width = larger(extremes.max_width, maximum - minimum);
            extremes.max_absolute = larger(extremes.max_absolute, absolute);
            extremes.sum += absolute;
            extremes.points[2 * axis] = low;
            extremes.points[2 * axis + 1] = high;
            extremes.near_zero[axis] = 80.0 * extremes.sum * f64::EPSILON;
        }
        extremes
    }

    fn set_tolerances(&mut self, extremes: &Extremes) {
        let t = &mut self.tolerance;
        let mut distance_sum = 3.0_f64.sqrt() * extremes.max_absolute;
        if distance_sum > extremes.sum {
            distance_sum = extremes.sum;
        }
        t.distance = f64::EPSILON * (3.0 * distance_sum * 1.01 + extremes.max_absolute);
        t.min_norm = SMALLEST * extremes.max_absolute;
        t.min_quotient = (SMALLEST * 3.0).sqrt();
        t.min_product = t.min_quotient * extremes.max_absolute;
        t.near_zero = extremes.near_zero;
        t.centre = 2.0 * t.distance;
        // Merging by angle is off, so its term of the bound is the rounding error alone.
        t.one_merge = 3.0_f64.sqrt() * extremes.max_width * 0.0 + t.distance;
        t.one_merge = larger(t.one_merge, 3.0 * t.centre + t.distance);
        t.near_inside = t.one_merge * 5.0;
        t.min_visible = t.centre;
        t.max_coplanar = t.min_visible;
        t.min_outside = 2.0 * t.min_visible;
        t.wide_facet = larger(t.min_outside, 6.0 * t.max_coplanar);
        t.wide_facet = larger(t.wide_facet, 6.0 * t.min_visible);
        self.min_vertex = -t.distance;
        self.update_max_outside();
    }

    /// Bound of how far a point may be outside of its facet.
    pub(super) fn update_max_outside(&mut self) {
        let t = &mut self.tolerance;
        t.max_outside = larger(larger(self.max_outside, t.one_merge + t.distance), t.min_outside);
    }

    /// Four points that span a large volume.
    fn largest_simplex(&self, extremes: &Extremes) -> Result<[usize; 4], HullError> {
        if extremes.max_width <= 0.0 {
            return Err(HullError::Flat);
        }
        let (mut low, mut high) = (NONE, NONE);
        let (mut low_x, mut high_x) = (f64::MAX, -f64::MAX);
        for &point in &extremes.points {
            let x = self.points[point][0];
            if high_x < x {
                high_x = x;
                high = point;
            }
            if low_x > x {
                low_x = x;
                low = point;
            }
        }
        if low == high || low == NONE || high == NONE {
            return Err(HullError::Flat);
        }
        let mut simplex = vec![low, high];
        let mut determinant = high_x - low_x;
        while simplex.len() < 4 {
            let (point, next) =
                self.furthest_from_simplex(&simplex, determinant, extremes).ok_or(HullError::Flat)?;
            simplex.push(point);
            determinant = next;
        }
        simplex.try_into().map_err(|_| HullError::Flat)
    }

    /// The point that spans the largest determinant with `simplex`, first among the extreme points, then among all.
    fn furthest_from_simplex(
        &self,
        simplex: &[usize],
        previous: f64,
        extremes: &Extremes,
    ) -> Option<(usize, f64)> {
        let (mut best, mut best_determinant, mut best_near_zero) = (NONE, -1.0, false);
        for &point in &extremes.points {
            if !simplex.contains(&point) && point != best {
                let (determinant, near_zero) = self.determinant(point, simplex);
                if determinant > best_determinant {
                    (best, best_determinant, best_near_zero) = (point, determinant, near_zero);
                }
            }
        }
        let target = previous * extremes.max_width;
        let enough = 10.0 * NARROW_RATIO * target;
        let maybe_narrow = best_determinant > 0.0 && best_determinant / target < NARROW_RATIO;
        if best == NONE || best_near_zero || maybe_narrow {
            for point in 0..self.points.len() {
                if extremes.points.contains(&point) || simplex.contains(&point) {
                    continue;
                }
                let (determinant, near_zero) = self.determinant(point, simplex);
                if determinant > best_determinant {
                    (best, best_determinant) = (point, determinant);
                    if !near_zero && determinant > enough {
                        break;
                    }
                }
            }
        }
        (best != NONE).then_some((best, best_determinant))
    }

    /// Absolute determinant of the vectors from `apex` to two points (in x and y) or three, and whether it is nearly zero.
    fn determinant(&self, apex: usize, simplex: &[usize]) -> (f64, bool) {
        let apex = self.points[apex];
        let row = |i: usize| {
            let point = self.points[simplex[i]];
            [point[0] - apex[0], point[1] - apex[1], point[2] - apex[2]]
        };
        let minor = |a1: f64, a2: f64, b1: f64, b2: f64| a1 * b2 - a2 * b1;
        let (a, b) = (row(0), row(1));
        if simplex.len() == 2 {
            let value = minor(a[0], a[1], b[0], b[1]).abs();
            return (value, value < 10.0 * self.tolerance.near_zero[1]);
        }
        let c = row(2);
        let value = (a[0] * minor(b[1], b[2], c[1], c[2]) - b[0] * minor(a[1], a[2], c[1], c[2])
            + c[0] * minor(a[1], a[2], b[1], b[2]))
        .abs();
        (value, value < 10.0 * self.tolerance.near_zero[2])
    }

    /// Four facets, each without one of the vertices, with orientation alternating.
    fn build_simplex(&mut self, vertices: &[usize]) {
        for i in 0..4 {
            let mut corners = vertices.to_vec();
            corners.remove(i);
            let facet = self.store.add_facet(corners, i % 2 == 0, self.tolerance.distance);
            self.store.append_facet(facet);
            self.store.append_vertex(vertices[i]);
        }
        let facets = self.store.facets_from(self.store.facet_list);
        for &facet in &facets {
            self.store.facets[facet].neighbors =
                facets.iter().copied().filter(|&other| other != facet).collect();
        }
    }

    fn mean_of_vertices(&self, vertices: &[usize]) -> Vec3 {
        [0, 1, 2].map(|axis| {
            let mut sum = 0.0;
            for &vertex in vertices {
                sum += self.points[self.store.vertices[vertex].point][axis];
            }
            sum / vertices.len() as f64
        })
    }

    /// Planes of the first facets, all facing away from the interior point.
    fn orient_simplex(&mut self) -> Result<(), HullError> {
        let facets = self.store.facets_from(self.store.facet_list);
        for (i, &facet) in facets.iter().enumerate() {
            self.set_plane(facet);
            if i == 0 {
                self.store.facets[facet].flipped = false;
                if self.distance(self.interior, facet) > self.tolerance.distance {
                    for &other in &facets {
                        self.store.facets[other].top_oriented ^= true;
                    }
                    self.set_plane(facet);
                }
            }
        }
        for &facet in &facets {
            self.store.facets[facet].flipped = false;
            if self.distance(self.interior, facet) > self.tolerance.distance {
                for &other in &facets {
                    self.store.facets[other].flipped = false;
                    self.store.facets[other].top_oriented ^= true;
                    self.face_outward(other);
                }
                break;
            }
        }
        let mut least = f64::MAX;
        for &facet in &facets {
            if !self.check_not_flipped(facet) {
                return Err(HullError::Flat);
            }
            for &neighbor in &self.store.facets[facet].neighbors {
                let cosine = self.cosine(facet, neighbor);
                if least > cosine {
                    least = cosine;
                }
            }
        }
        self.narrow = least < NARROW_COSINE;
        Ok(())
    }

    /// Cosine of the angle between two normals.
    pub(super) fn cosine(&self, a: usize, b: usize) -> f64 {
        let (a, b) = (self.store.facets[a].normal, self.store.facets[b].normal);
        0.0 + a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
    }

    /// The facet with the furthest point is processed first.
    fn furthest_facet_first(&mut self) {
        let (mut best, mut best_distance) = (NONE, -f64::MAX);
        for facet in self.store.facets_from(self.store.facet_list) {
            let entry = &self.store.facets[facet];
            if !entry.outside.is_empty() && entry.furthest_distance > best_distance {
                best = facet;
                best_distance = entry.furthest_distance;
            }
        }
        if best != NONE {
            self.store.process_first(best);
        }
    }
}
