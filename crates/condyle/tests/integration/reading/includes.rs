//! `<include>`: the children of the root of another file, in place of the element.

use condyle::model::mjb;
use condyle::{LoadError, Loaded};

use crate::common::{load_with, model};

/// Load the first file, with all of them at hand.
fn load(files: &[(&str, &str)]) -> Result<Loaded, LoadError> {
    load_with(files[0].1, |options| {
        for (name, text) in files {
            assert!(options.files.insert(name, text.as_bytes()));
        }
    })
}

fn loaded(files: &[(&str, &str)]) -> condyle::Model {
    load(files).unwrap_or_else(|problem| panic!("{problem}")).model
}

#[test]
fn an_included_file_is_as_if_it_were_written_in_place() {
    let bodies = r#"<body name="a" pos="1 0 0"><freejoint/><geom size=".1"/></body><body name="b"><joint/><geom size=".2"/></body>"#;
    let inline = format!(
        r#"<mujoco model="m"><worldbody><geom size="1"/>{bodies}<geom size="2"/></worldbody></mujoco>"#
    );
    let main = r#"<mujoco model="m"><worldbody><geom size="1"/><include file="bodies.xml"/><geom size="2"/></worldbody></mujoco>"#;
    for root in ["mujoco", "mujocoinclude"] {
        let part = format!("<{root}>{bodies}</{root}>");
        let included = loaded(&[("main.xml", main), ("bodies.xml", &part)]);
        assert_eq!(mjb::write(&included), mjb::write(&model(&inline)));
    }
}

#[test]
fn included_files_may_include_others() {
    let model = loaded(&[
        ("main.xml", r#"<mujoco><include file="a.xml"/></mujoco>"#),
        ("a.xml", r#"<mujoco><worldbody><geom size=".1"/></worldbody><include file="b.xml"/></mujoco>"#),
        ("b.xml", r#"<mujoco><worldbody><geom size=".2"/><include file="c.xml"/></worldbody></mujoco>"#),
        ("c.xml", r#"<mujoco><geom size=".3"/></mujoco>"#),
    ]);
    assert_eq!(model.geom_size.iter().map(|size| size[0]).collect::<Vec<_>>(), [0.1, 0.2, 0.3]);
}

#[test]
fn a_file_is_included_once() {
    let part = r#"<mujoco><worldbody><geom size=".1"/></worldbody></mujoco>"#;
    let twice = load(&[
        ("main.xml", r#"<mujoco><include file="a.xml"/><include file="a.xml"/></mujoco>"#),
        ("a.xml", part),
    ]);
    let problem = twice.unwrap_err();
    assert!(
        problem
            .diagnostics
            .iter()
            .any(|one| one.is_error() && one.location.is_some() && one.message.contains("a.xml")),
        "{problem}"
    );
    // A file that includes itself is the same mistake.
    assert!(
        load(&[
            ("main.xml", r#"<mujoco><include file="a.xml"/></mujoco>"#),
            ("a.xml", r#"<mujoco><include file="a.xml"/></mujoco>"#)
        ])
        .is_err()
    );
}

#[test]
fn includes_work_in_every_section() {
    let model = loaded(&[
        (
            "main.xml",
            r#"<mujoco><default><include file="default.xml"/></default><asset><include file="asset.xml"/></asset>
            <worldbody><include file="world.xml"/></worldbody><tendon><include file="tendon.xml"/></tendon>
            <actuator><include file="actuator.xml"/></actuator><sensor><include file="sensor.xml"/></sensor>
            <contact><include file="contact.xml"/></contact><equality><include file="equality.xml"/></equality></mujoco>"#,
        ),
        ("default.xml", r#"<mujoco><geom size=".25"/></mujoco>"#),
        ("asset.xml", r#"<mujoco><material name="m"/></mujoco>"#),
        (
            "world.xml",
            r#"<mujoco><body name="a"><joint name="j"/><geom material="m"/></body><body name="b"><geom/></body></mujoco>"#,
        ),
        ("tendon.xml", r#"<mujoco><fixed name="t"><joint joint="j" coef="1"/></fixed></mujoco>"#),
        ("actuator.xml", r#"<mujoco><motor joint="j"/></mujoco>"#),
        ("sensor.xml", r#"<mujoco><clock/></mujoco>"#),
        ("contact.xml", r#"<mujoco><exclude body1="a" body2="b"/></mujoco>"#),
        ("equality.xml", r#"<mujoco><joint joint1="j"/></mujoco>"#),
    ]);
    let counts = [model.ngeom, model.nmat, model.ntendon, model.nu, model.nsensor, model.nexclude, model.neq];
    assert_eq!(counts, [2, 1, 1, 1, 1, 1, 1]);
    assert_eq!(model.geom_size[0][0], 0.25);
}

#[test]
fn sections_that_appear_twice_are_joined() {
    let model = loaded(&[
        (
            "main.xml",
            r#"<mujoco><include file="part.xml"/><worldbody><body><joint name="j"/><geom size=".1"/></body></worldbody>
            <actuator><motor joint="j"/></actuator><sensor><clock/></sensor><option timestep=".01"/></mujoco>"#,
        ),
        (
            "part.xml",
            r#"<mujoco><option timestep=".005"/><worldbody><body><joint name="k"/><geom size=".2"/></body></worldbody>
            <actuator><motor joint="k"/></actuator><sensor><clock/></sensor></mujoco>"#,
        ),
    ]);
    assert_eq!([model.njnt, model.ngeom, model.nu, model.nsensor], [2, 2, 2, 2]);
    assert_eq!(model.opt.timestep, 0.01);
}

#[test]
fn a_mistake_in_an_included_file_is_reported_there() {
    let problem = load(&[
        ("main.xml", r#"<mujoco><include file="broken.xml"/></mujoco>"#),
        ("broken.xml", "<mujoco>\n<worldbody>\n<geom size=\".1\"\n</worldbody></mujoco>"),
    ])
    .unwrap_err();
    let first = problem.diagnostics.iter().find(|one| one.is_error()).unwrap();
    let location = first.location.as_ref().unwrap();
    assert!(location.line >= 3, "{problem}");
    assert!(problem.message.contains("broken.xml"), "{problem}");
}

#[test]
fn a_missing_include_says_what_was_looked_for() {
    let problem = load(&[("main.xml", r#"<mujoco><include file="nowhere.xml"/></mujoco>"#)]).unwrap_err();
    assert!(
        problem.message.contains("nowhere.xml") && problem.diagnostics[0].location.is_some(),
        "{problem}"
    );
}
