//! Elements of an `MjSpec` as objects, their attributes as descriptors, and their lists.

use condyle_spec::edit::Slot;
use numpy::{PyArray1, PyUntypedArray, PyUntypedArrayMethods};
use pyo3::exceptions::{PyIndexError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyList, PyString, PyType};
use pyo3::{PyTraverseError, PyVisit};

use super::core::{Place, SpecCore, fill_array, gone, locate, plain_value, registry};

/// An element, a member of a default class, or a group of settings of a spec.
#[pyclass(module = "condyle", name = "_SpecElement", subclass, frozen, weakref)]
pub(crate) struct SpecElement {
    pub core: Py<SpecCore>,
    pub place: Place,
}

#[pymethods]
impl SpecElement {
    #[new]
    fn new(core: Py<SpecCore>, code: u8, index: u32) -> Self {
        Self { core, place: Place { code, index } }
    }

    /// The spec the element is in.
    #[getter]
    fn _spec<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, SpecCore>> {
        Ok(locate(slf)?.0)
    }

    /// The number of the kind, and the position in order of creation.
    #[getter]
    fn _place(slf: &Bound<'_, Self>) -> PyResult<(u8, u32)> {
        let place = locate(slf)?.1;
        Ok((place.code, place.index))
    }

    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.core)
    }
}

/// An attribute of a class of elements.
#[pyclass(module = "condyle", name = "_SpecAttribute", frozen)]
pub(crate) struct SpecAttribute {
    index: u16,
    name: String,
}

#[pymethods]
impl SpecAttribute {
    #[new]
    fn new(index: u16, name: String) -> Self {
        Self { index, name }
    }

    #[getter]
    fn __name__(&self) -> &str {
        &self.name
    }

    fn __get__<'py>(
        slf: &Bound<'py, Self>,
        instance: Option<&Bound<'py, PyAny>>,
        _owner: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        match instance {
            None => Ok(slf.clone().into_any()),
            Some(instance) => {
                let (core, place) = locate(instance.cast::<SpecElement>()?)?;
                get(&core, place, slf.get().index)
            }
        }
    }

    fn __set__(&self, instance: &Bound<'_, PyAny>, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let (core, place) = locate(instance.cast::<SpecElement>()?)?;
        set(&core, place, self.index, &self.name, value)
    }
}

/// The value of an attribute as an object of Python.
pub(crate) fn get<'py>(
    core: &Bound<'py, SpecCore>,
    place: Place,
    attribute: u16,
) -> PyResult<Bound<'py, PyAny>> {
    let py = core.py();
    let mut borrowed = core.try_borrow_mut()?;
    let vector = {
        let slot = borrowed.slot(place, attribute).ok_or_else(gone)?;
        if let Some(value) = plain_value(py, &slot)? {
            return Ok(value);
        }
        match slot {
            Slot::RealList(_) => Some("MjDoubleVec"),
            Slot::SingleList(_) => Some("MjFloatVec"),
            Slot::IntList(_) => Some("MjIntVec"),
            Slot::TextList(_) | Slot::Texts(_) => Some("MjStringVec"),
            Slot::Chars(_) => Some("MjCharVec"),
            _ => None,
        }
    };
    if let Some(name) = vector {
        drop(borrowed);
        let class = registry()?.vectors.get(name).ok_or_else(gone)?;
        return class.bind(py).call1((core, place.code, place.index, attribute));
    }
    if let Some(array) = borrowed.loan(py, place, attribute) {
        return Ok(array.into_bound(py));
    }
    let array = match borrowed.slot(place, attribute).ok_or_else(gone)? {
        Slot::Reals(values) => PyArray1::from_slice(py, values).into_any(),
        Slot::Singles(values) => PyArray1::from_slice(py, values).into_any(),
        Slot::Ints(values) => PyArray1::from_slice(py, values).into_any(),
        Slot::MaybeReals(values) => PyArray1::from_vec(py, values.to_flat()).into_any(),
        _ => return Err(gone()),
    };
    borrowed.note_loan(place, attribute, array.clone().unbind());
    Ok(array)
}

fn integer(value: &Bound<'_, PyAny>) -> PyResult<i64> {
    value.extract()
}

fn sized<T>(name: &str, values: Vec<T>, size: usize) -> PyResult<Vec<T>> {
    if values.len() == size {
        return Ok(values);
    }
    Err(PyValueError::new_err(format!("{name} should be a list/array of size {size}.")))
}

