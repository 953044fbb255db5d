//! Plugins: which instance an element uses, which extension an instance belongs to, and its settings as the model stores them.
//!
//! An element names a declared instance or has one of its own. The extension of an instance must be declared in the model and fit
//! the element. Settings are stored in the order in which the extension declares them. Reference: mjCModel::ResolvePlugin,
//! mjCPlugin::Compile.

use condyle_base::diagnostic::{Diagnostic, did_you_mean};
use condyle_collide::sdf::Shape;
use condyle_engine::plugin;
use condyle_model::plugins::{self, BUILT_IN, Capability};
use condyle_model::{Model, ObjectType};

use super::problems::{INVALID_MODEL, REFERENCE, STRUCTURE, VALUE, element_error};
use super::work::Work;
use crate::element::{Element, PluginInstance, PluginRef};

/// A plugin instance while the model is compiled.
pub(crate) struct PluginWork<'s> {
    pub source: &'s PluginInstance,
    /// Place of its extension in the registry; known once an element refers to it.
    pub slot: Option<usize>,
    /// Settings in the order of the extension, each with a closing zero.
    pub settings: Vec<u8>,
}

impl Work<'_> {
    pub(super) fn list_plugins(&mut self) {
        let instance = |source| PluginWork { source, slot: None, settings: Vec::new() };
        self.plugins = self.spec.plugins.values().map(instance).collect();
        self.plugin_positions = self.spec.plugins.ids().enumerate().map(|(at, id)| (id, at)).collect();
    }

    /// The instance an element uses; its extension must have the capability.
    pub(super) fn resolve_plugin<T: Element>(
        &mut self,
        element: &T,
        reference: &PluginRef,
        wanted: Capability,
    ) -> Result<usize, Diagnostic> {
        self.find_plugin(element, reference, wanted).map_err(|problem| match &reference.location {
            Some(location) => problem.at(Some(location)),
            None => problem,
        })
    }

    fn find_plugin<T: Element>(
        &mut self,
        element: &T,
        reference: &PluginRef,
        wanted: Capability,
    ) -> Result<usize, Diagnostic> {
        let PluginRef { plugin_name, instance_name, .. } = reference;
        if plugin_name.is_empty() && instance_name.is_empty() {
            let message = "neither 'plugin' nor 'instance' is specified";
            return Err(element_error(STRUCTURE, element, "", message)
                .help("name a plugin, or an instance declared in <extension>"));
        }
        let own = reference.own_instance.and_then(|own| self.plugin_positions.get(&own)).copied();
        let instance = match own {
            Some(own) => own,
            None => self.require(element, "", ObjectType::Plugin, instance_name)?,
        };
        let name = match plugin_name.as_str() {
            "" => &self.plugins[instance].source.plugin_name,
            name => name,
        };
        let slot = self.active_slot(element, name)?;
        // An element that names both moves a declared instance to its plugin.
        if own.is_none() || self.plugins[instance].slot.is_none() {
            self.plugins[instance].slot = Some(slot);
        }
        let extension = &BUILT_IN[self.plugins[instance].slot.unwrap_or(slot)];
        if std::mem::discriminant(&extension.capability) != std::mem::discriminant(&wanted) {
            let message = format!("plugin '{}' does not support {}", extension.name, wanted.describe());
            let help = format!("it supports {}", extension.capability.describe());
            return Err(element_error(STRUCTURE, element, "", message).help(help));
        }
        Ok(instance)
    }

    /// Slot of an extension that the model declares.
    fn active_slot<T: Element>(&self, element: &T, name: &str) -> Result<usize, Diagnostic> {
        let active = &self.spec.active_plugins;
        if let (true, Some(slot)) = (active.iter().any(|known| known == name), plugins::slot(name)) {
            return Ok(slot);
        }
        let error = element_error(REFERENCE, element, "plugin", format!("unrecognized plugin '{name}'"));
        let nearest = did_you_mean(name, active.iter().map(String::as_str));
        Err(match nearest {
            _ if plugins::slot(name).is_some() => {
                error.help(format!("declare it: <extension><plugin plugin=\"{name}\"/></extension>"))
            }
            Some(nearest) => error.help(format!("did you mean '{nearest}'?")),
            None => error.help("a plugin must be declared in <extension>"),
        })
    }

    /// The shape of a mesh that an extension makes.
    pub(super) fn resolve_mesh_shapes(&mut self) {
        for index in 0..self.meshes.len() {
            let mesh = &self.meshes[index];
            if mesh.source.plugin.active && mesh.file.is_empty() {
                let shape = self.mesh_shape(mesh.source);
                self.meshes[index].shape = Some(shape);
            }
        }
    }

    fn mesh_shape(&mut self, source: &crate::element::Mesh) -> Result<Shape, Diagnostic> {
        if source.scale != [1.0; 3] {
            let message = "a mesh made by a plugin cannot be scaled";
            return Err(element_error(VALUE, source, "scale", message)
                .help("delete 'scale' and change the settings of the plugin"));
        }
        let instance = self.resolve_plugin(source, &source.plugin, Capability::DistanceField)?;
        let plugin = &self.plugins[instance];
        let extension = plugin.slot.and_then(|slot| BUILT_IN.get(slot));
        let name = extension.map_or("", |extension| extension.name);
        let setting = |key: &str| setting(plugin.source, key);
        plugin::shape_from_settings(name, setting)
            .map_err(|message| element_error(VALUE, plugin.source, "", message).help(attributes_of(name)))
    }

    /// Settles the extension of every instance, and writes its settings in order.
    pub(super) fn compile_plugins(&mut self) {
        for index in 0..self.plugins.len() {
            if let Err(problem) = self.compile_plugin(index) {
                self.problems.push(problem);
            }
        }
    }

    fn compile_plugin(&mut self, index: usize) -> Result<(), Diagnostic> {
        let source = self.plugins[index].source;
        let slot = match self.plugins[index].slot {
            Some(slot) => slot,
            // The element it was made for was reported.
            None if source.info.name.is_empty() && self.problems.any_error() => return Ok(()),
            None => self.active_slot(source, &source.plugin_name)?,
        };
        let extension = &BUILT_IN[slot];
        if let Some((key, _)) =
            source.config.iter().find(|(key, _)| !extension.settings.contains(&key.as_str()))
        {
            let message = format!("unrecognized attribute '{key}' for plugin '{}'", extension.name);
            let help = match did_you_mean(key, extension.settings.iter().copied()) {
                Some(nearest) => format!("did you mean '{nearest}'?"),
                None => attributes_of(extension.name),
            };
            return Err(element_error(VALUE, source, "", message).help(help));
        }
        let plugin = &mut self.plugins[index];
        plugin.slot = Some(slot);
        for key in extension.settings {
            plugin.settings.extend_from_slice(setting(source, key).as_bytes());
            plugin.settings.push(0);
        }
        Ok(())
    }

    /// Numbers that the sensor of a plugin instance gives.
    pub(super) fn plugin_sensor_size(&self, instance: usize) -> Result<usize, Diagnostic> {
        let source = self.plugins[instance].source;
        plugin::TouchGrid::from_settings(|key| setting(source, key)).map(|grid| grid.size()).map_err(
            |message| {
                element_error(VALUE, source, "", message).help(attributes_of("mujoco.sensor.touch_grid"))
            },
        )
    }

    /// Fills the arrays of plugins.
    pub(super) fn write_plugins(&self, model: &mut Model) {
        let mut address = 0;
        for (at, plugin) in self.plugins.iter().enumerate() {
            model.plugin[at] = plugin.slot.map_or(-1, |slot| slot as i32);
            model.plugin_attradr[at] = address as i32;
            let end = address + plugin.settings.len();
            model.plugin_attr[address..end].copy_from_slice(&plugin.settings);
            address = end;
        }
    }

    /// Whether every instance can be simulated as it is set.
    pub(super) fn check_plugins(&mut self, model: &Model) -> Option<()> {
        for (instance, plugin) in self.plugins.iter().enumerate() {
            if let Err(message) = plugin::check_instance(model, instance) {
                self.problems.push(element_error(INVALID_MODEL, plugin.source, "", message));
            }
        }
        (!self.problems.any_error()).then_some(())
    }
}

/// A setting of an instance; empty when it was left out.
fn setting<'s>(source: &'s PluginInstance, key: &str) -> &'s str {
    source.config.iter().find(|(known, _)| known == key).map_or("", |(_, value)| value)
}

/// The settings of an extension, for help.
fn attributes_of(name: &str) -> String {
    let settings =
        plugins::slot(name).and_then(|slot| BUILT_IN.get(slot)).map_or(&[][..], |known| known.settings);
    format!("the attributes of {name} are {}", settings.join(", "))
}
