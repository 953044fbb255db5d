//! Faces and edges of boxes and meshes near a contact.
//!
//! EPA's closest face names up to three vertices of each shape. One vertex belongs to a corner, two to an edge, three to a face; from
//! that follow the candidate face normals, edge directions and, once a face is chosen, its polygon.

use condyle_math::{Vec3, mat3, vec3};

use super::{ConvexObject, ConvexShape, MeshShape};
use crate::Pose;

/// Cosine above which two directions count as equal (an angle of 1.6e-3).
pub(crate) const FACE_ALIGNMENT: f64 = 0.99999872;
/// Most faces around a vertex, and most vertices of a face, that are looked at.
const MAX_POLYGON: usize = 150;

/// Corners (bit 0: +x, bit 1: +y, bit 2: +z) of the six faces +x, −x, +y, −y, +z, −z, clockwise seen from outside.
const BOX_FACES: [[i32; 4]; 6] =
    [[7, 3, 1, 5], [2, 6, 4, 0], [2, 3, 7, 6], [4, 5, 1, 0], [6, 7, 5, 4], [3, 2, 0, 1]];

/// The vertices of one shape behind a face of the polytope: one, two or three distinct ones.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Simplex {
    pub dimension: usize,
    pub indices: [i32; 3],
    pub points: [Vec3; 3],
}

impl Simplex {
    /// Count distinct vertices; two distinct ones are moved to the front.
    pub(super) fn new(mut indices: [i32; 3], mut points: [Vec3; 3]) -> Self {
        let [a, b, c] = indices;
        let dimension = if a != b {
            if c == a || c == b { 2 } else { 3 }
        } else if a != c {
            indices[1] = c;
            points[1] = points[2];
            2
        } else {
            1
        };
        Self { dimension, indices, points }
    }
}

/// Candidate faces: world normal and face number.
pub(crate) type FaceList = Vec<(Vec3, i32)>;
/// Candidate edges: unit direction and far end, both in world coordinates.
pub(crate) type EdgeList = Vec<(Vec3, Vec3)>;

/// Faces that contain all vertices of `simplex`. `direction` points out of the object at the contact.
pub(crate) fn faces(out: &mut FaceList, object: &ConvexObject, simplex: &Simplex, direction: Vec3) {
    out.clear();
    match &object.shape {
        ConvexShape::Box(_) => box_faces(out, &object.pose, simplex, direction),
        ConvexShape::Mesh(mesh) => mesh_faces(out, mesh, &object.pose, simplex),
        _ => {}
    }
}

/// Edges that contain all vertices of `simplex` (one or two).
pub(crate) fn edges(out: &mut EdgeList, object: &ConvexObject, simplex: &Simplex) {
    out.clear();
    let start = simplex.points[0];
    if !matches!(object.shape, ConvexShape::Box(_) | ConvexShape::Mesh(_)) {
        return;
    }
    if simplex.dimension == 2 {
        push_edge(out, start, simplex.points[1]);
        return;
    }
    match &object.shape {
        ConvexShape::Box(size) => {
            let corner = box_corner(simplex.indices[0], size);
            for axis in 0..3 {
                let mut other = corner;
                other[axis] = -other[axis];
                push_edge(out, start, object.pose.to_world(other));
            }
        }
        ConvexShape::Mesh(mesh) => mesh_edges(out, mesh, &object.pose, simplex.indices[0], start),
        _ => {}
    }
}

fn push_edge(out: &mut EdgeList, start: Vec3, end: Vec3) {
    out.push((vec3::normalize(vec3::sub(end, start)).0, end));
}

/// World polygon of one face.
pub(crate) fn polygon(out: &mut Vec<Vec3>, object: &ConvexObject, face: i32) {
    out.clear();
    match &object.shape {
        ConvexShape::Box(size) => {
            if let Some(corners) = BOX_FACES.get(face as usize) {
                out.extend(corners.map(|corner| object.pose.to_world(box_corner(corner, size))));
            }
        }
        ConvexShape::Mesh(mesh) => {
            let vertices = mesh.polygons.polygon(face);
            let count = vertices.len().min(MAX_POLYGON);
            out.extend(vertices[..count].iter().rev().map(|&v| object.pose.to_world(mesh.vertex(v))));
        }
        _ => {}
    }
}

fn box_corner(corner: i32, size: &Vec3) -> Vec3 {
    std::array::from_fn(|axis| if corner >> axis & 1 == 1 { size[axis] } else { -size[axis] })
}

/// +1 if all corners are on the positive side of `axis`, −1 if all are on the negative side, else 0.
fn common_side(corners: &[i32], axis: usize) -> i32 {
    let positive = |corner: &i32| corner >> axis & 1 == 1;
    if corners.iter().all(positive) {
        1
    } else if !corners.iter().any(positive) {
        -1
    } else {
        0
    }
}

fn box_faces(out: &mut FaceList, pose: &Pose, simplex: &Simplex, direction: Vec3) {
    let sides: [i32; 3] =
        std::array::from_fn(|axis| common_side(&simplex.indices[..simplex.dimension], axis));
    let face_count = sides.iter().filter(|&&side| side != 0).count();
    // A corner touches three faces, an edge two, three corners of a face one; anything else is a diagonal.
    if face_count + simplex.dimension != 4 {
        return box_face_along(out, pose, direction);
    }
    for axis in 0..3 {
        if sides[axis] != 0 {
            let mut local = [0.0; 3];
            local[axis] = f64::from(sides[axis]);
            let face = 2 * axis as i32 + i32::from(sides[axis] < 0);
            out.push((mat3::mul_vec(&pose.rotation, local), face));
        }
    }
}

