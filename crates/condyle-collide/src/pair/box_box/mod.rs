//! Box against box: separating axes, then clipping; up to eight contacts.
//!
//! 1. `axes.rs`: of the 15 candidate axes the one with the least overlap is chosen.
//! 2. A face axis clips the other box's nearest face against it (`face.rs`); an axis across two edges clips along that axis (`edge.rs`).
//! 3. `filter.rs`: contacts outside both boxes and repeated contacts are dropped.

mod axes;
mod clip;
mod edge;
mod face;
mod filter;

use crate::{ContactBuffer, Pose, Size};

/// The two boxes and how they lie to each other.
struct Boxes<'a> {
    half1: &'a Size,
    pose1: &'a Pose,
    half2: &'a Size,
    pose2: &'a Pose,
    relative: axes::Relative,
}

/// Contacts of two boxes.
pub fn collide(
    size1: &Size,
    pose1: &Pose,
    size2: &Size,
    pose2: &Pose,
    margin: f64,
    out: &mut ContactBuffer,
) -> usize {
    let before = out.len();
    if candidates(size1, pose1, size2, pose2, margin, out) > 0 {
        filter::drop_stray_and_repeated(size1, pose1, size2, pose2, margin, before, out);
    }
    out.len() - before
}

/// All points that clipping gives, stray and repeated ones too: what the distance of two boxes is measured by when their collision test
/// has to answer for it.
pub fn candidates(
    size1: &Size,
    pose1: &Pose,
    size2: &Size,
    pose2: &Pose,
    margin: f64,
    out: &mut ContactBuffer,
) -> usize {
    let before = out.len();
    let relative = axes::Relative::new(pose1, pose2);
    let boxes = Boxes { half1: size1, pose1, half2: size2, pose2, relative };
    match axes::least_overlap(&boxes, margin) {
        Some(axes::Axis::Face(axis)) => face::clip_against_face(&boxes, axis, margin, out),
        Some(axes::Axis::Edges(axis)) => edge::clip_across_edges(&boxes, &axis, margin, out),
        None => {}
    }
    out.len() - before
}

#[cfg(test)]
mod tests {
    use super::super::test_shapes::{at, no_panic_on_bad_numbers};
    use super::*;

    #[test]
    fn stacked_boxes_touch_at_the_corners_of_the_smaller_face() {
        let mut out = ContactBuffer::new();
        let n = collide(&[1.0; 3], &Pose::IDENTITY, &[0.5; 3], &at(0.0, 0.0, 1.375), 0.0, &mut out);
        assert_eq!(n, 4);
        for contact in out.as_slice() {
            assert_eq!((contact.distance, contact.normal()), (-0.125, [0.0, 0.0, 1.0]));
            assert_eq!(contact.position.map(f64::abs), [0.5, 0.5, 0.9375]);
        }
    }

    #[test]
    fn crossed_edges_touch_once() {
        // The first box stands on an edge along x, the second hangs with an edge along y.
        let h = 0.5f64.sqrt();
        let about_x = [1.0, 0.0, 0.0, 0.0, h, -h, 0.0, h, h];
        let about_y = [h, 0.0, h, 0.0, 1.0, 0.0, -h, 0.0, h];
        let mut out = ContactBuffer::new();
        let lower = Pose { position: [0.0; 3], rotation: about_x };
        let upper = Pose { position: [0.0, 0.0, 2.0 * 2f64.sqrt() - 0.1], rotation: about_y };
        assert_eq!(collide(&[1.0; 3], &lower, &[1.0; 3], &upper, 0.0, &mut out), 1);
        let contact = out.as_slice()[0];
        assert!((contact.distance + 0.1).abs() < 1e-12 && (contact.normal()[2] - 1.0).abs() < 1e-12);
    }

    #[test]
    fn edges_that_cross_at_any_angle_touch_midway_between_them() {
        // The lower edge runs along x below the origin. The upper one is turned by `angle` from the y axis and passes above `offset`.
        let (h, depth) = (0.5f64.sqrt(), 0.1);
        let about_x = [1.0, 0.0, 0.0, 0.0, h, -h, 0.0, h, h];
        let lower = Pose { position: [0.0; 3], rotation: about_x };
        for (angle, offset) in [(0.0f64, [0.3, 0.2]), (0.4, [0.3, 0.2]), (-0.7, [-0.1, 0.4])] {
            let (sine, cosine) = angle.sin_cos();
            let rotation = [h * cosine, -sine, h * cosine, h * sine, cosine, h * sine, -h, 0.0, h];
            let upper = Pose { position: [offset[0], offset[1], 2.0 * 2f64.sqrt() - depth], rotation };
            let crossing = offset[0] + offset[1] * angle.tan();
            let mut out = ContactBuffer::new();
            assert_eq!(collide(&[1.0; 3], &lower, &[1.0; 3], &upper, 0.0, &mut out), 1);
            let contact = out.as_slice()[0];
            let place = [crossing, 0.0, 2f64.sqrt() - 0.5 * depth];
            for (found, expected) in contact.position.iter().zip(place) {
                assert!((found - expected).abs() < 1e-12, "{angle}: {:?}, not {place:?}", contact.position);
            }
            assert!((contact.distance + depth).abs() < 1e-12);
            assert!((contact.normal()[2] - 1.0).abs() < 1e-12);
        }
    }

    #[test]
    fn separated_boxes_do_not_touch() {
        let mut out = ContactBuffer::new();
        assert_eq!(collide(&[1.0; 3], &Pose::IDENTITY, &[1.0; 3], &at(0.0, 2.5, 0.0), 0.0, &mut out), 0);
    }

    #[test]
    fn bad_numbers_do_not_panic() {
        no_panic_on_bad_numbers(collide);
    }
}
