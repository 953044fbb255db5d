//! Many simulations of one model, stepped together on any number of threads.
//!
//! ```
//! use condyle::{Batch, LoadOptions, load_str};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let text = "<mujoco><worldbody><body name='ball'><freejoint/><geom size='.1'/></body></worldbody></mujoco>";
//! let model = load_str(text, &LoadOptions::default())?.model;
//! let mut batch = Batch::new(&model, 64, 2)?;
//! for sim in 0..batch.len() {
//!     batch.component_mut(sim, "qvel")[2] = 0.1 * sim as f64; // each thrown up at another speed
//! }
//! batch.bind("xpos")?;
//! batch.step(None, 100)?;
//! assert!(batch.component(63, "qpos")[2] > batch.component(0, "qpos")[2]);
//! # Ok(())
//! # }
//! ```
//!
//! A simulation *is* its row of the state: time, positions, velocities, activations, inputs, the solver's warm start. A call loads the
//! row into a [`Data`], runs, copies out the arrays that were [bound](Batch::bind), and saves the row. So memory grows with the
//! number of threads, not with that of simulations, and results are those of a loop over single simulations, to the last bit, whatever
//! the number of threads. Sleeping trees are remembered in the whole data: their models need a [persistent](BatchOptions::persistent)
//! batch, which has a data for each simulation.
//!
//! [`expand`](Batch::expand) gives each simulation values of its own for an array of the model, [`set_const`](Batch::set_const) computes
//! the constants that depend on them. A simulation that fails keeps its state and is named by the error; the others run on.
//!
//! Names and meaning are those of the module `mujoco.batch` of later MuJoCo versions.

mod calls;
mod column;
mod deal;
mod error;
mod field;

use std::ops::Range;
use std::sync::Arc;
use std::thread::available_parallelism;

use condyle_engine::data::{NonFinitePolicy, sleep_enabled};
use condyle_engine::state;
use condyle_engine::{Data, reset};
use condyle_model::options::Statistic;
use condyle_model::{Model, Values, ValuesMut, Warning};

pub use calls::{JacobianTarget, Rays, Record, RecordItem, Rollout, StepOptions};
pub use error::{BatchError, SimulationError};
pub use field::{INTEGRATION, STATE_FIELDS, data_fields, model_fields};

use column::{Column, Store};
use deal::{Constants, Selection, Worker};
use field::{DataField, ModelField};

use crate::wakeful_pool::WakefulPool;

/// Numbers for each warning: what the last one was about, and how many there were.
pub const WARNING_WIDTH: usize = 2 * Warning::ALL.len();

/// Whether simulations of the model remember more than their state, so that only a persistent batch can run them.
pub fn needs_persistence(model: &Model) -> bool {
    sleep_enabled(model)
}

/// How a batch works.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct BatchOptions {
    /// Threads; 0 for as many as the machine has processors.
    pub threads: usize,
    /// Keep one data for each simulation, instead of one for each thread.
    pub persistent: bool,
    /// What a step does about an invalid value. Under [`NonFinitePolicy::Error`] the simulation fails and keeps its state.
    pub non_finite: NonFinitePolicy,
}

condyle_base::setters!(BatchOptions { threads: usize, persistent: bool, non_finite: NonFinitePolicy });

#[derive(Debug)]
struct Output {
    field: DataField,
    store: Store,
    /// Not asked for, but needed so that another one stays its own.
    hidden: bool,
}

#[derive(Debug)]
struct Expanded {
    field: ModelField,
    store: Store,
    checked: Option<Store>,
    /// Computed by `set_const` and not yet asked for.
    derived: bool,
}

/// Many simulations of one model. See the [module](self).
#[derive(Debug)]
pub struct Batch {
    model: Arc<Model>,
    models: Option<Vec<Arc<Model>>>,
    simulations: usize,
    width: usize,
    state: Box<[f64]>,
    warning: Box<[i32]>,
    status: Box<[i32]>,
    errors: Vec<String>,
    outputs: Vec<Output>,
    expanded: Vec<Expanded>,
    constants: Vec<Constants>,
    datas: Vec<Data>,
    workers: Vec<Worker>,
    pool: Option<Arc<WakefulPool>>,
    options: BatchOptions,
}

