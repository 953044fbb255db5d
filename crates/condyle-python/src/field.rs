//! Attributes of `MjModel` and `MjData` as Python sees them on the class: `MjModel.qpos0` says what it is, `dir(MjModel)` lists it.

use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::data::MjData;
use crate::model::MjModel;
use crate::view;

/// An attribute of a class.
#[pyclass(module = "condyle", name = "_Field", frozen)]
pub(crate) struct Field {
    name: Py<PyString>,
    text: String,
    doc: String,
}

#[pymethods]
impl Field {
    #[new]
    fn new(name: Bound<'_, PyString>, doc: String) -> PyResult<Self> {
        Ok(Self { text: name.extract()?, name: name.unbind(), doc })
    }

    fn __get__<'py>(
        slf: &Bound<'py, Self>,
        instance: Option<Bound<'py, PyAny>>,
        _owner: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let Some(instance) = instance else { return Ok(slf.clone().into_any()) };
        let name = &slf.get().text;
        if let Ok(model) = instance.cast::<MjModel>() {
            return MjModel::field(model, name);
        }
        if let Some(value) = crate::vis::field(&instance, name) {
            return value;
        }
        MjData::field(instance.cast::<MjData>()?, name)
    }

    fn __set__(&self, instance: Bound<'_, PyAny>, value: Bound<'_, PyAny>) -> PyResult<()> {
        instance.setattr(self.name.bind(instance.py()), value)
    }

    /// The meaning of the attribute is that of the field, not of the class of fields.
    fn __getattribute__<'py>(
        slf: &Bound<'py, Self>,
        name: &Bound<'py, PyString>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if name == "__doc__" {
            return Ok(PyString::new(slf.py(), &slf.get().doc).into_any());
        }
        view::ordinary_attribute(slf.as_any(), name)
    }

    #[getter]
    fn __name__(&self) -> &str {
        &self.text
    }

    fn __repr__(&self) -> String {
        format!("<field '{}': {}>", self.text, self.doc)
    }
}
