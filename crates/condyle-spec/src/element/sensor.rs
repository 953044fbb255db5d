//! Sensors.

use condyle_model::{ObjectType, SensorDataType, SensorType, Stage};

use super::Info;
use super::custom::PluginRef;

/// A measurement written to `sensordata`.
#[derive(Clone, Debug)]
pub struct Sensor {
    pub info: Info,
    pub kind: SensorType,
    pub objtype: ObjectType,
    pub objname: String,
    pub reftype: ObjectType,
    pub refname: String,
    pub intprm: [i32; 3],
    /// The next three are read for user sensors only; the compiler sets them for the others.
    pub datatype: SensorDataType,
    pub needstage: Stage,
    pub dim: i32,
    pub cutoff: f64,
    pub noise: f64,
    pub nsample: i32,
    /// Interpolation order of the history: 0 hold, 1 linear, 2 cubic.
    pub interp: i32,
    pub delay: f64,
    /// Period and phase of sampling.
    pub interval: [f64; 2],
    pub userdata: Vec<f64>,
    pub plugin: PluginRef,
}

impl Default for Sensor {
    fn default() -> Self {
        Self {
            info: Info::default(),
            kind: SensorType::Touch,
            objtype: ObjectType::Unknown,
            objname: String::new(),
            reftype: ObjectType::Unknown,
            refname: String::new(),
            intprm: [0; 3],
            datatype: SensorDataType::Real,
            needstage: Stage::Acc,
            dim: 0,
            cutoff: 0.0,
            noise: 0.0,
            nsample: 0,
            interp: 0,
            delay: 0.0,
            interval: [0.0; 2],
            userdata: Vec::new(),
            plugin: PluginRef::default(),
        }
    }
}
