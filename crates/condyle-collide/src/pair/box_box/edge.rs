//! Contacts when the axis of least overlap is the cross product of two edges.
//!
//! The face of box 1 that holds the touching edge and is most perpendicular to the axis clips the like face of box 2, whose corners are
//! projected onto it along the axis. Contacts lie halfway between a point of one face and its projection on the other.

use condyle_math::{MIN_VALUE, Mat3, Vec3, mat3, scalar, vec3};

use super::Boxes;
use super::axes::{EdgeAxis, third};
use super::clip::{FaceFrame, Parallelogram, border_crossings, rectangle_corners};
use crate::{ContactBuffer, ContactPoint};

/// The face of box 2 in the frame of the clipping face: corners as they are and projected along the axis.
struct Faces {
    /// Corners of the face of box 2.
    corners: [Vec3; 4],
    /// Their projections onto the clipping face.
    projected: [Vec3; 4],
    /// Half sizes of box 1 in the clipping frame.
    half: Vec3,
    /// Depth along the axis per unit of z.
    per_height: f64,
    margin: f64,
}

pub(super) fn clip_across_edges(boxes: &Boxes, axis: &EdgeAxis, margin: f64, out: &mut ContactBuffer) {
    let frame = FaceFrame::new(clipping_face(boxes, axis));
    let turn = frame.matrix();
    let half = mat3::mul_vec_transposed(&turn, *boxes.half1).map(f64::abs);
    let normal = frame.turn(axis.normal);
    let corners = facing_corners(boxes, axis, &frame, half[2]);
    if normal[2].abs() < MIN_VALUE {
        return;
    }
    let outward = if axis.inward { -1.0 } else { 1.0 };
    let projected = corners.map(|corner| {
        let along = -corner[2] * (1.0 / normal[2]);
        vec3::add_scaled(corner, normal, along)
    });
    let faces = Faces { corners, projected, half, per_height: (1.0 / normal[2]) * outward, margin };

    let to_world = mat3::mul_transposed_right(&boxes.pose1.rotation, &turn);
    let normal = vec3::scale(mat3::mul_vec(&to_world, normal), outward);
    let mut sink = Sink { to_world, origin: boxes.pose1.position, height: half[2], normal, found: 0, out };
    faces.border_contacts(&mut sink);
    let on_border = sink.found > 0;
    faces.rectangle_contacts(on_border, &mut sink);
    faces.corner_contacts(on_border, &mut sink);
}

/// Takes contacts from the clipping frame to the world.
struct Sink<'a> {
    to_world: Mat3,
    origin: Vec3,
    height: f64,
    normal: Vec3,
    found: usize,
    out: &'a mut ContactBuffer,
}

impl Sink<'_> {
    fn emit(&mut self, mut point: Vec3, depth: f64) {
        point[2] += self.height;
        let position = vec3::add(mat3::mul_vec(&self.to_world, point), self.origin);
        self.out.push(ContactPoint::new(depth, position, self.normal));
        self.found += 1;
    }
}

/// The two axes across an edge direction, in the order in which ties between them are decided.
fn across(edge: usize) -> (usize, usize) {
    match edge {
        0 => (1, 2),
        1 => (0, 2),
        _ => (1, 0),
    }
}

/// Index of the face of box 1 that clips: beside the touching edge, across the axis that the other box's edge is less aligned with.
fn clipping_face(boxes: &Boxes, axis: &EdgeAxis) -> usize {
    let magnitude = &boxes.relative.magnitude;
    let (major, minor) = across(axis.axis1);
    let flat =
        if magnitude[3 * major + axis.axis2] < magnitude[3 * minor + axis.axis2] { major } else { minor };
    if axis.sides1 & (1 << flat) != 0 { flat } else { flat + 3 }
}

/// Corners of the face of box 2 that holds its touching edge (the first two), relative to the clipping face.
fn facing_corners(boxes: &Boxes, axis: &EdgeAxis, frame: &FaceFrame, height: f64) -> [Vec3; 4] {
    let edge = axis.axis2;
    let magnitude = &boxes.relative.magnitude;
    let (mut wide, mut narrow) = across(edge);
    if magnitude[3 * axis.axis1 + wide] < magnitude[3 * axis.axis1 + narrow] {
        wide = narrow;
        narrow = third(edge, wide);
    }
    let rotation = frame.turn_rows(&boxes.relative.rotation);
    let mut center = frame.turn(boxes.relative.center2_in_1);
    center[2] -= height;

    let half = boxes.half2;
    let side = |k: usize| if axis.sides2 & (1 << k) != 0 { 1.0 } else { -1.0 };
    let line = |wide_side: f64| {
        let start = vec3::add_scaled(center, mat3::column(&rotation, wide), half[wide] * wide_side);
        vec3::add_scaled(start, mat3::column(&rotation, narrow), half[narrow] * side(narrow))
    };
    let direction = mat3::column(&rotation, edge);
    let ends = |middle: Vec3| {
        [vec3::add_scaled(middle, direction, half[edge]), vec3::add_scaled(middle, direction, -half[edge])]
    };
    let [a, b] = ends(line(side(wide)));
    let [c, d] = ends(line(-side(wide)));
    [a, b, c, d]
}

