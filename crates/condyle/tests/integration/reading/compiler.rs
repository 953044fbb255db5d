//! Settings of `<compiler>`.

use std::f64::consts::PI;

use condyle::{Files, LoadError, Loaded};

use super::{X, Y, Z, after, same_turn, turn};
use crate::common::{all_near, load_with, located_error, model, near};

/// A model with compiler settings and a world.
fn compiled(settings: &str, bodies: &str) -> condyle::Model {
    model(&format!("<mujoco><compiler {settings}/><worldbody>{bodies}</worldbody></mujoco>"))
}

#[test]
fn angles_are_degrees_unless_told_otherwise() {
    let bodies = r#"<body euler="90 0 0"><joint range="-90 90" ref="30" springref="60"/><geom size=".1" axisangle="0 0 1 45"/>
        <body><joint type="ball" range="0 60"/><geom size=".1" euler="0 90 0"/></body></body>"#;
    for settings in ["", r#"angle="degree""#] {
        let model = compiled(settings, bodies);
        all_near(&model.jnt_range[0], &[-PI / 2.0, PI / 2.0], 1e-15);
        all_near(&model.jnt_range[1], &[0.0, PI / 3.0], 1e-15);
        near(model.qpos0[0], PI / 6.0, 1e-15);
        near(model.qpos_spring[0], PI / 3.0, 1e-15);
        same_turn(model.body_quat[1], turn(90.0, X));
        same_turn(model.geom_quat[0], turn(45.0, Z));
        same_turn(model.geom_quat[1], turn(90.0, Y));
    }
}

#[test]
fn radians_pass_through_unchanged() {
    let model = compiled(
        r#"angle="radian""#,
        r#"<body euler="1.5 0 0"><joint range="-1.57 1.57" ref=".3" springref=".6"/><geom size=".1" axisangle="0 0 1 .5"/></body>"#,
    );
    assert_eq!(model.jnt_range[0], [-1.57, 1.57]);
    assert_eq!((model.qpos0[0], model.qpos_spring[0]), (0.3, 0.6));
    same_turn(model.body_quat[1], turn(1.5 * 180.0 / PI, X));
    same_turn(model.geom_quat[0], turn(0.5 * 180.0 / PI, Z));
}

