//! Recording readings of sensors that keep a history, at the end of a step.
//!
//! Sensors with an interval are recorded when it has passed; delayed sensors show an old sample, so their present value is computed
//! here; others are copied. Reference: `mj_advance`.
//!
//! Whole data: a delayed sensor is computed here, and may read any group.

use condyle_model::Model;

use crate::data::scratch;
use crate::{Data, history};

/// Record this step's readings.
pub fn advance_history(model: &Model, data: &mut Data) {
    data.scratch.collision.distances.forget();
    for sensor in 0..model.nsensor {
        let Ok(samples @ 1..) = usize::try_from(model.sensor_history[sensor][0]) else { continue };
        let start = model.sensor_historyadr[sensor] as usize;
        let interval = model.sensor_interval[sensor][0];
        if interval > 0.0 {
            let due = data.state.history[start] + interval <= data.state.time;
            if !due {
                continue;
            }
            data.state.history[start] += interval;
        }
        let dim = model.sensor_dim[sensor] as usize;
        let mut reading = std::mem::take(&mut data.scratch.smooth.reading);
        let value = scratch::sized(&mut reading, dim);
        let (kind, stage) = (model.sensor_type(sensor), model.sensor_needstage(sensor));
        match (kind, stage) {
            (Some(kind), Some(stage)) if model.sensor_delay[sensor] > 0.0 => {
                super::compute(model, data, sensor, kind, stage, value);
            }
            _ => value.copy_from_slice(&data.sensors.sensordata[model.sensor_adr[sensor] as usize..][..dim]),
        }
        let buffer = &mut data.state.history[start..];
        history::insert(buffer, samples, dim, data.state.time)[..dim].copy_from_slice(value);
        data.scratch.smooth.reading = reading;
    }
}
