//! `MjvScene`: elements, lights and cameras of a scene, in memory that does not move.

use std::any::Any;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use condyle_model::{Model, Scalar, Values};
use condyle_vis::types::MAX_LIGHTS;
use condyle_vis::{Light, Scene};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple};

use super::record::{MjvGLCamera, MjvGeom, MjvLight, Place, missing, read, set_other, write};
use crate::model::MjModel;
use crate::queries::Int;
use crate::view::{self, Memory, Shared};

/// Most elements a scene may have room for.
const MOST_GEOMS: i64 = 100_000_000;

/// The memory of a scene and the Python objects that were made of its parts.
struct Parts {
    memory: Arc<Shared<Scene>>,
    geoms: OnceLock<Py<PyTuple>>,
    lights: OnceLock<Py<PyTuple>>,
    camera: OnceLock<Py<PyTuple>>,
}

impl Parts {
    fn new(scene: Scene) -> Arc<Self> {
        Arc::new(Self {
            memory: Shared::new(scene),
            geoms: OnceLock::new(),
            lights: OnceLock::new(),
            camera: OnceLock::new(),
        })
    }
}

/// The list of drawable elements with its lights and cameras.
#[pyclass(module = "condyle", name = "MjvScene", frozen, subclass, weakref)]
pub(crate) struct MjvScene {
    parts: Mutex<Arc<Parts>>,
}

impl MjvScene {
    fn parts(&self) -> Arc<Parts> {
        self.parts.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The scene, for one use under the interpreter lock.
    pub(crate) fn with<R>(&self, work: impl FnOnce(&mut Scene) -> R) -> R {
        let parts = self.parts();
        // SAFETY: the interpreter lock is held, and `work` calls no Python.
        work(unsafe { &mut *parts.memory.get() })
    }
}

/// A scene without room for elements.
fn empty() -> Scene {
    let mut scene = Scene::new(&Model::default(), 0);
    scene.lights = vec![Light::default(); MAX_LIGHTS];
    scene
}

/// A part of the scene that keeps the scene alive.
macro_rules! tuple_of {
    ($py:expr, $parts:expr, $class:path, $elements:expr) => {{
        let owner: Arc<dyn Any + Send + Sync> = $parts.memory.clone();
        let objects: PyResult<Vec<_>> = $elements
            .iter_mut()
            .map(|element| Bound::new($py, $class(Place::inside(owner.clone(), element))))
            .collect();
        PyTuple::new($py, objects?)
    }};
}

#[pymethods]
impl MjvScene {
    #[new]
    #[pyo3(signature = (*_args, **_kwargs))]
    fn new(_args: &Bound<'_, PyTuple>, _kwargs: Option<&Bound<'_, PyDict>>) -> Self {
        Self { parts: Mutex::new(Parts::new(empty())) }
    }

    #[pyo3(signature = (model=None, maxgeom=None))]
    fn __init__(&self, model: Option<Py<MjModel>>, maxgeom: Option<Int>) -> PyResult<()> {
        let scene = match (model, maxgeom) {
            (None, None) => empty(),
            (Some(model), Some(count)) => {
                if count.0 > MOST_GEOMS {
                    return Err(PyValueError::new_err(format!("maxgeom is at most {MOST_GEOMS}")));
                }
                Scene::new(model.get().get(), usize::try_from(count.0).unwrap_or(0))
            }
            _ => return Err(PyTypeError::new_err("MjvScene takes no arguments, or model and maxgeom")),
        };
        *self.parts.lock().unwrap_or_else(PoisonError::into_inner) = Parts::new(scene);
        Ok(())
    }

    /// Elements; the first `ngeom` are in use.
    #[getter]
    fn geoms(&self, py: Python<'_>) -> PyResult<Py<PyTuple>> {
        let parts = self.parts();
        if parts.geoms.get().is_none() {
            let made = self.with(|scene| tuple_of!(py, parts, MjvGeom, scene.geoms))?;
            let _ = parts.geoms.set(made.unbind());
        }
        parts.geoms.get().map(|tuple| tuple.clone_ref(py)).ok_or_else(|| missing("MjvScene", "geoms"))
    }

    /// Lights; the first `nlight` are in use.
    #[getter]
    fn lights(&self, py: Python<'_>) -> PyResult<Py<PyTuple>> {
        let parts = self.parts();
        if parts.lights.get().is_none() {
            let made = self.with(|scene| tuple_of!(py, parts, MjvLight, scene.lights))?;
            let _ = parts.lights.set(made.unbind());
        }
        parts.lights.get().map(|tuple| tuple.clone_ref(py)).ok_or_else(|| missing("MjvScene", "lights"))
    }

