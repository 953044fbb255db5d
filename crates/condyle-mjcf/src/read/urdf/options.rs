//! How a URDF is read, where MuJoCo's way is not the only one.

use std::path::PathBuf;

/// What becomes of a URDF beyond what MuJoCo makes of it. The default adds nothing: a file that MuJoCo loads gives MuJoCo's model.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct UrdfOptions {
    /// Folders of packages by their names, for `package://NAME/…`. They come before the places that are searched.
    pub packages: Vec<(String, PathBuf)>,
    /// Look for mesh files that are not where MuJoCo looks for them: in the folders of `ROS_PACKAGE_PATH` and `AMENT_PREFIX_PATH`,
    /// and in the folders around the model. On by default.
    pub search: bool,
    /// Joints with `<mimic>` follow the other joint, by an equality constraint.
    pub mimic: bool,
    /// Which joints get an actuator.
    pub actuators: UrdfActuators,
    /// Links without a parent move freely instead of being fixed to the world.
    pub floating_base: bool,
    /// Links whose inertia no rigid body can have get the nearest that is possible, with a warning, instead of an error.
    pub repair_inertia: bool,
}

condyle_base::setters!(UrdfOptions {
    packages: Vec<(String, PathBuf)>,
    search: bool,
    mimic: bool,
    actuators: UrdfActuators,
    floating_base: bool,
    repair_inertia: bool,
});

impl Default for UrdfOptions {
    fn default() -> Self {
        Self {
            packages: Vec::new(),
            search: true,
            mimic: false,
            actuators: UrdfActuators::None,
            floating_base: false,
            repair_inertia: false,
        }
    }
}

/// Which joints of a URDF get an actuator: a motor whose control is the force or torque of the joint, limited to its effort.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum UrdfActuators {
    /// No joint.
    #[default]
    None,
    /// Joints named in a `<transmission>` or with a command interface in `<ros2_control>`.
    Transmission,
    /// Joints whose `<limit>` has an effort.
    Effort,
}
