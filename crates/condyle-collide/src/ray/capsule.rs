//! Ray against capsule: the nearest of the round side and the outer halves of two spheres.

use condyle_math::{mat3, vec3};

use super::{Hit, Ray, first_solution, is_nearer, solve_quadratic, sphere};
use crate::{Pose, Size};

/// Hit on a capsule.
#[inline(always)]
pub fn cast(size: &Size, pose: &Pose, ray: &Ray) -> Option<Hit> {
    let [radius, half_length, _] = *size;
    let reach = radius + half_length;
    sphere::distance(pose.position, reach * reach, ray)?;

    let local = ray.to_local(pose);
    let (o, d) = (local.origin, local.direction);
    // Nearest distance and which part: 0 the side, ±1 the cap on that end.
    let mut nearest = None;
    let mut part = 0.0;

    let a = d[0] * d[0] + d[1] * d[1];
    let b = d[0] * o[0] + d[1] * o[1];
    let c = o[0] * o[0] + o[1] * o[1] - radius * radius;
    if let Some(x) = first_solution(a, b, c)
        && (o[2] + x * d[2]).abs() <= half_length
    {
        nearest = Some(x);
    }

    for end in [1.0, -1.0] {
        let offset = [o[0], o[1], if end > 0.0 { o[2] - half_length } else { o[2] + half_length }];
        let a = vec3::dot(d, d);
        let b = vec3::dot(d, offset);
        let c = vec3::dot(offset, offset) - radius * radius;
        for x in solve_quadratic(a, b, c).into_iter().flatten() {
            let height = o[2] + x * d[2];
            let outer_half = if end > 0.0 { height >= half_length } else { height <= -half_length };
            if outer_half && is_nearer(x, nearest) {
                nearest = Some(x);
                part = end;
            }
        }
    }

    let distance = nearest?;
    let point = local.at(distance);
    let along = if part == 0.0 { 0.0 } else { point[2] - half_length * part };
    let normal = vec3::normalize([point[0], point[1], along]).0;
    Some(Hit { distance, normal: mat3::mul_vec(&pose.rotation, normal) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn side_and_caps_have_their_own_normals() {
        let size = [0.5, 1.0, 0.0];
        let from = |origin, direction| cast(&size, &Pose::IDENTITY, &Ray { origin, direction }).unwrap();
        let side = from([2.0, 0.0, 0.5], [-1.0, 0.0, 0.0]);
        assert_eq!(side, Hit { distance: 1.5, normal: [1.0, 0.0, 0.0] });
        let bottom = from([0.0, 0.0, -3.0], [0.0, 0.0, 1.0]);
        assert_eq!(bottom, Hit { distance: 1.5, normal: [0.0, 0.0, -1.0] });
    }
}
