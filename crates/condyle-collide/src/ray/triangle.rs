//! Ray against triangle: the triangle is projected along the ray and tested for the origin in barycentric coordinates.

use condyle_math::{MIN_VALUE, Vec3, vec3};

use super::Ray;

/// Two unit vectors that span the plane across a direction.
#[derive(Clone, Copy, Debug)]
pub struct Across {
    first: Vec3,
    second: Vec3,
}

impl Across {
    /// For a ray's direction, which may have any length but zero.
    pub fn new(direction: Vec3) -> Self {
        let d = direction;
        let mut seed = [1.0; 3];
        let largest = if d[0].abs() >= d[1].abs() && d[0].abs() >= d[2].abs() {
            0
        } else if d[1].abs() >= d[2].abs() {
            1
        } else {
            2
        };
        seed[largest] = 0.0;
        let along = -vec3::dot(d, seed) / vec3::dot(d, d);
        let second = vec3::normalize(vec3::add_scaled(seed, d, along)).0;
        let first = vec3::normalize(vec3::cross(second, d)).0;
        Self { first, second }
    }
}

/// Where the ray crosses the plane of the triangle, if that is inside the triangle: the distance, which may be negative, and a normal
/// that is not yet of unit length.
#[inline]
pub fn crossing(triangle: &[Vec3; 3], ray: &Ray, across: &Across) -> Option<(f64, Vec3)> {
    let [v0, v1, v2] = *triangle;
    let flat = triangle.map(|vertex| {
        let offset = vec3::sub(vertex, ray.origin);
        [vec3::dot(across.first, offset), vec3::dot(across.second, offset)]
    });
    for axis in 0..2 {
        let on = [flat[0][axis], flat[1][axis], flat[2][axis]];
        if on.iter().all(|&x| x > 0.0) || on.iter().all(|&x| x < 0.0) {
            return None;
        }
    }

    // Barycentric coordinates of the origin: [p0−p2, p1−p2] t = −p2.
    let a = flat[0][0] - flat[2][0];
    let b = flat[1][0] - flat[2][0];
    let c = flat[0][1] - flat[2][1];
    let d = flat[1][1] - flat[2][1];
    let target = [-flat[2][0], -flat[2][1]];
    let determinant = a * d - b * c;
    if determinant.abs() < MIN_VALUE {
        return None;
    }
    let t0 = (d * target[0] - b * target[1]) / determinant;
    let t1 = (-c * target[0] + a * target[1]) / determinant;
    if t0 < 0.0 || t1 < 0.0 || t0 + t1 > 1.0 {
        return None;
    }

    let normal = vec3::cross(vec3::sub(v0, v2), vec3::sub(v1, v2));
    let slope = vec3::dot(ray.direction, normal);
    if slope.abs() < MIN_VALUE {
        return None;
    }
    Some((-vec3::dot(vec3::sub(ray.origin, v2), normal) / slope, normal))
}

#[cfg(test)]
mod tests {
    use super::*;

    const TRIANGLE: [Vec3; 3] = [[0.0, 0.0, 1.0], [1.0, 0.0, 1.0], [0.0, 1.0, 1.0]];

    #[test]
    fn inside_is_hit_and_outside_is_missed() {
        let up = |x, y| Ray { origin: [x, y, 0.0], direction: [0.0, 0.0, 0.5] };
        let across = Across::new([0.0, 0.0, 0.5]);
        let (distance, normal) = crossing(&TRIANGLE, &up(0.25, 0.25), &across).unwrap();
        assert_eq!(distance, 2.0);
        assert_eq!(normal, [0.0, 0.0, 1.0]);
        assert!(crossing(&TRIANGLE, &up(0.75, 0.75), &across).is_none());
        assert!(crossing(&TRIANGLE, &up(-0.25, 0.5), &across).is_none());
    }

    #[test]
    fn a_triangle_behind_the_ray_has_a_negative_distance() {
        let ray = Ray { origin: [0.25, 0.25, 2.0], direction: [0.0, 0.0, 1.0] };
        assert_eq!(crossing(&TRIANGLE, &ray, &Across::new(ray.direction)).unwrap().0, -1.0);
    }
}
