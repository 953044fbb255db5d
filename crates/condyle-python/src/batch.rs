//! Many simulations at once: what `condyle.batch` calls once shapes and names are known.
//!
//! Rows of all simulations are numpy views on the memory of the batch, which stays where it is for as long as a view lives. While a call
//! runs the interpreter lock is released: a view then shows numbers from the middle of it, as views of `MjData` do.

use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use condyle::batch::{
    Batch, BatchError, BatchOptions, INTEGRATION, JacobianTarget, Rays, Record, RecordItem, Rollout,
    STATE_FIELDS, StepOptions, data_fields, model_fields,
};
use condyle_engine::state;
use condyle_model::options::Statistic;
use condyle_model::{Model, Stage, Values, ValuesMut};
use numpy::{
    Element, PyArrayDyn, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2, PyReadonlyArray3,
    PyReadwriteArray2, PyReadwriteArray3, PyReadwriteArrayDyn, PyUntypedArrayMethods,
};
use pyo3::exceptions::{PyIndexError, PyMemoryError, PyRuntimeError, PyTypeError, PyValueError};
use pyo3::prelude::*;

use crate::boundary::guarded;
use crate::callbacks;
use crate::data::MjData;
use crate::mju::FatalError;
use crate::model::MjModel;
use crate::render::batch::PyBatchRenderer;
use crate::vis::MjvCamera;
use crate::{report, view};

type Array<'py> = Bound<'py, PyAny>;
type Ids<'py> = Option<PyReadonlyArray1<'py, i32>>;

/// Simulations of one model, with their threads. `condyle.Batch` is the convenient way to use it.
#[pyclass(module = "condyle", name = "_Batch", frozen)]
pub(crate) struct PyBatch {
    batch: Arc<view::Shared<Batch>>,
    busy: AtomicBool,
}

fn refused(error: BatchError) -> PyErr {
    match error {
        BatchError::Expanded | BatchError::ModelsSet => FatalError::new_err(error.to_string()),
        BatchError::Memory { .. } => PyMemoryError::new_err(error.to_string()),
        BatchError::Threads(_) | BatchError::Failed(_) => PyRuntimeError::new_err(error.to_string()),
        _ => PyValueError::new_err(error.to_string()),
    }
}

/// How many simulations failed; an error if the call could not be made.
fn failures(result: Result<(), BatchError>) -> PyResult<usize> {
    match result {
        Ok(()) => Ok(0),
        Err(BatchError::Failed(error)) => Ok(error.ids.len()),
        Err(error) => Err(refused(error)),
    }
}

fn stage(number: i32) -> PyResult<Stage> {
    Stage::from_i32(number).ok_or_else(|| PyValueError::new_err(format!("no stage {number}")))
}

/// A number of steps.
fn steps(nstep: i64) -> PyResult<usize> {
    usize::try_from(nstep)
        .map_err(|_| PyValueError::new_err(format!("nstep must not be negative, got {nstep}")))
}

/// A number of one simulation of the batch.
fn simulation(batch: &Batch, sim: i64) -> PyResult<usize> {
    usize::try_from(sim)
        .ok()
        .filter(|sim| *sim < batch.len())
        .ok_or_else(|| PyIndexError::new_err(format!("sim must be in [0, {}), got {sim}", batch.len())))
}

/// Numbers of simulations; negative ones are none.
fn indices(ids: &Ids<'_>) -> PyResult<Option<Vec<usize>>> {
    let Some(ids) = ids else { return Ok(None) };
    let index = |id: &i32| {
        usize::try_from(*id).map_err(|_| PyValueError::new_err(format!("ids must not be negative, got {id}")))
    };
    ids.as_array().iter().map(index).collect::<PyResult<_>>().map(Some)
}

/// The numbers of an array without gaps.
fn slice<'a, T: Element, D: numpy::ndarray::Dimension>(
    array: &'a numpy::PyReadonlyArray<'_, T, D>,
) -> PyResult<&'a [T]> {
    array.as_slice().map_err(|_| PyTypeError::new_err("an array must be contiguous"))
}

