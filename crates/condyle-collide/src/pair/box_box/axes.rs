//! The separating-axis search: three face axes of each box and nine cross products of edges.
//!
//! The overlap along axis `n` is `r₁(n) + r₂(n) − |n·d|` with `r` the half extents along it and `d` the centre difference. A negative overlap
//! beyond the margin separates the boxes.

use condyle_math::{MIN_VALUE, Mat3, Vec3, mat3, vec3};

use super::Boxes;
use crate::Pose;

/// Poses of the boxes in each other's frame.
pub(super) struct Relative {
    /// Centre of box 2 in the frame of box 1.
    pub center2_in_1: Vec3,
    /// Centre of box 1 in the frame of box 2.
    pub center1_in_2: Vec3,
    /// Orientation of box 2 in the frame of box 1: columns are the axes of box 2.
    pub rotation: Mat3,
    /// The rotation with absolute entries.
    pub magnitude: Mat3,
}

impl Relative {
    pub(super) fn new(pose1: &Pose, pose2: &Pose) -> Self {
        let rotation = mat3::mul_transposed_left(&pose1.rotation, &pose2.rotation);
        Self {
            center2_in_1: pose1.to_local(pose2.position),
            center1_in_2: pose2.to_local(pose1.position),
            rotation,
            magnitude: rotation.map(f64::abs),
        }
    }
}

/// The axis of least overlap.
pub(super) enum Axis {
    Face(FaceAxis),
    Edges(EdgeAxis),
}

/// A face of one box.
#[derive(Clone, Copy)]
pub(super) struct FaceAxis {
    /// Whether the face belongs to box 2.
    pub on_second: bool,
    /// Face index: axis, plus 3 for the negative side.
    pub face: usize,
}

/// A direction across one edge of each box.
pub(super) struct EdgeAxis {
    /// Direction of the edge of box 1.
    pub axis1: usize,
    /// Direction of the edge of box 2.
    pub axis2: usize,
    /// Unit cross product of the two edges, in the frame of box 1.
    pub normal: Vec3,
    /// Whether that normal points from box 2 to box 1.
    pub inward: bool,
    /// Sides of the touching edge of box 1: bit `k` is set on the positive side of axis `k`.
    pub sides1: usize,
    /// The same for box 2.
    pub sides2: usize,
}

/// The axis of least overlap; `None` if some axis separates the boxes by more than the margin.
pub(super) fn least_overlap(boxes: &Boxes, margin: f64) -> Option<Axis> {
    let mut overlap = margin;
    for i in 0..3 {
        overlap += boxes.half1[i] * 3.0 + boxes.half2[i] * 3.0;
    }
    let mut best = None;
    search_faces(boxes, margin, &mut overlap, &mut best)?;
    search_edges(boxes, margin, &mut overlap, &mut best)?;
    best
}

fn search_faces(boxes: &Boxes, margin: f64, least: &mut f64, best: &mut Option<Axis>) -> Option<()> {
    let relative = &boxes.relative;
    let extent2 = mat3::mul_vec(&relative.magnitude, *boxes.half2);
    let extent1 = mat3::mul_vec_transposed(&relative.magnitude, *boxes.half1);
    for axis in 0..3 {
        let (along1, along2) = (relative.center2_in_1[axis], relative.center1_in_2[axis]);
        let overlap1 = -along1.abs() + boxes.half1[axis] + extent2[axis];
        let overlap2 = -along2.abs() + boxes.half2[axis] + extent1[axis];
        if overlap1 < -margin || overlap2 < -margin {
            return None;
        }
        for (overlap, along, on_second) in [(overlap1, along1, false), (overlap2, along2, true)] {
            if overlap < *least {
                *least = overlap;
                let face = if along < 0.0 { axis + 3 } else { axis };
                *best = Some(Axis::Face(FaceAxis { on_second, face }));
            }
        }
    }
    Some(())
}

fn search_edges(boxes: &Boxes, margin: f64, least: &mut f64, best: &mut Option<Axis>) -> Option<()> {
    let relative = &boxes.relative;
    for axis1 in 0..3 {
        for axis2 in 0..3 {
            let (normal, length) =
                vec3::normalize(unit_cross(axis1, mat3::column(&relative.rotation, axis2)));
            if length < MIN_VALUE {
                continue;
            }
            let along = vec3::dot(relative.center2_in_1, normal);

            let mut overlap = 0.0;
            for k in others(axis1) {
                overlap += boxes.half1[k] * normal[k].abs();
            }
            for k in others(axis2) {
                overlap += boxes.half2[k] * relative.magnitude[3 * axis1 + third(k, axis2)] / length;
            }
            overlap -= along.abs();
            if overlap < -margin {
                return None;
            }
            // Faces win ties: an edge axis must be better by more than rounding.
            if overlap < *least * (1.0 - 1e-12) {
                *least = overlap;
                let inward = along < 0.0;
                *best = Some(Axis::Edges(EdgeAxis {
                    axis1,
                    axis2,
                    normal,
                    inward,
                    sides1: touching_sides1(axis1, normal, inward),
                    sides2: touching_sides2(&relative.rotation, axis1, axis2, inward),
                }));
            }
        }
    }
    Some(())
}

/// Sides of the edge of box 1 farthest along the outward normal.
fn touching_sides1(axis1: usize, normal: Vec3, inward: bool) -> usize {
    others(axis1).filter(|&k| (normal[k] > 0.0) ^ inward).map(|k| 1 << k).sum()
}

/// Sides of the edge of box 2 farthest against the outward normal.
fn touching_sides2(rotation: &Mat3, axis1: usize, axis2: usize, inward: bool) -> usize {
    others(axis2)
        .filter(|&k| {
            let follows = (k + 3 - axis2) % 3 == 1;
            (rotation[3 * axis1 + third(k, axis2)] > 0.0) ^ inward ^ follows
        })
        .map(|k| 1 << k)
        .sum()
}

/// The two axes other than `axis`, ascending.
fn others(axis: usize) -> impl Iterator<Item = usize> {
    (0..3).filter(move |&k| k != axis)
}

/// The axis that is neither of two different ones.
#[inline(always)]
pub(super) fn third(a: usize, b: usize) -> usize {
    3 - a - b
}

/// Unit vector along `axis`, cross `v`.
fn unit_cross(axis: usize, v: Vec3) -> Vec3 {
    match axis {
        0 => [0.0, -v[2], v[1]],
        1 => [v[2], 0.0, -v[0]],
        _ => [-v[1], v[0], 0.0],
    }
}
