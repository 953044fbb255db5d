//! A vertex of a tetrahedron against the face opposite: they are kept apart by twice the radius, and the contact becomes active when
//! the vertex comes closer to the plane of the face or passes through it. Reference: `mj_collideFlexInternal`.

use condyle_math::{Vec3, vec3};

use crate::ContactPoint;

/// Contact of the face with corners in an order that makes its normal point away from `vertex`.
#[inline]
pub fn contact(face: [Vec3; 3], vertex: Vec3, radius: f64) -> Option<ContactPoint> {
    let [edge1, edge2, offset] = [face[1], face[2], vertex].map(|point| vec3::sub(point, face[0]));
    let normal = vec3::normalize(vec3::cross(edge1, edge2)).0;
    let height = vec3::dot(offset, normal);
    if height <= -2.0 * radius {
        return None;
    }
    Some(ContactPoint::new(
        -height - 2.0 * radius,
        vec3::add_scaled(vertex, normal, -0.5 * height),
        vec3::scale(normal, -1.0),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_vertex_that_sinks_to_the_face_is_pushed_back() {
        let face = [[0.0; 3], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]];
        assert!(contact(face, [0.25, 0.25, 0.75], 0.25).is_none());
        let found = contact(face, [0.25, 0.25, 0.25], 0.25).unwrap();
        assert_eq!(found, ContactPoint::new(-0.25, [0.25, 0.25, 0.125], [-0.0, -0.0, 1.0]));
    }
}
