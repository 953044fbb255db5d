//! Three-component vectors.

use crate::{MIN_VALUE, Vec3};

/// `a + b`
#[inline(always)]
pub fn add(a: Vec3, b: Vec3) -> Vec3 {
    [a[0] + b[0], a[1] + b[1], a[2] + b[2]]
}

/// `a - b`
#[inline(always)]
pub fn sub(a: Vec3, b: Vec3) -> Vec3 {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}

/// `a * s`
#[inline(always)]
pub fn scale(a: Vec3, s: f64) -> Vec3 {
    [a[0] * s, a[1] * s, a[2] * s]
}

/// `a + b * s`
#[inline(always)]
pub fn add_scaled(a: Vec3, b: Vec3, s: f64) -> Vec3 {
    [a[0] + b[0] * s, a[1] + b[1] * s, a[2] + b[2] * s]
}

/// Sum of products, left to right.
#[inline(always)]
pub fn dot(a: Vec3, b: Vec3) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

/// `a × b`
#[inline(always)]
pub fn cross(a: Vec3, b: Vec3) -> Vec3 {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// Euclidean length.
#[inline(always)]
pub fn norm(a: Vec3) -> f64 {
    dot(a, a).sqrt()
}

/// Length of `a - b`.
#[inline(always)]
pub fn distance(a: Vec3, b: Vec3) -> f64 {
    norm(sub(a, b))
}

/// Unit vector along `a` and the length of `a`. Vectors shorter than [`MIN_VALUE`] become the x axis.
#[inline(always)]
pub fn normalize(a: Vec3) -> (Vec3, f64) {
    let length = norm(a);
    if length < MIN_VALUE { ([1.0, 0.0, 0.0], length) } else { (scale(a, 1.0 / length), length) }
}

/// Normalise `a` in place and return its former length.
#[inline(always)]
pub fn normalize_mut(a: &mut Vec3) -> f64 {
    let (unit, length) = normalize(*a);
    *a = unit;
    length
}

/// Whether all components agree within [`MIN_VALUE`].
#[inline(always)]
pub fn nearly_equal(a: Vec3, b: Vec3) -> bool {
    (a[0] - b[0]).abs() < MIN_VALUE && (a[1] - b[1]).abs() < MIN_VALUE && (a[2] - b[2]).abs() < MIN_VALUE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_vectors_normalize_to_the_x_axis() {
        assert_eq!(normalize([1e-16, 0.0, 0.0]), ([1.0, 0.0, 0.0], 1e-16));
    }

    #[test]
    fn cross_product_is_right_handed() {
        assert_eq!(cross([1.0, 0.0, 0.0], [0.0, 1.0, 0.0]), [0.0, 0.0, 1.0]);
    }
}
