//! `set_mjcb_control` and its kin: Python functions called at fixed points of the step.
//!
//! As in MuJoCo they are global: set once, they are called for every simulation. While a function runs, the simulation
//! belongs to it: it may read and write the arrays of the data and call other functions on it. An exception it raises ends the
//! callbacks of that call, and is raised when the call that led to it returns.

use std::cell::RefCell;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use condyle_engine::Data;
use condyle_engine::collision::filter;
use condyle_engine::data::system_clock;
use condyle_engine::hooks::{Hooks, PairContext};
use condyle_model::Model;
use pyo3::call::PyCallArgs;
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;

use crate::boundary::guarded;
use crate::data::MjData;
use crate::model::MjModel;
use crate::ownership::Lent;

/// Points of the step a function can be set for.
#[derive(Clone, Copy)]
enum Point {
    Control,
    Passive,
    Sensor,
    ActivationRate,
    Gain,
    Bias,
    ContactFilter,
    Time,
}

const POINTS: usize = 8;

/// Their names in Python, in the order of [`Point`].
const NAMES: [&str; POINTS] = [
    "mjcb_control",
    "mjcb_passive",
    "mjcb_sensor",
    "mjcb_act_dyn",
    "mjcb_act_gain",
    "mjcb_act_bias",
    "mjcb_contactfilter",
    "mjcb_time",
];

/// The functions that are set, by point.
static FUNCTIONS: Mutex<[Option<Py<PyAny>>; POINTS]> = Mutex::new([const { None }; POINTS]);

/// Whether any function is set, so that nothing else need be looked at.
static ANY: AtomicBool = AtomicBool::new(false);

/// The simulation a thread is working on, and the first exception of a function called for it.
struct Running {
    model: Py<MjModel>,
    data: Py<MjData>,
    failed: Option<PyErr>,
}

thread_local! {
    static RUNNING: RefCell<Vec<Running>> = const { RefCell::new(Vec::new()) };
}

/// Runs `work` on model and data with the interpreter lock released and the callbacks in place.
pub(crate) fn run(
    py: Python<'_>,
    m: &Py<MjModel>,
    d: &Py<MjData>,
    work: impl FnOnce(&Model, &mut Data) + Send,
) -> PyResult<()> {
    let model = m.get().checked()?;
    if ANY.load(Ordering::Acquire) {
        prepare(d.bind(py))?;
    }
    let mut data = d.get().lock()?;
    d.get().check_fits(m, &data)?;
    let _use = m.get().used();
    let data: &mut Data = &mut data;
    if !ANY.load(Ordering::Acquire) {
        return py.detach(|| guarded(|| work(model, data)));
    }
    let running = Running { model: m.clone_ref(py), data: d.clone_ref(py), failed: None };
    RUNNING.with_borrow_mut(|stack| stack.push(running));
    let result = py.detach(|| {
        // A call from within a callback leaves the hooks of the call outside in place.
        let outside = data.hooks.get();
        data.hooks.set(Some(Arc::new(Callbacks)));
        data.timers.set_clock(if has_clock() { Some(python_clock) } else { default_clock() });
        let result = guarded(|| work(model, data));
        if outside.is_none() {
            data.timers.set_clock(default_clock());
        }
        data.hooks.set(outside);
        result
    });
    let ended = RUNNING.with_borrow_mut(Vec::pop);
    match ended.and_then(|running| running.failed) {
        Some(error) => Err(error),
        None => result,
    }
}

/// Make the views a callback may need before the engine takes the data: while geoms are paired nothing but views can be used.
fn prepare(data: &Bound<'_, MjData>) -> PyResult<()> {
    let functions = FUNCTIONS.lock().unwrap_or_else(PoisonError::into_inner);
    let paired = functions[Point::ContactFilter as usize].is_some();
    drop(functions);
    if data.get().is_idle() {
        if paired {
            return MjData::make_views(data);
        }
        data.getattr("sensordata")?;
    }
    Ok(())
}

