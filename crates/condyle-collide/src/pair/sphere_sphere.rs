//! Sphere against sphere: one contact on the line of centres.

use condyle_math::{MIN_VALUE, Vec3, vec3};

use crate::{ContactBuffer, ContactPoint, Pose, Size};

/// Contact of two spheres.
pub fn collide(
    size1: &Size,
    pose1: &Pose,
    size2: &Size,
    pose2: &Pose,
    margin: f64,
    out: &mut ContactBuffer,
) -> usize {
    let first = Ball { center: pose1.position, radius: size1[0], axis: pose1.z_axis() };
    let second = Ball { center: pose2.position, radius: size2[0], axis: pose2.z_axis() };
    push_ball_contact(&first, &second, margin, out)
}

/// A ball that stands for the nearest part of a shape; `axis` is the z axis of that shape, which decides the normal of concentric balls.
#[derive(Clone, Copy)]
pub(super) struct Ball {
    pub center: Vec3,
    pub radius: f64,
    pub axis: Vec3,
}

/// Append the contact of two balls, if there is one, and count it.
#[inline]
pub(super) fn push_ball_contact(first: &Ball, second: &Ball, margin: f64, out: &mut ContactBuffer) -> usize {
    match ball_contact(first, second, margin) {
        Some(contact) => usize::from(out.push(contact)),
        None => 0,
    }
}

/// Contact of two balls; `None` when the gap exceeds the margin.
///
/// Concentric balls take the cross product of their axes as normal, or x if those are parallel.
#[inline]
fn ball_contact(first: &Ball, second: &Ball, margin: f64) -> Option<ContactPoint> {
    let difference = vec3::sub(first.center, second.center);
    let squared = vec3::dot(difference, difference);
    let reach = margin + first.radius + second.radius;
    if squared > reach * reach {
        return None;
    }
    let distance = squared.sqrt() - first.radius - second.radius;
    let (mut normal, length) = vec3::normalize(vec3::sub(second.center, first.center));
    if length < MIN_VALUE {
        normal = vec3::normalize(vec3::cross(first.axis, second.axis)).0;
    }
    let position = vec3::add(vec3::scale(normal, first.radius + distance / 2.0), first.center);
    Some(ContactPoint::new(distance, position, normal))
}

#[cfg(test)]
mod tests {
    use super::super::test_shapes::{at, no_panic_on_bad_numbers, turned_y_quarter};
    use super::*;

    #[test]
    fn overlapping_spheres_touch_midway() {
        let mut out = ContactBuffer::new();
        let n = collide(&[1.0; 3], &at(0.0, 0.0, 0.0), &[0.5; 3], &at(0.0, 1.25, 0.0), 0.0, &mut out);
        assert_eq!(n, 1);
        assert_eq!(out.as_slice()[0], ContactPoint::new(-0.25, [0.0, 0.875, 0.0], [0.0, 1.0, 0.0]));
    }

    #[test]
    fn concentric_spheres_separate_across_their_axes() {
        let mut out = ContactBuffer::new();
        let turned = Pose { rotation: turned_y_quarter(), ..Pose::IDENTITY };
        collide(&[1.0; 3], &Pose::IDENTITY, &[1.0; 3], &turned, 0.0, &mut out);
        collide(&[1.0; 3], &Pose::IDENTITY, &[1.0; 3], &Pose::IDENTITY, 0.0, &mut out);
        assert_eq!(out.as_slice()[0].normal(), [0.0, 1.0, 0.0]);
        assert_eq!(out.as_slice()[1].normal(), [1.0, 0.0, 0.0]);
    }

    #[test]
    fn bad_numbers_do_not_panic() {
        no_panic_on_bad_numbers(collide);
    }

    #[test]
    fn spheres_just_within_the_margin_touch_and_those_beyond_do_not() {
        // Radii and margin are exact, and so is their sum.
        let count = |x: f64| {
            let mut out = ContactBuffer::new();
            collide(
                &[0.5, 0.0, 0.0],
                &at(0.0, 0.0, 0.0),
                &[0.25, 0.0, 0.0],
                &at(x, 0.0, 0.0),
                0.125,
                &mut out,
            )
        };
        assert_eq!((count(0.875), count(0.875 + 1e-12)), (1, 0));
    }
}