/// The face whose normal is close to `direction`, if any.
fn box_face_along(out: &mut FaceList, pose: &Pose, direction: Vec3) {
    let local = mat3::mul_vec_transposed(&pose.rotation, direction);
    let local = vec3::scale(local, 1.0 / vec3::dot(local, local).sqrt());
    for face in 0..6 {
        let mut normal = [0.0; 3];
        normal[face / 2] = if face % 2 == 0 { 1.0 } else { -1.0 };
        if vec3::dot(local, normal) > FACE_ALIGNMENT {
            out.push((mat3::mul_vec(&pose.rotation, normal), face as i32));
            return;
        }
    }
}

/// First two values of `a` that also occur in `b`, with the second slot −1 if there is only one.
fn common(a: &[i32], b: &[i32]) -> ([i32; 2], usize) {
    let mut found = ([-1; 2], 0);
    for &value in a {
        for &other in b {
            if value == other {
                found.0[found.1] = value;
                found.1 += 1;
                if found.1 == 2 {
                    return found;
                }
            }
        }
    }
    found
}

fn mesh_faces(out: &mut FaceList, mesh: &MeshShape, pose: &Pose, simplex: &Simplex) {
    let [a, b, c] = simplex.indices.map(|vertex| mesh.polygons.around(vertex));
    let mut push = |face: i32| out.push((mat3::mul_vec(&pose.rotation, mesh.polygons.normal(face)), face));
    match simplex.dimension {
        3 => {
            let (along_edge, count) = common(a, b);
            let (shared, count) = common(&along_edge[..count], c);
            if count > 0 {
                push(shared[0]);
            }
        }
        2 => {
            let (shared, count) = common(a, b);
            shared[..count].iter().copied().for_each(push);
        }
        _ => a.iter().take(MAX_POLYGON).copied().for_each(push),
    }
}

/// For each polygon around a vertex, the edge to the polygon's previous vertex.
fn mesh_edges(out: &mut EdgeList, mesh: &MeshShape, pose: &Pose, vertex: i32, start: Vec3) {
    for &face in mesh.polygons.around(vertex).iter().take(MAX_POLYGON) {
        let polygon = mesh.polygons.polygon(face);
        if let Some(position) = polygon.iter().position(|&v| v == vertex) {
            let before = if position == 0 { polygon.len() - 1 } else { position - 1 };
            push_edge(out, start, pose.to_world(mesh.vertex(polygon[before])));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_box_corner_touches_three_faces_an_edge_two_and_a_face_one() {
        let object = ConvexObject::new(ConvexShape::Box([1.0, 2.0, 3.0]), Pose::IDENTITY, 0.0);
        let mut list = FaceList::new();
        let numbers = |list: &FaceList| list.iter().map(|face| face.1).collect::<Vec<_>>();
        faces(&mut list, &object, &Simplex::new([5, 5, 5], [[0.0; 3]; 3]), [0.0; 3]);
        assert_eq!(numbers(&list), [0, 3, 4]);
        faces(&mut list, &object, &Simplex::new([5, 5, 4], [[0.0; 3]; 3]), [0.0; 3]);
        assert_eq!(numbers(&list), [3, 4]);
        faces(&mut list, &object, &Simplex::new([5, 7, 4], [[0.0; 3]; 3]), [0.0; 3]);
        assert_eq!(numbers(&list), [4]);
        faces(&mut list, &object, &Simplex::new([0, 7, 0], [[0.0; 3]; 3]), [0.0, -1.0, 1e-4]);
        assert_eq!(numbers(&list), [3]);
    }

    #[test]
    fn box_face_polygons_lie_in_their_face() {
        let object = ConvexObject::new(ConvexShape::Box([1.0, 2.0, 3.0]), Pose::IDENTITY, 0.0);
        let mut points = Vec::new();
        for face in 0..6 {
            polygon(&mut points, &object, face);
            assert_eq!(points.len(), 4);
            let axis = face as usize / 2;
            let expected = (axis as f64 + 1.0) * if face % 2 == 0 { 1.0 } else { -1.0 };
            assert!(points.iter().all(|point| point[axis] == expected));
        }
    }

    #[test]
    fn a_box_face_lies_along_a_direction_of_any_length_that_is_close_enough() {
        let object = ConvexObject::new(ConvexShape::Box([1.0, 2.0, 3.0]), Pose::IDENTITY, 0.0);
        let diagonal = Simplex::new([0, 7, 0], [[0.0; 3]; 3]);
        let face_along = |direction: Vec3| {
            let mut list = FaceList::new();
            faces(&mut list, &object, &diagonal, direction);
            list.iter().map(|face| face.1).collect::<Vec<_>>()
        };
        assert!((FACE_ALIGNMENT.acos() - 1.6e-3).abs() < 1e-6);
        for length in [1e-3, 1.0, 50.0] {
            for face in 0..6 {
                let mut direction = [0.0; 3];
                direction[face / 2] = if face % 2 == 0 { length } else { -length };
                assert_eq!(face_along(direction), [face as i32]);
                for (cosine, close) in [(FACE_ALIGNMENT + 1e-12, true), (FACE_ALIGNMENT - 1e-12, false)] {
                    let slope = (1.0 / (cosine * cosine) - 1.0).sqrt();
                    direction[(face / 2 + 1) % 3] = slope * length;
                    assert_eq!(face_along(direction).len(), usize::from(close), "{direction:?}");
                }
            }
        }
    }
}
