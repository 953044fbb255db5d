//! Orientations of sites, in every form MJCF has.

use std::f64::consts::FRAC_PI_2;

use condyle::model::GeomType;

use super::{X, Y, Z, after, same_turn, turn};
use crate::common::{load_with, model, refused};

fn site_with(compiler: &str, orientation: &str) -> [f64; 4] {
    let text = format!(
        r#"<mujoco>{compiler}<worldbody><body><geom size=".1" mass="1"/><site {orientation}/></body></worldbody></mujoco>"#
    );
    model(&text).site_quat[0]
}

fn site(orientation: &str) -> [f64; 4] {
    site_with("", orientation)
}

#[test]
fn a_site_takes_euler_angles_in_degrees() {
    same_turn(site(r#"euler="90 0 0""#), turn(90.0, X));
}

#[test]
fn a_site_takes_euler_angles_in_radians() {
    same_turn(
        site_with(r#"<compiler angle="radian"/>"#, &format!(r#"euler="{FRAC_PI_2} 0 0""#)),
        turn(90.0, X),
    );
}

#[test]
fn a_site_follows_the_euler_sequence() {
    let quat = site_with(r#"<compiler eulerseq="ZYX"/>"#, r#"euler="30 20 10""#);
    same_turn(quat, after(turn(10.0, X), after(turn(20.0, Y), turn(30.0, Z))));
}

#[test]
fn a_site_takes_axis_and_angle_in_degrees() {
    same_turn(site(r#"axisangle="0 0 1 90""#), turn(90.0, Z));
}

#[test]
fn a_site_takes_axis_and_angle_in_radians() {
    same_turn(
        site_with(r#"<compiler angle="radian"/>"#, &format!(r#"axisangle="0 1 0 {FRAC_PI_2}""#)),
        turn(90.0, Y),
    );
}

#[test]
fn a_site_takes_two_axes() {
    same_turn(site(r#"xyaxes="0 1 0 -1 0 0""#), turn(90.0, Z));
}

#[test]
fn the_second_axis_of_a_site_is_made_orthogonal_to_the_first() {
    same_turn(site(r#"xyaxes="1 1 0 0 1 0""#), turn(45.0, Z));
}

#[test]
fn a_site_takes_its_z_axis() {
    same_turn(site(r#"zaxis="1 0 0""#), turn(90.0, Y));
}

#[test]
fn a_z_axis_that_is_up_turns_nothing() {
    same_turn(site(r#"zaxis="0 0 1""#), turn(0.0, X));
}

#[test]
fn a_z_axis_that_is_down_turns_about_x() {
    same_turn(site(r#"zaxis="0 0 -1""#), turn(180.0, X));
}

#[test]
fn a_site_takes_a_quaternion() {
    let quat = site(r#"quat="0.7071068 0 0.7071068 0""#);
    crate::common::all_near(&quat, &turn(90.0, Y), 1e-7);
}

#[test]
fn a_site_takes_shape_from_its_class_and_orientation_from_itself() {
    let model = model(
        r#"<mujoco><default><default class="s"><site type="cylinder" size=".02 .01"/></default></default>
        <worldbody><body><geom size=".1"/><site class="s" euler="0 0 90"/></body></worldbody></mujoco>"#,
    );
    assert_eq!(model.site_type[0], GeomType::Cylinder as i32);
    assert_eq!(model.site_size[0][..2], [0.02, 0.01]);
    same_turn(model.site_quat[0], turn(90.0, Z));
}

#[test]
fn two_orientations_of_a_site_are_an_error_and_lenient_takes_them_by_rank() {
    let ranked = [
        (r#"euler="90 0 0""#, turn(90.0, X)),
        (r#"axisangle="0 1 0 90""#, turn(90.0, Y)),
        (r#"xyaxes="0 1 0 -1 0 0""#, turn(90.0, Z)),
        (r#"zaxis="0 0 -1""#, turn(180.0, X)),
        (r#"quat="1 0 0 0""#, turn(0.0, X)),
    ];
    for (rank, (first, expected)) in ranked.iter().enumerate() {
        for (second, _) in &ranked[rank + 1..] {
            let text = format!("<mujoco><worldbody><site {second} {first}/></worldbody></mujoco>");
            assert!(refused(&text).message.contains("orientation"));
            let loaded = load_with(&text, |options| options.lenient = true).unwrap();
            assert_eq!(loaded.warnings.len(), 1);
            same_turn(loaded.model.site_quat[0], *expected);
        }
    }
}

#[test]
fn a_site_in_a_frame_is_turned_by_both() {
    let text = r#"<mujoco><worldbody><body><frame euler="0 0 90"><site euler="90 0 0"/></frame></body></worldbody></mujoco>"#;
    same_turn(model(text).site_quat[0], after(turn(90.0, Z), turn(90.0, X)));
}

#[test]
fn an_axis_of_any_length_turns_by_its_angle() {
    same_turn(site(r#"axisangle="0 0 3 90""#), turn(90.0, Z));
}

#[test]
fn a_z_axis_of_any_length_gives_its_direction() {
    same_turn(site(r#"zaxis="0 0 5""#), turn(0.0, X));
    same_turn(site(r#"zaxis="5 0 0""#), turn(90.0, Y));
}
