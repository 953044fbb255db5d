//! Questions about a configuration: Jacobians, velocities, inertia products, rays, distances, names.
//!
//! Results go into arrays of the caller, as in MuJoCo's module. They are computed into memory of their own and copied at the
//! end, so that an array of the data itself may be given.

/// Declares functions of Python that run one stage each.
macro_rules! stage_functions {
    ($($(#[$meta:meta])* $name:ident => $work:expr;)*) => {
        $(
            $(#[$meta])*
            #[pyfunction]
            fn $name(py: Python<'_>, m: Py<MjModel>, d: Py<MjData>) -> PyResult<()> {
                let work: fn(&Model, &mut Data) = $work;
                crate::callbacks::run(py, &m, &d, work)
            }
        )*

        fn register_stages(module: &Bound<'_, PyModule>) -> PyResult<()> {
            $(module.add_function(wrap_pyfunction!($name, module)?)?;)*
            Ok(())
        }
    };
}

mod contact;
mod derivative;
mod extra;
mod inertia;
mod jacobian;
mod motion;
mod muscle;
mod names;
mod scene;
mod stages;

use pyo3::exceptions::{PyIndexError, PyTypeError};
use pyo3::prelude::*;

use crate::mju::arrays::MatrixMut;

/// An integer argument: plain integers, booleans, enumerations, numpy integers.
pub(crate) struct Int(pub i64);

impl<'a, 'py> FromPyObject<'a, 'py> for Int {
    type Error = PyErr;
    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        object.extract::<i64>().or_else(|_| object.call_method0("__int__")?.extract()).map(Int)
    }
}

impl Int {
    /// The number as an index below `count`.
    fn index(&self, what: &str, count: usize) -> PyResult<usize> {
        usize::try_from(self.0).ok().filter(|&index| index < count).ok_or_else(|| {
            PyIndexError::new_err(format!("{what} {} is out of range: there are {count}", self.0))
        })
    }

    pub(crate) fn is_set(&self) -> bool {
        self.0 != 0
    }
}

/// Refuse a matrix of the caller that has another shape.
fn require_shape(matrix: Option<&MatrixMut<'_>>, name: &str, rows: usize, columns: usize) -> PyResult<()> {
    match matrix {
        Some(matrix) if matrix.rows != rows || matrix.columns != columns => {
            Err(PyTypeError::new_err(format!(
                "{name} should be of shape ({rows}, {columns}), got ({}, {})",
                matrix.rows, matrix.columns
            )))
        }
        _ => Ok(()),
    }
}

/// Refuse a vector of another length.
pub(crate) fn require_length(name: &str, length: usize, expected: usize) -> PyResult<()> {
    if length == expected {
        return Ok(());
    }
    Err(PyTypeError::new_err(format!("{name} should have {expected} elements, got {length}")))
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    contact::register(module)?;
    derivative::register(module)?;
    extra::register(module)?;
    stages::register(module)?;
    jacobian::register(module)?;
    motion::register(module)?;
    muscle::register(module)?;
    inertia::register(module)?;
    scene::register(module)?;
    names::register(module)
}
