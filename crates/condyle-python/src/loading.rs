//! Keywords of Python's load functions as options of the loader, and what was noticed while loading as a warning or exception.

use std::collections::{BTreeMap, HashSet};
use std::path::PathBuf;

use condyle::model::diagnostic::render_all;
use condyle::{Files, LoadOptions, Loaded, UrdfActuators, UrdfOptions};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::model::MjModel;
use crate::view::Text;

/// Options from the keywords; `assets` maps names to bytes or text.
pub fn options(
    assets: Option<Bound<'_, PyDict>>,
    lenient: bool,
    reference_bugs: bool,
    urdf: UrdfOptions,
) -> PyResult<LoadOptions> {
    let mut files = Files::new();
    let mut known = HashSet::new();
    for (name, content) in assets.iter().flat_map(|assets| assets.iter()) {
        let name = name.extract::<Text>()?.0;
        let bytes =
            content.extract::<Vec<u8>>().or_else(|_| content.extract::<String>().map(String::into_bytes))?;
        let file = name.rsplit(['/', '\\']).next().unwrap_or(&name).to_owned();
        if !known.insert(file) || !files.insert(&name, bytes) {
            return Err(PyValueError::new_err(format!("Repeated file name in assets: {name}")));
        }
    }
    Ok(LoadOptions { lenient, reference_bugs, files, urdf })
}

/// How a URDF is read, from the keywords.
pub fn urdf_options(
    packages: Option<BTreeMap<String, PathBuf>>,
    search: bool,
    mimic: bool,
    actuators: &str,
    floating_base: bool,
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
    Ok(UrdfOptions { packages, search, mimic, actuators, floating_base })
}

/// A loaded model, or its problems as an exception. All warnings together are one warning of Python, at the line that loads.
pub fn finish(py: Python<'_>, loaded: Result<Loaded, condyle::LoadError>) -> PyResult<MjModel> {
    let loaded = loaded.map_err(|error| PyValueError::new_err(error.to_string()))?;
    if !loaded.warnings.is_empty() {
        let category = py.get_type::<pyo3::exceptions::PyUserWarning>();
        let text = match loaded.warnings.as_slice() {
            [only] => only.render(),
            all => format!("{} warnings while loading the model\n{}", all.len(), render_all(all)),
        };
        let text = std::ffi::CString::new(text.trim_end().replace('\0', " ")).unwrap_or_default();
        PyErr::warn(py, &category, &text, 1)?;
    }
    Ok(MjModel::from_model(py, loaded.model))
}
