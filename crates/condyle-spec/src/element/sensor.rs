//! Sensors.

use condyle_model::{ObjectType, SensorDataType, SensorType, Stage};

use super::custom::PluginRef;
use super::table::element;
use crate::edit::form::INTERPOLATION;

element! {
    /// A measurement written to `sensordata`.
    Sensor {
        parts {
            /// Plugin that computes the reading.
            pub plugin: PluginRef = PluginRef::default();
        }
        /// What it measures.
        kind as "type": SensorType = SensorType::Touch, => sensor_type;
        /// Kind of the object measured.
        objtype: ObjectType = ObjectType::Unknown, => sensor_objtype;
        /// Name of the object measured.
        objname: String = String::new(), => (sensor_objid);
        /// Kind of the object whose frame is used.
        reftype: ObjectType = ObjectType::Unknown, => sensor_reftype;
        /// Name of the object whose frame is used; empty: the world frame.
        refname: String = String::new(), => (sensor_refid);
        /// Integers by kind: fields as bits, reduction and number of contacts.
        intprm: [i32; 3] = [0; 3], => sensor_intprm;
        /// Values a user sensor can take; for other sensors they follow from the type.
        datatype: SensorDataType = SensorDataType::Real, "datatype" by_hand => sensor_datatype;
        /// Stage after which a user sensor can be computed; for other sensors it follows from the type.
        needstage: Stage = Stage::Acc, "needstage" by_hand => sensor_needstage;
        /// Number of values a user sensor writes; for other sensors it follows from the type.
        dim: i32 = 0, "dim" by_hand => sensor_dim;
        /// Readings are clamped to this magnitude, in their unit; 0: no limit.
        cutoff: f64 = 0.0, "cutoff" => sensor_cutoff;
        /// Standard deviation of noise; kept for the user, not applied.
        noise: f64 = 0.0, "noise" => sensor_noise;
        /// Samples kept of past readings.
        nsample: i32 = 0, "nsample" => (sensor_history);
        /// How readings between two samples are found.
        interp: i32 = 0, "interp" words(INTERPOLATION) => (sensor_history);
        /// Delay of the readings, s; 0: none.
        delay: f64 = 0.0, "delay" => sensor_delay;
        /// Period and phase of sampling, s; period 0: every step.
        interval: [f64; 2] = [0.0; 2], "interval" at_most => sensor_interval;
        /// User numbers.
        userdata: Vec<f64> = Vec::new(), "user" => sensor_user by nuser_sensor;
    }
}