fn text(value: &Bound<'_, PyAny>) -> PyResult<String> {
    if let Ok(bytes) = value.cast::<PyBytes>() {
        return Ok(String::from_utf8_lossy(bytes.as_bytes()).into_owned());
    }
    value.extract()
}

/// A value read from Python, before the spec is touched.
enum Given {
    Real(f64),
    Int(i64),
    Text(String),
    Bytes(Vec<u8>),
    Reals(Vec<f64>),
    Ints(Vec<i32>),
    Texts(Vec<String>),
}

/// Sets an attribute. Nothing of the spec is borrowed while Python's own code may run.
pub(crate) fn set(
    core: &Bound<'_, SpecCore>,
    place: Place,
    attribute: u16,
    name: &str,
    value: &Bound<'_, PyAny>,
) -> PyResult<()> {
    #[derive(Clone, Copy)]
    enum Wanted {
        Real,
        Int,
        Text,
        Bytes,
        Reals,
        Ints,
        Texts,
        Chars(usize),
    }
    let wanted = match core.try_borrow_mut()?.slot(place, attribute).ok_or_else(gone)? {
        Slot::Real(_) | Slot::Single(_) | Slot::MaybeReal(_) => Wanted::Real,
        Slot::Int(_) | Slot::Long(_) | Slot::Flag(_) | Slot::Choice(_) => Wanted::Int,
        Slot::Text(_) => Wanted::Text,
        Slot::Bytes(_) => Wanted::Bytes,
        Slot::MaybeReals(_) | Slot::Reals(_) | Slot::Singles(_) | Slot::RealList(_) | Slot::SingleList(_) => {
            Wanted::Reals
        }
        Slot::Ints(_) | Slot::IntList(_) => Wanted::Ints,
        Slot::Texts(_) | Slot::TextList(_) => Wanted::Texts,
        Slot::Chars(values) => Wanted::Chars(values.len()),
    };
    let given = match wanted {
        Wanted::Real => Given::Real(value.extract()?),
        Wanted::Int => Given::Int(integer(value)?),
        Wanted::Text => Given::Text(text(value)?),
        Wanted::Bytes => Given::Bytes(match value.cast::<PyBytes>() {
            Ok(bytes) => bytes.as_bytes().to_vec(),
            Err(_) => value.extract()?,
        }),
        Wanted::Reals => Given::Reals(numbers(value)?),
        Wanted::Ints => Given::Ints(value.extract()?),
        Wanted::Texts => {
            if value.is_instance_of::<PyString>() {
                return Err(PyTypeError::new_err(format!("{name} should be a list of strings.")));
            }
            Given::Texts(value.extract()?)
        }
        Wanted::Chars(size) => Given::Bytes(characters(name, value, size)?),
    };
    let mut borrowed = core.try_borrow_mut()?;
    let slot = borrowed.slot(place, attribute).ok_or_else(gone)?;
    write(name, slot, given)?;
    if let Some(array) = borrowed.loan(core.py(), place, attribute) {
        let slot = borrowed.slot(place, attribute).ok_or_else(gone)?;
        fill_array(slot, array.bind(core.py()))?;
    }
    Ok(())
}

/// Numbers from a list, an array or a column of a matrix; a text is not a list of numbers.
pub(crate) fn numbers(value: &Bound<'_, PyAny>) -> PyResult<Vec<f64>> {
    if value.is_instance_of::<PyBytes>() || value.is_instance_of::<PyString>() {
        return Err(PyTypeError::new_err("a list or array of numbers is needed"));
    }
    if let Ok(array) = value.cast::<PyUntypedArray>()
        && let [_, 1] = array.shape()
    {
        return value.call_method1("reshape", (-1,))?.extract();
    }
    value.extract()
}

fn characters(name: &str, value: &Bound<'_, PyAny>, size: usize) -> PyResult<Vec<u8>> {
    let characters: Vec<u8> = match value.extract::<String>() {
        Ok(text) => text.into_bytes(),
        Err(_) => {
            let parts: Vec<String> = value.extract()?;
            if parts.iter().any(|part| part.len() != 1) {
                return Err(PyValueError::new_err(format!(
                    "{name}: list elements must be single characters"
                )));
            }
            parts.concat().into_bytes()
        }
    };
    if characters.len() != size {
        return Err(PyValueError::new_err(format!("{name} should have length {size}")));
    }
    Ok(characters)
}

