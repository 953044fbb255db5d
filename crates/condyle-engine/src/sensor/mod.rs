//! Sensors and energy: after each stage, the sensors that stage can answer.
//!
//! Each sensor writes its own range of `sensordata`. Sensors with a history return a delayed or held sample instead of computing one.
//! Reference: `mj_sensorPos`, `mj_sensorVel`, `mj_sensorAcc`.

mod acceleration;
mod camera;
mod contact;
pub mod energy;
mod frame;
mod position;
mod rangefinder;
mod sampling;
mod tactile;
mod velocity;

pub use camera::PixelRays;

use condyle_math::scalar;
use condyle_model::{Model, SensorDataType, SensorType, Stage, disable};

use crate::data::sleep_enabled;
use crate::history::{self, Interpolation};
use crate::sleep::{self, SleepState};
use crate::{Data, plugin, query, step};

pub use contact::ContactSensorScratch;
pub use energy::{kinetic_energy, potential_energy};
pub use sampling::advance_history;

/// Sensors that need positions.
pub fn position_sensors(model: &Model, data: &mut Data) {
    stage_sensors(model, data, Stage::Pos);
}

/// Sensors that need velocities.
pub fn velocity_sensors(model: &Model, data: &mut Data) {
    stage_sensors(model, data, Stage::Vel);
}

/// Sensors that need accelerations and forces.
pub fn acceleration_sensors(model: &Model, data: &mut Data) {
    stage_sensors(model, data, Stage::Acc);
}

fn stage_sensors(model: &Model, data: &mut Data, stage: Stage) {
    if model.nsensor == 0 || model.opt.disableflags & disable::SENSOR != 0 {
        return;
    }
    let filter = sleep_enabled(model) && data.awake.nbody_awake < model.nbody;
    // The readings are taken out while sensors are computed, because computing one may need any other group.
    let mut readings = std::mem::take(&mut data.sensors.sensordata);
    for sensor in 0..model.nsensor {
        if model.sensor_needstage[sensor] != stage as i32
            || (filter && sleep::sensor_state(model, &data.awake, sensor) == SleepState::Asleep)
        {
            continue;
        }
        let start = model.sensor_adr[sensor] as usize;
        let reading = &mut readings[start..start + model.sensor_dim[sensor] as usize];
        match SensorType::from_i32(model.sensor_type[sensor]) {
            Some(SensorType::User) => {
                prepare_user_sensor(model, data, stage);
                reading.fill(0.0);
                if let Some(hooks) = data.hooks.get() {
                    hooks.sensor(model, data, sensor, reading);
                }
                apply_cutoff(model, sensor, reading);
            }
            Some(SensorType::Plugin) | None => {}
            Some(kind) => compute_or_read(model, data, sensor, kind, stage, reading),
        }
    }
    if model.nplugin > 0 {
        plugin::sensors(model, data, stage, &mut readings, prepare_user_sensor);
        for sensor in 0..model.nsensor {
            if model.sensor_type[sensor] == SensorType::Plugin as i32
                && model.sensor_needstage[sensor] == stage as i32
            {
                let start = model.sensor_adr[sensor] as usize;
                apply_cutoff(model, sensor, &mut readings[start..start + model.sensor_dim[sensor] as usize]);
            }
        }
    }
    data.sensors.sensordata = readings;
}

/// User sensors may read anything their stage can know, so the lazily computed quantities are brought up to date.
fn prepare_user_sensor(model: &Model, data: &mut Data, stage: Stage) {
    match stage {
        Stage::Vel => update_subtree_velocities(model, data),
        Stage::Acc => update_internal_forces(model, data),
        Stage::None | Stage::Pos => {}
    }
}

/// Subtree velocities, unless they are up to date.
fn update_subtree_velocities(model: &Model, data: &mut Data) {
    if !data.subtree_motion.flg_subtreevel {
        let buffer = &mut data.scratch.smooth.body_acceleration;
        let (awake, kinematics, velocity) = (&data.awake, &data.kinematics, &data.velocity);
        query::motion::subtree_velocities(
            model,
            awake,
            kinematics,
            velocity,
            &mut data.subtree_motion,
            buffer,
        );
    }
}

/// Body accelerations and interaction forces, unless they are up to date.
fn update_internal_forces(model: &Model, data: &mut Data) {
    if !data.body_forces.flg_rnepost {
        step::body_forces(model, data);
    }
}

fn compute_or_read(
    model: &Model,
    data: &mut Data,
    sensor: usize,
    kind: SensorType,
    stage: Stage,
    reading: &mut [f64],
) {
    let delayed = model.sensor_delay[sensor] > 0.0;
    let interval = model.sensor_interval[sensor][0];
    if model.sensor_history[sensor][0] > 0 {
        let last = data.state.history[model.sensor_historyadr[sensor] as usize];
        if delayed || (interval > 0.0 && !(last + interval <= data.state.time)) {
            return read_history(model, data, sensor, data.state.time, reading);
        }
    }
    compute(model, data, sensor, kind, stage, reading);
}

/// The sample a sensor with a history shows at `time`.
pub fn read_history(model: &Model, data: &Data, sensor: usize, time: f64, reading: &mut [f64]) {
    let [samples, interpolation] = model.sensor_history[sensor];
    let buffer = &data.state.history[model.sensor_historyadr[sensor] as usize..];
    let time = time - model.sensor_delay[sensor];
    let dim = reading.len();
    history::read(buffer, samples as usize, dim, time, Interpolation::from_i32(interpolation), reading);
}

/// Compute one sensor now, whatever its history says.
pub fn compute(
    model: &Model,
    data: &mut Data,
    sensor: usize,
    kind: SensorType,
    stage: Stage,
    reading: &mut [f64],
) {
    match stage {
        Stage::Pos => position::compute(model, data, sensor, kind, reading),
        Stage::Vel => velocity::compute(model, data, sensor, kind, reading),
        Stage::Acc => acceleration::compute(model, data, sensor, kind, reading),
        Stage::None => {}
    }
    apply_cutoff(model, sensor, reading);
}

/// Limit a reading to the sensor's range. Contacts and segments use the cutoff in another way.
fn apply_cutoff(model: &Model, sensor: usize, reading: &mut [f64]) {
    let cutoff = model.sensor_cutoff[sensor];
    let kind = SensorType::from_i32(model.sensor_type[sensor]);
    if cutoff <= 0.0 || matches!(kind, Some(SensorType::Contact | SensorType::GeomFromTo)) {
        return;
    }
    match SensorDataType::from_i32(model.sensor_datatype[sensor]) {
        Some(SensorDataType::Real) => {
            for value in reading {
                *value = scalar::clip(*value, -cutoff, cutoff);
            }
        }
        Some(SensorDataType::Positive) => {
            for value in reading {
                *value = scalar::min(cutoff, *value);
            }
        }
        _ => {}
    }
}
