//! `explain-pair` and `contacts` from the outside.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn model(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models").join(name)
}

fn condyle(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_condyle")).args(arguments).output().expect("the command runs")
}

fn text(output: &Output) -> String {
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn explain_pair_names_the_rule_in_text_and_json() {
    let figure = model("bench/figure.xml").display().to_string();
    let said = text(&condyle(&["explain-pair", &figure, "floor", "foot_left", "--time", "0.5"]));
    assert!(said.contains("geom 'floor' (plane, body 'world')"), "{said}");
    assert!(said.contains("contacts, smallest distance"), "{said}");
    // The floor and the head by number, in the other order, far from each other.
    let said = text(&condyle(&["explain-pair", &figure, "head", "0", "--format", "json"]));
    assert!(said.starts_with(r#"{"collides":false,"active":false"#), "{said}");
    assert!(said.contains(r#""stopped_by":"spheres""#), "{said}");
    let said = text(&condyle(&["explain-pair", &figure, "pelvis", "belly", "--key", "squat"]));
    assert!(said.contains("stops  parent and child") || said.contains("stops  same body"), "{said}");
}

#[test]
fn contacts_are_a_table_or_json() {
    let figure = model("bench/figure.xml").display().to_string();
    let table = text(&condyle(&["contacts", &figure, "--time", "0.5"]));
    assert!(table.lines().count() > 4 && table.contains("floor -> foot_left"), "{table}");
    let json = text(&condyle(&["contacts", &figure, "--time", "0.5", "--format", "json"]));
    assert_eq!(json.matches(r#""cone_usage""#).count(), table.lines().count() - 1, "{json}");
    let falling = model("actuator/user.xml").display().to_string();
    assert!(text(&condyle(&["contacts", &falling])).contains("no contacts"));
}

#[test]
fn what_is_not_there_is_an_error_that_names_what_is() {
    let figure = model("bench/figure.xml").display().to_string();
    let refused = |arguments: &[&str]| {
        let output = condyle(arguments);
        assert!(!output.status.success());
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    assert!(refused(&["explain-pair", &figure, "floor", "foot"]).contains("foot_left, foot_right"));
    assert!(refused(&["explain-pair", &figure, "floor", "floor"]).contains("same geom"));
    assert!(refused(&["contacts", &figure, "--key", "none"]).contains("squat"));
    assert!(refused(&["contacts", &figure, "--time", "nan"]).contains("not a valid time"));
}
