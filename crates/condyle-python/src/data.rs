//! `MjData`: one simulation whose arrays are numpy views.

use std::collections::HashMap;
use std::ops::{Deref, DerefMut};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

use condyle_engine::data::{DataArray, ScalarValue};
use condyle_engine::{Data, Snapshot};
use pyo3::exceptions::{PyAttributeError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString};

use crate::contact::MjContactList;
use crate::model::MjModel;
use crate::places::Places;
use crate::report::{self, PyStepReport};
use crate::snapshot::PySnapshot;
use crate::solver_stat::{MjSolverStatList, MjTimerStatList};
use crate::view;
use crate::warning::MjWarningStatList;

fn array_index() -> &'static HashMap<&'static str, &'static DataArray> {
    static INDEX: OnceLock<HashMap<&'static str, &'static DataArray>> = OnceLock::new();
    INDEX.get_or_init(|| Data::ARRAYS.iter().map(|array| (array.info.name, array)).collect())
}

/// One simulation of a model.
///
/// Fixed arrays are live numpy views. Arrays that follow the number of contacts or constraints are fresh copies on each access,
/// because their memory can move when they grow.
#[pyclass(module = "condyle", name = "MjData", frozen, weakref)]
pub struct MjData {
    data: Arc<view::Shared<Data>>,
    model: Py<MjModel>,
    /// Views of fixed arrays already made, by name.
    views: Py<PyDict>,
    busy: AtomicBool,
    /// Where the fixed arrays are, when the check that they stay there is on.
    places: Option<Places>,
}

impl MjData {
    fn from_data(py: Python<'_>, data: Data, model: Py<MjModel>) -> Self {
        Self {
            places: Places::recorded(&data),
            data: view::Shared::new(data),
            model,
            views: PyDict::new(py).unbind(),
            busy: AtomicBool::new(false),
        }
    }

    /// The data, for reading a value under the interpreter lock.
    pub fn get(&self) -> &Data {
        // SAFETY: see the `Sync` implementation.
        unsafe { &*self.data.get() }
    }

    /// Exclusive use of the data until the guard is dropped; a second one at the same time is an error instead of a race.
    pub fn lock(&self) -> PyResult<Locked<'_>> {
        if self.busy.swap(true, Ordering::Acquire) {
            return Err(PyRuntimeError::new_err("this MjData is in use by another thread"));
        }
        Ok(Locked(self))
    }

    /// Run `work` with exclusive use of the data.
    pub fn with<R>(&self, work: impl FnOnce(&mut Data) -> R) -> PyResult<R> {
        let mut data = self.lock()?;
        Ok(work(&mut data))
    }

    /// Let Python code called in the middle of `with` use the data meanwhile.
    pub fn lend<R>(&self, work: impl FnOnce() -> R) -> R {
        self.busy.store(false, Ordering::Release);
        let result = work();
        self.busy.store(true, Ordering::Release);
        result
    }

    pub fn model(&self) -> &Py<MjModel> {
        &self.model
    }
}

/// Exclusive use of the data of an [`MjData`].
pub struct Locked<'a>(&'a MjData);

impl Deref for Locked<'_> {
    type Target = Data;

    fn deref(&self) -> &Data {
        // SAFETY: see `deref_mut`.
        unsafe { &*self.0.data.get() }
    }
}

impl DerefMut for Locked<'_> {
    fn deref_mut(&mut self) -> &mut Data {
        // SAFETY: the flag makes this the only mutable borrow.
        unsafe { &mut *self.0.data.get() }
    }
}

impl Drop for Locked<'_> {
    fn drop(&mut self) {
        if let Some(places) = &self.0.places {
            places.check(self);
        }
        self.0.busy.store(false, Ordering::Release);
    }
}

#[pymethods]
impl MjData {
    #[new]
    fn new(py: Python<'_>, model: Py<MjModel>) -> Self {
        let data = Data::new(model.get().get());
        Self::from_data(py, data, model)
    }

    /// The model this simulation was made for.
    #[getter(model)]
    fn model_object(&self, py: Python<'_>) -> Py<MjModel> {
        self.model.clone_ref(py)
    }

    /// Set the simulation aside, to be continued with the same bits.
    fn snapshot(&self) -> PyResult<PySnapshot> {
        self.with(|data| PySnapshot(Snapshot::take(self.model.get().get(), data)))
    }

    /// Continue from a snapshot of the same model. Contacts and constraint rows are there again after the next step or `mj_forward`.
    fn restore(&self, snapshot: &Bound<'_, PySnapshot>) -> PyResult<()> {
        self.with(|data| snapshot.get().0.restore(self.model.get().get(), data))?
            .map_err(|error| PyValueError::new_err(error.to_string()))
    }

    /// A simulation of `model`, continued from a snapshot: what a pickle holds.
    #[staticmethod]
    fn _from_snapshot(
        py: Python<'_>,
        model: Py<MjModel>,
        snapshot: &Bound<'_, PySnapshot>,
    ) -> PyResult<Self> {
        let data = Self::new(py, model);
        data.restore(snapshot)?;
        Ok(data)
    }

