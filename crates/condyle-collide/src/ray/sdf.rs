//! Ray against signed distance field: sphere tracing, each step as long as the field allows.

use condyle_math::{mat3, vec3};

use super::{Hit, Ray, cuboid};
use crate::sdf::Field;
use crate::{Pose, Size};

/// Steps before giving up.
const MAX_STEPS: usize = 40;
/// Nearer than this is a hit.
const TOUCH: f64 = 1e-7;
/// Farther than this is a miss.
const LOST: f64 = 1e6;

/// Hit on a field inside a box with the half sizes `bounds`. The distance is a length, whatever the length of the ray's direction.
pub fn cast(field: &Field, bounds: &Size, pose: &Pose, ray: &Ray) -> Option<Hit> {
    if !cuboid::meets(bounds, pose, ray) {
        return None;
    }
    let local = ray.to_local(pose);
    let local = Ray { direction: vec3::normalize(local.direction).0, ..local };
    let mut total = 0.0;
    for _ in 0..MAX_STEPS {
        let distance = field.distance(local.at(total)).abs();
        total += distance;
        if distance < TOUCH {
            let normal = vec3::normalize(field.gradient(local.at(total))).0;
            return Some(Hit { distance: total, normal: mat3::mul_vec(&pose.rotation, normal) });
        }
        if distance > LOST {
            break;
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sdf::Shape;

    #[test]
    fn the_outer_side_of_a_torus_is_hit_at_its_length() {
        let torus = Field::Shape(Shape::Torus { major: 0.35, minor: 0.15 });
        let ray = Ray { origin: [2.0, 0.0, 0.0], direction: [-4.0, 0.0, 0.0] };
        let hit = cast(&torus, &[0.5, 0.5, 0.15], &Pose::IDENTITY, &ray).unwrap();
        assert!((hit.distance - 1.5).abs() < 1e-6);
        assert!(vec3::distance(hit.normal, [1.0, 0.0, 0.0]) < 1e-6);
    }
}
