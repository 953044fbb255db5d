//! A robot description for ROS becomes MJCF: one file in, another out. The folder for both is the first argument.

use std::error::Error;
use std::fs;
use std::path::PathBuf;

use condyle::{load, model_to_mjcf};

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
    let folder = std::env::args().nth(1).map(PathBuf::from).filter(|path| path.is_dir());
    let folder = folder.unwrap_or_else(std::env::temp_dir);
    let (source, target) = (folder.join("two_link.urdf"), folder.join("two_link.xml"));
    fs::write(&source, ROBOT)?;
    let model = load(&source)?;
    fs::write(&target, model_to_mjcf(&model)?.text)?;

    // The file stands for itself: it can be edited, and anything that reads MJCF reads it.
    let again = load(&target)?;
    println!("{}", fs::read_to_string(&target)?);
    assert_eq!(again.jnt_range[0], [-1.0, 1.0]);
    assert_eq!(again.nv, model.nv);
    Ok(())
}
