//! Loading, saving and loading again gives the same compiled model, byte for byte.
//!
//! `CONDYLE_MODELS`, a list of folders as in `PATH`, adds their models to our own.

use condyle_mjcf::{LoadOptions, load_path, to_mjcf};
use condyle_model::diagnostic::render_all;
use condyle_model::{Model, files, mjb};
use condyle_spec::{CompileOptions, compile};
use std::path::{Path, PathBuf};

fn models() -> Vec<PathBuf> {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models")];
    if let Some(more) = std::env::var_os("CONDYLE_MODELS") {
        folders.extend(std::env::split_paths(&more));
    }
    let mut paths = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() && !path.ends_with("malformed") {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "xml" || extension == "urdf") {
                paths.push(path.canonicalize().unwrap());
            }
        }
    }
    paths.sort();
    paths
}

/// Names of the sizes and arrays that differ.
fn differences(first: &Model, second: &Model) -> Vec<&'static str> {
    let sizes = Model::SIZES.iter().map(|size| size.name);
    let arrays = Model::ARRAYS.iter().map(|array| array.name);
    sizes
        .filter(|name| first.size(name) != second.size(name))
        .chain(arrays.filter(|name| {
            let text = |model: &Model| format!("{:?}", model.array(name));
            text(first) != text(second)
        }))
        .collect()
}

/// What is different after saving and loading again; `None` for a file that is no model of its own.
fn saved_differences(path: &str) -> Option<Vec<String>> {
    let options = LoadOptions::default();
    let (spec, _) = load_path(path, &options).ok()?;
    let first = compile(&spec, &options.files, &CompileOptions::default()).ok()?;
    let text = to_mjcf(&spec);
    // The saved text stands beside the original, so that its files are found.
    let saved = format!("{}saved-{}.xml", files::folder(path), files::last_part(path));
    let mut again = LoadOptions::default();
    assert!(again.files.insert(&saved, text.as_bytes().to_vec()));
    let second = load_path(&saved, &again)
        .and_then(|(spec, _)| compile(&spec, &again.files, &CompileOptions::default()));
    let second = match second {
        Ok(second) => second,
        Err(problems) => return Some(vec![render_all(&problems)]),
    };
    if mjb::write(&first.model) == mjb::write(&second.model) {
        return Some(Vec::new());
    }
    let mut names: Vec<String> =
        differences(&first.model, &second.model).into_iter().map(str::to_owned).collect();
    if names.is_empty() {
        names.push("settings".to_owned());
    }
    Some(names)
}

#[test]
fn a_saved_model_compiles_to_the_same_bytes() {
    let (mut compared, mut changed) = (0, Vec::new());
    for path in models() {
        let path = path.to_string_lossy().into_owned();
        let Some(differences) = saved_differences(&path) else { continue };
        compared += 1;
        if !differences.is_empty() {
            changed.push(format!("{path}: {}", differences.join(", ")));
        }
    }
    assert!(compared > 20, "only {compared} models were compared");
    assert!(changed.is_empty(), "{} of {compared} models change:\n{}", changed.len(), changed.join("\n"));
}
