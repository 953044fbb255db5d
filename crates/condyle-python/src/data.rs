//! `MjData`: one simulation whose arrays are numpy views.

use std::collections::HashMap;
use std::ops::{Deref, DerefMut};
use std::sync::{Arc, OnceLock};

use condyle_engine::data::{DataArray, ScalarValue};
use condyle_engine::{Data, Snapshot};
use condyle_model::{Model, Values};
use pyo3::exceptions::{PyAttributeError, PyValueError};
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyString};

use crate::boundary::{enough_memory, guarded};
use crate::callbacks;
use crate::lists;
use crate::model::MjModel;
use crate::ownership::{Claim, Guard, Lent};
use crate::places::Places;
use crate::record;
use crate::report::{self, PyStepReport};
use crate::snapshot::PySnapshot;
use crate::view;

fn array_index() -> &'static HashMap<&'static str, &'static DataArray> {
    static INDEX: OnceLock<HashMap<&'static str, &'static DataArray>> = OnceLock::new();
    INDEX.get_or_init(|| Data::ARRAYS.iter().map(|array| (array.info.name, array)).collect())
}

/// One simulation of a model.
///
/// Fixed arrays are live numpy views. Arrays that follow the number of contacts or constraints are views that are live until the next
/// call of a function on this data, and keep what they show then.
#[pyclass(module = "condyle", name = "MjData", frozen, weakref)]
pub(crate) struct MjData {
    data: Arc<view::Shared<Data>>,
    guard: Arc<Guard>,
    model: Py<MjModel>,
    /// Views of fixed arrays already made, by name.
    views: Py<PyDict>,
    /// Views of growing arrays made since the engine ran last, by name.
    grown: Py<PyDict>,
    /// Rows of objects already asked for, by kind and name.
    named: Option<Py<PyDict>>,
    /// What views keep alive.
    owner: PyOnceLock<Py<PyAny>>,
    /// Where the fixed arrays are, when the check that they stay there is on.
    places: Option<Places>,
}

impl MjData {
    fn from_data(py: Python<'_>, data: Data, model: Py<MjModel>) -> Self {
        Self {
            places: Places::recorded(&data),
            data: view::Shared::new(data),
            guard: Guard::new(),
            model,
            views: PyDict::new(py).unbind(),
            grown: PyDict::new(py).unbind(),
            named: Some(PyDict::new(py).unbind()),
            owner: PyOnceLock::new(),
        }
    }

    /// The data, for reading until Python code or the engine runs again; an error while another thread has it.
    pub(crate) fn read(&self) -> PyResult<&Data> {
        let pointer = self.guard.for_reading(self.data.get())?;
        // SAFETY: the guard says that nobody changes the data now.
        Ok(unsafe { &*pointer })
    }

