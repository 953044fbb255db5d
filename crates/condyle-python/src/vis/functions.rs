//! Making the scene: defaults, elements, cameras, lights and skins.

use condyle_engine::Data;
use condyle_model::{Model, Warning};
use condyle_vis::{
    Camera, Figure, Geom, Options, Perturbation, Scene, VisError, add_geoms, average_camera, update_scene,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::record::Place;
use super::{MjvCamera, MjvFigure, MjvGLCamera, MjvGeom, MjvOption, MjvPerturb, MjvScene, fatal};
use crate::data::MjData;
use crate::mju::add_functions;
use crate::mju::arrays::{Fixed, Vector, VectorMut};
use crate::model::MjModel;
use crate::queries::{Int, require_length};

/// Refuse data of another model.
fn fitting<'a>(model: &'a Model, data: &Data) -> PyResult<&'a Model> {
    if data.fits(model) {
        return Ok(model);
    }
    Err(PyValueError::new_err("the data belongs to another model"))
}

/// Set a camera to its default.
#[pyfunction]
fn mjv_defaultCamera(cam: &Bound<'_, MjvCamera>) {
    *cam.get().0.get() = Camera::default();
}

/// Set a camera to the free camera of a model.
#[pyfunction]
fn mjv_defaultFreeCamera(m: Py<MjModel>, cam: &Bound<'_, MjvCamera>) {
    *cam.get().0.get() = Camera::free(m.get().get());
}

/// Set options to their defaults.
#[pyfunction]
fn mjv_defaultOption(opt: &Bound<'_, MjvOption>) {
    *opt.get().0.get() = Options::default();
}

/// Set a perturbation to its default.
#[pyfunction]
fn mjv_defaultPerturb(pert: &Bound<'_, MjvPerturb>) {
    *pert.get().0.get() = Perturbation::default();
}

/// Set a figure to its default.
#[pyfunction]
fn mjv_defaultFigure(fig: &Bound<'_, MjvFigure>) {
    let Figure { settings, linedata } = Figure::default();
    let figure = fig.get().0.get();
    figure.settings = settings;
    figure.linedata.copy_from_slice(&linedata);
}

