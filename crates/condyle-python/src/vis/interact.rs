//! Steering: mouse motions, perturbations, poses in a room, and picking.

use condyle_vis::{align_to_camera, select};
use pyo3::prelude::*;

use super::{MjvCamera, MjvOption, MjvPerturb, MjvScene, fatal};
use crate::data::MjData;
use crate::mju::add_functions;
use crate::mju::arrays::{Fixed, FixedMut, VectorMut};
use crate::model::MjModel;
use crate::queries::{Int, require_length};

/// A pose in the room as a pose in the model.
#[pyfunction]
fn mjv_room2model(
    modelpos: FixedMut<'_, 3>,
    modelquat: FixedMut<'_, 4>,
    roompos: Fixed<3>,
    roomquat: Fixed<4>,
    scn: &Bound<'_, MjvScene>,
) -> PyResult<()> {
    let pose = scn.get().with(|scene| scene.room_to_model(roompos.0, roomquat.0));
    let (position, rotation) = pose.map_err(|error| fatal(&error, "mjv_room2model", ""))?;
    modelpos.set(position)?;
    modelquat.set(rotation)
}

/// A pose in the model as a pose in the room.
#[pyfunction]
fn mjv_model2room(
    roompos: FixedMut<'_, 3>,
    roomquat: FixedMut<'_, 4>,
    modelpos: Fixed<3>,
    modelquat: Fixed<4>,
    scn: &Bound<'_, MjvScene>,
) -> PyResult<()> {
    let pose = scn.get().with(|scene| scene.model_to_room(modelpos.0, modelquat.0));
    let (position, rotation) = pose.map_err(|error| fatal(&error, "mjv_model2room", ""))?;
    roompos.set(position)?;
    roomquat.set(rotation)
}

/// Position, forward and up of the camera between both eyes, in the model.
#[pyfunction]
fn mjv_cameraInModel(
    headpos: FixedMut<'_, 3>,
    forward: FixedMut<'_, 3>,
    up: FixedMut<'_, 3>,
    scn: &Bound<'_, MjvScene>,
) -> PyResult<()> {
    let found = scn.get().with(|scene| scene.camera_in_model());
    let found = found.map_err(|error| fatal(&error, "mjv_room2model", "mjv_cameraInModel"))?;
    headpos.set(found[0])?;
    forward.set(found[1])?;
    up.set(found[2])
}

/// Position, forward and up of the camera between both eyes, in the room.
#[pyfunction]
fn mjv_cameraInRoom(
    headpos: FixedMut<'_, 3>,
    forward: FixedMut<'_, 3>,
    up: FixedMut<'_, 3>,
    scn: &Bound<'_, MjvScene>,
) -> PyResult<()> {
    let found = scn.get().with(|scene| scene.camera_in_room());
    let found = found.map_err(|error| fatal(&error, "mjv_cameraInRoom", "mjv_cameraInRoom"))?;
    headpos.set(found[0])?;
    forward.set(found[1])?;
    up.set(found[2])
}

/// Height of the view at distance 1.
#[pyfunction]
fn mjv_frustumHeight(scn: &Bound<'_, MjvScene>) -> PyResult<f64> {
    scn.get()
        .with(|scene| scene.frustum_height())
        .map_err(|error| fatal(&error, "mjv_frustumHeight", "mjv_frustumHeight"))
}

/// Turn a vector about the vertical axis with the camera.
#[pyfunction]
fn mjv_alignToCamera(res: FixedMut<'_, 3>, vec: Fixed<3>, forward: Fixed<3>) -> PyResult<()> {
    res.set(align_to_camera(vec.0, forward.0))
}

/// Move a camera with the mouse.
#[pyfunction]
fn mjv_moveCamera(
    m: Py<MjModel>,
    action: Int,
    reldx: f64,
    reldy: f64,
    scn: &Bound<'_, MjvScene>,
    cam: &Bound<'_, MjvCamera>,
) -> PyResult<()> {
    let camera = cam.get().0.get();
    scn.get()
        .with(|scene| camera.move_with_mouse(m.get().get(), action.0 as i32, reldx, reldy, scene))
        .map_err(|error| fatal(&error, "mjv_moveCamera", "mjv_cameraInModel"))
}

