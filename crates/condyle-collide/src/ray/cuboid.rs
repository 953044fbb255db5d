//! Ray against box: the nearest of six rectangles.

use condyle_math::{MIN_VALUE, mat3};

use super::{Hit, Ray, is_nearer, sphere};
use crate::{Pose, Size};

/// Every face that a ray crosses.
pub struct Crossings {
    /// Distance to each face in the order −x +x −y +y −z +z; −1 where it is not crossed.
    pub faces: [f64; 6],
    /// The nearest crossed face: its distance and index.
    pub nearest: Option<(f64, usize)>,
}

/// Hit on a box.
#[inline(always)]
pub fn cast(size: &Size, pose: &Pose, ray: &Ray) -> Option<Hit> {
    let (distance, face) = crossings(size, pose, ray).nearest?;
    let mut normal = [0.0; 3];
    normal[face / 2] = if face % 2 == 0 { -1.0 } else { 1.0 };
    Some(Hit { distance, normal: mat3::mul_vec(&pose.rotation, normal) })
}

/// Whether the ray meets the box at all.
pub fn meets(size: &Size, pose: &Pose, ray: &Ray) -> bool {
    crossings(size, pose, ray).nearest.is_some()
}

/// Distances to all faces that the ray crosses.
pub fn crossings(size: &Size, pose: &Pose, ray: &Ray) -> Crossings {
    let mut found = Crossings { faces: [-1.0; 6], nearest: None };
    let radius_squared = size[0] * size[0] + size[1] * size[1] + size[2] * size[2];
    if sphere::distance(pose.position, radius_squared, ray).is_none() {
        return found;
    }
    let local = ray.to_local(pose);
    let (o, d) = (local.origin, local.direction);
    for (axis, others) in [(0, [1, 2]), (1, [0, 2]), (2, [0, 1])] {
        if !(d[axis].abs() > MIN_VALUE) {
            continue;
        }
        for (side, sign) in [-1.0, 1.0].into_iter().enumerate() {
            let x = (sign * size[axis] - o[axis]) / d[axis];
            let within = others.iter().all(|&other| (o[other] + x * d[other]).abs() <= size[other]);
            if !(x >= 0.0 && within) {
                continue;
            }
            let face = 2 * axis + side;
            if is_nearer(x, found.nearest.map(|(distance, _)| distance)) {
                found.nearest = Some((x, face));
            }
            found.faces[face] = x;
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ray_through_the_box_crosses_two_faces() {
        let ray = Ray { origin: [-3.0, 0.25, 0.5], direction: [2.0, 0.0, 0.0] };
        let found = crossings(&[1.0; 3], &Pose::IDENTITY, &ray);
        assert_eq!(found.faces, [1.0, 2.0, -1.0, -1.0, -1.0, -1.0]);
        assert_eq!(cast(&[1.0; 3], &Pose::IDENTITY, &ray).unwrap().normal, [-1.0, 0.0, 0.0]);
    }
}
