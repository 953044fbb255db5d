//! What keeps mistakes of the engine inside: a panic becomes an exception that `except Exception` catches, and Ctrl-C ends long calls.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

pyo3::create_exception!(
    condyle,
    EngineError,
    PyRuntimeError,
    "The engine failed where it should not have. The data it worked on is in no defined state: make a new one."
);

/// Run `work`; a panic becomes an [`EngineError`].
pub fn guarded<R>(work: impl FnOnce() -> R) -> PyResult<R> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| {
        let text = panic
            .downcast_ref::<String>()
            .cloned()
            .or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()))
            .unwrap_or_default();
        EngineError::new_err(format!("the engine failed: {text}"))
    })
}

/// Asks now and then whether the user wants the call to end.
pub struct Interrupt {
    asked: Instant,
    found: Option<PyErr>,
}

impl Interrupt {
    /// How long a call goes on without asking.
    const PATIENCE: Duration = Duration::from_millis(50);

    pub fn new() -> Self {
        Self { asked: Instant::now(), found: None }
    }

    /// Whether to end the call; asks Python at most every 50 ms.
    pub fn is_wanted(&mut self) -> bool {
        if self.found.is_none() && self.asked.elapsed() > Self::PATIENCE {
            self.found = Python::attach(|py| py.check_signals()).err();
            self.asked = Instant::now();
        }
        self.found.is_some()
    }

    /// The exception to raise, if the call was ended.
    pub fn result(self) -> PyResult<()> {
        self.found.map_or(Ok(()), Err)
    }
}

pub fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("EngineError", module.py().get_type::<EngineError>())
}
