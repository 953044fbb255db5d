//! numpy views on Rust memory, and reading Python values back into it.

use std::any::Any;
use std::borrow::Cow;
use std::cell::UnsafeCell;
use std::ops::Deref;
use std::path::PathBuf;
use std::sync::Arc;

use condyle_model::{Values, ValuesMut};
use numpy::ndarray::{ArrayViewD, IxDyn};
use numpy::{Element, PyArrayDyn};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyString};

/// The attribute the type itself has under `name`, as Python finds it for objects without special access.
pub(crate) fn ordinary_attribute<'py>(
    object: &Bound<'py, PyAny>,
    name: &Bound<'py, PyString>,
) -> PyResult<Bound<'py, PyAny>> {
    // SAFETY: both are live objects, the second a string; the result is a new reference or an error that is set.
    unsafe {
        let found = pyo3::ffi::PyObject_GenericGetAttr(object.as_ptr(), name.as_ptr());
        Bound::from_owned_ptr_or_err(object.py(), found)
    }
}

/// Rust memory that a Python object and the views on it own together.
pub(crate) struct Shared<T>(UnsafeCell<T>);

// SAFETY: the owners say who may write when: Python code under the interpreter lock, Rust code with exclusive use of the data.
unsafe impl<T: Send> Send for Shared<T> {}
unsafe impl<T: Send> Sync for Shared<T> {}

impl<T> Shared<T> {
    pub(crate) fn new(value: T) -> Arc<Self> {
        Arc::new(Self(UnsafeCell::new(value)))
    }

    /// The memory as a raw pointer.
    pub(crate) fn get(&self) -> *mut T {
        self.0.get()
    }
}

/// What a view keeps alive: the memory, not the Python object that made the view. That object keeps its views, and numpy arrays take
/// no part in garbage collection, so a reference back to it would never be released.
#[pyclass(module = "condyle", name = "_Memory", frozen)]
pub(crate) struct Memory {
    _memory: Arc<dyn Any + Send + Sync>,
}

impl Memory {
    pub(crate) fn of<'py, T: Send + 'static>(
        py: Python<'py>,
        memory: &Arc<Shared<T>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        Self::of_any(py, memory.clone())
    }

    pub(crate) fn of_any(py: Python<'_>, memory: Arc<dyn Any + Send + Sync>) -> PyResult<Bound<'_, PyAny>> {
        Ok(Bound::new(py, Self { _memory: memory })?.into_any())
    }

    /// The object all views of one memory keep, made when the first of them is.
    pub(crate) fn shared<'py, T: Send + 'static>(
        py: Python<'py>,
        memory: &Arc<Shared<T>>,
        kept: &PyOnceLock<Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let made = kept.get_or_try_init(py, || Self::of(py, memory).map(Bound::unbind))?;
        Ok(made.bind(py).clone())
    }

    /// Memory on lease, and what it was leased from.
    pub(crate) fn of_lease<'py, T: Send + 'static>(
        py: Python<'py>,
        lease: Arc<crate::ownership::Lease>,
        memory: &Arc<Shared<T>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        Ok(Bound::new(py, Self { _memory: Arc::new((lease, memory.clone())) })?.into_any())
    }
}

/// A writable numpy view of `values` with `shape` that keeps `owner` alive.
///
/// # Safety
/// The memory behind `values` must stay where it is for as long as `owner` lives. Model arrays and the fixed arrays of the data
/// satisfy this: they are allocated once with their owner and never resized or replaced.
pub(crate) unsafe fn array<'py>(
    owner: &Bound<'py, PyAny>,
    values: Values<'_>,
    shape: &[usize],
) -> PyResult<Bound<'py, PyAny>> {
    unsafe fn make<'py, T: Element>(
        owner: &Bound<'py, PyAny>,
        values: &[T],
        shape: &[usize],
    ) -> PyResult<Bound<'py, PyAny>> {
        debug_assert_eq!(values.len(), shape.iter().product::<usize>());
        let view = ArrayViewD::from_shape(IxDyn(shape), values)
            .map_err(|error| pyo3::exceptions::PyRuntimeError::new_err(error.to_string()))?;
        // SAFETY: the caller guarantees that the memory outlives the owner's reference held by the array.
        let array = unsafe { PyArrayDyn::borrow_from_array(&view, owner.clone()) };
        Ok(array.into_any())
    }
    // SAFETY: forwarded from the caller.
    unsafe {
        match values {
            Values::F64(v) => make(owner, v, shape),
            Values::F32(v) => make(owner, v, shape),
            Values::I32(v) => make(owner, v, shape),
            Values::I64(v) => make(owner, v, shape),
            Values::U8(v) => make(owner, v, shape),
        }
    }
}

