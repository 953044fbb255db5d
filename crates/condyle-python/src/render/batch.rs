//! Many pictures at once, on threads that stay.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Mutex, PoisonError};

use condyle::Batch;
use condyle::pictures::{BatchOutput, BatchRenderer, BatchSource, PictureError};
use condyle_model::Model;
use numpy::{PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::boundary::guarded;
use crate::data::MjData;
use crate::model::MjModel;
use crate::vis::MjvCamera;

fn writable<'py, T: numpy::Element>(
    array: Option<&Bound<'py, PyArrayDyn<T>>>,
) -> PyResult<Option<numpy::PyReadwriteArrayDyn<'py, T>>> {
    array
        .map(|array| array.try_readwrite().map_err(|error| PyValueError::new_err(error.to_string())))
        .transpose()
}

fn slice<'a, T: numpy::Element>(
    array: Option<&'a mut numpy::PyReadwriteArrayDyn<'_, T>>,
) -> PyResult<Option<&'a mut [T]>> {
    array
        .map(|array| {
            array.as_slice_mut().map_err(|_| PyValueError::new_err("an output array is not contiguous"))
        })
        .transpose()
}

/// The arrays that pictures are written to.
#[derive(FromPyObject)]
struct Arrays<'py> {
    #[pyo3(item)]
    rgb: Option<Bound<'py, PyArrayDyn<u8>>>,
    #[pyo3(item)]
    depth: Option<Bound<'py, PyArrayDyn<f32>>>,
    #[pyo3(item)]
    segmentation: Option<Bound<'py, PyArrayDyn<i32>>>,
}

/// Takes pictures of many simulations; keeps its memory and threads. `condyle.render_batch` and `Batch.render` are the convenient ways to
/// use it.
#[pyclass(module = "condyle", name = "_BatchRenderer", frozen)]
pub(crate) struct PyBatchRenderer(Mutex<BatchRenderer>);

fn refused(error: PictureError) -> PyErr {
    PyValueError::new_err(error.to_string())
}

impl PyBatchRenderer {
    pub(crate) fn of_batch(batch: &Batch, width: usize, height: usize) -> PyResult<Self> {
        Ok(Self(Mutex::new(BatchRenderer::of_batch(batch, [width, height]).map_err(refused)?)))
    }

    fn draw(
        &self,
        py: Python<'_>,
        model: &Model,
        source: BatchSource<'_>,
        cameras: &[Py<MjvCamera>],
        flags: Option<&[u8]>,
        arrays: &Arrays<'_>,
    ) -> PyResult<()> {
        let cameras: Vec<_> = cameras.iter().map(|camera| *camera.get().0.get()).collect();
        let (mut rgb, mut depth, mut segmentation) = (
            writable(arrays.rgb.as_ref())?,
            writable(arrays.depth.as_ref())?,
            writable(arrays.segmentation.as_ref())?,
        );
        let output = BatchOutput {
            rgb: slice(rgb.as_mut())?,
            depth: slice(depth.as_mut())?,
            segmentation: slice(segmentation.as_mut())?,
        };
        // Locked without the interpreter's lock, which whoever has it now needs to give it back.
        let draw = || {
            let mut renderer = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            renderer.render(model, source, &cameras, flags, output)
        };
        py.detach(|| guarded(draw))?.map_err(refused)
    }

    /// Takes pictures of rows of the whole state.
    pub(crate) fn draw_rows(
        &self,
        py: Python<'_>,
        model: &Model,
        rows: &[f64],
        cameras: &[Py<MjvCamera>],
        flags: Option<&[u8]>,
        arrays: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        self.draw(py, model, BatchSource::Rows(rows), cameras, flags, &arrays.extract()?)
    }
}

#[pymethods]
impl PyBatchRenderer {
    #[new]
    fn new(py: Python<'_>, model: &MjModel, width: usize, height: usize, threads: usize) -> PyResult<Self> {
        if threads > 4096 {
            return Err(PyValueError::new_err("nthread is out of range"));
        }
        let model = model.get();
        let made = py.detach(|| guarded(|| BatchRenderer::new(model, [width, height], threads)))?;
        Ok(Self(Mutex::new(made.map_err(refused)?)))
    }

    /// Whether surfaces, textures, materials and settings are still those of the model.
    fn is_up_to_date(&self, model: &MjModel) -> bool {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).is_up_to_date(model.get())
    }

    /// Takes pictures of full physics states or of simulations.
    #[pyo3(signature = (model, states, datas, cameras, flags, arrays))]
    fn render(
        &self,
        py: Python<'_>,
        model: Py<MjModel>,
        states: Option<PyReadonlyArrayDyn<'_, f64>>,
        datas: Vec<Py<MjData>>,
        cameras: Vec<Py<MjvCamera>>,
        flags: Option<Vec<u8>>,
        arrays: Arrays<'_>,
    ) -> PyResult<()> {
        // Locked for the whole batch, so that no other thread steps a simulation that is being drawn.
        // One that is named twice is locked once.
        let mut places = HashMap::new();
        let mut locked = Vec::new();
        let mut which = Vec::with_capacity(datas.len());
        for data in &datas {
            let place = match places.entry(data.as_ptr() as usize) {
                Entry::Occupied(known) => *known.get(),
                Entry::Vacant(new) => {
                    locked.push(data.get().lock()?);
                    *new.insert(locked.len() - 1)
                }
            };
            which.push(place);
        }
        let borrowed: Vec<_> = which.iter().map(|place| &*locked[*place]).collect();
        let rows;
        let source = match &states {
            Some(states) => {
                rows = states.as_slice().map_err(|_| PyValueError::new_err("states are not contiguous"))?;
                BatchSource::States(rows)
            }
            None => BatchSource::Simulations(&borrowed),
        };
        self.draw(py, model.get().get(), source, &cameras, flags.as_deref(), &arrays)
    }
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<PyBatchRenderer>()
}
