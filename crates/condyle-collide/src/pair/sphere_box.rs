//! Sphere against box: one contact at the point of the box nearest to the centre.
//!
//! In the box frame the nearest point is the centre clamped to the half sizes. A centre inside the box leaves through the nearest face.

use condyle_math::{MIN_VALUE, Vec3, mat3, vec3};

use crate::{ContactBuffer, ContactPoint, Pose, Size};

/// Contact of a sphere (first) with a box.
pub fn collide(
    size1: &Size,
    pose1: &Pose,
    size2: &Size,
    pose2: &Pose,
    margin: f64,
    out: &mut ContactBuffer,
) -> usize {
    push_ball_on_box(pose1.position, size1[0], size2, pose2, margin, out)
}

/// Append the contact of a ball with a box, if there is one, and count it.
pub(super) fn push_ball_on_box(
    center: Vec3,
    radius: f64,
    half: &Size,
    pose: &Pose,
    margin: f64,
    out: &mut ContactBuffer,
) -> usize {
    let center = pose.to_local(center);
    let clamped = clamp_to_box(center, half);
    let (inward, gap) = vec3::normalize(vec3::sub(clamped, center));
    if gap - radius > margin {
        return 0;
    }

    let (local, local_normal, gap) = if gap <= MIN_VALUE {
        let (normal, depth) = nearest_face(center, half);
        (vec3::add_scaled(center, normal, (radius - depth) / 2.0), normal, -depth)
    } else {
        let deepest = vec3::add_scaled(center, inward, radius);
        // Starts from zero so that a sum of negative zeros comes out positive.
        let half_clamped = vec3::add_scaled([0.0; 3], clamped, 0.5);
        (vec3::add_scaled(half_clamped, deepest, 0.5), inward, gap)
    };

    let normal = mat3::mul_vec(&pose.rotation, local_normal);
    let contact = ContactPoint::new(gap - radius, pose.to_world(local), normal);
    usize::from(out.push(contact))
}

/// Limit each coordinate to the half size along it; sizes that are not positive do not limit.
fn clamp_to_box(point: Vec3, half: &Size) -> Vec3 {
    std::array::from_fn(|axis| {
        let (x, limit) = (point[axis], half[axis]);
        if limit > 0.0 {
            if x < -limit {
                return -limit;
            } else if x > limit {
                return limit;
            }
        }
        x
    })
}

/// Inward normal of the face nearest to an inner point and the depth below it. Faces are tried in the order −x +x −y +y −z +z.
fn nearest_face(point: Vec3, half: &Size) -> (Vec3, f64) {
    let mut depth = (half[0] + half[1] + half[2]) * 2.0;
    let mut normal = [1.0, 0.0, 0.0];
    for axis in 0..3 {
        for side in [-1.0, 1.0] {
            let to_face = (side * half[axis] - point[axis]).abs();
            if depth > to_face {
                depth = to_face;
                normal = [0.0; 3];
                normal[axis] = -side;
            }
        }
    }
    (normal, depth)
}

#[cfg(test)]
mod tests {
    use super::super::test_shapes::{at, no_panic_on_bad_numbers};
    use super::*;

    #[test]
    fn sphere_above_a_face_touches_below_its_centre() {
        let mut out = ContactBuffer::new();
        let n = collide(&[0.5; 3], &at(0.25, 0.5, 1.25), &[1.0; 3], &Pose::IDENTITY, 0.0, &mut out);
        assert_eq!(n, 1);
        assert_eq!(out.as_slice()[0], ContactPoint::new(-0.25, [0.25, 0.5, 0.875], [0.0, 0.0, -1.0]));
    }

    #[test]
    fn centre_inside_leaves_through_the_nearest_face() {
        let mut out = ContactBuffer::new();
        collide(&[0.5; 3], &at(-0.75, 0.5, 0.0), &[1.0; 3], &Pose::IDENTITY, 0.0, &mut out);
        assert_eq!(out.as_slice()[0], ContactPoint::new(-0.75, [-0.625, 0.5, 0.0], [1.0, 0.0, 0.0]));
    }

    #[test]
    fn bad_numbers_do_not_panic() {
        no_panic_on_bad_numbers(collide);
    }
}
