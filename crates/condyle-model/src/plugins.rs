//! The extensions that come with the reference, and the settings of the plugin instances of a model.
//!
//! A model names an extension by its slot, the place in [`BUILT_IN`]. The settings of an instance are texts that end with a zero
//! byte, in the order in which the extension declares them; one that was left out is empty.

use crate::{Model, Stage};

/// What an extension can be attached to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Capability {
    /// Actuators: forces and activation rates.
    Actuator,
    /// Bodies: passive forces.
    Passive,
    /// Sensors, computed after this stage.
    Sensor(Stage),
    /// Meshes and geoms: a signed distance field.
    DistanceField,
}

impl Capability {
    /// What it does, for messages.
    pub fn describe(self) -> &'static str {
        match self {
            Self::Actuator => "actuators",
            Self::Passive => "passive forces",
            Self::Sensor(_) => "sensors",
            Self::DistanceField => "signed distance fields",
        }
    }
}

/// An extension: its name, the settings it declares, and what it does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extension {
    /// Name by which a model asks for it.
    pub name: &'static str,
    /// Names of its settings, in order.
    pub settings: &'static [&'static str],
    /// What it can be attached to.
    pub capability: Capability,
}

const fn extension(
    name: &'static str,
    capability: Capability,
    settings: &'static [&'static str],
) -> Extension {
    Extension { name, settings, capability }
}

/// The extensions in the order in which the reference's package registers them.
pub const BUILT_IN: [Extension; 8] = [
    extension("mujoco.pid", Capability::Actuator, &["kp", "ki", "kd", "imax", "slewmax"]),
    extension("mujoco.elasticity.cable", Capability::Passive, &["twist", "bend", "flat", "vmax"]),
    extension(
        "mujoco.sensor.touch_grid",
        Capability::Sensor(Stage::Acc),
        &["nchannel", "size", "fov", "gamma"],
    ),
    extension("mujoco.sdf.bolt", Capability::DistanceField, &["radius"]),
    extension("mujoco.sdf.bowl", Capability::DistanceField, &["height", "radius", "thickness"]),
    extension(
        "mujoco.sdf.gear",
        Capability::DistanceField,
        &["alpha", "diameter", "teeth", "thickness", "innerdiameter"],
    ),
    extension("mujoco.sdf.nut", Capability::DistanceField, &["radius"]),
    extension("mujoco.sdf.torus", Capability::DistanceField, &["radius1", "radius2"]),
];

/// The slot of an extension.
pub fn slot(name: &str) -> Option<usize> {
    BUILT_IN.iter().position(|extension| extension.name == name)
}

impl Model {
    /// The extension that plugin instance `instance` belongs to.
    pub fn plugin_extension(&self, instance: usize) -> Option<&'static Extension> {
        let slot = usize::try_from(*self.plugin.get(instance)?).ok()?;
        BUILT_IN.get(slot)
    }

    /// Settings of a plugin instance in the order its extension declares them.
    pub fn plugin_settings(&self, instance: usize) -> impl Iterator<Item = &str> {
        let start = self.plugin_attradr.get(instance).and_then(|&start| usize::try_from(start).ok());
        let bytes = start.and_then(|start| self.plugin_attr.get(start..)).unwrap_or_default();
        bytes.split(|&byte| byte == 0).map(|text| std::str::from_utf8(text).unwrap_or_default())
    }

    /// One setting of a plugin instance; empty when it was left out or its extension has no such setting.
    pub fn plugin_setting(&self, instance: usize, key: &str) -> &str {
        self.plugin_extension(instance)
            .and_then(|extension| extension.settings.iter().position(|&setting| setting == key))
            .and_then(|place| self.plugin_settings(instance).nth(place))
            .unwrap_or_default()
    }
}

/// White space of the "C" locale.
fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}

