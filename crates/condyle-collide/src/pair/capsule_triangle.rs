//! Capsule against a triangle with rounded border: both ends at the triangle, and its vertices along the capsule's side.

use condyle_math::{MIN_VALUE, vec3};

use super::sphere_triangle::{self, Triangle};
use crate::{ContactBuffer, ContactPoint, Pose, Size};

/// Contacts of a capsule (first) with a triangle.
pub fn collide(size: &Size, pose: &Pose, triangle: &Triangle, margin: f64, out: &mut ContactBuffer) -> usize {
    let [radius, half_length, _] = *size;
    let axis = pose.z_axis();
    let start = vec3::add_scaled(pose.position, axis, -half_length);
    let end = vec3::add_scaled(pose.position, axis, half_length);
    let before = out.len();
    sphere_triangle::collide(start, radius, triangle, margin, out);
    sphere_triangle::collide(end, radius, triangle, margin, out);

    for &vertex in &triangle.vertices {
        let along = vec3::sub(end, start);
        let t = vec3::dot(vec3::sub(vertex, start), along) / (4.0 * half_length * half_length);
        // The ends have had their turn.
        if t <= MIN_VALUE || t >= 1.0 - MIN_VALUE {
            continue;
        }
        let nearest = vec3::add_scaled(start, along, t);
        let (normal, gap) = vec3::normalize(vec3::sub(vertex, nearest));
        if gap > radius + triangle.radius + margin {
            continue;
        }
        let distance = gap - radius - triangle.radius;
        let sum = vec3::add_scaled(vec3::add(nearest, vertex), normal, radius - triangle.radius);
        out.push(ContactPoint::new(distance, vec3::scale(sum, 0.5), normal));
    }
    out.len() - before
}

#[cfg(test)]
mod tests {
    use super::super::test_shapes::{at, turned_y_quarter};
    use super::*;

    #[test]
    fn lying_capsule_touches_with_both_ends() {
        let ground =
            Triangle { vertices: [[-9.0, -9.0, 0.0], [9.0, -9.0, 0.0], [0.0, 9.0, 0.0]], radius: 0.0 };
        let pose = Pose { rotation: turned_y_quarter(), ..at(0.0, 0.0, 0.4) };
        let mut out = ContactBuffer::new();
        assert_eq!(collide(&[0.5, 1.0, 0.0], &pose, &ground, 0.0, &mut out), 2);
        assert!(out.as_slice().iter().all(|c| (c.distance + 0.1).abs() < 1e-15));
    }

    #[test]
    fn a_vertex_touches_the_side() {
        let tip = Triangle { vertices: [[0.6, 0.0, 0.25], [3.0, 1.0, 0.0], [3.0, -1.0, 0.0]], radius: 0.2 };
        let mut out = ContactBuffer::new();
        assert_eq!(collide(&[0.5, 1.0, 0.0], &Pose::IDENTITY, &tip, 0.0, &mut out), 1);
        assert!((out.as_slice()[0].distance + 0.1).abs() < 1e-15);
        assert_eq!(out.as_slice()[0].normal(), [1.0, 0.0, 0.0]);
    }

    #[test]
    fn a_vertex_beside_the_side_counts_up_to_the_margin_and_not_beyond() {
        // Radii 1/2 and 1/4 and a margin of 1/8 are exact: the vertex is just in reach at 7/8.
        let count = |x: f64| {
            let vertices = [[x, 0.0, 0.25], [3.0, 1.0, 0.0], [3.0, -1.0, 0.0]];
            let mut out = ContactBuffer::new();
            let tip = Triangle { vertices, radius: 0.25 };
            let found = collide(&[0.5, 1.0, 0.0], &Pose::IDENTITY, &tip, 0.125, &mut out);
            // The sphere at either end is farther away.
            assert!(out.as_slice().iter().all(|contact| contact.position[2].abs() < 0.5));
            found
        };
        assert_eq!((count(0.875), count(0.875 + 1e-12)), (1, 0));
    }

    #[test]
    fn the_contact_of_a_vertex_lies_midway_between_the_surfaces() {
        let vertices = [[0.7, 0.0, 0.25], [3.0, 1.0, 0.0], [3.0, -1.0, 0.0]];
        let mut out = ContactBuffer::new();
        let tip = Triangle { vertices, radius: 0.1 };
        assert_eq!(collide(&[0.5, 1.0, 0.0], &Pose::IDENTITY, &tip, 0.2, &mut out), 1);
        let contact = &out.as_slice()[0];
        // Surfaces at 0.5 and 0.6.
        assert!((contact.distance - 0.1).abs() < 1e-15);
        for (found, expected) in contact.position.iter().zip([0.55, 0.0, 0.25]) {
            assert!((found - expected).abs() < 1e-15, "{:?}", contact.position);
        }
    }
}
