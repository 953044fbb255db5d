//! Gilbert–Johnson–Keerthi: closest points of two convex sets.
//!
//! Iterates on `x`, the point closest to the origin of a simplex inscribed in the Minkowski difference, by adding the support point
//! `s` along `−x`. Stops when the Frank–Wolfe gap `x·(x − s)` is below tolerance, when the simplex encloses the origin, or, if no
//! distance is wanted, as soon as a plane separates the sets. In the last case a full simplex switches to a cheaper test that only
//! decides whether the origin is inside.

use condyle_math::{Vec3, vec3};

use super::object::both_discrete;
use super::subdistance::{closest_weights, combine};
use super::support::{Vertex, minkowski};
use super::{CcdConfig, CcdStatus, ConvexObject, Element, MIN_SQUARED};

/// Largest squared face normal the intersection test still normalises.
const MAX_SQUARED: f64 = 1e10 * 1e10;

enum Intersection {
    Inside,
    Outside,
    Undecided,
}

/// Two convex sets, seen through the support vertices of their Minkowski difference.
pub(crate) trait ConvexPair {
    /// Support vertex of `first − second` along `direction`, with `opposite = −direction`.
    fn support(&mut self, direction: Vec3, opposite: Vec3) -> Vertex;
    /// Whether support vertices come from a finite set.
    fn is_discrete(&self) -> bool;
}

impl ConvexPair for (&mut ConvexObject<'_>, &mut ConvexObject<'_>) {
    #[inline]
    fn support(&mut self, direction: Vec3, opposite: Vec3) -> Vertex {
        minkowski(self.0, self.1, direction, opposite)
    }

    #[inline]
    fn is_discrete(&self) -> bool {
        both_discrete(self.0, self.1)
    }
}

/// Two elements, each inflated by half of a margin.
struct Elements<'a> {
    first: &'a Element,
    second: &'a Element,
    margin: f64,
}

impl ConvexPair for Elements<'_> {
    #[inline]
    fn support(&mut self, direction: Vec3, opposite: Vec3) -> Vertex {
        let point1 = self.first.support(direction, self.margin);
        let point2 = self.second.support(opposite, self.margin);
        Vertex { difference: vec3::sub(point1, point2), point1, point2, index1: -1, index2: -1 }
    }

    #[inline]
    fn is_discrete(&self) -> bool {
        false
    }
}

/// Whether GJK finds two elements apart: [`closest_points`] without what other shapes need.
pub(crate) fn elements_apart(
    config: &CcdConfig,
    status: &mut CcdStatus,
    first: &Element,
    second: &Element,
    margin: f64,
) -> bool {
    (status.witness1[0], status.witness2[0]) = (first.center, second.center);
    closest_points(config, status, &mut Elements { first, second, margin });
    !status.is_overlap(config)
}

