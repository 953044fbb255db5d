//! A torus around the z axis.

use condyle_math::{MIN_VALUE, Vec3, scalar};

pub(super) fn distance(p: Vec3, major: f64, minor: f64) -> f64 {
    let q = (p[0] * p[0] + p[1] * p[1]).sqrt() - major;
    (q * q + p[2] * p[2]).sqrt() - minor
}

pub(super) fn gradient(p: Vec3, major: f64) -> Vec3 {
    let across = (p[0] * p[0] + p[1] * p[1]).sqrt();
    let q = across - major;
    let length = scalar::max((q * q + p[2] * p[2]).sqrt(), MIN_VALUE);
    [q * (p[0] / across) / length, q * (p[1] / across) / length, p[2] / length]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tube_is_inside_and_the_hole_is_outside() {
        assert_eq!(distance([1.0, 0.0, 0.0], 1.0, 0.25), -0.25);
        assert_eq!(distance([0.0, 0.0, 0.0], 1.0, 0.25), 0.75);
        assert_eq!(gradient([0.0, 2.0, 0.0], 1.0), [0.0, 1.0, 0.0]);
    }
}
