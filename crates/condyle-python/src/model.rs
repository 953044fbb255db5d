//! `MjModel`: a compiled model whose arrays are numpy views.

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use condyle_model::{ArrayInfo, Model, mjb};
use pyo3::exceptions::{PyAttributeError, PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyString};

use crate::loading;
use crate::record::{RecordKind, RecordView};
use crate::view;

/// Arrays of characters, which Python sees as bytes.
const TEXT_ARRAYS: [&str; 3] = ["names", "paths", "text_data"];

fn array_index() -> &'static HashMap<&'static str, &'static ArrayInfo> {
    static INDEX: OnceLock<HashMap<&'static str, &'static ArrayInfo>> = OnceLock::new();
    INDEX
        .get_or_init(|| Model::ARRAYS.iter().chain(Model::EXTENSIONS).map(|info| (info.name, info)).collect())
}

/// A compiled model. Sizes are attributes (`nq`, `nbody`, …), arrays are live numpy views.
#[pyclass(module = "condyle", name = "MjModel", frozen, weakref)]
pub struct MjModel {
    model: Arc<view::Shared<Model>>,
    /// Views already made, by name: an array never moves, so its view can be shared.
    views: Py<PyDict>,
    /// Sizes and records already asked for, by name.
    constants: Py<PyDict>,
}

impl MjModel {
    pub fn from_model(py: Python<'_>, model: Model) -> Self {
        Self {
            model: view::Shared::new(model),
            views: PyDict::new(py).unbind(),
            constants: PyDict::new(py).unbind(),
        }
    }

    /// The model, for reading.
    pub fn get(&self) -> &Model {
        // SAFETY: writes happen only through numpy views and `record`, under the interpreter lock.
        unsafe { &*self.model.get() }
    }

    /// Edit the model. The edit works on a copy whose values are then written into the arrays that are there, so that none of them
    /// can move under a view, whatever the edit does; after an error the model is as it was.
    pub fn edit<R>(&self, py: Python<'_>, work: impl FnOnce(&mut Model) -> PyResult<R>) -> PyResult<R> {
        let mut edited = self.get().clone();
        let result = work(&mut edited)?;
        let before = self.get().size_values();
        // SAFETY: the interpreter lock is held, and nothing else uses the reference.
        if !unsafe { &mut *self.model.get() }.copy_in_place(&edited) {
            return Err(PyRuntimeError::new_err("an edit changed the length of an array"));
        }
        for ((size, before), after) in Model::SIZES.iter().zip(before).zip(self.get().size_values()) {
            if before != after && self.constants.bind(py).contains(size.name)? {
                self.constants.bind(py).del_item(size.name)?;
            }
        }
        Ok(result)
    }

    /// Keep the value of an attribute that never changes.
    fn keep<'py>(&self, name: &str, value: Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        self.constants.bind(value.py()).set_item(name, &value)?;
        Ok(value)
    }
}

