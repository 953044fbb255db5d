//! Box against a triangle with rounded border: the vertices of the triangle in the box, and the corners of the box at the triangle.

use condyle_math::{mat3, vec3};

use super::plane_box::corner;
use super::sphere_triangle::{self, Triangle};
use crate::{ContactBuffer, ContactPoint, Pose, Size};

/// Contacts of a box (first) with a triangle.
pub fn collide(half: &Size, pose: &Pose, triangle: &Triangle, margin: f64, out: &mut ContactBuffer) -> usize {
    let before = out.len();
    for &vertex in &triangle.vertices {
        let local = pose.to_local(vertex);
        let mut axis = 0;
        let mut beyond = local[0].abs() - half[0];
        for other in 1..3 {
            let excess = local[other].abs() - half[other];
            if excess > beyond {
                beyond = excess;
                axis = other;
            }
        }
        let outside = |k: usize| local[k].abs() > half[k] + margin + triangle.radius;
        if beyond - triangle.radius > margin || (0..3).any(outside) {
            continue;
        }
        let mut local_normal = [0.0; 3];
        local_normal[axis] = if local[axis] > 0.0 { 1.0 } else { -1.0 };
        let normal = mat3::mul_vec(&pose.rotation, local_normal);
        let distance = beyond - triangle.radius;
        let position = vec3::add_scaled(vertex, normal, -(triangle.radius + distance * 0.5));
        out.push(ContactPoint::new(distance, position, normal));
    }
    for index in 0..8 {
        let point = pose.to_world(corner(half, index));
        sphere_triangle::collide(point, 0.0, triangle, margin, out);
    }
    out.len() - before
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vertices_in_the_box_and_corners_on_the_triangle_touch() {
        let small = Triangle { vertices: [[0.0, 0.0, 0.9], [0.5, 0.0, 2.0], [0.0, 0.5, 2.0]], radius: 0.0 };
        let mut out = ContactBuffer::new();
        assert_eq!(collide(&[1.0; 3], &Pose::IDENTITY, &small, 0.0, &mut out), 1);
        assert!((out.as_slice()[0].distance + 0.1).abs() < 1e-15);
        assert_eq!(out.as_slice()[0].normal(), [0.0, 0.0, 1.0]);

        let large =
            Triangle { vertices: [[-9.0, -9.0, 1.05], [9.0, -9.0, 1.05], [0.0, 9.0, 1.05]], radius: 0.1 };
        out.clear();
        assert_eq!(collide(&[1.0; 3], &Pose::IDENTITY, &large, 0.0, &mut out), 4);
        assert!(out.as_slice().iter().all(|c| (c.distance + 0.05).abs() < 1e-12));
    }
}