/// The number a text starts with and the bytes it takes, by the rules of C's `strtod`; `None` when it starts with no number.
pub fn leading_number(text: &str) -> Option<(f64, usize)> {
    let bytes = text.as_bytes();
    let start = bytes.iter().position(|&byte| !is_space(byte))?;
    let signed = usize::from(matches!(bytes.get(start), Some(b'+' | b'-')));
    let digits = start + signed;
    let rest = text.get(digits..)?;
    let negative = bytes.get(start) == Some(&b'-');
    let sign = |value: f64| if negative { -value } else { value };
    for (word, value) in [("infinity", f64::INFINITY), ("inf", f64::INFINITY), ("nan", f64::NAN)] {
        if rest.get(..word.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(word)) {
            return Some((sign(value), digits + word.len()));
        }
    }
    if let Some((value, length)) = leading_hexadecimal(rest) {
        return Some((sign(value), digits + length));
    }
    let count = |from: usize| {
        bytes.get(from..).map_or(0, |rest| rest.iter().take_while(|byte| byte.is_ascii_digit()).count())
    };
    let whole = count(digits);
    let mut end = digits + whole;
    let mut fraction = 0;
    if bytes.get(end) == Some(&b'.') {
        fraction = count(end + 1);
        if whole + fraction > 0 {
            end += 1 + fraction;
        }
    }
    if whole + fraction == 0 {
        return None;
    }
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let signed = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        let exponent = count(end + 1 + signed);
        if exponent > 0 {
            end += 1 + signed + exponent;
        }
    }
    text.get(start..end)?.parse().ok().map(|value| (value, end))
}

/// A hexadecimal integer `0x1F`; up to 52 bits, which are exact.
fn leading_hexadecimal(text: &str) -> Option<(f64, usize)> {
    let digits = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"))?;
    let count = digits.bytes().take_while(u8::is_ascii_hexdigit).count();
    let value = u64::from_str_radix(digits.get(..count)?, 16).ok().filter(|&value| value < 1 << 52)?;
    Some((value as f64, 2 + count))
}

/// Whether a setting is one number or empty; white space does not count, not even between digits.
pub fn is_number_or_empty(text: &str) -> bool {
    let packed: String = text.chars().filter(|c| !(c.is_ascii() && is_space(*c as u8))).collect();
    packed.is_empty() || leading_number(&packed).is_some_and(|(_, end)| end == packed.len())
}

/// The number of the setting `name`; 0 where the text is empty or starts with no number.
pub fn setting_number(name: &str, text: &str) -> Result<f64, String> {
    if is_number_or_empty(text) {
        Ok(leading_number(text).map_or(0.0, |(value, _)| value))
    } else {
        Err(format!("attribute '{name}' is not a number: '{text}'"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_are_read_in_order() {
        let model = Model {
            plugin: vec![7, 3].into(),
            plugin_attradr: vec![0, 5].into(),
            plugin_attr: b"0.4\0\x000.3\0".to_vec().into(),
            ..Model::default()
        };
        assert_eq!(model.plugin_extension(0).map(|extension| extension.name), Some("mujoco.sdf.torus"));
        assert_eq!(model.plugin_settings(0).take(2).collect::<Vec<_>>(), ["0.4", ""]);
        assert_eq!(model.plugin_setting(1, "radius"), "0.3");
        assert_eq!(model.plugin_setting(1, "height"), "");
        assert_eq!(model.plugin_extension(2), None);
        assert_eq!(model.plugin_settings(2).next(), Some(""));
    }

    #[test]
    fn a_number_ends_where_strtod_ends_it() {
        assert_eq!(leading_number(" 1.5 2"), Some((1.5, 4)));
        assert_eq!(leading_number("-.5e-1x"), Some((-0.05, 6)));
        assert_eq!(leading_number("3e"), Some((3.0, 1)));
        assert_eq!(leading_number("7."), Some((7.0, 2)));
        assert_eq!(leading_number("-INFx"), Some((f64::NEG_INFINITY, 4)));
        assert_eq!(leading_number("0x1F"), Some((31.0, 4)));
        assert_eq!(leading_number("."), None);
        assert_eq!(leading_number("x1"), None);
        assert_eq!(leading_number(""), None);
    }

    #[test]
    fn white_space_inside_a_setting_is_overlooked() {
        assert!(is_number_or_empty("1 2.5 "));
        assert!(is_number_or_empty(" "));
        assert!(!is_number_or_empty("1.5m"));
    }
}