/// The parallelogram spanned by the first three of four corners.
fn spanned(corners: &[Vec3; 4]) -> Parallelogram {
    Parallelogram {
        origin: corners[0],
        first: vec3::sub(corners[1], corners[0]),
        second: vec3::sub(corners[2], corners[0]),
    }
}

impl Faces {
    /// Where sides of the projected face cross the border of the clipping face.
    fn border_contacts(&self, sink: &mut Sink) {
        let projected = spanned(&self.projected).sides();
        let original = spanned(&self.corners).sides();
        for ((start, direction), (raised_start, raised_direction)) in projected.into_iter().zip(original) {
            border_crossings(start, direction, self.half, |crossing| {
                let raised = raised_start[2] + raised_direction[2] * crossing.along;
                if raised * self.per_height > self.margin {
                    return;
                }
                let mut point =
                    vec3::add_scaled(vec3::scale(raised_start, 0.5), raised_direction, 0.5 * crossing.along);
                point[crossing.axis] += 0.5 * crossing.border;
                point[1 - crossing.axis] += 0.5 * crossing.across;
                sink.emit(point, point[2] * self.per_height * 2.0);
            });
        }
    }

    /// Corners of the clipping face over the projected face.
    fn rectangle_contacts(&self, on_border: bool, sink: &mut Sink) {
        let area = spanned(&self.projected);
        // The divisor is the area for the first corner only; afterwards it is the squared distance of the last corner that came
        // this far. The reference does so, and the bits follow.
        let mut divisor = area.area();
        for (x, y) in rectangle_corners(self.half) {
            let (mut u, mut v) = area.coordinates(x, y, divisor);
            let (u_outside, v_outside) = (u < 0.0 || u > 1.0, v < 0.0 || v > 1.0);
            let skip = if on_border { u_outside || v_outside } else { u_outside && v_outside };
            if skip {
                continue;
            }
            u = scalar::clip(u, 0.0, 1.0);
            v = scalar::clip(v, 0.0, 1.0);

            let raised = vec3::scale(self.corners[0], 1.0 - u - v);
            let raised = vec3::add_scaled(raised, self.corners[1], u);
            let raised = vec3::add_scaled(raised, self.corners[2], v);
            let corner = [x, y, 0.0];
            let difference = vec3::sub(corner, raised);
            divisor = vec3::dot(difference, difference);
            if raised[2] > 0.0 && divisor > self.margin * self.margin {
                continue;
            }
            let point = vec3::scale(vec3::add(corner, raised), 0.5);
            sink.emit(point, divisor.sqrt() * if raised[2] < 0.0 { -1.0 } else { 1.0 });
        }
    }

    /// Corners of the face of box 2 over the clipping face.
    fn corner_contacts(&self, on_border: bool, sink: &mut Sink) {
        let have_contacts = sink.found > 0;
        for (corner, projected) in self.corners.iter().zip(&self.projected) {
            let outside = |k: usize| projected[k] < -self.half[k] || projected[k] > self.half[k];
            let skip =
                if on_border { outside(0) || outside(1) } else { have_contacts && outside(0) && outside(1) };
            if skip {
                continue;
            }

            let mut squared = 0.0;
            let mut nearest = [projected[0] * 0.5, projected[1] * 0.5, 0.0];
            for k in 0..2 {
                let (x, limit) = (projected[k], self.half[k]);
                if x < -limit {
                    squared += (x + limit) * (x + limit);
                    nearest[k] = -limit * 0.5;
                } else if x > limit {
                    squared += (x - limit) * (x - limit);
                    nearest[k] = limit * 0.5;
                }
            }
            squared += corner[2] * self.per_height * corner[2] * self.per_height;
            if corner[2] > 0.0 && squared > self.margin * self.margin {
                continue;
            }
            let point = vec3::add_scaled(nearest, *corner, 0.5);
            sink.emit(point, squared.sqrt() * if corner[2] < 0.0 { -1.0 } else { 1.0 });
        }
    }
}
