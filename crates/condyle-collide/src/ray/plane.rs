//! Ray against plane: seen from the front only, and within its rectangle if it has one.

use condyle_math::MIN_VALUE;

use super::{Hit, Ray};
use crate::{Pose, Size};

/// Hit on a plane; a size that is not positive is infinite.
#[inline(always)]
pub fn cast(size: &Size, pose: &Pose, ray: &Ray) -> Option<Hit> {
    let local = ray.to_local(pose);
    if local.direction[2] > -MIN_VALUE {
        return None;
    }
    let distance = -local.origin[2] / local.direction[2];
    if distance < 0.0 {
        return None;
    }
    let within = |axis: usize| {
        let coordinate = local.origin[axis] + distance * local.direction[axis];
        size[axis] <= 0.0 || coordinate.abs() <= size[axis]
    };
    (within(0) && within(1)).then(|| Hit { distance, normal: pose.z_axis() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_back_and_the_outside_of_the_rectangle_are_not_seen() {
        let down = Ray { origin: [2.0, 0.0, 1.0], direction: [0.0, 0.0, -1.0] };
        let up = Ray { origin: [2.0, 0.0, -1.0], direction: [0.0, 0.0, 1.0] };
        assert!(cast(&[0.0, 0.0, 1.0], &Pose::IDENTITY, &down).is_some());
        assert!(cast(&[1.0, 0.0, 1.0], &Pose::IDENTITY, &down).is_none());
        assert!(cast(&[0.0, 0.0, 1.0], &Pose::IDENTITY, &up).is_none());
    }

    #[test]
    fn the_rectangle_is_seen_up_to_its_edge() {
        // Slanted, so that the place on the plane is a sum: 0.5 + 2 · 0.25 and 0.25 − 2 · 0.5.
        let seen = |size: Size| {
            let ray = Ray { origin: [0.5, 0.25, 2.0], direction: [0.25, -0.5, -1.0] };
            cast(&size, &Pose::IDENTITY, &ray).is_some()
        };
        assert!(seen([1.0, 0.75, 1.0]));
        assert!(!seen([1.0 - 1e-10, 0.75, 1.0]) && !seen([1.0, 0.75 - 1e-10, 1.0]));
    }
}
