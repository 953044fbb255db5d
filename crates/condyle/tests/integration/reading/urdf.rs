//! URDF files have settings of their own: radians, roll-pitch-yaw about fixed axes, no visual geoms, no folders in mesh names,
//! links without joints fused.

use condyle::ObjectType;

use super::{X, Y, Z, after, same_turn, turn};
use crate::common::{all_near, load_with};

const CUBE: &str = "v -1 -1 -1\nv 1 -1 -1\nv -1 1 -1\nv 1 1 -1\nv -1 -1 1\nv 1 -1 1\nv -1 1 1\nv 1 1 1\n\
    f 1 3 4 2\nf 5 6 8 7\nf 1 2 6 5\nf 3 7 8 4\nf 1 5 7 3\nf 2 4 8 6\n";

const ROBOT: &str = r#"<robot name="r"><link name="base"/>
    <link name="arm"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
      <visual><geometry><sphere radius="9"/></geometry></visual>
      <collision><origin xyz="0 0 .5" rpy=".1 .2 .3"/><geometry><mesh filename="package://some/where/cube.obj"/></geometry></collision></link>
    <link name="hand"><inertial><mass value="2"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>
      <collision><geometry><box size="2 4 6"/></geometry></collision></link>
    <joint name="turn" type="revolute"><parent link="base"/><child link="arm"/><axis xyz="0 1 0"/><limit lower="-1.5" upper="0.5" effort="9" velocity="1"/></joint>
    <joint name="fix" type="fixed"><parent link="arm"/><child link="hand"/><origin xyz="0 0 1"/></joint></robot>"#;

fn robot(extension: &str) -> condyle::Model {
    let text = ROBOT.replace(r#"<robot name="r">"#, &format!(r#"<robot name="r">{extension}"#));
    let loaded = load_with(&text, |options| assert!(options.files.insert("cube.obj", CUBE.as_bytes())));
    loaded.unwrap_or_else(|problem| panic!("{problem}")).model
}

#[test]
fn urdf_files_have_compiler_settings_of_their_own() {
    let model = robot("");
    // Radians pass through, and the limit is one.
    assert_eq!((model.jnt_range[0], model.jnt_limited[0]), ([-1.5, 0.5], 1));
    // The fixed link is fused: world and arm are left, with both masses.
    assert_eq!((model.nbody, model.find(ObjectType::Body, "hand")), (2, None));
    all_near(&model.body_mass, &[0.0, 3.0], 1e-12);
    // The visual sphere is gone, the mesh was found without its folders.
    assert_eq!((model.ngeom, model.nmesh), (2, 1));
    all_near(&model.geom_size[1], &[1.0, 2.0, 3.0], 1e-15);
}

#[test]
fn roll_pitch_and_yaw_of_a_urdf_turn_about_fixed_axes() {
    let model = robot("");
    let degrees = |angle: f64| angle * 180.0 / std::f64::consts::PI;
    let expected = after(turn(degrees(0.3), Z), after(turn(degrees(0.2), Y), turn(degrees(0.1), X)));
    // The mesh of a cube has its own axes at its corners' centre; only the product with them is stored.
    let (quat, mesh) = (model.geom_quat[0], model.mesh_quat[0]);
    same_turn(quat, after(expected, mesh));
}

#[test]
fn a_urdf_can_override_its_compiler_settings() {
    let model = robot(r#"<mujoco><compiler fusestatic="false" discardvisual="false"/></mujoco>"#);
    assert_eq!((model.nbody, model.ngeom), (4, 3));
}
