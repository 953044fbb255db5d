//! Contacts when the axis of least overlap is a face normal.
//!
//! In the frame of the clipping face (z outward, origin on the face) the other box contributes its nearest corner and the up to two of
//! its edges there that are far from parallel to the normal: a point, an edge or a face. Contacts are where the edges cross the border of
//! the face, the corners of the face under the parallelogram, and the corners of the parallelogram over the face. Each lies halfway
//! between the face and the other box.

use condyle_math::{Mat3, Vec3, mat3, vec3};

use super::Boxes;
use super::axes::FaceAxis;
use super::clip::{FaceFrame, Parallelogram, border_crossings, rectangle_corners};
use crate::{ContactBuffer, ContactPoint};

/// The part of the other box nearest to the clipping face, in the frame of the face.
enum Patch {
    Point(Vec3),
    Line(Vec3, Vec3),
    Area(Parallelogram),
}

pub(super) fn clip_against_face(boxes: &Boxes, axis: FaceAxis, margin: f64, out: &mut ContactBuffer) {
    let frame = FaceFrame::new(axis.face);
    let turn = frame.matrix();
    let relative = &boxes.relative;

    let (rotation, mut center, face_half, other_half, owner) = if axis.on_second {
        let rotation = mat3::mul_transposed_right(&turn, &relative.rotation);
        (rotation, frame.turn(relative.center1_in_2), frame.turn(*boxes.half2), boxes.half1, boxes.pose2)
    } else {
        let rotation = frame.turn_rows(&relative.rotation);
        (rotation, frame.turn(relative.center2_in_1), frame.turn(*boxes.half1), boxes.half2, boxes.pose1)
    };
    let face_half = face_half.map(f64::abs);
    let height = face_half[2];
    center[2] -= height;

    let to_world = mat3::mul_transposed_right(&owner.rotation, &turn);
    let normal = vec3::scale(mat3::column(&to_world, 2), if axis.on_second { -1.0 } else { 1.0 });
    let emit = |mut point: Vec3| {
        if point[2] > margin {
            return;
        }
        point[2] *= 0.5;
        let distance = 2.0 * point[2];
        point[2] += height;
        let position = vec3::add(mat3::mul_vec(&to_world, point), owner.position);
        out.push(ContactPoint::new(distance, position, normal));
    };
    clip_patch(&nearest_patch(&rotation, center, other_half), face_half, emit);
}

/// Nearest corner of a box to the face below it, with the edges there that make more than 60° with the normal.
fn nearest_patch(rotation: &Mat3, center: Vec3, half: &Vec3) -> Patch {
    let downward = mat3::row(rotation, 2);
    let mut corner = center;
    for axis in 0..3 {
        let side = if downward[axis] < 0.0 { 1.0 } else { -1.0 };
        corner = vec3::add_scaled(corner, mat3::column(rotation, axis), half[axis] * side);
    }

    let mut edges = [[0.0; 3]; 2];
    let mut count = 0;
    for axis in 0..3 {
        if downward[axis].abs() < 0.5 && count < 2 {
            let side = if downward[axis] < 0.0 { -2.0 } else { 2.0 };
            edges[count] = vec3::scale(mat3::column(rotation, axis), half[axis] * side);
            count += 1;
        }
    }
    match count {
        0 => Patch::Point(corner),
        1 => Patch::Line(corner, edges[0]),
        _ => Patch::Area(Parallelogram { origin: corner, first: edges[0], second: edges[1] }),
    }
}

/// Clip the patch to the rectangle of the face.
fn clip_patch(patch: &Patch, half: Vec3, mut emit: impl FnMut(Vec3)) {
    let inside = |p: Vec3| !(p[0] <= -half[0] || p[0] >= half[0] || p[1] <= -half[1] || p[1] >= half[1]);
    match patch {
        Patch::Point(corner) => emit(*corner),
        Patch::Line(corner, edge) => {
            border_crossings(*corner, *edge, half, |crossing| {
                emit(vec3::add_scaled(*corner, *edge, crossing.along));
            });
            emit(*corner);
            let end = vec3::add(*corner, *edge);
            if inside(end) {
                emit(end);
            }
        }
        Patch::Area(area) => {
            let sides = area.sides();
            for (start, direction) in sides {
                border_crossings(start, direction, half, |crossing| {
                    emit(vec3::add_scaled(start, direction, crossing.along));
                });
            }
            let twice_area = area.area();
            for (x, y) in rectangle_corners(half) {
                let (u, v) = area.coordinates(x, y, twice_area);
                if u <= 0.0 || v <= 0.0 || u >= 1.0 || v >= 1.0 {
                    continue;
                }
                emit([x, y, area.origin[2] + u * area.first[2] + v * area.second[2]]);
            }
            // The nearest corner counts even outside the face; the filter judges it.
            emit(area.origin);
            let (after_first, after_second) = (sides[2].0, sides[3].0);
            for corner in [after_first, after_second, vec3::add(after_first, area.second)] {
                if inside(corner) {
                    emit(corner);
                }
            }
        }
    }
}
