//! User code in the step: controllers, passive forces, rules for collisions, actuators and sensors of type `user`.
//!
//! Hooks are a type with state of its own, or closures:
//!
//! ```
//! use condyle::prelude::*;
//!
//! /// Pulls the first joint back to zero and remembers the largest deviation.
//! struct Pull {
//!     largest: f64,
//! }
//!
//! impl Hooks for Pull {
//!     fn control(&mut self, sim: &mut SimMut<'_>) {
//!         let position = sim.data.state.qpos[0];
//!         self.largest = self.largest.max(position.abs());
//!         sim.data.inputs.qfrc_applied[0] = -5.0 * position;
//!     }
//! }
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let text = "<mujoco><worldbody><body><joint name='elbow'/><geom size='.1' pos='.2 0 0'/></body></worldbody></mujoco>";
//! let mut sim = Sim::new(load_str(text, &LoadOptions::default())?.model);
//! sim.set_hooks(Pull { largest: 0.0 });
//!
//! // The same as a closure, by name.
//! let elbow = sim.model.joint("elbow")?;
//! sim.on_control(move |sim| {
//!     let position = sim.joint(elbow).qpos();
//!     sim.joint_mut(elbow).applied_force()[0] = -5.0 * position;
//! });
//! sim.step();
//! # Ok(())
//! # }
//! ```
//!
//! A simulation has one set of hooks; a clone of it shares them. A hook that runs the simulation it is called from (a
//! [`forward`](crate::forward) inside [`Hooks::control`], say) is not called again in there.

use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, ThreadId};

use condyle_engine::Data;
use condyle_engine::hooks::{Hooks as EngineHooks, geoms_match};
use condyle_model::Model;

pub use condyle_engine::hooks::PairContext;

use crate::access::SimMut;
use crate::handle::{ActuatorId, GeomId, Handle, SensorId};

/// User code in the step. Every method has a default that changes nothing.
pub trait Hooks: Send {
    /// Sets controls and applied forces, before the forces of actuators are computed.
    fn control(&mut self, sim: &mut SimMut<'_>) {
        let _ = sim;
    }

    /// Adds to `sim.data.passive.qfrc_passive`, after all other passive forces.
    fn passive_forces(&mut self, sim: &mut SimMut<'_>) {
        let _ = sim;
    }

    /// The rate of the activation of an actuator with `dyntype="user"`.
    fn activation_rate(&mut self, model: &Model, data: &Data, actuator: ActuatorId) -> f64 {
        let _ = (model, data, actuator);
        0.0
    }

    /// The gain of an actuator with `gaintype="user"`.
    fn gain(&mut self, model: &Model, data: &Data, actuator: ActuatorId) -> f64 {
        let _ = (model, data, actuator);
        1.0
    }

    /// The bias of an actuator with `biastype="user"`.
    fn bias(&mut self, model: &Model, data: &Data, actuator: ActuatorId) -> f64 {
        let _ = (model, data, actuator);
        0.0
    }

    /// Whether two geoms may collide. It is asked in place of their `contype` and `conaffinity`, after the rules for bodies, and never
    /// for explicit pairs. The default compares `contype` and `conaffinity`.
    fn may_collide(&mut self, model: &Model, context: PairContext<'_>, geoms: [GeomId; 2]) -> bool {
        let _ = context;
        geoms_match(model, geoms.map(GeomId::index))
    }

    /// The reading of a sensor of type `user`; it is zero on entry.
    fn sensor(&mut self, model: &Model, data: &Data, sensor: SensorId, reading: &mut [f64]) {
        let _ = (model, data, sensor, reading);
    }
}

