//! Inverse dynamics and derivatives by finite differences.

use condyle_engine::Data;
use condyle_engine::finite_difference::{self, DifferenceError, TransitionRequest};
use condyle_engine::step::{self, stages};
use condyle_model::Model;
use pyo3::prelude::*;

use super::{Int, require_shape};
use crate::data::{MjData, pair};
use crate::mju::FatalError;
use crate::mju::arrays::MatrixMut;
use crate::model::MjModel;

stage_functions! {
    /// Applied forces that produce the present accelerations.
    mj_inverse => step::inverse;
    /// Position stages of inverse dynamics.
    mj_invPosition => step::inverse_position;
    /// Velocity stages of inverse dynamics.
    mj_invVelocity => step::forward_velocity;
    /// Constraint forces of the present accelerations.
    mj_invConstraint => stages::inverse_constraint;
    /// Disagreement of forward and inverse dynamics, into `solver_fwdinv`.
    mj_compareFwdInv => step::compare_with_inverse;
}

/// `mj_inverse` without the stages before and including `skipstage`, and without sensors if asked.
#[pyfunction]
fn mj_inverseSkip(
    py: Python<'_>,
    m: Py<MjModel>,
    d: Py<MjData>,
    skipstage: Int,
    skipsensor: Int,
) -> PyResult<()> {
    let (stage, skip_sensors) = (super::stages::stage_of(&skipstage)?, skipsensor.is_set());
    crate::callbacks::run(py, &m, &d, |model, data| step::inverse_skip(model, data, stage, skip_sensors))
}

/// Advance by a Runge–Kutta step; the only order is 4.
#[pyfunction]
fn mj_RungeKutta(py: Python<'_>, m: Py<MjModel>, d: Py<MjData>, N: Int) -> PyResult<()> {
    if N.0 != 4 {
        return Err(FatalError::new_err("supported RK orders: N=4"));
    }
    crate::callbacks::run(py, &m, &d, stages::runge_kutta)
}

fn refuse(error: DifferenceError) -> PyErr {
    FatalError::new_err(error.to_string())
}

/// A matrix of the caller, its name, shape and value.
type Output<'a, 'py> = (Option<MatrixMut<'py>>, &'static str, usize, usize, &'a [f64]);

/// Copy out the matrices that were asked for.
fn write<const N: usize>(outputs: [Output<'_, '_>; N]) -> PyResult<()> {
    for (target, name, rows, columns, value) in outputs {
        require_shape(target.as_ref(), name, rows, columns)?;
        if let Some(target) = target {
            target.edit(|out| out.copy_from_slice(value))?;
        }
    }
    Ok(())
}

/// Matrices of the linearised step: `x' = A x + B u`, `sensors = C x + D u`.
#[pyfunction]
#[pyo3(signature = (m, d, eps, flg_centered, A=None, B=None, C=None, D=None))]
fn mjd_transitionFD(
    m: Py<MjModel>,
    d: Py<MjData>,
    eps: f64,
    flg_centered: Int,
    A: Option<MatrixMut<'_>>,
    B: Option<MatrixMut<'_>>,
    C: Option<MatrixMut<'_>>,
    D: Option<MatrixMut<'_>>,
) -> PyResult<()> {
    let model = pair(&m, &d)?.0;
    let request = TransitionRequest { a: A.is_some(), b: B.is_some(), c: C.is_some(), d: D.is_some() };
    let centered = flg_centered.is_set();
    let found = d
        .get()
        .with(|data| finite_difference::transition(model, data, eps, centered, request, 1))?
        .map_err(refuse)?;
    let (n, nu, ns) = (2 * model.nv + model.na, model.nu, model.nsensordata);
    write([
        (A, "A", n, n, &found.a),
        (B, "B", n, nu, &found.b),
        (C, "C", ns, n, &found.c),
        (D, "D", ns, nu, &found.d),
    ])
}

/// Jacobians of inverse dynamics; rows belong to the perturbed dof.
#[pyfunction]
#[pyo3(signature = (m, d, eps, flg_actuation, DfDq=None, DfDv=None, DfDa=None, DsDq=None, DsDv=None, DsDa=None, DmDq=None))]
fn mjd_inverseFD(
    m: Py<MjModel>,
    d: Py<MjData>,
    eps: f64,
    flg_actuation: Int,
    DfDq: Option<MatrixMut<'_>>,
    DfDv: Option<MatrixMut<'_>>,
    DfDa: Option<MatrixMut<'_>>,
    DsDq: Option<MatrixMut<'_>>,
    DsDv: Option<MatrixMut<'_>>,
    DsDa: Option<MatrixMut<'_>>,
    DmDq: Option<MatrixMut<'_>>,
) -> PyResult<()> {
    let model = pair(&m, &d)?.0;
    let with_sensors = DsDq.is_some() || DsDv.is_some() || DsDa.is_some();
    let actuation = flg_actuation.is_set();
    let found = d
        .get()
        .with(|data| finite_difference::inverse(model, data, eps, actuation, with_sensors))?
        .map_err(refuse)?;
    let (nv, ns) = (model.nv, model.nsensordata);
    write([
        (DfDq, "DfDq", nv, nv, &found.force_by_position),
        (DfDv, "DfDv", nv, nv, &found.force_by_velocity),
        (DfDa, "DfDa", nv, nv, &found.force_by_acceleration),
        (DsDq, "DsDq", nv, ns, &found.sensors_by_position),
        (DsDv, "DsDv", nv, ns, &found.sensors_by_velocity),
        (DsDa, "DsDa", nv, ns, &found.sensors_by_acceleration),
        (DmDq, "DmDq", nv, model.nM, &found.inertia_by_position),
    ])
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    register_stages(module)?;
    module.add_function(wrap_pyfunction!(mj_inverseSkip, module)?)?;
    module.add_function(wrap_pyfunction!(mj_RungeKutta, module)?)?;
    module.add_function(wrap_pyfunction!(mjd_transitionFD, module)?)?;
    module.add_function(wrap_pyfunction!(mjd_inverseFD, module)?)
}
