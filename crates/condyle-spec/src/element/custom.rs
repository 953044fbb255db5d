//! Custom fields, keyframes and plugins.

use condyle_model::ObjectType;
use condyle_model::diagnostic::Location;

use super::{Actuator, Body, Info, Joint};
use crate::arena::Id;

/// A named array of numbers.
#[derive(Clone, Debug, Default)]
pub struct Numeric {
    pub info: Info,
    pub data: Vec<f64>,
    /// Length of the array; 0: that of the data.
    pub size: i32,
}

/// A named text.
#[derive(Clone, Debug, Default)]
pub struct Text {
    pub info: Info,
    pub data: String,
}

/// A named list of objects.
#[derive(Clone, Debug, Default)]
pub struct Tuple {
    pub info: Info,
    pub entries: Vec<TupleEntry>,
}

/// One object in a tuple.
#[derive(Clone, Debug)]
pub struct TupleEntry {
    pub objtype: ObjectType,
    pub objname: String,
    pub prm: f64,
}

/// A saved state. An empty array means the default values of its component.
#[derive(Clone, Debug, Default)]
pub struct Key {
    pub info: Info,
    pub time: f64,
    pub qpos: Vec<f64>,
    pub qvel: Vec<f64>,
    pub act: Vec<f64>,
    pub mpos: Vec<f64>,
    pub mquat: Vec<f64>,
    pub ctrl: Vec<f64>,
    /// State of an attached spec, in place of the arrays.
    pub saved: Option<SavedState>,
}

/// A state by element: what a keyframe of an attached spec says about its elements. Everything else has default values.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SavedState {
    pub qpos: Option<Vec<(Id<Joint>, Vec<f64>)>>,
    pub qvel: Option<Vec<(Id<Joint>, Vec<f64>)>>,
    pub act: Option<Vec<(Id<Actuator>, Vec<f64>)>>,
    pub ctrl: Option<Vec<(Id<Actuator>, Vec<f64>)>>,
    pub mpos: Option<Vec<(Id<Body>, Vec<f64>)>>,
    pub mquat: Option<Vec<(Id<Body>, Vec<f64>)>>,
}

/// An instance of a plugin with its configuration.
#[derive(Clone, Debug, Default)]
pub struct PluginInstance {
    pub info: Info,
    pub plugin_name: String,
    pub config: Vec<(String, String)>,
}

/// The plugin an element uses.
#[derive(Clone, Debug, Default)]
pub struct PluginRef {
    pub active: bool,
    pub plugin_name: String,
    /// Name of a declared instance; empty when the element has its own.
    pub instance_name: String,
    /// Instance made for this element alone.
    pub own_instance: Option<Id<PluginInstance>>,
    /// Where it was written.
    pub location: Option<Location>,
}