/// Whether a function raised an exception in the running call.
pub(crate) fn failed() -> bool {
    ANY.load(Ordering::Acquire)
        && RUNNING.with_borrow(|stack| stack.last().is_some_and(|running| running.failed.is_some()))
}

/// An error when a Python function is set that the threads of a `Batch` would have to wait for.
pub(crate) fn refuse_for_batches() -> PyResult<()> {
    if !ANY.load(Ordering::Acquire) {
        return Ok(());
    }
    let functions = FUNCTIONS.lock().unwrap_or_else(PoisonError::into_inner);
    let set = NAMES
        .iter()
        .zip(functions.iter())
        .find(|(name, function)| **name != "mjcb_time" && function.is_some());
    set.map_or(Ok(()), |(name, _)| {
        Err(pyo3::exceptions::PyValueError::new_err(format!(
            "{name} is a Python function, which a Batch cannot call from its threads"
        )))
    })
}

/// Callbacks of a batch: any thread may step the data, each trajectory with a model of its own.
pub(crate) struct BatchCallbacks {
    models: Arc<[Py<MjModel>]>,
    data: Py<MjData>,
    /// The first exception of any trajectory; after it no function is called any more.
    failed: Arc<Mutex<Option<PyErr>>>,
}

impl BatchCallbacks {
    /// Hooks for each data of a batch and the place of the first exception; `None` when no function is set.
    pub(crate) fn install(
        py: Python<'_>,
        models: &[Py<MjModel>],
        data: &[Py<MjData>],
    ) -> PyResult<Option<(Vec<Arc<Self>>, Arc<Mutex<Option<PyErr>>>)>> {
        if !ANY.load(Ordering::Acquire) {
            return Ok(None);
        }
        let failed = Arc::new(Mutex::new(None));
        let models: Arc<[_]> = models.iter().map(|model| model.clone_ref(py)).collect();
        let mut hooks = Vec::new();
        for data in data {
            prepare(data.bind(py))?;
            let data = data.clone_ref(py);
            hooks.push(Arc::new(Self { models: models.clone(), data, failed: failed.clone() }));
        }
        Ok(Some((hooks, failed)))
    }

    /// Run a callback as if the data were the one this thread works on.
    fn within<R>(&self, model: &Model, call: impl FnOnce() -> R) -> R {
        Python::attach(|py| {
            let known = self.models.iter().find(|known| std::ptr::eq(known.get().get(), model));
            let mut failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner).take();
            if let Some(known) = known {
                let (model, data) = (known.clone_ref(py), self.data.clone_ref(py));
                RUNNING.with_borrow_mut(|stack| stack.push(Running { model, data, failed: failed.take() }));
            }
            let result = call();
            if known.is_some() {
                failed = RUNNING.with_borrow_mut(Vec::pop).and_then(|running| running.failed);
            }
            if let Some(error) = failed {
                self.failed.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
            }
            result
        })
    }
}

impl Hooks for BatchCallbacks {
    fn control(&self, model: &Model, data: &mut Data) {
        self.within(model, || Callbacks.control(model, data));
    }

    fn passive_forces(&self, model: &Model, data: &mut Data) {
        self.within(model, || Callbacks.passive_forces(model, data));
    }

    fn activation_rate(&self, model: &Model, data: &Data, actuator: usize) -> f64 {
        self.within(model, || Callbacks.activation_rate(model, data, actuator))
    }

    fn gain(&self, model: &Model, data: &Data, actuator: usize) -> f64 {
        self.within(model, || Callbacks.gain(model, data, actuator))
    }

    fn bias(&self, model: &Model, data: &Data, actuator: usize) -> f64 {
        self.within(model, || Callbacks.bias(model, data, actuator))
    }

    fn may_collide(&self, model: &Model, context: PairContext<'_>, geoms: [usize; 2]) -> bool {
        self.within(model, || Callbacks.may_collide(model, context, geoms))
    }

    fn sensor(&self, model: &Model, data: &Data, sensor: usize, reading: &mut [f64]) {
        self.within(model, || Callbacks.sensor(model, data, sensor, reading));
    }
}

