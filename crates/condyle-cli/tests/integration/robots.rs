//! Robots from ROS on the command line: packages, options, warnings, conversion into another folder.

use crate::common::{condyle, stderr, stdout};
use std::path::{Path, PathBuf};

fn arm() -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../condyle/tests/robots/arm_description");
    folder.join("urdf/arm.urdf").display().to_string()
}

fn scratch(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("condyle-cli-robots-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn run_and_info_show_what_was_noticed_while_loading() {
    for arguments in [vec!["info"], vec!["run", "--steps", "2"]] {
        let mut arguments = arguments;
        let file = arm();
        arguments.push(&file);
        let output = condyle(&arguments);
        assert!(output.status.success(), "{}", stderr(&output));
        for words in ["fixed to the world", "<transmission> is not used", "<mimic> is ignored", "5 warnings"]
        {
            assert!(stderr(&output).contains(words), "{words}\n{}", stderr(&output));
        }
    }
}

#[test]
fn options_of_a_urdf_reach_the_model() {
    let file = arm();
    let package =
        format!("arm_description={}", Path::new(&file).parent().unwrap().parent().unwrap().display());
    let output = condyle(&[
        "info",
        &file,
        "--package",
        &package,
        "--no-search",
        "--mimic",
        "--actuators",
        "effort",
        "--floating-base",
    ]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(stdout(&output).contains("floating_base"), "{}", stdout(&output));
    assert!(!stderr(&output).contains("fixed to the world"), "{}", stderr(&output));
    let refused = condyle(&["check", &file, "--no-search"]);
    assert!(!refused.status.success());
    assert!(stdout(&refused).contains("--package arm_description=DIR"), "{}", stdout(&refused));
    let malformed = condyle(&["check", &file, "--package", "arm_description"]);
    assert!(stderr(&malformed).contains("NAME=DIR"), "{}", stderr(&malformed));
}

#[test]
fn what_convert_writes_elsewhere_loads_with_and_without_copies() {
    let folder = scratch("convert");
    let file = arm();
    for (name, copies) in [("plain.xml", false), ("bundle/copied.xml", true)] {
        let output = folder.join(name);
        std::fs::create_dir_all(output.parent().unwrap()).unwrap();
        let path = output.display().to_string();
        let mut arguments = vec!["convert", &file, "-o", &path, "--mimic", "--actuators", "transmission"];
        if copies {
            arguments.push("--copy-assets");
        }
        let converted = condyle(&arguments);
        assert!(converted.status.success(), "{}", stderr(&converted));
        assert_eq!(folder.join("bundle/assets/cube.obj").exists(), copies);
        let checked = condyle(&["check", &path]);
        assert!(checked.status.success(), "{}", stdout(&checked));
        let text = std::fs::read_to_string(&output).unwrap();
        assert!(
            text.contains("polycoef=\"0.5 -2") && text.contains("<motor") || text.contains("<general"),
            "{text}"
        );
    }
    std::fs::remove_dir_all(folder).unwrap();
}
