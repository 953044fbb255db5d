//! Contacts added by hand, buffers of past controls and readings, length ranges.

use condyle::asset_cache;
use condyle_engine::constants::LengthRangeOptions;
use condyle_engine::constants::length_range;
use condyle_engine::history::{self, Interpolation};
use condyle_engine::reset;
use condyle_model::LengthRangeMode;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::Int;
use crate::boundary::guarded;
use crate::data::{MjData, pair};
use crate::mju::FatalError;
use crate::model::MjModel;
use crate::record::ContactRecord;

/// Add a contact, given as the bytes of its record, to the end of the list; constraint rows are cleared.
#[pyfunction]
fn _add_contact(m: Py<MjModel>, d: Py<MjData>, record: &[u8]) -> PyResult<()> {
    let record = record.try_into().map_err(|_| PyValueError::new_err("not the record of a contact"))?;
    let (contact, hessian) = ContactRecord::from_bytes(record).split();
    let (model, _) = pair(&m, &d)?;
    let geoms = contact.geom.iter().all(|&geom| geom < model.ngeom as i32);
    let flexes = contact.flex.iter().all(|&flex| flex < model.nflex as i32);
    let sides = (0..2).all(|side| contact.geom[side] >= 0 || contact.flex[side] >= 0);
    if !geoms || !flexes || !sides || !matches!(contact.dim, 1 | 3 | 4 | 6) {
        return Err(PyValueError::new_err(
            "a contact needs two geoms or flexes of the model and dim 1, 3, 4 or 6",
        ));
    }
    d.get().with(|data| {
        data.rows.clear();
        data.dual.clear();
        data.row_motion.clear();
        data.solution.clear();
        data.islands.clear();
        data.island_solution.clear();
        data.cone_hessians.resize(data.contacts.len(), [0.0; 36]);
        data.contacts.push(contact);
        data.cone_hessians.push(hessian);
    })
}

fn index(id: Int, what: &str, count: usize) -> PyResult<usize> {
    usize::try_from(id.0)
        .ok()
        .filter(|&id| id < count)
        .ok_or_else(|| FatalError::new_err(format!("invalid {what} id {}", id.0)))
}

/// Control of an actuator at a past time, from its buffer if it has one. `interp`: 0 holds, 1 linear, 2 cubic, -1 as the model says.
#[pyfunction]
fn mj_readCtrl(m: Py<MjModel>, d: Py<MjData>, id: Int, time: f64, interp: Int) -> PyResult<f64> {
    let (model, data) = pair(&m, &d)?;
    let id = index(id, "actuator", model.nu)?;
    let [samples, own] = model.actuator_history[id];
    if samples <= 0 {
        return Ok(data.inputs.ctrl[id]);
    }
    let interpolation = if interp.0 < 0 { own } else { interp.0 as i32 };
    let mut value = [0.0];
    let buffer = &data.state.history[model.actuator_historyadr[id] as usize..];
    let moment = time - model.actuator_delay[id];
    guarded(|| {
        history::read(
            buffer,
            samples as usize,
            1,
            moment,
            Interpolation::from_i32(interpolation),
            &mut value,
        );
    })?;
    Ok(value[0])
}

/// Past reading of a sensor at a time, through its buffer if it has one.
#[pyfunction]
fn _read_sensor(m: Py<MjModel>, d: Py<MjData>, id: Int, time: f64, interp: Int) -> PyResult<Vec<f64>> {
    let (model, data) = pair(&m, &d)?;
    let id = index(id, "sensor", model.nsensor)?;
    let ([samples, own], dim) = (model.sensor_history[id], model.sensor_dim[id] as usize);
    if samples <= 0 {
        let start = model.sensor_adr[id] as usize;
        return Ok(data.sensors.sensordata[start..start + dim].to_vec());
    }
    let interpolation = if interp.0 < 0 { own } else { interp.0 as i32 };
    let mut value = vec![0.0; dim];
    let buffer = &data.state.history[model.sensor_historyadr[id] as usize..];
    let moment = time - model.sensor_delay[id];
    guarded(|| {
        history::read(
            buffer,
            samples as usize,
            dim,
            moment,
            Interpolation::from_i32(interpolation),
            &mut value,
        );
    })?;
    Ok(value)
}

/// Length range of one actuator by limits or simulation; `numbers` are the fields of `MjLROpt` in order.
#[pyfunction]
fn _length_range(
    py: Python<'_>,
    m: Py<MjModel>,
    d: Py<MjData>,
    actuator: Int,
    numbers: [f64; 10],
) -> PyResult<()> {
    let (model, _) = pair(&m, &d)?;
    let actuator = index(actuator, "actuator", model.nu)?;
    let [mode, useexisting, uselimit, accel, maxforce, timeconst, timestep, inttotal, interval, tolrange] =
        numbers;
    let mut options = LengthRangeOptions::default();
    options.mode = LengthRangeMode::from_i32(mode as i32).unwrap_or(LengthRangeMode::All);
    options.useexisting = useexisting != 0.0;
    options.uselimit = uselimit != 0.0;
    options.accel = accel;
    options.maxforce = maxforce;
    options.timeconst = timeconst;
    options.timestep = timestep;
    options.inttotal = inttotal;
    options.interval = interval;
    options.tolrange = tolrange;
    if !length_range::is_wanted(model, actuator, &options) {
        return Ok(());
    }
    let range = guarded(|| length_range::one_range(model, &options, actuator))?
        .map_err(|error| FatalError::new_err(error.to_string()))?;
    m.get().edit(py, |model| {
        model.actuator_lengthrange[actuator] = range;
        Ok(())
    })?;
    let model = pair(&m, &d)?.0;
    d.get().with(|data| reset::reset(model, data))
}

/// Bytes in the asset cache and its capacity, after emptying it or setting a new capacity if asked to.
#[pyfunction]
fn _asset_cache(capacity: Option<usize>, clear: bool) -> (usize, usize) {
    if let Some(bytes) = capacity {
        asset_cache::set_capacity(bytes);
    }
    if clear {
        asset_cache::clear();
    }
    (asset_cache::size(), asset_cache::capacity())
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(_add_contact, module)?)?;
    module.add_function(wrap_pyfunction!(mj_readCtrl, module)?)?;
    module.add_function(wrap_pyfunction!(_read_sensor, module)?)?;
    module.add_function(wrap_pyfunction!(_asset_cache, module)?)?;
    module.add_function(wrap_pyfunction!(_length_range, module)?)
}