    /// The bytes of a list that grows: its own memory, which `lease` says may be shown, or a copy.
    fn list_memory<'py, T: Copy + Send + 'static>(
        &self,
        py: Python<'py>,
        name: &'static str,
        list: &[T],
        lease: bool,
    ) -> PyResult<Bound<'py, PyAny>> {
        if lease {
            let owner = view::Memory::of_lease(py, self.guard.lease(name), &self.data)?;
            let start = list.as_ptr().cast::<u8>().cast_mut();
            // SAFETY: the list is given away to the lease before the engine may move it.
            return unsafe { view::bytes(&owner, start, size_of_val(list)) };
        }
        let copy = view::Shared::new(list.to_vec());
        let owner = view::Memory::of(py, &copy)?;
        // SAFETY: the copy lives as long as its owner.
        unsafe { view::bytes(&owner, (*copy.get()).as_mut_ptr().cast(), size_of_val(list)) }
    }

    /// Exclusive use of the data until the guard is dropped; a second one at the same time is an error instead of a race.
    pub(crate) fn lock(&self) -> PyResult<Locked<'_>> {
        let mut locked = Locked { claim: self.guard.claim(self.data.get())?, places: self.places.as_ref() };
        self.end_leases(&mut locked);
        Ok(locked)
    }

    /// Give growing arrays that views still show away to them.
    fn end_leases(&self, data: &mut Data) {
        if self.guard.has_leases() {
            Python::attach(|py| self.grown.bind(py).clear());
            self.guard.end_leases(data);
        }
    }

    /// Run `work` with exclusive use of the data.
    pub(crate) fn with<R>(&self, work: impl FnOnce(&mut Data) -> R) -> PyResult<R> {
        let mut data = self.lock()?;
        guarded(|| work(&mut data))
    }

    /// Let Python code called in the middle of `with` use the data meanwhile, as far as `lent` says.
    pub(crate) fn lend<R>(&self, lent: Lent, work: impl FnOnce() -> R) -> R {
        let result = self.guard.lend(lent, work);
        if let Lent::All(pointer) = lent {
            // SAFETY: the pointer comes from the engine's exclusive reference, and the engine waits.
            self.end_leases(unsafe { &mut *pointer });
        }
        result
    }

    pub(crate) fn model(&self) -> &Py<MjModel> {
        &self.model
    }

    /// An error unless the data can be used with `model`.
    pub(crate) fn check_fits(&self, m: &Py<MjModel>, data: &Data) -> PyResult<()> {
        if self.model.is(m) || data.fits(m.get().get()) {
            return Ok(());
        }
        Err(PyValueError::new_err(
            "model and data must belong together: this MjData was made for a model with different sizes",
        ))
    }

    /// Whether nobody has the data.
    pub(crate) fn is_idle(&self) -> bool {
        self.guard.is_idle()
    }

    /// Make views of all fixed arrays, for callbacks that may use nothing else.
    pub(crate) fn make_views(slf: &Bound<'_, Self>) -> PyResult<()> {
        let fixed = Data::ARRAYS.iter().filter(|array| !array.grows);
        if slf.get().views.bind(slf.py()).len() < fixed.clone().count() {
            for array in fixed {
                slf.getattr(array.info.name)?;
            }
        }
        Ok(())
    }

    /// Bytes at a place inside the data.
    fn memory<'py>(&self, py: Python<'py>, pointer: *mut u8, size: usize) -> PyResult<Bound<'py, PyAny>> {
        let owner = view::Memory::shared(py, &self.data, &self.owner)?;
        // SAFETY: the data is in one place for as long as its owner lives.
        unsafe { view::bytes(&owner, pointer, size) }
    }

    /// `warning`, `timer`, `solver`: lists of records in the memory of the data.
    fn records<'py>(&self, py: Python<'py>, name: &str, data: &Data) -> PyResult<Bound<'py, PyAny>> {
        let (start, size) = match name {
            "warning" => {
                let all = &data.diagnostics.warning;
                (all.as_ptr().cast::<u8>(), size_of_val(all))
            }
            "timer" => {
                let all = data.timers.stats();
                (all.as_ptr().cast::<u8>(), size_of_val(all))
            }
            _ => {
                let all = data.diagnostics.solver.words();
                (all.as_ptr().cast::<u8>(), size_of_val(all))
            }
        };
        let list = record::of_data(self.memory(py, start.cast_mut(), size)?, name)?;
        self.views.bind(py).set_item(name, &list)?;
        Ok(list)
    }

    /// A view of a growing array, or its copy where the engine is in the middle of a stage.
    fn growing<'py>(&self, py: Python<'py>, array: &DataArray, data: &Data) -> PyResult<Bound<'py, PyAny>> {
        let name = array.info.name;
        let values = data.array(name).ok_or_else(|| missing(name))?;
        let shape = data.shape(self.model.get().get(), array);
        if shape.contains(&0) {
            return view::copy(py, values, &shape);
        }
        if !self.guard.may_lease() {
            return view::read_only(view::copy(py, values, &shape)?);
        }
        let owner = view::Memory::of_lease(py, self.guard.lease(name), &self.data)?;
        // SAFETY: the array is given away to the lease before the engine may move it.
        let view = unsafe { view::array(&owner, values, &shape)? };
        self.grown.bind(py).set_item(name, &view)?;
        Ok(view)
    }

    /// What stands under a name.
    pub(crate) fn field<'py>(slf: &Bound<'py, Self>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        let this = slf.get();
        if name == "time" {
            return Ok(this.time().into_pyobject(py)?.into_any());
        }
        let data = this.read()?;
        if let Some(array) = array_index().get(name)
            && let Some(values) = data.array(name)
        {
            if array.grows {
                return this.growing(py, array, data);
            }
            let shape = data.shape(this.model.get().get(), array);
            let memory = view::Memory::shared(py, &this.data, &this.owner)?;
            // SAFETY: fixed arrays are boxed slices made with the data and never replaced.
            let view = unsafe { view::array(&memory, values, &shape)? };
            this.views.bind(py).set_item(name, &view)?;
            return Ok(view);
        }
        if let Some(scalar) = data.scalar(name) {
            return Ok(match scalar {
                ScalarValue::Real(value) => value.into_pyobject(py)?.into_any(),
                ScalarValue::Count(value) => value.into_pyobject(py)?.into_any(),
                ScalarValue::Flag(value) => i32::from(value).into_pyobject(py)?.into_any(),
            });
        }
        this.other(slf, name, data)
    }

    /// Attributes that no table lists.
    fn other<'py>(&self, slf: &Bound<'py, Self>, name: &str, data: &Data) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        let diagnostics = &data.diagnostics;
        let model = self.model.get().get();
        let number =
            |value: usize| -> PyResult<Bound<'py, PyAny>> { Ok(value.into_pyobject(py)?.into_any()) };
        match name {
            "contact" => self.contact_list(slf),
            "warning" | "solver" | "timer" => self.records(py, name, data),
            "report" => Ok(Bound::new(py, PyStepReport::of(py, self)?)?.into_any()),
            "non_finite_policy" => {
                Ok(report::policy_name(diagnostics.non_finite_policy).into_pyobject(py)?.into_any())
            }
            "threads" => number(data.threads),
            // Nothing has a capacity here: what is in use is what there is.
            "maxuse_con" => number(data.contacts.len()),
            "maxuse_efc" => number(data.rows.nefc),
            "maxuse_stack" | "maxuse_arena" | "parena" | "pbase" | "pstack" | "threadpool" => number(0),
            "narena" => number(model.narena),
            "nbuffer" => number(
                Data::ARRAYS
                    .iter()
                    .filter_map(|array| {
                        data.array(array.info.name).map(|v| v.len() * array.info.dtype.size())
                    })
                    .sum(),
            ),
            "nplugin" => number(model.nplugin),
            "signature" => Ok(model.signature.into_pyobject(py)?.into_any()),
            "plugin_data" => view::copy(py, Values::I64(&vec![0; model.nplugin]), &[model.nplugin]),
            "maxuse_threadstack" => view::read_only(view::copy(py, Values::I64(&[0; 128]), &[128])?),
            "solver_niter" => self.numbers(py, name, Values::I32(&diagnostics.solver_niter)),
            "solver_nnz" => self.numbers(py, name, Values::I32(&diagnostics.solver_nnz)),
            "solver_fwdinv" => self.numbers(py, name, Values::F64(&diagnostics.solver_fwdinv)),
            _ => Err(missing(name)),
        }
    }

    /// The list of contacts, which looks them up each time. It holds on to a twin, so that the data does not keep itself.
    fn contact_list<'py>(&self, slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        let Some(named) = &self.named else {
            return record::of_data(slf.getattr("_contacts")?, "contact");
        };
        if let Some(list) = named.bind(py).get_item("contact")? {
            return Ok(list);
        }
        let contacts = Bound::new(py, self._twin(py))?.getattr("_contacts")?;
        let list = record::of_data(contacts, "contact")?;
        named.bind(py).set_item("contact", &list)?;
        Ok(list)
    }

    /// A view of numbers that lie inside the data itself.
    fn numbers<'py>(&self, py: Python<'py>, name: &str, values: Values<'_>) -> PyResult<Bound<'py, PyAny>> {
        let memory = view::Memory::shared(py, &self.data, &self.owner)?;
        let shape = [values.len()];
        // SAFETY: the data is in one place for as long as its owner lives.
        let view = unsafe { view::array(&memory, values, &shape)? };
        self.views.bind(py).set_item(name, &view)?;
        Ok(view)
    }
}

