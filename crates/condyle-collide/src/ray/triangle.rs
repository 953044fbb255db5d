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

/// A point seen along the ray: its coordinates across the direction, relative to the ray.
pub type Flat = [f64; 2];

impl Across {
    /// Where a point lies beside the ray.
    #[inline(always)]
    pub fn flatten(&self, point: Vec3, ray: &Ray) -> Flat {
        let offset = vec3::sub(point, ray.origin);
        [vec3::dot(self.first, offset), vec3::dot(self.second, offset)]
    }
}

/// On which sides of the ray a flattened point lies: one bit per half plane. Three points that share a bit have the ray outside.
#[inline(always)]
pub fn sides(flat: Flat) -> u8 {
    u8::from(flat[0] > 0.0)
        | u8::from(flat[0] < 0.0) << 1
        | u8::from(flat[1] > 0.0) << 2
        | u8::from(flat[1] < 0.0) << 3
}

/// Where the ray crosses the plane of the triangle, if that is inside the triangle: the distance, which may be negative, and a normal
/// that is not yet of unit length.
#[inline]
pub fn crossing(triangle: &[Vec3; 3], ray: &Ray, across: &Across) -> Option<(f64, Vec3)> {
    let flat = triangle.map(|vertex| across.flatten(vertex, ray));
    if flat.iter().fold(u8::MAX, |common, point| common & sides(*point)) != 0 {
        return None;
    }
    crossing_flattened(triangle, &flat, ray)
}

/// [`crossing`] of a triangle whose corners are flattened already and do not lie on one side of the ray.
#[inline]
pub fn crossing_flattened(triangle: &[Vec3; 3], flat: &[Flat; 3], ray: &Ray) -> Option<(f64, Vec3)> {
    let [v0, v1, v2] = *triangle;
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

    /// A triangle seen along the ray with the middle of its first edge moved off the ray by `shift`.
    fn beside_edge(shift: f64) -> bool {
        let flat = [[2.0, 1.0 + shift], [-2.0, -1.0 + shift], [1.0, -3.0 + shift]];
        let ray = Ray { origin: [0.0; 3], direction: [0.0, 0.0, 1.0] };
        crossing_flattened(&flat.map(|[x, y]| [x, y, 1.0]), &flat, &ray).is_some()
    }

    #[test]
    fn an_edge_belongs_to_the_triangle_and_nothing_beyond_it_does() {
        assert!(beside_edge(0.0) && beside_edge(1e-10));
        assert!(!beside_edge(-1e-10));
    }
}
