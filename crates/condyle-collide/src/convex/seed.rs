//! The polytope EPA starts from: GJK's last simplex, completed until it has volume and contains the origin.
//!
//! | simplex | polytope |
//! |---|---|
//! | segment | three support points around it, 120° apart: six faces |
//! | triangle | a support point on either side: six faces |
//! | tetrahedron | itself: four faces |
//!
//! A face that passes through the origin replaces the simplex by that face's triangle.

use condyle_math::{MIN_VALUE, Mat3, Vec3, mat3, vec3};

use super::polytope::Polytope;
use super::subdistance::{combine3, determinant, largest_shadow, sub_areas};
use super::{CcdStatus, ConvexObject, EpaOutcome, MIN_SQUARED};

/// Faces of the two pyramids over a triangle or around a segment: vertices (0, 1 are the tips) and adjacent faces.
struct FacePlan {
    vertices: [u32; 3],
    adjacent: [u32; 3],
}

const fn plan(vertices: [u32; 3], adjacent: [u32; 3]) -> FacePlan {
    FacePlan { vertices, adjacent }
}

/// Around a segment with ends 0 and 1, ring 2, 3, 4.
const SEGMENT_PLAN: [FacePlan; 6] = [
    plan([0, 2, 3], [1, 3, 2]),
    plan([0, 4, 2], [2, 4, 0]),
    plan([0, 3, 4], [0, 5, 1]),
    plan([1, 3, 2], [5, 0, 4]),
    plan([1, 2, 4], [3, 1, 5]),
    plan([1, 4, 3], [4, 2, 3]),
];

/// Over a triangle 0, 1, 2 with tip 4 in front and tip 3 behind.
const TRIANGLE_PLAN: [FacePlan; 6] = [
    plan([4, 0, 1], [1, 3, 2]),
    plan([4, 2, 0], [2, 4, 0]),
    plan([4, 1, 2], [0, 5, 1]),
    plan([3, 1, 0], [5, 0, 4]),
    plan([3, 0, 2], [3, 1, 5]),
    plan([3, 2, 1], [4, 2, 3]),
];

const TETRAHEDRON_PLAN: [FacePlan; 4] = [
    plan([0, 1, 2], [1, 3, 2]),
    plan([0, 3, 1], [2, 3, 0]),
    plan([0, 2, 3], [0, 3, 1]),
    plan([3, 2, 1], [2, 0, 1]),
];

/// Build the first polytope from the simplex in `status`.
pub(crate) fn build(
    polytope: &mut Polytope,
    status: &mut CcdStatus,
    first: &mut ConvexObject,
    second: &mut ConvexObject,
) -> EpaOutcome {
    polytope.clear();
    match status.simplex_count {
        2 => from_segment(polytope, status, first, second),
        3 => from_triangle(polytope, status, first, second),
        _ => from_tetrahedron(polytope, status, first, second),
    }
}

/// Attach all faces; stops at the first one through the origin and returns its vertices.
fn attach_all(polytope: &mut Polytope, faces: &[FacePlan]) -> Option<[u32; 3]> {
    faces
        .iter()
        .find(|face| polytope.attach(face.vertices, face.adjacent) < MIN_SQUARED)
        .map(|face| face.vertices)
}

fn list_all(polytope: &mut Polytope) -> EpaOutcome {
    for face in 0..polytope.faces.len() as u32 {
        polytope.list(face);
    }
    EpaOutcome::Success
}

/// Start again from one triangle of the polytope.
fn restart_from(
    triangle: [u32; 3],
    polytope: &mut Polytope,
    status: &mut CcdStatus,
    first: &mut ConvexObject,
    second: &mut ConvexObject,
) -> EpaOutcome {
    status.simplex_count = 3;
    for (slot, index) in triangle.into_iter().enumerate() {
        status.simplex[slot] = polytope.vertices[index as usize];
    }
    polytope.clear();
    from_triangle(polytope, status, first, second)
}

fn from_segment(
    polytope: &mut Polytope,
    status: &mut CcdStatus,
    first: &mut ConvexObject,
    second: &mut ConvexObject,
) -> EpaOutcome {
    let [start, end] = [status.simplex[0], status.simplex[1]];
    let along = vec3::sub(end.difference, start.difference);

    // The coordinate axis least aligned with the segment gives the longest cross product.
    let mut axis = [0.0; 3];
    let mut smallest = f64::MAX;
    let mut index = 0;
    for i in 0..3 {
        if along[i].abs() < smallest {
            smallest = along[i].abs();
            index = i;
        }
    }
    axis[index] = 1.0;
    let turn = third_of_a_turn(along);
    let mut direction = vec3::cross(axis, along);

    polytope.insert(start);
    polytope.insert(end);
    let mut ring = [[0.0; 3]; 3];
    for corner in &mut ring {
        let vertex = polytope.insert_support(first, second, direction, vec3::norm(direction));
        *corner = polytope.point(vertex);
        direction = mat3::mul_vec(&turn, direction);
    }

    if let Some(triangle) = attach_all(polytope, &SEGMENT_PLAN) {
        return restart_from(triangle, polytope, status, first, second);
    }
    if !line_meets_triangle(start.difference, end.difference, ring) {
        return EpaOutcome::SegmentNotConvex;
    }
    list_all(polytope)
}

