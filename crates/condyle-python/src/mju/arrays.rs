//! Arguments: numbers read from Python, and arrays of the caller to write into.
//!
//! Inputs are copied when the arguments are taken, outputs are locked only while they are written. A function may therefore be
//! called with the same array as input and output.

use std::ops::Deref;

use numpy::{Element, PyArrayDyn, PyArrayMethods, PyUntypedArray, PyUntypedArrayMethods, dtype};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

/// Refuse arguments whose sizes do not fit.
pub(crate) fn require(condition: bool, message: &'static str) -> PyResult<()> {
    if condition { Ok(()) } else { Err(PyTypeError::new_err(message)) }
}

/// Values in row-major order, and the shape.
fn read<T: Element + Copy>(object: &Bound<'_, PyAny>) -> PyResult<(Vec<T>, Vec<usize>)> {
    let py = object.py();
    let array = match object.cast::<PyArrayDyn<T>>() {
        Ok(array) => array.clone(),
        Err(_) => {
            let converted = py.import("numpy")?.call_method1("asarray", (object, dtype::<T>(py)))?;
            converted.cast_into::<PyArrayDyn<T>>()?
        }
    };
    Ok((copied(&array), array.shape().to_vec()))
}

/// The elements of an array in row-major order.
fn copied<T: Element + Copy>(array: &Bound<'_, PyArrayDyn<T>>) -> Vec<T> {
    // SAFETY: the interpreter lock is held and nothing runs until the copy is made.
    unsafe {
        match array.as_slice() {
            Ok(values) if array.is_c_contiguous() => values.to_vec(),
            _ => array.as_array().iter().copied().collect(),
        }
    }
}

/// Number of elements of a vector shape: one dimension, or a single column.
fn vector_size(shape: &[usize]) -> PyResult<usize> {
    match shape {
        [n] | [n, 1] => Ok(*n),
        _ => Err(PyTypeError::new_err(format!("expected a vector, got an array of shape {shape:?}"))),
    }
}

fn fixed_size_error(expected: usize, got: usize) -> PyErr {
    PyTypeError::new_err(format!("expected a vector of {expected} elements, got {got}"))
}

/// A vector to read.
pub(crate) struct Vector<T = f64>(Vec<T>);

impl<T> Deref for Vector<T> {
    type Target = [T];
    fn deref(&self) -> &[T] {
        &self.0
    }
}

impl<'a, 'py, T: Element + Copy> FromPyObject<'a, 'py> for Vector<T> {
    type Error = PyErr;
    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let (values, shape) = read(&object)?;
        vector_size(&shape)?;
        Ok(Vector(values))
    }
}

/// A vector of known length to read.
pub(crate) struct Fixed<const N: usize>(pub [f64; N]);

impl<'a, 'py, const N: usize> FromPyObject<'a, 'py> for Fixed<N> {
    type Error = PyErr;
    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        if let Ok(array) = object.cast::<PyArrayDyn<f64>>()
            && matches!(array.shape(), [n] | [n, 1] if *n == N)
            && array.is_c_contiguous()
            // SAFETY: as in `copied`.
            && let Ok(values) = unsafe { array.as_slice() }
            && let Ok(values) = values.try_into()
        {
            return Ok(Fixed(values));
        }
        let vector = Vector::<f64>::extract(object)?;
        (*vector).try_into().map(Fixed).map_err(|_| fixed_size_error(N, vector.len()))
    }
}

/// A matrix to read.
pub(crate) struct Matrix {
    pub values: Vec<f64>,
    pub rows: usize,
    pub columns: usize,
}

/// Rows and columns; a plain vector is a single column.
fn matrix_shape(shape: &[usize]) -> PyResult<(usize, usize)> {
    match shape {
        [rows, columns] => Ok((*rows, *columns)),
        [rows] => Ok((*rows, 1)),
        _ => Err(PyTypeError::new_err(format!("expected a matrix, got an array of shape {shape:?}"))),
    }
}

