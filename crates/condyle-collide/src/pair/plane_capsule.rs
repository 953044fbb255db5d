//! Plane against capsule: one contact per end ball, tangents along the capsule.

use condyle_math::vec3;

use super::plane_sphere::ball_over_plane;
use crate::{ContactBuffer, Pose, Size};

/// Contacts of a plane (first) with a capsule: the end on its +z side, then the other.
pub fn collide(
    _size1: &Size,
    pose1: &Pose,
    size2: &Size,
    pose2: &Pose,
    margin: f64,
    out: &mut ContactBuffer,
) -> usize {
    let [radius, half_length, _] = *size2;
    let normal = pose1.z_axis();
    let axis = pose2.z_axis();
    let segment = vec3::scale(axis, half_length);

    let ends = [vec3::add(pose2.position, segment), vec3::sub(pose2.position, segment)];
    let before = out.len();
    for end in ends {
        if let Some(mut contact) = ball_over_plane(pose1.position, normal, end, radius, margin) {
            contact.set_tangent(axis);
            out.push(contact);
        }
    }
    out.len() - before
}

#[cfg(test)]
mod tests {
    use super::super::test_shapes::{at, no_panic_on_bad_numbers, turned_y_quarter};
    use super::*;

    #[test]
    fn lying_capsule_gives_two_contacts_with_tangents_along_it() {
        let mut out = ContactBuffer::new();
        let pose = Pose { rotation: turned_y_quarter(), ..at(0.0, 0.0, 0.5) };
        assert_eq!(collide(&[0.0; 3], &Pose::IDENTITY, &[0.5, 1.0, 0.0], &pose, 0.0, &mut out), 2);
        assert_eq!(out.as_slice()[0].position, [1.0, 0.0, 0.0]);
        assert_eq!(out.as_slice()[1].position, [-1.0, 0.0, 0.0]);
        assert_eq!(out.as_slice()[0].frame[3..6], [1.0, 0.0, 0.0]);
    }

    #[test]
    fn standing_capsule_touches_with_its_lower_end_only() {
        let mut out = ContactBuffer::new();
        let n = collide(&[0.0; 3], &Pose::IDENTITY, &[0.5, 1.0, 0.0], &at(0.0, 0.0, 1.25), 0.0, &mut out);
        assert_eq!((n, out.as_slice()[0].distance), (1, -0.25));
    }

    #[test]
    fn bad_numbers_do_not_panic() {
        no_panic_on_bad_numbers(collide);
    }
}
