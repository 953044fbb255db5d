//! Many trajectories at once: from initial states, under given controls, on any number of threads.
//!
//! A [`Trajectories`] says what to compute: trajectory `k` sets row `k` of the initial states, then for every step sets the next row of
//! controls, steps, and writes the new state and the sensor readings to row `(k, step)` of the [`Output`]. [`Rollout`] holds the
//! threads; each of them works in a [`Data`] of its own, so a step allocates nothing and shares nothing.
//!
//! ```
//! use condyle::rollout::{Output, Rollout, Trajectories};
//! use condyle::{Data, LoadOptions, load_str};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let text = "<mujoco><worldbody><body><joint type='slide' axis='1 0 0'/><geom size='.1'/></body></worldbody></mujoco>";
//! let model = load_str(text, &LoadOptions::default())?.model;
//! let starts = [0.0, 0.0, 1.0, /* */ 0.0, 0.5, 2.0]; // time, position and velocity of two trajectories
//! let models = [&model]; // one for all
//! let batch = Trajectories::new(&models, 100, &starts);
//! let mut states = vec![0.0; batch.trajectories() * batch.steps * batch.state_size()];
//! let mut data = vec![Data::new(&model); 2]; // two threads
//! Rollout::new(data.len())?.run(&batch, &mut data, Output { states: Some(&mut states), sensordata: None })?;
//! let last = &states[states.len() - 3..];
//! assert!((last[1] - (0.5 + 2.0 * 0.2)).abs() < 1e-9);
//! # Ok(())
//! # }
//! ```
//!
//! A step that raises a warning ends its trajectory: the rows that remain repeat what that step left, which for an invalid value
//! under the policy `AutoReset` is the first step after the reset.
//!
//! Results do not depend on the number of threads, on the order in which trajectories are dealt out, or on how fast they run: what a
//! batch does not give is taken from the first data as it was at the call. Reference: the Python module `mujoco.rollout`, which
//! instead goes on from the trajectory before on the same thread ([`Trajectories::carry`]).

use std::borrow::BorrowMut;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Duration;

use condyle_engine::data::{Sensors, sleep_enabled};
use condyle_engine::position::read_frames::LeavingOut;
use condyle_engine::state::{self, component};
use condyle_engine::{Data, step};
use condyle_model::Model;
use rayon::{ThreadPool, ThreadPoolBuilder};

/// What to roll out. Arrays are row after row without gaps.
#[derive(Clone, Copy, Debug)]
pub struct Trajectories<'a> {
    /// One model for all trajectories, or one for each. Their sizes must be equal.
    pub models: &'a [&'a Model],
    /// Steps of each trajectory.
    pub steps: usize,
    /// A state of the components [`component::FULL_PHYSICS`] for each trajectory.
    pub initial_states: &'a [f64],
    /// Accelerations the solver starts from, `nv` for each trajectory; zeros when absent.
    pub initial_warmstarts: Option<&'a [f64]>,
    /// For each trajectory and step a vector of the components `control_signature`. When absent they stay as they are in the data.
    pub controls: Option<&'a [f64]>,
    /// Components of the controls, of [`component`]. Inputs that are not among them are zero, equalities and mocap bodies those of
    /// the model.
    pub control_signature: u32,
    /// Trajectories a thread takes at a time; chosen by the number of trajectories and threads when absent.
    pub chunk_size: Option<usize>,
    /// Whether a trajectory takes over what the batch does not give from the trajectory before, as MuJoCo does: user data, which
    /// trees sleep, the energy of the step before, without controls also the controls. Only with a single data, because otherwise the
    /// result would depend on who is faster.
    pub carry: bool,
}

/// Where results go; what is absent is not written. Rows are trajectories, then steps.
#[derive(Debug, Default)]
pub struct Output<'a> {
    /// States of the components [`component::FULL_PHYSICS`] after each step.
    pub states: Option<&'a mut [f64]>,
    /// Sensor readings of each step.
    pub sensordata: Option<&'a mut [f64]>,
}

