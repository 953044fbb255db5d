//! `MjModel`: a compiled model whose arrays are numpy views.

use std::collections::{BTreeMap, HashMap};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, Weak};

use condyle_model::{ArrayInfo, DType, Model, Solver, Values, mjb};
use pyo3::exceptions::{PyAttributeError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyDict, PyString};

use crate::loading;
use crate::mju::FatalError;
use crate::{record, view};

/// Arrays of characters, which Python sees as bytes.
const TEXT_ARRAYS: [&str; 3] = ["names", "paths", "text_data"];

fn array_index() -> &'static HashMap<&'static str, &'static ArrayInfo> {
    static INDEX: OnceLock<HashMap<&'static str, &'static ArrayInfo>> = OnceLock::new();
    INDEX
        .get_or_init(|| Model::ARRAYS.iter().chain(Model::EXTENSIONS).map(|info| (info.name, info)).collect())
}

/// Integer arrays with these numbers of rows describe shapes, trees and sparsity. They are large and seldom edited, so they are compared
/// only as long as Python may write to them: while an array that shows them is alive.
const STRUCTURE: [&str; 31] = [
    "nbvh",
    "noct",
    "nmeshvert",
    "nmeshnormal",
    "nmeshtexcoord",
    "nmeshface",
    "nmeshgraph",
    "nmeshpoly",
    "nmeshpolyvert",
    "nmeshpolymap",
    "nflexnode",
    "nflexvert",
    "nflexedge",
    "nflexelem",
    "nflexelemdata",
    "nflexelemedge",
    "nflexshelldata",
    "nflexevpair",
    "nJfe",
    "nJfv",
    "nskinvert",
    "nskinface",
    "nskinbone",
    "nskinbonevert",
    "nM",
    "nB",
    "nC",
    "nD",
    "nnames_map",
    "ntextdata",
    "npluginattr",
];

fn is_integer(info: &ArrayInfo) -> bool {
    matches!(info.dtype, DType::I32 | DType::I64)
}

/// An integer array that Python may have changed, with what it held when it was checked last.
struct Exposed {
    name: &'static str,
    pointer: *const u8,
    checked: Box<[u8]>,
    /// What the views made of it keep alive; `None` when its view is kept for good.
    views: Option<Vec<Weak<Arc<view::Shared<Model>>>>>,
}

// SAFETY: the pointer is into the model, which lives as long as the record, and is read under the interpreter lock.
unsafe impl Send for Exposed {}

impl Exposed {
    fn new(name: &'static str, values: &Values<'_>) -> Option<Self> {
        let (pointer, size) = match values {
            Values::I32(v) => (v.as_ptr().cast::<u8>(), size_of_val(*v)),
            Values::I64(v) => (v.as_ptr().cast::<u8>(), size_of_val(*v)),
            _ => return None,
        };
        // SAFETY: as in `now`.
        let checked = unsafe { std::slice::from_raw_parts(pointer, size) }.into();
        Some(Self { name, pointer, checked, views: None })
    }

    /// Whether Python has written to it since it was checked.
    fn is_changed(&self) -> bool {
        self.views.as_ref().is_none_or(|views| !views.is_empty()) && self.now() != &*self.checked
    }

    fn now(&self) -> &[u8] {
        // SAFETY: model arrays stay where they are, and integers are bytes without gaps.
        unsafe { std::slice::from_raw_parts(self.pointer, self.checked.len()) }
    }
}

/// A compiled model. Sizes are attributes (`nq`, `nbody`, …), arrays are live numpy views.
#[pyclass(module = "condyle", name = "MjModel", frozen, weakref)]
pub(crate) struct MjModel {
    model: Arc<view::Shared<Model>>,
    /// Views already made, by name: an array never moves, so its view can be shared.
    views: Py<PyDict>,
    /// Sizes and records already asked for, by name.
    constants: Py<PyDict>,
    /// Integer arrays Python has seen.
    exposed: Arc<Mutex<Vec<Exposed>>>,
    /// Calls that are stepping this model now.
    users: Arc<AtomicUsize>,
    /// Rows of objects already asked for, by kind and name.
    named: Option<Py<PyDict>>,
    /// What views keep alive.
    owner: PyOnceLock<Py<PyAny>>,
}

