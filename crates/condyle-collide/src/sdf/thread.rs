//! The screw thread and the hexagonal head that bolt and nut share.
//!
//! The thread is a triangle wave of the height, shifted by the azimuth so that it winds around the axis; the profile is inclined by 45°.

use condyle_math::scalar::max_first;
use condyle_math::{PI, Vec3};

/// Turns of the thread per unit of height.
const TURNS: f64 = 12.0;

/// Distance from the axis, less the radius of the thread.
pub(super) fn radial(p: Vec3, radius: f64) -> f64 {
    (p[0] * p[0] + p[1] * p[1]).sqrt() - radius
}

/// Half the square root of two: the scale of surfaces inclined by 45°.
pub(super) fn incline() -> f64 {
    2f64.sqrt() / 2.0
}

/// The endless threaded rod.
pub(super) fn rod(p: Vec3, radial: f64) -> f64 {
    let azimuth = p[1].atan2(p[0]);
    let turn = p[2] * TURNS - azimuth / PI / 2.0;
    let wave = ((turn - turn.floor()) - 0.5).abs();
    (radial - wave / TURNS) * incline()
}

/// The hexagonal head, chamfered by a cone.
pub(super) fn head(p: Vec3, radial: f64) -> f64 {
    let sectors = 6.0 / PI / 2.0;
    let angle = -(p[1].atan2(p[0]) * sectors + 0.5).floor() / sectors;
    let (sine, cosine) = (angle.sin(), (angle + PI * 0.5).sin());
    let across = cosine * p[0] + -sine * p[1];
    let side = across - 0.5;
    let disk = max_first(side, (p[2] + 0.25).abs() - 0.25);
    max_first(disk, (p[2] + radial - 0.22) * incline())
}

/// What is in `a` and not in `b`.
pub(super) fn without(a: f64, b: f64) -> f64 {
    max_first(a, -b)
}
