//! Plugins of copied elements.
//!
//! An instance of an element's own is copied with the element. Declared instances of another spec follow when everything else is
//! copied, under their new names: first those that bodies use, then geoms, meshes, actuators and sensors. Reference:
//! mjCModel::CopyPlugin.

use std::collections::HashSet;

use super::{Rename, Source};
use crate::element::PluginRef;
use crate::spec::Spec;

impl Spec {
    /// The plugin of a copied element.
    pub(super) fn copy_plugin(
        &mut self,
        source: Source<'_>,
        plugin: &PluginRef,
        rename: &Rename,
    ) -> PluginRef {
        let mut copy = plugin.clone();
        if !plugin.active {
            return copy;
        }
        let instances = match source {
            Source::Own => &self.plugins,
            Source::Other(child, _) => &child.plugins,
        };
        if let Some(own) = plugin.own_instance {
            let instance = instances.get(own).cloned();
            copy.own_instance = instance.map(|instance| self.plugins.push(instance));
        } else if !plugin.instance_name.is_empty() {
            copy.instance_name = rename.apply(&plugin.instance_name);
            if matches!(source, Source::Own) {
                // Every copy of a replicated element has an instance with its suffix.
                let original =
                    instances.values().find(|known| known.info.name == plugin.instance_name).cloned();
                let exists = self.plugins.values().any(|known| known.info.name == copy.instance_name);
                if let (Some(mut original), false) = (original, exists) {
                    original.info.name.clone_from(&copy.instance_name);
                    self.plugins.push(original);
                }
            }
        }
        copy
    }

    /// Copies the declared instances of another spec that elements use, and declares its plugins.
    pub(super) fn copy_declared_plugins(&mut self, child: &Spec, rename: &Rename) {
        if child.plugins.values().any(|instance| !instance.info.name.is_empty()) {
            let mut known: HashSet<String> =
                self.plugins.values().map(|instance| instance.info.name.clone()).collect();
            for used in self.used_instances() {
                for instance in child.plugins.values().filter(|instance| !instance.info.name.is_empty()) {
                    let name = rename.apply(&instance.info.name);
                    if used.contains(&name) && !known.contains(&name) {
                        let mut copy = instance.clone();
                        copy.info.name.clone_from(&name);
                        self.plugins.push(copy);
                        known.insert(name);
                    }
                }
            }
        }
        for plugin in &child.active_plugins {
            if !self.active_plugins.contains(plugin) {
                self.active_plugins.push(plugin.clone());
            }
        }
    }

    /// Names of the instances that bodies, geoms, meshes, actuators and sensors use.
    pub(super) fn used_instances(&self) -> [HashSet<String>; 5] {
        fn names<'a>(plugins: impl Iterator<Item = &'a PluginRef>) -> HashSet<String> {
            let named = plugins.filter(|plugin| plugin.active && !plugin.instance_name.is_empty());
            named.map(|plugin| plugin.instance_name.clone()).collect()
        }
        [
            names(self.bodies.values().map(|body| &body.plugin)),
            names(self.geoms.values().map(|geom| &geom.plugin)),
            names(self.meshes.values().map(|mesh| &mesh.plugin)),
            names(self.actuators.values().map(|actuator| &actuator.plugin)),
            names(self.sensors.values().map(|sensor| &sensor.plugin)),
        ]
    }
}
