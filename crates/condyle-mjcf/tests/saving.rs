//! Loading, saving and loading again gives the same compiled model, byte for byte.

use condyle_mjcf::{LoadOptions, load_path, to_mjcf};
use condyle_model::diagnostic::render_all;
use condyle_model::{files, mjb};
use condyle_spec::{CompileOptions, compile};
use std::path::{Path, PathBuf};

fn models() -> Vec<PathBuf> {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models")];
    let mut paths = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() && !path.ends_with("malformed") {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "xml") {
                paths.push(path.canonicalize().unwrap());
            }
        }
    }
    paths.sort();
    paths
}

#[test]
fn a_saved_model_compiles_to_the_same_bytes() {
    let mut compared = 0;
    for path in models() {
        let path = path.to_string_lossy().into_owned();
        let options = LoadOptions::default();
        let Ok((spec, _)) = load_path(&path, &options) else { continue };
        let Ok(first) = compile(&spec, &options.files, &CompileOptions::default()) else { continue };
        let text = to_mjcf(&spec);
        // The saved text stands beside the original, so that its files are found.
        let saved = format!("{}saved-{}", files::folder(&path), files::last_part(&path));
        let mut again = LoadOptions::default();
        assert!(again.files.insert(&saved, text.as_bytes().to_vec()));
        let (spec, _) =
            load_path(&saved, &again).unwrap_or_else(|problems| panic!("{path}:\n{}", render_all(&problems)));
        let second = compile(&spec, &again.files, &CompileOptions::default())
            .unwrap_or_else(|problems| panic!("{path}:\n{}", render_all(&problems)));
        assert!(
            mjb::write(&first.model) == mjb::write(&second.model),
            "{path} changes when it is saved:\n{text}"
        );
        compared += 1;
    }
    assert!(compared > 0, "no model was compared");
}
