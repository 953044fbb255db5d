//! Sphere against cylinder: one contact with the side, a cap or the rim.
//!
//! The centre's height `x` along the axis and its distance from the axis decide the part. A centre inside the cylinder goes to the
//! nearer of side and cap.

use condyle_math::{Vec3, vec3};

use super::plane_sphere::ball_over_plane;
use super::sphere_sphere::{Ball, push_ball_contact};
use crate::{ContactBuffer, Pose, Size};

/// The part of the cylinder that a sphere meets.
enum Part {
    Side,
    Cap,
    Rim,
}

/// Contact of a sphere (first) with a cylinder.
pub fn collide(
    size1: &Size,
    pose1: &Pose,
    size2: &Size,
    pose2: &Pose,
    margin: f64,
    out: &mut ContactBuffer,
) -> usize {
    let [radius, half_height, _] = *size2;
    let axis = pose2.z_axis();
    let sphere = Ball { center: pose1.position, radius: size1[0], axis: pose1.z_axis() };

    let offset = vec3::sub(pose1.position, pose2.position);
    let along = vec3::dot(axis, offset);
    let axial = vec3::scale(axis, along);
    let radial = vec3::sub(offset, axial);
    let radial_squared = vec3::dot(radial, radial);

    match part_met(along, radial_squared, radius, half_height) {
        Part::Side => {
            let center = vec3::add(axial, pose2.position);
            push_ball_contact(&sphere, &Ball { center, radius, axis }, margin, out)
        }
        Part::Cap => {
            let (outward, height) =
                if along > 0.0 { (axis, half_height) } else { (negated(axis), -half_height) };
            let cap = vec3::add_scaled(pose2.position, axis, height);
            match ball_over_plane(cap, outward, sphere.center, sphere.radius, margin) {
                Some(mut contact) => {
                    // The cap's normal leaves the cylinder, the contact's points into it.
                    contact.set_normal(vec3::scale(outward, -1.0));
                    usize::from(out.push(contact))
                }
                None => 0,
            }
        }
        Part::Rim => {
            let radial = vec3::scale(radial, radius / radial_squared.sqrt());
            let height = if along > 0.0 { half_height } else { -half_height };
            let center = vec3::add(vec3::add(vec3::scale(axis, height), radial), pose2.position);
            push_ball_contact(&sphere, &Ball { center, radius: 0.0, axis }, margin, out)
        }
    }
}

/// Where the centre of the sphere lies relative to the cylinder.
fn part_met(along: f64, radial_squared: f64, radius: f64, half_height: f64) -> Part {
    let beside = along.abs() < half_height;
    let above = radial_squared < radius * radius;
    match (beside, above) {
        (true, true) => {
            let to_cap = half_height - along.abs();
            let to_side = radius - radial_squared.sqrt();
            if to_cap < to_side { Part::Cap } else { Part::Side }
        }
        (true, false) => Part::Side,
        (false, true) => Part::Cap,
        (false, false) => Part::Rim,
    }
}

#[inline(always)]
fn negated(v: Vec3) -> Vec3 {
    [-v[0], -v[1], -v[2]]
}

#[cfg(test)]
mod tests {
    use super::super::test_shapes::{at, no_panic_on_bad_numbers};
    use super::*;

    fn normal_for(x: f64, z: f64) -> Vec3 {
        let mut out = ContactBuffer::new();
        let n = collide(&[0.5; 3], &at(x, 0.0, z), &[1.0, 1.0, 0.0], &Pose::IDENTITY, 0.0, &mut out);
        assert_eq!(n, 1, "sphere at x={x} z={z}");
        out.as_slice()[0].normal()
    }

    #[test]
    fn side_cap_and_rim_have_their_own_normals() {
        assert_eq!(normal_for(1.25, 0.5), [-1.0, 0.0, 0.0]);
        assert_eq!(normal_for(0.5, 1.25), [0.0, 0.0, -1.0]);
        assert_eq!(normal_for(0.5, -1.25), [0.0, 0.0, 1.0]);
        let rim = normal_for(1.25, 1.25);
        assert!((rim[0] - rim[2]).abs() < 1e-15 && rim[0] < -0.7);
    }

    #[test]
    fn a_centre_inside_leaves_through_the_nearer_part() {
        assert_eq!(normal_for(0.9, 0.5), [-1.0, 0.0, 0.0]);
        assert_eq!(normal_for(0.5, 0.9), [0.0, 0.0, -1.0]);
    }

    #[test]
    fn bad_numbers_do_not_panic() {
        no_panic_on_bad_numbers(collide);
    }

    #[test]
    fn inside_the_nearer_surface_is_met() {
        // 0.25 below the cap and, at a distance of 0.75 from the axis, 0.25 from the side: the side wins a tie.
        let part = |along: f64| part_met(along, 0.5625, 1.0, 1.0);
        assert!(matches!(part(0.75), Part::Side) && matches!(part(-0.75), Part::Side));
        assert!(matches!(part(0.75 + 1e-10), Part::Cap) && matches!(part(-0.75 - 1e-10), Part::Cap));
        assert!(matches!(part(0.75 - 1e-10), Part::Side));
    }
}
