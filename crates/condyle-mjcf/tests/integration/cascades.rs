//! One mistake gives one error: what only follows from it is not reported, and equal errors are shown once.

use condyle_base::diagnostic::render_all;
use condyle_base::{Diagnostic, Files};
use condyle_mjcf::{LoadOptions, read_bytes, read_path};
use std::path::{Path, PathBuf};

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/malformed")
}

fn problems(name: &str) -> Vec<Diagnostic> {
    let options = LoadOptions::default();
    read_path(folder().join(name), &options).compile(&options).err().unwrap_or_default()
}

fn given(files: &[(&str, &[u8])]) -> LoadOptions {
    let mut options = LoadOptions::default().files(Files::without_disk());
    for (name, bytes) in files {
        assert!(options.files.insert(name, bytes.to_vec()));
    }
    options
}

#[test]
fn a_missing_include_is_one_error() {
    let found = problems("include_missing_with_uses.xml");
    assert_eq!(found.len(), 1, "{}", render_all(&found));
    assert_eq!(found[0].code, "E0505");
}

#[test]
fn a_misspelt_body_is_one_error() {
    let found = problems("schema_misspelt_body.xml");
    assert_eq!(found.len(), 1, "{}", render_all(&found));
    assert_eq!(found[0].help.as_deref(), Some("did you mean <body>?"));
}

#[test]
fn an_unknown_mesh_or_height_field_is_one_error() {
    for name in ["asset_unknown_mesh.xml", "asset_unknown_hfield.xml"] {
        let found = problems(name);
        assert_eq!(found.len(), 1, "{}", render_all(&found));
    }
}

#[test]
fn negative_masses_are_reported_as_written_at_their_attribute() {
    for (name, values) in
        [("mean_negative_mass.xml", ["-3", "-1"]), ("mean_negative_geom_mass.xml", ["-3", "-1000"])]
    {
        let found = problems(name);
        assert_eq!(found.len(), 2, "{}", render_all(&found));
        for (problem, value) in found.iter().zip(values) {
            let place = problem.location.as_ref().unwrap();
            let text = &place.source.text[place.start as usize..place.end as usize];
            assert!(String::from_utf8_lossy(text).contains(value), "{problem}");
            assert!(problem.message.contains(value), "{problem}");
        }
    }
}

#[test]
fn a_missing_model_file_has_no_snippet() {
    let found = problems("no_such_model.xml");
    assert_eq!(found.len(), 1);
    let shown = found[0].render();
    assert!(!shown.contains('|') && !shown.contains(":1:1"), "{shown}");
    assert!(shown.contains("--> ") && shown.contains("no_such_model.xml\n"), "{shown}");
}

#[test]
fn a_folder_in_place_of_a_model_file_asks_for_a_file() {
    let found = problems("snapshots");
    assert_eq!(found.len(), 1);
    assert_eq!(found[0].help.as_deref(), Some("name the model file inside it"), "{}", found[0].render());
}

#[test]
fn equal_errors_are_shown_once_with_the_other_places() {
    let found = problems("mean_class_many_times.xml");
    assert_eq!(found.iter().filter(|problem| problem.code == "E0461").count(), 10);
    let shown = render_all(&found);
    assert_eq!(shown.matches("there is no default class 'metal'").count(), 1, "{shown}");
    assert!(
        shown.contains("the same 9 times more: line 4, line 5,") && shown.contains("line 11 and 1 more"),
        "{shown}"
    );
    assert_eq!(shown.matches("no material is named 'red'").count(), 1, "{shown}");
    assert!(shown.ends_with("12 errors"), "{shown}");
}

#[test]
fn a_missing_file_of_an_included_model_names_every_place() {
    let main = b"<mujoco><compiler meshdir='meshes'/><include file='robot/arm.xml'/></mujoco>";
    let part = b"<mujoco><asset><mesh name='m' file='link.stl'/></asset></mujoco>";
    let options = given(&[("scene/main.xml", main), ("scene/robot/arm.xml", part)]);
    let found = read_path("scene/main.xml", &options).compile(&options).unwrap_err();
    assert_eq!(found.len(), 1, "{}", render_all(&found));
    let notes = found[0].notes.join("\n");
    assert!(notes.contains("'scene/meshes/link.stl'") && notes.contains("robot/link.stl'"), "{notes}");
    // The same for a missing include of an included file.
    let part = b"<mujoco><include file='wrist.xml'/></mujoco>";
    let options = given(&[("scene/main.xml", main), ("scene/robot/arm.xml", part)]);
    let found = read_path("scene/main.xml", &options).compile(&options).unwrap_err();
    assert_eq!(found.len(), 1, "{}", render_all(&found));
    let notes = found[0].notes.join("\n");
    assert!(notes.contains("'scene/wrist.xml'") && notes.contains("'scene/robot/wrist.xml'"), "{notes}");
}

#[test]
fn pointers_of_git_lfs_are_recognised_wherever_a_file_is_read() {
    let pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n";
    let options = given(&[("m.xml", pointer), ("main.xml", b"<mujoco><include file='m.xml'/></mujoco>")]);
    for name in ["m.xml", "main.xml"] {
        let found = read_path(name, &options).compile(&options).unwrap_err();
        assert_eq!(found.len(), 1, "{}", render_all(&found));
        assert!(found[0].message.contains("git-LFS pointer"), "{}", found[0]);
        assert!(found[0].help.as_ref().unwrap().contains("git lfs pull"), "{}", found[0]);
    }
}

#[test]
fn caps_are_per_code_and_text_in_foreign_parts_of_a_urdf_is_no_warning() {
    let foreign = "<transmission><type>t</type><joint name='j'><hardwareInterface>h</hardwareInterface></joint></transmission>\
                   <gazebo reference='a'><mu1>0.2</mu1></gazebo>";
    let text = format!("<robot name='r'>{}<link name='a'/></robot>", foreign.repeat(300));
    let options = LoadOptions::default();
    let warnings = read_bytes("r.urdf", text.as_bytes(), &options).compile(&options).unwrap().warnings;
    assert!(!warnings.iter().any(|warning| warning.code == "W0105"), "{}", render_all(&warnings));
    assert!(warnings.len() < 4, "{}", render_all(&warnings));
    // One kind of warning does not push out another.
    let text =
        format!("<mujoco>{}<worldbody><frame foo='1'/></worldbody></mujoco>", "<size/>text".repeat(500));
    let warnings = read_bytes("m.xml", text.as_bytes(), &options).compile(&options).unwrap().warnings;
    assert!(warnings.iter().any(|warning| warning.code == "W0203"), "{}", render_all(&warnings));
    let last = warnings.iter().rfind(|warning| warning.code == "W0105").unwrap();
    assert_eq!(last.notes, ["300 further problems of this kind are not shown"]);
}