/// Why a batch cannot be rolled out.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RolloutError {
    /// There is no model.
    NoModel,
    /// There is no data.
    NoData,
    /// Neither one model nor one for each trajectory.
    ModelCount {
        /// Models that were given.
        models: usize,
        /// Trajectories there are.
        trajectories: usize,
    },
    /// The model of this number has different sizes from the first.
    ModelSizes(usize),
    /// The data of this number was made for a model with different sizes.
    DataSizes(usize),
    /// Controls of components that do not exist.
    Signature(u32),
    /// An array of the wrong length.
    Length {
        /// The name of the array.
        array: &'static str,
        /// The length it should have.
        expected: usize,
        /// The length it has.
        found: usize,
    },
    /// The number of data is not that of the threads.
    DataCount {
        /// Data that were given.
        data: usize,
        /// Threads there are.
        threads: usize,
    },
    /// Chunks of no trajectories.
    ChunkSize,
    /// Trajectories carry over to the next, but there are several data.
    CarryAcrossThreads,
    /// The system gives no more threads.
    Threads(String),
}

impl fmt::Display for RolloutError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoModel => f.write_str("there is no model"),
            Self::NoData => f.write_str("the list of data is empty"),
            Self::ModelCount { models, trajectories } => {
                write!(f, "{models} models for {trajectories} trajectories; give one, or one for each")
            }
            Self::ModelSizes(index) => write!(f, "model {index} has different sizes from the first"),
            Self::DataSizes(index) => write!(f, "data {index} was made for a model with different sizes"),
            Self::Signature(signature) => write!(f, "invalid state signature {signature}"),
            Self::Length { array, expected, found } => {
                write!(f, "{array}.size should be {expected}, got {found}")
            }
            Self::DataCount { data, threads } => {
                write!(f, "{data} data for {threads} threads; give one for each")
            }
            Self::ChunkSize => f.write_str("a chunk has at least one trajectory"),
            Self::CarryAcrossThreads => {
                f.write_str("trajectories can carry over to the next on a single data only")
            }
            Self::Threads(reason) => write!(f, "cannot start the threads: {reason}"),
        }
    }
}

impl std::error::Error for RolloutError {}

