//! Ray against sphere: `|o + x d − c|² = r²`.

use condyle_math::{MIN_VALUE, Vec3, vec3};

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

/// Whether [`distance`] finds nothing.
#[inline(always)]
pub fn misses(center: Vec3, radius_squared: f64, ray: &Ray) -> bool {
    let offset = vec3::sub(ray.origin, center);
    let a = vec3::dot(ray.direction, ray.direction);
    let b = vec3::dot(ray.direction, offset);
    let c = vec3::dot(offset, offset) - radius_squared;
    let discriminant = b * b - a * c;
    // The second solution is never below the first.
    discriminant < 0.0 || a < MIN_VALUE || !((-b + discriminant.sqrt()) / a >= 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ray_misses_where_it_has_no_distance() {
        let numbers = [0.0, -0.0, 1.0, -3.0, 1e-9, 2.5, -1e8, 1e160, f64::NAN, f64::INFINITY];
        let mut found = [0, 0];
        for k in 0..10_000_usize {
            let pick =
                |place: u32| numbers[(k / 7_usize.pow(place) + k * 3 * place as usize) % numbers.len()];
            let ray = Ray { origin: [pick(0), pick(1), pick(2)], direction: [pick(3), pick(4), pick(0)] };
            for radius_squared in [0.0, 1e-3, 4.0, 1e18, f64::NAN] {
                let nothing = distance([pick(2), 0.5, pick(4)], radius_squared, &ray).is_none();
                assert_eq!(misses([pick(2), 0.5, pick(4)], radius_squared, &ray), nothing, "{ray:?}");
                found[usize::from(nothing)] += 1;
            }
        }
        assert!(found[0] > 1000 && found[1] > 1000, "{found:?}");
    }

    #[test]
    fn from_inside_the_far_surface_is_met_with_its_outward_normal() {
        let ray = Ray { origin: [0.25, 0.0, 0.0], direction: [1.0, 0.0, 0.0] };
        let hit = cast(&[1.0; 3], &Pose::IDENTITY, &ray).unwrap();
        assert_eq!(hit, Hit { distance: 0.75, normal: [1.0, 0.0, 0.0] });
    }
}
