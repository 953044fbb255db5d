//! `data.warning`: how often each numbered warning was raised, and about what last.

use condyle_engine::data::WarningStat;
use condyle_model::Values;
use pyo3::exceptions::{PyAttributeError, PyIndexError};
use pyo3::prelude::*;

use crate::data::MjData;
use crate::view;

/// One warning counter, as it was when it was read.
#[pyclass(module = "condyle", name = "MjWarningStat", frozen)]
pub struct MjWarningStat {
    /// Index of the dof, contact or other thing the last warning was about.
    #[pyo3(get)]
    lastinfo: i32,
    /// How many times since the last reset.
    #[pyo3(get)]
    number: i32,
}

/// All warning counters. `warning[i]` is one of them; `warning.number` is an array over all.
#[pyclass(module = "condyle", name = "_MjWarningStatList", frozen)]
pub struct MjWarningStatList {
    data: Py<MjData>,
}

impl MjWarningStatList {
    pub fn new(data: Py<MjData>) -> Self {
        Self { data }
    }

    fn stats(&self) -> &[WarningStat] {
        &self.data.get().get().diagnostics.warning
    }
}

#[pymethods]
impl MjWarningStatList {
    fn __len__(&self) -> usize {
        self.stats().len()
    }

    fn __getitem__(&self, index: &Bound<'_, PyAny>) -> PyResult<MjWarningStat> {
        let index: isize = index.extract().or_else(|_| index.call_method0("__int__")?.extract())?;
        let position = if index < 0 { index + self.stats().len() as isize } else { index };
        usize::try_from(position)
            .ok()
            .and_then(|position| self.stats().get(position))
            .map(|stat| MjWarningStat { lastinfo: stat.lastinfo, number: stat.number })
            .ok_or_else(|| PyIndexError::new_err("warning index out of range"))
    }

    fn __getattr__<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let column: Vec<i32> = match name {
            "number" => self.stats().iter().map(|stat| stat.number).collect(),
            "lastinfo" => self.stats().iter().map(|stat| stat.lastinfo).collect(),
            _ => return Err(PyAttributeError::new_err(format!("a warning has no attribute '{name}'"))),
        };
        view::copy(py, Values::I32(&column), &[column.len()])
    }
}
