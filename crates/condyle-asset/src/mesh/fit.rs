//! Primitive shapes fitted to a mesh: by the box of equal inertia or by the bounding box.

use condyle_math::Vec3;

use crate::bvh::upper;

/// Shapes a mesh can be replaced by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FitShape {
    /// Radius.
    Sphere,
    /// Radius and half length.
    Capsule,
    /// Radius and half length.
    Cylinder,
    /// Three half axes.
    Ellipsoid,
    /// Three half sizes.
    Box,
}

/// Sizes of `shape` from the half sizes of the box of equal inertia; entries the shape has no use for keep `size`.
pub fn fit_inertia_box(shape: FitShape, half: Vec3, size: Vec3, scale: f64) -> Vec3 {
    let mut size = size;
    match shape {
        FitShape::Sphere => size[0] = (half[0] + half[1] + half[2]) / 3.0,
        FitShape::Capsule => {
            size[0] = (half[0] + half[1]) / 2.0;
            size[1] = upper(0.0, half[2] - size[0] / 2.0);
        }
        FitShape::Cylinder => {
            size[0] = (half[0] + half[1]) / 2.0;
            size[1] = half[2];
        }
        FitShape::Ellipsoid | FitShape::Box => size = half,
    }
    size.map(|x| x * scale)
}

/// Centre and sizes of the smallest `shape` along the axes whose bounding box holds `bounds` (lowest, highest corner).
pub fn fit_bounding_box(shape: FitShape, bounds: &[f64; 6], size: Vec3, scale: f64) -> (Vec3, Vec3) {
    let centre = [0, 1, 2].map(|i| (bounds[i] + bounds[i + 3]) / 2.0);
    let half = [0, 1, 2].map(|i| bounds[i + 3] - centre[i]);
    let mut size = size;
    match shape {
        FitShape::Sphere => size[0] = upper(upper(half[0], half[1]), half[2]),
        FitShape::Capsule | FitShape::Cylinder => {
            size[0] = upper(half[0], half[1]);
            size[1] = half[2];
            if shape == FitShape::Capsule {
                size[1] -= size[0];
            }
        }
        FitShape::Ellipsoid | FitShape::Box => size = half,
    }
    (centre, size.map(|x| x * scale))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn capsule_caps_lie_inside_the_bounding_box() {
        let (centre, size) =
            fit_bounding_box(FitShape::Capsule, &[-1.0, -2.0, 0.0, 1.0, 2.0, 10.0], [0.0; 3], 2.0);
        assert_eq!((centre, size), ([0.0, 0.0, 5.0], [4.0, 6.0, 0.0]));
    }

    #[test]
    fn sphere_radius_is_the_mean_half_size() {
        assert_eq!(fit_inertia_box(FitShape::Sphere, [1.0, 2.0, 3.0], [0.0; 3], 1.0), [2.0, 0.0, 0.0]);
    }
}
