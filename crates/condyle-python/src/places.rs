//! A check that the fixed arrays of a simulation stay where they are.
//!
//! A numpy view points into the memory of an array, so no function may replace an array a view can show. With the check on, every call
//! that had the simulation for itself compares the addresses with those at its creation when it ends. The check is on in debug builds
//! and wherever `_check_places(True)` was called, as the tests do; a simulation made before is not checked.

use std::sync::atomic::{AtomicBool, Ordering};

use condyle_engine::Data;
use condyle_model::Values;
use pyo3::prelude::*;

static ON: AtomicBool = AtomicBool::new(cfg!(debug_assertions));

/// Addresses and lengths of the fixed arrays.
pub(crate) struct Places(Vec<(usize, usize)>);

impl Places {
    /// The places of the arrays of `data`; `None` when the check is off.
    pub(crate) fn recorded(data: &Data) -> Option<Self> {
        ON.load(Ordering::Relaxed).then(|| Self::of(data))
    }

    fn of(data: &Data) -> Self {
        let mut places = Vec::with_capacity(Data::ARRAYS.len());
        data.visit_fixed(|values| places.push((address(&values), values.len())));
        Self(places)
    }

    /// Panics when an array is no longer where it was.
    pub(crate) fn check(&self, data: &Data) {
        let now = Self::of(data);
        if now.0 != self.0 && !std::thread::panicking() {
            let fixed = Data::ARRAYS.iter().filter(|array| !array.grows);
            let pairs = self.0.iter().zip(&now.0);
            let moved: Vec<_> = fixed
                .zip(pairs)
                .filter(|(_, (before, now))| before != now)
                .map(|(array, _)| array.info.name)
                .collect();
            panic!("arrays that views show were replaced: {}", moved.join(", "));
        }
    }
}

fn address(values: &Values<'_>) -> usize {
    match values {
        Values::F64(v) => v.as_ptr() as usize,
        Values::F32(v) => v.as_ptr() as usize,
        Values::I32(v) => v.as_ptr() as usize,
        Values::I64(v) => v.as_ptr() as usize,
        Values::U8(v) => v.as_ptr() as usize,
    }
}

/// Switch the check on or off for simulations made from now on.
#[pyfunction]
fn _check_places(on: bool) {
    ON.store(on, Ordering::Relaxed);
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(_check_places, module)?)
}