impl Batch {
    /// `simulations` simulations of a copy of `model` in its reference configuration, on `threads` threads (0: all processors).
    pub fn new(model: &Model, simulations: usize, threads: usize) -> Result<Self, BatchError> {
        Self::with_options(model, simulations, BatchOptions::default().threads(threads))
    }

    /// As [`Batch::new`].
    pub fn with_options(
        model: &Model,
        simulations: usize,
        options: BatchOptions,
    ) -> Result<Self, BatchError> {
        if needs_persistence(model) && !options.persistent {
            return Err(BatchError::SleepNeedsPersistent);
        }
        let threads = match options.threads {
            0 => available_parallelism().map_or(1, usize::from),
            threads => threads,
        };
        // The calling thread is one of them.
        let pool = (threads > 1)
            .then(|| WakefulPool::new(threads - 1))
            .transpose()
            .map_err(|error| BatchError::Threads(error.to_string()))?;
        let model = Arc::new(model.clone());
        let data = Data::new(&model);
        let width = state::size(&model, INTEGRATION);
        let own = if options.persistent { size_of::<Data>() } else { 0 };
        let each =
            size_of::<f64>() * width + size_of::<i32>() * (WARNING_WIDTH + 1) + size_of::<String>() + own;
        column::check_memory(simulations, each)?;
        let mut row = vec![0.0; width];
        state::get(&data, &mut row, INTEGRATION);
        let datas = if options.persistent { vec![data.clone(); simulations] } else { Vec::new() };
        let mut workers: Vec<Worker> =
            (0..threads).map(|_| Worker { data: data.clone(), model: None }).collect();
        if let Some(pool) = &pool {
            // A thread's own copy lies in memory of that thread: arrays of a few bytes of two threads would share lines of the cache.
            pool.run(&mut workers, |worker| worker.data = worker.data.clone());
        }
        Ok(Self {
            models: None,
            simulations,
            width,
            state: row.repeat(simulations).into(),
            warning: vec![0; simulations * WARNING_WIDTH].into(),
            status: vec![0; simulations].into(),
            errors: vec![String::new(); simulations],
            outputs: Vec::new(),
            expanded: Vec::new(),
            constants: Vec::new(),
            datas,
            workers,
            pool: pool.map(Arc::new),
            options: options.threads(threads),
            model,
        })
    }

    /// Number of simulations.
    pub fn len(&self) -> usize {
        self.simulations
    }

    /// Whether there is no simulation.
    pub fn is_empty(&self) -> bool {
        self.simulations == 0
    }

    /// Number of threads.
    pub fn threads(&self) -> usize {
        self.workers.len()
    }

    /// Whether there is a data for each simulation.
    pub fn is_persistent(&self) -> bool {
        self.options.persistent
    }

    /// The threads beside the calling one.
    pub(crate) fn pool(&self) -> Option<Arc<WakefulPool>> {
        self.pool.clone()
    }

    /// The batch's own copy of the model.
    pub fn model(&self) -> &Model {
        &self.model
    }

    /// What a step does about an invalid value.
    pub fn non_finite_policy(&self) -> NonFinitePolicy {
        self.options.non_finite
    }

    /// Choose what a step does about an invalid value.
    pub fn set_non_finite_policy(&mut self, policy: NonFinitePolicy) {
        self.options.non_finite = policy;
    }

    /// Numbers of one row of the state.
    pub fn state_size(&self) -> usize {
        self.width
    }

    /// The states, row after row: components in the order of [`state::component`].
    pub fn state(&self) -> &[f64] {
        &self.state
    }

    /// The states. What is written is where the simulation goes on at its next call.
    pub fn state_mut(&mut self) -> &mut [f64] {
        &mut self.state
    }

    /// Where a component stands in a row of the state, by its name in [`STATE_FIELDS`].
    pub fn component_range(&self, name: &str) -> Option<Range<usize>> {
        let (_, bit) = STATE_FIELDS.iter().find(|(field, _)| *field == name)?;
        let start = state::size(&self.model, bit - 1);
        Some(start..start + state::size(&self.model, *bit))
    }

