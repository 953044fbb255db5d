use super::*;
use crate::element::{Key, Sensor};
use condyle_model::{JointType, ObjectType, SensorType, TransmissionType};

/// A body with a hinge, a geom and a motor in a frame of a holder body below the world.
fn replicated(poses: usize) -> Spec {
    let mut spec = Spec::new();
    let world = spec.world();
    let holder = spec.add_body(world);
    let frame = spec.add_frame(holder, None);
    let body = spec.add_body(holder);
    spec.bodies[body].info.name = "b".into();
    spec.bodies[body].frame = Some(frame);
    let joint = spec.add_joint(body, None);
    spec.joints[joint].info.name = "j".into();
    let motor = spec.add_actuator(None);
    spec.actuators[motor].target = "j".into();
    spec.actuators[motor].trntype = TransmissionType::Joint;
    let clock = spec.add_sensor();
    spec.sensors[clock] = Sensor { kind: SensorType::Clock, ..Sensor::default() };
    let copies = Copies { count: poses, offset: [1.0, 0.0, 0.0], euler: [0.0; 3], separator: "-" };
    spec.replicate(world, frame, copies).unwrap();
    spec
}

#[test]
fn copies_are_numbered_and_take_what_refers_to_them() {
    let spec = replicated(2);
    let names: Vec<&str> = spec.bodies.values().map(|body| body.info.name.as_str()).collect();
    assert_eq!(names, ["world", "b-0", "b-1"]);
    let targets: Vec<&str> = spec.actuators.values().map(|actuator| actuator.target.as_str()).collect();
    assert_eq!(targets, ["j-0", "j-1"]);
    assert_eq!(spec.frames.values().map(|frame| frame.pos[0]).collect::<Vec<_>>(), [0.0, 1.0]);
}

#[test]
fn sensors_of_nothing_double_with_every_copy() {
    assert_eq!(replicated(3).sensors.len(), 8);
}

#[test]
fn numbers_have_the_digits_of_the_count() {
    assert_eq!(numbered("", 10, 3), "03");
    assert_eq!(numbered("_", 9, 3), "_3");
}

#[test]
fn too_many_copies_are_refused_before_they_are_made() {
    let mut spec = Spec::new();
    let world = spec.world();
    let holder = spec.add_body(world);
    let frame = spec.add_frame(holder, None);
    let copies = Copies { count: usize::MAX, offset: [0.0; 3], euler: [0.0; 3], separator: "" };
    let result = spec.replicate(world, frame, copies);
    assert_eq!(result, Err(AttachError::TooMany));
}

#[test]
fn a_child_brings_its_classes_keys_and_sensors() {
    let mut child = Spec::new();
    let main = child.main_class();
    child.add_class("soft", main).unwrap();
    let world = child.world();
    let body = child.add_body(world);
    child.bodies[body].info.name = "b".into();
    let joint = child.add_joint(body, None);
    child.joints[joint].info.name = "j".into();
    child.joints[joint].kind = JointType::Slide;
    let sensor = child.add_sensor();
    child.sensors[sensor].kind = SensorType::JointPos;
    child.sensors[sensor].objtype = ObjectType::Joint;
    child.sensors[sensor].objname = "j".into();
    let key = child.add_key();
    child.keys[key] = Key { qpos: vec![5.0], ..Key::default() };
    let mut spec = Spec::new();
    let world = spec.world();
    let frame = spec.add_frame(world, None);
    let origin = spec.add_origin(&child);
    let rename = Rename { prefix: "p-".into(), suffix: String::new() };
    let attached = spec.attach(Target::Frame(frame), &child, Part::Body(body), origin, &rename).unwrap();
    let copy = attached.root.body().unwrap();
    assert_eq!(spec.bodies[copy].info.name, "p-b");
    assert!(spec.find_class("p-soft").is_some() && spec.find_class("p-main").is_some());
    assert_eq!(spec.sensors.values().next().unwrap().objname, "p-j");
    let saved = spec.keys.values().next().unwrap().saved.clone().unwrap();
    let joint = spec.bodies[copy].joints()[0];
    assert_eq!(saved.qpos, Some(vec![(joint, vec![5.0])]));
}

#[test]
fn a_key_of_the_wrong_size_is_reported() {
    let mut child = Spec::new();
    let key = child.add_key();
    child.keys[key].qpos = vec![1.0, 2.0];
    let mut spec = Spec::new();
    let world = spec.world();
    let frame = spec.add_frame(world, None);
    let origin = spec.add_origin(&child);
    let result = spec.attach(Target::Frame(frame), &child, Part::World, origin, &Rename::default());
    assert!(matches!(
        result,
        Err(AttachError::KeySize(KeySizeError { what: "qpos", expected: 0, given: 2, .. }))
    ));
}
