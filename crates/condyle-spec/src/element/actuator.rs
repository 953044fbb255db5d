//! Actuators.

use condyle_model::{BiasType, DynamicsType, GainType, TransmissionType};

use super::custom::PluginRef;
use super::table::element;
use crate::edit::form::INTERPOLATION;
use crate::orientation::Limited;

/// Parameters of which the first is 1.
const UNIT: [f64; 10] = [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];

element! {
    /// A force generator: control → activation → force → transmission.
    Actuator {
        parts {
            /// Plugin that computes the force.
            pub plugin: PluginRef = PluginRef::default();
        }
        /// What the actuator acts on.
        trntype: TransmissionType = TransmissionType::Undefined, => actuator_trntype;
        /// Name of the joint, tendon, body or site it acts on; the crank site of a slider-crank.
        target: String = String::new(), => (actuator_trnid);
        /// Site whose frame the force of a site transmission is in.
        refsite: String = String::new(), "refsite";
        /// Site at the slider of a slider-crank.
        slidersite: String = String::new(), "slidersite";
        /// Minimum and maximum length of the transmission, m or rad; both 0: computed where they are needed.
        lengthrange: [f64; 2] = [0.0; 2], "lengthrange" => actuator_lengthrange;
        /// Whether `ctrlrange` is enforced; `auto`: if it is given.
        ctrllimited: Limited = Limited::Auto, "ctrllimited" => actuator_ctrllimited;
        /// Whether `forcerange` is enforced; `auto`: if it is given.
        forcelimited: Limited = Limited::Auto, "forcelimited" => actuator_forcelimited;
        /// Group, for `actuatorgroupdisable` and visibility.
        group: i32 = 0, "group" => actuator_group;
        /// Samples kept of past controls.
        nsample: i32 = 0, "nsample" => (actuator_history);
        /// How controls between two samples are found.
        interp: i32 = 0, "interp" words(INTERPOLATION) => (actuator_history);
        /// Delay of the control, s; 0: none.
        delay: f64 = 0.0, "delay" => actuator_delay;
        /// Range of the control.
        ctrlrange: [f64; 2] = [0.0; 2], "ctrlrange" => actuator_ctrlrange;
        /// Range of the force, N or N m.
        forcerange: [f64; 2] = [0.0; 2], "forcerange" => actuator_forcerange;
        /// Multiplies length and force; for ball and free joints and sites, force and torque along each axis.
        gear: [f64; 6] = [1.0, 0.0, 0.0, 0.0, 0.0, 0.0], "gear" at_most => actuator_gear;
        /// Length of the connecting rod of a slider-crank, m.
        cranklength: f64 = 0.0, "cranklength" => actuator_cranklength;
        /// User numbers.
        userdata: Vec<f64> = Vec::new(), "user" => actuator_user by nuser_actuator;
        /// Whether `actrange` is enforced; `auto`: if it is given.
        actlimited: Limited = Limited::Auto, "actlimited" => actuator_actlimited;
        /// Range of the activation.
        actrange: [f64; 2] = [0.0; 2], "actrange" => actuator_actrange;
        /// Parameters of the activation dynamics; the first is a time constant, s.
        dynprm: [f64; 10] = UNIT, "dynprm" at_most => actuator_dynprm;
        /// Number of activation variables; -1: as many as the dynamics needs.
        actdim: i32 = -1, "actdim";
        /// Activation dynamics.
        dyntype: DynamicsType = DynamicsType::None, "dyntype" => actuator_dyntype;
        /// Whether the force uses the activation at the end of the step.
        actearly: bool = false, "actearly" => actuator_actearly;
        /// How the force scales with the input.
        gaintype: GainType = GainType::Fixed, "gaintype" => actuator_gaintype;
        /// Force without input.
        biastype: BiasType = BiasType::None, "biastype" => actuator_biastype;
        /// Parameters of the gain.
        gainprm: [f64; 10] = UNIT, "gainprm" at_most => actuator_gainprm;
        /// Parameters of the bias.
        biasprm: [f64; 10] = [0.0; 10], "biasprm" at_most => actuator_biasprm;
        /// Ratio of the control (or activation) range to the range of the target; 0: not inherited.
        inheritrange: f64 = 0.0, "inheritrange" by_hand;
    }
}
