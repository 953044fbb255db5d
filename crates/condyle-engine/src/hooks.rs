//! What a user adds to a simulation: controls, passive forces, a rule which geoms may collide, and the actuators and sensors of type
//! `user`.
//!
//! Hooks belong to a `Data` and are called at fixed points of the step; every method has a default that changes nothing. A hook sees
//! everything computed before its point. Reference: `mjcb_control`, `mjcb_passive`, `mjcb_act_dyn`, `mjcb_act_gain`, `mjcb_act_bias`,
//! `mjcb_sensor`, `mjcb_contactfilter`.
//!
//! Whole data: user code may read and change all of it.

use std::fmt;
use std::sync::Arc;

use condyle_model::Model;

use crate::Data;
use crate::data::{Inputs, Kinematics, State};

/// What is known when geoms are asked whether they may collide.
#[derive(Clone, Copy)]
pub struct PairContext<'a> {
    /// Positions, velocities and activations.
    pub state: &'a State,
    /// Controls, applied forces and mocap poses.
    pub inputs: &'a Inputs,
    /// Poses in the world.
    pub kinematics: &'a Kinematics,
}

/// User code in the step.
pub trait Hooks: Send + Sync {
    /// Set controls and applied forces, before actuator forces are computed.
    fn control(&self, model: &Model, data: &mut Data) {
        let _ = (model, data);
    }

    /// Add to `qfrc_passive`, after all other passive forces.
    fn passive_forces(&self, model: &Model, data: &mut Data) {
        let _ = (model, data);
    }

    /// Rate of the activation of an actuator with user dynamics.
    fn activation_rate(&self, model: &Model, data: &Data, actuator: usize) -> f64 {
        let _ = (model, data, actuator);
        0.0
    }

    /// Gain of an actuator with user gain.
    fn gain(&self, model: &Model, data: &Data, actuator: usize) -> f64 {
        let _ = (model, data, actuator);
        1.0
    }

    /// Bias of an actuator with user bias.
    fn bias(&self, model: &Model, data: &Data, actuator: usize) -> f64 {
        let _ = (model, data, actuator);
        0.0
    }

    /// Whether two geoms, the lower type first, may collide: asked in place of their masks, after the rules for bodies and never for
    /// explicit pairs. The default is the masks.
    fn may_collide(&self, model: &Model, context: PairContext<'_>, geoms: [usize; 2]) -> bool {
        let _ = context;
        geoms_match(model, geoms)
    }

    /// Reading of a user sensor; it is zero on entry, and goes to `sensordata` afterwards.
    fn sensor(&self, model: &Model, data: &Data, sensor: usize, reading: &mut [f64]) {
        let _ = (model, data, sensor, reading);
    }
}

/// Whether one side's type meets the other side's affinity; masks are type and affinity.
#[inline]
pub fn masks_match([type1, affinity1]: [i32; 2], [type2, affinity2]: [i32; 2]) -> bool {
    type1 & affinity2 != 0 || type2 & affinity1 != 0
}

/// Whether the masks of two geoms allow a collision.
#[inline]
pub fn geoms_match(model: &Model, geoms: [usize; 2]) -> bool {
    let [first, second] = geoms.map(|geom| [model.geom_contype[geom], model.geom_conaffinity[geom]]);
    masks_match(first, second)
}

/// The hooks of one simulation, if any.
#[derive(Clone, Default)]
pub struct HookSlot(Option<Arc<dyn Hooks>>);

impl HookSlot {
    /// Install hooks, or remove them.
    pub fn set(&mut self, hooks: Option<Arc<dyn Hooks>>) {
        self.0 = hooks;
    }

    /// Whether two geoms may collide: what the hooks say, or without hooks the masks.
    #[inline]
    pub(crate) fn may_collide(&self, model: &Model, context: PairContext<'_>, geoms: [usize; 2]) -> bool {
        match &self.0 {
            Some(hooks) => hooks.may_collide(model, context, geoms),
            None => geoms_match(model, geoms),
        }
    }

    /// Whether no hooks are installed.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.0.is_none()
    }

    /// The installed hooks.
    #[inline]
    pub fn get(&self) -> Option<Arc<dyn Hooks>> {
        self.0.clone()
    }
}

impl fmt::Debug for HookSlot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "HookSlot(installed)" } else { "HookSlot(none)" })
    }
}

/// Let the user set controls.
pub fn control(model: &Model, data: &mut Data) {
    if let Some(hooks) = data.hooks.get() {
        hooks.control(model, data);
    }
}

