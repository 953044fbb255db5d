//! Plane against box: the first four corners, in index order, that lie in the lower half of the box and within the margin.

use condyle_math::{mat3, vec3};

use crate::{ContactBuffer, ContactPoint, Pose, Size};

/// Most contacts of a box with a plane.
const MAX_CONTACTS: usize = 4;

/// Contacts of a plane (first) with a box.
pub fn collide(
    _size1: &Size,
    pose1: &Pose,
    size2: &Size,
    pose2: &Pose,
    margin: f64,
    out: &mut ContactBuffer,
) -> usize {
    let normal = pose1.z_axis();
    let center_height = vec3::dot(vec3::sub(pose2.position, pose1.position), normal);

    let before = out.len();
    for index in 0..8 {
        let corner = mat3::mul_vec(&pose2.rotation, corner(size2, index));
        let rise = vec3::dot(normal, corner);
        if center_height + rise > margin || rise > 0.0 {
            continue;
        }
        let distance = center_height + rise;
        let corner = vec3::add(corner, pose2.position);
        let position = vec3::add(corner, vec3::scale(normal, -distance / 2.0));
        out.push(ContactPoint::new(distance, position, normal));
        if out.len() - before >= MAX_CONTACTS {
            break;
        }
    }
    out.len() - before
}

/// Corner of a box by index: bits 0, 1, 2 choose the positive side in x, y, z.
#[inline(always)]
pub(super) fn corner(half: &Size, index: usize) -> Size {
    std::array::from_fn(|axis| if index & (1 << axis) != 0 { half[axis] } else { -half[axis] })
}

#[cfg(test)]
mod tests {
    use super::super::test_shapes::{at, no_panic_on_bad_numbers};
    use super::*;

    #[test]
    fn flat_box_stands_on_its_four_lower_corners() {
        let mut out = ContactBuffer::new();
        let n = collide(&[0.0; 3], &Pose::IDENTITY, &[1.0, 2.0, 0.5], &at(0.0, 0.0, 0.5), 0.0, &mut out);
        assert_eq!(n, 4);
        let corners: Vec<_> = out.as_slice().iter().map(|c| c.position).collect();
        assert_eq!(corners, [[-1.0, -2.0, 0.0], [1.0, -2.0, 0.0], [-1.0, 2.0, 0.0], [1.0, 2.0, 0.0]]);
    }

    #[test]
    fn buried_box_still_reports_lower_corners_only() {
        let mut out = ContactBuffer::new();
        let n = collide(&[0.0; 3], &Pose::IDENTITY, &[1.0; 3], &at(0.0, 0.0, -5.0), 0.0, &mut out);
        assert_eq!(n, 4);
        assert!(out.as_slice().iter().all(|c| c.distance == -6.0));
    }

    #[test]
    fn bad_numbers_do_not_panic() {
        no_panic_on_bad_numbers(collide);
    }
}
