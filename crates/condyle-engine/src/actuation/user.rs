//! Actuators of user types: what the hooks say about them.
//!
//! Whole data: a hook may read all of it.

use condyle_model::{BiasType, DynamicsType, GainType, Model};

use super::activation;
use crate::Data;
use crate::data::scratch;

/// Gain and bias of actuators of user types, and the rates of their activations: from the hooks, or 1, 0 and 0 without hooks.
pub fn gains_and_biases(model: &Model, data: &mut Data) {
    scratch::sized(&mut data.scratch.smooth.user_actuator, model.nu).fill([1.0, 0.0]);
    let Some(hooks) = data.hooks.get() else { return };
    for actuator in 0..model.nu {
        if model.actuator_dyntype(actuator) == Some(DynamicsType::User)
            && let Some(address) = activation::driving_activation(model, actuator)
        {
            data.actuation.act_dot[address] = hooks.activation_rate(model, data, actuator);
        }
    }
    for actuator in 0..model.nu {
        if model.actuator_gaintype(actuator) == Some(GainType::User) {
            data.scratch.smooth.user_actuator[actuator][0] = hooks.gain(model, data, actuator);
        }
        if model.actuator_biastype(actuator) == Some(BiasType::User) {
            data.scratch.smooth.user_actuator[actuator][1] = hooks.bias(model, data, actuator);
        }
    }
}
