//! Velocities and accelerations of objects, differences of configurations, applied forces.

use condyle_engine::query::{contact_force, force, motion};
use condyle_model::ObjectType;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::{Int, require_length};
use crate::data::{MjData, pair};
use crate::mju::arrays::{Fixed, FixedMut, Vector, VectorMut};
use crate::model::MjModel;

fn object(objtype: &Int, objid: &Int) -> PyResult<(ObjectType, usize)> {
    let kind = i32::try_from(objtype.0).ok().and_then(ObjectType::from_i32);
    let id = usize::try_from(objid.0).ok();
    kind.zip(id).ok_or_else(|| no_frame(objtype, objid))
}

fn no_frame(objtype: &Int, objid: &Int) -> PyErr {
    PyValueError::new_err(format!("object {} of type {} has no frame", objid.0, objtype.0))
}

/// Angular and linear velocity of an object, in world axes or its own.
#[pyfunction]
fn mj_objectVelocity(
    m: Py<MjModel>,
    d: Py<MjData>,
    objtype: Int,
    objid: Int,
    res: FixedMut<'_, 6>,
    flg_local: Int,
) -> PyResult<()> {
    let (model, data) = pair(&m, &d)?;
    let (kind, id) = object(&objtype, &objid)?;
    let local = flg_local.is_set();
    let value = motion::object_velocity(model, &data.kinematics, &data.velocity, kind, id, local);
    res.set(value.ok_or_else(|| no_frame(&objtype, &objid))?)
}

/// Angular and linear acceleration of an object, in world axes or its own; needs `mj_rnePostConstraint`.
#[pyfunction]
fn mj_objectAcceleration(
    m: Py<MjModel>,
    d: Py<MjData>,
    objtype: Int,
    objid: Int,
    res: FixedMut<'_, 6>,
    flg_local: Int,
) -> PyResult<()> {
    let (model, data) = pair(&m, &d)?;
    let (kind, id) = object(&objtype, &objid)?;
    let local = flg_local.is_set();
    let (k, v, f) = (&data.kinematics, &data.velocity, &data.body_forces);
    let value = motion::object_acceleration(model, k, v, f, kind, id, local);
    res.set(value.ok_or_else(|| no_frame(&objtype, &objid))?)
}

/// Move `qpos` with `qvel` for the time `dt`.
#[pyfunction]
fn mj_integratePos(m: Py<MjModel>, qpos: VectorMut<'_>, qvel: Vector, dt: f64) -> PyResult<()> {
    let model = m.get().checked()?;
    require_length("qpos", qpos.len(), model.nq)?;
    require_length("qvel", qvel.len(), model.nv)?;
    qpos.edit(|qpos| motion::integrate_position(model, qpos, &qvel, dt))
}

/// The velocity that takes `qpos1` to `qpos2` in the time `dt`.
#[pyfunction]
fn mj_differentiatePos(
    m: Py<MjModel>,
    qvel: VectorMut<'_>,
    dt: f64,
    qpos1: Vector,
    qpos2: Vector,
) -> PyResult<()> {
    let model = m.get().checked()?;
    require_length("qvel", qvel.len(), model.nv)?;
    require_length("qpos1", qpos1.len(), model.nq)?;
    require_length("qpos2", qpos2.len(), model.nq)?;
    qvel.edit(|qvel| motion::differentiate_position(model, qvel, dt, &qpos1, &qpos2))
}

/// Normalise the quaternions in `qpos`.
#[pyfunction]
fn mj_normalizeQuat(m: Py<MjModel>, qpos: VectorMut<'_>) -> PyResult<()> {
    let model = m.get().checked()?;
    require_length("qpos", qpos.len(), model.nq)?;
    qpos.edit(|qpos| motion::normalize_quaternions(model, qpos))
}

/// Add the generalised force of a force and a torque at a point of a body.
#[pyfunction]
fn mj_applyFT(
    m: Py<MjModel>,
    d: Py<MjData>,
    force: Fixed<3>,
    torque: Fixed<3>,
    point: Fixed<3>,
    body: Int,
    qfrc_target: VectorMut<'_>,
) -> PyResult<()> {
    let model = pair(&m, &d)?.0;
    let body = body.index("body", model.nbody)?;
    require_length("qfrc_target", qfrc_target.len(), model.nv)?;
    let mut sum = qfrc_target.edit(|target| target.to_vec())?;
    d.get().with(|data| {
        let (kinematics, buffers) = (&data.kinematics, &mut data.scratch.smooth);
        let (force, torque) = (Some(force.0), Some(torque.0));
        force::apply(model, kinematics, force, torque, point.0, body, &mut sum, buffers);
    })?;
    qfrc_target.edit(|target| target.copy_from_slice(&sum))
}

/// Force and torque of a contact in its own frame.
#[pyfunction]
fn mj_contactForce(m: Py<MjModel>, d: Py<MjData>, id: Int, result: FixedMut<'_, 6>) -> PyResult<()> {
    let (model, data) = pair(&m, &d)?;
    let contact = usize::try_from(id.0).ok().and_then(|id| data.contacts.get(id));
    let value =
        contact.map_or([0.0; 6], |contact| contact_force::contact_force(model, &data.solution, contact));
    result.set(value)
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(mj_objectVelocity, module)?)?;
    module.add_function(wrap_pyfunction!(mj_objectAcceleration, module)?)?;
    module.add_function(wrap_pyfunction!(mj_integratePos, module)?)?;
    module.add_function(wrap_pyfunction!(mj_differentiatePos, module)?)?;
    module.add_function(wrap_pyfunction!(mj_normalizeQuat, module)?)?;
    module.add_function(wrap_pyfunction!(mj_applyFT, module)?)?;
    module.add_function(wrap_pyfunction!(mj_contactForce, module)?)
}