type ControlHook = Box<dyn FnMut(&mut SimMut<'_>) + Send>;
type SensorHook = Box<dyn FnMut(&Model, &Data, SensorId, &mut [f64]) + Send>;
type ActuatorHook = Box<dyn FnMut(&Model, &Data, ActuatorId) -> f64 + Send>;
type CollisionHook = Box<dyn FnMut(&Model, PairContext<'_>, [GeomId; 2]) -> bool + Send>;

/// Hooks made of closures.
///
/// ```
/// use condyle::Callbacks;
///
/// let hooks = Callbacks::new()
///     .control(|sim| sim.data.inputs.ctrl.fill(0.0))
///     .passive_forces(|sim| sim.data.passive.qfrc_passive[0] += 1.0);
/// # let _ = hooks;
/// ```
#[derive(Default)]
pub struct Callbacks {
    control: Option<ControlHook>,
    passive_forces: Option<ControlHook>,
    activation_rate: Option<ActuatorHook>,
    gain: Option<ActuatorHook>,
    bias: Option<ActuatorHook>,
    sensor: Option<SensorHook>,
    may_collide: Option<CollisionHook>,
}

impl Callbacks {
    /// No closures yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Calls `hook` as [`Hooks::control`].
    #[must_use]
    pub fn control(mut self, hook: impl FnMut(&mut SimMut<'_>) + Send + 'static) -> Self {
        self.control = Some(Box::new(hook));
        self
    }

    /// Calls `hook` as [`Hooks::passive_forces`].
    #[must_use]
    pub fn passive_forces(mut self, hook: impl FnMut(&mut SimMut<'_>) + Send + 'static) -> Self {
        self.passive_forces = Some(Box::new(hook));
        self
    }

    /// Calls `hook` as [`Hooks::activation_rate`].
    #[must_use]
    pub fn activation_rate(
        mut self,
        hook: impl FnMut(&Model, &Data, ActuatorId) -> f64 + Send + 'static,
    ) -> Self {
        self.activation_rate = Some(Box::new(hook));
        self
    }

    /// Calls `hook` as [`Hooks::gain`].
    #[must_use]
    pub fn gain(mut self, hook: impl FnMut(&Model, &Data, ActuatorId) -> f64 + Send + 'static) -> Self {
        self.gain = Some(Box::new(hook));
        self
    }

    /// Calls `hook` as [`Hooks::bias`].
    #[must_use]
    pub fn bias(mut self, hook: impl FnMut(&Model, &Data, ActuatorId) -> f64 + Send + 'static) -> Self {
        self.bias = Some(Box::new(hook));
        self
    }

    /// Calls `hook` as [`Hooks::sensor`].
    #[must_use]
    pub fn sensor(mut self, hook: impl FnMut(&Model, &Data, SensorId, &mut [f64]) + Send + 'static) -> Self {
        self.sensor = Some(Box::new(hook));
        self
    }

    /// Calls `hook` as [`Hooks::may_collide`].
    #[must_use]
    pub fn may_collide(
        mut self,
        hook: impl FnMut(&Model, PairContext<'_>, [GeomId; 2]) -> bool + Send + 'static,
    ) -> Self {
        self.may_collide = Some(Box::new(hook));
        self
    }
}

impl std::fmt::Debug for Callbacks {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Callbacks").finish_non_exhaustive()
    }
}

impl Hooks for Callbacks {
    fn control(&mut self, sim: &mut SimMut<'_>) {
        if let Some(hook) = &mut self.control {
            hook(sim);
        }
    }

    fn passive_forces(&mut self, sim: &mut SimMut<'_>) {
        if let Some(hook) = &mut self.passive_forces {
            hook(sim);
        }
    }

    fn activation_rate(&mut self, model: &Model, data: &Data, actuator: ActuatorId) -> f64 {
        self.activation_rate.as_mut().map_or(0.0, |hook| hook(model, data, actuator))
    }

    fn gain(&mut self, model: &Model, data: &Data, actuator: ActuatorId) -> f64 {
        self.gain.as_mut().map_or(1.0, |hook| hook(model, data, actuator))
    }

    fn bias(&mut self, model: &Model, data: &Data, actuator: ActuatorId) -> f64 {
        self.bias.as_mut().map_or(0.0, |hook| hook(model, data, actuator))
    }

    fn sensor(&mut self, model: &Model, data: &Data, sensor: SensorId, reading: &mut [f64]) {
        if let Some(hook) = &mut self.sensor {
            hook(model, data, sensor, reading);
        }
    }

    fn may_collide(&mut self, model: &Model, context: PairContext<'_>, geoms: [GeomId; 2]) -> bool {
        match &mut self.may_collide {
            Some(hook) => hook(model, context, geoms),
            None => geoms_match(model, geoms.map(GeomId::index)),
        }
    }
}

/// Lends hooks with state to the engine, which shares them between clones of a simulation.
struct Shared<H> {
    hooks: Mutex<H>,
    /// The thread that is inside a hook.
    inside: Mutex<Option<ThreadId>>,
}

/// Marks the thread as outside again, after a panic too.
struct Leaving<'a>(&'a Mutex<Option<ThreadId>>);

impl Drop for Leaving<'_> {
    fn drop(&mut self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

impl<H: Hooks> Shared<H> {
    /// Calls into the hooks; `None` when this thread is inside them already.
    fn call<T>(&self, work: impl FnOnce(&mut H) -> T) -> Option<T> {
        let own = Some(thread::current().id());
        if *self.inside.lock().unwrap_or_else(PoisonError::into_inner) == own {
            return None;
        }
        let mut hooks = self.hooks.lock().unwrap_or_else(PoisonError::into_inner);
        *self.inside.lock().unwrap_or_else(PoisonError::into_inner) = own;
        let _leaving = Leaving(&self.inside);
        Some(work(&mut hooks))
    }
}

impl<H: Hooks> EngineHooks for Shared<H> {
    fn control(&self, model: &Model, data: &mut Data) {
        self.call(|hooks| hooks.control(&mut SimMut { model, data }));
    }

    fn passive_forces(&self, model: &Model, data: &mut Data) {
        self.call(|hooks| hooks.passive_forces(&mut SimMut { model, data }));
    }

    fn activation_rate(&self, model: &Model, data: &Data, actuator: usize) -> f64 {
        let rate = ActuatorId::at(model, actuator)
            .and_then(|actuator| self.call(|hooks| hooks.activation_rate(model, data, actuator)));
        rate.unwrap_or(0.0)
    }

    fn gain(&self, model: &Model, data: &Data, actuator: usize) -> f64 {
        let gain = ActuatorId::at(model, actuator)
            .and_then(|actuator| self.call(|hooks| hooks.gain(model, data, actuator)));
        gain.unwrap_or(1.0)
    }

    fn bias(&self, model: &Model, data: &Data, actuator: usize) -> f64 {
        let bias = ActuatorId::at(model, actuator)
            .and_then(|actuator| self.call(|hooks| hooks.bias(model, data, actuator)));
        bias.unwrap_or(0.0)
    }

    fn may_collide(&self, model: &Model, context: PairContext<'_>, geoms: [usize; 2]) -> bool {
        let [Some(first), Some(second)] = geoms.map(|geom| GeomId::at(model, geom)) else { return false };
        let answer = self.call(|hooks| hooks.may_collide(model, context, [first, second]));
        answer.unwrap_or_else(|| geoms_match(model, geoms))
    }

    fn sensor(&self, model: &Model, data: &Data, sensor: usize, reading: &mut [f64]) {
        if let Some(sensor) = SensorId::at(model, sensor) {
            self.call(|hooks| hooks.sensor(model, data, sensor, reading));
        }
    }
}

/// Puts hooks into a simulation, in the place of those it had.
pub fn set_hooks(data: &mut Data, hooks: impl Hooks + 'static) {
    data.hooks.set(Some(Arc::new(Shared { hooks: Mutex::new(hooks), inside: Mutex::new(None) })));
}

/// Takes the hooks out of a simulation.
pub fn remove_hooks(data: &mut Data) {
    data.hooks.set(None);
}
