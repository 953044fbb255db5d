//! Jacobians of points, bodies, geoms, sites and subtrees: matrices of three rows and `nv` columns.

use condyle_engine::data::Kinematics;
use condyle_engine::query::jacobian;
use condyle_model::Model;
use pyo3::prelude::*;

use super::{Int, require_shape};
use crate::data::{MjData, pair};
use crate::mju::arrays::{Fixed, MatrixMut};
use crate::model::MjModel;

/// Compute both Jacobians and copy those that are wanted.
fn write_pair(
    model: &Model,
    names: [&str; 2],
    jacp: Option<MatrixMut<'_>>,
    jacr: Option<MatrixMut<'_>>,
    work: impl FnOnce(&mut [f64], &mut [f64]),
) -> PyResult<()> {
    require_shape(jacp.as_ref(), names[0], 3, model.nv)?;
    require_shape(jacr.as_ref(), names[1], 3, model.nv)?;
    let mut translation = vec![0.0; 3 * model.nv];
    let mut rotation = translation.clone();
    work(&mut translation, &mut rotation);
    for (target, values) in [(jacp, translation), (jacr, rotation)] {
        if let Some(target) = target {
            target.edit(|out| out.copy_from_slice(&values))?;
        }
    }
    Ok(())
}

/// Jacobians of the world point `point` moving with `body`.
#[pyfunction]
fn mj_jac(
    m: Py<MjModel>,
    d: Py<MjData>,
    jacp: Option<MatrixMut<'_>>,
    jacr: Option<MatrixMut<'_>>,
    point: Fixed<3>,
    body: Int,
) -> PyResult<()> {
    let (model, data) = pair(&m, &d)?;
    let body = body.index("body", model.nbody)?;
    write_pair(model, ["jacp", "jacr"], jacp, jacr, |p, r| {
        jacobian::of_point(model, &data.kinematics, Some(p), Some(r), point.0, body);
    })
}

type OfObject = fn(&Model, &Kinematics, Option<&mut [f64]>, Option<&mut [f64]>, usize);

fn of_object(
    m: &Py<MjModel>,
    d: &Py<MjData>,
    targets: [Option<MatrixMut<'_>>; 2],
    (what, count, id): (&str, fn(&Model) -> usize, Int),
    work: OfObject,
) -> PyResult<()> {
    let (model, data) = pair(m, d)?;
    let id = id.index(what, count(model))?;
    let [jacp, jacr] = targets;
    write_pair(model, ["jacp", "jacr"], jacp, jacr, |p, r| {
        work(model, &data.kinematics, Some(p), Some(r), id);
    })
}

/// Jacobians of the frame of a body.
#[pyfunction]
fn mj_jacBody(
    m: Py<MjModel>,
    d: Py<MjData>,
    jacp: Option<MatrixMut<'_>>,
    jacr: Option<MatrixMut<'_>>,
    body: Int,
) -> PyResult<()> {
    of_object(&m, &d, [jacp, jacr], ("body", |m| m.nbody, body), jacobian::of_body)
}

/// Jacobians of the centre of mass of a body.
#[pyfunction]
fn mj_jacBodyCom(
    m: Py<MjModel>,
    d: Py<MjData>,
    jacp: Option<MatrixMut<'_>>,
    jacr: Option<MatrixMut<'_>>,
    body: Int,
) -> PyResult<()> {
    of_object(&m, &d, [jacp, jacr], ("body", |m| m.nbody, body), jacobian::of_body_com)
}

/// Jacobians of a geom.
#[pyfunction]
fn mj_jacGeom(
    m: Py<MjModel>,
    d: Py<MjData>,
    jacp: Option<MatrixMut<'_>>,
    jacr: Option<MatrixMut<'_>>,
    geom: Int,
) -> PyResult<()> {
    of_object(&m, &d, [jacp, jacr], ("geom", |m| m.ngeom, geom), jacobian::of_geom)
}

/// Jacobians of a site.
#[pyfunction]
fn mj_jacSite(
    m: Py<MjModel>,
    d: Py<MjData>,
    jacp: Option<MatrixMut<'_>>,
    jacr: Option<MatrixMut<'_>>,
    site: Int,
) -> PyResult<()> {
    of_object(&m, &d, [jacp, jacr], ("site", |m| m.nsite, site), jacobian::of_site)
}

/// Jacobian of the centre of mass of the subtree of a body.
#[pyfunction]
fn mj_jacSubtreeCom(m: Py<MjModel>, d: Py<MjData>, jacp: Option<MatrixMut<'_>>, body: Int) -> PyResult<()> {
    let (model, data) = pair(&m, &d)?;
    let body = body.index("body", model.nbody)?;
    write_pair(model, ["jacp", ""], jacp, None, |p, buffer| {
        jacobian::of_subtree_com(model, &data.kinematics, p, body, buffer);
    })
}

/// Jacobians of a world point and of a direction, both moving with a body.
#[pyfunction]
fn mj_jacPointAxis(
    m: Py<MjModel>,
    d: Py<MjData>,
    jacPoint: Option<MatrixMut<'_>>,
    jacAxis: Option<MatrixMut<'_>>,
    point: Fixed<3>,
    axis: Fixed<3>,
    body: Int,
) -> PyResult<()> {
    let (model, data) = pair(&m, &d)?;
    let body = body.index("body", model.nbody)?;
    let mut rotation = vec![0.0; 3 * model.nv];
    write_pair(model, ["jacPoint", "jacAxis"], jacPoint, jacAxis, |p, a| {
        let k = &data.kinematics;
        jacobian::of_point_and_axis(model, k, Some(p), a, &mut rotation, point.0, axis.0, body);
    })
}

/// Time derivative of the Jacobians of a point.
#[pyfunction]
fn mj_jacDot(
    m: Py<MjModel>,
    d: Py<MjData>,
    jacp: Option<MatrixMut<'_>>,
    jacr: Option<MatrixMut<'_>>,
    point: Fixed<3>,
    body: Int,
) -> PyResult<()> {
    let (model, data) = pair(&m, &d)?;
    let body = body.index("body", model.nbody)?;
    write_pair(model, ["jacp", "jacr"], jacp, jacr, |p, r| {
        jacobian::time_derivative(model, &data.kinematics, &data.velocity, Some(p), Some(r), point.0, body);
    })
}

/// Matrix from `qvel` to the angular momentum of a subtree.
#[pyfunction]
fn mj_angmomMat(m: Py<MjModel>, d: Py<MjData>, mat: MatrixMut<'_>, body: Int) -> PyResult<()> {
    let (model, data) = pair(&m, &d)?;
    let body = body.index("body", model.nbody)?;
    let mut buffer = vec![0.0; 12 * model.nv];
    write_pair(model, ["mat", ""], Some(mat), None, |result, _| {
        jacobian::angular_momentum(model, &data.kinematics, result, body, &mut buffer);
    })
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(mj_jac, module)?)?;
    module.add_function(wrap_pyfunction!(mj_jacBody, module)?)?;
    module.add_function(wrap_pyfunction!(mj_jacBodyCom, module)?)?;
    module.add_function(wrap_pyfunction!(mj_jacGeom, module)?)?;
    module.add_function(wrap_pyfunction!(mj_jacSite, module)?)?;
    module.add_function(wrap_pyfunction!(mj_jacSubtreeCom, module)?)?;
    module.add_function(wrap_pyfunction!(mj_jacPointAxis, module)?)?;
    module.add_function(wrap_pyfunction!(mj_jacDot, module)?)?;
    module.add_function(wrap_pyfunction!(mj_angmomMat, module)?)
}
