//! Keywords of Python's load functions as options of the loader, and what was noticed while loading as a warning or exception.

use std::collections::{BTreeMap, HashSet};
use std::fmt::Write as _;
use std::path::PathBuf;

use condyle::diagnostic::{Diagnostic, render_all};
use condyle::{Files, LoadOptions, Loaded, UrdfActuators, UrdfOptions};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::model::MjModel;
use crate::view::Text;

/// Options from the keywords; `assets` maps names to bytes or text.
pub(crate) fn options(
    assets: Option<Bound<'_, PyDict>>,
    lenient: bool,
    reference_bugs: bool,
    urdf: UrdfOptions,
) -> PyResult<LoadOptions> {
    let mut files = Files::new();
    let mut known = HashSet::new();
    for (name, content) in assets.iter().flat_map(|assets| assets.iter()) {
        let name = String::from(name.extract::<Text>()?);
        let bytes =
            content.extract::<Vec<u8>>().or_else(|_| content.extract::<String>().map(String::into_bytes))?;
        let file = name.rsplit(['/', '\\']).next().unwrap_or(&name).to_owned();
        if !known.insert(file) || !files.insert(&name, bytes) {
            return Err(PyValueError::new_err(format!("Repeated file name in assets: {name}")));
        }
    }
    Ok(LoadOptions::default().lenient(lenient).reference_bugs(reference_bugs).files(files).urdf(urdf))
}

/// How a URDF is read, from the keywords.
pub(crate) fn urdf_options(
    packages: Option<BTreeMap<String, PathBuf>>,
    search: bool,
    mimic: bool,
    actuators: &str,
    floating_base: bool,
    repair_inertia: bool,
) -> PyResult<UrdfOptions> {
    let actuators = match actuators {
        "none" => UrdfActuators::None,
        "transmission" => UrdfActuators::Transmission,
        "effort" => UrdfActuators::Effort,
        other => {
            let message = format!("actuators is '{other}', it must be 'none', 'transmission' or 'effort'");
            return Err(PyValueError::new_err(message));
        }
    };
    let packages = packages.unwrap_or_default().into_iter().collect();
    Ok(UrdfOptions::default()
        .packages(packages)
        .search(search)
        .mimic(mimic)
        .actuators(actuators)
        .floating_base(floating_base)
        .repair_inertia(repair_inertia))
}

/// A loaded model, or its problems as an exception.
pub(crate) fn finish(py: Python<'_>, loaded: Result<Loaded, condyle::LoadError>) -> PyResult<MjModel> {
    let loaded = loaded.map_err(|error| refused(error.to_string(), &error.diagnostics))?;
    warn(py, &loaded.warnings, 1)?;
    Ok(MjModel::from_model(py, loaded.model))
}

/// Problems as an exception. Its last line is in MuJoCo's words, because programs look for the line number there.
pub(crate) fn refused(mut text: String, problems: &[Diagnostic]) -> PyErr {
    let mut errors = problems.iter().filter(|problem| problem.is_error());
    if let Some((error, place)) = errors.find_map(|error| Some((error, error.location.as_ref()?)))
        && !place.source.text.is_empty()
    {
        let _ = write!(text, "\nXML Error: {}, line {}", error.message, place.line);
    }
    PyValueError::new_err(text)
}

/// All warnings together as one warning of Python, at the line `level` calls up.
pub(crate) fn warn(py: Python<'_>, warnings: &[Diagnostic], level: i32) -> PyResult<()> {
    let text = match warnings {
        [] => return Ok(()),
        [only] => only.render(),
        all => format!("{} warnings while loading the model\n{}", all.len(), render_all(all)),
    };
    let category = py.get_type::<pyo3::exceptions::PyUserWarning>();
    let text = std::ffi::CString::new(text.trim_end().replace('\0', " ")).unwrap_or_default();
    PyErr::warn(py, &category, &text, level)
}
