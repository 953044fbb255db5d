//! Sensors and energy: after each stage, the sensors that stage can answer.
//!
//! Each sensor writes its own range of `sensordata`. Sensors with a history return a delayed or held sample instead of computing one.
//! Reference: `mj_sensorPos`, `mj_sensorVel`, `mj_sensorAcc`.
//!
//! Whole data: a sensor may read any group, and some bring lazily computed quantities up to date.

mod acceleration;
mod camera;
mod contact;
mod distance;
pub mod energy;
mod frame;
pub mod lazy;
mod position;
mod rangefinder;
pub mod sampling;
mod tactile;
mod velocity;

pub use camera::PixelRays;

use condyle_collide::ray::Ray;
use condyle_math::scalar;
use condyle_model::{Model, SensorDataType, SensorType, Stage, disable};

use crate::Data;
use crate::data::{Sensors, scratch};
use crate::history::{self, Interpolation};
use crate::sleep::{self, SleepState};

pub use contact::ContactSensorScratch;

/// Whether there are sensors to compute.
pub fn is_enabled(model: &Model) -> bool {
    model.nsensor > 0 && model.opt.disableflags & disable::SENSOR == 0
}

/// Where the reading of a sensor is stored.
fn place(model: &Model, sensor: usize) -> std::ops::Range<usize> {
    let start = model.sensor_adr[sensor] as usize;
    start..start + model.sensor_dim[sensor] as usize
}

/// The sensors of one stage, those of plugins excepted.
pub fn sensors(model: &Model, data: &mut Data, stage: Stage) {
    let filter = data.awake.any_body_asleep(model);
    data.scratch.collision.distances.forget();
    for sensor in 0..model.nsensor {
        if model.sensor_needstage(sensor) != Some(stage)
            || (filter && sleep::sensor_state(model, &data.awake, sensor) == SleepState::Asleep)
        {
            continue;
        }
        let kind = match model.sensor_type(sensor) {
            Some(SensorType::Plugin) | None => continue,
            Some(kind) => kind,
        };
        let place = place(model, sensor);
        if model.sensor_history[sensor][0] <= 0
            && let Some(value) = copied_number(model, data, sensor, kind, stage)
        {
            let reading = &mut data.sensors.sensordata[place];
            reading[0] = value;
            apply_cutoff(model, sensor, reading);
            continue;
        }
        // A sensor may read everything, other readings included, so its own is made beside them. What it does not write stays.
        let mut few = [0.0; FEW];
        if place.len() <= FEW {
            let reading = &mut few[..place.len()];
            make(model, data, sensor, kind, stage, reading);
            data.sensors.sensordata[place].copy_from_slice(reading);
        } else {
            let mut buffer = std::mem::take(&mut data.scratch.smooth.reading);
            let reading = scratch::sized(&mut buffer, place.len());
            make(model, data, sensor, kind, stage, reading);
            data.sensors.sensordata[place].copy_from_slice(reading);
            data.scratch.smooth.reading = buffer;
        }
    }
}

/// The rays of all rangefinders that are computed now, each with every geom that it is compared with, in order.
pub fn for_each_ray(model: &Model, data: &Data, mut found: impl FnMut(&Ray, usize)) {
    if !is_enabled(model) {
        return;
    }
    let filter = data.awake.any_body_asleep(model);
    for sensor in 0..model.nsensor {
        let asleep = filter && sleep::sensor_state(model, &data.awake, sensor) == SleepState::Asleep;
        if model.sensor_type(sensor) == Some(SensorType::Rangefinder) && !asleep {
            rangefinder::for_each_comparison(model, &data.kinematics, sensor, &mut found);
        }
    }
}

/// Numbers of a reading that is made on the stack.
const FEW: usize = 8;

