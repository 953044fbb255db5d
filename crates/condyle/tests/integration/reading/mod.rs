//! Contract: what every MJCF file relies on. Compiler settings, includes, frames, default classes, orientations, spring lengths of
//! tendons, and the settings of URDF files.

mod classes;
mod compiler;
mod frames;
mod includes;
mod site_orientation;
mod spring_length;
mod urdf;

use crate::common;

/// A turn about an axis, in degrees.
fn turn(angle: f64, axis: [f64; 3]) -> [f64; 4] {
    let (sine, cosine) = (angle * std::f64::consts::PI / 360.0).sin_cos();
    [cosine, axis[0] * sine, axis[1] * sine, axis[2] * sine]
}

const X: [f64; 3] = [1.0, 0.0, 0.0];
const Y: [f64; 3] = [0.0, 1.0, 0.0];
const Z: [f64; 3] = [0.0, 0.0, 1.0];

/// Product of two turns: the second one first.
fn after(a: [f64; 4], b: [f64; 4]) -> [f64; 4] {
    [
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
        a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
    ]
}

#[track_caller]
fn same_turn(actual: [f64; 4], expected: [f64; 4]) {
    common::all_near(&actual, &expected, 1e-10);
}