/// Let the user add passive forces.
pub fn passive_forces(model: &Model, data: &mut Data) {
    if let Some(hooks) = data.hooks.get() {
        hooks.passive_forces(model, data);
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::atomic::{AtomicBool, Ordering};

    use condyle_model::{SensorType, Stage};

    use super::*;

    struct Push;

    impl Hooks for Push {
        fn passive_forces(&self, _: &Model, data: &mut Data) {
            data.passive.qfrc_passive[0] += 3.0;
        }
    }

    /// A mass of 2 kg on a slide.
    fn slider() -> Model {
        slider_with_sensors(&[])
    }

    /// The slider with sensors of one number each, computed in the position stage.
    fn slider_with_sensors(kinds: &[SensorType]) -> Model {
        let sensors = kinds.len();
        let mut model = Model {
            nsensor: sensors,
            nsensordata: sensors,
            nq: 1,
            nv: 1,
            nbody: 2,
            njnt: 1,
            ntree: 1,
            nM: 1,
            nC: 1,
            nD: 1,
            ..Model::default()
        };
        model.nB = 2;
        model.allocate();
        model.body_mocapid.fill(-1);
        model.body_weldid = vec![0, 1].into();
        model.body_rootid = vec![0, 1].into();
        model.body_treeid = vec![-1, 0].into();
        model.body_jntnum = vec![0, 1].into();
        model.body_dofnum = vec![0, 1].into();
        model.body_jntadr = vec![-1, 0].into();
        model.body_dofadr = vec![-1, 0].into();
        model.body_quat.fill([1.0, 0.0, 0.0, 0.0]);
        model.body_iquat.fill([1.0, 0.0, 0.0, 0.0]);
        model.body_mass = vec![0.0, 2.0].into();
        model.body_subtreemass = vec![2.0, 2.0].into();
        model.jnt_type = vec![2].into();
        model.jnt_bodyid = vec![1].into();
        model.jnt_axis = vec![[1.0, 0.0, 0.0]].into();
        model.dof_bodyid = vec![1].into();
        model.dof_parentid = vec![-1].into();
        model.M_rownnz = vec![1].into();
        model.D_rownnz = vec![1].into();
        for (sensor, kind) in kinds.iter().enumerate() {
            model.sensor_type[sensor] = *kind as i32;
            model.sensor_needstage[sensor] = Stage::Pos as i32;
            model.sensor_dim[sensor] = 1;
            model.sensor_adr[sensor] = sensor as i32;
        }
        model
    }

    #[test]
    fn passive_hook_accelerates_a_slider() {
        let model = slider();
        let mut data = Data::new(&model);
        crate::forward(&model, &mut data);
        assert_eq!(data.acceleration.qacc[0], 0.0);
        data.hooks.set(Some(Arc::new(Push)));
        crate::forward(&model, &mut data);
        assert_eq!(data.acceleration.qacc[0], 1.5);
        data.hooks.set(None);
        crate::forward(&model, &mut data);
        assert_eq!(data.acceleration.qacc[0], 0.0);
    }

    /// A sensor that doubles the reading before it, until it is told to fail.
    #[derive(Default)]
    struct Doubling {
        fails: AtomicBool,
    }

    impl Hooks for Doubling {
        fn sensor(&self, _: &Model, data: &Data, sensor: usize, reading: &mut [f64]) {
            reading[0] = 2.0 * data.sensors.sensordata[sensor - 1];
            assert!(!self.fails.load(Ordering::Relaxed), "told to fail");
        }
    }

    #[test]
    fn a_user_sensor_sees_the_readings_before_it() {
        let model = slider_with_sensors(&[SensorType::Clock, SensorType::User]);
        let mut data = Data::new(&model);
        data.hooks.set(Some(Arc::new(Doubling::default())));
        data.state.time = 1.5;
        crate::forward(&model, &mut data);
        assert_eq!(data.sensors.sensordata[..], [1.5, 3.0]);
    }

    #[test]
    fn a_panic_in_a_hook_leaves_the_data_whole() {
        let model = slider_with_sensors(&[SensorType::Clock, SensorType::User]);
        let mut data = Data::new(&model);
        let hooks = Arc::new(Doubling::default());
        data.hooks.set(Some(hooks.clone()));
        data.state.time = 1.5;
        hooks.fails.store(true, Ordering::Relaxed);
        let outcome = catch_unwind(AssertUnwindSafe(|| crate::forward(&model, &mut data)));
        assert!(outcome.is_err() && data.fits(&model));
        hooks.fails.store(false, Ordering::Relaxed);
        crate::forward(&model, &mut data);
        assert_eq!(data.sensors.sensordata[..], [1.5, 3.0]);
    }
}