impl<'a> Trajectories<'a> {
    /// A batch without controls that starts at rest of the solver.
    pub fn new(models: &'a [&'a Model], steps: usize, initial_states: &'a [f64]) -> Self {
        Self {
            models,
            steps,
            initial_states,
            initial_warmstarts: None,
            controls: None,
            control_signature: component::CTRL,
            chunk_size: None,
            carry: false,
        }
    }

    /// Numbers of one state.
    pub fn state_size(&self) -> usize {
        self.models.first().map_or(0, |model| state::size(model, component::FULL_PHYSICS))
    }

    /// Numbers of one row of controls.
    pub fn control_size(&self) -> usize {
        self.models.first().map_or(0, |model| state::size(model, self.control_signature))
    }

    /// Number of trajectories: one for each initial state.
    pub fn trajectories(&self) -> usize {
        self.initial_states.len().checked_div(self.state_size()).unwrap_or(0)
    }

    fn model(&self, trajectory: usize) -> &'a Model {
        self.models[if self.models.len() == 1 { 0 } else { trajectory }]
    }

    /// Everything that could be wrong with models, data and lengths.
    fn check<D: BorrowMut<Data>>(&self, data: &[D], output: &Output<'_>) -> Result<(), RolloutError> {
        let first = *self.models.first().ok_or(RolloutError::NoModel)?;
        if data.is_empty() {
            return Err(RolloutError::NoData);
        }
        if self.carry && data.len() > 1 {
            return Err(RolloutError::CarryAcrossThreads);
        }
        if !state::is_valid_signature(self.control_signature) {
            return Err(RolloutError::Signature(self.control_signature));
        }
        if self.chunk_size == Some(0) {
            return Err(RolloutError::ChunkSize);
        }
        let trajectories = self.trajectories();
        let length = |array, found: Option<usize>, rows: usize, width: usize| {
            let expected = rows.saturating_mul(width);
            match found {
                Some(found) if found != expected => Err(RolloutError::Length { array, expected, found }),
                _ => Ok(()),
            }
        };
        let steps = trajectories.saturating_mul(self.steps);
        length("initial_states", Some(self.initial_states.len()), trajectories, self.state_size())?;
        length("initial_warmstarts", self.initial_warmstarts.map(<[f64]>::len), trajectories, first.nv)?;
        length("controls", self.controls.map(<[f64]>::len), steps, self.control_size())?;
        length("states", output.states.as_ref().map(|rows| rows.len()), steps, self.state_size())?;
        length("sensordata", output.sensordata.as_ref().map(|rows| rows.len()), steps, first.nsensordata)?;
        if self.models.len() != 1 && self.models.len() != trajectories {
            return Err(RolloutError::ModelCount { models: self.models.len(), trajectories });
        }
        if let Some(index) = data.iter().position(|data| !data.borrow().fits(first)) {
            return Err(RolloutError::DataSizes(index));
        }
        let data: &Data = data[0].borrow();
        let fits = |model: &Model| std::ptr::eq(model, first) || data.fits(model);
        match self.models.iter().position(|model| !fits(model)) {
            Some(index) => Err(RolloutError::ModelSizes(index)),
            None => Ok(()),
        }
    }

    /// Set the inputs that are no controls and the same in every trajectory.
    fn clear_inputs(&self, data: &mut Data) {
        let given = |component| self.control_signature & component != 0;
        if !given(component::CTRL) {
            data.inputs.ctrl.fill(0.0);
        }
        if !given(component::QFRC_APPLIED) {
            data.inputs.qfrc_applied.fill(0.0);
        }
        if !given(component::XFRC_APPLIED) {
            data.inputs.xfrc_applied.fill([0.0; 6]);
        }
    }

    /// Set the inputs that are no controls and belong to the model.
    fn inputs_of_model(&self, model: &Model, data: &mut Data) {
        let given = |component| self.control_signature & component != 0;
        for body in 0..model.nbody {
            let Some(mocap) = model.body_mocapid(body) else { continue };
            if !given(component::MOCAP_POS) {
                data.inputs.mocap_pos[mocap] = model.body_pos[body];
            }
            if !given(component::MOCAP_QUAT) {
                data.inputs.mocap_quat[mocap] = model.body_quat[body];
            }
        }
        if !given(component::EQ_ACTIVE) {
            data.inputs.eq_active.copy_from_slice(&model.eq_active0);
        }
    }

    /// Compute one trajectory and write its rows, up to the step before which `stop` says yes.
    fn trajectory(&self, index: usize, data: &mut Data, output: Output<'_>, stop: &mut dyn FnMut() -> bool) {
        let model = self.model(index);
        let Output { mut states, mut sensordata } = output;
        self.inputs_of_model(model, data);
        state::set(data, row(self.initial_states, index, self.state_size()), component::FULL_PHYSICS);
        match self.initial_warmstarts {
            Some(rows) => data.state.qacc_warmstart.copy_from_slice(row(rows, index, model.nv)),
            None => data.state.qacc_warmstart.fill(0.0),
        }
        data.diagnostics.begin_run();
        let mut ended = false;
        // Nobody looks at the data before the end.
        let mut data = LeavingOut::begin(model, data, true);
        for step_index in 0..self.steps {
            if stop() {
                break;
            }
            ended = ended || data.diagnostics.any_warning();
            if !ended {
                if let Some(rows) = self.controls {
                    let at = index * self.steps + step_index;
                    state::set(&mut data, row(rows, at, self.control_size()), self.control_signature);
                }
                step(model, &mut data);
            }
            if let Some(states) = &mut states {
                state::get(&data, row_mut(states, step_index, self.state_size()), component::FULL_PHYSICS);
            }
            if let Some(readings) = &mut sensordata {
                row_mut(readings, step_index, model.nsensordata).copy_from_slice(&data.sensors.sensordata);
            }
        }
        data.complete(model);
    }
}

