//! Support points: the point of a shape, or of the Minkowski difference of two shapes, farthest in a direction.
//!
//! Directions are unit vectors except in GJK's intersection test. `A − B` has the support `s_A(d) − s_B(−d)`.

use condyle_math::{Mat3, Vec3, mat3, vec3};

use super::{ConvexObject, ConvexShape, HullGraph, MIN_SQUARED, MeshShape};

/// From this many vertices on a mesh is searched along its hull's edges instead of exhaustively.
const HILL_CLIMB_MIN_VERTICES: usize = 10;
/// Below any projection of a vertex.
const LOWEST: f64 = -f32::MAX as f64;

/// A vertex of the Minkowski difference and the two points it comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Vertex {
    /// `point1 − point2`
    pub difference: Vec3,
    /// Point of the first object.
    pub point1: Vec3,
    /// Point of the second object.
    pub point2: Vec3,
    /// Vertex of the first object if it is a box or mesh, else −1.
    pub index1: i32,
    /// Vertex of the second object if it is a box or mesh, else −1.
    pub index2: i32,
}

/// Support vertex of `first − second` along `direction`, with `opposite = −direction`.
#[inline]
pub(crate) fn minkowski(
    first: &mut ConvexObject,
    second: &mut ConvexObject,
    direction: Vec3,
    opposite: Vec3,
) -> Vertex {
    let point1 = inflated(first, direction);
    let point2 = inflated(second, opposite);
    Vertex {
        difference: vec3::sub(point1, point2),
        point1,
        point2,
        index1: first.vertex,
        index2: second.vertex,
    }
}

#[inline]
fn inflated(object: &mut ConvexObject, direction: Vec3) -> Vec3 {
    let point = support(object, direction);
    let thickened = matches!(object.shape, ConvexShape::Element(_));
    if object.margin > 0.0 && !thickened {
        vec3::add_scaled(point, direction, 0.5 * object.margin)
    } else {
        point
    }
}

/// Support point of an object without its margin; an element has it included in its thickness.
#[inline]
pub(crate) fn support(object: &mut ConvexObject, direction: Vec3) -> Vec3 {
    let pose = &object.pose;
    match &object.shape {
        ConvexShape::Sphere(_) if object.use_core => pose.position,
        ConvexShape::Sphere(size) => vec3::add(vec3::scale(direction, size[0]), pose.position),
        ConvexShape::Capsule(size) if object.use_core => {
            let axis = pose.z_axis();
            let half = if vec3::dot(axis, direction) >= 0.0 { size[1] } else { -size[1] };
            vec3::add(vec3::scale(axis, half), pose.position)
        }
        ConvexShape::Capsule(size) => {
            let local = mat3::mul_vec_transposed(&pose.rotation, direction);
            let mut point = vec3::scale(local, size[0]);
            point[2] += if local[2] >= 0.0 { size[1] } else { -size[1] };
            pose.to_world(point)
        }
        ConvexShape::Ellipsoid(size) => pose.to_world(ellipsoid(size, &pose.rotation, direction)),
        ConvexShape::Cylinder(size) => {
            let local = mat3::mul_vec_transposed(&pose.rotation, direction);
            let squared = local[0] * local[0] + local[1] * local[1];
            let scale = if squared >= MIN_SQUARED { size[0] / squared.sqrt() } else { 0.0 };
            let z = if local[2] >= 0.0 { size[1] } else { -size[1] };
            pose.to_world([scale * local[0], scale * local[1], z])
        }
        ConvexShape::Box(size) => {
            let local = mat3::mul_vec_transposed(&pose.rotation, direction);
            let point: Vec3 = std::array::from_fn(|i| if local[i] >= 0.0 { size[i] } else { -size[i] });
            let bit = |axis: usize| i32::from(point[axis] > 0.0) << axis;
            object.vertex = bit(0) | bit(1) | bit(2);
            pose.to_world(point)
        }
        ConvexShape::Mesh(mesh) => {
            let local = mat3::mul_vec_transposed(&pose.rotation, direction);
            match &mesh.hull {
                Some(hull) if mesh.vertices.len() >= HILL_CLIMB_MIN_VERTICES => {
                    let known = mesh.table.and_then(|table| table.find(local));
                    object.hull_vertex =
                        known.unwrap_or_else(|| climb(mesh, hull, local, object.hull_vertex));
                    object.vertex = hull.vertex_id(object.hull_vertex);
                }
                _ => object.vertex = search(mesh, local, object.vertex),
            }
            pose.to_world(mesh.vertex(object.vertex))
        }
        ConvexShape::Prism(corners) => prism(corners, direction),
        ConvexShape::Element(element) => element.support(direction, object.margin),
    }
}

/// Scale the direction to the unit sphere's image, renormalise, scale back. A direction too short for that gives the end of the x axis.
#[inline]
fn ellipsoid(size: &Vec3, rotation: &Mat3, direction: Vec3) -> Vec3 {
    let local = mat3::mul_vec_transposed(rotation, direction);
    let scaled = [local[0] * size[0], local[1] * size[1], local[2] * size[2]];
    let squared = vec3::dot(scaled, scaled);
    if squared < MIN_SQUARED {
        return [size[0], 0.0, 0.0];
    }
    let inverse = 1.0 / squared.sqrt();
    std::array::from_fn(|i| scaled[i] * (inverse * size[i]))
}

/// Dot product of a direction with a vertex in single precision.
#[inline(always)]
pub(crate) fn project(direction: Vec3, vertex: &[f32; 3]) -> f64 {
    direction[0] * f64::from(vertex[0])
        + direction[1] * f64::from(vertex[1])
        + direction[2] * f64::from(vertex[2])
}

/// Farthest vertex by looking at all; among equals the previous answer stays, then the first wins.
fn search(mesh: &MeshShape, direction: Vec3, previous: i32) -> i32 {
    let mut best = (0, LOWEST);
    if let Some(vertex) = mesh.vertices.get(previous as usize) {
        best = (previous, project(direction, vertex));
    }
    for (index, vertex) in mesh.vertices.iter().enumerate() {
        let projection = project(direction, vertex);
        if projection > best.1 {
            best = (index as i32, projection);
        }
    }
    best.0
}

/// Walk the hull's edges uphill from `start`. A better neighbour is taken at once, while the rest of the old neighbour list is still
/// scanned; the start itself never competes.
pub(super) fn climb(mesh: &MeshShape, hull: &HullGraph, direction: Vec3, start: i32) -> i32 {
    let mut current = if start >= 0 { start } else { 0 };
    let mut highest = LOWEST;
    loop {
        let origin = current;
        for neighbour in hull.neighbours(origin) {
            let Some(vertex) = mesh.vertices.get(hull.vertex_id(neighbour) as usize) else { continue };
            let projection = project(direction, vertex);
            if projection > highest {
                highest = projection;
                current = neighbour;
            }
        }
        if current == origin {
            return current;
        }
    }
}

/// Farthest corner among the bottom three (direction pointing down) or the top three.
#[inline]
pub(crate) fn prism(corners: &[Vec3; 6], direction: Vec3) -> Vec3 {
    let start = if direction[2] < 0.0 { 0 } else { 3 };
    let mut best = (start, vec3::dot(corners[start], direction));
    for index in start + 1..start + 3 {
        let projection = vec3::dot(corners[index], direction);
        if projection > best.1 {
            best = (index, projection);
        }
    }
    corners[best.0]
}