fn missing(name: &str) -> PyErr {
    PyAttributeError::new_err(format!("'MjData' object has no attribute '{name}'"))
}

/// Model and data for a question: the model checked if it may have been edited, both of the same sizes.
pub(crate) fn pair<'a>(m: &'a Py<MjModel>, d: &'a Py<MjData>) -> PyResult<(&'a Model, &'a Data)> {
    let (model, data) = (m.get().checked()?, d.get().read()?);
    d.get().check_fits(m, data)?;
    Ok((model, data))
}

/// Names of attributes that no table lists.
pub(crate) const OTHER_FIELDS: &[(&str, &str)] = &[
    ("time", "Simulation time, s."),
    ("ncon", "Number of contacts."),
    ("contact", "The contacts of the last collision detection."),
    ("warning", "Counters of warnings, by `mjtWarning`."),
    ("solver", "Progress of the solver, 200 iterations for each of 20 islands."),
    ("solver_niter", "Solver iterations per island."),
    ("solver_nnz", "Non-zeros of the Hessian or of the dual matrix per island."),
    ("solver_fwdinv", "Disagreement of forward and inverse dynamics: constraint forces, applied forces."),
    ("timer", "Counters and stopwatches of the stages, by `mjtTimer`."),
    ("maxuse_con", "Contacts in use; there is no capacity."),
    ("maxuse_efc", "Constraint rows in use; there is no capacity."),
    ("maxuse_stack", "0: there is no stack."),
    ("maxuse_arena", "0: there is no arena."),
    ("maxuse_threadstack", "Zeros: there is no stack."),
    ("parena", "0: there is no arena."),
    ("pbase", "0: there is no stack."),
    ("pstack", "0: there is no stack."),
    ("threadpool", "0: threads are set by `threads`."),
    ("narena", "Bytes of working memory MuJoCo would reserve."),
    ("nbuffer", "Bytes of all arrays."),
    ("nplugin", "Plugin instances."),
    ("plugin_data", "Zeros: what plugins keep is theirs."),
    ("signature", "Signature of the model."),
    ("report", "What happened in the latest step."),
    ("non_finite_policy", "What a step does about an invalid value: 'auto_reset', 'hold' or 'error'."),
    ("threads", "How many threads may solve islands."),
];