fn write(name: &str, slot: Slot<'_>, given: Given) -> PyResult<()> {
    let narrow = |value: i64| {
        i32::try_from(value).map_err(|_| PyTypeError::new_err(format!("{name} does not fit 32 bits")))
    };
    match (slot, given) {
        (Slot::Real(to), Given::Real(value)) => *to = value,
        (Slot::Single(to), Given::Real(value)) => *to = value as f32,
        (Slot::MaybeReal(to), Given::Real(value)) => *to = (!value.is_nan()).then_some(value),
        (Slot::Int(to), Given::Int(value)) => *to = narrow(value)?,
        (Slot::Long(to), Given::Int(value)) => *to = value,
        (Slot::Flag(to), Given::Int(value)) => *to = value != 0,
        (Slot::Choice(to), Given::Int(value)) => {
            if !to.set_number(narrow(value)?) {
                return Err(PyValueError::new_err(format!("{name} cannot be {value}")));
            }
        }
        (Slot::Text(to), Given::Text(value)) => *to = value,
        (Slot::Bytes(to), Given::Bytes(value)) => *to = value,
        (Slot::Chars(to), Given::Bytes(value)) => to.copy_from_slice(&value),
        (Slot::Reals(to), Given::Reals(values)) => to.copy_from_slice(&sized(name, values, to.len())?),
        (Slot::Singles(to), Given::Reals(values)) => {
            let values = sized(name, values, to.len())?;
            for (to, from) in to.iter_mut().zip(values) {
                *to = from as f32;
            }
        }
        (Slot::MaybeReals(to), Given::Reals(values)) => {
            let size = to.to_flat().len();
            to.set_flat(&sized(name, values, size)?);
        }
        (Slot::Ints(to), Given::Ints(values)) => to.copy_from_slice(&sized(name, values, to.len())?),
        (Slot::RealList(to), Given::Reals(values)) => *to = values,
        (Slot::SingleList(to), Given::Reals(values)) => {
            *to = values.into_iter().map(|value| value as f32).collect();
        }
        (Slot::IntList(to), Given::Ints(values)) => *to = values,
        (Slot::TextList(to), Given::Texts(values)) => *to = values,
        (Slot::Texts(to), Given::Texts(values)) => {
            if values.len() != to.len() {
                let message = format!("{name} must have exactly {} elements, got {}", to.len(), values.len());
                return Err(PyValueError::new_err(message));
            }
            to.clone_from_slice(&values);
        }
        _ => return Err(PyTypeError::new_err(format!("{name} is the wrong type."))),
    }
    Ok(())
}

/// A list of an element, live in both directions.
#[pyclass(module = "condyle", name = "_SpecVector", subclass, frozen)]
pub(crate) struct SpecVector {
    core: Py<SpecCore>,
    place: Place,
    attribute: u16,
}

#[pymethods]
impl SpecVector {
    #[new]
    fn new(core: Py<SpecCore>, code: u8, index: u32, attribute: u16) -> Self {
        Self { core, place: Place { code, index }, attribute }
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        let mut core = self.core.bind(py).try_borrow_mut()?;
        Ok(match core.slot(self.place, self.attribute).ok_or_else(gone)? {
            Slot::RealList(values) => values.len(),
            Slot::SingleList(values) => values.len(),
            Slot::IntList(values) => values.len(),
            Slot::TextList(values) => values.len(),
            Slot::Texts(values) => values.len(),
            Slot::Chars(values) => values.len(),
            _ => 0,
        })
    }