fn row(rows: &[f64], index: usize, width: usize) -> &[f64] {
    &rows[index * width..(index + 1) * width]
}

fn row_mut(rows: &mut [f64], index: usize, width: usize) -> &mut [f64] {
    &mut rows[index * width..(index + 1) * width]
}

/// What trajectories find in the data besides what the batch gives, so that none sees what another left.
enum Start {
    /// They go on from the one before.
    Carried,
    /// Inputs, readings, and the energy the sensors of the first step may find; everything else follows from the state.
    Inputs { inputs: Vec<f64>, sensors: Box<Sensors> },
    /// Trees that sleep keep their poses and forces, so all of the data is part of where they start.
    Everything(Box<Data>),
}

impl Start {
    fn of(batch: &Trajectories<'_>, first: &Data) -> Self {
        if batch.carry {
            return Self::Carried;
        }
        if batch.models.iter().any(|model| sleep_enabled(model)) {
            return Self::Everything(Box::new(first.clone()));
        }
        let mut inputs = vec![0.0; state::size(batch.models[0], component::USER)];
        state::get(first, &mut inputs, component::USER);
        Self::Inputs { inputs, sensors: Box::new(first.sensors.clone()) }
    }

    fn prepare(&self, data: &mut Data) {
        match self {
            Self::Carried => {}
            Self::Inputs { inputs, sensors } => {
                state::set(data, inputs, component::USER);
                data.sensors.copy_from(sensors);
            }
            Self::Everything(first) => data.copy_from(first),
        }
    }
}

/// Trajectories that are not yet taken by a thread, with the rows they are written to.
struct Queue<'a> {
    next: usize,
    end: usize,
    chunk: usize,
    /// Numbers of one trajectory in each output.
    state_length: usize,
    sensor_length: usize,
    output: Output<'a>,
}

impl<'a> Queue<'a> {
    /// The next chunk: its first trajectory, their number and their rows.
    fn take(&mut self) -> Option<(usize, usize, Output<'a>)> {
        let count = self.chunk.min(self.end - self.next);
        if count == 0 {
            return None;
        }
        let first = self.next;
        self.next += count;
        let states = split_off(&mut self.output.states, count.saturating_mul(self.state_length));
        let sensordata = split_off(&mut self.output.sensordata, count.saturating_mul(self.sensor_length));
        Some((first, count, Output { states, sensordata }))
    }
}

/// Take the first `length` numbers away.
fn split_off<'a>(rows: &mut Option<&'a mut [f64]>, length: usize) -> Option<&'a mut [f64]> {
    let (taken, rest) = rows.take()?.split_at_mut(length);
    *rows = Some(rest);
    Some(taken)
}

/// How often the calling thread asks whether to stop while others work.
const PATIENCE: Duration = Duration::from_millis(50);

/// What the calling thread and those that work tell each other: to stop, and how many are still at it.
struct Watch {
    stopped: AtomicBool,
    working: Mutex<usize>,
    changed: Condvar,
}

impl Watch {
    fn new(working: usize) -> Self {
        Self { stopped: AtomicBool::new(false), working: Mutex::new(working), changed: Condvar::new() }
    }

    /// Wait until nobody works any more, and tell those who do to stop once `stop` says yes.
    fn wait(&self, stop: &mut dyn FnMut() -> bool) {
        let mut working = self.working.lock().unwrap_or_else(PoisonError::into_inner);
        while *working > 0 {
            let (guard, timeout) =
                self.changed.wait_timeout(working, PATIENCE).unwrap_or_else(PoisonError::into_inner);
            working = guard;
            if timeout.timed_out() && stop() {
                self.stopped.store(true, Ordering::Relaxed);
            }
        }
    }
}