/// Exclusive use of the data of an [`MjData`].
pub(crate) struct Locked<'a> {
    claim: Claim<'a>,
    places: Option<&'a Places>,
}

impl Drop for Locked<'_> {
    fn drop(&mut self) {
        if let Some(places) = self.places {
            places.check(self);
        }
    }
}

impl Deref for Locked<'_> {
    type Target = Data;

    fn deref(&self) -> &Data {
        // SAFETY: see `deref_mut`.
        unsafe { &*self.claim.pointer }
    }
}

impl DerefMut for Locked<'_> {
    fn deref_mut(&mut self) -> &mut Data {
        // SAFETY: the claim makes this the only borrow.
        unsafe { &mut *self.claim.pointer }
    }
}

#[pymethods]
impl MjData {
    #[new]
    fn new(py: Python<'_>, model: Py<MjModel>) -> PyResult<Self> {
        let compiled = model.get().checked()?;
        enough_memory(condyle_spec::data_bytes(compiled))?;
        let mut data = guarded(|| Data::new(compiled))?;
        data.timers.set_clock(callbacks::default_clock());
        Ok(Self::from_data(py, data, model))
    }

    /// The model this simulation was made for.
    #[getter(model)]
    fn model_object(&self, py: Python<'_>) -> Py<MjModel> {
        self.model.clone_ref(py)
    }