#[test]
fn slides_and_free_joints_have_no_angles() {
    for angle in ["degree", "radian"] {
        let model = compiled(
            &format!(r#"angle="{angle}""#),
            r#"<body><joint type="slide" range="-90 90" ref="30" springref="60"/><geom size=".1"/></body>
               <body pos="10 20 30"><freejoint/><geom size=".1"/></body>"#,
        );
        assert_eq!(model.jnt_range[0], [-90.0, 90.0]);
        assert_eq!((model.qpos0[0], model.qpos_spring[0]), (30.0, 60.0));
        assert_eq!(model.jnt_range[1], [0.0, 0.0]);
        assert_eq!(model.qpos0[1..4], [10.0, 20.0, 30.0]);
    }
}

#[test]
fn uppercase_euler_letters_turn_about_fixed_axes() {
    let model = compiled(r#"eulerseq="ZYX""#, r#"<body euler="10 20 30"><geom size=".1"/></body>"#);
    // About fixed axes the first turn is applied first.
    same_turn(model.body_quat[1], after(turn(30.0, X), after(turn(20.0, Y), turn(10.0, Z))));
    let mixed = compiled(r#"eulerseq="XYz""#, r#"<body euler="10 20 30"><geom size=".1"/></body>"#);
    same_turn(mixed.body_quat[1], after(after(turn(20.0, Y), turn(10.0, X)), turn(30.0, Z)));
}

#[test]
fn euler_angles_turn_about_moving_axes_by_default() {
    let bodies = r#"<body euler="10 20 30"><geom size=".1"/></body>"#;
    let expected = after(turn(10.0, X), after(turn(20.0, Y), turn(30.0, Z)));
    for settings in ["", r#"eulerseq="xyz""#] {
        same_turn(compiled(settings, bodies).body_quat[1], expected);
    }
}

#[test]
fn an_euler_sequence_has_three_letters() {
    for sequence in ["xy", "xyzx"] {
        let text = format!(r#"<mujoco><compiler eulerseq="{sequence}"/></mujoco>"#);
        assert!(located_error(&text).contains("three axes"));
    }
    // Wrong letters matter only where an orientation needs them.
    assert!(load_with(r#"<mujoco><compiler eulerseq="abc"/></mujoco>"#, |_| {}).unwrap().warnings.len() == 1);
    let text = r#"<mujoco><compiler eulerseq="abc"/><worldbody><site euler="1 2 3"/></worldbody></mujoco>"#;
    assert!(located_error(text).contains("euler"));
}

/// A cube of side 2 times `scale`.
fn cube(scale: f64) -> String {
    let mut text = String::new();
    for corner in 0..8 {
        let part = |bit: usize| if corner >> bit & 1 == 0 { -scale } else { scale };
        text += &format!("v {} {} {}\n", part(0), part(1), part(2));
    }
    text + "f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n"
}

/// A texture in the reference's own format: width, height, then pixels.
fn texture(width: i32, height: i32) -> Vec<u8> {
    let mut bytes = [width.to_le_bytes(), height.to_le_bytes()].concat();
    bytes.resize(8 + 3 * (width * height) as usize, 7);
    bytes
}

/// Load with meshes of different sizes and textures of different widths in three folders.
fn with_assets(text: &str) -> Result<Loaded, LoadError> {
    load_with(text, |options| {
        options.files = Files::without_disk();
        for (folder, scale, width) in [("", 1.0, 1), ("meshes/", 2.0, 2), ("data/", 3.0, 3)] {
            assert!(options.files.insert(&format!("{folder}box.obj"), cube(scale).as_bytes()));
            assert!(options.files.insert(&format!("{folder}t.bin"), texture(width, 1)));
        }
    })
}

/// Mesh half size and texture width that a model ends up with.
fn chosen(settings: &str) -> (f64, i32) {
    let text = format!(
        r#"<mujoco>{settings}<asset><mesh file="box.obj"/><texture name="t" type="2d" file="t.bin"/></asset>
        <worldbody><geom type="mesh" mesh="box"/></worldbody></mujoco>"#
    );
    let model = with_assets(&text).unwrap_or_else(|problem| panic!("{problem}")).model;
    ((model.geom_aabb[0][3] * 1e6).round() / 1e6, model.tex_width[0])
}

#[test]
fn meshes_are_looked_up_in_the_mesh_folder() {
    assert_eq!(chosen(""), (1.0, 1));
    for folder in ["meshes", "meshes/"] {
        assert_eq!(chosen(&format!(r#"<compiler meshdir="{folder}"/>"#)), (2.0, 1));
    }
}

#[test]
fn special_asset_folders_come_before_the_general_one() {
    assert_eq!(chosen(r#"<compiler assetdir="data/"/>"#), (3.0, 3));
    assert_eq!(chosen(r#"<compiler assetdir="data/" meshdir="meshes/"/>"#), (2.0, 3));
    assert_eq!(chosen(r#"<compiler assetdir="data/"/><compiler meshdir="meshes/"/>"#), (2.0, 3));
    assert_eq!(chosen(r#"<compiler assetdir="data/" texturedir="meshes/"/>"#), (3.0, 2));
}

#[test]
fn a_later_general_asset_folder_replaces_an_earlier_special_one() {
    assert_eq!(chosen(r#"<compiler meshdir="meshes/"/><compiler assetdir="data/"/>"#), (3.0, 3));
}

#[test]
fn a_range_is_a_limit_unless_told_otherwise() {
    let bodies = r#"<body><joint range="-1 1"/><joint axis="1 0 0"/><joint axis="0 1 0" range="-1 1" limited="false"/><geom size=".1"/></body>"#;
    for settings in ["", r#"autolimits="true""#] {
        assert_eq!(compiled(settings, bodies).jnt_limited, [1, 0, 0]);
    }
    // Without the rule a range needs the word that goes with it.
    let text = format!(r#"<mujoco><compiler autolimits="false"/><worldbody>{bodies}</worldbody></mujoco>"#);
    assert!(located_error(&text).contains("limited"));
}

#[test]
fn ranges_of_tendons_and_actuators_are_limits_too() {
    let model = model(
        r#"<mujoco><worldbody><body><joint name="j"/><geom size=".1"/></body></worldbody>
        <tendon><fixed range="-1 1"><joint joint="j" coef="1"/></fixed><fixed><joint joint="j" coef="1"/></fixed></tendon>
        <actuator><general joint="j" ctrlrange="-1 1" forcerange="-1 1" dyntype="integrator" actrange="-1 1"/><general joint="j"/></actuator></mujoco>"#,
    );
    assert_eq!(model.tendon_limited, [1, 0]);
    for limited in [&model.actuator_ctrllimited, &model.actuator_forcelimited, &model.actuator_actlimited] {
        assert_eq!(**limited, [1, 0]);
    }
}

#[test]
fn without_inertia_from_geoms_a_body_without_inertial_has_no_mass() {
    let bodies = r#"<body><geom size=".1" mass="3"/></body>
        <body><joint/><inertial pos="0 0 0" mass="2" diaginertia="1 1 1"/><geom size=".1" mass="3"/></body>"#;
    let model = compiled(r#"inertiafromgeom="false""#, bodies);
    assert_eq!(model.body_mass, [0.0, 0.0, 2.0]);
    assert_eq!(model.body_inertia[1], [0.0; 3]);
}

#[test]
fn an_inertial_comes_before_the_geoms_unless_told_otherwise() {
    let bodies = r#"<body><geom size=".1" mass="3"/></body>
        <body><inertial pos="0 0 0" mass="2" diaginertia="1 1 1"/><geom size=".1" mass="3"/></body>"#;
    for settings in ["", r#"inertiafromgeom="auto""#] {
        let model = compiled(settings, bodies);
        all_near(&model.body_mass, &[0.0, 3.0, 2.0], 1e-15);
        all_near(&model.body_inertia[1], &[0.4 * 3.0 * 0.01; 3], 1e-15);
        assert_eq!(model.body_inertia[2], [1.0; 3]);
    }
    all_near(&compiled(r#"inertiafromgeom="true""#, bodies).body_mass, &[0.0, 3.0, 3.0], 1e-15);
}

#[test]
fn the_total_mass_can_be_prescribed() {
    let bodies = r#"<body><freejoint/><geom size=".1" mass="1"/></body><body pos="1 0 0"><freejoint/><geom size=".2" mass="3"/></body>"#;
    let plain = compiled("", bodies);
    let model = compiled(r#"settotalmass="10""#, bodies);
    near(model.body_mass.iter().sum(), 10.0, 1e-12);
    near(model.body_mass[2] / model.body_mass[1], 3.0, 1e-12);
    near(model.body_inertia[1][0], 2.5 * plain.body_inertia[1][0], 1e-15);
}

#[test]
fn impossible_inertias_are_balanced_on_request() {
    let bodies = r#"<body><inertial pos="0 0 0" mass="1" diaginertia="1 1 10"/></body>"#;
    assert_eq!(compiled(r#"balanceinertia="true""#, bodies).body_inertia[1], [4.0; 3]);
    assert!(located_error(&format!("<mujoco><worldbody>{bodies}</worldbody></mujoco>")).contains("inertia"));
}

#[test]
fn masses_and_inertias_have_lower_bounds_on_request() {
    let bodies = r#"<body><inertial pos="0 0 0" mass=".001" diaginertia=".001 .001 .001"/></body><body><inertial pos="0 0 0" mass="5" diaginertia="2 2 2"/></body>"#;
    let model = compiled(r#"boundmass=".01" boundinertia=".002""#, bodies);
    assert_eq!(model.body_mass, [0.0, 0.01, 5.0]);
    assert_eq!((model.body_inertia[1], model.body_inertia[2]), ([0.002; 3], [2.0; 3]));
}

#[test]
fn global_coordinates_are_refused_with_the_version_that_removed_them() {
    let message = located_error(r#"<mujoco><compiler coordinate="global"/></mujoco>"#);
    assert!(message.contains("global") && message.contains("2.3.4"), "{message}");
    compiled(r#"coordinate="local""#, "");
}

#[test]
fn unset_compiler_settings_are_the_defaults_written_out() {
    let bodies = r#"<body euler="90 0 0" pos="1 2 3"><freejoint/><geom type="box" size=".1 .2 .3" quat="1 1 0 0"/></body>"#;
    let written = r#"angle="degree" eulerseq="xyz" autolimits="true" inertiafromgeom="auto" boundmass="0" boundinertia="0"
        balanceinertia="false" settotalmass="-1" strippath="false" discardvisual="false" fusestatic="false" coordinate="local""#;
    assert_eq!(
        condyle::model::mjb::write(&compiled("", bodies)),
        condyle::model::mjb::write(&compiled(written, bodies))
    );
}
