//! `opt`, `stat` and the topics of `vis`: attribute access to small records of the model.

use std::sync::Arc;

use condyle_model::Model;
use condyle_model::options::ErasedRecord;
use pyo3::exceptions::PyAttributeError;
use pyo3::prelude::*;

use crate::view;
use crate::view::Shared;

/// Which record of the model a view shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RecordKind {
    Option,
    Statistic,
    /// All view settings; its attributes are the topics.
    Visual,
    /// One topic of the view settings.
    Topic(usize),
}

/// Live view of a record.
#[pyclass(module = "condyle", frozen)]
pub struct RecordView {
    owner: Arc<Shared<Model>>,
    kind: RecordKind,
}

impl RecordView {
    pub fn make(py: Python<'_>, owner: Arc<Shared<Model>>, kind: RecordKind) -> PyResult<Bound<'_, PyAny>> {
        Ok(Bound::new(py, Self { owner, kind })?.into_any())
    }

    fn record<'a>(&self, model: &'a mut Model) -> Option<&'a mut dyn ErasedRecord> {
        match self.kind {
            RecordKind::Option => Some(&mut model.opt),
            RecordKind::Statistic => Some(&mut model.stat),
            RecordKind::Visual => None,
            RecordKind::Topic(index) => {
                model.vis.records_mut().into_iter().nth(index).map(|(_, record)| record)
            }
        }
    }

    #[allow(clippy::mut_from_ref)]
    fn model(&self) -> &mut Model {
        // SAFETY: called with the interpreter lock held and used for one field access at a time.
        unsafe { &mut *self.owner.get() }
    }
}

fn missing(name: &str) -> PyErr {
    PyAttributeError::new_err(format!("no option named '{name}'"))
}

#[pymethods]
impl RecordView {
    fn __getattr__<'py>(slf: Bound<'py, Self>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let py = slf.py();
        let this = slf.get();
        if this.kind == RecordKind::Visual {
            // `global` is a keyword in Python, so the topic is reached with an underscore.
            let topic = name.trim_end_matches('_');
            let index = this.model().vis.records().iter().position(|(topic_name, _)| *topic_name == topic);
            let index = index.ok_or_else(|| missing(name))?;
            return Self::make(py, this.owner.clone(), RecordKind::Topic(index));
        }
        let record = this.record(this.model()).ok_or_else(|| missing(name))?;
        let width = record.fields().iter().find(|field| field.name == name).map(|field| field.width);
        match (record.value(name), width) {
            (Some(values), Some(1)) => view::scalar(py, values),
            // SAFETY: the record lives inside the boxed model, which never moves.
            (Some(values), Some(width)) => unsafe { view::array(slf.as_any(), values, &[width]) },
            _ => Err(missing(name)),
        }
    }

    fn __setattr__(slf: Bound<'_, Self>, name: &str, value: Bound<'_, PyAny>) -> PyResult<()> {
        let this = slf.get();
        let record = this.record(this.model()).ok_or_else(|| missing(name))?;
        let width = record.fields().iter().find(|field| field.name == name).map(|field| field.width);
        match (record.value_mut(name), width) {
            (Some(values), Some(1)) => view::set_scalar(values, &value),
            (Some(_), Some(_)) => view::assign(&slf.getattr(name)?, &value),
            _ => Err(missing(name)),
        }
    }

    fn __dir__(slf: Bound<'_, Self>) -> Vec<&'static str> {
        let this = slf.get();
        match this.record(this.model()) {
            Some(record) => record.fields().iter().map(|field| field.name).collect(),
            None => vec!["global_", "quality", "headlight", "map", "scale", "rgba"],
        }
    }
}