/// Fill `status` with distance, witness points and final simplex, starting from the witness points already there.
pub(crate) fn closest_points(config: &CcdConfig, status: &mut CcdStatus, pair: &mut impl ConvexPair) {
    let wants_distance = config.distance_cutoff > 0.0;
    let mut may_test_intersection = !wants_distance;
    let cutoff_squared = config.distance_cutoff * config.distance_cutoff;
    let gap_tolerance = if pair.is_discrete() { 0.0 } else { 0.5 * config.tolerance * config.tolerance };

    let mut x = vec3::sub(status.witness1[0], status.witness2[0]);
    let mut length = 0.0;
    let mut weights = [1.0, 0.0, 0.0, 0.0];
    // The differences of the simplex once more: most of the work looks at nothing else of its vertices.
    let mut differences = [[0.0; 3]; 4];
    let mut count = 0;
    let mut iteration = 0;
    while iteration < config.max_iterations {
        length = vec3::dot(x, x);
        if length < MIN_SQUARED {
            break;
        }
        length = length.sqrt();
        let opposite = vec3::scale(x, 1.0 / length);
        let vertex = pair.support(vec3::scale(opposite, -1.0), opposite);
        let s = vertex.difference;
        (status.simplex[count], differences[count]) = (vertex, s);

        if vec3::dot(x, vec3::sub(x, s)) < gap_tolerance {
            if iteration == 0 {
                count = 1;
            }
            break;
        }
        let toward = vec3::dot(x, s);
        if !wants_distance {
            if toward > 0.0 {
                return status.set_apart(iteration);
            }
        } else if toward > 0.0 {
            let squared = toward * toward / vec3::dot(x, x);
            if squared > status.bound_squared {
                status.bound_squared = squared;
            }
            if config.distance_cutoff < f64::MAX && squared >= cutoff_squared {
                return status.set_apart(iteration);
            }
        }

        if count == 3 && may_test_intersection {
            match contains_origin(config, status, pair, &mut iteration) {
                Intersection::Inside => {
                    status.gjk_iterations = iteration;
                    status.witness_count = 0;
                    status.distance = 0.0;
                    return;
                }
                Intersection::Outside => return status.set_apart(iteration),
                Intersection::Undecided => may_test_intersection = false,
            }
        }

        weights = closest_weights(count + 1, &differences);
        count = 0;
        for index in 0..4 {
            if weights[index] == 0.0 {
                continue;
            }
            if count < index {
                status.simplex[count] = status.simplex[index];
                differences[count] = differences[index];
                weights[count] = weights[index];
            }
            count += 1;
        }
        if count == 0 {
            return status.set_apart(iteration);
        }

        let next = combine(count, &weights, differences);
        if vec3::nearly_equal(next, x) {
            break;
        }
        x = next;
        if count == 4 {
            length = 0.0;
            break;
        }
        iteration += 1;
    }

    if count > 0 {
        status.witness1[0] = combine(count, &weights, status.simplex.map(|vertex| vertex.point1));
        status.witness2[0] = combine(count, &weights, status.simplex.map(|vertex| vertex.point2));
    }
    status.witness_count = 1;
    status.gjk_iterations = iteration;
    status.simplex_count = count;
    status.distance = length;
}

/// Signed distance of the origin from the plane through three vertices and its unit normal; a degenerate face is infinitely far.
#[inline]
fn face_distance(a: &Vertex, b: &Vertex, c: &Vertex) -> (f64, Vec3) {
    let normal = vec3::cross(vec3::sub(c.difference, a.difference), vec3::sub(b.difference, a.difference));
    let squared = vec3::dot(normal, normal);
    if squared > MIN_SQUARED && squared < MAX_SQUARED {
        let unit = vec3::scale(normal, 1.0 / squared.sqrt());
        return (vec3::dot(unit, a.difference), unit);
    }
    (f64::MAX, normal)
}

/// Whether the origin lies in the Minkowski difference, starting from the full simplex in `status`: the vertex behind the face
/// nearest to the origin is replaced by the support point along that face's normal until the answer is known.
fn contains_origin(
    config: &CcdConfig,
    status: &mut CcdStatus,
    pair: &mut impl ConvexPair,
    iteration: &mut i32,
) -> Intersection {
    let mut simplex = status.simplex;
    while *iteration < config.max_iterations {
        let [a, b, c, d] = &simplex;
        let faces =
            [face_distance(c, b, d), face_distance(a, c, d), face_distance(b, a, d), face_distance(a, b, c)];
        let distance = faces.map(|face| face.0);
        if distance.contains(&0.0) {
            return Intersection::Undecided;
        }
        let low = if distance[0] < distance[1] { 0 } else { 1 };
        let high = if distance[2] < distance[3] { 2 } else { 3 };
        let nearest = if distance[low] < distance[high] { low } else { high };
        if distance[nearest] > 0.0 {
            status.simplex = simplex;
            status.simplex_count = 4;
            return Intersection::Inside;
        }

        let normal = faces[nearest].1;
        simplex[nearest] = pair.support(normal, [-normal[0], -normal[1], -normal[2]]);
        if vec3::dot(normal, simplex[nearest].difference) < 0.0 {
            return Intersection::Outside;
        }
        // Two of the kept vertices change places so that the faces keep pointing outward.
        simplex.swap((nearest + 1) & 3, (nearest + 2) & 3);
        *iteration += 1;
    }
    Intersection::Undecided
}
