//! Plane against a vertex of a flexible body: the contact of a ball, if it is within the margin. Reference: `mj_collidePlaneFlex`.

use condyle_math::{Vec3, vec3};

use crate::{ContactPoint, Pose};

/// Contact of a plane (first) with a ball around `vertex`.
#[inline]
pub fn contact(plane: &Pose, vertex: Vec3, radius: f64, margin: f64) -> Option<ContactPoint> {
    let normal = plane.z_axis();
    let height = vec3::dot(vec3::sub(vertex, plane.position), normal);
    if height > margin + radius {
        return None;
    }
    let distance = height - radius;
    let position = vec3::add_scaled(vertex, normal, -distance * 0.5 - radius);
    Some(ContactPoint::new(distance, position, normal))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_vertex_within_the_margin_touches() {
        let touch = |z: f64| contact(&Pose::IDENTITY, [1.0, 2.0, z], 0.25, 0.125);
        assert_eq!(touch(0.125).unwrap(), ContactPoint::new(-0.125, [1.0, 2.0, -0.0625], [0.0, 0.0, 1.0]));
        assert!(touch(0.375).is_some() && touch(0.376).is_none());
    }
}
