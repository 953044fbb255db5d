//! Proportional–integral–derivative control of an actuator's length (`mujoco.pid`).
//!
//! `force = kp e + kd ė + ki ∫e`, with `e` the control less the length. The integral is an activation, limited so that its force is
//! at most `imax`; with `slewmax` the control follows its demand at a limited speed and the control of the last step is a second
//! activation. With activation dynamics the last activation takes the place of the control. Reference: plugin/actuator/pid.cc.
//!
//! Whole data: plugins may read and change all of it.

use condyle_math::scalar;
use condyle_model::{DynamicsType, Model};

use super::{Plugin, number};
use crate::Data;
use crate::actuation::activation::next_activation;

/// Gains and limits, and the actuators they belong to.
#[derive(Clone, Debug, PartialEq)]
pub struct Pid {
    proportional: f64,
    integral: f64,
    derivative: f64,
    /// Largest integral of the error.
    integral_max: Option<f64>,
    /// Largest speed of the control.
    slew_max: Option<f64>,
    actuators: Vec<usize>,
}

/// What the activations of an actuator hold.
#[derive(Clone, Copy, Debug, Default)]
struct Memory {
    integral: f64,
    /// Control of the last step, once there was one.
    last_control: Option<f64>,
}

impl Pid {
    pub(super) fn new(model: &Model, instance: usize) -> Result<Self, String> {
        let given = |key: &str| {
            let text = model.plugin_setting(instance, key);
            (!text.is_empty()).then(|| number(text))
        };
        let mut pid = Self {
            proportional: given("kp").unwrap_or(0.0),
            integral: given("ki").unwrap_or(0.0),
            derivative: given("kd").unwrap_or(0.0),
            integral_max: None,
            slew_max: given("slewmax"),
            actuators: Vec::new(),
        };
        if pid.integral != 0.0 {
            pid.integral_max = given("imax").map(|force| force / pid.integral);
        }
        if pid.integral_max.is_some_and(|limit| limit < 0.0) {
            return Err("imax must not be negative".to_owned());
        }
        if pid.slew_max.is_some_and(|limit| limit < 0.0) {
            return Err("slewmax must not be negative".to_owned());
        }
        let own = |actuator: &usize| model.actuator_plugin(*actuator) == Some(instance);
        pid.actuators = (0..model.nu).filter(own).collect();
        if pid.actuators.is_empty() {
            return Err("no actuator uses this plugin instance".to_owned());
        }
        for &actuator in &pid.actuators {
            let expected = pid.memory_size() + usize::from(has_dynamics(model, actuator));
            let found = model.actuator_actnum[actuator];
            if found == 0 && model.actuator_dyntype(actuator) != Some(DynamicsType::None) {
                return Err(format!("actuator {actuator} has dynamics but no activation"));
            }
            if usize::try_from(found) != Ok(expected) {
                return Err(format!(
                    "actuator {actuator} has actdim {found}, expected {expected}: write actdim=\"{expected}\""
                ));
            }
        }
        Ok(pid)
    }

    /// Activations that hold the memory.
    fn memory_size(&self) -> usize {
        usize::from(self.integral != 0.0) + usize::from(self.slew_max.is_some())
    }

    fn memory(&self, model: &Model, data: &Data, actuator: usize) -> Memory {
        let mut memory = Memory::default();
        let mut address = model.actuator_actadr[actuator] as usize;
        if self.integral != 0.0 {
            memory.integral = data.state.act[address];
            address += 1;
        }
        if self.slew_max.is_some() && data.state.time > 0.0 {
            memory.last_control = Some(data.state.act[address]);
        }
        memory
    }

    /// The control, or the activation that stands for it; `early` takes the activation of the next step.
    fn control(&self, model: &Model, data: &Data, actuator: usize, memory: Memory, early: bool) -> f64 {
        let mut control;
        if model.actuator_dyntype(actuator) == Some(DynamicsType::None) {
            control = data.inputs.ctrl[actuator];
            if model.actuator_ctrllimited[actuator] != 0 {
                let [low, high] = model.actuator_ctrlrange[actuator];
                control = scalar::clip(control, low, high);
            }
        } else {
            let address = last_activation(model, actuator);
            control = data.state.act[address];
            if early {
                let rate = data.actuation.act_dot[address];
                control = next_activation(model, &data.state, actuator, address, rate);
            }
        }
        if let (Some(speed), Some(last)) = (self.slew_max, memory.last_control) {
            let reach = speed * model.opt.timestep;
            control = scalar::clip(control, last - reach, last + reach);
        }
        control
    }

    /// The integral of the error one step later, within its limit.
    fn next_integral(&self, model: &Model, memory: Memory, error: f64) -> f64 {
        let integral = memory.integral + error * model.opt.timestep;
        match self.integral_max {
            Some(limit) => scalar::clip(integral, -limit, limit),
            None => integral,
        }
    }
}

/// Whether the last activation of an actuator is a filtered or integrated control.
fn has_dynamics(model: &Model, actuator: usize) -> bool {
    matches!(
        model.actuator_dyntype(actuator),
        Some(DynamicsType::Filter | DynamicsType::FilterExact | DynamicsType::Integrator)
    )
}

fn last_activation(model: &Model, actuator: usize) -> usize {
    (model.actuator_actadr[actuator] + model.actuator_actnum[actuator] - 1) as usize
}

impl Plugin for Pid {
    fn activation_rates(&self, model: &Model, data: &mut Data) {
        let timestep = model.opt.timestep;
        for &actuator in &self.actuators {
            let memory = self.memory(model, data, actuator);
            let control = self.control(model, data, actuator, memory, false);
            let error = control - data.transmission.actuator_length[actuator];
            let mut address = model.actuator_actadr[actuator] as usize;
            if self.integral != 0.0 {
                let integral = self.next_integral(model, memory, error);
                data.actuation.act_dot[address] = (integral - data.state.act[address]) / timestep;
                address += 1;
            }
            if self.slew_max.is_some() {
                data.actuation.act_dot[address] = (control - data.state.act[address]) / timestep;
            }
        }
    }

    fn actuator_forces(&self, model: &Model, data: &mut Data) {
        for &actuator in &self.actuators {
            let memory = self.memory(model, data, actuator);
            let early = model.actuator_actearly[actuator] != 0;
            let control = self.control(model, data, actuator, memory, early);
            let error = control - data.transmission.actuator_length[actuator];
            let control_rate = if model.actuator_dyntype(actuator) == Some(DynamicsType::None) {
                0.0
            } else {
                data.actuation.act_dot[last_activation(model, actuator)]
            };
            let error_rate = control_rate - data.velocity.actuator_velocity[actuator];
            let integral = if self.integral != 0.0 { self.next_integral(model, memory, error) } else { 0.0 };
            data.actuation.actuator_force[actuator] =
                self.proportional * error + self.derivative * error_rate + self.integral * integral;
        }
    }
}
