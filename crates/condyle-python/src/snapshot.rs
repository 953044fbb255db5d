//! `data.snapshot()` and `data.restore(snapshot)`: a simulation set aside and continued with the same bits.

use condyle_engine::Snapshot;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// A saved simulation, made by `data.snapshot()`; `bytes(snapshot)` and `Snapshot(bytes)` carry it to files and other processes.
#[pyclass(module = "condyle", name = "Snapshot", frozen, eq)]
#[derive(PartialEq)]
pub(crate) struct PySnapshot(pub Snapshot);

#[pymethods]
impl PySnapshot {
    #[new]
    fn new(bytes: &[u8]) -> PyResult<Self> {
        Snapshot::from_bytes(bytes).map(Self).map_err(|error| PyValueError::new_err(error.to_string()))
    }

    fn __bytes__<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.0.as_bytes())
    }

    fn __reduce__<'py>(slf: Bound<'py, Self>) -> (Bound<'py, PyAny>, (Bound<'py, PyBytes>,)) {
        (slf.get_type().into_any(), (slf.get().__bytes__(slf.py()),))
    }

    /// Fingerprint of the model it was taken from.
    #[getter]
    fn model_fingerprint(&self) -> u64 {
        self.0.model_fingerprint()
    }

    fn __len__(&self) -> usize {
        self.0.as_bytes().len()
    }

    fn __repr__(&self) -> String {
        format!("<Snapshot of {} bytes, model {:016x}>", self.__len__(), self.model_fingerprint())
    }
}
