//! A robot description for ROS becomes MJCF: text in, text out.

use std::error::Error;

use condyle::{LoadOptions, load_str, model_to_mjcf};

const ROBOT: &str = r#"<robot name="two_link">
  <link name="base"><inertial><mass value="1"/><inertia ixx=".01" iyy=".01" izz=".01" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="arm">
    <inertial><origin xyz="0 0 .2"/><mass value=".5"/><inertia ixx=".01" iyy=".01" izz=".001" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><origin xyz="0 0 .2"/><geometry><cylinder radius=".03" length=".4"/></geometry></collision>
  </link>
  <joint name="lift" type="revolute">
    <parent link="base"/><child link="arm"/><origin xyz="0 0 .1"/><axis xyz="0 1 0"/>
    <limit lower="-1" upper="1" effort="10" velocity="2"/>
  </joint>
</robot>"#;

pub fn main() -> Result<(), Box<dyn Error>> {
    let model = load_str(ROBOT, &LoadOptions::default())?.model;
    let text = model_to_mjcf(&model)?.text;
    println!("{text}");
    let again = load_str(&text, &LoadOptions::default())?.model;
    assert_eq!(again.jnt_range[0], [-1.0, 1.0]);
    Ok(())
}