    /// Set the simulation aside, to be continued with the same bits.
    fn snapshot(&self) -> PyResult<PySnapshot> {
        Ok(PySnapshot(Snapshot::take(self.model.get().get(), self.read()?)))
    }

    /// Continue from a snapshot of the same model. Contacts and constraint rows are there again after the next step or `mj_forward`.
    fn restore(&self, snapshot: &Bound<'_, PySnapshot>) -> PyResult<()> {
        self.with(|data| snapshot.get().0.restore(self.model.get().get(), data))?
            .map_err(|error| PyValueError::new_err(error.to_string()))
    }

    /// A simulation of `model`, continued from a snapshot: what a pickle holds. Contacts, rows and counters are in `lists`.
    #[staticmethod]
    #[pyo3(signature = (model, snapshot, lists=None))]
    fn _from_snapshot(
        py: Python<'_>,
        model: Py<MjModel>,
        snapshot: &Bound<'_, PySnapshot>,
        lists: Option<Bound<'_, PyDict>>,
    ) -> PyResult<Self> {
        let data = Self::new(py, model)?;
        data.restore(snapshot)?;
        let mut locked = data.lock()?;
        for (name, value) in lists.iter().flat_map(|lists| lists.iter()) {
            lists::restore(&mut locked, &name.extract::<String>()?, &value)?;
        }
        drop(locked);
        Ok(data)
    }

