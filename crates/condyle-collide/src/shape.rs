//! How a shape is given: three size numbers and a pose.

use condyle_math::{Mat3, Vec3, mat3, vec3};

/// Three size numbers whose meaning depends on the shape.
///
/// | shape | `[0]` | `[1]` | `[2]` |
/// |---|---|---|---|
/// | plane | half x, 0 = infinite | half y, 0 = infinite | grid spacing (ignored here) |
/// | sphere | radius | – | – |
/// | capsule | radius | half length of the segment | – |
/// | cylinder | radius | half height | – |
/// | ellipsoid | semi-axis x | semi-axis y | semi-axis z |
/// | box | half x | half y | half z |
pub type Size = Vec3;

/// Position and orientation of a shape in the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Pose {
    /// Centre of the shape.
    pub position: Vec3,
    /// Rotation, row-major; its columns are the axes of the shape.
    pub rotation: Mat3,
}

impl Pose {
    /// At the origin, axes aligned with the world.
    pub const IDENTITY: Pose = Pose { position: [0.0; 3], rotation: mat3::IDENTITY };

    /// The x axis of the shape.
    #[inline(always)]
    pub fn x_axis(&self) -> Vec3 {
        mat3::column(&self.rotation, 0)
    }

    /// The z axis of the shape: a plane's normal, a capsule's or cylinder's axis.
    #[inline(always)]
    pub fn z_axis(&self) -> Vec3 {
        mat3::column(&self.rotation, 2)
    }

    /// A world point in the coordinates of the shape: `Rᵀ (point − position)`.
    #[inline(always)]
    pub fn to_local(&self, point: Vec3) -> Vec3 {
        mat3::mul_vec_transposed(&self.rotation, vec3::sub(point, self.position))
    }

    /// A local point in world coordinates: `R point + position`.
    #[inline(always)]
    pub fn to_world(&self, point: Vec3) -> Vec3 {
        vec3::add(mat3::mul_vec(&self.rotation, point), self.position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn local_and_world_coordinates_are_inverse() {
        let pose =
            Pose { position: [1.0, 2.0, 3.0], rotation: [0.0, -1.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0] };
        assert_eq!(pose.to_world([1.0, 0.0, 0.0]), [1.0, 3.0, 3.0]);
        assert_eq!(pose.to_local([1.0, 3.0, 3.0]), [1.0, 0.0, 0.0]);
        assert_eq!(pose.x_axis(), [0.0, 1.0, 0.0]);
        assert_eq!(pose.z_axis(), [0.0, 0.0, 1.0]);
    }
}