    /// Cameras of the left and of the right eye.
    #[getter]
    fn camera(&self, py: Python<'_>) -> PyResult<Py<PyTuple>> {
        let parts = self.parts();
        if parts.camera.get().is_none() {
            let made = self.with(|scene| tuple_of!(py, parts, MjvGLCamera, scene.camera))?;
            let _ = parts.camera.set(made.unbind());
        }
        parts.camera.get().map(|tuple| tuple.clone_ref(py)).ok_or_else(|| missing("MjvScene", "camera"))
    }

    /// Room for elements.
    #[getter]
    fn maxgeom(&self) -> usize {
        self.with(|scene| scene.geoms.len())
    }

    /// Elements in use. Found on the class, so that `super().ngeom` finds it too.
    #[getter]
    fn ngeom(&self) -> i32 {
        self.with(|scene| scene.settings.ngeom)
    }

    /// Flexes of the model.
    #[getter]
    fn nflex(&self) -> usize {
        self.with(|scene| scene.flexes.flexfaceadr.len())
    }

    /// Skins of the model.
    #[getter]
    fn nskin(&self) -> usize {
        self.with(|scene| scene.skins.skinvertadr.len())
    }

    pub(crate) fn __getattr__<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let parts = self.parts();
        let memory = Memory::of(py, &parts.memory)?;
        self.with(|scene| {
            if let Some(value) = read(&memory, &scene.settings, name) {
                return value;
            }
            let values = array(scene, name).ok_or_else(|| missing("MjvScene", name))?;
            // SAFETY: the arrays of a scene are never resized.
            unsafe { view::array(&memory, values, &[values.len()]) }
        })
    }

    fn __setattr__(
        slf: &Bound<'_, Self>,
        name: &Bound<'_, PyString>,
        value: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let text = name.to_cow()?;
        let memory = Memory::of(slf.py(), &slf.get().parts().memory)?;
        if let Some(result) = slf.get().with(|scene| write(&memory, &mut scene.settings, &text, value)) {
            return result;
        }
        if slf.get().with(|scene| array(scene, &text).is_some()) {
            return view::assign(&slf.getattr(name)?, value);
        }
        set_other(slf.as_any(), name, value)
    }

    fn __dir__(slf: &Bound<'_, Self>) -> PyResult<Vec<String>> {
        let mut names = slf.get().with(|scene| super::record::names(slf.as_any(), &scene.settings))?;
        names.extend(ARRAYS.iter().map(|(name, _)| (*name).to_owned()));
        names.sort();
        names.dedup();
        Ok(names)
    }

    fn __copy__(&self) -> Self {
        Self { parts: Mutex::new(Parts::new(self.with(|scene| scene.clone()))) }
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        self.__copy__()
    }
}

macro_rules! arrays {
    ($($group:ident { $($name:ident $doc:literal)* })*) => {
        /// Every array with its meaning.
        pub(super) const ARRAYS: &[(&str, &str)] = &[
            ("geomorder", "Order of elements by distance; set by who draws."),
            $($((stringify!($name), $doc),)*)*
        ];

        /// An array of the scene by name.
        fn array<'a>(scene: &'a Scene, name: &str) -> Option<Values<'a>> {
            match name {
                "geomorder" => Some(Scalar::values(&scene.geomorder)),
                $($(stringify!($name) => Some(Scalar::values(&scene.$group.$name)),)*)*
                _ => None,
            }
        }
    };
}

arrays! {
    flexes {
        flexedgeadr "First edge of each flex."
        flexedgenum "Number of edges of each flex."
        flexvertadr "First vertex of each flex."
        flexvertnum "Number of vertices of each flex."
        flexfaceadr "First face of each flex."
        flexfacenum "Room for faces of each flex."
        flexfaceused "Faces of each flex in use."
        flexedge "Two vertices of each edge."
        flexvert "Positions of vertices, three numbers each, m."
        flexface "Positions of the three vertices of each face, nine numbers, m."
        flexnormal "Normals at the three vertices of each face, nine numbers."
        flextexcoord "Texture coordinates of the three vertices of each face, six numbers."
    }
    skins {
        skinfacenum "Number of faces of each skin."
        skinvertadr "First vertex of each skin."
        skinvertnum "Number of vertices of each skin."
        skinvert "Positions of vertices, three numbers each, m."
        skinnormal "Normals at vertices, three numbers each."
    }
}