impl<'a, 'py> FromPyObject<'a, 'py> for Matrix {
    type Error = PyErr;
    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let (values, shape) = read(&object)?;
        let (rows, columns) = matrix_shape(&shape)?;
        Ok(Matrix { values, rows, columns })
    }
}

/// What an object is, for messages: `list`, `int64[3, 4]`.
fn described(object: &Bound<'_, PyAny>) -> String {
    match object.cast::<PyUntypedArray>() {
        Ok(array) => format!("{}{:?}", array.dtype(), array.shape()),
        Err(_) => object.get_type().name().map_or_else(|_| "?".to_owned(), |name| name.to_string()),
    }
}

/// An array of the caller that receives a result.
fn writable<'py, T: Element>(object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyArrayDyn<T>>> {
    let array = object.cast::<PyArrayDyn<T>>().map_err(|_| {
        PyTypeError::new_err(format!(
            "expected a numpy array of {} to write into, got {}",
            dtype::<T>(object.py()),
            described(object)
        ))
    })?;
    if !array.is_c_contiguous() {
        return Err(PyTypeError::new_err(format!(
            "expected a contiguous array in row-major order to write into, got {} with gaps or in another order",
            described(object)
        )));
    }
    Ok(array.clone())
}

fn edit<T: Element, R>(array: &Bound<'_, PyArrayDyn<T>>, work: impl FnOnce(&mut [T]) -> R) -> PyResult<R> {
    let mut lock = array.try_readwrite().map_err(|error| PyTypeError::new_err(error.to_string()))?;
    Ok(work(lock.as_slice_mut().map_err(|error| PyTypeError::new_err(error.to_string()))?))
}

/// A vector to write.
pub(crate) struct VectorMut<'py, T = f64> {
    array: Bound<'py, PyArrayDyn<T>>,
    size: usize,
}

impl<T: Element> VectorMut<'_, T> {
    pub(crate) fn len(&self) -> usize {
        self.size
    }

    /// Read and write the elements.
    pub(crate) fn edit<R>(&self, work: impl FnOnce(&mut [T]) -> R) -> PyResult<R> {
        edit(&self.array, work)
    }
}

impl<'a, 'py, T: Element> FromPyObject<'a, 'py> for VectorMut<'py, T> {
    type Error = PyErr;
    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let array = writable(&object)?;
        let size = vector_size(array.shape())?;
        Ok(VectorMut { array, size })
    }
}

/// A vector of known length to write.
pub(crate) struct FixedMut<'py, const N: usize>(VectorMut<'py>);

impl<const N: usize> FixedMut<'_, N> {
    pub(crate) fn set(&self, value: [f64; N]) -> PyResult<()> {
        self.0.edit(|out| out.copy_from_slice(&value))
    }

    pub(crate) fn get(&self) -> PyResult<[f64; N]> {
        let mut value = [0.0; N];
        self.0.edit(|out| value.copy_from_slice(out))?;
        Ok(value)
    }

    /// Replace the value by a function of it.
    pub(crate) fn map(&self, work: impl FnOnce([f64; N]) -> [f64; N]) -> PyResult<()> {
        self.set(work(self.get()?))
    }
}

impl<'a, 'py, const N: usize> FromPyObject<'a, 'py> for FixedMut<'py, N> {
    type Error = PyErr;
    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let vector = VectorMut::extract(object)?;
        if vector.len() == N { Ok(FixedMut(vector)) } else { Err(fixed_size_error(N, vector.len())) }
    }
}

/// A matrix to write.
pub(crate) struct MatrixMut<'py> {
    array: Bound<'py, PyArrayDyn<f64>>,
    pub rows: usize,
    pub columns: usize,
}

impl MatrixMut<'_> {
    /// Read and write the elements.
    pub(crate) fn edit<R>(&self, work: impl FnOnce(&mut [f64]) -> R) -> PyResult<R> {
        edit(&self.array, work)
    }
}

impl<'a, 'py> FromPyObject<'a, 'py> for MatrixMut<'py> {
    type Error = PyErr;
    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let array = writable(&object)?;
        let (rows, columns) = matrix_shape(array.shape())?;
        Ok(MatrixMut { array, rows, columns })
    }
}