/// Calls into Python from the step.
struct Callbacks;

impl Callbacks {
    /// Calls the function of a point with arguments made from the running simulation; `None` when there is none, or when it or an
    /// earlier one failed.
    fn call<'py, A: PyCallArgs<'py>>(
        &self,
        py: Python<'py>,
        point: Point,
        lent: Lent,
        arguments: impl FnOnce(Py<MjModel>, Py<MjData>) -> A,
    ) -> Option<Bound<'py, PyAny>> {
        let function = {
            let functions = FUNCTIONS.lock().unwrap_or_else(PoisonError::into_inner);
            functions[point as usize].as_ref()?.clone_ref(py)
        };
        let (model, data) = RUNNING.with_borrow(|stack| {
            let running = stack.last().filter(|running| running.failed.is_none())?;
            Some((running.model.clone_ref(py), running.data.clone_ref(py)))
        })?;
        let arguments = arguments(model, data.clone_ref(py));
        match data.get().lend(lent, || function.bind(py).call1(arguments)) {
            Ok(value) => Some(value),
            Err(error) => {
                Self::fail(error);
                None
            }
        }
    }

    fn fail(error: PyErr) {
        RUNNING.with_borrow_mut(|stack| {
            if let Some(running) = stack.last_mut() {
                running.failed.get_or_insert(error);
            }
        });
    }

    fn number(&self, point: Point, data: &Data, actuator: usize, default: f64) -> f64 {
        Python::attach(|py| {
            match self
                .call(py, point, Lent::Reading(data), |model, data| (model, data, actuator as i64))
                .map(|value| value.extract::<f64>())
            {
                Some(Ok(value)) => value,
                Some(Err(error)) => {
                    Self::fail(error);
                    default
                }
                None => default,
            }
        })
    }
}

impl Hooks for Callbacks {
    fn control(&self, _: &Model, data: &mut Data) {
        let lent = Lent::All(data);
        Python::attach(|py| self.call(py, Point::Control, lent, |model, data| (model, data)).is_some());
    }

    fn passive_forces(&self, _: &Model, data: &mut Data) {
        let lent = Lent::All(data);
        Python::attach(|py| self.call(py, Point::Passive, lent, |model, data| (model, data)).is_some());
    }

    fn activation_rate(&self, _: &Model, data: &Data, actuator: usize) -> f64 {
        self.number(Point::ActivationRate, data, actuator, 0.0)
    }

    fn gain(&self, _: &Model, data: &Data, actuator: usize) -> f64 {
        self.number(Point::Gain, data, actuator, 1.0)
    }

    fn bias(&self, _: &Model, data: &Data, actuator: usize) -> f64 {
        self.number(Point::Bias, data, actuator, 0.0)
    }

    /// The function says which pairs to leave out; without one the masks do.
    fn may_collide(&self, model: &Model, _: PairContext<'_>, geoms: [usize; 2]) -> bool {
        Python::attach(|py| {
            let pair = (geoms[0] as i64, geoms[1] as i64);
            match self
                .call(py, Point::ContactFilter, Lent::Views, |model, data| (model, data, pair.0, pair.1))
            {
                Some(value) => !value.is_truthy().unwrap_or(false),
                None => filter::geoms_match(model, geoms),
            }
        })
    }

    /// The function writes into `sensordata`, as in MuJoCo; what it wrote is the reading.
    fn sensor(&self, model: &Model, data: &Data, sensor: usize, reading: &mut [f64]) {
        let stage = i64::from(model.sensor_needstage[sensor]);
        let lent = Lent::Reading(data);
        Python::attach(|py| self.call(py, Point::Sensor, lent, |model, data| (model, data, stage)).is_some());
        let start = model.sensor_adr[sensor] as usize;
        reading.copy_from_slice(&data.sensors.sensordata[start..start + reading.len()]);
    }
}

/// Whether simulations measure time without being asked.
static CLOCK: AtomicBool = AtomicBool::new(false);

