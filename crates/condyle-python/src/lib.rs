//! The Rust side of the Python module `condyle`.
//!
//! Model and data arrays reach Python as numpy views on the Rust memory: no copy, live in both directions, and each view keeps its
//! owner alive. That needs raw pointers; [`view`] is the one place that makes them and says why they stay valid.

#![allow(non_snake_case)]

mod batch;
mod boundary;
mod callbacks;
mod command;
mod data;
mod field;
mod functions;
#[cfg(feature = "instruments")]
mod instruments;
mod lists;
mod loading;
mod mju;
mod model;
mod ownership;
mod places;
mod queries;
mod record;
mod render;
mod report;
mod rollout;
mod snapshot;
mod spec;
mod view;
mod viewer;
mod vis;

use pyo3::prelude::*;

/// Which processors this module runs on. `condyle/_processor.py` looks for these words in the file, before anything in it runs.
const COMPILED_FOR: &str = if cfg!(target_feature = "avx") {
    "condyle was compiled for processors with AVX2"
} else {
    "condyle was compiled for every processor"
};

#[pymodule]
fn _condyle(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("_compiled_for", COMPILED_FOR)?;
    module.add_class::<model::MjModel>()?;
    module.add_class::<data::MjData>()?;
    module.add_class::<snapshot::PySnapshot>()?;
    module.add_class::<rollout::PyRollout>()?;
    module.add_class::<field::Field>()?;
    batch::register(module)?;
    boundary::register(module)?;
    command::register(module)?;
    record::register(module)?;
    callbacks::register(module)?;
    report::register(module)?;
    places::register(module)?;
    mju::register(module)?;
    #[cfg(feature = "instruments")]
    instruments::register(module)?;
    queries::register(module)?;
    vis::register(module)?;
    spec::register(module)?;
    render::register(module)?;
    viewer::register(module)?;
    functions::register(module)
}
