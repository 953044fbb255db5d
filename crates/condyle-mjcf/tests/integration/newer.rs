//! Files for later versions of MuJoCo: refused with the version and what to write, skipped by lenient loading only where nothing moves
//! differently.

use condyle_base::Diagnostic;
use condyle_base::diagnostic::render_all;
use condyle_mjcf::{LoadOptions, load_str, read_path};
use std::path::{Path, PathBuf};

fn fixtures() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/malformed");
    let mut paths: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.file_name().unwrap().to_string_lossy().starts_with("newer_"))
        .collect();
    paths.sort();
    paths
}

fn load(path: &Path, lenient: bool) -> Result<Vec<Diagnostic>, Vec<Diagnostic>> {
    let options = LoadOptions::default().lenient(lenient);
    read_path(path, &options).compile(&options).map(|loaded| loaded.warnings)
}

#[test]
fn every_file_for_a_later_version_is_refused_with_that_version() {
    assert!(fixtures().len() >= 10);
    for path in fixtures() {
        let found = load(&path, false).unwrap_err();
        for problem in &found {
            let help = problem.help.as_deref().unwrap_or_default();
            assert!(help.contains("since MuJoCo ") && help.contains("for 3.5.0 "), "{}", render_all(&found));
        }
    }
}

#[test]
fn lenient_loading_skips_what_only_looks_or_only_helps() {
    let skipped = ["newer_castshadow.xml", "newer_settings.xml"];
    for path in fixtures() {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        match load(&path, true) {
            Ok(warnings) => {
                assert!(skipped.contains(&name.as_str()), "{name} was skipped");
                assert!(!warnings.is_empty(), "{name}");
            }
            Err(found) => assert!(!skipped.contains(&name.as_str()), "{name}\n{}", render_all(&found)),
        }
    }
}

#[test]
fn lenient_loading_skips_what_is_switched_off() {
    let lenient = LoadOptions::default().lenient(true);
    for (attribute, accepted) in [
        ("surfacevel='0 0 0 0 0 0'", true),
        ("adhesion='0'", true),
        ("surfacevel='0 0 1 0 0 0'", false),
        ("unheardof='1'", true),
    ] {
        let text = format!("<mujoco><worldbody><geom size='1' {attribute}/></worldbody></mujoco>");
        assert_eq!(load_str(&text, &lenient).is_ok(), accepted, "{attribute}");
    }
}

#[test]
fn the_scale_of_a_frame_is_ignored_as_before_and_now_with_its_version() {
    let text =
        "<mujoco><worldbody><frame scale='2' massscale='3'><geom size='1'/></frame></worldbody></mujoco>";
    let (spec, warnings) = load_str(text, &LoadOptions::default()).unwrap();
    assert_eq!((spec.geoms.len(), warnings.len()), (1, 2));
    for warning in warnings {
        assert!(warning.help.as_ref().unwrap().contains("since MuJoCo 3.16.0"), "{warning}");
    }
}
