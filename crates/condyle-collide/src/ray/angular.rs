//! Pruning for many rays from one point: the range of directions under which a shape's bounding box is seen.
//!
//! Directions are `(azimuth, elevation) = (atan2(y, x), atan2(√(x²+y²), z))`, so the elevation runs from 0 at +z to π at −z. The ranges are
//! generous: a direction outside cannot meet the box, one inside may.

use condyle_math::scalar::{max_first, min_first};
use condyle_math::{MIN_VALUE, PI, Vec3, vec3};

use crate::Pose;

/// A direction in spherical coordinates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Direction {
    /// In `[−π, π]`.
    pub azimuth: f64,
    /// Angle from +z, in `[0, π]`.
    pub elevation: f64,
}

impl Direction {
    /// Direction of a vector of any length.
    pub fn of(v: Vec3) -> Self {
        Self { azimuth: v[1].atan2(v[0]), elevation: (v[0] * v[0] + v[1] * v[1]).sqrt().atan2(v[2]) }
    }
}

/// A range of directions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AngularBounds {
    /// Least and greatest azimuth, rad.
    pub azimuth: [f64; 2],
    /// Least and greatest elevation, rad.
    pub elevation: [f64; 2],
}

impl AngularBounds {
    /// Every direction.
    pub const ALL: AngularBounds = AngularBounds { azimuth: [-PI, PI], elevation: [0.0, PI] };

    /// Under which directions the box `aabb` (centre, half sizes) in the frame `pose` is seen from `eye`.
    pub fn of_box(aabb: &[f64; 6], pose: &Pose, eye: Vec3) -> Self {
        if contains_point(aabb, pose, eye) {
            return Self::ALL;
        }
        let mut bounds = Self { azimuth: [1e10, -1e10], elevation: [1e10, -1e10] };
        for corner in 0..8 {
            let local = std::array::from_fn(|axis| {
                if corner & (1 << axis) != 0 {
                    aabb[axis] + aabb[axis + 3]
                } else {
                    aabb[axis] - aabb[axis + 3]
                }
            });
            let direction = Direction::of(vec3::sub(pose.to_world(local), eye));
            include(&mut bounds.azimuth, direction.azimuth);
            include(&mut bounds.elevation, direction.elevation);
        }

        // Faces bulge beyond their corners on the sphere of directions.
        let largest = max_first(aabb[3], max_first(aabb[4], aabb[5]));
        let distance = vec3::distance(eye, pose.position);
        if distance > MIN_VALUE {
            let bulge = largest.atan2(distance);
            for range in [&mut bounds.azimuth, &mut bounds.elevation] {
                range[0] -= bulge;
                range[1] += bulge;
            }
        }
        let too_wide = |range: [f64; 2]| range[1] - range[0] > PI;
        if too_wide(bounds.azimuth) || too_wide(bounds.elevation) { Self::ALL } else { bounds }
    }

    /// Whether a direction lies in the range.
    pub fn contains(&self, direction: Direction) -> bool {
        if direction.elevation < self.elevation[0] || direction.elevation > self.elevation[1] {
            return false;
        }
        let middle = (self.azimuth[0] + self.azimuth[1]) * 0.5;
        let half_width = (self.azimuth[1] - self.azimuth[0]) * 0.5;
        let mut difference = direction.azimuth - middle;
        if difference > PI {
            difference -= 2.0 * PI;
        } else if difference < -PI {
            difference += 2.0 * PI;
        }
        !(difference.abs() > half_width)
    }
}

/// Whether a world point lies in the box.
fn contains_point(aabb: &[f64; 6], pose: &Pose, point: Vec3) -> bool {
    let local = vec3::sub(pose.to_local(point), [aabb[0], aabb[1], aabb[2]]);
    !(0..3).any(|axis| local[axis].abs() > aabb[axis + 3])
}

