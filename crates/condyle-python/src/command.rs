//! The `condyle` command, for `python -m condyle`.

use pyo3::prelude::*;

use crate::boundary::guarded;

/// Run the command with these arguments, the first being the name of the program; its exit code.
#[pyfunction]
fn _command(py: Python<'_>, arguments: Vec<String>) -> PyResult<u8> {
    py.detach(|| guarded(|| condyle_cli::command(arguments)))
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_function(wrap_pyfunction!(_command, module)?)
}
