//! The extensions that come with the reference: a model names them by their slot, the place in this list.

use crate::Model;

/// Names in the order in which the reference's package registers them.
pub const BUILT_IN: [&str; 8] = [
    "mujoco.pid",
    "mujoco.elasticity.cable",
    "mujoco.sensor.touch_grid",
    "mujoco.sdf.bolt",
    "mujoco.sdf.bowl",
    "mujoco.sdf.gear",
    "mujoco.sdf.nut",
    "mujoco.sdf.torus",
];

impl Model {
    /// Name of the extension that plugin instance `instance` belongs to.
    pub fn plugin_name(&self, instance: usize) -> Option<&'static str> {
        let slot = usize::try_from(*self.plugin.get(instance)?).ok()?;
        BUILT_IN.get(slot).copied()
    }

    /// Settings of a plugin instance in the order its extension declares them; a setting left out is empty.
    pub fn plugin_settings(&self, instance: usize) -> impl Iterator<Item = &str> {
        let start = self.plugin_attradr.get(instance).and_then(|&start| usize::try_from(start).ok());
        let bytes = start.and_then(|start| self.plugin_attr.get(start..)).unwrap_or_default();
        bytes.split(|&byte| byte == 0).map(|text| std::str::from_utf8(text).unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_read_in_order() {
        let model = Model {
            plugin: vec![7, 3],
            plugin_attradr: vec![0, 5],
            plugin_attr: b"0.4\0\x000.3\0".to_vec(),
            ..Model::default()
        };
        assert_eq!(model.plugin_name(0), Some("mujoco.sdf.torus"));
        assert_eq!(model.plugin_settings(0).take(2).collect::<Vec<_>>(), ["0.4", ""]);
        assert_eq!(model.plugin_settings(1).next(), Some("0.3"));
        assert_eq!(model.plugin_name(2), None);
        assert_eq!(model.plugin_settings(2).next(), Some(""));
    }
}
