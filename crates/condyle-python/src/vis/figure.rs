//! `MjvFigure`: a 2D figure of lines.

use condyle_model::Values;
use condyle_vis::Figure;
use condyle_vis::types::MAX_LINES;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple};

use super::record::{Place, missing, names, read, set_other, write};
use crate::view;

/// The field that is not in the settings, with its meaning.
pub(super) const LINE_DATA: (&str, &str) = ("linedata", "Points of each line, x and y alternating.");

/// A 2D figure of lines.
#[pyclass(module = "condyle", name = "MjvFigure", frozen, subclass, weakref)]
pub(crate) struct MjvFigure(pub Place<Figure>);

#[pymethods]
impl MjvFigure {
    #[new]
    #[pyo3(signature = (*_args, **_kwargs))]
    fn new(_args: &Bound<'_, PyTuple>, _kwargs: Option<&Bound<'_, PyDict>>) -> Self {
        Self(Place::new(Figure::default()))
    }

    #[allow(clippy::unused_self)]
    fn __init__(&self) {}

    pub(crate) fn __getattr__<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyAny>> {
        let memory = self.0.memory(py)?;
        let figure = self.0.get();
        if name == "linedata" {
            let values = figure.linedata.as_flattened();
            // SAFETY: the points of a figure are never resized.
            return unsafe {
                view::array(&memory, Values::F32(values), &[MAX_LINES, values.len() / MAX_LINES])
            };
        }
        read(&memory, &figure.settings, name).unwrap_or_else(|| Err(missing("MjvFigure", name)))
    }

    fn __setattr__(
        slf: &Bound<'_, Self>,
        name: &Bound<'_, PyString>,
        value: &Bound<'_, PyAny>,
    ) -> PyResult<()> {
        let text = name.to_cow()?;
        if text == "linedata" {
            return view::assign(&slf.getattr(name)?, value);
        }
        let place = &slf.get().0;
        write(&place.memory(slf.py())?, &mut place.get().settings, &text, value)
            .unwrap_or_else(|| set_other(slf.as_any(), name, value))
    }

    fn __dir__(slf: &Bound<'_, Self>) -> PyResult<Vec<String>> {
        let mut names = names(slf.as_any(), &slf.get().0.get().settings)?;
        if !names.iter().any(|name| name == LINE_DATA.0) {
            names.push(LINE_DATA.0.to_owned());
        }
        Ok(names)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Self>().is_ok_and(|other| *other.get().0.get() == *self.0.get())
    }

    fn __copy__(&self) -> Self {
        Self(Place::new(self.0.get().clone()))
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        self.__copy__()
    }
}
