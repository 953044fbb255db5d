//! A nut: a hexagonal head with a threaded hole.

use condyle_math::Vec3;
use condyle_math::scalar::min_first;

use super::thread::{head, incline, radial, rod, without};

pub(super) fn distance(p: Vec3, radius: f64) -> f64 {
    let radial = radial(p, radius);
    let cone = (p[2] - radial) * incline();
    let hole = without(rod(p, radial), cone + 0.5 * incline());
    let hole = min_first(hole, -cone - 0.05 * incline());
    without(head(p, radial), hole)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hole_is_outside_and_the_body_is_inside() {
        assert!(distance([0.05, 0.0, -0.25], 0.26) > 0.0);
        assert!(distance([0.4, 0.0, -0.25], 0.26) < 0.0);
    }
}