/// Says that a thread has ended its work, also when it failed.
struct Done<'a>(&'a Watch);

impl Drop for Done<'_> {
    fn drop(&mut self) {
        *self.0.working.lock().unwrap_or_else(PoisonError::into_inner) -= 1;
        self.0.changed.notify_all();
    }
}

/// Threads that roll out batches, kept from one batch to the next.
#[derive(Debug)]
pub struct Rollout {
    pool: Option<ThreadPool>,
}

impl Rollout {
    /// Start `threads` threads; with none or one, batches run on the calling thread.
    pub fn new(threads: usize) -> Result<Self, RolloutError> {
        if threads < 2 {
            return Ok(Self { pool: None });
        }
        let pool = ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.map_err(|error| RolloutError::Threads(error.to_string()))?;
        Ok(Self { pool: Some(pool) })
    }

    /// Number of threads, at least the calling one.
    pub fn threads(&self) -> usize {
        self.pool.as_ref().map_or(1, ThreadPool::current_num_threads)
    }

    /// Compute all trajectories, each thread in a data of its own: as many data as threads.
    ///
    /// On return a single data holds the last step of the last trajectory; which ones several data hold is not defined.
    pub fn run<D: BorrowMut<Data> + Send>(
        &self,
        batch: &Trajectories<'_>,
        data: &mut [D],
        output: Output<'_>,
    ) -> Result<(), RolloutError> {
        self.run_until(batch, data, output, &mut || false)
    }

    /// As [`Rollout::run`], but ends early once `stop` says yes, which is asked now and then on the calling thread. What was computed
    /// by then is in the output.
    pub fn run_until<D: BorrowMut<Data> + Send>(
        &self,
        batch: &Trajectories<'_>,
        data: &mut [D],
        output: Output<'_>,
        stop: &mut dyn FnMut() -> bool,
    ) -> Result<(), RolloutError> {
        batch.check(data, &output)?;
        if data.len() != self.threads() {
            return Err(RolloutError::DataCount { data: data.len(), threads: self.threads() });
        }
        if batch.steps == 0 {
            return Ok(());
        }
        let trajectories = batch.trajectories();
        let state_length = batch.steps.saturating_mul(batch.state_size());
        let sensor_length = batch.steps.saturating_mul(batch.models[0].nsensordata);
        // Ten chunks for each thread: few enough to be cheap, enough for the fast to take over from the slow.
        let chunk = batch.chunk_size.unwrap_or_else(|| (trajectories / (10 * data.len())).max(1));
        let queue = Queue { next: 0, end: trajectories, chunk, state_length, sensor_length, output };
        let queue = Mutex::new(queue);
        let first: &mut Data = data[0].borrow_mut();
        batch.clear_inputs(first);
        let start = Start::of(batch, first);
        let work = |data: &mut Data, stop: &mut dyn FnMut() -> bool| {
            while !stop() {
                let taken = queue.lock().unwrap_or_else(PoisonError::into_inner).take();
                let Some((first, count, mut output)) = taken else { return };
                for index in first..first + count {
                    let states = split_off(&mut output.states, state_length);
                    let sensordata = split_off(&mut output.sensordata, sensor_length);
                    start.prepare(data);
                    batch.trajectory(index, data, Output { states, sensordata }, stop);
                }
            }
        };
        match &self.pool {
            // A single trajectory is not worth waking the others.
            Some(pool) if trajectories > 1 => {
                let watch = Watch::new(data.len());
                pool.in_place_scope(|scope| {
                    for data in data {
                        let (work, watch) = (&work, &watch);
                        scope.spawn(move |_| {
                            let _done = Done(watch);
                            work(data.borrow_mut(), &mut || watch.stopped.load(Ordering::Relaxed));
                        });
                    }
                    watch.wait(stop);
                });
            }
            _ => work(data[0].borrow_mut(), stop),
        }
        Ok(())
    }
}
