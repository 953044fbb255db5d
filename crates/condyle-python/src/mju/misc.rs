//! Scalars, muscle curves and friction pyramids.

use condyle_math::muscle::{self, Muscle};
use condyle_math::{misc, scalar};
use pyo3::prelude::*;

use super::add_functions;
use super::arrays::{Fixed, Vector, VectorMut, require};

/// Functions of numbers.
macro_rules! scalars {
    ($($(#[$meta:meta])* $name:ident($($arg:ident: $ty:ty),*) -> $result:ty { $value:expr })*) => {$(
        $(#[$meta])*
        #[pyfunction]
        fn $name($($arg: $ty),*) -> $result {
            $value
        }
    )*};
}

scalars! {
    /// The smaller number.
    mju_min(a: f64, b: f64) -> f64 { scalar::min_first(a, b) }
    /// The larger number.
    mju_max(a: f64, b: f64) -> f64 { scalar::max_first(a, b) }
    /// `x` limited to the range from `min` to `max`.
    mju_clip(x: f64, min: f64, max: f64) -> f64 { scalar::clip(x, min, max) }
    /// -1, 0 or 1.
    mju_sign(x: f64) -> f64 { scalar::sign(x) }
    /// Nearest integer.
    mju_round(x: f64) -> i32 { misc::round(x) }
    /// 1 if `x` is NaN or larger in magnitude than 1e10, else 0.
    mju_isBad(x: f64) -> i32 { i32::from(scalar::is_bad(x)) }
    /// Smooth step from 0 to 1.
    mju_sigmoid(x: f64) -> f64 { misc::sigmoid(x) }
    /// Element of the Halton sequence.
    mju_Halton(index: i32, base: i32) -> f64 { misc::halton(index, base) }
    /// Position of a damped spring after the time `dt`.
    mju_springDamper(pos0: f64, vel0: f64, Kp: f64, Kv: f64, dt: f64) -> f64 {
        misc::spring_damper(pos0, vel0, Kp, Kv, dt)
    }
    /// Active muscle force.
    mju_muscleGain(len: f64, vel: f64, lengthrange: Fixed<2>, acc0: f64, prm: Fixed<9>) -> f64 {
        Muscle::from(&prm.0).gain(len, vel, lengthrange.0, acc0)
    }
    /// Passive muscle force.
    mju_muscleBias(len: f64, lengthrange: Fixed<2>, acc0: f64, prm: Fixed<9>) -> f64 {
        Muscle::from(&prm.0).bias(len, lengthrange.0, acc0)
    }
    /// Rate of change of the activation.
    mju_muscleDynamics(ctrl: f64, act: f64, prm: Fixed<3>) -> f64 { muscle::dynamics(ctrl, act, prm.0) }
}

fn check_pyramid(pyramid: usize, force: usize, mu: usize) -> PyResult<()> {
    require(pyramid == 2 * mu, "size of pyramid should be twice as large as size of mu")?;
    require(force == mu + 1, "size of force should be exactly one larger than size of mu")
}

/// Contact force to pyramid. As in the reference's module, the last friction direction is left out.
#[pyfunction]
fn mju_encodePyramid(pyramid: VectorMut<'_>, force: Vector, mu: Vector) -> PyResult<()> {
    check_pyramid(pyramid.len(), force.len(), mu.len())?;
    let directions = mu.len().saturating_sub(1);
    pyramid.edit(|out| misc::encode_pyramid(&mut out[..2 * directions], &force, &mu))
}

/// Pyramid to contact force. As in the reference's module, the last friction direction is left out.
#[pyfunction]
fn mju_decodePyramid(force: VectorMut<'_>, pyramid: Vector, mu: Vector) -> PyResult<()> {
    check_pyramid(pyramid.len(), force.len(), mu.len())?;
    if mu.is_empty() {
        return force.edit(|out| out[0] = 0.0);
    }
    force.edit(|out| misc::decode_pyramid(&mut out[..mu.len()], &pyramid, &mu))
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    add_functions!(module,
        mju_min mju_max mju_clip mju_sign mju_round mju_isBad mju_sigmoid mju_Halton mju_springDamper
        mju_muscleGain mju_muscleBias mju_muscleDynamics mju_encodePyramid mju_decodePyramid
    )
}