    /// A copy as a list.
    fn tolist<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let mut core = self.core.bind(py).try_borrow_mut()?;
        Ok(match core.slot(self.place, self.attribute).ok_or_else(gone)? {
            Slot::RealList(values) => PyList::new(py, values.iter())?.into_any(),
            Slot::SingleList(values) => PyList::new(py, values.iter())?.into_any(),
            Slot::IntList(values) => PyList::new(py, values.iter())?.into_any(),
            Slot::TextList(values) => PyList::new(py, values.iter())?.into_any(),
            Slot::Texts(values) => PyList::new(py, values.iter())?.into_any(),
            Slot::Chars(values) => {
                PyList::new(py, values.iter().map(|&value| char::from(value).to_string()))?.into_any()
            }
            _ => PyList::empty(py).into_any(),
        })
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        Ok(self.tolist(py)?.try_iter()?.into_any())
    }

    #[pyo3(signature = (dtype=None, copy=None))]
    fn __array__<'py>(
        &self,
        py: Python<'py>,
        dtype: Option<Bound<'py, PyAny>>,
        copy: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let _ = copy;
        let array = {
            let mut core = self.core.bind(py).try_borrow_mut()?;
            match core.slot(self.place, self.attribute).ok_or_else(gone)? {
                Slot::RealList(values) => Some(PyArray1::from_slice(py, values).into_any()),
                Slot::SingleList(values) => Some(PyArray1::from_slice(py, values).into_any()),
                Slot::IntList(values) => Some(PyArray1::from_slice(py, values).into_any()),
                _ => None,
            }
        };
        let array = match array {
            Some(array) => array,
            None => py.import("numpy")?.call_method1("array", (self.tolist(py)?,))?,
        };
        match dtype {
            Some(dtype) if !dtype.is_none() => array.call_method1("astype", (dtype,)),
            _ => Ok(array),
        }
    }

    fn __getitem__<'py>(&self, py: Python<'py>, index: isize) -> PyResult<Bound<'py, PyAny>> {
        let at = usize::try_from(index).map_err(|_| out_of_range())?;
        let mut core = self.core.bind(py).try_borrow_mut()?;
        Ok(match core.slot(self.place, self.attribute).ok_or_else(gone)? {
            Slot::RealList(values) => values.get(at).ok_or_else(out_of_range)?.into_pyobject(py)?.into_any(),
            Slot::SingleList(values) => {
                values.get(at).ok_or_else(out_of_range)?.into_pyobject(py)?.into_any()
            }
            Slot::IntList(values) => values.get(at).ok_or_else(out_of_range)?.into_pyobject(py)?.into_any(),
            Slot::TextList(values) => values.get(at).ok_or_else(out_of_range)?.into_pyobject(py)?.into_any(),
            Slot::Texts(values) => values.get(at).ok_or_else(out_of_range)?.into_pyobject(py)?.into_any(),
            Slot::Chars(values) => {
                let character = char::from(*values.get(at).ok_or_else(out_of_range)?);
                character.to_string().into_pyobject(py)?.into_any()
            }
            _ => return Err(out_of_range()),
        })
    }

    fn __setitem__(&self, py: Python<'_>, index: isize, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let at = usize::try_from(index).map_err(|_| out_of_range())?;
        let real = value.extract::<f64>();
        let words = text(value);
        let mut core = self.core.bind(py).try_borrow_mut()?;
        match core.slot(self.place, self.attribute).ok_or_else(gone)? {
            Slot::RealList(values) => *values.get_mut(at).ok_or_else(out_of_range)? = real?,
            Slot::SingleList(values) => *values.get_mut(at).ok_or_else(out_of_range)? = real? as f32,
            Slot::IntList(values) => *values.get_mut(at).ok_or_else(out_of_range)? = real? as i32,
            Slot::TextList(values) => *values.get_mut(at).ok_or_else(out_of_range)? = words?,
            Slot::Texts(values) => *values.get_mut(at).ok_or_else(out_of_range)? = words?,
            Slot::Chars(values) => {
                let place = values.get_mut(at).ok_or_else(out_of_range)?;
                match words?.as_bytes() {
                    [character] => *place = *character,
                    _ => return Err(PyValueError::new_err("a single character is needed")),
                }
            }
            _ => return Err(out_of_range()),
        }
        Ok(())
    }

    fn __eq__<'py>(&self, py: Python<'py>, other: &Bound<'py, PyAny>) -> PyResult<bool> {
        let other = match other.cast::<SpecVector>() {
            Ok(other) => other.get().tolist(py)?,
            Err(_) => other.clone(),
        };
        self.tolist(py)?.eq(other)
    }

    fn __repr__(slf: &Bound<'_, Self>) -> PyResult<String> {
        let name = slf.get_type().name()?;
        Ok(format!("{name}({})", slf.get().tolist(slf.py())?.repr()?))
    }
}

fn out_of_range() -> PyErr {
    PyIndexError::new_err("Index out of range.")
}

/// Keeps the classes of Python that stand for places, lists and enumerations.
#[pyfunction]
pub(crate) fn _spec_register(
    classes: std::collections::HashMap<u8, Py<PyType>>,
    vectors: std::collections::HashMap<String, Py<PyType>>,
    enumerations: std::collections::HashMap<String, Py<pyo3::types::PyDict>>,
) {
    const VECTORS: [&str; 6] =
        ["MjDoubleVec", "MjFloatVec", "MjIntVec", "MjStringVec", "MjCharVec", "MjByteVec"];
    let mut registry = super::core::Registry { enumerations, ..Default::default() };
    registry.classes.extend(classes.into_iter().map(|(code, class)| (code, class.into_any())));
    for (name, class) in vectors {
        if let Some(known) = VECTORS.iter().find(|known| **known == name) {
            registry.vectors.insert(known, class.into_any());
        }
    }
    super::core::set_registry(registry);
}
