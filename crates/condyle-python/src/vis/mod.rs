//! The abstract scene: its records as classes and the functions that fill and steer them.

mod figure;
mod functions;
mod interact;
mod record;
mod scene;

use condyle_vis::VisError;
use pyo3::prelude::*;

use crate::mju::FatalError;

pub(crate) use figure::MjvFigure;
pub(crate) use record::{MjvCamera, MjvGLCamera, MjvGeom, MjvLight, MjvOption, MjvPerturb, set_other};
pub(crate) use scene::MjvScene;

/// An error as MuJoCo raises it: with the name of the function that found it, `near` for a scene without cameras.
fn fatal(error: &VisError, function: &str, near: &str) -> PyErr {
    let function = match error {
        VisError::Connector(_) => "mjv_connector",
        VisError::FixedCamera => "mjv_cameraFrustum",
        VisError::TrackedBody => "mjv_updateCamera",
        VisError::NearPlane => near,
        VisError::MixedProjections => "mjv_frustumHeight",
        VisError::MixedCameras => "mjv_averageCamera",
        VisError::Direction(_) => "convert2D",
        _ => function,
    };
    FatalError::new_err(format!("{function}: {error}"))
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<MjvCamera>()?;
    module.add_class::<MjvGLCamera>()?;
    module.add_class::<MjvGeom>()?;
    module.add_class::<MjvLight>()?;
    module.add_class::<MjvOption>()?;
    module.add_class::<MjvPerturb>()?;
    module.add_class::<MjvFigure>()?;
    module.add_class::<MjvScene>()?;
    functions::register(module)?;
    interact::register(module)
}
