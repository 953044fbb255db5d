//! Options of all commands that load a model: how a URDF is read.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use condyle::{LoadOptions, UrdfActuators, UrdfOptions};

#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "URDF")]
pub(crate) struct UrdfArguments {
    /// Folder of a ROS package, for file names such as package://NAME/meshes/link.stl; can be repeated.
    #[arg(long = "package", value_name = "NAME=DIR", value_parser = package)]
    packages: Vec<(String, PathBuf)>,
    /// Look for mesh files only where MuJoCo looks and in the given packages.
    #[arg(long)]
    no_search: bool,
    /// Make joints with <mimic> follow the joint they name, through an equality constraint.
    #[arg(long)]
    mimic: bool,
    /// Which joints to give a motor.
    #[arg(long, value_enum, default_value_t = Actuators::None)]
    actuators: Actuators,
    /// Let the base move freely instead of fixing it to the world.
    #[arg(long)]
    floating_base: bool,
    /// Replace an inertia that no rigid body can have by the nearest possible one, with a warning.
    #[arg(long)]
    repair_inertia: bool,
}

#[derive(Clone, Copy, Debug, Default, ValueEnum)]
enum Actuators {
    /// None.
    #[default]
    None,
    /// Joints with a <transmission> or a command interface in <ros2_control>.
    Transmission,
    /// Joints with an effort limit.
    Effort,
}

fn package(text: &str) -> Result<(String, PathBuf), String> {
    match text.split_once('=') {
        Some((name, folder)) if !name.is_empty() && !folder.is_empty() => {
            Ok((name.to_owned(), folder.into()))
        }
        _ => Err("expected NAME=DIR: the name of the package and its folder".to_owned()),
    }
}

impl UrdfArguments {
    /// Options of loading with these.
    pub(crate) fn load_options(&self) -> LoadOptions {
        LoadOptions::default().urdf(self.options())
    }

    /// The same for the library.
    pub(crate) fn options(&self) -> UrdfOptions {
        UrdfOptions::default()
            .packages(self.packages.clone())
            .search(!self.no_search)
            .mimic(self.mimic)
            .actuators(match self.actuators {
                Actuators::None => UrdfActuators::None,
                Actuators::Transmission => UrdfActuators::Transmission,
                Actuators::Effort => UrdfActuators::Effort,
            })
            .floating_base(self.floating_base)
            .repair_inertia(self.repair_inertia)
    }
}
