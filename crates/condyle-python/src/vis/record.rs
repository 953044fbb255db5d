//! Records of the scene as Python classes: numbers are attributes, arrays live numpy views, texts strings.
//!
//! A record is memory of its own, or a place in a scene that it keeps alive.

use std::any::Any;
use std::sync::Arc;

use condyle_model::options::{ErasedRecord, RecordField};
use condyle_model::{DType, Values, ValuesMut};
use condyle_vis::{Camera, Geom, GlCamera, Light, Options, Perturbation};
use pyo3::exceptions::{PyAttributeError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple};

use crate::view::{self, Memory, Shared};

/// Where a record is, and what keeps it there.
pub(crate) struct Place<R> {
    owner: Arc<dyn Any + Send + Sync>,
    at: *mut R,
}

// SAFETY: the place is used under the interpreter lock only.
unsafe impl<R: Send> Send for Place<R> {}
unsafe impl<R: Send> Sync for Place<R> {}

impl<R: Send + 'static> Place<R> {
    /// Memory of its own.
    pub(crate) fn new(value: R) -> Self {
        let memory = Shared::new(value);
        let at = memory.get();
        Self { owner: memory, at }
    }

    /// A place in memory that `owner` keeps where it is.
    pub(crate) fn inside(owner: Arc<dyn Any + Send + Sync>, at: *mut R) -> Self {
        Self { owner, at }
    }

    /// The record, for one access under the interpreter lock.
    #[allow(clippy::mut_from_ref)]
    pub(crate) fn get(&self) -> &mut R {
        // SAFETY: the owner keeps the memory where it is, and the interpreter lock is held.
        unsafe { &mut *self.at }
    }

    pub(crate) fn memory<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Memory::of_any(py, self.owner.clone())
    }
}

/// Fields of bytes that are text.
const TEXTS: &[&str] = &["label", "xformat", "yformat", "minwidth", "title", "xlabel"];

/// Shape of a field as numpy shows it.
fn shape(field: &RecordField) -> Vec<usize> {
    match (field.name, field.width) {
        ("mat", 9) => vec![3, 3],
        ("range", 4) => vec![2, 2],
        ("linergb", width) => vec![width / 3, 3],
        (_, width) => vec![width],
    }
}

fn is_text(field: &RecordField) -> bool {
    field.dtype == DType::U8 && TEXTS.contains(&field.name)
}

fn find(record: &dyn ErasedRecord, name: &str) -> Option<&'static RecordField> {
    record.fields().iter().find(|field| field.name == name)
}

/// A field as a number, a text or a live array; `None` when there is no such field.
pub(crate) fn read<'py>(
    memory: &Bound<'py, PyAny>,
    record: &dyn ErasedRecord,
    name: &str,
) -> Option<PyResult<Bound<'py, PyAny>>> {
    let field = find(record, name)?;
    let values = record.value(name)?;
    let py = memory.py();
    Some(match values {
        Values::U8(bytes) if is_text(field) => text(py, bytes),
        values if field.width == 1 => view::scalar(py, values),
        // SAFETY: records do not move while their memory lives.
        values => unsafe { view::array(memory, values, &shape(field)) }.and_then(|array| match name {
            "linename" => array.call_method1("view", ("S100",)),
            _ => Ok(array),
        }),
    })
}

fn text<'py>(py: Python<'py>, bytes: &[u8]) -> PyResult<Bound<'py, PyAny>> {
    let end = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
    pyo3::types::PyBytes::new(py, &bytes[..end]).call_method1("decode", ("utf-8", "replace"))
}

/// Sets a field; `None` when there is no such field.
pub(crate) fn write(
    memory: &Bound<'_, PyAny>,
    record: &mut dyn ErasedRecord,
    name: &str,
    value: &Bound<'_, PyAny>,
) -> Option<PyResult<()>> {
    let field = find(record, name)?;
    if field.width > 1 && !is_text(field) {
        return Some(read(memory, record, name)?.and_then(|array| view::assign(&array, value)));
    }
    Some(match record.value_mut(name)? {
        ValuesMut::U8(bytes) if is_text(field) => write_text(bytes, name, value),
        values => write_number(values, name, value),
    })
}

fn write_text(bytes: &mut [u8], name: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
    let text: std::borrow::Cow<'_, str> = value.extract()?;
    let most = bytes.len() - 1;
    if text.len() > most {
        return Err(PyValueError::new_err(format!(
            "len({name}) cannot exceed {most}: got length {}",
            text.len()
        )));
    }
    condyle_vis::types::set_text(bytes, &text);
    Ok(())
}

/// Sets a number; integers take nothing that has a fraction or does not fit.
fn write_number(values: ValuesMut<'_>, name: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
    let refuse = || PyTypeError::new_err(format!("'{name}' cannot be set to {value}"));
    match values {
        ValuesMut::I32(place) => place[0] = integer(value)?.try_into().map_err(|_| refuse())?,
        ValuesMut::U8(place) => place[0] = integer(value)?.try_into().map_err(|_| refuse())?,
        other => view::set_scalar(other, value)?,
    }
    Ok(())
}