    /// `qpos`, `ctrl` or another component of the state of one simulation; empty if there is no such component.
    pub fn component(&self, simulation: usize, name: &str) -> &[f64] {
        let range = self.component_range(name).unwrap_or_default();
        &self.state[simulation * self.width..][range]
    }

    /// `qpos`, `ctrl` or another component of the state of one simulation, to be written.
    pub fn component_mut(&mut self, simulation: usize, name: &str) -> &mut [f64] {
        let range = self.component_range(name).unwrap_or_default();
        &mut self.state[simulation * self.width..][range]
    }

    /// Counters of warnings since the last reset: for each simulation and [`Warning`] what the last one was about, and their number.
    pub fn warnings(&self) -> &[i32] {
        &self.warning
    }

    /// For each simulation 1 if its last call failed, else 0.
    pub fn status(&self) -> &[i32] {
        &self.status
    }

    /// What was wrong with a simulation in its last call; empty if nothing was.
    pub fn error(&self, simulation: usize) -> &str {
        self.errors.get(simulation).map_or("", String::as_str)
    }

    /// Copy an array of the data out after every call; [`Batch::output`] shows it. Components of the state need no binding.
    pub fn bind(&mut self, name: &str) -> Result<(), BatchError> {
        self.bind_as(name, false)?;
        // The energy a sensor of energy may find from an earlier call.
        if name == "sensordata" {
            self.bind_as("energy", true)?;
        }
        Ok(())
    }

    fn bind_as(&mut self, name: &str, hidden: bool) -> Result<(), BatchError> {
        if let Some(output) = self.outputs.iter_mut().find(|output| output.field.name == name) {
            output.hidden &= hidden;
            return Ok(());
        }
        let refused = || BatchError::NotBindable(name.to_owned());
        if self.component_range(name).is_some() {
            return Ok(());
        }
        let data = self.workers.first().map(|worker| &worker.data).ok_or_else(refused)?;
        let field = DataField::find(&self.model, data, name).ok_or_else(refused)?;
        let mut store = Store::zeros(field.dtype, field.width(), self.simulations)?;
        // Numbers a call does not compute are those the data was made with.
        let mut column = Column::new(store.values_mut(), field.width());
        let fresh = Data::new(&self.model);
        for simulation in 0..self.simulations {
            field.read(self.datas.get(simulation).unwrap_or(&fresh), column.row_mut(simulation));
        }
        self.outputs.push(Output { field, store, hidden });
        Ok(())
    }

