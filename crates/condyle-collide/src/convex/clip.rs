//! Polygon clipping: the part of one face polygon that lies over another.
//!
//! Sutherland–Hodgman against the side planes of the clipping polygon, extruded along its normal.

use condyle_math::{MIN_VALUE, Vec3, vec3};

use super::{CcdConfig, CcdStatus};
use crate::MAX_CONTACTS_PER_PAIR;

/// Working memory of a clip.
#[derive(Clone, Debug, Default)]
pub(crate) struct ClipScratch {
    /// Side planes of the clipping polygon: normal and offset.
    planes: Vec<(Vec3, f64)>,
    polygon: Vec<Vec3>,
    clipped: Vec<Vec3>,
}

/// Clip `subject` by the convex polygon `clipper` with normal `normal`. The result becomes the witness points on the second object;
/// those on the first are `offset` behind them. At most four points, those of the largest quadrilateral, if fewer than five contacts
/// are wanted.
pub(crate) fn clip(
    config: &CcdConfig,
    status: &mut CcdStatus,
    scratch: &mut ClipScratch,
    clipper: &[Vec3],
    subject: &[Vec3],
    normal: Vec3,
    offset: Vec3,
) {
    if clipper.len() < 3 {
        return;
    }
    let ClipScratch { planes, polygon, clipped } = scratch;
    planes.clear();
    for (index, &start) in clipper.iter().enumerate() {
        let end = clipper[(index + 1) % clipper.len()];
        let side = vec3::cross(vec3::sub(end, start), vec3::sub(vec3::add(start, normal), start));
        planes.push((side, vec3::dot(side, start)));
    }

    polygon.clear();
    polygon.extend_from_slice(subject);
    for (&(side, plane_offset), &corner) in planes.iter().zip(clipper) {
        clipped.clear();
        clip_by_plane(clipped, polygon, side, plane_offset, corner);
        std::mem::swap(polygon, clipped);
    }

    if polygon.is_empty() {
        return;
    }
    let mut record = |slot: usize, point: Vec3| {
        status.witness2[slot] = point;
        status.witness1[slot] = vec3::sub(point, offset);
    };
    if config.max_contacts < 5 && polygon.len() > 4 {
        for (slot, index) in largest_quadrilateral(polygon).into_iter().enumerate() {
            record(slot, polygon[index]);
        }
        status.witness_count = 4;
    } else if polygon.len() > MAX_CONTACTS_PER_PAIR {
        for (slot, &point) in polygon.iter().take(MAX_CONTACTS_PER_PAIR).enumerate() {
            record(slot, point);
        }
        status.witness_count = MAX_CONTACTS_PER_PAIR;
    } else {
        let mut count = 0;
        for &point in polygon.iter() {
            if status.witness2[..count].iter().any(|&kept| vec3::nearly_equal(kept, point)) {
                continue;
            }
            status.witness2[count] = point;
            status.witness1[count] = vec3::sub(point, offset);
            count += 1;
        }
        status.witness_count = count;
    }
}

/// Keep the part of `polygon` on the inner side of one plane through `corner`.
fn clip_by_plane(out: &mut Vec<Vec3>, polygon: &[Vec3], side: Vec3, plane_offset: f64, corner: Vec3) {
    let is_inside = |point: Vec3| vec3::dot(vec3::sub(point, corner), side) > -MIN_VALUE;
    for (index, &start) in polygon.iter().enumerate() {
        let end = polygon[if index + 1 < polygon.len() { index + 1 } else { 0 }];
        match (is_inside(start), is_inside(end)) {
            (false, false) => {}
            (true, true) => out.push(end),
            (_, end_inside) => {
                out.extend(plane_crossing(side, plane_offset, start, end));
                if end_inside {
                    out.push(end);
                }
            }
        }
    }
}

/// Where the segment from `start` to `end` crosses a plane.
fn plane_crossing(normal: Vec3, offset: f64, start: Vec3, end: Vec3) -> Option<Vec3> {
    let along = vec3::sub(end, start);
    let slope = vec3::dot(normal, along);
    if slope == 0.0 {
        return None;
    }
    let t = (offset - vec3::dot(normal, start)) / slope;
    if t >= 0.0 && t <= 1.0 { Some(vec3::add_scaled(start, along, t)) } else { None }
}

