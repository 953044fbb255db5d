//! `info`, `explain-pair` and `contacts`: names, numbers and units, for people and for tools.

use crate::common::{Folder, refused, text};

const SCENE: &str = "<mujoco model='scene'><compiler angle='radian'/><worldbody>
  <geom name='floor' type='plane' size='1 1 .1'/><camera name='eye' pos='0 -2 1'/>
  <body name='torso' pos='0 0 .09'><freejoint/><geom size='.1'/><geom size='.05' pos='0 0 .2'/><site name='tip'/>
    <body name='arm' pos='0 0 .3'><joint name='elbow' range='0 1.5' axis='0 1 0'/><geom name='hand' size='.05'/><site name='end'/></body></body>
  <body name='slider' pos='3 0 .5'><joint name='rail' type='slide'/><geom size='.1'/></body>
  </worldbody>
  <tendon><spatial name='cord' range='0 2' limited='true'><site site='tip'/><site site='end'/></spatial></tendon>
  <equality><joint name='couple' joint1='elbow' joint2='rail'/></equality>
  <actuator><motor name='motor' joint='elbow' ctrlrange='-1 1'/><motor tendon='cord'/></actuator>
  <sensor><accelerometer name='imu' site='tip'/><tendonpos name='reach' tendon='cord'/></sensor>
  <keyframe><key name='home'/></keyframe></mujoco>";

#[test]
fn info_lists_everything_with_numbers_names_and_units() {
    let folder = Folder::new("info");
    let file = folder.file("scene.xml", SCENE);
    let said = text(&["info", &file]);
    for section in [
        "bodies (4)",
        "joints (3)",
        "geoms (5)",
        "sites (2)",
        "cameras (1)",
        "tendons (1)",
        "equalities (1)",
        "actuators (2)",
        "sensors (2)",
        "keyframes (1)",
    ] {
        assert!(said.contains(section), "{section}\n{said}");
    }
    for part in [
        "torso/geom#1",
        "torso/joint#0",
        "0 .. 1.5 rad",
        "0 .. 2 m",
        "actuator#1",
        "m/s²",
        "couple",
        "N·m",
        "timestep 0.002 s",
        "mass, kg",
    ] {
        assert!(said.contains(part), "{part}\n{said}");
    }
    let row = said.lines().find(|line| line.contains("reach")).expect("the sensor");
    assert!(row.contains("tendonpos") && row.contains("cord") && row.trim_end().ends_with(" m"), "{row}");
}

#[test]
fn info_as_json_has_null_for_missing_names() {
    let folder = Folder::new("info-json");
    let file = folder.file("scene.xml", SCENE);
    let said = text(&["info", &file, "--format", "json"]);
    assert!(said.starts_with(r#"{"name":"scene","sizes":{"bodies":4"#), "{said}");
    assert!(said.contains(r#"{"id":1,"name":null,"body":1,"type":"sphere","size":[0.1,"#), "{said}");
    assert!(
        said.contains(
            r#""name":"elbow","body":2,"type":"hinge","qpos":[7],"dof":[6],"unit":"rad","range":[0.0,1.5]"#
        ),
        "{said}"
    );
    assert!(
        said.contains(
            r#""name":"imu","type":"accelerometer","on":"site","object":0,"sensordata":[0,1,2],"unit":"m/s²""#
        ),
        "{said}"
    );
    let balanced = |open: char, close: char| said.matches(open).count() == said.matches(close).count();
    assert!(balanced('{', '}') && balanced('[', ']'));
}

#[test]
fn pairs_are_explained_for_bodies() {
    let folder = Folder::new("pairs");
    let file = folder.file("scene.xml", SCENE);
    let said = text(&["explain-pair", &file, "world", "torso"]);
    assert!(said.starts_with("2 pairs of geoms, 1 in contact"), "{said}");
    assert!(
        said.contains("floor and torso/geom#1: 1 contact") && said.contains("torso/geom#2: no contact"),
        "{said}"
    );
    let said = text(&["explain-pair", &file, "torso/geom#1", "floor"]);
    assert!(said.contains("geom torso/geom#1 (sphere, body 'torso')"), "{said}");
    let said = text(&["explain-pair", &file, "arm", "floor", "--format", "json"]);
    assert!(said.starts_with(r#"[{"collides":false"#), "{said}");
    assert!(refused(&["explain-pair", &file, "tors0", "floor"]).contains("did you mean 'torso'?"));
}

#[test]
fn contacts_name_geoms_by_their_body_and_tools_get_null() {
    let folder = Folder::new("contacts");
    let file = folder.file("scene.xml", SCENE);
    let said = text(&["contacts", &file]);
    assert!(said.contains("floor -> torso/geom#1"), "{said}");
    let said = text(&["contacts", &file, "--format", "json"]);
    assert!(said.contains(r#""geom2":{"geom":1,"geom_name":null,"body":1,"body_name":"torso""#), "{said}");
}
