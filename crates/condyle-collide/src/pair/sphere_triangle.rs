//! Sphere against a triangle with rounded border: one contact at the point of the triangle nearest to the centre.
//!
//! The centre is projected into the plane of the triangle. If the projection lies outside, the nearest point of the three edges is
//! taken instead.

use condyle_math::{MIN_VALUE, Vec3, scalar, vec3};

use crate::{ContactBuffer, ContactPoint};

/// A triangle, thickened by a radius.
#[derive(Clone, Copy, Debug)]
pub struct Triangle {
    /// Corners, world frame, m.
    pub vertices: [Vec3; 3],
    /// Thickness on either side, m.
    pub radius: f64,
}

/// Contact of a sphere (first) with a triangle.
pub fn collide(
    center: Vec3,
    radius: f64,
    triangle: &Triangle,
    margin: f64,
    out: &mut ContactBuffer,
) -> usize {
    let reach = margin + radius + triangle.radius;
    let [t1, t2, t3] = triangle.vertices;
    let sphere = vec3::sub(center, t1);
    let a = vec3::sub(t2, t1);
    let b = vec3::sub(t3, t1);

    let normal = vec3::normalize(vec3::cross(a, b)).0;
    let height = vec3::dot(normal, sphere);
    if height.abs() > reach {
        return 0;
    }
    let foot = vec3::add_scaled(sphere, normal, -height);
    let nearest = nearest_in_triangle(foot, a, b, normal);

    let (normal, gap) = vec3::normalize(vec3::sub(nearest, sphere));
    if gap > reach {
        return 0;
    }
    let distance = gap - radius - triangle.radius;
    let position = vec3::add_scaled(center, normal, radius + distance / 2.0);
    usize::from(out.push(ContactPoint::new(distance, position, normal)))
}

/// The point of the triangle `0, a, b` nearest to a point of its plane.
fn nearest_in_triangle(foot: Vec3, a: Vec3, b: Vec3, normal: Vec3) -> Vec3 {
    let (axis1, length) = vec3::normalize(a);
    let axis2 = vec3::normalize(vec3::cross(normal, a)).0;
    let flat = |v: Vec3| [vec3::dot(axis1, v), vec3::dot(axis2, v)];
    let corners = [[0.0, 0.0], [length, 0.0], flat(b)];
    let point = flat(foot);

    let edges = [[0, 1], [1, 2], [2, 0]];
    let sides = edges.map(|[i, j]| side(point, corners[i], corners[j]));
    if sides[0] == sides[1] && sides[1] == sides[2] {
        return foot;
    }
    let candidates = edges.map(|[i, j]| nearest_on_edge(point, corners[i], corners[j]));
    let [d0, d1, d2] = candidates.map(|(_, distance)| distance);
    let best = if d0 < d1 && d0 < d2 {
        0
    } else if d1 < d2 {
        1
    } else {
        2
    };
    let [x, y] = candidates[best].0;
    vec3::add_scaled(vec3::scale(axis1, x), axis2, y)
}

/// Sign of the area of a plane triangle.
fn side(p1: [f64; 2], p2: [f64; 2], p3: [f64; 2]) -> f64 {
    scalar::sign((p1[0] - p3[0]) * (p2[1] - p3[1]) - (p2[0] - p3[0]) * (p1[1] - p3[1]))
}

/// Nearest point of a plane segment and its distance.
fn nearest_on_edge(p: [f64; 2], start: [f64; 2], end: [f64; 2]) -> ([f64; 2], f64) {
    let along = [end[0] - start[0], end[1] - start[1]];
    let offset = [p[0] - start[0], p[1] - start[1]];
    let squared = along[0] * along[0] + along[1] * along[1];
    let t = (along[0] * offset[0] + along[1] * offset[1]) / scalar::max_first(MIN_VALUE, squared);
    let nearest = if t <= 0.0 {
        start
    } else if t >= 1.0 {
        end
    } else {
        [start[0] + along[0] * t, start[1] + along[1] * t]
    };
    let (x, y) = (nearest[0] - p[0], nearest[1] - p[1]);
    (nearest, (x * x + y * y).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) const TRIANGLE: Triangle =
        Triangle { vertices: [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], radius: 0.125 };

    fn contact(center: Vec3) -> Option<ContactPoint> {
        let mut out = ContactBuffer::new();
        collide(center, 0.5, &TRIANGLE, 0.0, &mut out);
        out.as_slice().first().copied()
    }

    #[test]
    fn face_edge_and_corner_are_touched() {
        let face = contact([0.25, 0.25, 0.5]).unwrap();
        assert_eq!((face.distance, face.normal()), (-0.125, [0.0, 0.0, -1.0]));
        let edge = contact([0.5, -0.5, 0.0]).unwrap();
        assert_eq!((edge.distance, edge.normal()), (-0.125, [0.0, 1.0, 0.0]));
        let corner = contact([1.5, 0.0, 0.0]).unwrap();
        assert_eq!((corner.distance, corner.normal()), (-0.125, [-1.0, 0.0, 0.0]));
        assert!(contact([0.25, 0.25, 0.75]).is_none());
        assert!(contact([1.0, 1.0, 0.25]).is_none());
    }

    #[test]
    fn bad_numbers_and_flat_triangles_do_not_panic() {
        for value in [f64::NAN, f64::INFINITY, 0.0, 1.0, f64::MAX] {
            let flat = Triangle { vertices: [[value; 3], [0.0, value, 0.0], [value; 3]], radius: value };
            let mut out = ContactBuffer::new();
            assert!(collide([0.5, value, 0.0], 0.5, &flat, 0.1, &mut out) <= 1);
        }
    }
}