/// Move the reference pose of a perturbation with the mouse.
#[pyfunction]
fn mjv_movePerturb(
    m: Py<MjModel>,
    d: Py<MjData>,
    action: Int,
    reldx: f64,
    reldy: f64,
    scn: &Bound<'_, MjvScene>,
    pert: &Bound<'_, MjvPerturb>,
) -> PyResult<()> {
    let perturbation = pert.get().0.get();
    let moved = d.get().with(|data| {
        scn.get().with(|scene| {
            perturbation.move_with_mouse(m.get().get(), data, action.0 as i32, reldx, reldy, scene)
        })
    })?;
    moved.map_err(|error| fatal(&error, "mjv_movePerturb", "mjv_cameraInModel"))
}

/// Move the model in the room with the mouse.
#[pyfunction]
fn mjv_moveModel(
    m: Py<MjModel>,
    action: Int,
    reldx: f64,
    reldy: f64,
    roomup: Fixed<3>,
    scn: &Bound<'_, MjvScene>,
) -> PyResult<()> {
    scn.get()
        .with(|scene| scene.move_model(m.get().get(), action.0 as i32, reldx, reldy, roomup.0))
        .map_err(|error| fatal(&error, "mjv_moveModel", "mjv_cameraInRoom"))
}

/// Start a perturbation of the selected body.
#[pyfunction]
fn mjv_initPerturb(
    m: Py<MjModel>,
    d: Py<MjData>,
    scn: &Bound<'_, MjvScene>,
    pert: &Bound<'_, MjvPerturb>,
) -> PyResult<()> {
    let perturbation = pert.get().0.get();
    let started =
        d.get().with(|data| scn.get().with(|scene| perturbation.start(m.get().get(), data, scene)))?;
    started.map_err(|error| fatal(&error, "mjv_initPerturb", "mjv_cameraInModel"))
}

/// Move the selected body to the reference pose.
#[pyfunction]
fn mjv_applyPerturbPose(
    m: Py<MjModel>,
    d: Py<MjData>,
    pert: &Bound<'_, MjvPerturb>,
    flg_paused: Int,
) -> PyResult<()> {
    let perturbation = *pert.get().0.get();
    d.get().with(|data| perturbation.apply_pose(m.get().get(), data, flg_paused.is_set()))
}

/// Set the force and torque of a spring that pulls the selected body to the reference pose.
#[pyfunction]
fn mjv_applyPerturbForce(m: Py<MjModel>, d: Py<MjData>, pert: &Bound<'_, MjvPerturb>) -> PyResult<()> {
    let perturbation = *pert.get().0.get();
    d.get().with(|data| perturbation.apply_force(m.get().get(), data))
}

/// Body under the cursor, −1 for none.
#[pyfunction]
fn mjv_select(
    m: Py<MjModel>,
    d: Py<MjData>,
    vopt: &Bound<'_, MjvOption>,
    aspectratio: f64,
    relx: f64,
    rely: f64,
    scn: &Bound<'_, MjvScene>,
    selpnt: FixedMut<'_, 3>,
    geomid: VectorMut<'_, i32>,
    flexid: VectorMut<'_, i32>,
    skinid: VectorMut<'_, i32>,
) -> PyResult<i32> {
    for (name, vector) in [("geomid", &geomid), ("flexid", &flexid), ("skinid", &skinid)] {
        require_length(name, vector.len(), 1)?;
    }
    let options = *vopt.get().0.get();
    let place = [relx, rely];
    let found = d.get().with(|data| {
        scn.get().with(|scene| select(m.get().get(), data, &options, aspectratio, place, scene))
    })?;
    let found = found.map_err(|error| fatal(&error, "mjv_select", "mjv_cameraInModel"))?;
    let number = |id: Option<usize>| id.and_then(|id| i32::try_from(id).ok()).unwrap_or(-1);
    if let Some(found) = found {
        selpnt.set(found.point)?;
    }
    geomid.edit(|target| target[0] = number(found.and_then(|found| found.geom)))?;
    flexid.edit(|target| target[0] = number(found.and_then(|found| found.flex)))?;
    skinid.edit(|target| target[0] = number(found.and_then(|found| found.skin)))?;
    Ok(number(found.and_then(|found| found.body)))
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    add_functions!(
        module,
        mjv_room2model mjv_model2room mjv_cameraInModel mjv_cameraInRoom mjv_frustumHeight mjv_alignToCamera
        mjv_moveCamera mjv_movePerturb mjv_moveModel mjv_initPerturb mjv_applyPerturbPose mjv_applyPerturbForce
        mjv_select
    )
}
