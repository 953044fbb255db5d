//! A bolt: a threaded rod below a hexagonal head.

use condyle_math::Vec3;
use condyle_math::scalar::min_first;

use super::thread::{head, incline, radial, rod, without};

pub(super) fn distance(p: Vec3, radius: f64) -> f64 {
    let radial = radial(p, radius);
    let cut = without(rod(p, radial), 0.5 - (p[2] + 0.5).abs());
    let cone = (p[2] - radial) * incline();
    let pointed = without(cut, cone + 1.0 * incline());
    min_first(pointed, head(p, radial))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_axis_is_inside_along_the_bolt_and_outside_beyond() {
        assert!(distance([0.01, 0.0, -0.4], 0.26) < 0.0);
        assert!(distance([0.01, 0.0, 0.8], 0.26) > 0.0);
        assert!(distance([0.01, 0.0, -1.5], 0.26) > 0.0);
    }
}
