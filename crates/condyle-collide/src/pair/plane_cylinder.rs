//! Plane against cylinder: up to four contacts.
//!
//! With the axis `a` turned towards the plane and `v` the steepest descent on the rim (radius long), the candidates are the lowest
//! point `a + v`, the point `−a + v` on the far rim, and two points of the near rim that make an equilateral triangle with the
//! first, so that an upright cylinder stands on three points.

use condyle_math::{MIN_VALUE, Vec3, vec3};

use crate::{ContactBuffer, ContactPoint, Pose, Size};

/// Contacts of a plane (first) with a cylinder.
pub fn collide(
    _size1: &Size,
    pose1: &Pose,
    size2: &Size,
    pose2: &Pose,
    margin: f64,
    out: &mut ContactBuffer,
) -> usize {
    let [radius, half_height, _] = *size2;
    let normal = pose1.z_axis();
    let center = pose2.position;

    let mut axis = pose2.z_axis();
    let mut axis_rise = vec3::dot(normal, axis);
    if axis_rise > 0.0 {
        axis = vec3::scale(axis, -1.0);
        axis_rise = -axis_rise;
    }
    let center_height = vec3::dot(vec3::sub(center, pose1.position), normal);

    let rim = steepest_rim_vector(pose2, axis, axis_rise, normal, radius);
    let rim_rise = vec3::dot(rim, normal);
    let axis = vec3::scale(axis, half_height);
    let axis_rise = axis_rise * half_height;

    let midway = |point: Vec3, distance: f64| {
        let position = vec3::add_scaled(point, normal, -distance * 0.5);
        ContactPoint::new(distance, position, normal)
    };
    let before = out.len();

    let lowest = center_height + axis_rise + rim_rise;
    if !(lowest <= margin) {
        return 0;
    }
    out.push(midway(vec3::add(vec3::add(center, rim), axis), lowest));

    let far_rim = center_height - axis_rise + rim_rise;
    if far_rim <= margin {
        out.push(midway(vec3::sub(vec3::add(center, rim), axis), far_rim));
    }

    let sideways_height = center_height + axis_rise + -rim_rise * 0.5;
    if sideways_height <= margin {
        let sideways = vec3::normalize(vec3::cross(rim, axis)).0;
        let sideways = vec3::scale(sideways, radius * 3f64.sqrt() / 2.0);
        for start in [vec3::add(center, sideways), vec3::sub(center, sideways)] {
            let point = vec3::add_scaled(vec3::add(start, axis), rim, -0.5);
            out.push(midway(point, sideways_height));
        }
    }
    out.len() - before
}

/// The vector of length `radius` in the disk that descends fastest towards the plane; the local x axis when the disk is parallel to it.
fn steepest_rim_vector(cylinder: &Pose, axis: Vec3, axis_rise: f64, normal: Vec3, radius: f64) -> Vec3 {
    let descent = vec3::sub(vec3::scale(axis, axis_rise), normal);
    let squared = vec3::dot(descent, descent);
    if squared >= MIN_VALUE * MIN_VALUE {
        vec3::scale(descent, radius / squared.sqrt())
    } else {
        vec3::scale(cylinder.x_axis(), radius)
    }
}

#[cfg(test)]
mod tests {
    use super::super::test_shapes::{at, no_panic_on_bad_numbers, turned_y_quarter};
    use super::*;

    #[test]
    fn upright_cylinder_stands_on_an_equilateral_triangle() {
        let mut out = ContactBuffer::new();
        let n = collide(&[0.0; 3], &Pose::IDENTITY, &[1.0, 0.5, 0.0], &at(0.0, 0.0, 0.5), 0.0, &mut out);
        assert_eq!(n, 3);
        let p: Vec<_> = out.as_slice().iter().map(|c| c.position).collect();
        let sides = [vec3::distance(p[0], p[1]), vec3::distance(p[1], p[2]), vec3::distance(p[2], p[0])];
        assert!(sides.iter().all(|side| (side - 3f64.sqrt()).abs() < 1e-14), "{sides:?}");
    }

    #[test]
    fn lying_cylinder_touches_along_its_lowest_line() {
        let mut out = ContactBuffer::new();
        let pose = Pose { rotation: turned_y_quarter(), ..at(0.0, 0.0, 0.4) };
        assert_eq!(collide(&[0.0; 3], &Pose::IDENTITY, &[0.5, 1.0, 0.0], &pose, 0.0, &mut out), 2);
        assert!(out.as_slice().iter().all(|c| (c.distance + 0.1).abs() < 1e-15));
    }

    #[test]
    fn bad_numbers_do_not_panic() {
        no_panic_on_bad_numbers(collide);
    }
}
