//! Contacts, constraint rows, islands and counters of warnings, timers and iterations in a pickle. A snapshot leaves them out, because a
//! step makes them anew; a pickle shows what the data showed.

use std::mem::size_of;

use condyle_engine::Data;
use condyle_engine::data::ScalarValue;
use condyle_model::Values;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::record::ContactRecord;

/// Everything by name: numbers of rows, growing arrays as bytes, contacts as the bytes of their records, counters of warnings.
pub(crate) fn save<'py>(py: Python<'py>, data: &Data) -> PyResult<Bound<'py, PyDict>> {
    let lists = PyDict::new(py);
    for scalar in Data::SCALARS {
        if let Some(ScalarValue::Count(count)) = data.scalar(scalar.name) {
            lists.set_item(scalar.name, count)?;
        }
    }
    for array in Data::ARRAYS.iter().filter(|array| array.grows) {
        if let Some(values) = data.array(array.info.name).filter(|values| !values.is_empty()) {
            lists.set_item(array.info.name, values_as_bytes(py, values)?)?;
        }
    }
    if !data.contacts.is_empty() {
        let hessians = data.cone_hessians.iter().chain(std::iter::repeat(&[0.0; 36]));
        let records = data.contacts.iter().zip(hessians);
        let fields: Vec<u8> =
            records.flat_map(|(contact, hessian)| ContactRecord::join(contact, hessian).bytes()).collect();
        lists.set_item("contact", PyBytes::new(py, &fields))?;
    }
    let warnings: Vec<(i32, i32)> =
        data.diagnostics.warning.iter().map(|stat| (stat.lastinfo, stat.number)).collect();
    lists.set_item("warning", warnings)?;
    Ok(lists)
}

fn values_as_bytes<'py>(py: Python<'py>, values: Values<'_>) -> PyResult<Bound<'py, PyBytes>> {
    macro_rules! numbers {
        ($values:expr, $size:expr) => {
            PyBytes::new_with(py, $size * $values.len(), |out| {
                for (place, number) in out.as_chunks_mut::<$size>().0.iter_mut().zip($values) {
                    *place = number.to_ne_bytes();
                }
                Ok(())
            })
        };
    }
    match values {
        Values::F64(values) => numbers!(values, 8),
        Values::F32(values) => numbers!(values, 4),
        Values::I64(values) => numbers!(values, 8),
        Values::I32(values) => numbers!(values, 4),
        Values::U8(values) => Ok(PyBytes::new(py, values)),
    }
}

/// Put one of them back; an error when it does not fit.
pub(crate) fn restore(data: &mut Data, name: &str, value: &Bound<'_, PyAny>) -> PyResult<()> {
    let refuse = || PyValueError::new_err(format!("'{name}' in the pickle does not fit"));
    if name == "warning" {
        let stats: Vec<(i32, i32)> = value.extract()?;
        for (stat, (lastinfo, number)) in data.diagnostics.warning.iter_mut().zip(stats) {
            (stat.lastinfo, stat.number) = (lastinfo, number);
        }
        return Ok(());
    }
    if let Ok(count) = value.extract::<usize>() {
        return if data.set_count(name, count) { Ok(()) } else { Err(refuse()) };
    }
    let bytes = value.cast::<PyBytes>()?.as_bytes();
    if name == "contact" {
        let (records, rest) = bytes.as_chunks::<{ size_of::<ContactRecord>() }>();
        if !rest.is_empty() {
            return Err(refuse());
        }
        (data.contacts, data.cone_hessians) =
            records.iter().map(|bytes| ContactRecord::from_bytes(bytes).split()).unzip();
        return Ok(());
    }
    if data.set_growing(name, bytes) { Ok(()) } else { Err(refuse()) }
}