    /// A bound array: as many numbers for each simulation as its shape says.
    pub fn output(&self, name: &str) -> Option<Values<'_>> {
        let output = self.outputs.iter().find(|output| output.field.name == name && !output.hidden)?;
        Some(output.store.values())
    }

    /// Shape of a bound or expanded array for one simulation; empty for a single number.
    pub fn shape(&self, name: &str) -> Option<&[usize]> {
        let output = self.outputs.iter().find(|output| output.field.name == name);
        let output = output.map(|output| &output.field.shape[..]);
        output.or_else(|| {
            let expanded = self.expanded.iter().find(|expanded| expanded.field.is(name))?;
            Some(&expanded.field.shape[..])
        })
    }

    /// Give each simulation values of its own for an array of the model (`body_mass`) or an option (`opt.gravity`).
    ///
    /// After a change of something constants are computed from, call [`set_const`](Self::set_const).
    pub fn expand(&mut self, name: &str) -> Result<ValuesMut<'_>, BatchError> {
        if self.models.is_some() {
            return Err(BatchError::ModelsSet);
        }
        let index = self.expanded_index(name, false)?;
        let expanded = &mut self.expanded[index];
        expanded.derived = false;
        Ok(expanded.store.values_mut())
    }

    fn expanded_index(&mut self, name: &str, derived: bool) -> Result<usize, BatchError> {
        if let Some(index) = self.expanded.iter().position(|expanded| expanded.field.is(name)) {
            return Ok(index);
        }
        let refused = || BatchError::NotExpandable(name.to_owned());
        let field = ModelField::find(&self.model, name).ok_or_else(refused)?;
        let store = Store::repeated(field.read(&self.model).ok_or_else(refused)?, self.simulations)?;
        let checked = field.steers().then(|| store.clone());
        self.expanded.push(Expanded { field, store, checked, derived });
        Ok(self.expanded.len() - 1)
    }

    /// The values of an expanded array, without expanding it.
    pub fn expanded(&self, name: &str) -> Option<Values<'_>> {
        let expanded = self.expanded.iter().find(|expanded| expanded.field.is(name))?;
        Some(expanded.store.values())
    }

    /// What [`set_const`](Self::set_const) computed that stands in no array: for each simulation its statistics and the number of bodies with
    /// gravity compensation. Empty before the first call.
    pub fn constants(&self) -> Vec<(Statistic, usize)> {
        self.constants.iter().map(|constants| (constants.stat, constants.ngravcomp)).collect()
    }

    /// Take over what [`constants`](Self::constants) of another batch gave; one for each simulation, or none.
    pub fn restore_constants(&mut self, constants: &[(Statistic, usize)]) -> Result<(), BatchError> {
        if self.models.is_some() {
            return Err(BatchError::ModelsSet);
        }
        if !constants.is_empty() {
            calls::check_length("constants", Some(constants.len()), self.simulations)?;
        }
        self.constants = constants.iter().map(|&(stat, ngravcomp)| Constants { stat, ngravcomp }).collect();
        Ok(())
    }

    /// Run simulation `i` on `models[i]`, or all on one model, instead of the batch's; `None` for the batch's again.
    pub fn set_models(&mut self, models: Option<Vec<Arc<Model>>>) -> Result<(), BatchError> {
        if !self.expanded.is_empty() {
            return Err(BatchError::Expanded);
        }
        if let Some(models) = &models {
            if models.len() != 1 && models.len() != self.simulations {
                return Err(BatchError::ModelCount { models: models.len(), simulations: self.simulations });
            }
            let fits = |model: &Model| self.workers.first().is_none_or(|worker| worker.data.fits(model));
            if let Some(index) = models.iter().position(|model| !fits(model)) {
                return Err(BatchError::ModelSizes(index));
            }
            if !self.options.persistent && models.iter().any(|model| needs_persistence(model)) {
                return Err(BatchError::SleepNeedsPersistent);
            }
        }
        self.models = models;
        Ok(())
    }

    /// The model simulation `simulation` runs on, with its values.
    pub fn get_model(&mut self, simulation: usize) -> Result<Model, BatchError> {
        self.check_simulation(simulation)?;
        let mut model = match &self.models {
            Some(models) => (*models[if models.len() == 1 { 0 } else { simulation }]).clone(),
            None => (*self.model).clone(),
        };
        if self.models.is_none() {
            for expanded in &self.expanded {
                let values = column::row(expanded.store.values(), simulation, expanded.field.width());
                expanded.field.write(&mut model, values);
            }
            if let Some(constants) = self.constants.get(simulation) {
                model.stat = constants.stat;
                model.ngravcomp = constants.ngravcomp;
            }
            model.validate().map_err(BatchError::Model)?;
        }
        Ok(model)
    }

    /// Write the state of a simulation into a data of the model; from a persistent batch all of its data.
    pub fn get_data(&self, simulation: usize, data: &mut Data) -> Result<(), BatchError> {
        self.check_simulation(simulation)?;
        if !data.fits(&self.model) {
            return Err(BatchError::ModelSizes(simulation));
        }
        match self.datas.get(simulation) {
            Some(own) => data.copy_from(own),
            None => reset::reset(&self.model, data),
        }
        state::set(data, &self.state[simulation * self.width..][..self.width], INTEGRATION);
        Ok(())
    }

    fn check_simulation(&self, index: usize) -> Result<(), BatchError> {
        if index >= self.simulations {
            return Err(BatchError::NoSimulation { index, simulations: self.simulations });
        }
        Ok(())
    }

    /// The simulations of a call, in rising order.
    fn select<'a>(&self, ids: Option<&'a [usize]>) -> Result<Selection<'a>, BatchError> {
        if let Some(ids) = ids {
            if let Some(pair) = ids.windows(2).find(|pair| pair[0] >= pair[1]) {
                return Err(BatchError::Order { before: pair[0], after: pair[1] });
            }
            ids.last().map_or(Ok(()), |last| self.check_simulation(*last))?;
        }
        Ok(Selection { ids, simulations: self.simulations })
    }
}