    fn __reduce__<'py>(slf: Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (Py<MjModel>, PySnapshot))> {
        let restore = slf.get_type().getattr("_from_snapshot")?;
        Ok((restore, (slf.get().model.clone_ref(slf.py()), slf.get().snapshot()?)))
    }

    fn __repr__(&self) -> String {
        let (model, data) = (self.model.get().get(), self.get());
        format!(
            "<MjData of '{}' at time {}, {} contacts>",
            model.model_name(),
            data.state.time,
            data.contacts.len()
        )
    }

    fn __copy__(&self, py: Python<'_>) -> Self {
        Self::from_data(py, self.get().clone(), self.model.clone_ref(py))
    }

    fn __deepcopy__(&self, py: Python<'_>, _memo: Bound<'_, PyAny>) -> Self {
        self.__copy__(py)
    }

    /// Simulation time.
    #[getter]
    fn time(&self) -> f64 {
        self.get().state.time
    }

    /// Number of contacts.
    #[getter]
    fn ncon(&self) -> usize {
        self.get().contacts.len()
    }

    /// Number of constraint rows.
    #[getter]
    fn nefc(&self) -> usize {
        self.get().rows.nefc
    }

    /// The contacts of the last collision detection.
    #[getter]
    fn contact(slf: Bound<'_, Self>) -> MjContactList {
        MjContactList::new(slf.unbind())
    }

    /// What was asked for before is found by one look into a dictionary.
    fn __getattribute__<'py>(
        slf: &Bound<'py, Self>,
        name: &Bound<'py, PyString>,
    ) -> PyResult<Bound<'py, PyAny>> {
        match slf.get().views.bind(slf.py()).get_item(name)? {
            Some(view) => Ok(view),
            None => view::ordinary_attribute(slf.as_any(), name),
        }
    }

    fn __getattr__<'py>(slf: Bound<'py, Self>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        let this = slf.get();
        let data = this.get();
        if let Some(array) = array_index().get(name)
            && let Some(values) = data.array(name)
        {
            let shape = data.shape(this.model.get().get(), array);
            if array.grows {
                return view::copy(py, values, &shape);
            }
            let memory = view::Memory::of(py, &this.data)?;
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
        let diagnostics = &data.diagnostics;
        match name {
            "warning" => Ok(Bound::new(py, MjWarningStatList::new(slf.clone().unbind()))?.into_any()),
            "solver" => Ok(Bound::new(py, MjSolverStatList::new(slf.clone().unbind()))?.into_any()),
            "report" => Ok(Bound::new(py, PyStepReport::of(py, this)?)?.into_any()),
            "non_finite_policy" => {
                Ok(report::policy_name(diagnostics.non_finite_policy).into_pyobject(py)?.into_any())
            }
            "threads" => Ok(data.threads.into_pyobject(py)?.into_any()),
            "timer" => Ok(Bound::new(py, MjTimerStatList::new(slf.clone().unbind()))?.into_any()),
            // Nothing has a capacity here: what is in use is what there is.
            "maxuse_con" => Ok(data.contacts.len().into_pyobject(py)?.into_any()),
            "maxuse_efc" => slf.getattr("nefc"),
            "maxuse_stack" | "maxuse_arena" => Ok(0_usize.into_pyobject(py)?.into_any()),
            "maxuse_threadstack" => view::copy(py, condyle_model::Values::I64(&[0; 128]), &[128]),
            "solver_niter" => view::copy(py, condyle_model::Values::I32(&diagnostics.solver_niter), &[20]),
            "solver_nnz" => view::copy(py, condyle_model::Values::I32(&diagnostics.solver_nnz), &[20]),
            "solver_fwdinv" => view::copy(py, condyle_model::Values::F64(&diagnostics.solver_fwdinv), &[2]),
            _ => Err(PyAttributeError::new_err(format!("'MjData' object has no attribute '{name}'"))),
        }
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
            _ => match array_index().get(text.as_str()) {
                Some(array) if !array.grows => view::assign(&slf.getattr(&name)?, &value),
                _ => Err(PyAttributeError::new_err(format!("'MjData' attribute '{text}' cannot be set"))),
            },
        }
    }

    fn __dir__(slf: Bound<'_, Self>) -> Vec<String> {
        let mut names: Vec<String> =
            slf.get_type().dir().and_then(|names| names.extract()).unwrap_or_default();
        names.extend(Data::ARRAYS.iter().map(|array| array.info.name.to_owned()));
        names.extend(Data::SCALARS.iter().map(|scalar| scalar.name.to_owned()));
        names.extend(
            [
                "time",
                "ncon",
                "nefc",
                "contact",
                "warning",
                "solver",
                "solver_niter",
                "solver_nnz",
                "solver_fwdinv",
                "timer",
                "maxuse_con",
                "maxuse_efc",
                "maxuse_stack",
                "maxuse_arena",
                "maxuse_threadstack",
                "report",
                "non_finite_policy",
                "threads",
            ]
            .map(str::to_owned),
        );
        names.sort();
        names.dedup();
        names
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
