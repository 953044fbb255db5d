//! Who may use the data of a simulation, and when.
//!
//! A simulation is in one of three states:
//!
//! | state | who has it | Python may |
//! |---|---|---|
//! | idle | nobody | read attributes, call functions |
//! | busy | a function of the engine, with the interpreter lock released | read and write views made before; everything else is an error |
//! | lent | the engine waits in a callback | what the callback may: everything, reading only, or views only |
//!
//! Views of fixed arrays show the memory itself: while another thread steps they see numbers from the middle of a step, never memory
//! that is gone. Arrays that follow the number of contacts or constraints can move when they grow. A view of one is *leased*: before the
//! engine goes on, arrays with views that are still alive are given away to them whole, and the engine continues on a copy.

use std::any::Any;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::thread::{self, ThreadId};

use condyle_engine::Data;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

/// What a callback may use of the data whose step waits for it.
#[derive(Clone, Copy)]
pub(crate) enum Lent {
    /// Everything; the pointer comes from the exclusive reference the engine passed.
    All(*mut Data),
    /// Everything, for reading.
    Reading(*const Data),
    /// Nothing but views made before: the engine is in the middle of a stage.
    Views,
}

#[derive(Clone, Copy)]
enum State {
    Idle,
    Busy,
    Lent(Lent, ThreadId),
}

// SAFETY: the pointers are used only as the state they stand in allows, on the thread that is in the callback or under the
// interpreter lock while the engine waits.
unsafe impl Send for State {}

/// The memory of a growing array once it was given away; until then it belongs to the data.
#[derive(Default)]
pub(crate) struct Lease {
    memory: Mutex<Option<Box<dyn Any + Send>>>,
}

/// State and leases of one simulation.
pub(crate) struct Guard {
    state: Mutex<State>,
    /// Whether anything was leased since the engine ran last.
    leased: AtomicBool,
    leases: Mutex<Vec<(&'static str, Weak<Lease>)>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn in_use() -> PyErr {
    PyRuntimeError::new_err("this MjData is in use by another thread")
}

/// Exclusive use of the data, until dropped.
pub(crate) struct Claim<'a> {
    guard: &'a Guard,
    before: State,
    pub pointer: *mut Data,
}

impl Drop for Claim<'_> {
    fn drop(&mut self) {
        *lock(&self.guard.state) = self.before;
    }
}

impl Guard {
    pub(crate) fn new() -> Arc<Self> {
        Arc::new(Self {
            state: Mutex::new(State::Idle),
            leased: AtomicBool::new(false),
            leases: Mutex::new(Vec::new()),
        })
    }

    /// A pointer through which the data at `own` may be read until Python code or the engine runs again.
    pub(crate) fn for_reading(&self, own: *const Data) -> PyResult<*const Data> {
        match *lock(&self.state) {
            State::Idle => Ok(own),
            State::Lent(Lent::All(pointer), _) => Ok(pointer),
            State::Lent(Lent::Reading(pointer), _) => Ok(pointer),
            State::Lent(Lent::Views, _) => Err(PyRuntimeError::new_err(
                "while geoms are paired, a callback may use arrays of the data only",
            )),
            State::Busy => Err(in_use()),
        }
    }

    /// Whether nobody has the data.
    pub(crate) fn is_idle(&self) -> bool {
        matches!(*lock(&self.state), State::Idle)
    }

    /// Whether growing arrays may be leased now rather than copied.
    pub(crate) fn may_lease(&self) -> bool {
        matches!(*lock(&self.state), State::Idle | State::Lent(Lent::All(_), _))
    }

    /// Exclusive use of the data at `own`. Growing arrays that views still show are given away to them.
    pub(crate) fn claim(&self, own: *mut Data) -> PyResult<Claim<'_>> {
        let mut state = lock(&self.state);
        let pointer = match *state {
            State::Idle => own,
            State::Lent(Lent::All(pointer), thread) if thread == thread::current().id() => pointer,
            State::Lent(..) => {
                return Err(PyRuntimeError::new_err(
                    "this callback may read the MjData, but not call functions that change it",
                ));
            }
            State::Busy => return Err(in_use()),
        };
        let before = std::mem::replace(&mut *state, State::Busy);
        drop(state);
        Ok(Claim { guard: self, before, pointer })
    }

    /// A new lease of a growing array.
    pub(crate) fn lease(&self, name: &'static str) -> Arc<Lease> {
        let lease = Arc::new(Lease::default());
        lock(&self.leases).push((name, Arc::downgrade(&lease)));
        self.leased.store(true, Ordering::Release);
        lease
    }

    /// Whether there may be leases to end.
    pub(crate) fn has_leases(&self) -> bool {
        self.leased.load(Ordering::Acquire)
    }

    /// Give arrays that are still shown away to their views.
    pub(crate) fn end_leases(&self, data: &mut Data) {
        self.leased.store(false, Ordering::Release);
        for (name, lease) in lock(&self.leases).drain(..) {
            if let Some(lease) = lease.upgrade() {
                *lock(&lease.memory) = data.give_away(name);
            }
        }
    }

    /// Let Python code run in the middle of a claim.
    pub(crate) fn lend<R>(&self, lent: Lent, work: impl FnOnce() -> R) -> R {
        let before = std::mem::replace(&mut *lock(&self.state), State::Lent(lent, thread::current().id()));
        let result = work();
        *lock(&self.state) = before;
        result
    }
}
