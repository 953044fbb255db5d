//! Support points as MPR and the plane see them: shape and margin in the local frame, then one transformation to the world.
//!
//! The roundings and the treatment of ties differ from the other support functions, and so does the walk over a mesh's hull: it starts from
//! the remembered vertex itself, which wins ties. Without ties all walks end at the same vertex, which the table of the mesh may know.

use condyle_math::{MIN_VALUE, Vec3, mat3, scalar::sign, vec3};

use super::support::{prism, project};
use super::{ConvexObject, ConvexShape, MeshShape};

/// Below any projection of a vertex.
const LOWEST: f64 = -1e10;

/// Support point of an object including half of its margin.
pub(crate) fn mpr_support(object: &mut ConvexObject, direction: Vec3) -> Vec3 {
    match &object.shape {
        ConvexShape::Prism(corners) => return prism(corners, direction),
        ConvexShape::Element(element) => return element.support(direction, object.margin),
        _ => {}
    }
    let rotation = &object.pose.rotation;
    let local = mat3::mul_vec_transposed(rotation, direction);
    let point = match &object.shape {
        ConvexShape::Sphere(size) => vec3::scale(local, size[0]),
        ConvexShape::Capsule(size) => {
            let [x, y, z] = vec3::scale(local, size[0]);
            [x, y, z + sign(local[2]) * size[1]]
        }
        ConvexShape::Ellipsoid(size) => {
            let unit = vec3::normalize([local[0] * size[0], local[1] * size[1], local[2] * size[2]]).0;
            [unit[0] * size[0], unit[1] * size[1], unit[2] * size[2]]
        }
        ConvexShape::Cylinder(size) => {
            let length = (local[0] * local[0] + local[1] * local[1]).sqrt();
            let z = sign(local[2]) * size[1];
            if length > MIN_VALUE {
                [local[0] / length * size[0], local[1] / length * size[0], z]
            } else {
                [0.0, 0.0, z]
            }
        }
        ConvexShape::Box(size) => std::array::from_fn(|i| sign(local[i]) * size[i]),
        ConvexShape::Mesh(mesh) => mesh_support(mesh, local, &mut object.hull_vertex),
        ConvexShape::Prism(_) | ConvexShape::Element(_) => [0.0; 3],
    };
    let inflated: Vec3 = std::array::from_fn(|i| point[i] + local[i] * object.margin / 2.0);
    vec3::add(mat3::mul_vec(rotation, inflated), object.pose.position)
}

/// Farthest vertex. `memory` is the hull vertex to start from and to report, or the mesh vertex if there is no hull.
pub(super) fn mesh_support(mesh: &MeshShape, direction: Vec3, memory: &mut i32) -> Vec3 {
    let Some(hull) = &mesh.hull else {
        let mut best = (-1, LOWEST);
        for (index, vertex) in mesh.vertices.iter().enumerate() {
            let projection = project(direction, vertex);
            if projection > best.1 {
                best = (index as i32, projection);
            }
        }
        *memory = best.0;
        return mesh.vertex(best.0);
    };

    if let Some(vertex) = mesh.table.and_then(|table| table.find(direction)) {
        *memory = vertex;
        return mesh.vertex(hull.vertex_id(vertex));
    }
    let projection_of = |hull_vertex: i32| {
        mesh.vertices.get(hull.vertex_id(hull_vertex) as usize).map(|vertex| project(direction, vertex))
    };
    let mut best = if *memory < 0 { 0 } else { *memory };
    let mut highest = projection_of(best).unwrap_or(LOWEST);
    loop {
        let origin = best;
        for neighbour in hull.neighbours(origin) {
            if let Some(projection) = projection_of(neighbour)
                && projection > highest
            {
                highest = projection;
                best = neighbour;
            }
        }
        if best == origin {
            break;
        }
    }
    *memory = best;
    mesh.vertex(hull.vertex_id(best))
}
