//! `MjSpec` and its elements: the Rust side. The classes themselves are made in `python/condyle/spec.py` from the attribute
//! table of `condyle-spec`.

mod assemble;
mod core;
mod edit;
mod element;
mod keywords;

use pyo3::prelude::*;

/// The classes and functions behind `MjSpec`, in a module of their own: they are not for users.
pub(crate) fn register(parent: &Bound<'_, PyModule>) -> PyResult<()> {
    let module = &PyModule::new(parent.py(), "_spec")?;
    module.add_class::<core::SpecCore>()?;
    module.add_class::<element::SpecElement>()?;
    module.add_class::<element::SpecAttribute>()?;
    module.add_class::<element::SpecVector>()?;
    module.add_function(wrap_pyfunction!(element::_spec_register, module)?)?;
    module.add_function(wrap_pyfunction!(edit::_spec_attributes, module)?)?;
    module.add_function(wrap_pyfunction!(assemble::_spec_resolve_orientation, module)?)?;
    parent.add_submodule(module)
}