fn from_triangle(
    polytope: &mut Polytope,
    status: &mut CcdStatus,
    first: &mut ConvexObject,
    second: &mut ConvexObject,
) -> EpaOutcome {
    let [a, b, c] = [0, 1, 2].map(|index| status.simplex[index].difference);
    let normal = vec3::cross(vec3::sub(b, a), vec3::sub(c, a));
    let length = vec3::norm(normal);
    if length < MIN_VALUE {
        return EpaOutcome::TriangleBadNormal;
    }

    for index in 0..3 {
        polytope.insert(status.simplex[index]);
    }
    let behind = polytope.insert_support(first, second, vec3::scale(normal, -1.0), length);
    let front = polytope.insert_support(first, second, normal, length);
    if point_on_triangle(a, b, c, polytope.point(front)) {
        return EpaOutcome::TriangleFrontInvalid;
    }
    if point_on_triangle(a, b, c, polytope.point(behind)) {
        return EpaOutcome::TriangleBackInvalid;
    }
    if attach_all(polytope, &TRIANGLE_PLAN).is_some() {
        return EpaOutcome::TriangleOriginOnFace;
    }
    list_all(polytope)
}

fn from_tetrahedron(
    polytope: &mut Polytope,
    status: &mut CcdStatus,
    first: &mut ConvexObject,
    second: &mut ConvexObject,
) -> EpaOutcome {
    for index in 0..4 {
        polytope.insert(status.simplex[index]);
    }
    if let Some(triangle) = attach_all(polytope, &TETRAHEDRON_PLAN) {
        return restart_from(triangle, polytope, status, first, second);
    }
    let [a, b, c, d] = [0, 1, 2, 3].map(|index| status.simplex[index].difference);
    let contains_origin = same_side_as_origin(a, b, c, d)
        && same_side_as_origin(b, c, d, a)
        && same_side_as_origin(c, d, a, b)
        && same_side_as_origin(d, a, b, c);
    if !contains_origin {
        return EpaOutcome::TetrahedronMissesOrigin;
    }
    list_all(polytope)
}

/// Rotation by 120° around `axis`.
fn third_of_a_turn(axis: Vec3) -> Mat3 {
    const SINE: f64 = 0.86602540378;
    const COSINE: f64 = -0.5;
    let length = vec3::norm(axis);
    let [x, y, z] = [axis[0] / length, axis[1] / length, axis[2] / length];
    let rest = 1.0 - COSINE;
    [
        COSINE + x * x * rest,
        x * y * rest - z * SINE,
        x * z * rest + y * SINE,
        y * x * rest + z * SINE,
        COSINE + y * y * rest,
        y * z * rest - x * SINE,
        x * z * rest - y * SINE,
        y * z * rest + x * SINE,
        COSINE + z * z * rest,
    ]
}

/// Whether the line from `start` through `end` passes through a triangle.
fn line_meets_triangle(start: Vec3, end: Vec3, triangle: [Vec3; 3]) -> bool {
    let along = vec3::sub(end, start);
    let [a, b, c] = triangle.map(|corner| vec3::sub(corner, start));
    let volumes = [determinant(a, b, along), determinant(b, c, along), determinant(c, a, along)];
    volumes.iter().all(|&volume| volume >= 0.0) || volumes.iter().all(|&volume| volume <= 0.0)
}

/// Whether `point` lies in a triangle, not just in its plane.
fn point_on_triangle(a: Vec3, b: Vec3, c: Vec3, point: Vec3) -> bool {
    let (total, x, y) = largest_shadow(a, b, c);
    let weights = sub_areas(a, b, c, point, x, y).map(|area| area / total);
    if weights.iter().any(|&weight| weight < 0.0) {
        return false;
    }
    let inside = combine3(weights, [a, b, c]);
    vec3::norm(vec3::sub(inside, point)) < MIN_VALUE
}

/// Whether `point` and the origin are strictly on the same side of the plane through `a`, `b`, `c`.
fn same_side_as_origin(a: Vec3, b: Vec3, c: Vec3, point: Vec3) -> bool {
    let normal = vec3::cross(vec3::sub(b, a), vec3::sub(c, a));
    let point_side = vec3::dot(normal, vec3::sub(point, a));
    let origin_side = vec3::dot(normal, vec3::scale(a, -1.0));
    (point_side > 0.0 && origin_side > 0.0) || (point_side < 0.0 && origin_side < 0.0)
}