/// Set shape, size, pose and colour of an element.
#[pyfunction]
#[pyo3(signature = (geom, r#type, size, pos, mat, rgba))]
fn mjv_initGeom(
    geom: &Bound<'_, MjvGeom>,
    r#type: Int,
    size: Fixed<3>,
    pos: Fixed<3>,
    mat: Fixed<9>,
    rgba: Vector<f32>,
) -> PyResult<()> {
    require_length("rgba", rgba.len(), 4)?;
    let rgba = [rgba[0], rgba[1], rgba[2], rgba[3]];
    geom.get().0.get().init(r#type.0 as i32, Some(size.0), Some(pos.0), Some(&mat.0), Some(rgba));
    Ok(())
}

/// Make an element go from one point to another.
#[pyfunction]
fn mjv_connector(
    geom: &Bound<'_, MjvGeom>,
    r#type: Int,
    width: f64,
    from_: Fixed<3>,
    to: Fixed<3>,
) -> PyResult<()> {
    let geom: &mut Geom = geom.get().0.get();
    geom.connect(r#type.0 as i32, width, from_.0, to.0).map_err(|error| fatal(&error, "mjv_connector", ""))
}

/// Append the elements of the categories in a mask.
#[pyfunction]
fn mjv_addGeoms(
    m: Py<MjModel>,
    d: Py<MjData>,
    opt: &Bound<'_, MjvOption>,
    pert: &Bound<'_, MjvPerturb>,
    catmask: Int,
    scn: &Bound<'_, MjvScene>,
) -> PyResult<()> {
    let (options, perturbation) = (*opt.get().0.get(), *pert.get().0.get());
    d.get().with(|data| {
        let model = fitting(m.get().get(), data)?;
        scn.get().with(|scene| add_geoms(model, data, &options, &perturbation, catmask.0 as i32, scene));
        Ok(())
    })?
}

/// Make the whole scene anew.
#[pyfunction]
#[pyo3(signature = (m, d, opt, pert, cam, catmask, scn))]
fn mjv_updateScene(
    m: Py<MjModel>,
    d: Py<MjData>,
    opt: &Bound<'_, MjvOption>,
    pert: Option<&Bound<'_, MjvPerturb>>,
    cam: &Bound<'_, MjvCamera>,
    catmask: Int,
    scn: &Bound<'_, MjvScene>,
) -> PyResult<()> {
    let options = *opt.get().0.get();
    let perturbation = pert.map_or_else(Perturbation::default, |pert| *pert.get().0.get());
    let camera = cam.get().0.get();
    d.get().with(|data| {
        let model = fitting(m.get().get(), data)?;
        scn.get().with(|scene| {
            let mask = catmask.0 as i32;
            update_scene(model, data, &options, &perturbation, camera, mask, scene)
                .map_err(|error| fatal(&error, "mjv_cameraFrame", "mjv_cameraInModel"))?;
            if scene.settings.status != 0 {
                data.diagnostics.warn(Warning::VisualGeomFull, scene.geoms.len() as i32);
            }
            Ok(())
        })
    })?
}

/// Set the cameras of a scene.
#[pyfunction]
fn mjv_updateCamera(
    m: Py<MjModel>,
    d: Py<MjData>,
    cam: &Bound<'_, MjvCamera>,
    scn: &Bound<'_, MjvScene>,
) -> PyResult<()> {
    let camera = cam.get().0.get();
    d.get().with(|data| {
        let model = fitting(m.get().get(), data)?;
        scn.get()
            .with(|scene| scene.update_camera(model, data, camera))
            .map_err(|error| fatal(&error, "mjv_cameraFrame", ""))
    })?
}

/// Fill the list of lights.
#[pyfunction]
fn mjv_makeLights(m: Py<MjModel>, d: Py<MjData>, scn: &Bound<'_, MjvScene>) -> PyResult<()> {
    d.get().with(|data| {
        let model = fitting(m.get().get(), data)?;
        scn.get()
            .with(|scene| scene.make_lights(model, data))
            .map_err(|error| fatal(&error, "mjv_makeLights", "mjv_cameraInModel"))
    })?
}

/// Update the vertices of all skins of the first groups.
#[pyfunction]
fn mjv_updateSkin(m: Py<MjModel>, d: Py<MjData>, scn: &Bound<'_, MjvScene>) -> PyResult<()> {
    d.get().with(|data| {
        let model = fitting(m.get().get(), data)?;
        scn.get().with(|scene: &mut Scene| {
            if !scene.fits(model) {
                return Err(fatal(&VisError::OtherModel, "mjv_updateSkin", ""));
            }
            scene.update_skins(model, data, &Options::default());
            Ok(())
        })
    })?
}

/// Position and axes of a camera.
#[pyfunction]
fn mjv_cameraFrame(
    headpos: VectorMut<'_>,
    forward: VectorMut<'_>,
    up: VectorMut<'_>,
    right: VectorMut<'_>,
    d: Py<MjData>,
    cam: &Bound<'_, MjvCamera>,
) -> PyResult<()> {
    for (name, vector) in [("headpos", &headpos), ("forward", &forward), ("up", &up), ("right", &right)] {
        require_length(name, vector.len(), 3)?;
    }
    let camera = *cam.get().0.get();
    let frame = d.get().with(|data| camera.frame(data))?;
    let frame = frame.map_err(|error| fatal(&error, "mjv_cameraFrame", ""))?;
    for (target, value) in
        [(headpos, frame.position), (forward, frame.forward), (up, frame.up), (right, frame.right)]
    {
        target.edit(|target| target.copy_from_slice(&value))?;
    }
    Ok(())
}

/// What a camera sees at its near clipping distance.
#[pyfunction]
fn mjv_cameraFrustum(
    zver: VectorMut<'_, f32>,
    zhor: VectorMut<'_, f32>,
    zclip: VectorMut<'_, f32>,
    m: Py<MjModel>,
    cam: &Bound<'_, MjvCamera>,
) -> PyResult<()> {
    for (name, vector) in [("zver", &zver), ("zhor", &zhor), ("zclip", &zclip)] {
        require_length(name, vector.len(), 2)?;
    }
    let frustum = cam.get().0.get().frustum(m.get().get());
    let frustum = frustum.map_err(|error| fatal(&error, "mjv_cameraFrustum", ""))?;
    zver.edit(|target| target.copy_from_slice(&frustum.vertical))?;
    zhor.edit(|target| target.copy_from_slice(&frustum.horizontal))?;
    zclip.edit(|target| target.copy_from_slice(&frustum.clip))
}

/// The camera between two.
#[pyfunction]
fn mjv_averageCamera(cam1: &Bound<'_, MjvGLCamera>, cam2: &Bound<'_, MjvGLCamera>) -> PyResult<MjvGLCamera> {
    average_camera(cam1.get().0.get(), cam2.get().0.get())
        .map(|camera| MjvGLCamera(Place::new(camera)))
        .map_err(|error| fatal(&error, "mjv_averageCamera", ""))
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    add_functions!(
        module,
        mjv_defaultCamera mjv_defaultFreeCamera mjv_defaultOption mjv_defaultPerturb mjv_defaultFigure mjv_initGeom
        mjv_connector mjv_addGeoms mjv_updateScene mjv_updateCamera mjv_makeLights mjv_updateSkin mjv_cameraFrame
        mjv_cameraFrustum mjv_averageCamera
    )
}
