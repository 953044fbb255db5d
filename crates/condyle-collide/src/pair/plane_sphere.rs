//! Plane against sphere: one contact, at the height of the centre above the plane minus the radius.

use condyle_math::{Vec3, vec3};

use crate::{ContactBuffer, ContactPoint, Pose, Size};

/// Contact of a plane (first) with a sphere.
pub fn collide(
    _size1: &Size,
    pose1: &Pose,
    size2: &Size,
    pose2: &Pose,
    margin: f64,
    out: &mut ContactBuffer,
) -> usize {
    match ball_over_plane(pose1.position, pose1.z_axis(), pose2.position, size2[0], margin) {
        Some(contact) => usize::from(out.push(contact)),
        None => 0,
    }
}

/// Contact of the plane through `origin` with a ball; `None` when the gap exceeds the margin.
#[inline]
pub(super) fn ball_over_plane(
    origin: Vec3,
    normal: Vec3,
    center: Vec3,
    radius: f64,
    margin: f64,
) -> Option<ContactPoint> {
    let height = vec3::dot(vec3::sub(center, origin), normal);
    if height > margin + radius {
        return None;
    }
    let distance = height - radius;
    let position = vec3::add(center, vec3::scale(normal, -distance / 2.0 - radius));
    Some(ContactPoint::new(distance, position, normal))
}

#[cfg(test)]
mod tests {
    use super::super::test_shapes::{at, no_panic_on_bad_numbers};
    use super::*;

    #[test]
    fn resting_sphere_touches_below_its_centre() {
        let mut out = ContactBuffer::new();
        let n = collide(&[0.0; 3], &Pose::IDENTITY, &[0.5, 0.0, 0.0], &at(1.0, 2.0, 0.25), 0.0, &mut out);
        assert_eq!(n, 1);
        assert_eq!(out.as_slice()[0], ContactPoint::new(-0.25, [1.0, 2.0, -0.125], [0.0, 0.0, 1.0]));
    }

    #[test]
    fn the_margin_includes_its_bound() {
        let mut out = ContactBuffer::new();
        let ball = [0.5, 0.0, 0.0];
        assert_eq!(collide(&[0.0; 3], &Pose::IDENTITY, &ball, &at(0.0, 0.0, 0.75), 0.25, &mut out), 1);
        assert_eq!(collide(&[0.0; 3], &Pose::IDENTITY, &ball, &at(0.0, 0.0, 0.8), 0.25, &mut out), 0);
    }

    #[test]
    fn bad_numbers_do_not_panic() {
        no_panic_on_bad_numbers(collide);
    }
}
