//! Distance fields of spheres, capsules, ellipsoids, cylinders and boxes, and their gradients.
//!
//! The fields follow Quilez's distance functions. Inside a box the gradient turns smoothly from radial at the centre to the face normal on
//! the surface, so that a descent leaves through the nearest face. The ellipsoid's field is exact on the surface only.

use condyle_math::scalar::{clip, max_first, min_first};
use condyle_math::{Vec3, vec3};

use super::FAR;
use crate::Size;

pub(super) fn sphere_distance(size: &Size, x: Vec3) -> f64 {
    vec3::norm(x) - size[0]
}

pub(super) fn sphere_gradient(x: Vec3) -> Vec3 {
    vec3::scale(x, 1.0 / vec3::norm(x))
}

/// From the nearest point of a capsule's segment.
fn from_segment(size: &Size, x: Vec3) -> Vec3 {
    [x[0], x[1], x[2] - clip(x[2], -size[1], size[1])]
}

pub(super) fn capsule_distance(size: &Size, x: Vec3) -> f64 {
    vec3::norm(from_segment(size, x)) - size[0]
}

pub(super) fn capsule_gradient(size: &Size, x: Vec3) -> Vec3 {
    let offset = from_segment(size, x);
    let length = vec3::norm(offset);
    offset.map(|component| component / length)
}

/// `x / s` and `x / s²`.
fn scaled_down(size: &Size, x: Vec3) -> (Vec3, Vec3) {
    let once: Vec3 = std::array::from_fn(|i| x[i] / size[i]);
    let twice = std::array::from_fn(|i| once[i] / size[i]);
    (once, twice)
}

pub(super) fn ellipsoid_distance(size: &Size, x: Vec3) -> f64 {
    let (once, twice) = scaled_down(size, x);
    let (k0, k1) = (vec3::norm(once), vec3::norm(twice));
    k0 * (k0 - 1.0) / k1
}

pub(super) fn ellipsoid_gradient(size: &Size, x: Vec3) -> Vec3 {
    let (once, twice) = scaled_down(size, x);
    let (k0, k1) = (vec3::norm(once), vec3::norm(twice));
    let (inverse0, inverse1) = (1.0 / k0, 1.0 / k1);
    let slope0 = (2.0 * k0 - 1.0) * inverse1;
    let slope1 = k0 * (k0 - 1.0) * inverse1 * inverse1;
    let gradient = std::array::from_fn(|i| {
        let grad0 = twice[i] * inverse0;
        let grad1 = twice[i] * inverse1 / (size[i] * size[i]);
        grad0 * slope0 - grad1 * slope1
    });
    vec3::normalize(gradient).0
}

/// Length of a plane vector.
fn norm2(v: [f64; 2]) -> f64 {
    (v[0] * v[0] + v[1] * v[1]).sqrt()
}

pub(super) fn cylinder_distance(size: &Size, x: Vec3) -> f64 {
    let beyond = [(x[0] * x[0] + x[1] * x[1]).sqrt() - size[0], x[2].abs() - size[1]];
    let outside = beyond.map(|excess| max_first(excess, 0.0));
    min_first(max_first(beyond[0], beyond[1]), 0.0) + norm2(outside)
}

pub(super) fn cylinder_gradient(size: &Size, x: Vec3) -> Vec3 {
    let radial = (x[0] * x[0] + x[1] * x[1]).sqrt();
    let height = x[2].abs();
    let beyond = [radial - size[0], height - size[1]];
    let smallest = 1.0 / FAR;
    let unit = [
        x[0] / max_first(radial, smallest),
        x[1] / max_first(radial, smallest),
        x[2] / max_first(height, smallest),
    ];
    let side = beyond[0] > beyond[1];
    if beyond[if side { 0 } else { 1 }] < 0.0 {
        return if side { [unit[0], unit[1], 0.0] } else { [0.0, 0.0, unit[2]] };
    }
    let outside = beyond.map(|excess| max_first(excess, 0.0));
    let length = max_first(norm2(outside), smallest);
    [unit[0] * outside[0] / length, unit[1] * outside[0] / length, unit[2] * outside[1] / length]
}

/// How far each coordinate lies beyond the half size.
fn beyond_box(size: &Size, x: Vec3) -> Vec3 {
    std::array::from_fn(|i| x[i].abs() - size[i])
}

pub(super) fn box_distance(size: &Size, x: Vec3) -> f64 {
    let beyond = beyond_box(size, x);
    if beyond.iter().any(|&excess| excess >= 0.0) {
        let outside = beyond.map(|excess| max_first(excess, 0.0));
        let largest = max_first(beyond[0], max_first(beyond[1], beyond[2]));
        return vec3::norm(outside) + min_first(largest, 0.0);
    }
    let field = inner_field(beyond, x, size);
    let t: Vec3 = std::array::from_fn(|i| -beyond[i] / field[i].abs());
    -min_first(t[0], min_first(t[1], t[2])) * vec3::norm(field)
}

pub(super) fn box_gradient(size: &Size, x: Vec3) -> Vec3 {
    let beyond = beyond_box(size, x);
    let flat = if beyond[0] > beyond[1] { 0 } else { 1 };
    let largest = if beyond[2] > beyond[flat] { 2 } else { flat };
    if beyond[largest] < 0.0 {
        return inner_field(beyond, x, size);
    }
    let outside = beyond.map(|excess| max_first(excess, 0.0));
    let length = vec3::norm(outside);
    std::array::from_fn(|i| if beyond[i] > 0.0 { outside[i] / length * x[i] / x[i].abs() } else { 0.0 })
}

/// Unit field inside a box: weights each axis by its half size over the depth below its face.
fn inner_field(beyond: Vec3, x: Vec3, size: &Size) -> Vec3 {
    let weights = std::array::from_fn(|i| -size[i] / beyond[i]);
    let mut field = vec3::normalize(weights).0;
    for i in 0..3 {
        if x[i] < 0.0 {
            field[i] = -field[i];
        }
    }
    field
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_outside_are_exact() {
        assert_eq!(sphere_distance(&[1.0; 3], [0.0, 3.0, 4.0]), 4.0);
        assert_eq!(capsule_distance(&[1.0, 2.0, 0.0], [0.0, 3.0, 6.0]), 4.0);
        assert_eq!(cylinder_distance(&[1.0, 2.0, 0.0], [4.0, 0.0, 6.0]), 5.0);
        assert_eq!(box_distance(&[1.0, 2.0, 3.0], [4.0, 0.0, -7.0]), 5.0);
        assert_eq!(ellipsoid_distance(&[1.0, 2.0, 3.0], [0.0, 2.0, 0.0]), 0.0);
    }

    #[test]
    fn inside_a_box_near_a_face_the_gradient_is_its_normal() {
        let gradient = box_gradient(&[1.0; 3], [0.0, -0.999999, 0.0]);
        assert!(vec3::distance(gradient, [0.0, -1.0, 0.0]) < 1e-5);
    }
}