fn slice_mut<'a, T: Element, D: numpy::ndarray::Dimension>(
    array: &'a mut numpy::PyReadwriteArray<'_, T, D>,
) -> PyResult<&'a mut [T]> {
    array.as_slice_mut().map_err(|_| PyTypeError::new_err("an array must be contiguous"))
}

/// An array of one shape, or an error that names both.
fn require(found: &[usize], expected: &[usize]) -> PyResult<()> {
    if found == expected {
        return Ok(());
    }
    let show = |shape: &[usize]| {
        let numbers: Vec<String> = shape.iter().map(usize::to_string).collect();
        format!("({})", numbers.join(", "))
    };
    Err(PyValueError::new_err(format!("expected shape {}, got {}", show(expected), show(found))))
}

/// An array of any type to write records to.
enum Buffer<'py> {
    F64(PyReadwriteArrayDyn<'py, f64>),
    F32(PyReadwriteArrayDyn<'py, f32>),
    I32(PyReadwriteArrayDyn<'py, i32>),
    U8(PyReadwriteArrayDyn<'py, u8>),
}

impl<'py> Buffer<'py> {
    fn new(array: &Array<'py>) -> PyResult<Self> {
        fn writable<'py, T: Element>(
            array: &Bound<'py, PyArrayDyn<T>>,
        ) -> PyResult<PyReadwriteArrayDyn<'py, T>> {
            array.try_readwrite().map_err(|error| PyValueError::new_err(error.to_string()))
        }
        if let Ok(array) = array.cast::<PyArrayDyn<f64>>() {
            return writable(array).map(Self::F64);
        }
        if let Ok(array) = array.cast::<PyArrayDyn<i32>>() {
            return writable(array).map(Self::I32);
        }
        if let Ok(array) = array.cast::<PyArrayDyn<u8>>() {
            return writable(array).map(Self::U8);
        }
        if let Ok(array) = array.cast::<PyArrayDyn<f32>>() {
            return writable(array).map(Self::F32);
        }
        Err(PyValueError::new_err("a record needs an array of the type of its field"))
    }

    fn values(&mut self) -> PyResult<ValuesMut<'_>> {
        Ok(match self {
            Self::F64(array) => ValuesMut::F64(slice_mut(array)?),
            Self::F32(array) => ValuesMut::F32(slice_mut(array)?),
            Self::I32(array) => ValuesMut::I32(slice_mut(array)?),
            Self::U8(array) => ValuesMut::U8(slice_mut(array)?),
        })
    }
}

/// The batch while a call has it.
struct Claim<'a>(&'a PyBatch);

impl Drop for Claim<'_> {
    fn drop(&mut self) {
        self.0.busy.store(false, Ordering::Release);
    }
}

impl PyBatch {
    /// Use the batch; a second call at the same time is an error instead of a race.
    fn with<R>(&self, work: impl FnOnce(&mut Batch) -> PyResult<R>) -> PyResult<R> {
        if self.busy.swap(true, Ordering::Acquire) {
            return Err(PyRuntimeError::new_err("this Batch is in use by another thread"));
        }
        let _claim = Claim(self);
        // SAFETY: the claim makes this the only borrow; views are read and written as those of `MjData` are.
        work(unsafe { &mut *self.batch.get() })
    }

    /// Run simulations with the interpreter lock released.
    fn run(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut Batch) -> Result<(), BatchError> + Send,
    ) -> PyResult<usize> {
        callbacks::refuse_for_batches()?;
        self.with(|batch| failures(py.detach(|| guarded(|| work(batch)))?))
    }

    /// A view of an array of the batch.
    fn view<'py>(&self, py: Python<'py>, values: Values<'_>, shape: &[usize]) -> PyResult<Array<'py>> {
        let owner = view::Memory::of(py, &self.batch)?;
        // SAFETY: arrays of a batch are boxed slices that are never replaced while it lives.
        unsafe { view::array(&owner, values, shape) }
    }

    fn rows<'py>(
        &self,
        py: Python<'py>,
        batch: &Batch,
        name: &str,
        values: Values<'_>,
    ) -> PyResult<Array<'py>> {
        let mut shape = vec![batch.len()];
        shape.extend_from_slice(batch.shape(name).unwrap_or_default());
        self.view(py, values, &shape)
    }
}

