//! Many pictures at once, on threads.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use condyle::pictures::{BatchOutput, BatchSource, render_batch};
use numpy::{PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

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

/// Takes pictures of states or simulations; `condyle.render_batch` is the convenient way to use it.
#[pyfunction]
#[pyo3(signature = (model, states, datas, cameras, width, height, threads, flags, rgb, depth, segmentation))]
fn _render_batch(
    py: Python<'_>,
    model: Py<MjModel>,
    states: Option<PyReadonlyArrayDyn<'_, f64>>,
    datas: Vec<Py<MjData>>,
    cameras: Vec<Py<MjvCamera>>,
    width: usize,
    height: usize,
    threads: usize,
    flags: Option<Vec<u8>>,
    rgb: Option<Bound<'_, PyArrayDyn<u8>>>,
    depth: Option<Bound<'_, PyArrayDyn<f32>>>,
    segmentation: Option<Bound<'_, PyArrayDyn<i32>>>,
) -> PyResult<()> {
    let cameras: Vec<_> = cameras.iter().map(|camera| *camera.get().0.get()).collect();
    let (mut rgb, mut depth, mut segmentation) =
        (writable(rgb.as_ref())?, writable(depth.as_ref())?, writable(segmentation.as_ref())?);
    let output = BatchOutput {
        rgb: slice(rgb.as_mut())?,
        depth: slice(depth.as_mut())?,
        segmentation: slice(segmentation.as_mut())?,
    };
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
    let model = model.get().get();
    py.detach(|| render_batch(model, source, &cameras, [width, height], threads, flags.as_deref(), output))
        .map_err(|error| PyValueError::new_err(error.to_string()))
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(_render_batch, module)?)
}
