//! Parameters and curves of a muscle.

use condyle::muscle::{MuscleKind, muscle};
use condyle_model::{Model, ObjectType};
use numpy::PyArray2;
use pyo3::exceptions::{PyKeyError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

use super::Int;
use crate::data::{MjData, pair};
use crate::model::MjModel;

/// Parameters and curves of an actuator that is a muscle, standard or of Hill's type. `parameters` maps a name to value, unit and
/// meaning; `diagrams` is a list with the labels `x` and `y` and `curves`, which maps a name to an array of points.
#[pyfunction]
fn muscle_curves<'py>(
    py: Python<'py>,
    m: Py<MjModel>,
    actuator: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyDict>> {
    let model = m.get().checked()?;
    let index = actuator_index(model, actuator)?;
    let muscle = muscle(model, index).ok_or_else(|| PyValueError::new_err("the actuator is not a muscle"))?;
    let parameters = PyDict::new(py);
    for row in &muscle.parameters {
        parameters.set_item(row.name, (row.value, row.unit, row.meaning))?;
    }
    let diagrams = PyList::empty(py);
    for diagram in &muscle.diagrams {
        let curves = PyDict::new(py);
        for curve in &diagram.curves {
            let points: Vec<Vec<f64>> = curve.points.iter().map(|point| point.to_vec()).collect();
            let points =
                PyArray2::from_vec2(py, &points).map_err(|error| PyValueError::new_err(error.to_string()))?;
            curves.set_item(curve.name, points)?;
        }
        let entry = PyDict::new(py);
        entry.set_item("x", diagram.x)?;
        entry.set_item("y", diagram.y)?;
        entry.set_item("curves", curves)?;
        diagrams.append(entry)?;
    }
    let out = PyDict::new(py);
    out.set_item("name", &muscle.name)?;
    out.set_item("kind", if muscle.kind == MuscleKind::Hill { "hillmuscle" } else { "muscle" })?;
    out.set_item("parameters", parameters)?;
    out.set_item("diagrams", diagrams)?;
    Ok(out)
}

/// An actuator by name or number.
fn actuator_index(model: &Model, actuator: &Bound<'_, PyAny>) -> PyResult<usize> {
    match actuator.extract::<String>() {
        Ok(name) => model
            .find(ObjectType::Actuator, &name)
            .ok_or_else(|| PyKeyError::new_err(format!("the model has no actuator '{name}'"))),
        Err(_) => actuator
            .extract::<Int>()
            .map_err(|_| PyTypeError::new_err("an actuator is given by name or number"))?
            .index("actuator", model.nu),
    }
}

/// The state of a Hill-type muscle after `mj_forward` or a step: lengths in m, velocity in m/s, forces in N, pennation in rad.
#[pyfunction]
fn muscle_state<'py>(
    py: Python<'py>,
    m: Py<MjModel>,
    d: Py<MjData>,
    actuator: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyDict>> {
    let (model, data) = pair(&m, &d)?;
    let index = actuator_index(model, actuator)?;
    let found = condyle::muscle::muscle_state(model, data, index);
    let state = found.ok_or_else(|| PyValueError::new_err("the actuator is not a Hill-type muscle"))?;
    let out = PyDict::new(py);
    for (name, value) in [
        ("path_length", state.path_length),
        ("fiber_length", state.fiber_length),
        ("fiber_velocity", state.fiber_velocity),
        ("fiber_force", state.fiber_force),
        ("tendon_force", state.tendon_force),
        ("tendon_length", state.tendon_length),
        ("pennation", state.pennation),
        ("activation", state.activation),
    ] {
        out.set_item(name, value)?;
    }
    Ok(out)
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(muscle_state, module)?)?;
    module.add_function(wrap_pyfunction!(muscle_curves, module)?)
}
