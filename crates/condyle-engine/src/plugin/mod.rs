//! Plugins: code that a model attaches to actuators, bodies and sensors by name, called at fixed points of the step.
//!
//! Each plugin instance of a model has a [`Plugin`] in its `Data`, made from the settings of the instance: the extensions that come
//! with the reference are built in ([`Pid`], [`Cable`], [`TouchGrid`]). Distance fields have no part in the step; collision and rays
//! ask for their [`shape`]. A program can put a plugin of its own in the place of an instance.
//!
//! Whole data: plugins may read and change all of it.

mod cable;
mod pid;
mod touch_grid;

use std::fmt;
use std::sync::Arc;

use condyle_math::{Mat3, Vec3};
use condyle_model::plugins::leading_number;
use condyle_model::{Model, SensorType, Stage};

use crate::Data;
use crate::collision::plugin_shape;

pub use crate::collision::plugin_shape::{shape, shape_from_settings};
pub use cable::Cable;
pub use pid::Pid;
pub use touch_grid::{TouchGrid, TouchGridScratch};

/// Something a plugin adds to a picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Drawing {
    /// A box that shows the reading of a sensor.
    Box {
        /// The sensor.
        sensor: usize,
        /// Half sizes, m.
        size: Vec3,
        /// Centre, world frame, m.
        position: Vec3,
        /// Axes in the columns, world frame.
        rotation: Mat3,
        /// Colour and opacity.
        rgba: [f32; 4],
    },
    /// Another colour for a geom; its opacity stays.
    GeomColor {
        /// The geom.
        geom: usize,
        /// The colour.
        rgb: [f32; 3],
    },
}

/// What a plugin instance adds to the step. Every method has a default that changes nothing.
pub trait Plugin: fmt::Debug + Send + Sync {
    /// Write the rates of its activations to `act_dot`, after those of all actuators.
    fn activation_rates(&self, model: &Model, data: &mut Data) {
        let _ = (model, data);
    }

    /// Write the forces of its actuators to `actuator_force`, before forces are limited.
    fn actuator_forces(&self, model: &Model, data: &mut Data) {
        let _ = (model, data);
    }

    /// Add to `qfrc_passive`, after all other passive forces.
    fn passive_forces(&self, model: &Model, data: &mut Data) {
        let _ = (model, data);
    }

    /// The stage after which its sensors are computed; `None` when it has none.
    fn sensor_stage(&self) -> Option<Stage> {
        None
    }

    /// Write its readings to its sensors' ranges of `sensordata`.
    fn sensors(&self, model: &Model, data: &mut Data) {
        let _ = (model, data);
    }

    /// Add to a picture of the present state.
    fn draw(&self, model: &Model, data: &Data, add: &mut dyn FnMut(Drawing)) {
        let _ = (model, data, add);
    }

    /// Advance its part of `plugin_state`, after position, velocity and time.
    fn advance(&self, model: &Model, data: &mut Data) {
        let _ = (model, data);
    }
}

/// The plugins of one simulation, by instance.
#[derive(Clone, Debug, Default)]
pub struct Plugins(Vec<Option<Arc<dyn Plugin>>>);

impl Plugins {
    /// The built-in plugins of a model; an instance that cannot be used does nothing. The data is scratch.
    pub(crate) fn new(model: &Model, data: &mut Data) -> Self {
        Self((0..model.nplugin).map(|instance| built_in(model, data, instance).ok().flatten()).collect())
    }

    /// Put a plugin in the place of an instance. `false` when the model has no such instance.
    pub fn set(&mut self, instance: usize, plugin: Arc<dyn Plugin>) -> bool {
        match self.0.get_mut(instance) {
            Some(place) => {
                *place = Some(plugin);
                true
            }
            None => false,
        }
    }
}

/// Whether every plugin instance of a model can be used as it is set; `Err` says which cannot and why.
pub fn check(model: &Model) -> Result<(), String> {
    for instance in 0..model.nplugin {
        check_instance(model, instance)
            .map_err(|problem| format!("plugin instance {instance}: {problem}"))?;
    }
    Ok(())
}

/// Whether a plugin instance can be used as it is set; `Err` says why not.
pub fn check_instance(model: &Model, instance: usize) -> Result<(), String> {
    let Some(extension) = model.plugin_extension(instance) else {
        return Err("the model names a plugin that is not built in".to_owned());
    };
    if extension.name.starts_with("mujoco.sdf.") {
        return plugin_shape::check(model, instance);
    }
    let mut data = Data::without_plugins(model);
    built_in(model, &mut data, instance).map(|_| ())
}

