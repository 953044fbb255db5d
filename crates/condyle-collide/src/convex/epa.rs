//! Expanding polytope algorithm: penetration depth of two overlapping convex sets.
//!
//! The face of the polytope closest to the origin bounds the depth from below, the support point along its normal from above. Until
//! the bounds meet, the support point is added: the faces it sees are removed and the hole is closed by a fan. New faces that cannot
//! be closest any more are kept for adjacency only.

use condyle_math::{MIN_VALUE, vec3};

use super::object::both_discrete;
use super::polytope::Polytope;
use super::subdistance::{combine3, largest_shadow, sub_areas};
use super::{CcdConfig, CcdStatus, ConvexObject};

/// Iterations for which the reference reserves memory in any case.
const RESERVED_ITERATIONS: usize = 170;
/// Faces per iteration for which memory is reserved.
const FACES_PER_ITERATION: usize = 6;

/// Expand `polytope`; writes depth and witness points to `status` and returns the closest face, `None` when the expansion broke down.
pub(crate) fn expand(
    config: &CcdConfig,
    status: &mut CcdStatus,
    polytope: &mut Polytope,
    first: &mut ConvexObject,
    second: &mut ConvexObject,
) -> Option<u32> {
    let discrete = both_discrete(first, second);
    let tolerance = if discrete { MIN_VALUE } else { config.tolerance };
    let iterations = usize::try_from(config.max_iterations).unwrap_or(0);
    let max_faces = if iterations > RESERVED_ITERATIONS { iterations } else { RESERVED_ITERATIONS };
    let max_faces = max_faces.saturating_mul(FACES_PER_ITERATION);

    let (mut upper, mut upper_squared) = (f64::MAX, f64::MAX);
    let mut closest: Option<u32> = None;
    let mut iteration = 0;
    while iteration < config.max_iterations {
        let previous = closest;
        let mut lower_squared = f64::MAX;
        for candidate in &polytope.candidates {
            if candidate.squared_distance < lower_squared {
                closest = Some(candidate.face);
                lower_squared = candidate.squared_distance;
            }
        }
        let Some(face) = closest else { break };
        if lower_squared > upper_squared {
            closest = previous;
            break;
        }
        // The origin lies on the face: the depth is zero.
        if lower_squared <= 0.0 {
            status.troubles.origin_on_face += 1;
            break;
        }

        let lower = lower_squared.sqrt();
        let normal = polytope.face(face).projection;
        let apex = polytope.insert_support(first, second, normal, lower);
        let apex_point = polytope.point(apex);
        let bound = vec3::dot(normal, apex_point) / lower;
        if bound < upper {
            upper = bound;
            upper_squared = upper * upper;
        }
        if upper - lower < tolerance {
            break;
        }
        if discrete && is_repeated(polytope) {
            break;
        }

        polytope.carve(face, apex_point);
        if polytope.horizon.len() < 3 {
            closest = None;
            break;
        }
        if polytope.horizon.len() > max_faces - polytope.faces.len() {
            status.troubles.out_of_faces += 1;
            break;
        }
        if !close_hole(polytope, apex, lower_squared, upper_squared) {
            closest = None;
            break;
        }
        polytope.horizon.clear();
        if polytope.candidates.is_empty() {
            break;
        }
        iteration += 1;
    }

    status.epa_iterations = iteration;
    match closest {
        Some(face) => {
            record_witness(status, polytope, face);
            status.witness_count = 1;
        }
        None => {
            status.witness_count = 0;
            status.distance = 0.0;
        }
    }
    closest
}

/// Whether an earlier vertex comes from the same pair of shape vertices as the last one.
fn is_repeated(polytope: &Polytope) -> bool {
    let Some((last, earlier)) = polytope.vertices.split_last() else { return false };
    earlier.iter().any(|vertex| vertex.index1 == last.index1 && vertex.index2 == last.index2)
}

/// Connect `apex` with every horizon edge; false if a new face is degenerate.
fn close_hole(polytope: &mut Polytope, apex: u32, lower_squared: f64, upper_squared: f64) -> bool {
    let base = polytope.faces.len() as u32;
    let count = polytope.horizon.len() as u32;
    for step in 0..count {
        let (outer, edge) = polytope.horizon[step as usize];
        let edge = edge as usize;
        let outer_face = &mut polytope.faces[outer as usize];
        let (start, end) = (outer_face.vertices[edge], outer_face.vertices[(edge + 1) % 3]);
        outer_face.adjacent[edge] = base + step;
        let before = base + if step == 0 { count - 1 } else { step - 1 };
        let after = base + if step + 1 == count { 0 } else { step + 1 };
        let squared = polytope.attach([apex, end, start], [before, outer, after]);
        if squared == 0.0 {
            return false;
        }
        if squared >= lower_squared && squared <= upper_squared {
            polytope.list(base + step);
        }
    }
    true
}

/// Witness points: the face's projection of the origin, carried over to both shapes by its affine coordinates.
fn record_witness(status: &mut CcdStatus, polytope: &Polytope, face: u32) {
    let face = polytope.face(face);
    let corners = face.vertices.map(|index| polytope.vertices[index as usize]);
    let [a, b, c] = corners.map(|corner| corner.difference);
    let (total, x, y) = largest_shadow(a, b, c);
    let weights = sub_areas(a, b, c, face.projection, x, y).map(|area| area / total);
    status.witness1[0] = combine3(weights, corners.map(|corner| corner.point1));
    status.witness2[0] = combine3(weights, corners.map(|corner| corner.point2));
    status.distance = -face.squared_distance.sqrt();
}
