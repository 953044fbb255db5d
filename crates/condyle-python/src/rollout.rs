//! Batches of trajectories: what `condyle.rollout` calls once it knows all shapes.

use std::sync::{Arc, Mutex, PoisonError};

use condyle::rollout::{Output, Rollout, RolloutError, Trajectories};
use condyle_engine::Data;
use condyle_model::Model;
use numpy::{PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn, PyReadwriteArrayDyn, PyUntypedArrayMethods};
use pyo3::exceptions::{PyIndexError, PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyList;

use crate::boundary::{Interrupt, guarded};
use crate::callbacks::BatchCallbacks;
use crate::data::{Locked, MjData};
use crate::mju::FatalError;
use crate::model::MjModel;

type Array<'py> = Bound<'py, PyArrayDyn<f64>>;

/// Threads for batches of trajectories. `condyle.rollout` is the convenient way to use them.
#[pyclass(module = "condyle", name = "_Rollout", frozen)]
pub(crate) struct PyRollout {
    nthread: i64,
    /// The threads, and the process they live in.
    rollout: Mutex<(u32, Arc<Rollout>)>,
}

fn refused(error: RolloutError) -> PyErr {
    match error {
        RolloutError::Signature(_) => FatalError::new_err(error.to_string()),
        RolloutError::Threads(_) => pyo3::exceptions::PyRuntimeError::new_err(error.to_string()),
        _ => PyValueError::new_err(error.to_string()),
    }
}

/// The numbers of an input, row by row.
struct Input<'py> {
    array: PyReadonlyArrayDyn<'py, f64>,
    /// Its own copy when the array has gaps or another order.
    copy: Option<Vec<f64>>,
}

impl<'py> Input<'py> {
    fn new(array: &Array<'py>) -> PyResult<Self> {
        let array = array.try_readonly().map_err(|error| PyValueError::new_err(error.to_string()))?;
        let copy = array.as_slice().is_err().then(|| array.as_array().iter().copied().collect());
        Ok(Self { array, copy })
    }

    fn optional(array: Option<&Array<'py>>) -> PyResult<Option<Self>> {
        array.map(Self::new).transpose()
    }

    fn slice(&self) -> &[f64] {
        self.copy.as_deref().unwrap_or_else(|| self.array.as_slice().unwrap_or_default())
    }
}

fn writable<'py>(array: Option<&Array<'py>>) -> PyResult<Option<PyReadwriteArrayDyn<'py, f64>>> {
    array
        .map(|array| array.try_readwrite().map_err(|error| PyValueError::new_err(error.to_string())))
        .transpose()
}

fn rows<'a>(array: Option<&'a mut PyReadwriteArrayDyn<'_, f64>>) -> PyResult<Option<&'a mut [f64]>> {
    array
        .map(|array| array.as_slice_mut().map_err(|error| PyTypeError::new_err(error.to_string())))
        .transpose()
}

/// The models of the trajectories; a single one when all are the same.
fn models(list: &Bound<'_, PyList>, trajectories: usize) -> PyResult<Vec<Py<MjModel>>> {
    if list.len() < trajectories {
        return Err(PyIndexError::new_err("list index out of range"));
    }
    let mut models: Vec<Py<MjModel>> = list
        .iter()
        .take(trajectories)
        .map(|model| Ok(model.cast_into::<MjModel>()?.unbind()))
        .collect::<PyResult<_>>()?;
    if let [first, rest @ ..] = &models[..]
        && rest.iter().all(|model| model.is(first))
    {
        models.truncate(1);
    }
    Ok(models)
}

#[pymethods]
impl PyRollout {
    #[new]
    #[pyo3(signature = (*, nthread))]
    fn new(nthread: i64) -> PyResult<Self> {
        let threads =
            i32::try_from(nthread).map_err(|_| PyOverflowError::new_err("nthread is out of range"))?;
        let rollout = Rollout::new(usize::try_from(threads).unwrap_or(0)).map_err(refused)?;
        Ok(Self { nthread, rollout: Mutex::new((std::process::id(), Arc::new(rollout))) })
    }

