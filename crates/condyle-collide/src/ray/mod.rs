//! Distance along a ray to the first surface it meets, one file per shape.
//!
//! A ray is `origin + x·direction`, `x ≥ 0`; the direction need not be a unit vector and distances are in units of it. Every `cast`
//! returns the smallest such `x` and the outward unit normal there.

pub mod angular;
pub mod capsule;
pub mod cuboid;
pub mod cylinder;
pub mod ellipsoid;
pub mod flex;
pub mod hfield;
pub mod mesh;
pub mod plane;
pub mod sdf;
pub mod skin;
pub mod sphere;
pub mod triangle;

use condyle_math::{MIN_VALUE, Vec3, mat3, vec3};

use crate::{Pose, Size};

/// The signature of the casts on shapes given by a size.
pub type Cast = fn(&Size, &Pose, &Ray) -> Option<Hit>;

/// A half line in world or local coordinates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    /// Where it starts, m.
    pub origin: Vec3,
    /// Any length.
    pub direction: Vec3,
}

/// The first surface point that a ray meets.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// Multiple of the ray's direction.
    pub distance: f64,
    /// Unit normal of the surface, in world coordinates.
    pub normal: Vec3,
}

impl Ray {
    /// The point at `distance`.
    #[inline(always)]
    pub fn at(&self, distance: f64) -> Vec3 {
        vec3::add_scaled(self.origin, self.direction, distance)
    }

    /// The same ray in the coordinates of a shape.
    #[inline(always)]
    pub fn to_local(&self, pose: &Pose) -> Ray {
        Ray {
            origin: pose.to_local(self.origin),
            direction: mat3::mul_vec_transposed(&pose.rotation, self.direction),
        }
    }
}

/// Whether `distance` is a hit and nearer than the nearest so far.
#[inline(always)]
fn is_nearer(distance: f64, nearest: Option<f64>) -> bool {
    distance >= 0.0 && nearest.is_none_or(|nearest| distance < nearest)
}

/// Both solutions of `a x² + 2 b x + c = 0` in ascending order; `None` without real finite ones.
#[inline(always)]
fn solve_quadratic(a: f64, b: f64, c: f64) -> Option<[f64; 2]> {
    let discriminant = b * b - a * c;
    if discriminant < 0.0 || a < MIN_VALUE {
        return None;
    }
    let root = discriminant.sqrt();
    Some([(-b - root) / a, (-b + root) / a])
}

/// Smallest non-negative solution of `a x² + 2 b x + c = 0`.
#[inline(always)]
fn first_solution(a: f64, b: f64, c: f64) -> Option<f64> {
    solve_quadratic(a, b, c)?.into_iter().find(|&x| x >= 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_solution_is_the_smallest_that_is_not_negative() {
        // (x − 1)(x − 3), (x + 1)(x − 3), (x + 1)(x + 3), x² + 1, linear.
        assert_eq!(first_solution(1.0, -2.0, 3.0), Some(1.0));
        assert_eq!(first_solution(1.0, -1.0, -3.0), Some(3.0));
        assert_eq!(first_solution(1.0, 2.0, 3.0), None);
        assert_eq!(first_solution(1.0, 0.0, 1.0), None);
        assert_eq!(first_solution(0.0, 1.0, -1.0), None);
    }

    #[test]
    fn every_shape_is_hit_from_the_front_and_missed_beside() {
        let size = [0.5, 0.25, 0.125];
        let pose = Pose { position: [0.0, 0.0, -1.0], ..Pose::IDENTITY };
        let down = Ray { origin: [0.0, 0.0, 1.0], direction: [0.0, 0.0, -2.0] };
        let beside = Ray { origin: [3.0, 0.0, 1.0], direction: [0.0, 0.0, -2.0] };
        let shapes: [(Cast, f64); 6] = [
            (plane::cast, 0.0),
            (sphere::cast, 0.5),
            (capsule::cast, 0.75),
            (ellipsoid::cast, 0.125),
            (cylinder::cast, 0.25),
            (cuboid::cast, 0.125),
        ];
        for (cast, top) in shapes {
            let hit = cast(&size, &pose, &down).unwrap();
            assert_eq!((hit.distance, hit.normal), ((2.0 - top) / 2.0, [0.0, 0.0, 1.0]));
            assert_eq!(cast(&size, &pose, &beside), None);
        }
    }

    #[test]
    fn bad_numbers_do_not_panic() {
        let casts: [Cast; 6] =
            [plane::cast, sphere::cast, capsule::cast, ellipsoid::cast, cylinder::cast, cuboid::cast];
        let bad = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, 5e-324, 0.0, -1.0];
        let mut calls = 0;
        for value in bad {
            for place in 0..12 {
                let mut n = [0.5, 0.25, 0.125, 0.0, 0.0, -1.0, 0.0, 0.0, 1.0, 0.0, 0.125, -2.0];
                n[place] = value;
                let pose = Pose { position: [n[3], n[4], n[5]], ..Pose::IDENTITY };
                let ray = Ray { origin: [n[6], n[7], n[8]], direction: [n[9], n[10], n[11]] };
                for cast in casts {
                    if let Some(hit) = cast(&[n[0], n[1], n[2]], &pose, &ray) {
                        assert!(!(hit.distance < 0.0));
                    }
                    calls += 1;
                }
            }
        }
        assert_eq!(calls, 7 * 12 * 6);
    }
}