/// The clock of simulations for which none is set.
pub(crate) fn default_clock() -> Option<fn() -> f64> {
    CLOCK.load(Ordering::Relaxed).then_some(system_clock)
}

/// Measure the time of stages in data made from now on, as MuJoCo's Python module does.
#[pyfunction]
fn _measure_time(on: bool) {
    CLOCK.store(on, Ordering::Relaxed);
}

fn has_clock() -> bool {
    FUNCTIONS.lock().unwrap_or_else(PoisonError::into_inner)[Point::Time as usize].is_some()
}

/// The time by the function that is set; 0 when it fails.
fn python_clock() -> f64 {
    Python::attach(|py| {
        let Some(function) = get(py, Point::Time) else { return 0.0 };
        let number = |time: Bound<'_, PyAny>| {
            time.extract().map_err(|_| PyTypeError::new_err("mjcb_time callback did not return a number"))
        };
        function.bind(py).call0().and_then(number).unwrap_or_else(|error| {
            Callbacks::fail(error);
            0.0
        })
    })
}

fn set(py: Python<'_>, point: Point, function: Bound<'_, PyAny>) -> PyResult<()> {
    if !function.is_none() && !function.is_callable() {
        return Err(PyTypeError::new_err("callback is not an Optional[Callable]"));
    }
    let mut functions = FUNCTIONS.lock().unwrap_or_else(PoisonError::into_inner);
    let old = std::mem::replace(
        &mut functions[point as usize],
        (!function.is_none()).then(|| function.clone().unbind()),
    );
    ANY.store(functions.iter().any(Option::is_some), Ordering::Release);
    drop(functions);
    // Dropped with the lock released: its destructor may run Python code.
    drop(old.map(|old| old.into_bound(py)));
    Ok(())
}

fn get(py: Python<'_>, point: Point) -> Option<Py<PyAny>> {
    let functions = FUNCTIONS.lock().unwrap_or_else(PoisonError::into_inner);
    functions[point as usize].as_ref().map(|function| function.clone_ref(py))
}

macro_rules! callback_functions {
    ($($set:ident $get:ident $point:ident $doc:literal;)*) => {
        $(
            #[doc = concat!("Set ", $doc, ", or remove it with `None`.")]
            #[pyfunction]
            fn $set(py: Python<'_>, callback: Bound<'_, PyAny>) -> PyResult<()> {
                set(py, Point::$point, callback)
            }

            #[doc = concat!("The current callback: ", $doc, ", or `None`.")]
            #[pyfunction]
            fn $get(py: Python<'_>) -> Option<Py<PyAny>> {
                get(py, Point::$point)
            }
        )*
        pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
            $(
                module.add_function(wrap_pyfunction!($set, module)?)?;
                module.add_function(wrap_pyfunction!($get, module)?)?;
            )*
            module.add_function(wrap_pyfunction!(_measure_time, module)?)
        }
    };
}

callback_functions! {
    set_mjcb_control get_mjcb_control Control "the function `f(model, data)` that sets controls";
    set_mjcb_passive get_mjcb_passive Passive "the function `f(model, data)` that adds to `qfrc_passive`";
    set_mjcb_sensor get_mjcb_sensor Sensor "the function `f(model, data, stage)` that writes user sensors into `sensordata`";
    set_mjcb_act_dyn get_mjcb_act_dyn ActivationRate "the function `f(model, data, actuator)` that gives the rate of activation";
    set_mjcb_act_gain get_mjcb_act_gain Gain "the function `f(model, data, actuator)` that gives the gain";
    set_mjcb_contactfilter get_mjcb_contactfilter ContactFilter "the function `f(model, data, geom1, geom2)` that is true for pairs to leave out";
    set_mjcb_time get_mjcb_time Time "the function `f()` that tells the time, in any unit, for `data.timer`";
    set_mjcb_act_bias get_mjcb_act_bias Bias "the function `f(model, data, actuator)` that gives the bias";
}
