//! Whether a point lies strictly inside a shape, one function per shape.

use condyle_math::{Vec3, scalar, vec3};

use crate::{Pose, Size};

/// Below a plane.
pub fn plane(_size: &Size, pose: &Pose, point: Vec3) -> bool {
    pose.to_local(point)[2] < 0.0
}

/// Inside a sphere.
pub fn sphere(size: &Size, pose: &Pose, point: Vec3) -> bool {
    let offset = vec3::sub(point, pose.position);
    vec3::dot(offset, offset) < size[0] * size[0]
}

/// Inside a capsule.
pub fn capsule(size: &Size, pose: &Pose, point: Vec3) -> bool {
    let p = pose.to_local(point);
    let along = p[2] - scalar::clip(p[2], -size[1], size[1]);
    p[0] * p[0] + p[1] * p[1] + along * along < size[0] * size[0]
}

/// Inside an ellipsoid.
pub fn ellipsoid(size: &Size, pose: &Pose, point: Vec3) -> bool {
    let p = pose.to_local(point);
    let term = |i: usize| p[i] * p[i] / (size[i] * size[i]);
    term(0) + term(1) + term(2) < 1.0
}

/// Inside a cylinder.
pub fn cylinder(size: &Size, pose: &Pose, point: Vec3) -> bool {
    let p = pose.to_local(point);
    p[2].abs() < size[1] && p[0] * p[0] + p[1] * p[1] < size[0] * size[0]
}

/// Inside a box.
pub fn cuboid(size: &Size, pose: &Pose, point: Vec3) -> bool {
    let p = pose.to_local(point);
    (0..3).all(|i| p[i].abs() < size[i])
}

#[cfg(test)]
mod tests {
    use super::*;

    type Contains = fn(&Size, &Pose, Vec3) -> bool;

    #[test]
    fn every_shape_holds_points_below_its_surface_and_none_on_or_above() {
        let size = [0.5, 0.25, 0.125];
        let pose = Pose { position: [1.0, 2.0, 3.0], ..Pose::IDENTITY };
        let tops: [(Contains, f64); 6] = [
            (plane, 0.0),
            (sphere, 0.5),
            (capsule, 0.75),
            (ellipsoid, 0.125),
            (cylinder, 0.25),
            (cuboid, 0.125),
        ];
        for (contains, top) in tops {
            assert!(contains(&size, &pose, [1.0, 2.0, 3.0 + top - 1e-9]));
            assert!(!contains(&size, &pose, [1.0, 2.0, 3.0 + top]));
            assert!(!contains(&size, &pose, [1.0, 2.0, f64::NAN]));
        }
    }
}
