//! Loading, saving and loading again gives the same compiled model, byte for byte.
//!
//! `CONDYLE_MODELS`, a list of folders as in `PATH`, adds their models to our own.

use condyle_base::diagnostic::render_all;
use condyle_base::files;
use condyle_mjcf::{LoadOptions, load_path, to_mjcf, to_mjcf_with_files};
use condyle_model::{Model, mjb};
use condyle_spec::{CompileOptions, Spec, compile};
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

/// Arrays that a compiled model does not keep to the last bit when it is saved as text, and why.
fn may_change(model: &Model, name: &str) -> bool {
    // Paths of files, of which there are none any more.
    let paths = name == "paths" || name == "npaths" || name == "nbuffer" || name.ends_with("_pathadr");
    // A texture in a file is called like the file, if it has no other name.
    let unnamed =
        (0..model.ntex).any(|texture| model.name(condyle_model::ObjectType::Texture, texture).is_empty());
    let names = unnamed && name.contains("name");
    // A texture that was made by a pattern has no encoding of its colours; one from a file has.
    let colours = name == "tex_colorspace";
    // Vertices are moved to the principal axes again, with single precision in between. Boxes and hulls follow from them.
    let meshes = model.nmesh > 0
        && (name.starts_with("mesh_")
            || name.starts_with("nmesh")
            || name.starts_with("bvh_")
            || name.contains("bvh")
            || matches!(
                name,
                "geom_pos"
                    | "geom_quat"
                    | "geom_size"
                    | "geom_aabb"
                    | "geom_rbound"
                    | "geom_sameframe"
                    | "geom_dataid"
                    | "geom_fluid"
                    | "body_bvhadr"
                    | "dof_length"
            ));
    // Elastic constants are found again from what follows from them.
    let elastic = matches!(name, "flex_stiffness" | "flex_bending");
    // Weights are divided by their sum again. A fixed tendon has a look only through its default class.
    let looks = matches!(name, "skin_bonevertweight" | "tendon_width" | "tendon_rgba" | "tendon_matid");
    paths || names || colours || meshes || elastic || looks
}

/// Saves a compiled model as text and loads it again. What is different; `None` for what is no model, or cannot be saved.
fn decompiled_differences(path: &str) -> Option<(Model, Vec<String>)> {
    let options = LoadOptions::default();
    let (spec, _) = load_path(path, &options).ok()?;
    let first = compile(&spec, &options.files, &CompileOptions::default()).ok()?.model;
    let saved = to_mjcf_with_files(&Spec::from_model(&first).ok()?);
    let mut again = LoadOptions::default().files(condyle_base::Files::without_disk());
    assert!(again.files.insert("saved.xml", saved.text.into_bytes()));
    for (name, bytes) in saved.files {
        assert!(again.files.insert(&name, bytes), "{path}: {name} twice");
    }
    let second = load_path("saved.xml", &again)
        .and_then(|(spec, _)| compile(&spec, &again.files, &CompileOptions::default()));
    match second {
        Ok(second) => {
            let names = differences(&first, &second.model).into_iter().map(str::to_owned).collect();
            Some((first, names))
        }
        Err(problems) => Some((first, vec![render_all(&problems)])),
    }
}

#[test]
fn a_compiled_model_saved_as_text_keeps_all_that_text_can_say() {
    let (mut compared, mut same, mut changed, mut counts) =
        (0, 0, Vec::new(), std::collections::BTreeMap::new());
    for path in models() {
        let path = path.to_string_lossy().into_owned();
        let Some((model, differences)) = decompiled_differences(&path) else { continue };
        compared += 1;
        same += usize::from(differences.is_empty());
        for name in &differences {
            *counts.entry(name.clone()).or_insert(0) += 1;
        }
        let lost: Vec<String> = differences.into_iter().filter(|name| !may_change(&model, name)).collect();
        if !lost.is_empty() {
            changed.push(format!("{path}: {}", lost.join(", ")));
        }
    }
    let summary = format!("{same} of {compared} models are the same; changed arrays: {counts:?}");
    assert!(compared > 20 && same > 20, "{summary}");
    assert!(changed.is_empty(), "{}\n{summary}", changed.join("\n"));
}

#[test]
fn nodes_beside_their_bodies_are_saved_as_bodies_of_their_own() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/flex/trilinear.xml");
    let options = LoadOptions::default();
    let (mut spec, _) = load_path(&path, &options).unwrap();
    let id = spec.flexes.ids().next().unwrap();
    spec.flexes[id].node = vec![0.0; 24];
    spec.flexes[id].node[3..6].copy_from_slice(&[0.01, 0.0, -0.02]);
    let first = compile(&spec, &options.files, &CompileOptions::default()).unwrap().model;
    let (again, _) = condyle_mjcf::load_str(&to_mjcf(&spec), &options).unwrap();
    let second = compile(&again, &options.files, &CompileOptions::default()).unwrap().model;
    assert_eq!(second.nbody, first.nbody + 1);
    assert_eq!(second.nv, first.nv);
    for (one, other) in first.flex_node0.as_flattened().iter().zip(second.flex_node0.as_flattened()) {
        assert!((one - other).abs() < 1e-12, "{one} {other}");
    }
}
