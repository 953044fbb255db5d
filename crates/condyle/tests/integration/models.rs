//! Our models, loaded from the repository.

use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use condyle::{Model, load};

/// The folder of our models.
fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models")
}

/// Every model under `models/` that is meant to load from text, by path.
pub(crate) fn all() -> Vec<(String, Model)> {
    static ALL: OnceLock<Vec<(String, Model)>> = OnceLock::new();
    ALL.get_or_init(load_all).clone()
}

fn load_all() -> Vec<(String, Model)> {
    let mut paths = Vec::new();
    collect(&folder(), &mut paths);
    paths.sort();
    assert!(!paths.is_empty(), "no models in {}", folder().display());
    paths
        .into_iter()
        .map(|path| {
            let model = load(&path).unwrap_or_else(|error| panic!("{error}"));
            (path.strip_prefix(folder()).unwrap_or(&path).display().to_string(), model)
        })
        .collect()
}

/// The models that are also timed.
pub(crate) fn bench() -> Vec<(String, Model)> {
    all().into_iter().filter(|(name, _)| name.starts_with("bench")).collect()
}

fn collect(folder: &Path, paths: &mut Vec<PathBuf>) {
    for entry in
        std::fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())).flatten()
    {
        let path = entry.path();
        if path.is_dir() {
            // Malformed files are meant to fail.
            if path.file_name().is_some_and(|name| name != "malformed") {
                collect(&path, paths);
            }
        } else if path.extension().is_some_and(|extension| extension == "xml") {
            paths.push(path);
        }
    }
}
