//! The `mj_*` functions, under their own names.

use condyle_engine::{reset, state, step};
use condyle_model::{Model, mjb};
use numpy::{PyArray1, PyArrayMethods};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

use crate::boundary::Interrupt;
use crate::callbacks;
use crate::data::MjData;
use crate::mju::FatalError;
use crate::mju::arrays::{Vector, VectorMut};
use crate::model::MjModel;
use crate::report;
use crate::view::FilePath;

/// Run `work` on model and data with the interpreter lock released.
fn detached(
    py: Python<'_>,
    m: &Py<MjModel>,
    d: &Py<MjData>,
    work: fn(&Model, &mut condyle_engine::Data),
) -> PyResult<()> {
    callbacks::run(py, m, d, work)
}

/// A half step, which under the policy `error` raises when it was not taken.
fn half_step(
    py: Python<'_>,
    m: &Py<MjModel>,
    d: &Py<MjData>,
    work: fn(&Model, &mut condyle_engine::Data),
) -> PyResult<()> {
    detached(py, m, d, work)?;
    report::check_stopped(d.get())
}

macro_rules! stage_functions {
    ($($(#[$meta:meta])* $name:ident => $work:expr;)*) => {
        $(
            $(#[$meta])*
            #[pyfunction]
            fn $name(py: Python<'_>, m: Py<MjModel>, d: Py<MjData>) -> PyResult<()> {
                detached(py, &m, &d, $work)
            }
        )*
        fn register_stages(module: &Bound<'_, PyModule>) -> PyResult<()> {
            $(module.add_function(wrap_pyfunction!($name, module)?)?;)*
            Ok(())
        }
    };
}

stage_functions! {
    /// Everything up to accelerations, without advancing time.
    mj_forward => step::forward;
    /// Reset to the reference configuration.
    mj_resetData => reset::reset;
    /// Position-dependent stages.
    mj_fwdPosition => step::forward_position;
    /// Velocity-dependent stages.
    mj_fwdVelocity => step::forward_velocity;
}

/// All elements and attributes of MJCF as text, one element per line, indented by nesting.
#[pyfunction]
#[pyo3(signature = (flg_html=false, flg_pad=false))]
fn mj_printSchema(flg_html: bool, flg_pad: bool) -> PyResult<String> {
    let text = condyle::schema::Schema::get().print();
    if !flg_html {
        return Ok(if flg_pad { padded(&text) } else { text });
    }
    let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let text = if flg_pad { padded(&text).replace(' ', "&nbsp;") } else { text };
    Ok(format!("<pre>\n{text}</pre>\n"))
}

/// An attribute of MJCF: name, form of the value, default, array of the model, meaning, whether MuJoCo lacks it.
type AttributeRow = (&'static str, String, String, Option<&'static str>, &'static str, bool);

/// Every element of MJCF: names that lead to it, how often it occurs, its attributes, whether MuJoCo lacks it.
#[pyfunction]
fn _mjcf_table() -> Vec<(Vec<&'static str>, char, Vec<AttributeRow>, bool)> {
    let schema = condyle::schema::Schema::get();
    let metas = schema.metas().iter().map(|row| (vec!["mujoco", row.name], row));
    let attribute = |row: &'static condyle::schema::AttributeRow| {
        let form = condyle::schema::form_in_words(row.form);
        (row.name, form, row.default.clone(), row.column.as_deref(), row.meaning, row.extension)
    };
    let rows = schema.elements().into_iter().chain(metas).map(|(path, row)| {
        (path, row.occurrence, row.attributes.iter().map(attribute).collect(), row.extension)
    });
    rows.collect()
}

/// The lines of a text, all of the same length.
fn padded(text: &str) -> String {
    let width = text.lines().map(str::len).max().unwrap_or(0);
    text.lines().map(|line| format!("{line:width$}\n")).collect()
}

/// First half of a step, before the controls are read.
#[pyfunction]
fn mj_step1(py: Python<'_>, m: Py<MjModel>, d: Py<MjData>) -> PyResult<()> {
    half_step(py, &m, &d, step::step1)
}

/// Second half of a step.
#[pyfunction]
fn mj_step2(py: Python<'_>, m: Py<MjModel>, d: Py<MjData>) -> PyResult<()> {
    half_step(py, &m, &d, step::step2)
}

/// Advance the simulation by `nstep` steps. Under the policy 'error', an invalid value raises a `NonFiniteError`.
#[pyfunction]
#[pyo3(signature = (m, d, nstep=1))]
fn mj_step(py: Python<'_>, m: Py<MjModel>, d: Py<MjData>, nstep: i64) -> PyResult<()> {
    // A negative number is none at all, and one beyond MuJoCo's integers is a mistake rather than a wish for years of steps.
    let nstep = i32::try_from(nstep)
        .map_err(|_| PyTypeError::new_err(format!("nstep must be at most {}, and is {nstep}", i32::MAX)))?;
    let nstep = usize::try_from(nstep).unwrap_or(0);
    let mut interrupt = Interrupt::new();
    callbacks::run(py, &m, &d, |model, data| {
        // What stopped it is in the data's report.
        let _ = step::run(model, data, nstep, &mut || callbacks::failed() || interrupt.is_wanted());
    })?;
    interrupt.result()?;
    report::check_stopped(d.get())
}

/// Reset to keyframe `key`; a key that does not exist resets to the reference configuration.
#[pyfunction]
fn mj_resetDataKeyframe(m: Py<MjModel>, d: Py<MjData>, key: i64) -> PyResult<()> {
    let key = usize::try_from(key).unwrap_or(usize::MAX);
    let model = crate::data::pair(&m, &d)?.0;
    d.get().with(|data| {
        reset::reset_to_keyframe(model, data, key);
    })
}

fn checked_signature(sig: i64) -> PyResult<u32> {
    u32::try_from(sig).ok().filter(|&signature| state::is_valid_signature(signature)).ok_or_else(|| {
        let reason = if sig < 0 { "< 0" } else { ">= 2^mjNSTATE" };
        FatalError::new_err(format!("mj_stateSize: invalid state signature {sig} {reason}"))
    })
}

/// Any integer-like object: plain integers, enumerations, flags.
fn integer(value: &Bound<'_, PyAny>) -> PyResult<i64> {
    value.extract().or_else(|_| value.call_method0("__int__")?.extract())
}

/// Length of the state vector selected by `sig`.
#[pyfunction]
fn mj_stateSize(m: Py<MjModel>, sig: Bound<'_, PyAny>) -> PyResult<usize> {
    Ok(state::size(m.get().get(), checked_signature(integer(&sig)?)?))
}

/// Copy the selected state into `state`.
#[pyfunction]
fn mj_getState(
    py: Python<'_>,
    m: Py<MjModel>,
    d: Py<MjData>,
    state: VectorMut<'_>,
    sig: Bound<'_, PyAny>,
) -> PyResult<()> {
    let signature = checked_signature(integer(&sig)?)?;
    let expected = condyle_engine::state::size(m.get().get(), signature);
    state_length(py, "state", "sig", state.len(), expected)?;
    same_sizes(&m, &d)?;
    let mut values = vec![0.0; expected];
    condyle_engine::state::get(d.get().read()?, &mut values, signature);
    state.edit(|target| target.copy_from_slice(&values))
}

/// Copy `state` into the selected state.
#[pyfunction]
fn mj_setState(
    py: Python<'_>,
    m: Py<MjModel>,
    d: Py<MjData>,
    state: Vector,
    sig: Bound<'_, PyAny>,
) -> PyResult<()> {
    let signature = checked_signature(integer(&sig)?)?;
    let expected = condyle_engine::state::size(m.get().get(), signature);
    state_length(py, "state", "sig", state.len(), expected)?;
    same_sizes(&m, &d)?;
    d.get().with(|data| condyle_engine::state::set(data, &state, signature))
}

/// Copy the selected state from one simulation to another of the same model.
#[pyfunction]
fn mj_copyState(m: Py<MjModel>, src: Py<MjData>, dst: Py<MjData>, sig: Bound<'_, PyAny>) -> PyResult<()> {
    let signature = checked_signature(integer(&sig)?)?;
    let mut values = vec![0.0; state::size(m.get().get(), signature)];
    for data in [&src, &dst] {
        same_sizes(&m, data)?;
    }
    state::get(src.get().read()?, &mut values, signature);
    dst.get().with(|data| state::set(data, &values, signature))
}

/// Take the components `dstsig` out of a state vector with the components `srcsig`.
#[pyfunction]
fn mj_extractState(
    py: Python<'_>,
    m: Py<MjModel>,
    src: Vector,
    srcsig: Bound<'_, PyAny>,
    dst: VectorMut<'_>,
    dstsig: Bound<'_, PyAny>,
) -> PyResult<()> {
    let (from, to) = (checked_signature(integer(&srcsig)?)?, checked_signature(integer(&dstsig)?)?);
    if to & !from != 0 {
        return Err(PyValueError::new_err("dstsig is not a subset of srcsig"));
    }
    let model = m.get().get();
    state_length(py, "src", "srcsig", src.len(), state::size(model, from))?;
    state_length(py, "dst", "dstsig", dst.len(), state::size(model, to))?;
    let (mut read, mut chosen) = (0, Vec::with_capacity(dst.len()));
    for bit in (0..state::component::COUNT).map(|shift| 1 << shift).filter(|bit| from & bit != 0) {
        let size = state::size(model, bit);
        if to & bit != 0 {
            chosen.extend_from_slice(&src[read..read + size]);
        }
        read += size;
    }
    dst.edit(|target| target.copy_from_slice(&chosen))
}

/// Refuse a state vector of another length.
///
/// The message is MuJoCo's, which programs compare; a note beneath it has the numbers.
fn state_length(py: Python<'_>, name: &str, signature: &str, length: usize, expected: usize) -> PyResult<()> {
    if length == expected {
        return Ok(());
    }
    let error = PyTypeError::new_err(format!("{name} size should equal mj_stateSize(m, {signature})"));
    // Notes came with Python 3.11.
    let _ = error.value(py).call_method1("add_note", (format!("it should be {expected} and is {length}"),));
    Err(error)
}

/// Recompute the constants that depend on the model's reference configuration after the model was edited. The data serves as workspace:
/// its `qpos` and what follows from it change; its velocities, inputs and time do not.
#[pyfunction]
fn mj_setConst(py: Python<'_>, m: Py<MjModel>, d: Py<MjData>) -> PyResult<()> {
    same_sizes(&m, &d)?;
    let mut data = d.get().lock()?;
    m.get().edit(py, |model| {
        condyle_engine::constants::set_constants_within(model, &mut data)
            .map_err(|error| PyValueError::new_err(error.to_string()))
    })
}

/// Write the model as MJCF, with the files it refers to beside it.
#[pyfunction]
fn mj_saveLastXML(filename: FilePath, m: Py<MjModel>) -> PyResult<()> {
    condyle::save_as_text(m.get().get(), filename.0).map_err(|error| PyValueError::new_err(error.to_string()))
}

fn same_sizes(model: &Py<MjModel>, data: &Py<MjData>) -> PyResult<()> {
    let own = data.get().model();
    if own.is(model) || own.get().get().size_values() == model.get().get().size_values() {
        return Ok(());
    }
    Err(PyValueError::new_err("model and data must belong together"))
}

/// Make `dest` equal to `src`.
#[pyfunction]
fn mj_copyData(dest: Py<MjData>, m: Py<MjModel>, src: Py<MjData>) -> PyResult<()> {
    if dest.is(&src) {
        return Ok(());
    }
    let sizes = m.get().get().size_values();
    for data in [&dest, &src] {
        if data.get().model().get().get().size_values() != sizes {
            return Err(PyValueError::new_err("both data must belong to models of the same sizes"));
        }
    }
    let source = src.get().read()?;
    dest.get().with(|target| target.copy_from(source))
}

/// Write the model as a binary file.
#[pyfunction]
#[pyo3(signature = (m, filename=None, buffer=None))]
fn mj_saveModel(
    m: Py<MjModel>,
    filename: Option<FilePath>,
    buffer: Option<Bound<'_, PyArray1<u8>>>,
) -> PyResult<()> {
    let bytes = mjb::write(m.get().get());
    match (filename, buffer) {
        (_, Some(buffer)) => {
            let mut target =
                buffer.try_readwrite().map_err(|error| PyTypeError::new_err(error.to_string()))?;
            let target = target.as_slice_mut().map_err(|error| PyTypeError::new_err(error.to_string()))?;
            let target = target
                .get_mut(..bytes.len())
                .ok_or_else(|| PyValueError::new_err(format!("buffer must hold {} bytes", bytes.len())))?;
            target.copy_from_slice(&bytes);
            Ok(())
        }
        (Some(path), None) => Ok(std::fs::write(path.0, bytes)?),
        (None, None) => Err(PyTypeError::new_err("either filename or buffer is needed")),
    }
}

/// Bytes of the binary form of the model.
#[pyfunction]
fn mj_sizeModel(m: Py<MjModel>) -> usize {
    mjb::size(m.get().get())
}

pub(crate) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    register_stages(module)?;
    module.add_function(wrap_pyfunction!(mj_printSchema, module)?)?;
    module.add_function(wrap_pyfunction!(_mjcf_table, module)?)?;
    module.add_function(wrap_pyfunction!(mj_step, module)?)?;
    module.add_function(wrap_pyfunction!(mj_step1, module)?)?;
    module.add_function(wrap_pyfunction!(mj_step2, module)?)?;
    module.add_function(wrap_pyfunction!(mj_resetDataKeyframe, module)?)?;
    module.add_function(wrap_pyfunction!(mj_stateSize, module)?)?;
    module.add_function(wrap_pyfunction!(mj_getState, module)?)?;
    module.add_function(wrap_pyfunction!(mj_setState, module)?)?;
    module.add_function(wrap_pyfunction!(mj_copyState, module)?)?;
    module.add_function(wrap_pyfunction!(mj_extractState, module)?)?;
    module.add_function(wrap_pyfunction!(mj_setConst, module)?)?;
    module.add_function(wrap_pyfunction!(mj_saveLastXML, module)?)?;
    module.add_function(wrap_pyfunction!(mj_copyData, module)?)?;
    module.add_function(wrap_pyfunction!(mj_saveModel, module)?)?;
    module.add_function(wrap_pyfunction!(mj_sizeModel, module)?)
}
