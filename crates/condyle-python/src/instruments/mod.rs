//! Instruments of the tests, in `_condyle._instruments`: parts of the engine one at a time, to be compared with MuJoCo's. The feature
//! `instruments` brings them in; the wheel people install is built without it.

mod convex;
mod shapes;

use pyo3::prelude::*;

/// Fails on purpose, for the test that a panic outside [`crate::boundary::guarded`] is an ordinary exception as well.
#[pyfunction]
fn fail_on_purpose() {
    panic!("as asked");
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let instruments = PyModule::new(module.py(), "_instruments")?;
    shapes::register(&instruments)?;
    convex::register(&instruments)?;
    instruments.add_function(wrap_pyfunction!(fail_on_purpose, &instruments)?)?;
    module.add_submodule(&instruments)
}