fn built_in(model: &Model, data: &mut Data, instance: usize) -> Result<Option<Arc<dyn Plugin>>, String> {
    Ok(match model.plugin_extension(instance).map(|extension| extension.name) {
        Some("mujoco.pid") => Some(Arc::new(Pid::new(model, instance)?)),
        Some("mujoco.elasticity.cable") => Some(Arc::new(Cable::new(model, data, instance)?)),
        Some("mujoco.sensor.touch_grid") => Some(Arc::new(TouchGrid::new(model, instance)?)),
        _ => None,
    })
}

/// The number a setting starts with; zero when it starts with none.
fn number(text: &str) -> f64 {
    leading_number(text).map_or(0.0, |(value, _)| value)
}

/// Calls every plugin with the data. Plugins stay in their places, so that a panic in one leaves all of them there.
fn for_each(data: &mut Data, mut call: impl FnMut(&dyn Plugin, &mut Data)) {
    for instance in 0..data.plugins.0.len() {
        if let Some(plugin) = data.plugins.0.get(instance).cloned().flatten() {
            call(plugin.as_ref(), data);
        }
    }
}

/// What the plugin of an instance adds to a picture.
pub fn draw(model: &Model, data: &Data, instance: usize, mut add: impl FnMut(Drawing)) {
    if let Some(Some(plugin)) = data.plugins.0.get(instance) {
        plugin.draw(model, data, &mut add);
    }
}

/// Rates of the activations that plugins own.
pub fn activation_rates(model: &Model, data: &mut Data) {
    for_each(data, |plugin, data| plugin.activation_rates(model, data));
}

/// Forces of the actuators that plugins drive.
pub fn actuator_forces(model: &Model, data: &mut Data) {
    for_each(data, |plugin, data| plugin.actuator_forces(model, data));
}

/// Passive forces of plugins.
pub fn passive_forces(model: &Model, data: &mut Data) {
    for_each(data, |plugin, data| plugin.passive_forces(model, data));
}

/// State of plugins one step later.
pub fn advance(model: &Model, data: &mut Data) {
    for_each(data, |plugin, data| plugin.advance(model, data));
}

/// Sensors of plugins that belong to a stage; `prepare` brings lazily computed quantities up to date.
pub fn sensors(model: &Model, data: &mut Data, stage: Stage, prepare: impl Fn(&Model, &mut Data, Stage)) {
    for_each(data, |plugin, data| {
        let due = plugin.sensor_stage();
        if due == Some(stage) || (due == Some(Stage::None) && stage == Stage::Pos) {
            prepare(model, data, stage);
            plugin.sensors(model, data);
        }
    });
}

/// The sensors of a plugin instance.
fn sensors_of(model: &Model, instance: usize) -> impl Iterator<Item = usize> + '_ {
    (0..model.nsensor).filter(move |&sensor| {
        model.sensor_type(sensor) == Some(SensorType::Plugin) && model.sensor_plugin(sensor) == Some(instance)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug)]
    struct Count;

    impl Plugin for Count {
        fn passive_forces(&self, _: &Model, data: &mut Data) {
            data.state.plugin_state[0] += 1.0;
        }

        fn advance(&self, _: &Model, data: &mut Data) {
            data.state.plugin_state[0] *= 10.0;
        }
    }

    #[test]
    fn a_plugin_of_the_program_takes_the_place_of_an_instance() {
        let mut model = Model { nbody: 1, nplugin: 1, npluginstate: 1, ..Model::default() };
        model.allocate();
        model.body_mocapid.fill(-1);
        model.plugin.fill(-1);
        model.body_treeid.fill(-1);
        let mut data = Data::new(&model);
        assert!(data.plugins.set(0, Arc::new(Count)));
        assert!(!data.plugins.set(1, Arc::new(Count)));
        passive_forces(&model, &mut data);
        advance(&model, &mut data);
        assert_eq!(data.state.plugin_state[0], 10.0);
    }

    #[test]
    fn an_unknown_extension_is_reported() {
        let model = Model { nplugin: 1, plugin: vec![99].into(), ..Model::default() };
        assert!(check_instance(&model, 0).is_err());
    }
}