    fn __reduce__<'py>(
        slf: Bound<'py, Self>,
    ) -> PyResult<(Bound<'py, PyAny>, (Py<MjModel>, PySnapshot, Bound<'py, PyDict>))> {
        let restore = slf.get_type().getattr("_from_snapshot")?;
        let lists = lists::save(slf.py(), slf.get().read()?)?;
        Ok((restore, (slf.get().model.clone_ref(slf.py()), slf.get().snapshot()?, lists)))
    }

    fn __repr__(&self) -> PyResult<String> {
        let (model, data) = (self.model.get().get(), self.read()?);
        Ok(format!(
            "<MjData of '{}' at time {}, {} contacts>",
            model.model_name(),
            data.state.time,
            data.contacts.len()
        ))
    }

    fn __copy__(&self, py: Python<'_>) -> PyResult<Self> {
        enough_memory(condyle_spec::data_bytes(self.model.get().get()))?;
        Ok(Self::from_data(py, self.read()?.clone(), self.model.clone_ref(py)))
    }

    /// A copy with a copy of the model.
    fn __deepcopy__(&self, py: Python<'_>, memo: Bound<'_, PyAny>) -> PyResult<Self> {
        enough_memory(condyle_spec::data_bytes(self.model.get().get()))?;
        let model = py.import("copy")?.call_method1("deepcopy", (&self.model, memo))?;
        Ok(Self::from_data(py, self.read()?.clone(), model.cast_into::<MjModel>()?.unbind()))
    }

    /// Simulation time; while another thread steps, that of the moment.
    #[getter]
    fn time(&self) -> f64 {
        // SAFETY: the data is in one place for as long as it lives; the number is read as views read theirs.
        unsafe { (&raw const (*self.data.get()).state.time).read_volatile() }
    }

    /// Where the simulation is in memory.
    #[getter]
    fn _address(&self) -> usize {
        self.data.get().addr()
    }

    /// Rows of objects already asked for.
    #[getter]
    fn _named(&self, py: Python<'_>) -> Option<Py<PyDict>> {
        self.named.as_ref().map(|named| named.clone_ref(py))
    }

    /// The same simulation without rows of objects, for those rows to hold on to.
    fn _twin(&self, py: Python<'_>) -> Self {
        Self {
            data: self.data.clone(),
            guard: self.guard.clone(),
            model: self.model.clone_ref(py),
            views: self.views.clone_ref(py),
            grown: self.grown.clone_ref(py),
            places: None,
            named: None,
            owner: PyOnceLock::new(),
        }
    }

    /// The contacts as arrays of records.
    fn _contacts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        if let Some(known) = self.grown.bind(py).get_item("_contacts of now")? {
            return Ok(known);
        }
        let data = self.read()?;
        let lease = !data.contacts.is_empty() && self.guard.may_lease();
        let found = self.list_memory(py, "contact", &data.contacts, lease)?;
        // The solver has written Hessians for all contacts or for none.
        let whole = data.cone_hessians.len() == data.contacts.len();
        let hessians = if whole {
            Some(self.list_memory(py, "cone_hessian", &data.cone_hessians, lease)?)
        } else {
            None
        };
        let contacts = record::contacts(&found, hessians.as_ref())?;
        if lease {
            self.grown.bind(py).set_item("_contacts of now", &contacts)?;
        }
        Ok(contacts)
    }

    /// What was asked for before is found by one look into a dictionary.
    fn __getattribute__<'py>(
        slf: &Bound<'py, Self>,
        name: &Bound<'py, PyString>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let (py, this) = (slf.py(), slf.get());
        for known in [&this.views, &this.grown] {
            if let Some(view) = known.bind(py).get_item(name)? {
                return Ok(view);
            }
        }
        view::ordinary_attribute(slf.as_any(), name)
    }

    fn __getattr__<'py>(slf: Bound<'py, Self>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        Self::field(&slf, name)
    }

    fn __setattr__(slf: Bound<'_, Self>, name: Bound<'_, PyString>, value: Bound<'_, PyAny>) -> PyResult<()> {
        if let Some(view) = slf.get().views.bind(slf.py()).get_item(&name)? {
            return view::assign(&view, &value);
        }
        let text: String = name.extract()?;
        match text.as_str() {
            "time" => {
                let time: f64 = value.extract()?;
                slf.get().with(|data| data.state.time = time)
            }
            "non_finite_policy" => {
                let policy = report::policy_from_name(&value.extract::<String>()?)?;
                slf.get().with(|data| data.diagnostics.non_finite_policy = policy)
            }
            "threads" => {
                let threads: usize = value.extract()?;
                slf.get().with(|data| data.threads = threads)
            }
            _ if array_index().contains_key(text.as_str()) || text.starts_with("solver_") => {
                view::assign(&slf.getattr(&name)?, &value)
            }
            _ => {
                let known = slf.getattr(&name).is_ok();
                let what = if known { "cannot be set" } else { "does not exist" };
                Err(PyAttributeError::new_err(format!("'MjData' attribute '{text}' {what}")))
            }
        }
    }

    /// Name and meaning of every attribute that is not an array.
    #[staticmethod]
    fn _field_table() -> Vec<(&'static str, &'static str)> {
        let scalars = Data::SCALARS.iter().map(|scalar| (scalar.name, scalar.doc));
        scalars.chain(OTHER_FIELDS.iter().copied()).collect()
    }

    /// Groups of the data in the order of the pipeline, the contacts before the rows that come from them.
    #[staticmethod]
    fn _groups() -> Vec<&'static str> {
        let names = Data::GROUPS.iter().map(|group| group.name);
        names.flat_map(|name| (name == "rows").then_some("contacts").into_iter().chain([name])).collect()
    }

    /// Counters and flags with their groups.
    #[staticmethod]
    fn _scalar_table() -> Vec<(&'static str, &'static str)> {
        Data::SCALARS.iter().map(|scalar| (scalar.name, scalar.group)).collect()
    }

    /// Name, dtype, dimensions, width, meaning, group and whether it grows, of every array.
    #[staticmethod]
    #[allow(clippy::type_complexity)]
    fn _array_table()
    -> Vec<(&'static str, &'static str, Vec<&'static str>, usize, &'static str, &'static str, bool)> {
        Data::ARRAYS
            .iter()
            .map(|array| {
                let info = &array.info;
                (
                    info.name,
                    info.dtype.name(),
                    info.dims.to_vec(),
                    info.width,
                    info.doc,
                    array.group,
                    array.grows,
                )
            })
            .collect()
    }
}
