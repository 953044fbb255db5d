//! Sphere against capsule: the sphere meets the ball at the nearest point of the capsule's segment.

use condyle_math::{scalar, vec3};

use super::sphere_sphere::{Ball, push_ball_contact};
use crate::{ContactBuffer, Pose, Size};

/// Contact of a sphere (first) with a capsule.
pub fn collide(
    size1: &Size,
    pose1: &Pose,
    size2: &Size,
    pose2: &Pose,
    margin: f64,
    out: &mut ContactBuffer,
) -> usize {
    let [radius, half_length, _] = *size2;
    let axis = pose2.z_axis();
    let along = vec3::dot(axis, vec3::sub(pose1.position, pose2.position));
    let along = scalar::clip(along, -half_length, half_length);
    let nearest = vec3::add(vec3::scale(axis, along), pose2.position);

    let sphere = Ball { center: pose1.position, radius: size1[0], axis: pose1.z_axis() };
    push_ball_contact(&sphere, &Ball { center: nearest, radius, axis }, margin, out)
}

#[cfg(test)]
mod tests {
    use super::super::test_shapes::{at, no_panic_on_bad_numbers};
    use super::*;
    use crate::ContactPoint;

    #[test]
    fn the_side_and_the_cap_are_both_round() {
        let mut out = ContactBuffer::new();
        let capsule = [0.5, 1.0, 0.0];
        collide(&[0.5; 3], &at(0.75, 0.0, 0.5), &capsule, &Pose::IDENTITY, 0.0, &mut out);
        collide(&[0.5; 3], &at(0.0, 0.0, 1.75), &capsule, &Pose::IDENTITY, 0.0, &mut out);
        assert_eq!(out.as_slice()[0], ContactPoint::new(-0.25, [0.375, 0.0, 0.5], [-1.0, 0.0, 0.0]));
        assert_eq!(out.as_slice()[1], ContactPoint::new(-0.25, [0.0, 0.0, 1.375], [0.0, 0.0, -1.0]));
    }

    #[test]
    fn bad_numbers_do_not_panic() {
        no_panic_on_bad_numbers(collide);
    }
}
