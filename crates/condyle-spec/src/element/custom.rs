//! Custom fields, keyframes and plugins.

use condyle_base::diagnostic::Location;
use condyle_model::ObjectType;

use super::table::element;
use super::{Actuator, Body, Joint};
use crate::arena::Id;
use crate::edit::form::NUMERIC_DATA;

element! {
    /// A named array of numbers.
    Numeric {
        parts {}
        /// Length of the array; 0: that of the data.
        size: i32 = 0, "size" by_hand => (numeric_size);
        /// The numbers; the rest of the array is 0.
        data: Vec<f64> = Vec::new(), "data" most(NUMERIC_DATA) by_hand => (numeric_data);
    }
}

element! {
    /// A named text.
    Text {
        parts {}
        /// The text.
        data: String = String::new(), "data" => (text_data);
    }
}

element! {
    /// A named list of objects.
    Tuple {
        parts {
            /// The objects.
            pub entries: Vec<TupleEntry> = Vec::new();
        }
    }
}

/// One object in a tuple.
#[derive(Clone, Debug)]
pub struct TupleEntry {
    /// Kind of the object.
    pub objtype: ObjectType,
    /// Its name.
    pub objname: String,
    /// A number beside it.
    pub prm: f64,
}

element! {
    /// A saved state. An empty array means the default values of its component.
    Key {
        parts {
            /// State of an attached spec, in place of the arrays.
            pub saved: Option<SavedState> = None;
        }
        /// Time, s.
        time: f64 = 0.0, "time" => key_time;
        /// Configuration.
        qpos: Vec<f64> = Vec::new(), "qpos" => (key_qpos);
        /// Velocity.
        qvel: Vec<f64> = Vec::new(), "qvel" => (key_qvel);
        /// Activation.
        act: Vec<f64> = Vec::new(), "act" => (key_act);
        /// Positions of mocap bodies, m.
        mpos: Vec<f64> = Vec::new(), "mpos" => (key_mpos);
        /// Orientations of mocap bodies, w first.
        mquat: Vec<f64> = Vec::new(), "mquat" => (key_mquat);
        /// Controls.
        ctrl: Vec<f64> = Vec::new(), "ctrl" => (key_ctrl);
    }
}

/// A state by element: what a keyframe of an attached spec says about its elements. Everything else has default values.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SavedState {
    /// Configuration by joint.
    pub qpos: Option<Vec<(Id<Joint>, Vec<f64>)>>,
    /// Velocity by joint.
    pub qvel: Option<Vec<(Id<Joint>, Vec<f64>)>>,
    /// Activation by actuator.
    pub act: Option<Vec<(Id<Actuator>, Vec<f64>)>>,
    /// Control by actuator.
    pub ctrl: Option<Vec<(Id<Actuator>, Vec<f64>)>>,
    /// Position by mocap body, m.
    pub mpos: Option<Vec<(Id<Body>, Vec<f64>)>>,
    /// Orientation by mocap body, w first.
    pub mquat: Option<Vec<(Id<Body>, Vec<f64>)>>,
}

element! {
    /// An instance of a plugin with its configuration.
    PluginInstance {
        parts {
            /// Its configuration: keys and values.
            pub config: Vec<(String, String)> = Vec::new();
        }
        /// Name of the plugin.
        plugin_name: String = String::new(), ;
    }
}

/// The plugin an element uses.
#[derive(Clone, Debug, Default)]
pub struct PluginRef {
    /// Whether the element uses a plugin.
    pub active: bool,
    /// Name of the plugin.
    pub plugin_name: String,
    /// Name of a declared instance; empty when the element has its own.
    pub instance_name: String,
    /// Instance made for this element alone.
    pub own_instance: Option<Id<PluginInstance>>,
    /// Where it was written.
    pub location: Option<Location>,
}
