//! Plane against an ellipsoid or mesh.
//!
//! The deepest vertex gives the first contact. A mesh adds up to two more among the hull neighbours of that vertex (all vertices if
//! there is no hull) that are within the margin and not too close to the first. Reference: `mjc_PlaneConvex`.

use condyle_math::{Vec3, mat3, vec3};

use crate::convex::{ConvexObject, ConvexShape, MeshShape, mpr_support, project};
use crate::{ContactBuffer, ContactPoint, Pose};

/// Most contacts of a mesh with a plane.
const MAX_CONTACTS: usize = 3;
/// Further contacts are at least this fraction of the bounding radius away from the first.
const SPREAD: f64 = 0.3;

/// Append the contacts of the plane `z = 0` of `plane` with a convex shape and return how many there are.
///
/// `mesh` lists further candidate vertices: the mesh itself, or the mesh an ellipsoid was fitted to if it still refers to one.
pub fn collide(
    plane: &Pose,
    shape: ConvexShape,
    pose: &Pose,
    mesh: Option<&MeshShape>,
    bounding_radius: f64,
    margin: f64,
    out: &mut ContactBuffer,
) -> usize {
    let normal = plane.z_axis();
    let downward = [-normal[0], -normal[1], -normal[2]];
    let mut object = ConvexObject::new(shape, *pose, 0.0);
    let deepest = mpr_support(&mut object, downward);
    let distance = vec3::dot(normal, vec3::sub(deepest, plane.position));
    if distance > margin {
        return 0;
    }
    let first = touch(normal, deepest, distance);
    out.push(first);
    let Some(mesh) = mesh else { return 1 };

    let mut count = 1;
    let local = mat3::mul_vec_transposed(&pose.rotation, downward);
    let threshold = vec3::dot(normal, vec3::sub(pose.position, plane.position)) - margin;
    let mut consider = |vertex: i32| {
        let Some(single) = mesh.vertices.get(vertex as usize) else { return true };
        if project(local, single) > threshold {
            let point = vec3::add(mat3::mul_vec(&pose.rotation, mesh.vertex(vertex)), pose.position);
            if !(vec3::distance(point, first.position) < SPREAD * bounding_radius) {
                let distance = vec3::dot(normal, vec3::sub(point, plane.position));
                out.push(touch(normal, point, distance));
                count += 1;
            }
        }
        count < MAX_CONTACTS
    };
    match &mesh.hull {
        Some(hull) if object.hull_vertex >= 0 => {
            for neighbour in hull.neighbours(object.hull_vertex) {
                if !consider(hull.vertex_id(neighbour)) {
                    break;
                }
            }
        }
        Some(_) => {}
        None => {
            for vertex in 0..mesh.vertices.len() as i32 {
                if vertex != object.hull_vertex && !consider(vertex) {
                    break;
                }
            }
        }
    }
    count
}

/// Contact of a point at `distance` above the plane.
fn touch(normal: Vec3, point: Vec3, distance: f64) -> ContactPoint {
    ContactPoint::new(distance, vec3::add_scaled(point, normal, -0.5 * distance), normal)
}

#[cfg(test)]
mod tests {
    use super::*;

    const CUBE: [[f32; 3]; 8] = [
        [-1.0, -1.0, -1.0],
        [1.0, -1.0, -1.0],
        [-1.0, 1.0, -1.0],
        [1.0, 1.0, -1.0],
        [-1.0, -1.0, 1.0],
        [1.0, -1.0, 1.0],
        [-1.0, 1.0, 1.0],
        [1.0, 1.0, 1.0],
    ];

    #[test]
    fn a_cube_mesh_on_a_plane_gives_three_contacts() {
        let mesh = MeshShape { vertices: &CUBE, ..MeshShape::default() };
        let pose = Pose { position: [0.0, 0.0, 0.95], ..Pose::IDENTITY };
        let mut out = ContactBuffer::new();
        let count =
            collide(&Pose::IDENTITY, ConvexShape::Mesh(&mesh), &pose, Some(&mesh), 1.8, 0.0, &mut out);
        assert_eq!(count, 3);
        assert!(out.as_slice().iter().all(|contact| (contact.distance + 0.05).abs() < 1e-12));
    }

    #[test]
    fn an_ellipsoid_touches_at_its_lowest_point() {
        let pose = Pose { position: [0.0, 0.0, 2.9], ..Pose::IDENTITY };
        let ellipsoid = ConvexShape::Ellipsoid([1.0, 2.0, 3.0]);
        let mut out = ContactBuffer::new();
        assert_eq!(collide(&Pose::IDENTITY, ellipsoid, &pose, None, 3.0, 0.0, &mut out), 1);
        assert!((out.as_slice()[0].distance + 0.1).abs() < 1e-12);
        let high = Pose { position: [0.0, 0.0, 3.1], ..Pose::IDENTITY };
        assert_eq!(collide(&Pose::IDENTITY, ellipsoid, &high, None, 3.0, 0.0, &mut out), 0);
    }
}