/// The reading of a sensor that shows a single number as it stands in the data.
#[inline(always)]
fn copied_number(model: &Model, data: &Data, sensor: usize, kind: SensorType, stage: Stage) -> Option<f64> {
    let object = model.sensor_objid[sensor].max(0) as usize;
    Some(match (stage, kind) {
        (Stage::Pos, SensorType::JointPos) => data.state.qpos[model.jnt_qposadr[object] as usize],
        (Stage::Pos, SensorType::TendonPos) => data.tendons.ten_length[object],
        (Stage::Pos, SensorType::ActuatorPos) => data.transmission.actuator_length[object],
        (Stage::Vel, SensorType::JointVel) => data.state.qvel[model.jnt_dofadr[object] as usize],
        (Stage::Vel, SensorType::TendonVel) => data.velocity.ten_velocity[object],
        (Stage::Vel, SensorType::ActuatorVel) => data.velocity.actuator_velocity[object],
        _ => return None,
    })
}

/// A reading, in place of the one before.
fn make(model: &Model, data: &mut Data, sensor: usize, kind: SensorType, stage: Stage, reading: &mut [f64]) {
    reading.copy_from_slice(&data.sensors.sensordata[place(model, sensor)]);
    if kind == SensorType::User {
        ask_user(model, data, sensor, stage, reading);
    } else {
        compute_or_read(model, data, sensor, kind, stage, reading);
    }
}

/// The reading of a user sensor: what the hooks say, or zero.
fn ask_user(model: &Model, data: &mut Data, sensor: usize, stage: Stage, reading: &mut [f64]) {
    lazy::update(model, data, stage);
    // User code sees zero in both places, not the reading of the step before.
    reading.fill(0.0);
    data.sensors.sensordata[place(model, sensor)].fill(0.0);
    if let Some(hooks) = data.hooks.get() {
        hooks.sensor(model, data, sensor, reading);
    }
    apply_cutoff(model, sensor, reading);
}

/// Limit the readings that plugins wrote to their sensors' ranges.
pub fn limit_plugin_sensors(model: &Model, stage: Stage, out: &mut Sensors) {
    for sensor in 0..model.nsensor {
        if model.sensor_type(sensor) == Some(SensorType::Plugin)
            && model.sensor_needstage(sensor) == Some(stage)
        {
            apply_cutoff(model, sensor, &mut out.sensordata[place(model, sensor)]);
        }
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
        return compute(model, data, sensor, kind, stage, reading);
    }
    // Sensors without a history that show a single number of the data are done.
    work_out(model, data, sensor, kind, stage, reading);
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
    if let Some(value) = copied_number(model, data, sensor, kind, stage) {
        reading[0] = value;
        return apply_cutoff(model, sensor, reading);
    }
    work_out(model, data, sensor, kind, stage, reading);
}

/// [`compute`] for sensors that show more than a single number of the data.
#[inline(always)]
fn work_out(
    model: &Model,
    data: &mut Data,
    sensor: usize,
    kind: SensorType,
    stage: Stage,
    reading: &mut [f64],
) {
    lazy::update_for(model, data, kind, stage);
    match (stage, kind) {
        (Stage::Pos, SensorType::Rangefinder) => {
            rangefinder::compute(model, &data.kinematics, sensor, reading, &mut data.scratch.multi_ray);
        }
        (Stage::Pos, SensorType::GeomDistance | SensorType::GeomNormal | SensorType::GeomFromTo) => {
            distance::compute(model, &data.kinematics, sensor, kind, reading, &mut data.scratch.collision);
        }
        (Stage::Acc, SensorType::Contact) => {
            let Data { kinematics, contacts, solution, scratch, .. } = data;
            let matches = &mut scratch.contact_sensor;
            contact::compute(model, kinematics, contacts, solution, sensor, reading, matches);
        }
        (Stage::Pos, _) => position::compute(model, data, sensor, kind, reading),
        (Stage::Vel, _) => velocity::compute(model, data, sensor, kind, reading),
        (Stage::Acc, _) => acceleration::compute(model, data, sensor, kind, reading),
        (Stage::None, _) => {}
    }
    apply_cutoff(model, sensor, reading);
}

/// Limit a reading to the sensor's range. Contacts and segments use the cutoff in another way.
fn apply_cutoff(model: &Model, sensor: usize, reading: &mut [f64]) {
    let cutoff = model.sensor_cutoff[sensor];
    if cutoff <= 0.0 {
        return;
    }
    let kind = model.sensor_type(sensor);
    if matches!(kind, Some(SensorType::Contact | SensorType::GeomFromTo)) {
        return;
    }
    match model.sensor_datatype(sensor) {
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