#[pymethods]
impl PyBatch {
    #[new]
    #[pyo3(signature = (model, nsim, nthread=0, persistent=false))]
    fn new(py: Python<'_>, model: &MjModel, nsim: i64, nthread: i64, persistent: bool) -> PyResult<Self> {
        callbacks::refuse_for_batches()?;
        let simulations =
            usize::try_from(nsim).map_err(|_| PyValueError::new_err("nsim must not be negative"))?;
        let threads = usize::try_from(nthread).unwrap_or(0);
        if threads > 4096 {
            return Err(PyValueError::new_err("nthread is out of range"));
        }
        let options = BatchOptions::default().threads(threads).persistent(persistent);
        let compiled = model.checked()?;
        let batch = py
            .detach(|| guarded(|| Batch::with_options(compiled, simulations, options)))?
            .map_err(refused)?;
        Ok(Self { batch: view::Shared::new(batch), busy: AtomicBool::new(false) })
    }

    #[getter]
    fn nsim(&self) -> PyResult<usize> {
        self.with(|batch| Ok(batch.len()))
    }

    #[getter]
    fn nthread(&self) -> PyResult<usize> {
        self.with(|batch| Ok(batch.threads()))
    }

    #[getter]
    fn nstate(&self) -> PyResult<usize> {
        self.with(|batch| Ok(batch.state_size()))
    }

    #[getter]
    fn persistent(&self) -> PyResult<bool> {
        self.with(|batch| Ok(batch.is_persistent()))
    }