/// Area of the quadrilateral a, b, c, d by its diagonals' cross products.
fn quadrilateral_area(a: Vec3, b: Vec3, c: Vec3, d: Vec3) -> f64 {
    let e = vec3::cross(vec3::sub(d, a), vec3::sub(b, d));
    let f = vec3::cross(vec3::sub(c, b), vec3::sub(a, c));
    0.5 * vec3::norm(vec3::add(e, f))
}

/// Corners of a large quadrilateral in a convex polygon of at least four, by walking the corners round while the area grows.
fn largest_quadrilateral(polygon: &[Vec3]) -> [usize; 4] {
    let next = |index: usize| if index + 1 == polygon.len() { 0 } else { index + 1 };
    let area = |a: usize, b: usize, c: usize, d: usize| {
        quadrilateral_area(polygon[a], polygon[b], polygon[c], polygon[d])
    };
    let (mut b, mut c, mut d) = (1, 2, 3);
    let mut best = [0, b, c, d];
    let mut largest = area(0, b, c, d);
    for a in 0..polygon.len() {
        loop {
            let candidate = area(a, b, c, next(d));
            if !(candidate > largest) {
                break;
            }
            largest = candidate;
            d = next(d);
            best = [a, b, c, d];
            loop {
                let candidate = area(a, b, next(c), d);
                if !(candidate > largest) {
                    break;
                }
                largest = candidate;
                c = next(c);
                best = [a, b, c, d];
            }
            loop {
                let candidate = area(a, next(b), c, d);
                if !(candidate > largest) {
                    break;
                }
                largest = candidate;
                b = next(b);
                best = [a, b, c, d];
            }
        }
        if b == a {
            b = next(b);
            if c == b {
                c = next(c);
                if d == c {
                    d = next(d);
                }
            }
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(half: f64, z: f64) -> [Vec3; 4] {
        [[half, half, z], [half, -half, z], [-half, -half, z], [-half, half, z]]
    }

    fn config(max_contacts: usize) -> CcdConfig {
        CcdConfig { max_iterations: 35, tolerance: 1e-6, max_contacts, distance_cutoff: 0.0 }
    }

    #[test]
    fn a_square_inside_another_is_kept_whole() {
        let (mut status, mut scratch) = (CcdStatus::default(), ClipScratch::default());
        let (large, small) = (square(1.0, 0.0), square(0.5, -0.1));
        clip(&config(4), &mut status, &mut scratch, &large, &small, [0.0, 0.0, 1.0], [0.0, 0.0, -0.1]);
        assert_eq!(status.witness_count, 4);
        for point in &status.witness2[..4] {
            assert!(point[0].abs() == 0.5 && point[1].abs() == 0.5 && point[2] == -0.1);
        }
        assert_eq!(status.witness1[0][2], 0.0);
    }

    #[test]
    fn an_octagonal_overlap_is_pruned_to_four_points() {
        let (mut status, mut scratch) = (CcdStatus::default(), ClipScratch::default());
        let r = std::f64::consts::SQRT_2 * 0.9;
        let diamond = [[r, 0.0, 0.0], [0.0, -r, 0.0], [-r, 0.0, 0.0], [0.0, r, 0.0]];
        let square = square(1.0, 0.0);
        clip(&config(4), &mut status, &mut scratch, &square, &diamond, [0.0, 0.0, 1.0], [0.0; 3]);
        assert_eq!(status.witness_count, 4);
        clip(&config(8), &mut status, &mut scratch, &square, &diamond, [0.0, 0.0, 1.0], [0.0; 3]);
        assert_eq!(status.witness_count, 8);
    }

    #[test]
    fn points_that_are_not_numbers_end_the_search() {
        let polygon = [[f64::NAN; 3]; 7];
        assert_eq!(largest_quadrilateral(&polygon), [0, 1, 2, 3]);
    }
}
