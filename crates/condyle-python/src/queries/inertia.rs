//! Products and solutions with the joint-space inertia and the constraint Jacobian, and inverse dynamics without constraints.

use condyle_engine::position::inertia;
use condyle_engine::query::constraint;
use condyle_engine::velocity::bias;
use pyo3::prelude::*;

use super::{Int, require_length, require_shape};
use crate::data::{MjData, pair};
use crate::mju::arrays::{FixedMut, Matrix, MatrixMut, Vector, VectorMut};
use crate::model::MjModel;

/// The inertia matrix in full from its sparse form `qM`.
#[pyfunction]
fn mj_fullM(m: Py<MjModel>, dst: MatrixMut<'_>, M: Vector) -> PyResult<()> {
    let model = m.get().checked()?;
    require_shape(Some(&dst), "dst", model.nv, model.nv)?;
    require_length("M", M.len(), model.nM)?;
    dst.edit(|dst| inertia::full_matrix(model, dst, &M))
}

/// `res = M vec`.
#[pyfunction]
fn mj_mulM(m: Py<MjModel>, d: Py<MjData>, res: VectorMut<'_>, vec: Vector) -> PyResult<()> {
    let (model, data) = pair(&m, &d)?;
    require_length("res", res.len(), model.nv)?;
    require_length("vec", vec.len(), model.nv)?;
    let mut result = std::vec![0.0; model.nv];
    inertia::mul_inertia(model, &data.inertia, &mut result, &vec);
    res.edit(|res| res.copy_from_slice(&result))
}

/// `res = M^(1/2) vec`.
#[pyfunction]
fn mj_mulM2(m: Py<MjModel>, d: Py<MjData>, res: VectorMut<'_>, vec: Vector) -> PyResult<()> {
    let (model, data) = pair(&m, &d)?;
    require_length("res", res.len(), model.nv)?;
    require_length("vec", vec.len(), model.nv)?;
    let mut result = std::vec![0.0; model.nv];
    inertia::mul_sqrt_inertia(model, &data.inertia, &mut result, &vec);
    res.edit(|res| res.copy_from_slice(&result))
}

/// Rows of a matrix of right-hand sides; a plain vector is one of them.
fn right_hand_sides(x: &MatrixMut<'_>, y: &Matrix, nv: usize) -> PyResult<Vec<f64>> {
    let single = x.columns == 1 && x.rows == nv && nv != 1;
    let columns = if single { x.rows } else { x.columns };
    require_length("each row of x", columns, nv)?;
    require_length("y", y.rows * y.columns, x.rows * x.columns)?;
    Ok(y.values.clone())
}

/// `x = M⁻¹ y`, row by row.
#[pyfunction]
fn mj_solveM(m: Py<MjModel>, d: Py<MjData>, x: MatrixMut<'_>, y: Matrix) -> PyResult<()> {
    let (model, data) = pair(&m, &d)?;
    let mut solution = right_hand_sides(&x, &y, model.nv)?;
    for row in solution.chunks_exact_mut(model.nv.max(1)) {
        inertia::solve(model, &data.inertia, row);
    }
    x.edit(|x| x.copy_from_slice(&solution))
}

/// `x = sqrt(D⁻¹) L⁻ᵀ y`, row by row.
#[pyfunction]
fn mj_solveM2(m: Py<MjModel>, d: Py<MjData>, x: MatrixMut<'_>, y: Matrix, sqrtInvD: Matrix) -> PyResult<()> {
    let (model, data) = pair(&m, &d)?;
    require_length("sqrtInvD", sqrtInvD.values.len(), model.nv)?;
    let mut solution = right_hand_sides(&x, &y, model.nv)?;
    for row in solution.chunks_exact_mut(model.nv.max(1)) {
        inertia::half_solve(model, &data.inertia, row, &sqrtInvD.values);
    }
    x.edit(|x| x.copy_from_slice(&solution))
}

/// Forces for the accelerations of the data, or bias forces alone.
#[pyfunction]
fn mj_rne(m: Py<MjModel>, d: Py<MjData>, flg_acc: Int, result: VectorMut<'_>) -> PyResult<()> {
    let model = pair(&m, &d)?.0;
    require_length("result", result.len(), model.nv)?;
    let mut force = result.edit(|result| result.to_vec())?;
    d.get().with(|data| {
        let (k, v, buffers) = (&data.kinematics, &data.velocity, &mut data.scratch.smooth);
        let qacc = flg_acc.is_set().then_some(&data.acceleration.qacc[..]);
        bias::newton_euler(model, &data.state, &data.awake, k, v, qacc, &mut force, buffers);
    })?;
    result.edit(|result| result.copy_from_slice(&force))
}

/// `res = J vec` with the constraint Jacobian.
#[pyfunction]
fn mj_mulJacVec(m: Py<MjModel>, d: Py<MjData>, res: VectorMut<'_>, vec: Vector) -> PyResult<()> {
    let (model, data) = pair(&m, &d)?;
    require_length("res", res.len(), data.rows.nefc)?;
    require_length("vec", vec.len(), model.nv)?;
    let mut result = res.edit(|res| res.to_vec())?;
    constraint::mul_jacobian(model, data, &mut result, &vec);
    res.edit(|res| res.copy_from_slice(&result))
}

/// `res = Jᵀ vec` with the constraint Jacobian.
#[pyfunction]
fn mj_mulJacTVec(m: Py<MjModel>, d: Py<MjData>, res: VectorMut<'_>, vec: Vector) -> PyResult<()> {
    let (model, data) = pair(&m, &d)?;
    require_length("res", res.len(), model.nv)?;
    require_length("vec", vec.len(), data.rows.nefc)?;
    let mut result = res.edit(|res| res.to_vec())?;
    constraint::mul_jacobian_transposed(model, data, &mut result, &vec);
    res.edit(|res| res.copy_from_slice(&result))
}

/// Constraint states and forces for the residuals `jar`, and their cost.
#[pyfunction]
fn mj_constraintUpdate(
    m: Py<MjModel>,
    d: Py<MjData>,
    jar: Vector,
    cost: Option<FixedMut<'_, 1>>,
    flg_coneHessian: Int,
) -> PyResult<()> {
    require_length("jar", jar.len(), d.get().read()?.rows.nefc)?;
    let hessian = flg_coneHessian.is_set();
    let model = pair(&m, &d)?.0;
    let value = d.get().with(|data| constraint::constraint_update(model, data, &jar, hessian))?;
    cost.map_or(Ok(()), |cost| cost.set([value]))
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(mj_fullM, module)?)?;
    module.add_function(wrap_pyfunction!(mj_mulM, module)?)?;
    module.add_function(wrap_pyfunction!(mj_mulM2, module)?)?;
    module.add_function(wrap_pyfunction!(mj_solveM, module)?)?;
    module.add_function(wrap_pyfunction!(mj_solveM2, module)?)?;
    module.add_function(wrap_pyfunction!(mj_rne, module)?)?;
    module.add_function(wrap_pyfunction!(mj_mulJacVec, module)?)?;
    module.add_function(wrap_pyfunction!(mj_mulJacTVec, module)?)?;
    module.add_function(wrap_pyfunction!(mj_constraintUpdate, module)?)
}