fn include(range: &mut [f64; 2], x: f64) {
    range[0] = min_first(range[0], x);
    range[1] = max_first(range[1], x);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ray::{Ray, cuboid};

    #[test]
    fn directions_outside_never_meet_the_box() {
        let aabb = [0.1, -0.2, 0.3, 0.5, 0.25, 0.125];
        let mut pruned = 0;
        for place in 0..40 {
            let p = f64::from(place);
            let pose = Pose {
                position: [3.0 * p.sin(), 3.0 * (2.0 * p).cos(), 2.0 * (1.3 * p).sin()],
                ..Pose::IDENTITY
            };
            let center = pose.to_world([aabb[0], aabb[1], aabb[2]]);
            let bounds = AngularBounds::of_box(&aabb, &pose, [0.0; 3]);
            for i in 0..200 {
                let t = f64::from(i);
                let direction = [(0.37 * t).sin(), (0.61 * t).cos(), (0.17 * t).sin()];
                if !bounds.contains(Direction::of(direction)) {
                    pruned += 1;
                    let ray = Ray { origin: [0.0; 3], direction };
                    let around = Pose { position: center, ..pose };
                    assert!(!cuboid::meets(&[aabb[3], aabb[4], aabb[5]], &around, &ray));
                }
            }
        }
        assert!(pruned > 1000, "{pruned}");
    }

    #[test]
    fn from_inside_every_direction_counts() {
        let aabb = [0.0, 0.0, 0.0, 1.0, 1.0, 1.0];
        assert_eq!(AngularBounds::of_box(&aabb, &Pose::IDENTITY, [0.5; 3]), AngularBounds::ALL);
    }

    #[test]
    fn ranges_of_azimuths_go_on_across_the_seam() {
        let sees = |azimuth: [f64; 2], direction: f64| {
            let bounds = AngularBounds { azimuth, elevation: [1.0, 2.0] };
            bounds.contains(Direction { azimuth: direction, elevation: 1.5 })
        };
        // Beyond π: −3.1 is the same direction as 3.183, which lies inside up to 3.3, and −2.9 is 3.383, which does not.
        for (direction, inside) in [(3.0, true), (-3.1, true), (-2.9, false), (2.4, false), (0.0, false)] {
            assert_eq!(sees([2.5, 3.3], direction), inside, "{direction}");
            // And the mirror image.
            assert_eq!(sees([-3.3, -2.5], -direction), inside, "{}", -direction);
        }
        // The ends belong to the range: halves are exact.
        assert!(sees([0.5, 1.0], 0.5) && sees([0.5, 1.0], 1.0));
        assert!(!sees([0.5, 1.0], 0.5 - 1e-15) && !sees([0.5, 1.0], 1.0 + 1e-15));
        let between = |elevation: f64| {
            let bounds = AngularBounds { azimuth: [-1.0, 1.0], elevation: [1.0, 2.0] };
            bounds.contains(Direction { azimuth: 0.0, elevation })
        };
        assert!(between(1.0) && between(2.0) && !between(1.0 - 1e-15) && !between(2.0 + 1e-15));
    }

    #[test]
    fn a_box_is_seen_under_the_angles_of_its_corners_and_its_bulge() {
        // Two metres ahead, half a metre to every side, seen along x.
        let aabb = [0.0, 0.0, 0.0, 0.5, 0.5, 0.5];
        let pose = Pose { position: [2.0, 0.0, 0.0], ..Pose::IDENTITY };
        let bounds = AngularBounds::of_box(&aabb, &pose, [0.0; 3]);
        let bulge = 0.5f64.atan2(2.0);
        let side = 0.5f64.atan2(1.5) + bulge;
        for (found, expected) in bounds.azimuth.iter().zip([-side, side]) {
            assert!((found - expected).abs() < 1e-15, "{bounds:?}");
        }
        let steep = (1.5f64 * 1.5 + 0.5 * 0.5).sqrt().atan2(0.5) - bulge;
        for (found, expected) in bounds.elevation.iter().zip([steep, PI - steep]) {
            assert!((found - expected).abs() < 1e-15, "{bounds:?}");
        }
    }
}
