//! Ray against cylinder: the nearest of two disks and the round side.

use condyle_math::{MIN_VALUE, mat3, vec3};

use super::{Hit, Ray, first_solution, is_nearer, sphere};
use crate::{Pose, Size};

/// Hit on a cylinder.
#[inline(always)]
pub fn cast(size: &Size, pose: &Pose, ray: &Ray) -> Option<Hit> {
    let [radius, half_height, _] = *size;
    sphere::distance(pose.position, radius * radius + half_height * half_height, ray)?;

    let local = ray.to_local(pose);
    let (o, d) = (local.origin, local.direction);
    // Nearest distance and which part: 0 the side, ±1 the disk on that end.
    let mut nearest = None;
    let mut part = 0.0;

    if d[2].abs() > MIN_VALUE {
        for end in [-1.0, 1.0] {
            let x = (end * half_height - o[2]) / d[2];
            let (p0, p1) = (o[0] + x * d[0], o[1] + x * d[1]);
            if is_nearer(x, nearest) && p0 * p0 + p1 * p1 <= radius * radius {
                nearest = Some(x);
                part = end;
            }
        }
    }

    let a = d[0] * d[0] + d[1] * d[1];
    let b = d[0] * o[0] + d[1] * o[1];
    let c = o[0] * o[0] + o[1] * o[1] - radius * radius;
    if let Some(x) = first_solution(a, b, c)
        && (o[2] + x * d[2]).abs() <= half_height
        && is_nearer(x, nearest)
    {
        nearest = Some(x);
        part = 0.0;
    }

    let distance = nearest?;
    let normal = if part == 0.0 {
        let point = local.at(distance);
        vec3::normalize([point[0], point[1], 0.0]).0
    } else {
        [0.0, 0.0, part]
    };
    Some(Hit { distance, normal: mat3::mul_vec(&pose.rotation, normal) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn side_and_disks_have_their_own_normals() {
        let size = [0.5, 1.0, 0.0];
        let from = |origin, direction| cast(&size, &Pose::IDENTITY, &Ray { origin, direction }).unwrap();
        let side = from([2.0, 0.0, 0.5], [-1.0, 0.0, 0.0]);
        assert_eq!(side, Hit { distance: 1.5, normal: [1.0, 0.0, 0.0] });
        let disk = from([0.25, 0.0, -3.0], [0.0, 0.0, 1.0]);
        assert_eq!(disk, Hit { distance: 2.0, normal: [0.0, 0.0, -1.0] });
    }
}
