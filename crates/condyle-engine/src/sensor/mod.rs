//! Sensors and energy.

use condyle_model::Model;

use crate::Data;

/// Sensors that need positions.
pub fn position_sensors(_model: &Model, _data: &mut Data) {}

/// Sensors that need velocities.
pub fn velocity_sensors(_model: &Model, _data: &mut Data) {}

/// Sensors that need accelerations and forces.
pub fn acceleration_sensors(_model: &Model, _data: &mut Data) {}

/// Kinetic energy.
pub fn kinetic_energy(_model: &Model, _data: &mut Data) {}

/// Potential energy, or zero when energy is not computed.
pub fn potential_energy(_model: &Model, data: &mut Data, _enabled: bool) {
    data.sensors.energy.fill(0.0);
}
