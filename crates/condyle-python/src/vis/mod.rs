//! The abstract scene: its records as classes and the functions that fill and steer them.

mod figure;
mod functions;
mod interact;
mod record;
mod scene;

use condyle_model::options::Record;
use condyle_vis::types::{FigureSettings, SceneSettings};
use condyle_vis::{Camera, Geom, GlCamera, Light, Options, Perturbation, VisError};
use pyo3::PyTypeInfo;
use pyo3::prelude::*;
use pyo3::types::PyType;

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

/// A field of an object for drawing; `None` for objects of other classes.
pub(crate) fn field<'py>(object: &Bound<'py, PyAny>, name: &str) -> Option<PyResult<Bound<'py, PyAny>>> {
    macro_rules! of_records {
        ($($class:ident)*) => {
            $(if let Ok(record) = object.cast::<$class>() {
                return Some($class::__getattr__(record, name));
            })*
        };
    }
    macro_rules! of_others {
        ($($class:ty)*) => {
            $(if let Ok(other) = object.cast::<$class>() {
                return Some(other.get().__getattr__(object.py(), name));
            })*
        };
    }
    of_records! { MjvGeom MjvCamera MjvOption MjvPerturb MjvLight MjvGLCamera }
    of_others! { MjvScene MjvFigure crate::render::MjrContext }
    None
}

/// The classes for drawing, each with the names and meanings of its fields; what `MjrContext` has beside is not listed.
#[pyfunction]
fn _drawing_fields(py: Python<'_>) -> Vec<(Bound<'_, PyType>, Vec<(&'static str, &'static str)>)> {
    fn of<C: PyTypeInfo, R: Record>(
        py: Python<'_>,
    ) -> (Bound<'_, PyType>, Vec<(&'static str, &'static str)>) {
        (py.get_type::<C>(), R::FIELDS.iter().map(|field| (field.name, field.doc)).collect())
    }
    let mut scene = of::<MjvScene, SceneSettings>(py);
    scene.1.extend(scene::ARRAYS);
    let mut figure = of::<MjvFigure, FigureSettings>(py);
    figure.1.push(figure::LINE_DATA);
    vec![
        of::<MjvGeom, Geom>(py),
        of::<MjvCamera, Camera>(py),
        of::<MjvOption, Options>(py),
        of::<MjvPerturb, Perturbation>(py),
        of::<MjvLight, Light>(py),
        of::<MjvGLCamera, GlCamera>(py),
        scene,
        figure,
    ]
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
    module.add_function(wrap_pyfunction!(_drawing_fields, module)?)?;
    functions::register(module)?;
    interact::register(module)
}
