//! Files with one defect each: all are refused, with a code, a place and nearly always advice, in the words of the snapshot
//! beside them. Run with `UPDATE_SNAPSHOTS=1` to write the snapshots anew, and read the difference before keeping it.

use condyle_base::diagnostic::render_all;
use condyle_base::{Diagnostic, Files};
use condyle_mjcf::{LoadOptions, load_str, read_bytes, read_path};
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/malformed")
}

fn sorted(folder: &Path) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_file())
        .collect();
    paths.sort();
    paths
}

/// Everything in the folder and its parts, by name alone, so that messages do not depend on where it lies.
fn options() -> LoadOptions {
    let mut files = Files::without_disk();
    for path in sorted(&folder()).into_iter().chain(sorted(&folder().join("parts"))) {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        assert!(files.insert(&name, std::fs::read(&path).unwrap()), "{name} occurs twice");
    }
    LoadOptions::default().files(files)
}

/// All problems of a file, those of the compiler included.
fn problems(name: &str, options: &LoadOptions) -> Vec<Diagnostic> {
    read_path(name, options).compile(options).err().unwrap_or_default()
}

#[test]
fn every_malformed_file_is_refused_in_the_words_of_its_snapshot() {
    let options = options();
    let update = std::env::var_os("UPDATE_SNAPSHOTS").is_some();
    let (mut mjcf, mut urdf, mut assets) = (0, 0, 0);
    let mut wrong = Vec::new();
    for path in sorted(&folder()) {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        match path.extension().and_then(|extension| extension.to_str()) {
            Some("urdf") => urdf += 1,
            Some("xml") if name.starts_with("asset_") => assets += 1,
            Some("xml") => mjcf += 1,
            _ => continue,
        }
        let found = problems(&name, &options);
        let errors: Vec<&Diagnostic> = found.iter().filter(|problem| problem.is_error()).collect();
        assert!(!errors.is_empty(), "{name} is accepted");
        for error in &errors {
            assert!(error.location.is_some(), "{name}: no place\n{error}");
            assert!(error.code.len() == 5 && error.code.starts_with('E'), "{name}: {}", error.code);
            assert!(error.help.is_some(), "{name}: no help\n{error}");
        }
        let rendered = render_all(&found) + "\n";
        let snapshot = folder().join("snapshots").join(format!("{name}.txt"));
        if update {
            std::fs::create_dir_all(folder().join("snapshots")).unwrap();
            std::fs::write(&snapshot, &rendered).unwrap();
        } else if std::fs::read_to_string(&snapshot).unwrap_or_default() != rendered {
            wrong.push(format!("{name}:\n{rendered}"));
        }
    }
    assert!(wrong.is_empty(), "{} snapshots differ:\n{}", wrong.len(), wrong.join("\n"));
    assert!(mjcf >= 80 && urdf >= 15 && assets >= 25, "{mjcf} MJCF, {urdf} URDF, {assets} asset files");
}

#[test]
fn ten_independent_defects_give_ten_diagnostics() {
    let options = options();
    let paths = sorted(&folder().join("ten"));
    assert!(paths.len() >= 3);
    for path in paths {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let found =
            read_bytes(&name, &std::fs::read(&path).unwrap(), &options).compile(&options).unwrap_err();
        let errors: Vec<&Diagnostic> = found.iter().filter(|problem| problem.is_error()).collect();
        assert_eq!(errors.len(), 10, "{}", render_all(&found));
        assert!(
            errors.iter().all(|error| error.location.is_some() && error.help.is_some()),
            "{}",
            render_all(&found)
        );
        let mut lines: Vec<u32> =
            errors.iter().filter_map(|error| Some(error.location.as_ref()?.line)).collect();
        lines.sort_unstable();
        lines.dedup();
        assert_eq!(lines.len(), 10, "two complaints about one line\n{}", render_all(&found));
    }
}

#[test]
fn what_the_reference_tolerates_loads_with_a_warning_that_says_where() {
    for (text, code, line) in [
        ("<mujoco>\n<worldbody><geom size='1'group='1'/></worldbody></mujoco>", "W0111", 2),
        ("<mujoco/>\n</extra>\njunk", "W0109", 2),
        ("<mujoco>\n<!-- a -- b --></mujoco>", "W0102", 2),
        ("<mujoco>\n<!-\\- a -\\-></mujoco>", "W0103", 2),
        ("\n<?xml version='1.0'?><mujoco/>", "W0101", 2),
        ("<mujoco/>\n\0", "W0110", 2),
        ("<mujoco>\nsome text</mujoco>", "W0105", 2),
        ("<mujoco/>\n<mujoco/>", "W0108", 2),
        ("<mujoco><worldbody>\n<frame foo='1'/></worldbody></mujoco>", "W0203", 2),
    ] {
        let (_, warnings) =
            load_str(text, &LoadOptions::default()).unwrap_or_else(|e| panic!("{}", render_all(&e)));
        assert_eq!(warnings.len(), 1, "{text}");
        assert_eq!(warnings[0].code, code, "{text}");
        assert_eq!(warnings[0].location.as_ref().unwrap().line, line, "{text}");
    }
}

#[test]
fn lenient_loading_turns_three_errors_into_warnings() {
    let text = "<mujoco><worldbody><body euler='0 0 90' quat='1 0 0 0'><geom class='none' size='1' sise='2'/></body>\
                </worldbody></mujoco>";
    assert!(load_str(text, &LoadOptions::default()).is_err());
    let lenient = LoadOptions::default().lenient(true);
    let (spec, warnings) = load_str(text, &lenient).unwrap();
    assert_eq!(warnings.len(), 3);
    let body = spec.bodies.values().last().unwrap();
    assert_eq!(body.alt, Some(condyle_spec::Orientation::Euler([0.0, 0.0, 90.0])));
}