/// A numpy array with its own copy of `values`.
pub(crate) fn copy<'py>(py: Python<'py>, values: Values<'_>, shape: &[usize]) -> PyResult<Bound<'py, PyAny>> {
    fn make<'py, T: Element + Copy>(
        py: Python<'py>,
        values: &[T],
        shape: &[usize],
    ) -> PyResult<Bound<'py, PyAny>> {
        let view = ArrayViewD::from_shape(IxDyn(shape), values)
            .map_err(|error| pyo3::exceptions::PyRuntimeError::new_err(error.to_string()))?;
        Ok(PyArrayDyn::from_array(py, &view).into_any())
    }
    match values {
        Values::F64(v) => make(py, v, shape),
        Values::F32(v) => make(py, v, shape),
        Values::I32(v) => make(py, v, shape),
        Values::I64(v) => make(py, v, shape),
        Values::U8(v) => make(py, v, shape),
    }
}

/// A single number as a Python object.
pub(crate) fn scalar<'py>(py: Python<'py>, values: Values<'_>) -> PyResult<Bound<'py, PyAny>> {
    Ok(match values {
        Values::F64(v) => v.first().copied().unwrap_or_default().into_pyobject(py)?.into_any(),
        Values::F32(v) => v.first().copied().unwrap_or_default().into_pyobject(py)?.into_any(),
        Values::I32(v) => v.first().copied().unwrap_or_default().into_pyobject(py)?.into_any(),
        Values::I64(v) => v.first().copied().unwrap_or_default().into_pyobject(py)?.into_any(),
        Values::U8(v) => v.first().copied().unwrap_or_default().into_pyobject(py)?.into_any(),
    })
}

/// Set a single number from a Python object.
pub(crate) fn set_scalar(values: ValuesMut<'_>, value: &Bound<'_, PyAny>) -> PyResult<()> {
    match values {
        ValuesMut::F64(v) => v[0] = value.extract()?,
        ValuesMut::F32(v) => v[0] = value.extract()?,
        ValuesMut::I32(v) => v[0] = int(value)? as i32,
        ValuesMut::I64(v) => v[0] = int(value)?,
        ValuesMut::U8(v) => v[0] = int(value)? as u8,
    }
    Ok(())
}

/// An integer from anything Python can turn into one, enumerations and flags included.
fn int(value: &Bound<'_, PyAny>) -> PyResult<i64> {
    value.extract().or_else(|_| value.call_method0("__int__")?.extract())
}

/// Assign to every element of a view, broadcasting as numpy does.
pub(crate) fn assign(view: &Bound<'_, PyAny>, value: &Bound<'_, PyAny>) -> PyResult<()> {
    view.set_item(view.py().Ellipsis(), value)
}

/// A writable numpy array of `size` bytes at `pointer` that keeps `owner` alive.
///
/// # Safety
/// As [`array`]. The bytes may be padding; they are not read here.
pub(crate) unsafe fn bytes<'py>(
    owner: &Bound<'py, PyAny>,
    pointer: *mut u8,
    size: usize,
) -> PyResult<Bound<'py, PyAny>> {
    // SAFETY: forwarded from the caller; the view is only taken apart again into pointer and shape.
    unsafe {
        let view = numpy::ndarray::ArrayView1::from_shape_ptr(size, pointer.cast_const());
        Ok(numpy::PyArray1::borrow_from_array(&view, owner.clone()).into_any())
    }
}

/// Make an array refuse to be written to.
pub(crate) fn read_only(array: Bound<'_, PyAny>) -> PyResult<Bound<'_, PyAny>> {
    array.call_method1("setflags", (false,))?;
    Ok(array)
}

/// Text from `str`, or from `bytes` as UTF-8.
pub(crate) struct Text<'a>(Cow<'a, str>);

impl Deref for Text<'_> {
    type Target = str;
    fn deref(&self) -> &str {
        &self.0
    }
}

impl From<Text<'_>> for String {
    fn from(text: Text<'_>) -> Self {
        text.0.into_owned()
    }
}

impl<'a, 'py> FromPyObject<'a, 'py> for Text<'a> {
    type Error = PyErr;
    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(text) = object.extract::<Cow<'a, str>>() {
            return Ok(Self(text));
        }
        match object.cast::<PyBytes>() {
            Ok(bytes) => Ok(Self(Cow::Owned(String::from_utf8_lossy(bytes.as_bytes()).into_owned()))),
            Err(_) => Err(not_text(&object)),
        }
    }
}

fn not_text(object: &Bound<'_, PyAny>) -> PyErr {
    let kind = object.get_type();
    let kind = kind.name().map_or_else(|_| "?".to_owned(), |name| name.to_string());
    PyTypeError::new_err(format!("expected text (str or bytes), got {kind}"))
}

/// Where a file is, from `str`, `bytes` or anything with `__fspath__`.
pub(crate) struct FilePath(pub PathBuf);

impl<'a, 'py> FromPyObject<'a, 'py> for FilePath {
    type Error = PyErr;
    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let py = object.py();
        py.import("os")?.call_method1("fsdecode", (object,))?.extract().map(Self)
    }
}
