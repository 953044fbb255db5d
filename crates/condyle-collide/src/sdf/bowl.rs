//! A bowl: a spherical shell of some thickness, cut open at a height.

use condyle_math::Vec3;

pub(super) fn distance(p: Vec3, height: f64, radius: f64, thickness: f64) -> f64 {
    let width = (radius * radius - height * height).sqrt();
    let norm = |x: f64, y: f64| (x * x + y * y).sqrt();
    // In the half plane through the axis the shell is an arc that ends at (width, height).
    let (across, up) = (norm(p[0], p[1]), p[2]);
    let beyond_the_rim = height * across < width * up;
    let from_arc =
        if beyond_the_rim { norm(across - width, up - height) } else { (norm(across, up) - radius).abs() };
    from_arc - thickness
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wall_inside_and_rim() {
        assert!((distance([0.0, 0.0, -1.0], 0.0, 1.0, 0.125) + 0.125).abs() < 1e-15);
        assert!((distance([0.0, 0.0, -0.5], 0.0, 1.0, 0.125) - 0.375).abs() < 1e-15);
        assert!((distance([1.0, 0.0, 0.5], 0.0, 1.0, 0.125) - 0.375).abs() < 1e-15);
    }
}