/// A call that uses the model while the interpreter lock is released.
pub(crate) struct Use<'a>(&'a AtomicUsize);

impl Drop for Use<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Release);
    }
}

impl MjModel {
    pub(crate) fn from_model(py: Python<'_>, model: Model) -> Self {
        Self {
            model: view::Shared::new(model),
            views: PyDict::new(py).unbind(),
            constants: PyDict::new(py).unbind(),
            exposed: Arc::default(),
            users: Arc::default(),
            named: Some(PyDict::new(py).unbind()),
            owner: PyOnceLock::new(),
        }
    }

    /// The model, for reading.
    pub(crate) fn get(&self) -> &Model {
        // SAFETY: writes happen only through numpy views, under the interpreter lock.
        unsafe { &*self.model.get() }
    }

    /// The model, for computing: integer arrays that Python has seen are compared with what they were, and after a change the whole
    /// model is checked, so that no index leads outside.
    pub(crate) fn checked(&self) -> PyResult<&Model> {
        let model = self.get();
        let refuse = |error: String| {
            PyValueError::new_err(format!("the model was edited and is no longer consistent: {error}"))
        };
        if Solver::from_i32(model.opt.solver).is_none() {
            let text = format!("mj_fwdConstraint: unknown solver type {}", model.opt.solver);
            return Err(FatalError::new_err(text));
        }
        model.validate_options().map_err(refuse)?;
        let mut exposed = self.exposed.lock().unwrap_or_else(PoisonError::into_inner);
        if exposed.iter().any(Exposed::is_changed) {
            model.validate().map_err(refuse)?;
            for array in exposed.iter_mut().filter(|array| array.is_changed()) {
                model.expose(array.name);
                array.checked = array.now().into();
            }
        }
        for views in exposed.iter_mut().filter_map(|array| array.views.as_mut()) {
            views.retain(|view| view.strong_count() > 0);
        }
        Ok(model)
    }

    /// Say that a call uses the model until the answer is dropped.
    pub(crate) fn used(&self) -> Use<'_> {
        self.users.fetch_add(1, Ordering::Acquire);
        Use(&self.users)
    }

    /// Edit the model. The edit works on a copy whose values are then written into the arrays that are there, so that none of them
    /// can move under a view, whatever the edit does; after an error the model is as it was. An error while a call uses the model.
    pub(crate) fn edit<R>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut Model) -> PyResult<R>,
    ) -> PyResult<R> {
        if self.users.load(Ordering::Acquire) > 0 {
            return Err(PyRuntimeError::new_err(
                "this MjModel is in use by another thread or by the call this is a callback of",
            ));
        }
        let mut edited = self.checked()?.clone();
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

    /// A view of an array; integers are remembered as they are now.
    fn view<'py>(&self, py: Python<'py>, info: &ArrayInfo) -> PyResult<Option<Bound<'py, PyAny>>> {
        let model = self.get();
        let Some(values) = model.array(info.name) else { return Ok(None) };
        if is_integer(info) && info.dims.first().is_some_and(|dim| STRUCTURE.contains(dim)) {
            return self.passing_view(py, info, values).map(Some);
        }
        model.expose(info.name);
        self.exposed.lock().unwrap_or_else(PoisonError::into_inner).extend(Exposed::new(info.name, &values));
        let memory = view::Memory::shared(py, &self.model, &self.owner)?;
        // SAFETY: model arrays are allocated when the model is made and never resized.
        let view = unsafe { view::array(&memory, values, &model.shape(info))? };
        self.views.bind(py).set_item(info.name, &view)?;
        Ok(Some(view))
    }

    /// A view that is not kept, and of which it is known whether it is still alive.
    fn passing_view<'py>(
        &self,
        py: Python<'py>,
        info: &ArrayInfo,
        values: Values<'_>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let alive = Arc::new(self.model.clone());
        let mut exposed = self.exposed.lock().unwrap_or_else(PoisonError::into_inner);
        let at = match exposed.iter().position(|array| array.name == info.name) {
            Some(at) => at,
            None => {
                exposed.extend(Exposed::new(info.name, &values));
                exposed.len() - 1
            }
        };
        exposed[at].views.get_or_insert_default().push(Arc::downgrade(&alive));
        drop(exposed);
        let memory = view::Memory::of_any(py, alive)?;
        // SAFETY: as in `view`.
        unsafe { view::array(&memory, values, &self.get().shape(info)) }
    }

    /// What stands under a name.
    pub(crate) fn field<'py>(slf: &Bound<'py, Self>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        let this = slf.get();
        let model = this.get();
        if let Some(info) = array_index().get(name) {
            if TEXT_ARRAYS.contains(&name)
                && let Some(Values::U8(bytes)) = model.array(name)
            {
                return this.keep(name, PyBytes::new(py, bytes).into_any());
            }
            if let Some(view) = this.view(py, info)? {
                return Ok(view);
            }
        }
        if let Some(size) = model.size(name) {
            return this.keep(name, size.into_pyobject(py)?.into_any());
        }
        match name {
            // A part of the model made from a twin: records live in the model, which must not hold itself.
            "opt" | "stat" | "vis" => {
                let memory = Bound::new(py, this._twin(py))?.getattr("_memory")?;
                this.keep(name, record::of_model(memory, name)?)
            }
            "signature" => Ok(model.signature.into_pyobject(py)?.into_any()),
            _ => Err(PyAttributeError::new_err(format!("'MjModel' object has no attribute '{name}'"))),
        }
    }
}

