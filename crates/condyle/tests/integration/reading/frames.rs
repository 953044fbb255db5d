//! `<frame>`: a pose applied to everything inside.

use condyle::model::mjb;

use super::{X, Z, after, same_turn, turn};
use crate::common::{all_near, load_with, model};

/// A model whose only body holds `content`.
fn body(content: &str) -> condyle::Model {
    model(&format!("<mujoco><worldbody><body>{content}</body></worldbody></mujoco>"))
}

#[track_caller]
fn geom_at(content: &str, expected: [f64; 3]) {
    all_near(&body(content).geom_pos[0], &expected, 1e-12);
}

#[test]
fn a_frame_moves_a_geom() {
    geom_at(r#"<frame pos="1 0 0"><geom size=".1" pos="0 0 0"/></frame>"#, [1.0, 0.0, 0.0]);
}

#[test]
fn a_frame_turns_a_geom() {
    geom_at(r#"<frame euler="0 0 90"><geom size=".1" pos="1 0 0"/></frame>"#, [0.0, 1.0, 0.0]);
}

#[test]
fn a_frame_turns_before_it_moves() {
    geom_at(r#"<frame pos="1 0 0" euler="0 0 90"><geom size=".1" pos="1 0 0"/></frame>"#, [1.0, 1.0, 0.0]);
}

#[test]
fn frames_nest() {
    geom_at(r#"<frame pos="1 0 0"><frame pos="0 1 0"><geom size=".1"/></frame></frame>"#, [1.0, 1.0, 0.0]);
}

#[test]
fn frames_nest_three_deep() {
    geom_at(
        r#"<frame pos="1 0 0"><frame pos="0 1 0"><frame pos="0 0 1"><geom size=".1"/></frame></frame></frame>"#,
        [1.0, 1.0, 1.0],
    );
}

#[test]
fn a_frame_moves_a_body() {
    let model = model(
        r#"<mujoco><worldbody><frame pos="2 0 0"><body pos="1 0 0"><geom size=".1"/></body></frame></worldbody></mujoco>"#,
    );
    assert_eq!(model.body_pos[1], [3.0, 0.0, 0.0]);
}

#[test]
fn a_frame_moves_the_ends_of_a_capsule() {
    geom_at(
        r#"<frame pos="1 0 0"><geom type="capsule" fromto="0 0 0 0 0 1" size=".1"/></frame>"#,
        [1.0, 0.0, 0.5],
    );
}

#[test]
fn a_frame_turns_the_ends_of_a_capsule() {
    let model =
        body(r#"<frame euler="0 90 0"><geom type="capsule" fromto="0 0 0 0 0 1" size=".1"/></frame>"#);
    all_near(&model.geom_pos[0], &[0.5, 0.0, 0.0], 1e-12);
    // The axis of the capsule is the z axis of the geom, which now lies along x.
    let [w, x, y, z] = model.geom_quat[0];
    all_near(&[2.0 * (y * z - w * x), w * w - x * x - y * y + z * z], &[0.0; 2], 1e-12);
    crate::common::near((2.0 * (x * z + w * y)).abs(), 1.0, 1e-12);
    assert_eq!(model.geom_size[0][1], 0.5);
}

#[test]
fn a_frame_moves_a_site() {
    assert_eq!(body(r#"<frame pos=".5 0 0"><site pos="0 0 0"/></frame>"#).site_pos[0], [0.5, 0.0, 0.0]);
}

#[test]
fn an_empty_frame_does_nothing() {
    let content = r#"<geom size=".1" pos="0 2 0"/>"#;
    let with = body(&format!(r#"<frame pos="1 0 0"/>{content}"#));
    assert_eq!(mjb::write(&with), mjb::write(&body(content)));
}

#[test]
fn a_frame_stands_in_the_world_too() {
    let model =
        model(r#"<mujoco><worldbody><frame pos="1 0 0"><geom size=".1"/></frame></worldbody></mujoco>"#);
    assert_eq!(model.geom_pos[0], [1.0, 0.0, 0.0]);
}

#[test]
fn a_frame_without_position_is_at_the_origin() {
    let model = body(r#"<frame euler="0 0 90"><geom size=".1" pos="1 0 0"/><geom size=".1"/></frame>"#);
    all_near(&model.geom_pos[0], &[0.0, 1.0, 0.0], 1e-12);
    assert_eq!(model.geom_pos[1], [0.0; 3]);
}

#[test]
fn a_frame_without_orientation_is_not_turned() {
    let model = body(r#"<frame pos="3 0 0"><geom size=".1" pos="0 2 0"/></frame>"#);
    assert_eq!((model.geom_pos[0], model.geom_quat[0]), ([3.0, 2.0, 0.0], [1.0, 0.0, 0.0, 0.0]));
}

#[test]
fn a_frame_can_be_given_by_two_axes() {
    geom_at(r#"<frame xyaxes="0 1 0 -1 0 0"><geom size=".1" pos="1 0 0"/></frame>"#, [0.0, 1.0, 0.0]);
}

#[test]
fn a_frame_can_be_given_by_its_z_axis() {
    geom_at(r#"<frame zaxis="1 0 0"><geom size=".1" pos="0 0 1"/></frame>"#, [1.0, 0.0, 0.0]);
}

#[test]
fn a_frame_can_be_given_by_axis_and_angle() {
    geom_at(r#"<frame axisangle="0 0 1 90"><geom size=".1" pos="1 0 0"/></frame>"#, [0.0, 1.0, 0.0]);
}

#[test]
fn a_joint_inside_a_frame_is_moved_by_it() {
    let model = body(
        r#"<frame pos="1 0 0" euler="0 0 90"><joint pos="1 0 0" axis="1 0 0"/></frame><geom size=".1"/>"#,
    );
    all_near(&model.jnt_pos[0], &[1.0, 1.0, 0.0], 1e-12);
    all_near(&model.jnt_axis[0], &[0.0, 1.0, 0.0], 1e-12);
}

/// Words of the warnings of a body with `content`.
fn warnings(content: &str) -> (condyle::Model, String) {
    let loaded =
        load_with(&format!("<mujoco><worldbody><body>{content}</body></worldbody></mujoco>"), |_| {})
            .unwrap();
    let words = loaded.warnings.iter().map(|one| one.message.as_str()).collect::<Vec<_>>().join("; ");
    (loaded.model, words)
}

#[test]
fn a_free_joint_inside_a_frame_is_accepted_with_a_warning() {
    let (model, words) = warnings(r#"<frame pos="1 0 0"><freejoint/></frame><geom size=".1"/>"#);
    assert_eq!((model.nq, model.qpos0[0]), (7, 0.0));
    assert!(words.contains("freejoint"), "{words}");
}

#[test]
fn an_inertial_inside_a_frame_is_accepted_unmoved_with_a_warning() {
    let (model, words) =
        warnings(r#"<frame pos="1 0 0"><inertial pos="0 0 1" mass="1" diaginertia="1 1 1"/></frame>"#);
    assert_eq!(model.body_ipos[1], [0.0, 0.0, 1.0]);
    assert!(words.contains("inertial"), "{words}");
}

#[test]
fn models_without_frames_are_those_with_frames_that_do_nothing() {
    let content = r#"<joint axis="1 2 3"/><geom size=".1" pos="1 2 3" euler="10 20 30"/><site pos=".1 0 0"/><body pos="0 0 1"><joint/><geom size=".2"/></body>"#;
    assert_eq!(mjb::write(&body(content)), mjb::write(&body(&format!("<frame>{content}</frame>"))));
}

#[test]
fn orientations_of_frame_and_geom_are_composed() {
    let model = body(r#"<frame euler="0 0 90"><geom type="box" size=".1 .2 .3" euler="90 0 0"/></frame>"#);
    same_turn(model.geom_quat[0], after(turn(90.0, Z), turn(90.0, X)));
}

#[test]
fn frames_use_the_angle_of_the_compiler() {
    let model = model(
        r#"<mujoco><compiler angle="radian"/><worldbody><frame euler="0 0 1.5707963267948966"><geom size=".1" pos="1 0 0"/></frame></worldbody></mujoco>"#,
    );
    all_near(&model.geom_pos[0], &[0.0, 1.0, 0.0], 1e-12);
}