    /// Roll out the trajectories of `state0` on their models and write states and sensor readings into the arrays given.
    #[pyo3(signature = (model, data, nstep, control_spec, state0, warmstart0=None, control=None, state=None, sensordata=None, chunk_size=None))]
    fn rollout<'py>(
        &self,
        py: Python<'py>,
        model: &Bound<'py, PyList>,
        data: &Bound<'py, PyList>,
        nstep: i64,
        control_spec: u32,
        state0: &Array<'py>,
        warmstart0: Option<&Array<'py>>,
        control: Option<&Array<'py>>,
        state: Option<&Array<'py>>,
        sensordata: Option<&Array<'py>>,
        chunk_size: Option<i64>,
    ) -> PyResult<()> {
        let trajectories = state0.shape().first().copied().unwrap_or(1);
        let models = models(model, trajectories)?;
        let data = self.data(data)?;
        let Ok(steps @ 1..) = usize::try_from(nstep) else { return Ok(()) };
        if trajectories == 0 {
            return Ok(());
        }
        let chunk_size = match chunk_size {
            Some(size) if data.len() > 1 => {
                Some(usize::try_from(size).map_err(|_| refused(RolloutError::ChunkSize))?)
            }
            _ => None,
        };
        let (state0, warmstart0) = (Input::new(state0)?, Input::optional(warmstart0)?);
        let control = Input::optional(control)?;
        let (mut state, mut sensordata) = (writable(state)?, writable(sensordata)?);
        let output = Output { states: rows(state.as_mut())?, sensordata: rows(sensordata.as_mut())? };
        let plain: Vec<&Model> = models.iter().map(|model| model.get().checked()).collect::<PyResult<_>>()?;
        let _uses: Vec<_> = models.iter().map(|model| model.get().used()).collect();
        let batch = Trajectories {
            models: &plain,
            steps,
            initial_states: state0.slice(),
            initial_warmstarts: warmstart0.as_ref().map(Input::slice),
            controls: control.as_ref().map(Input::slice),
            control_signature: control_spec,
            chunk_size,
            carry: data.len() == 1,
        };
        if batch.initial_states.len() != trajectories * batch.state_size() {
            let (expected, found) = (trajectories * batch.state_size(), batch.initial_states.len());
            return Err(refused(RolloutError::Length { array: "state0", expected, found }));
        }
        self.run(py, &batch, &models, &data, output)
    }
}

impl PyRollout {
    /// The threads; new ones in a process that was forked, because threads stay behind.
    fn threads(&self) -> PyResult<Arc<Rollout>> {
        let mut rollout = self.rollout.lock().unwrap_or_else(PoisonError::into_inner);
        let process = std::process::id();
        if rollout.0 != process {
            let made = Rollout::new(usize::try_from(self.nthread).unwrap_or(0)).map_err(refused)?;
            // Ending the old pool would wait for threads that are not there.
            std::mem::forget(std::mem::replace(&mut *rollout, (process, Arc::new(made))));
        }
        Ok(rollout.1.clone())
    }

    /// The data, as many as there are threads and no two the same.
    fn data(&self, list: &Bound<'_, PyList>) -> PyResult<Vec<Py<MjData>>> {
        let data: Vec<Py<MjData>> =
            list.iter().map(|data| Ok(data.cast_into::<MjData>()?.unbind())).collect::<PyResult<_>>()?;
        if data.is_empty() {
            return Err(PyValueError::new_err("The list of data instances is empty"));
        }
        if self.nthread == 0 && data.len() > 1 {
            return Err(PyValueError::new_err(
                "More than one data instance passed but rollout is configured to run on main thread",
            ));
        }
        if self.nthread > 0 && data.len() as i64 != self.nthread {
            return Err(PyValueError::new_err(format!(
                "Length of data: {} not equal to nthread: {}",
                data.len(),
                self.nthread
            )));
        }
        if data.iter().enumerate().any(|(index, one)| data[..index].iter().any(|other| other.is(one))) {
            return Err(PyValueError::new_err(
                "the same MjData is given twice; every thread needs one of its own",
            ));
        }
        Ok(data)
    }

    /// Roll out with the interpreter lock released and the callbacks in place.
    fn run(
        &self,
        py: Python<'_>,
        batch: &Trajectories<'_>,
        models: &[Py<MjModel>],
        data: &[Py<MjData>],
        output: Output<'_>,
    ) -> PyResult<()> {
        let rollout = self.threads()?;
        let mut interrupt = Interrupt::new();
        let callbacks = BatchCallbacks::install(py, models, data)?;
        let mut locked: Vec<Locked<'_>> =
            data.iter().map(|data| data.get().lock()).collect::<PyResult<_>>()?;
        let mut plain: Vec<&mut Data> = locked.iter_mut().map(|data| &mut **data).collect();
        if let Some((hooks, _)) = &callbacks {
            for (data, hooks) in plain.iter_mut().zip(hooks) {
                data.hooks.set(Some(hooks.clone()));
            }
        }
        let result = py.detach(|| {
            guarded(|| rollout.run_until(batch, &mut plain, output, &mut || interrupt.is_wanted()))
        });
        if let Some((_, failed)) = &callbacks {
            for data in &mut plain {
                data.hooks.set(None);
            }
            if let Some(error) = failed.lock().unwrap_or_else(PoisonError::into_inner).take() {
                return Err(error);
            }
        }
        result?.map_err(refused)?;
        interrupt.result()
    }
}