#[pymethods]
impl MjModel {
    /// Load an MJCF or URDF file.
    #[staticmethod]
    #[pyo3(signature = (filename, assets=None, *, lenient=false, reference_bugs=false, packages=None, search=true, mimic=false,
                        actuators="none", floating_base=false, repair_inertia=false))]
    #[allow(clippy::too_many_arguments)]
    fn from_xml_path(
        py: Python<'_>,
        filename: view::FilePath,
        assets: Option<Bound<'_, PyDict>>,
        lenient: bool,
        reference_bugs: bool,
        packages: Option<BTreeMap<String, PathBuf>>,
        search: bool,
        mimic: bool,
        actuators: &str,
        floating_base: bool,
        repair_inertia: bool,
    ) -> PyResult<Self> {
        let urdf = loading::urdf_options(packages, search, mimic, actuators, floating_base, repair_inertia)?;
        let options = loading::options(assets, lenient, reference_bugs, urdf)?;
        loading::finish(py, py.detach(|| condyle::load_with(&filename.0, &options)))
    }

    /// Compile MJCF or URDF text.
    #[staticmethod]
    #[pyo3(signature = (xml, assets=None, *, lenient=false, reference_bugs=false, packages=None, search=true, mimic=false,
                        actuators="none", floating_base=false, repair_inertia=false))]
    #[allow(clippy::too_many_arguments)]
    fn from_xml_string(
        py: Python<'_>,
        xml: view::Text<'_>,
        assets: Option<Bound<'_, PyDict>>,
        lenient: bool,
        reference_bugs: bool,
        packages: Option<BTreeMap<String, PathBuf>>,
        search: bool,
        mimic: bool,
        actuators: &str,
        floating_base: bool,
        repair_inertia: bool,
    ) -> PyResult<Self> {
        let urdf = loading::urdf_options(packages, search, mimic, actuators, floating_base, repair_inertia)?;
        let options = loading::options(assets, lenient, reference_bugs, urdf)?;
        loading::finish(py, py.detach(|| condyle::load_str(&xml, &options)))
    }

    /// Load a binary model file.
    #[staticmethod]
    #[pyo3(signature = (filename, assets=None, *, reference_bugs=false))]
    fn from_binary_path(
        py: Python<'_>,
        filename: view::FilePath,
        assets: Option<Bound<'_, PyDict>>,
        reference_bugs: bool,
    ) -> PyResult<Self> {
        let filename = filename.0;
        let name = filename.to_string_lossy().into_owned();
        let bytes = match assets.map(|assets| assets.get_item(&name)).transpose()?.flatten() {
            Some(bytes) => bytes.extract::<Vec<u8>>()?,
            None => {
                std::fs::read(&filename).map_err(|error| PyValueError::new_err(format!("{name}: {error}")))?
            }
        };
        Self::from_binary(py, &bytes, Some(name), reference_bugs)
    }

    /// Load a binary model from bytes.
    #[staticmethod]
    #[pyo3(signature = (data, name=None, reference_bugs=false))]
    fn from_binary(
        py: Python<'_>,
        data: &[u8],
        name: Option<String>,
        reference_bugs: bool,
    ) -> PyResult<Self> {
        let name = name.as_deref().unwrap_or("<bytes>");
        let mut model = mjb::read(data).map_err(|error| PyValueError::new_err(format!("{name}: {error}")))?;
        condyle_engine::plugin::check(&model)
            .map_err(|error| PyValueError::new_err(format!("{name}: {error}")))?;
        model.reference_bugs = reference_bugs;
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

    fn __reduce__<'py>(slf: Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyAny>)> {
        let constructor = slf.get_type().getattr("from_binary")?;
        let (py, this) = (slf.py(), slf.get());
        let arguments = (this.to_binary(py), py.None(), this.get().reference_bugs);
        Ok((constructor, arguments.into_pyobject(py)?.into_any()))
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
        Self::field(&slf, name)
    }

    /// Bytes of a record of the model.
    fn _memory<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let (pointer, size) = record::of_model_memory(self.model.get(), name)
            .ok_or_else(|| PyAttributeError::new_err(format!("no record '{name}'")))?;
        let owner = view::Memory::shared(py, &self.model, &self.owner)?;
        // SAFETY: the model is in one place for as long as its owner lives.
        unsafe { view::bytes(&owner, pointer, size) }
    }

    /// Whether the model reproduces bugs of MuJoCo.
    #[getter]
    fn _reference_bugs(&self) -> bool {
        self.get().reference_bugs
    }

    /// A number that tells this model from others, as it is now.
    #[getter]
    fn _fingerprint(&self) -> u64 {
        self.get().fingerprint()
    }

    /// Where the model is in memory.
    #[getter]
    fn _address(&self) -> usize {
        self.model.get().addr()
    }

    /// Rows of objects already asked for.
    #[getter]
    fn _named(&self, py: Python<'_>) -> Option<Py<PyDict>> {
        self.named.as_ref().map(|named| named.clone_ref(py))
    }

    /// The same model without rows of objects, for those rows to hold on to.
    fn _twin(&self, py: Python<'_>) -> Self {
        Self {
            model: self.model.clone(),
            views: self.views.clone_ref(py),
            constants: PyDict::new(py).unbind(),
            exposed: self.exposed.clone(),
            users: self.users.clone(),
            named: None,
            owner: PyOnceLock::new(),
        }
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
        let what = if slf.getattr(&name).is_ok() { "cannot be set" } else { "does not exist" };
        Err(PyAttributeError::new_err(format!("'MjModel' attribute '{text}' {what}")))
    }

    /// Name and meaning of every attribute that is not an array, and of arrays MuJoCo does not have.
    #[staticmethod]
    fn _field_table() -> Vec<(&'static str, &'static str)> {
        let sizes = Model::SIZES.iter().map(|size| (size.name, size.doc));
        let extensions = Model::EXTENSIONS.iter().map(|info| (info.name, info.doc));
        let records = [
            ("opt", "Physics options."),
            ("vis", "View settings."),
            ("stat", "Statistics of the model in its reference configuration."),
            ("signature", "Signature of the structure of the model."),
        ];
        sizes.chain(extensions).chain(records).collect()
    }

    /// Name, dtype, dimensions, width and meaning of every array of MuJoCo's model.
    #[staticmethod]
    fn _array_table() -> Vec<(&'static str, &'static str, Vec<&'static str>, usize, &'static str)> {
        Model::ARRAYS
            .iter()
            .map(|info| (info.name, info.dtype.name(), info.dims.to_vec(), info.width, info.doc))
            .collect()
    }
}
