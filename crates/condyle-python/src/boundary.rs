//! What keeps mistakes of the engine inside: a panic becomes an exception that `except Exception` catches, and Ctrl-C ends long calls.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use pyo3::exceptions::{PyMemoryError, PyRuntimeError};
use pyo3::panic::PanicException;
use pyo3::prelude::*;

pyo3::create_exception!(
    condyle,
    EngineError,
    PyRuntimeError,
    "The engine failed where it should not have. The data it worked on is in an undefined state: make a new one."
);

/// Where the engine failed last.
static PLACE: Mutex<String> = Mutex::new(String::new());

/// Run `work`; a panic becomes an [`EngineError`].
pub(crate) fn guarded<R>(work: impl FnOnce() -> R) -> PyResult<R> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| {
        let text = panic
            .downcast_ref::<String>()
            .cloned()
            .or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()))
            .unwrap_or_default();
        let place = PLACE.lock().unwrap_or_else(PoisonError::into_inner);
        EngineError::new_err(format!("the engine failed: {text} ({place})"))
    })
}

/// A `MemoryError` unless so many bytes can be allocated; running out of memory inside the engine would end the process.
pub(crate) fn enough_memory(bytes: Option<u64>) -> PyResult<()> {
    match bytes {
        Some(bytes) if condyle_spec::can_be_had(bytes) => Ok(()),
        Some(bytes) => Err(PyMemoryError::new_err(format!("the simulation needs {bytes} bytes"))),
        None => Err(PyMemoryError::new_err("the simulation needs more memory than there can be")),
    }
}

/// Keep the place of a panic for the exception it becomes, instead of printing it. With RUST_BACKTRACE set it is printed as well.
fn set_hook() {
    let print = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |info| {
        let place = info.location().map(ToString::to_string).unwrap_or_default();
        *PLACE.lock().unwrap_or_else(PoisonError::into_inner) = place;
        if std::env::var_os("RUST_BACKTRACE").is_some() {
            print(info);
        }
    }));
}

/// Asks now and then whether the user wants the call to end.
pub(crate) struct Interrupt {
    asked: Instant,
    found: Option<PyErr>,
}

impl Interrupt {
    /// How long a call goes on without asking.
    const PATIENCE: Duration = Duration::from_millis(50);

    pub(crate) fn new() -> Self {
        Self { asked: Instant::now(), found: None }
    }

    /// Whether to end the call; asks Python at most every 50 ms.
    pub(crate) fn is_wanted(&mut self) -> bool {
        if self.found.is_none() && self.asked.elapsed() > Self::PATIENCE {
            self.found = Python::attach(|py| py.check_signals()).err();
            self.asked = Instant::now();
        }
        self.found.is_some()
    }

    /// The exception to raise, if the call was ended.
    pub(crate) fn result(self) -> PyResult<()> {
        self.found.map_or(Ok(()), Err)
    }
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let error = module.py().get_type::<EngineError>();
    // A panic that no `guarded` is around becomes PyO3's own exception, which `except Exception` would not catch. Its base must have
    // the layout of the one it has, which classes made at run time have not.
    let ordinary = module.py().get_type::<PyRuntimeError>();
    module.py().get_type::<PanicException>().setattr("__bases__", (ordinary,))?;
    set_hook();
    module.add("EngineError", error)
}
