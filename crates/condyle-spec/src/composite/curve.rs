//! The curve of a cable: its points and the frame that is carried along it.

use condyle_asset::principal::normalize_slice;
use condyle_math::{PI, Quat, Vec3, quat, vec3};

use crate::compile::pose::quat_from_axes;

/// One coordinate of a curve as a function of its parameter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CurveShape {
    /// From 0 to the length.
    Line,
    /// Radius times cosine.
    Cos,
    /// Radius times sine.
    Sin,
    /// Zero everywhere.
    #[default]
    Zero,
}

/// Points on a curve that is given by functions.
#[derive(Clone, Copy, Debug)]
pub struct Curve {
    /// Number of points.
    pub count: usize,
    /// Length of a line, radius of cosine and sine, and their half turns.
    pub size: [f64; 3],
    /// Functions along x, y and z.
    pub shape: [CurveShape; 3],
    /// Rotates all points.
    pub quat: Quat,
}

impl Default for Curve {
    fn default() -> Self {
        Self { count: 1, size: [1.0, 0.0, 0.0], shape: [CurveShape::Zero; 3], quat: quat::IDENTITY }
    }
}

impl Curve {
    /// The points, kept in single precision.
    pub fn points(&self) -> Vec<[f32; 3]> {
        let [length, radius, turns] = self.size;
        let last = self.count.saturating_sub(1) as f64;
        (0..self.count)
            .map(|index| {
                let at = index as f64;
                let point = self.shape.map(|shape| match shape {
                    CurveShape::Line => at * length / last,
                    CurveShape::Cos => radius * (PI * at * turns / last).cos(),
                    CurveShape::Sin => radius * (PI * at * turns / last).sin(),
                    CurveShape::Zero => 0.0,
                });
                quat::rotate_or_zero(point, self.quat).map(|x| x as f32)
            })
            .collect()
    }
}

/// The frame carried along the edges: x along the edge, y turned from edge to edge about their common normal alone.
///
/// On the first edge y lies in the plane of the first two edges. Where these are parallel, y and z are zero and stay so: the
/// orientation is then what [`quat_from_axes`] makes of the x axis alone.
#[derive(Default)]
pub(super) struct MovingFrame {
    normal: Vec3,
    length: f64,
}

impl MovingFrame {
    /// Orientation and length of an edge; edges must be taken in order.
    pub(super) fn advance(&mut self, points: &[[f32; 3]], edge: usize) -> (Quat, f64) {
        let along = edge_vector(points, edge).unwrap_or_default();
        let mut tangent = along;
        self.length = normalize_slice(&mut tangent);
        let mut binormal;
        if edge == 0 {
            let mut next = edge_vector(points, 1).unwrap_or_default();
            normalize_slice(&mut next);
            binormal = vec3::cross(tangent, next);
            normalize_slice(&mut binormal);
            self.normal = vec3::cross(binormal, tangent);
            normalize_slice(&mut self.normal);
        } else {
            let mut before = edge_vector(points, edge - 1).unwrap_or_default();
            normalize_slice(&mut before);
            binormal = vec3::cross(before, tangent);
            let sine = normalize_slice(&mut binormal);
            let angle = sine.atan2(vec3::dot(before, tangent));
            self.normal = quat::rotate_or_zero(self.normal, quat::from_axis_angle(binormal, angle));
            normalize_slice(&mut self.normal);
            binormal = vec3::cross(tangent, self.normal);
            normalize_slice(&mut binormal);
        }
        (quat_from_axes(tangent, self.normal, binormal), vec3::dot(along, along).sqrt())
    }

    /// Where the next body starts on the present one: its length, or zero for a length that is too small to divide by.
    pub(super) fn next_length(&self) -> f64 {
        self.length
    }
}

/// From a point to the next, subtracted in single precision.
fn edge_vector(points: &[[f32; 3]], edge: usize) -> Option<Vec3> {
    let (from, to) = (points.get(edge)?, points.get(edge + 1)?);
    Some(std::array::from_fn(|axis| f64::from(to[axis] - from[axis])))
}
