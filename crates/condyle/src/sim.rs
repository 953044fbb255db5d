//! Model and data together.

use std::path::Path;
use std::sync::Arc;

use condyle_engine::data::{NonFinite, NonFinitePolicy, StepReport};
use condyle_engine::step::reset;
use condyle_engine::{Data, Snapshot, SnapshotError, forward, step_reported, try_step};
use condyle_model::{Model, ObjectType};

use crate::access::SimMut;
use crate::hooks::{self, Callbacks, Hooks};
use crate::load::{LoadError, load};

/// A model and one simulation of it.
#[derive(Clone, Debug)]
pub struct Sim {
    /// The model; it never changes while it runs.
    pub model: Arc<Model>,
    /// The simulation: state, inputs and everything computed from them.
    pub data: Data,
}

impl Sim {
    /// Load a model file and set its reference configuration.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, LoadError> {
        Ok(Self::new(load(path)?))
    }

    /// A simulation of `model` in its reference configuration.
    pub fn new(model: impl Into<Arc<Model>>) -> Self {
        let model = model.into();
        let data = Data::new(&model);
        Self { model, data }
    }

    /// Advance by one time step; returns what happened in it.
    pub fn step(&mut self) -> &StepReport {
        step_reported(&self.model, &mut self.data)
    }

    /// [`step`](Self::step); under the policy `Error` an invalid value that stopped it is returned.
    pub fn try_step(&mut self) -> Result<(), Box<NonFinite>> {
        try_step(&self.model, &mut self.data)
    }

    /// What a step does from now on when it meets an invalid value.
    pub fn set_non_finite_policy(&mut self, policy: NonFinitePolicy) {
        self.data.diagnostics.non_finite_policy = policy;
    }

    /// Let up to `threads` threads solve the islands of a step: groups of bodies that constraints couple. Results are the same to
    /// the last bit for any number; it pays for models with several large islands.
    pub fn set_threads(&mut self, threads: usize) {
        self.data.threads = threads;
    }

    /// What happened in the latest step.
    pub fn report(&self) -> &StepReport {
        &self.data.diagnostics.report
    }

    /// Compute everything for the present state without advancing time.
    pub fn forward(&mut self) {
        forward(&self.model, &mut self.data);
    }

    /// Reset to the reference configuration.
    pub fn reset(&mut self) {
        reset::reset(&self.model, &mut self.data);
    }

    /// Back to a keyframe, by name or by number. `false` when there is none.
    pub fn reset_to_keyframe(&mut self, key: &str) -> bool {
        let index = self.model.find(ObjectType::Key, key).or_else(|| key.parse().ok());
        index.is_some_and(|index| {
            index < self.model.nkey && reset::reset_to_keyframe(&self.model, &mut self.data, index)
        })
    }

    /// Set the simulation aside, to be continued with the same bits.
    pub fn snapshot(&self) -> Snapshot {
        Snapshot::take(&self.model, &self.data)
    }

    /// Continue from a snapshot of this model.
    pub fn restore(&mut self, snapshot: &Snapshot) -> Result<(), SnapshotError> {
        snapshot.restore(&self.model, &mut self.data)
    }

    /// Calls user code in every step from now on, in the place of the hooks there were. See [`hooks`].
    pub fn set_hooks(&mut self, hooks: impl Hooks + 'static) {
        hooks::set_hooks(&mut self.data, hooks);
    }

    /// Calls a closure in every step before the forces of actuators are computed, in the place of the hooks there were.
    pub fn on_control(&mut self, hook: impl FnMut(&mut SimMut<'_>) + Send + 'static) {
        self.set_hooks(Callbacks::new().control(hook));
    }

    /// Takes the hooks out.
    pub fn remove_hooks(&mut self) {
        hooks::remove_hooks(&mut self.data);
    }

    /// Simulated time, s.
    pub fn time(&self) -> f64 {
        self.data.state.time
    }
}