#[pymethods]
impl MjModel {
    /// Load an MJCF or URDF file.
    #[staticmethod]
    #[pyo3(signature = (filename, assets=None, *, lenient=false, reference_bugs=false, packages=None, search=true, mimic=false,
                        actuators="none", floating_base=false))]
    #[allow(clippy::too_many_arguments)]
    fn from_xml_path(
        py: Python<'_>,
        filename: PathBuf,
        assets: Option<Bound<'_, PyDict>>,
        lenient: bool,
        reference_bugs: bool,
        packages: Option<BTreeMap<String, PathBuf>>,
        search: bool,
        mimic: bool,
        actuators: &str,
        floating_base: bool,
    ) -> PyResult<Self> {
        let urdf = loading::urdf_options(packages, search, mimic, actuators, floating_base)?;
        let options = loading::options(assets, lenient, reference_bugs, urdf)?;
        loading::finish(py, py.detach(|| condyle::load_with(&filename, &options)))
    }

    /// Compile MJCF or URDF text.
    #[staticmethod]
    #[pyo3(signature = (xml, assets=None, *, lenient=false, reference_bugs=false, packages=None, search=true, mimic=false,
                        actuators="none", floating_base=false))]
    #[allow(clippy::too_many_arguments)]
    fn from_xml_string(
        py: Python<'_>,
        xml: &str,
        assets: Option<Bound<'_, PyDict>>,
        lenient: bool,
        reference_bugs: bool,
        packages: Option<BTreeMap<String, PathBuf>>,
        search: bool,
        mimic: bool,
        actuators: &str,
        floating_base: bool,
    ) -> PyResult<Self> {
        let urdf = loading::urdf_options(packages, search, mimic, actuators, floating_base)?;
        let options = loading::options(assets, lenient, reference_bugs, urdf)?;
        loading::finish(py, py.detach(|| condyle::load_str(xml, &options)))
    }

    /// Load a binary model file.
    #[staticmethod]
    #[pyo3(signature = (filename, assets=None))]
    fn from_binary_path(
        py: Python<'_>,
        filename: PathBuf,
        assets: Option<Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let name = filename.to_string_lossy().into_owned();
        let bytes = match assets.map(|assets| assets.get_item(&name)).transpose()?.flatten() {
            Some(bytes) => bytes.extract::<Vec<u8>>()?,
            None => {
                std::fs::read(&filename).map_err(|error| PyValueError::new_err(format!("{name}: {error}")))?
            }
        };
        Self::from_binary(py, &bytes, Some(name))
    }

    /// Load a binary model from bytes.
    #[staticmethod]
    #[pyo3(signature = (data, name=None))]
    fn from_binary(py: Python<'_>, data: &[u8], name: Option<String>) -> PyResult<Self> {
        let name = name.as_deref().unwrap_or("<bytes>");
        let model = mjb::read(data).map_err(|error| PyValueError::new_err(format!("{name}: {error}")))?;
        condyle_engine::plugin::check(&model)
            .map_err(|error| PyValueError::new_err(format!("{name}: {error}")))?;
        Ok(Self::from_model(py, model))
    }

    /// The binary form of the model.
    fn to_binary<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, &mjb::write(self.get()))
    }

    /// The model as MJCF text. Files the text refers to, pictures of textures and large meshes, are put into `assets`, which
    /// `from_xml_string` takes.
    #[pyo3(signature = (assets=None))]
    fn to_xml(&self, py: Python<'_>, assets: Option<Bound<'_, PyDict>>) -> PyResult<String> {
        let saved =
            condyle::model_to_mjcf(self.get()).map_err(|error| PyValueError::new_err(error.to_string()))?;
        if let Some(assets) = assets {
            for (name, bytes) in &saved.files {
                assets.set_item(name, PyBytes::new(py, bytes))?;
            }
        }
        Ok(saved.text)
    }

    fn __repr__(&self) -> String {
        let model = self.get();
        let counts = [
            (model.nbody - model.nbody.min(1), "bodies"),
            (model.njnt, "joints"),
            (model.nv, "dofs"),
            (model.ngeom, "geoms"),
            (model.nu, "actuators"),
            (model.ntendon, "tendons"),
            (model.nsensor, "sensors"),
            (model.neq, "equalities"),
            (model.nkey, "keyframes"),
        ];
        let counts: Vec<String> = counts
            .iter()
            .filter(|(count, _)| *count > 0)
            .map(|(count, what)| format!("{count} {what}"))
            .collect();
        format!("<MjModel '{}': {}>", model.model_name(), counts.join(", "))
    }

    fn __copy__(&self, py: Python<'_>) -> Self {
        Self::from_model(py, self.get().clone())
    }

    fn __deepcopy__(&self, py: Python<'_>, _memo: Bound<'_, PyAny>) -> Self {
        Self::from_model(py, self.get().clone())
    }

    fn __reduce__<'py>(slf: Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        let constructor = slf.get_type().getattr("from_binary")?;
        let bytes = slf.get().to_binary(slf.py());
        Ok((constructor, (bytes,)))
    }

    /// What was asked for before is found by one look into a dictionary.
    fn __getattribute__<'py>(
        slf: &Bound<'py, Self>,
        name: &Bound<'py, PyString>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (py, this) = (slf.py(), slf.get());
        for known in [&this.views, &this.constants] {
            if let Some(value) = known.bind(py).get_item(name)? {
                return Ok(value);
            }
        }
        view::ordinary_attribute(slf.as_any(), name)
    }

    fn __getattr__<'py>(slf: Bound<'py, Self>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        let this = slf.get();
        let model = this.get();
        if let Some(info) = array_index().get(name) {
            if TEXT_ARRAYS.contains(&name)
                && let Some(condyle_model::Values::U8(bytes)) = model.array(name)
            {
                return Ok(PyBytes::new(py, bytes).into_any());
            }
            if let Some(values) = model.array(name) {
                let memory = view::Memory::of(py, &this.model)?;
                model.expose(name);
                // SAFETY: model arrays are allocated when the model is made and never resized.
                let view = unsafe { view::array(&memory, values, &model.shape(info))? };
                this.views.bind(py).set_item(name, &view)?;
                return Ok(view);
            }
        }
        if let Some(size) = model.size(name) {
            return this.keep(name, size.into_pyobject(py)?.into_any());
        }
        let record = match name {
            "opt" => RecordKind::Option,
            "stat" => RecordKind::Statistic,
            "vis" => RecordKind::Visual,
            "signature" => return Ok(model.signature.into_pyobject(py)?.into_any()),
            _ => {
                return Err(PyAttributeError::new_err(format!("'MjModel' object has no attribute '{name}'")));
            }
        };
        this.keep(name, RecordView::make(py, this.model.clone(), record)?)
    }

    fn __setattr__(slf: Bound<'_, Self>, name: Bound<'_, PyString>, value: Bound<'_, PyAny>) -> PyResult<()> {
        if let Some(view) = slf.get().views.bind(slf.py()).get_item(&name)? {
            return view::assign(&view, &value);
        }
        let text: String = name.extract()?;
        if array_index().contains_key(text.as_str()) && !TEXT_ARRAYS.contains(&text.as_str()) {
            return view::assign(&slf.getattr(&name)?, &value);
        }
        if slf.get().get().size(&text).is_some() {
            return Err(PyAttributeError::new_err(format!("'{text}' is a size and cannot be set")));
        }
        Err(PyTypeError::new_err(format!("'MjModel' attribute '{text}' cannot be set")))
    }

    fn __dir__<'py>(slf: Bound<'py, Self>) -> PyResult<Vec<String>> {
        let mut names: Vec<String> =
            slf.get_type().dir().and_then(|names| names.extract()).unwrap_or_default();
        names.extend(Model::SIZES.iter().map(|size| size.name.to_owned()));
        names.extend(Model::ARRAYS.iter().chain(Model::EXTENSIONS).map(|info| info.name.to_owned()));
        names.extend(["opt", "vis", "stat", "signature"].map(str::to_owned));
        Ok(names)
    }

    /// Name, dtype, dimensions, width and meaning of every array of the reference's model.
    #[staticmethod]
    fn _array_table() -> Vec<(&'static str, &'static str, Vec<&'static str>, usize, &'static str)> {
        Model::ARRAYS
            .iter()
            .map(|info| (info.name, info.dtype.name(), info.dims.to_vec(), info.width, info.doc))
            .collect()
    }
}
