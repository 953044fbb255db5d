//! Pictures: rectangles, contexts and the functions that draw into them and read from them.

pub(crate) mod batch;
mod context;
mod functions;

use condyle_render::Rect;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::queries::Int;

pub(crate) use context::MjrContext;

/// A rectangle of a picture, pixels.
#[pyclass(module = "condyle", name = "MjrRect", get_all, set_all, weakref)]
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct MjrRect {
    /// Left edge.
    left: i32,
    /// Lower edge.
    bottom: i32,
    /// Columns of pixels.
    width: i32,
    /// Rows of pixels.
    height: i32,
}

#[pymethods]
impl MjrRect {
    #[new]
    fn new(left: Int, bottom: Int, width: Int, height: Int) -> Self {
        let limit = |value: Int| value.0.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32;
        Self { left: limit(left), bottom: limit(bottom), width: limit(width), height: limit(height) }
    }

    fn __copy__(&self) -> Self {
        *self
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> Self {
        *self
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.extract::<PyRef<'_, Self>>().is_ok_and(|other| *other == *self)
    }

    fn __repr__(&self) -> String {
        format!(
            "<MjrRect\n  bottom: {}\n  height: {}\n  left: {}\n  width: {}\n>",
            self.bottom, self.height, self.left, self.width
        )
    }
}

impl MjrRect {
    pub(crate) fn rect(&self) -> Rect {
        // Rectangles far outside any picture are cut, so that sums of edges stay within range.
        let limit = |value: i32| value.clamp(-1_000_000, 1_000_000);
        Rect {
            left: limit(self.left),
            bottom: limit(self.bottom),
            width: limit(self.width),
            height: limit(self.height),
        }
    }

    pub(crate) fn from_rect(rect: Rect) -> Self {
        Self { left: rect.left, bottom: rect.bottom, width: rect.width, height: rect.height }
    }
}

/// Text as `str` or `bytes`, up to the first zero.
pub(crate) struct Text(pub String);

impl<'a, 'py> FromPyObject<'a, 'py> for Text {
    type Error = PyErr;
    fn extract(object: Borrowed<'a, 'py, PyAny>) -> PyResult<Self> {
        let text = match object.cast::<PyBytes>() {
            Ok(bytes) => String::from_utf8_lossy(bytes.as_bytes()).into_owned(),
            Err(_) => object.extract::<String>()?,
        };
        Ok(Self(text.split('\0').next().unwrap_or_default().to_owned()))
    }
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_class::<MjrRect>()?;
    module.add_class::<MjrContext>()?;
    batch::register(module)?;
    functions::register(module)
}
