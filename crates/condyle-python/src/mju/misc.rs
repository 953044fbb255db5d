//! Scalars, muscle curves and friction pyramids.

use condyle_engine::actuation::muscle;
use condyle_engine::constraint::pyramid;
use condyle_math::{MIN_VALUE, scalar};
use condyle_vis::halton;
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
    mju_round(x: f64) -> i32 { scalar::round(x) }
    /// 1 if `x` is NaN or larger in magnitude than 1e10, else 0.
    mju_isBad(x: f64) -> i32 { i32::from(scalar::is_bad(x)) }
    /// Smooth step from 0 to 1.
    mju_sigmoid(x: f64) -> f64 { scalar::sigmoid(x) }
    /// Element of the Halton sequence.
    mju_Halton(index: i32, base: i32) -> f64 { halton(index, base) }
    /// Position of a damped spring after the time `dt`.
    mju_springDamper(pos0: f64, vel0: f64, Kp: f64, Kv: f64, dt: f64) -> f64 {
        spring_damper(pos0, vel0, Kp, Kv, dt)
    }
    /// Active muscle force.
    mju_muscleGain(len: f64, vel: f64, lengthrange: Fixed<2>, acc0: f64, prm: Fixed<9>) -> f64 {
        muscle::gain(len, vel, lengthrange.0, acc0, &padded(prm.0))
    }
    /// Passive muscle force.
    mju_muscleBias(len: f64, lengthrange: Fixed<2>, acc0: f64, prm: Fixed<9>) -> f64 {
        muscle::bias(len, lengthrange.0, acc0, &padded(prm.0))
    }
    /// Rate of change of the activation.
    mju_muscleDynamics(ctrl: f64, act: f64, prm: Fixed<3>) -> f64 { muscle::activation_rate(ctrl, act, &padded(prm.0)) }
}

/// Parameters as an actuator has them: ten numbers, of which the last are not used.
fn padded<const N: usize>(numbers: [f64; N]) -> [f64; 10] {
    std::array::from_fn(|i| numbers.get(i).copied().unwrap_or(0.0))
}

/// Position after time `t` of a unit mass on a spring with stiffness `k` and damping `b`, in closed form.
fn spring_damper(position: f64, velocity: f64, k: f64, b: f64, t: f64) -> f64 {
    let determinant = b * b - 4.0 * k;
    if determinant > MIN_VALUE {
        let w = determinant.sqrt() / 2.0;
        let r1 = -b / 2.0 + w;
        let r2 = -b / 2.0 - w;
        let c1 = (position * r2 - velocity) / (r2 - r1);
        let c2 = (position * r1 - velocity) / (r1 - r2);
        c1 * (r1 * t).exp() + c2 * (r2 * t).exp()
    } else if (-MIN_VALUE..=MIN_VALUE).contains(&determinant) {
        let c2 = velocity + b * position / 2.0;
        (-b * t / 2.0).exp() * (position + c2 * t)
    } else {
        let w = determinant.abs().sqrt() / 2.0;
        let c2 = (velocity + b * position / 2.0) / w;
        (-b * t / 2.0).exp() * (position * (w * t).cos() + c2 * (w * t).sin())
    }
}

fn check_pyramid(pyramid: usize, force: usize, mu: usize) -> PyResult<()> {
    require(pyramid == 2 * mu, "size of pyramid should be twice as large as size of mu")?;
    require(force == mu + 1, "size of force should be exactly one larger than size of mu")
}

/// Contact force to pyramid. As in MuJoCo's module, the last friction direction is left out.
#[pyfunction]
fn mju_encodePyramid(pyramid: VectorMut<'_>, force: Vector, mu: Vector) -> PyResult<()> {
    check_pyramid(pyramid.len(), force.len(), mu.len())?;
    let directions = mu.len().saturating_sub(1);
    pyramid.edit(|out| pyramid::encode(&mut out[..2 * directions], &force, &mu))
}

/// Pyramid to contact force. As in MuJoCo's module, the last friction direction is left out.
#[pyfunction]
fn mju_decodePyramid(force: VectorMut<'_>, pyramid: Vector, mu: Vector) -> PyResult<()> {
    check_pyramid(pyramid.len(), force.len(), mu.len())?;
    if mu.is_empty() {
        return force.edit(|out| out[0] = 0.0);
    }
    force.edit(|out| pyramid::decode(&mut out[..mu.len()], &pyramid, &mu))
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    add_functions!(module,
        mju_min mju_max mju_clip mju_sign mju_round mju_isBad mju_sigmoid mju_Halton mju_springDamper
        mju_muscleGain mju_muscleBias mju_muscleDynamics mju_encodePyramid mju_decodePyramid
    )
}
