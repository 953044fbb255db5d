//! Muscles from the outside: the table, curves by name, paths that do not fit, conversion, recording.

use crate::common::{Folder, condyle, model, refused, stderr, stdout, text};

const ARM: &str = "<mujoco><worldbody><site name='origin' pos='0 0 .05'/>
  <body name='upper'><joint name='elbow' axis='0 1 0' range='-60 60' limited='true'/>
    <geom type='capsule' size='.02' fromto='0 0 0 .3 0 0'/><site name='insertion' pos='.1 0 .03'/></body></worldbody>
  <tendon><spatial name='path'><site site='origin'/><site site='insertion'/></spatial></tendon>
  <actuator>MUSCLE</actuator></mujoco>";

fn arm(folder: &Folder, name: &str, muscle: &str) -> String {
    folder.file(name, &ARM.replace("MUSCLE", muscle))
}

#[test]
fn muscles_are_listed_with_their_lengths() {
    let said = text(&["muscle", &model("extensions/hill_muscle.xml")]);
    for head in ["F0, N", "L0, m", "slack, m", "path, m", "path range, m", "fibre, L/L0"] {
        assert!(said.contains(head), "{said}");
    }
    assert!(
        said.lines().any(|line| line.contains("extensor") && line.contains("Hill-type muscle")),
        "{said}"
    );
}

#[test]
fn a_path_that_does_not_fit_is_a_warning_with_the_numbers() {
    let folder = Folder::new("misfit");
    let file = arm(&folder, "arm.xml", "<hillmuscle name='biceps' tendon='path' maxisometricforce='500'/>");
    let output = condyle(&["check", &file]);
    let said = stdout(&output);
    assert!(output.status.success(), "{said}");
    assert!(said.contains("warning[W0701]") && said.contains("biceps"), "{said}");
    assert!(
        said.contains("a path of 0.10") && said.contains("slack length 0.2000 m and optimal length 0.1000 m"),
        "{said}"
    );
    assert!(said.contains("imply fibres of -0.0") && said.contains("no active force"), "{said}");
    // What is running tells it too.
    assert!(stderr(&condyle(&["run", &file, "--steps", "1"])).contains("W0701"));
    let fits = "<hillmuscle tendon='path' maxisometricforce='500' optimalfiberlength='.06' tendonslacklength='.04'/>";
    assert_eq!(stdout(&condyle(&["check", &arm(&folder, "fits.xml", fits)])).lines().count(), 1);
}

#[test]
fn errors_use_the_names_of_attributes() {
    let folder = Folder::new("names");
    let attributes = [
        ("optimalfiberlength='0'", "optimalfiberlength must be positive, not 0"),
        ("tendonslacklength='-1'", "tendonslacklength must be non-negative, not -1"),
        ("maxcontractionvelocity='0'", "maxcontractionvelocity must be positive"),
        ("fiberdamping='-1'", "fiberdamping must be non-negative"),
        ("passivestrain='-1'", "passivestrain must be above 0"),
        ("maxeccentricforce='0.5'", "maxeccentricforce must be above 1"),
    ];
    for (attribute, message) in attributes {
        let file = arm(&folder, "arm.xml", &format!("<hillmuscle tendon='path' {attribute}/>"));
        let output = condyle(&["check", &file]);
        assert!(!output.status.success());
        assert!(stdout(&output).contains(message), "{attribute}: {}", stdout(&output));
    }
    let file = arm(&folder, "arm.xml", "<hillmuscle tendon='path' curve='milard'/>");
    assert!(stdout(&condyle(&["check", &file])).contains("millard"));
}

#[test]
fn curves_are_chosen_per_muscle_and_class_and_survive_saving() {
    let folder = Folder::new("curves");
    let muscle = "<hillmuscle name='a' tendon='path' curve='millard' passivestrain='0.5' optimalfiberlength='.06' tendonslacklength='.04'/>\
        <hillmuscle name='b' class='soft' tendon='path' optimalfiberlength='.06' tendonslacklength='.04'/>";
    let scene = ARM.replace("<mujoco>", "<mujoco><default><default class='soft'><hillmuscle curve='thelen' activewidth='0.5'/></default></default>");
    let file = folder.file("arm.xml", &scene.replace("MUSCLE", muscle));
    let saved = folder.name("saved.xml");
    text(&["convert", &file, "-o", &saved]);
    for path in [&file, &saved] {
        let value = |name: &str, row: &str| {
            let said = text(&["muscle", path, name]);
            let line = said.lines().find(|line| line.trim_start().starts_with(row)).map(str::to_owned);
            line.unwrap_or_else(|| panic!("{said}")).split_whitespace().nth(1).map(str::to_owned)
        };
        assert_eq!(value("a", "curve").as_deref(), Some("3"));
        assert_eq!(value("a", "passivestrain").as_deref(), Some("0.5"));
        assert_eq!(value("b", "curve").as_deref(), Some("2"));
        assert_eq!(value("b", "activewidth").as_deref(), Some("0.5"));
    }
    let png = folder.name("curves.png");
    text(&["muscle", &file, "a", "--plot", &png]);
    assert!(std::fs::read(png).expect("png").starts_with(b"\x89PNG"));
}

#[test]
fn standard_muscles_become_hill_muscles_that_run_and_can_be_recorded() {
    let folder = Folder::new("hill");
    let file = arm(&folder, "arm.xml", "<muscle name='biceps' tendon='path' force='100'/>");
    for (tendon, activations) in [("rigid", 1), ("compliant", 2)] {
        let (hill, csv) = (folder.name("hill.xml"), folder.name("run.csv"));
        let said = text(&["convert", &file, "--hill", tendon, "-o", &hill]);
        assert!(said.contains("wrote"), "{said}");
        let written = std::fs::read_to_string(&hill).expect("the model");
        assert!(written.contains("<hillmuscle") && written.contains("curve=\"smooth\""), "{written}");
        text(&["run", &hill, "--steps", "200", "--ctrl", "biceps=0.5", "--record", &csv]);
        let recorded = std::fs::read_to_string(&csv).expect("csv");
        let names = recorded.lines().next().expect("names");
        for part in ["fiber_length", "fiber_force", "tendon_force", "pennation"] {
            assert!(names.contains(&format!("muscle:biceps.{part}")), "{names}");
        }
        assert_eq!(names.matches("act:biceps").count(), activations);
        let svg = folder.name("run.svg");
        text(&["run", &hill, "--steps", "200", "--plot", &svg, "--signals", "muscle:biceps,act"]);
        assert!(std::fs::read_to_string(svg).expect("svg").contains(">fibre and tendon force, N<"));
    }
    let none = refused(&["convert", &model("bench/figure.xml"), "--hill", "-o", &folder.name("none.xml")]);
    assert!(none.contains("no standard muscles"), "{none}");
}