fn integer(value: &Bound<'_, PyAny>) -> PyResult<i64> {
    let refuse = || PyTypeError::new_err(format!("{value} is not an integer"));
    if value.is_instance_of::<pyo3::types::PyFloat>() {
        return Err(refuse());
    }
    value.extract().or_else(|_| value.call_method0("__int__")?.extract()).map_err(|_| refuse())
}

/// The fields and their values, line by line, as MuJoCo's classes show themselves.
pub(crate) fn describe(memory: &Bound<'_, PyAny>, record: &dyn ErasedRecord, name: &str) -> PyResult<String> {
    let mut names: Vec<_> = record.fields().iter().map(|field| field.name).collect();
    names.sort_unstable();
    let mut lines = format!("<{name}\n");
    for name in names {
        if let Some(value) = read(memory, record, name) {
            let value = value?.repr()?.to_string();
            lines.push_str(&format!("  {name}: {value}\n"));
        }
    }
    lines.push('>');
    Ok(lines)
}

/// Sets an attribute that is not a field: those of Python subclasses.
pub(crate) fn set_other(
    object: &Bound<'_, PyAny>,
    name: &Bound<'_, PyString>,
    value: &Bound<'_, PyAny>,
) -> PyResult<()> {
    // SAFETY: all three are live objects; an error is set where the result is not zero.
    let result =
        unsafe { pyo3::ffi::PyObject_GenericSetAttr(object.as_ptr(), name.as_ptr(), value.as_ptr()) };
    if result == 0 { Ok(()) } else { Err(PyErr::fetch(object.py())) }
}

pub(crate) fn missing(class: &str, name: &str) -> PyErr {
    PyAttributeError::new_err(format!("'{class}' object has no attribute '{name}'"))
}

macro_rules! record_classes {
    ($($(#[$doc:meta])* $class:ident($record:ty, $name:literal);)*) => {$(
        $(#[$doc])*
        #[pyclass(module = "condyle", name = $name, frozen, subclass, weakref)]
        pub(crate) struct $class(pub Place<$record>);

        #[pymethods]
        impl $class {
            #[new]
            #[pyo3(signature = (*_args, **_kwargs))]
            fn new(_args: &Bound<'_, PyTuple>, _kwargs: Option<&Bound<'_, PyDict>>) -> Self {
                Self(Place::new(<$record>::default()))
            }

            #[allow(clippy::unused_self)]
            fn __init__(&self) {}

            pub(crate) fn __getattr__<'py>(
                slf: &Bound<'py, Self>,
                name: &str,
            ) -> PyResult<Bound<'py, PyAny>> {
                let place = &slf.get().0;
                read(&place.memory(slf.py())?, place.get(), name)
                    .unwrap_or_else(|| Err(missing($name, name)))
            }

            fn __setattr__(
                slf: &Bound<'_, Self>,
                name: &Bound<'_, PyString>,
                value: &Bound<'_, PyAny>,
            ) -> PyResult<()> {
                let place = &slf.get().0;
                write(&place.memory(slf.py())?, place.get(), &name.to_cow()?, value)
                    .unwrap_or_else(|| set_other(slf.as_any(), name, value))
            }

            fn __dir__(slf: &Bound<'_, Self>) -> PyResult<Vec<String>> {
                names(slf.as_any(), slf.get().0.get())
            }

            fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
                let place = &slf.get().0;
                describe(&place.memory(slf.py())?, place.get(), $name)
            }

            fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
                other.cast::<Self>().is_ok_and(|other| *other.get().0.get() == *self.0.get())
            }

            fn __copy__(&self) -> Self {
                Self(Place::new(*self.0.get()))
            }

            fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
                self.__copy__()
            }
        }
    )*};
}

/// Attributes of the class and of its record.
pub(crate) fn names(object: &Bound<'_, PyAny>, record: &dyn ErasedRecord) -> PyResult<Vec<String>> {
    let object_type = object.py().get_type::<PyAny>();
    let mut names: Vec<String> = object_type.call_method1("__dir__", (object,))?.extract()?;
    names.extend(record.fields().iter().map(|field| field.name.to_owned()));
    names.sort();
    names.dedup();
    Ok(names)
}

record_classes! {
    /// A camera as the user controls it.
    MjvCamera(Camera, "MjvCamera");
    /// A camera as the picture is drawn with it.
    MjvGLCamera(GlCamera, "MjvGLCamera");
    /// One drawable element.
    MjvGeom(Geom, "MjvGeom");
    /// One light of a scene.
    MjvLight(Light, "MjvLight");
    /// What is shown.
    MjvOption(Options, "MjvOption");
    /// What is selected, and how it is pulled and turned.
    MjvPerturb(Perturbation, "MjvPerturb");
}
