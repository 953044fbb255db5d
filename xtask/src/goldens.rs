//! Every own model has a line in `conformance/goldens.toml`.

use std::fs;
use std::path::{Path, PathBuf};

use crate::checks::read;
use crate::run;

pub(crate) fn check(problems: &mut Vec<String>) -> Result<(), String> {
    let goldens = read(&run::root().join("conformance").join("goldens.toml"))?;
    let models = run::root().join("models");
    let mut files = Vec::new();
    collect(&models, &mut files)?;
    files.sort();
    for file in files {
        let name = file.strip_prefix(&models).unwrap_or(&file).display().to_string().replace('\\', "/");
        if !goldens.contains(&format!("\"{name}\" = ")) {
            problems.push(format!(
                "models/{name} has no golden; run `cargo xtask goldens --missing`, or conformance/goldens.py if the Python module is \
                 up to date"
            ));
        }
    }
    Ok(())
}

/// Models that are meant to load.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), String> {
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    for path in entries.flatten().map(|entry| entry.path()) {
        if path.is_dir() {
            if path.file_name().is_some_and(|name| name != "malformed") {
                collect(&path, files)?;
            }
        } else if path.extension().is_some_and(|extension| extension == "xml") {
            files.push(path);
        }
    }
    Ok(())
}
