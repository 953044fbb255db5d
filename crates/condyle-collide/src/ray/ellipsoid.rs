//! Ray against ellipsoid: `Σ (pᵢ / sᵢ)² = 1`, with the gradient of that form as normal.

use condyle_math::{mat3, vec3};

use super::{Hit, Ray, first_solution};
use crate::{Pose, Size};

/// Hit on an ellipsoid.
#[inline(always)]
pub fn cast(size: &Size, pose: &Pose, ray: &Ray) -> Option<Hit> {
    let local = ray.to_local(pose);
    let (o, d) = (local.origin, local.direction);
    let s = size.map(|semi_axis| 1.0 / (semi_axis * semi_axis));
    let form = |p: [f64; 3], q: [f64; 3]| s[0] * p[0] * q[0] + s[1] * p[1] * q[1] + s[2] * p[2] * q[2];

    let distance = first_solution(form(d, d), form(d, o), form(o, o) - 1.0)?;
    let point = local.at(distance);
    let normal = vec3::normalize([s[0] * point[0], s[1] * point[1], s[2] * point[2]]).0;
    Some(Hit { distance, normal: mat3::mul_vec(&pose.rotation, normal) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_normal_is_the_gradient() {
        let ray = Ray { origin: [1.0, 1.0, 5.0], direction: [0.0, 0.0, -1.0] };
        let hit = cast(&[2.0, 2.0, 1.0], &Pose::IDENTITY, &ray).unwrap();
        let z = 0.5f64.sqrt();
        assert!((hit.distance - (5.0 - z)).abs() < 1e-15);
        let expected = vec3::normalize([0.25, 0.25, z]).0;
        assert!(vec3::distance(hit.normal, expected) < 1e-15);
    }
}
