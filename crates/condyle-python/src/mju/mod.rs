//! The `mju_*` functions on numpy arrays, under MuJoCo's names and argument conventions: results are written in place into
//! arrays of the caller, inputs may be anything numpy can turn into numbers, sizes that do not fit raise `TypeError`.

pub(crate) mod arrays;
mod matrix;
mod misc;
mod small;
mod vector;

use pyo3::prelude::*;

pyo3::create_exception!(
    condyle,
    FatalError,
    pyo3::exceptions::PyException,
    "An argument that makes no sense."
);

/// Add functions to a module.
macro_rules! add_functions {
    ($module:expr, $($name:ident)*) => {{
        $($module.add_function(wrap_pyfunction!($name, $module)?)?;)*
        Ok(())
    }};
}
pub(crate) use add_functions;

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("FatalError", module.py().get_type::<FatalError>())?;
    small::register(module)?;
    vector::register(module)?;
    matrix::register(module)?;
    misc::register(module)
}
