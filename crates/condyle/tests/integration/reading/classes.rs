//! Default classes and `childclass`.

use crate::common::{located_error, model};

/// A model with classes that differ in the contact type of geoms and the damping of joints.
fn with_classes(bodies: &str) -> condyle::Model {
    model(&format!(
        r#"<mujoco><default><default class="A"><geom contype="2"/><joint damping="1"/></default>
        <default class="B"><geom contype="4"/><joint damping="9"/></default></default><worldbody>{bodies}</worldbody></mujoco>"#
    ))
}

#[test]
fn the_class_of_a_body_applies_to_its_elements() {
    let model = with_classes(r#"<body childclass="A"><geom size=".1"/></body><geom size=".1"/>"#);
    let mut types = model.geom_contype.clone();
    types.sort_unstable();
    assert_eq!(types, [1, 2]);
}

#[test]
fn the_class_of_an_element_comes_before_that_of_its_body() {
    assert_eq!(with_classes(r#"<body childclass="A"><geom class="B" size=".1"/></body>"#).geom_contype, [4]);
}

#[test]
fn the_class_of_a_frame_comes_before_that_of_its_body() {
    let model = with_classes(
        r#"<body childclass="A"><frame childclass="B"><geom size=".1"/></frame><geom size=".1"/></body>"#,
    );
    assert_eq!(model.geom_contype, [4, 2]);
}

#[test]
fn the_class_of_a_body_applies_to_bodies_inside() {
    assert_eq!(
        with_classes(r#"<body childclass="A"><body><joint/><geom size=".1"/></body></body>"#).dof_damping,
        [1.0]
    );
}

#[test]
fn the_class_of_a_body_comes_before_that_of_its_parent() {
    let model = with_classes(r#"<body childclass="A"><body childclass="B"><geom size=".1"/></body></body>"#);
    assert_eq!(model.geom_contype, [4]);
}

#[test]
fn a_class_inherits_from_the_class_around_it() {
    let model = model(
        r#"<mujoco><default><default class="robot"><geom contype="5"/><default class="arm"><geom conaffinity="3"/></default></default></default>
        <worldbody><body childclass="arm"><geom size=".1"/></body></worldbody></mujoco>"#,
    );
    assert_eq!((model.geom_contype[0], model.geom_conaffinity[0]), (5, 3));
}

#[test]
fn one_class_serves_geoms_joints_and_sites() {
    let model = model(
        r#"<mujoco><default><default class="R"><geom contype="7"/><joint damping="5"/><site size=".05"/></default></default>
        <worldbody><body childclass="R"><joint/><geom size=".1"/><site/></body></worldbody></mujoco>"#,
    );
    assert_eq!((model.geom_contype[0], model.dof_damping[0], model.site_size[0][0]), (7, 5.0, 0.05));
}

#[test]
fn a_class_reaches_three_bodies_down() {
    let model =
        with_classes(r#"<body childclass="A"><body><body><joint/><geom size=".1"/></body></body></body>"#);
    assert_eq!(model.dof_damping, [1.0]);
}

#[test]
fn a_class_in_the_middle_replaces_the_one_above_for_all_below() {
    let model = with_classes(
        r#"<body childclass="A"><body childclass="B"><body><joint/><geom size=".1"/></body></body></body>"#,
    );
    assert_eq!(model.dof_damping, [9.0]);
}

#[test]
fn frames_inherit_and_override_classes() {
    let model = with_classes(
        r#"<body><frame childclass="A"><frame><geom size=".1"/></frame><frame childclass="B"><geom size=".1"/></frame></frame></body>"#,
    );
    assert_eq!(model.geom_contype, [2, 4]);
}

#[test]
fn an_undefined_class_of_a_body_is_an_error_at_its_place() {
    let text =
        r#"<mujoco><worldbody><body childclass="nonexistent"><geom size=".1"/></body></worldbody></mujoco>"#;
    assert!(located_error(text).contains("nonexistent"));
}

#[test]
fn a_class_on_an_empty_body_is_fine() {
    let model = with_classes(r#"<body childclass="A" pos="0 0 1"/>"#);
    assert_eq!((model.nbody, model.ngeom), (2, 0));
}

#[test]
fn an_undefined_class_of_a_frame_is_an_error_at_its_place() {
    let text = r#"<mujoco><worldbody><body><frame childclass="ghost"><geom size=".1"/></frame></body></worldbody></mujoco>"#;
    assert!(located_error(text).contains("ghost"));
}

#[test]
fn the_world_takes_no_class_and_classes_stay_inside_the_tree() {
    assert!(
        located_error(r#"<mujoco><default><default class="A"/></default><worldbody class="A"/></mujoco>"#)
            .contains("class")
    );
    let model = model(
        r#"<mujoco><default><default class="A"><general gear="7"/><tendon damping="3"/></default></default><worldbody><body childclass="A"><joint name="j"/><geom size=".1"/></body></worldbody>
        <tendon><fixed><joint joint="j" coef="1"/></fixed></tendon><actuator><motor joint="j"/></actuator></mujoco>"#,
    );
    assert_eq!((model.actuator_gear[0][0], model.tendon_damping[0]), (1.0, 0.0));
}