    #[getter]
    fn non_finite_policy(&self) -> PyResult<&'static str> {
        self.with(|batch| Ok(report::policy_name(batch.non_finite_policy())))
    }

    fn set_non_finite_policy(&self, policy: &str) -> PyResult<()> {
        let policy = report::policy_from_name(policy)?;
        self.with(|batch| {
            batch.set_non_finite_policy(policy);
            Ok(())
        })
    }

    /// The rows of the state.
    fn state<'py>(&self, py: Python<'py>) -> PyResult<Array<'py>> {
        self.with(|batch| self.view(py, Values::F64(batch.state()), &[batch.len(), batch.state_size()]))
    }

    /// Counters of warnings.
    fn warning<'py>(&self, py: Python<'py>) -> PyResult<Array<'py>> {
        let kinds = condyle::batch::WARNING_WIDTH / 2;
        self.with(|batch| self.view(py, Values::I32(batch.warnings()), &[batch.len(), kinds, 2]))
    }

    /// Which simulations failed in their last call.
    fn status<'py>(&self, py: Python<'py>) -> PyResult<Array<'py>> {
        self.with(|batch| self.view(py, Values::I32(batch.status()), &[batch.len()]))
    }

    /// Where a component of the state stands in a row, and its size.
    fn state_component(&self, component: u32) -> PyResult<(usize, usize)> {
        self.with(|batch| {
            let known = STATE_FIELDS.iter().find(|(_, bit)| *bit == component);
            let range = known.and_then(|(name, _)| batch.component_range(name));
            let range = range.ok_or_else(|| PyValueError::new_err(format!("no component {component}")))?;
            Ok((range.start, range.len()))
        })
    }

    fn error(&self, sim: i64) -> PyResult<String> {
        self.with(|batch| Ok(batch.error(simulation(batch, sim)?).to_owned()))
    }

    /// Copy an array of the data out after every call; `None` if there is none of this name.
    fn output<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Option<Array<'py>>> {
        self.with(|batch| {
            match batch.bind(name) {
                Err(BatchError::NotBindable(_)) => return Ok(None),
                result => result.map_err(refused)?,
            }
            batch.output(name).map(|values| self.rows(py, batch, name, values)).transpose()
        })
    }

    /// Give each simulation values of its own for an array of the model; `None` if there is none of this name.
    fn expand<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Option<Array<'py>>> {
        self.with(|batch| {
            match batch.expand(name).map(|_| ()) {
                Err(BatchError::NotExpandable(_)) => return Ok(None),
                result => result.map_err(refused)?,
            }
            batch.expanded(name).map(|values| self.rows(py, batch, name, values)).transpose()
        })
    }

    /// The values of an expanded array, read-only; `None` if it is not expanded.
    fn expanded<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Option<Array<'py>>> {
        self.with(|batch| {
            let rows = batch.expanded(name).map(|values| self.rows(py, batch, name, values)).transpose()?;
            rows.map(view::read_only).transpose()
        })
    }

    /// What `set_const` computed that stands in no array, one row for each simulation; `None` before the first call.
    fn constants(&self) -> PyResult<Option<Vec<[f64; 8]>>> {
        self.with(|batch| {
            let row = |(stat, ngravcomp): (Statistic, usize)| {
                let [x, y, z] = stat.center;
                [stat.meaninertia, stat.meanmass, stat.meansize, stat.extent, x, y, z, ngravcomp as f64]
            };
            let rows: Vec<_> = batch.constants().into_iter().map(row).collect();
            Ok((!rows.is_empty()).then_some(rows))
        })
    }

    /// Take over what `constants` of another batch gave.
    fn restore_constants(&self, rows: Vec<[f64; 8]>) -> PyResult<()> {
        let constants: Vec<_> = rows
            .into_iter()
            .map(|[meaninertia, meanmass, meansize, extent, x, y, z, ngravcomp]| {
                let stat = Statistic { meaninertia, meanmass, meansize, extent, center: [x, y, z] };
                (stat, ngravcomp as usize)
            })
            .collect();
        self.with(|batch| batch.restore_constants(&constants).map_err(refused))
    }

    #[pyo3(signature = (ids, nstep, stage_number, body_forces=false))]
    fn step(
        &self,
        py: Python<'_>,
        ids: Ids<'_>,
        nstep: i64,
        stage_number: i32,
        body_forces: bool,
    ) -> PyResult<usize> {
        let ids = indices(&ids)?;
        let (steps, stage) = (steps(nstep)?, stage(stage_number)?);
        self.run(py, |batch| {
            batch.step_with(ids.as_deref(), StepOptions::new(steps).stage(stage).body_forces(body_forces))
        })
    }

    fn forward(&self, py: Python<'_>, ids: Ids<'_>, stage_number: i32) -> PyResult<usize> {
        let (ids, stage) = (indices(&ids)?, stage(stage_number)?);
        self.run(py, |batch| batch.forward_to(ids.as_deref(), stage))
    }

    fn reset(
        &self,
        py: Python<'_>,
        ids: Ids<'_>,
        keys: Option<PyReadonlyArray1<'_, i32>>,
        stage_number: i32,
    ) -> PyResult<usize> {
        let (ids, stage) = (indices(&ids)?, stage(stage_number)?);
        let keys: Vec<i32> = keys.map_or_else(|| vec![-1], |keys| keys.as_array().iter().copied().collect());
        self.run(py, |batch| batch.reset(ids.as_deref(), &keys, stage))
    }

    fn set_const(&self, py: Python<'_>, ids: Ids<'_>) -> PyResult<usize> {
        let ids = indices(&ids)?;
        self.run(py, |batch| batch.set_const(ids.as_deref()))
    }

    /// Steps with controls; `records` are `(name, 0, array)` or `(None, components, array)`.
    fn rollout<'py>(
        &self,
        py: Python<'py>,
        ids: Ids<'py>,
        nstep: i64,
        control: Option<PyReadonlyArray3<'py, f64>>,
        control_spec: u32,
        records: Vec<(Option<String>, i64, Array<'py>)>,
    ) -> PyResult<usize> {
        let ids = indices(&ids)?;
        let steps = steps(nstep)?;
        let controls = control.as_ref().map(slice).transpose()?;
        let mut buffers: Vec<Buffer<'py>> =
            records.iter().map(|(_, _, array)| Buffer::new(array)).collect::<PyResult<_>>()?;
        let mut items = Vec::new();
        for ((name, spec, array), buffer) in records.iter().zip(&mut buffers) {
            let item = match name {
                Some(name) => {
                    let template = self.template(name)?;
                    if let Some(dtype) = template
                        && !array.cast::<numpy::PyUntypedArray>()?.dtype().to_string().ends_with(dtype)
                    {
                        return Err(PyValueError::new_err(format!("{name} is recorded as {dtype}")));
                    }
                    RecordItem::Field(name)
                }
                None => {
                    let invalid = || PyValueError::new_err(format!("invalid state signature {spec}"));
                    RecordItem::State(u32::try_from(*spec).map_err(|_| invalid())?)
                }
            };
            items.push(Record { item, values: buffer.values()? });
        }
        let rollout = Rollout { steps, controls, control_signature: control_spec, records: items };
        self.run(py, |batch| batch.rollout(ids.as_deref(), rollout))
    }

    fn jac<'py>(
        &self,
        py: Python<'py>,
        ids: Ids<'py>,
        body: PyReadonlyArray1<'py, i32>,
        point: PyReadonlyArray2<'py, f64>,
        mut jacp: Option<PyReadwriteArray3<'py, f64>>,
        mut jacr: Option<PyReadwriteArray3<'py, f64>>,
    ) -> PyResult<usize> {
        let ids = indices(&ids)?;
        let (nsim, nv) = self.with(|batch| Ok((batch.len(), batch.model().nv)))?;
        let count = ids.as_ref().map_or(nsim, Vec::len);
        require(point.shape(), &[count, 3])?;
        for array in [&jacp, &jacr].into_iter().flatten() {
            require(array.shape(), &[count, 3, nv])?;
        }
        let target = JacobianTarget { bodies: slice(&body)?, points: slice(&point)?.as_chunks().0 };
        let jacp = jacp.as_mut().map(slice_mut).transpose()?;
        let jacr = jacr.as_mut().map(slice_mut).transpose()?;
        self.run(py, |batch| batch.jac(ids.as_deref(), target, jacp, jacr))
    }

    #[pyo3(signature = (ids, pnt, vec, geomgroup, flg_static, bodyexclude, dist, geomid, normal=None))]
    fn ray<'py>(
        &self,
        py: Python<'py>,
        ids: Ids<'py>,
        pnt: PyReadonlyArray3<'py, f64>,
        vec: PyReadonlyArray3<'py, f64>,
        geomgroup: Option<PyReadonlyArray1<'py, u8>>,
        flg_static: bool,
        bodyexclude: PyReadonlyArray2<'py, i32>,
        mut dist: PyReadwriteArray2<'py, f64>,
        mut geomid: PyReadwriteArray2<'py, i32>,
        mut normal: Option<PyReadwriteArray3<'py, f64>>,
    ) -> PyResult<usize> {
        let ids = indices(&ids)?;
        let groups = match geomgroup {
            Some(groups) => {
                let groups = slice(&groups)?;
                require(&[groups.len()], &[6])?;
                Some(std::array::from_fn(|group| groups[group] != 0))
            }
            None => None,
        };
        let rays = Rays {
            origins: slice(&pnt)?.as_chunks().0,
            directions: slice(&vec)?.as_chunks().0,
            exclude: slice(&bodyexclude)?,
            groups,
            include_static: flg_static,
            count: pnt.shape()[1],
        };
        let (dist, geomid) = (slice_mut(&mut dist)?, slice_mut(&mut geomid)?);
        let normal = normal.as_mut().map(slice_mut).transpose()?;
        self.run(py, |batch| batch.ray(ids.as_deref(), rays, dist, geomid, normal))
    }

    /// Run simulation `i` on a copy of `models[i]`, all on one, or with `None` on the batch's model.
    fn set_models(&self, models: Option<Vec<Py<MjModel>>>) -> PyResult<()> {
        let mut known: HashMap<*const Model, Arc<Model>> = HashMap::new();
        let models = models
            .map(|models| {
                let copy = |model: &Py<MjModel>| {
                    let model = model.get().checked()?;
                    let copy = known.entry(model).or_insert_with(|| Arc::new(model.clone()));
                    Ok(copy.clone())
                };
                models.iter().map(copy).collect::<PyResult<Vec<_>>>()
            })
            .transpose()?;
        self.with(|batch| batch.set_models(models).map_err(refused))
    }

    /// The model of one simulation, written into `model` if there is one.
    fn get_model(&self, py: Python<'_>, sim: i64, model: Option<Py<MjModel>>) -> PyResult<Py<MjModel>> {
        let own = self.with(|batch| batch.get_model(simulation(batch, sim)?).map_err(refused))?;
        match model {
            Some(model) => {
                model.get().edit(py, |target| {
                    let fits = target.copy_in_place(&own);
                    fits.then_some(()).ok_or_else(|| PyValueError::new_err("the model has other sizes"))
                })?;
                Ok(model)
            }
            None => Py::new(py, MjModel::from_model(py, own)),
        }
    }

    /// Write the state of one simulation into a data.
    fn get_data(&self, sim: i64, data: &MjData) -> PyResult<()> {
        let mut locked = data.lock()?;
        self.with(|batch| batch.get_data(simulation(batch, sim)?, &mut locked).map_err(refused))
    }

    /// What takes pictures of the simulations, on the threads of the batch.
    fn renderer(&self, width: usize, height: usize) -> PyResult<PyBatchRenderer> {
        self.with(|batch| PyBatchRenderer::of_batch(batch, width, height))
    }

    /// Take pictures of rows of the state.
    fn draw(
        &self,
        py: Python<'_>,
        renderer: &PyBatchRenderer,
        rows: PyReadonlyArray2<'_, f64>,
        cameras: Vec<Py<MjvCamera>>,
        flags: Option<Vec<u8>>,
        arrays: Bound<'_, PyAny>,
    ) -> PyResult<()> {
        callbacks::refuse_for_batches()?;
        let rows = slice(&rows)?;
        self.with(|batch| renderer.draw_rows(py, batch.model(), rows, &cameras, flags.as_deref(), &arrays))
    }
}

impl PyBatch {
    /// The type of a field as it is recorded.
    fn template(&self, name: &str) -> PyResult<Option<&'static str>> {
        let arrays = condyle_engine::Data::ARRAYS.iter().find(|array| array.info.name == name);
        Ok(match name {
            "solver_fwdinv" => Some("float64"),
            "solver_niter" | "solver_nnz" => Some("int32"),
            _ => arrays.map(|array| array.info.dtype.name()),
        })
    }
}

/// Names `bind` takes, names `expand` takes, and the components of the state with their bits.
#[pyfunction]
fn _batch_fields() -> (Vec<&'static str>, Vec<String>, Vec<(&'static str, u32)>) {
    (data_fields(), model_fields(), STATE_FIELDS.to_vec())
}

/// Numbers of a row of the state.
#[pyfunction]
fn _batch_row_size(model: &MjModel) -> usize {
    state::size(model.get(), INTEGRATION)
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<PyBatch>()?;
    module.add_function(wrap_pyfunction!(_batch_fields, module)?)?;
    module.add_function(wrap_pyfunction!(_batch_row_size, module)?)
}
