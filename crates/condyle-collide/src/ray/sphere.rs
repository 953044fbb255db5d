//! Ray against sphere: `|o + x d − c|² = r²`.

use condyle_math::{Vec3, vec3};

use super::{Hit, Ray, first_solution};
use crate::{Pose, Size};

/// Hit on a sphere, from outside or inside.
#[inline(always)]
pub fn cast(size: &Size, pose: &Pose, ray: &Ray) -> Option<Hit> {
    let distance = distance(pose.position, size[0] * size[0], ray)?;
    let normal = vec3::normalize(vec3::sub(ray.at(distance), pose.position)).0;
    Some(Hit { distance, normal })
}

/// Distance to the sphere of the given squared radius.
#[inline]
pub fn distance(center: Vec3, radius_squared: f64, ray: &Ray) -> Option<f64> {
    let offset = vec3::sub(ray.origin, center);
    let a = vec3::dot(ray.direction, ray.direction);
    let b = vec3::dot(ray.direction, offset);
    let c = vec3::dot(offset, offset) - radius_squared;
    first_solution(a, b, c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn from_inside_the_far_surface_is_met_with_its_outward_normal() {
        let ray = Ray { origin: [0.25, 0.0, 0.0], direction: [1.0, 0.0, 0.0] };
        let hit = cast(&[1.0; 3], &Pose::IDENTITY, &ray).unwrap();
        assert_eq!(hit, Hit { distance: 0.75, normal: [1.0, 0.0, 0.0] });
    }
}
