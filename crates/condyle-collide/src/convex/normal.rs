//! Contact normals from the surfaces of round shapes.
//!
//! MPR's direction is the normal of a portal, which is coarse on curved surfaces. Where a contact involves a sphere, capsule, ellipsoid
//! or the round wall of a cylinder, the surface's own normal at the contact point is better; two such normals are averaged.
//! Reference: `mjc_fixNormal`.

use condyle_math::{MIN_VALUE, Vec3, mat3, vec3};

use super::ConvexShape;
use crate::{ContactPoint, Pose};

const MAX_ITERATIONS: usize = 30;
const TOLERANCE: f64 = 1e-6;

/// Replace the normal of `contact` where the shapes know better. `None` stands for a shape without round parts.
pub fn correct(
    contact: &mut ContactPoint,
    first: Option<(&ConvexShape, &Pose)>,
    second: Option<(&ConvexShape, &Pose)>,
) {
    let normal = contact.normal();
    let own = |shape: Option<(&ConvexShape, &Pose)>, outward: Vec3| {
        let (shape, pose) = shape?;
        let local = mat3::mul_vec_transposed(&pose.rotation, vec3::sub(contact.position, pose.position));
        let guess = mat3::mul_vec_transposed(&pose.rotation, outward);
        let surface = surface_normal(shape, local, guess)?;
        Some(mat3::mul_vec(&pose.rotation, vec3::normalize(surface).0))
    };
    let corrected = match (own(first, normal), own(second, [-normal[0], -normal[1], -normal[2]])) {
        (Some(normal1), Some(normal2)) => vec3::normalize(vec3::sub(normal1, normal2)).0,
        (Some(normal1), None) => normal1,
        (None, Some(normal2)) => vec3::scale(normal2, -1.0),
        (None, None) => return,
    };
    contact.set_normal(corrected);
    contact.set_tangent([0.0; 3]);
}

/// Outward normal, of any length, of a shape's surface near a local point.
fn surface_normal(shape: &ConvexShape, point: Vec3, guess: Vec3) -> Option<Vec3> {
    match shape {
        ConvexShape::Sphere(_) => Some(point),
        ConvexShape::Capsule(size) => {
            let z = if point[2] < -size[1] {
                point[2] + size[1]
            } else if point[2] > size[1] {
                point[2] - size[1]
            } else {
                0.0
            };
            Some([point[0], point[1], z])
        }
        ConvexShape::Ellipsoid(size) => {
            if size.iter().any(|&semi_axis| semi_axis < MIN_VALUE) {
                return None;
            }
            let level = point[0] * point[0] / (size[0] * size[0])
                + point[1] * point[1] / (size[1] * size[1])
                + point[2] * point[2] / (size[2] * size[2]);
            if level <= 1.0 {
                inside_ellipsoid(point, guess, size)
            } else {
                Some(outside_ellipsoid(point, size))
            }
        }
        ConvexShape::Cylinder(size) => {
            // Near the caps the flat wall may be the right one; require the round wall to be clearly closer.
            if point[2].abs() > 0.95 * size[1] {
                return None;
            }
            let to_cap = (size[1] - point[2].abs()).abs();
            let to_wall = (size[0] - (point[0] * point[0] + point[1] * point[1]).sqrt()).abs();
            if to_cap < 0.25 * to_wall { None } else { Some([point[0], point[1], 0.0]) }
        }
        _ => None,
    }
}

/// Fixed point of: shoot a ray along the normal to the surface, take the normal there.
fn inside_ellipsoid(point: Vec3, guess: Vec3, size: &Vec3) -> Option<Vec3> {
    let inverse = size.map(|semi_axis| 1.0 / (semi_axis * semi_axis));
    let weighted =
        |a: Vec3, b: Vec3| a[0] * b[0] * inverse[0] + a[1] * b[1] * inverse[1] + a[2] * b[2] * inverse[2];
    let c = weighted(point, point) - 1.0;
    if c > 0.0 {
        return None;
    }
    let mut normal = vec3::normalize(guess).0;
    for iteration in 0..MAX_ITERATIONS {
        let unfinished = if iteration > 0 { Some(normal) } else { None };
        let a = weighted(normal, normal);
        let b = weighted(point, normal);
        let discriminant = b * b - a * c;
        if discriminant < MIN_VALUE || a < MIN_VALUE {
            return unfinished;
        }
        let x = (-b + discriminant.sqrt()) / a;
        if x < 0.0 {
            return unfinished;
        }
        let surface = vec3::add_scaled(point, normal, x);
        let next = vec3::normalize(std::array::from_fn(|i| surface[i] * inverse[i])).0;
        let change = vec3::distance(normal, next);
        normal = next;
        if change < TOLERANCE {
            break;
        }
    }
    Some(normal)
}

/// Normal at the closest point of the surface: `point / (size² + λ)` with λ from Newton's method on the surface equation.
fn outside_ellipsoid(point: Vec3, size: &Vec3) -> Vec3 {
    let squared = size.map(|semi_axis| semi_axis * semi_axis);
    let scaled: Vec3 = std::array::from_fn(|i| point[i] * point[i] * squared[i]);
    let mut lambda = 0.0;
    for _ in 0..MAX_ITERATIONS {
        let r = squared.map(|s| 1.0 / (s + lambda));
        let value = scaled[0] * r[0] * r[0] + scaled[1] * r[1] * r[1] + scaled[2] * r[2] * r[2] - 1.0;
        if value < TOLERANCE {
            break;
        }
        let derivative = -2.0
            * (scaled[0] * r[0] * r[0] * r[0]
                + scaled[1] * r[1] * r[1] * r[1]
                + scaled[2] * r[2] * r[2] * r[2]);
        if derivative > -MIN_VALUE {
            break;
        }
        let delta = -value / derivative;
        if delta < TOLERANCE {
            break;
        }
        lambda += delta;
    }
    vec3::normalize(std::array::from_fn(|i| point[i] / (squared[i] + lambda))).0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ellipsoid_normals_are_gradients_of_its_level_function() {
        let size = [1.25, 2.0, 3.0];
        let (x, y) = (0.5, 0.8);
        let z = 3.0 * (1.0_f64 - x * x / 1.5625 - y * y / 4.0).sqrt();
        let gradient = vec3::normalize([x / 1.5625, y / 4.0, z / 9.0]).0;
        for shift in [-0.01, 0.01] {
            let point = vec3::add_scaled([x, y, z], gradient, shift);
            let normal = surface_normal(&ConvexShape::Ellipsoid(size), point, [0.3, 0.3, 0.9]).unwrap();
            assert!(vec3::distance(vec3::normalize(normal).0, gradient) < 1e-5);
        }
    }

    #[test]
    fn cylinder_caps_keep_the_given_normal() {
        let cylinder = ConvexShape::Cylinder([1.0, 1.0, 0.0]);
        assert_eq!(surface_normal(&cylinder, [0.2, 0.0, 0.99], [0.0, 0.0, 1.0]), None);
        assert_eq!(surface_normal(&cylinder, [0.9, 0.1, 0.2], [0.0, 0.0, 1.0]), Some([0.9, 0.1, 0.0]));
    }
}
