//! Capsule against capsule: balls at the nearest points of the two segments.
//!
//! With scaled half axes `a`, `b` and centre difference `d`, the nearest points `c₁ + x₁ a`, `c₂ + x₂ b` solve
//! `[a·a −a·b; −a·b b·b] x = [−a·d, b·d]`, clipped to `[−1, 1]`. Parallel segments have no unique answer: the four ends are tried in
//! turn until two contacts are found.

use condyle_math::{MIN_VALUE, Vec3, scalar, vec3};

use super::sphere_sphere::{Ball, push_ball_contact};
use crate::{ContactBuffer, Pose, Size};

/// The symmetric 2×2 system of the nearest points.
struct NearestPoints {
    aa: f64,
    ab: f64,
    bb: f64,
    u: f64,
    v: f64,
}

/// Contacts of two capsules.
pub fn collide(
    size1: &Size,
    pose1: &Pose,
    size2: &Size,
    pose2: &Pose,
    margin: f64,
    out: &mut ContactBuffer,
) -> usize {
    let axis1 = vec3::scale(pose1.z_axis(), size1[1]);
    let axis2 = vec3::scale(pose2.z_axis(), size2[1]);
    let difference = vec3::sub(pose1.position, pose2.position);
    let system = NearestPoints {
        aa: vec3::dot(axis1, axis1),
        ab: -vec3::dot(axis1, axis2),
        bb: vec3::dot(axis2, axis2),
        u: -vec3::dot(axis1, difference),
        v: vec3::dot(axis2, difference),
    };
    let mut push = |center1: Vec3, center2: Vec3| {
        let first = Ball { center: center1, radius: size1[0], axis: pose1.z_axis() };
        let second = Ball { center: center2, radius: size2[0], axis: pose2.z_axis() };
        push_ball_contact(&first, &second, margin, out)
    };
    let on_first = |x: f64| vec3::add(vec3::scale(axis1, x), pose1.position);
    let on_second = |x: f64| vec3::add(vec3::scale(axis2, x), pose2.position);

    if let Some((x1, x2)) = system.solve() {
        return push(on_first(x1), on_second(x2));
    }

    let NearestPoints { aa, ab, bb, u, v } = system;
    let mut count = push(vec3::add(pose1.position, axis1), on_second(scalar::clip((v - ab) / bb, -1.0, 1.0)));
    count += push(vec3::sub(pose1.position, axis1), on_second(scalar::clip((v + ab) / bb, -1.0, 1.0)));
    if count >= 2 {
        return count;
    }
    count += push(on_first(scalar::clip((u - ab) / aa, -1.0, 1.0)), vec3::add(pose2.position, axis2));
    if count >= 2 {
        return count;
    }
    count + push(on_first(scalar::clip((u + ab) / aa, -1.0, 1.0)), vec3::sub(pose2.position, axis2))
}

impl NearestPoints {
    /// Positions on both segments in `[−1, 1]`; `None` for parallel segments.
    fn solve(&self) -> Option<(f64, f64)> {
        let &Self { aa, ab, bb, u, v } = self;
        let determinant = aa * bb - ab * ab;
        if !(determinant.abs() >= MIN_VALUE) {
            return None;
        }
        let mut x1 = (bb * u - ab * v) / determinant;
        let mut x2 = (aa * v - ab * u) / determinant;
        if x1 > 1.0 {
            x1 = 1.0;
            x2 = (v - ab) / bb;
        } else if x1 < -1.0 {
            x1 = -1.0;
            x2 = (v + ab) / bb;
        }
        if x2 > 1.0 {
            x2 = 1.0;
            x1 = scalar::clip((u - ab) / aa, -1.0, 1.0);
        } else if x2 < -1.0 {
            x2 = -1.0;
            x1 = scalar::clip((u + ab) / aa, -1.0, 1.0);
        }
        Some((x1, x2))
    }
}

#[cfg(test)]
mod tests {
    use super::super::test_shapes::{at, no_panic_on_bad_numbers, turned_y_quarter};
    use super::*;

    #[test]
    fn crossed_capsules_touch_once() {
        let mut out = ContactBuffer::new();
        let turned = Pose { rotation: turned_y_quarter(), ..at(0.0, 0.75, 0.0) };
        let capsule = [0.5, 1.0, 0.0];
        assert_eq!(collide(&capsule, &Pose::IDENTITY, &capsule, &turned, 0.0, &mut out), 1);
        assert_eq!(out.as_slice()[0].position, [0.0, 0.375, 0.0]);
        assert_eq!(out.as_slice()[0].distance, -0.25);
    }

    #[test]
    fn parallel_capsules_touch_at_both_ends_of_their_overlap() {
        let mut out = ContactBuffer::new();
        let capsule = [0.5, 1.0, 0.0];
        assert_eq!(collide(&capsule, &Pose::IDENTITY, &capsule, &at(0.75, 0.0, 1.0), 0.0, &mut out), 2);
        let heights: Vec<_> = out.as_slice().iter().map(|c| c.position[2]).collect();
        assert_eq!(heights, [1.0, 0.0]);
    }

    #[test]
    fn bad_numbers_do_not_panic() {
        no_panic_on_bad_numbers(collide);
    }

    #[test]
    fn the_nearest_points_of_segments_are_those_of_a_search() {
        // Half axes a and b and the vector between the centres, such that ends and insides take part in all combinations.
        let at = |center: Vec3, axis: Vec3, x: f64| vec3::add_scaled(center, axis, x);
        for (a, b, offset) in [
            ([1.0, 0.0, 0.0], [0.3, 0.9, 0.2], [0.2, 0.1, 1.0]),
            ([1.0, 0.0, 0.0], [0.3, 0.9, 0.2], [2.0, 0.1, 1.0]),
            ([1.0, 0.0, 0.0], [0.3, 0.9, 0.2], [-2.0, 0.4, 1.0]),
            ([1.0, 0.2, 0.0], [0.7, 0.6, 0.2], [0.5, 2.5, 0.3]),
            ([1.0, 0.2, 0.0], [0.7, 0.6, 0.2], [-0.5, -2.5, 0.3]),
            ([0.4, 0.2, 0.1], [2.0, 0.6, 0.2], [1.5, 0.2, -0.3]),
        ] {
            let system = NearestPoints {
                aa: vec3::dot(a, a),
                ab: -vec3::dot(a, b),
                bb: vec3::dot(b, b),
                u: -vec3::dot(a, vec3::sub([0.0; 3], offset)),
                v: vec3::dot(b, vec3::sub([0.0; 3], offset)),
            };
            let (x1, x2) = system.solve().unwrap();
            let apart = |x1: f64, x2: f64| vec3::distance(at([0.0; 3], a, x1), at(offset, b, x2));
            let found = apart(x1, x2);
            // Each place is the best for the other, so that the pair is: the distance is convex.
            for step in -1000..=1000 {
                let x = f64::from(step) * 1e-3;
                assert!(
                    apart(x, x2) >= found - 1e-13 && apart(x1, x) >= found - 1e-13,
                    "{a:?} {b:?} {offset:?}"
                );
            }
            let clip = |x: f64| scalar::clip(x, -1.0, 1.0);
            let difference = vec3::sub(at(offset, b, x2), [0.0; 3]);
            assert!((x1 - clip(vec3::dot(a, difference) / system.aa)).abs() < 1e-13);
            let difference = vec3::sub(at([0.0; 3], a, x1), offset);
            assert!((x2 - clip(vec3::dot(b, difference) / system.bb)).abs() < 1e-13);
        }
    }
}
