//! Shapes that exist only as distance fields: the numbers of their settings. Reference: plugin/sdf.

use condyle_collide::sdf::Shape;
use condyle_model::Model;
use condyle_model::plugins::{leading_number, setting_number};

/// Most parameters of a shape.
const MAX_PARAMETERS: usize = 5;

/// The shape of a plugin instance; settings that are left out have their defaults.
pub fn shape(model: &Model, instance: usize) -> Option<Shape> {
    let extension = model.plugin_extension(instance)?;
    // Collision asks for this in every step: settings are walked in order, without looking for their names.
    let mut settings = model.plugin_settings(instance);
    from_texts(extension.name, |_| settings.next().unwrap_or_default()).ok()
}

/// The shape of an extension with its settings by name. `Err` says which one is not a number.
pub fn shape_from_settings<'a>(
    extension: &str,
    setting: impl FnMut(&'static str) -> &'a str,
) -> Result<Shape, String> {
    from_texts(extension, setting)
}

fn from_texts<'a>(
    extension: &str,
    mut setting: impl FnMut(&'static str) -> &'a str,
) -> Result<Shape, String> {
    let parameters =
        Shape::parameters(extension).ok_or_else(|| format!("plugin '{extension}' is not a shape"))?;
    let mut values = [0.0; MAX_PARAMETERS];
    for (value, (name, default)) in values.iter_mut().zip(parameters) {
        let text = setting(name);
        *value = match leading_number(text) {
            Some((value, _)) => value,
            None if text.is_empty() => *default,
            None => return Err(format!("attribute '{name}' is not a number: '{text}'")),
        };
    }
    let values = values.get(..parameters.len()).unwrap_or_default();
    Shape::from_plugin(extension, values).ok_or_else(|| format!("plugin '{extension}' is not a shape"))
}

/// Every setting must be a number or left out; only the thickness of a gear may have something after its number.
pub(crate) fn check(model: &Model, instance: usize) -> Result<(), String> {
    let extension = model.plugin_extension(instance).map_or("", |extension| extension.name);
    let parameters = Shape::parameters(extension).unwrap_or_default();
    for ((name, _), text) in parameters.iter().zip(model.plugin_settings(instance)) {
        let tolerant = extension == "mujoco.sdf.gear" && *name == "thickness";
        if !tolerant {
            setting_number(name, text)?;
        }
    }
    shape_from_settings(extension, |name| model.plugin_setting(instance, name)).map(|_| ())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shape_has_the_settings_of_its_instance_and_defaults_elsewhere() {
        let model = Model {
            plugin: vec![7, 0].into(),
            plugin_attradr: vec![0, 5].into(),
            plugin_attr: b"0.5\0\0\0".to_vec().into(),
            ..Model::default()
        };
        assert_eq!(shape(&model, 0), Some(Shape::Torus { major: 0.5, minor: 0.15 }));
        assert_eq!(shape(&model, 1), None);
        assert_eq!(check(&model, 0), Ok(()));
    }

    #[test]
    fn a_setting_that_is_no_number_is_refused() {
        let model = Model {
            plugin: vec![7].into(),
            plugin_attradr: vec![0].into(),
            plugin_attr: b"0.5m\0\0".to_vec().into(),
            ..Model::default()
        };
        assert!(check(&model, 0).is_err());
    }
}
