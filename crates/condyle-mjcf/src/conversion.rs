//! What a URDF loses, changes or leaves open on its way to MJCF.
//!
//! The reader takes what the format of the reference has room for and says nothing of the rest, as the reference does. Somebody who
//! converts a robot wants to know all of it, so the reader notes whatever it drops (it has no counterpart), changes (it arrives as
//! something else) or assumes (it was not said).

use condyle_base::Location;
use std::fmt;

/// What became of a part of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ConversionKind {
    /// It has no counterpart.
    Dropped,
    /// It arrives as something else.
    Changed,
    /// It was not said.
    Assumed,
}

impl ConversionKind {
    /// The word for it.
    pub fn word(self) -> &'static str {
        match self {
            Self::Dropped => "dropped",
            Self::Changed => "changed",
            Self::Assumed => "assumed",
        }
    }
}

/// One thing to know about a conversion.
#[derive(Clone, Debug, PartialEq)]
pub struct ConversionNote {
    /// What became of it.
    pub kind: ConversionKind,
    /// What it was and what follows.
    pub message: String,
    /// Where it stands.
    pub location: Location,
}

impl ConversionNote {
    /// The note as one JSON object on one line.
    pub fn to_json(&self) -> String {
        let quoted = |text: &str| {
            let mut out = String::new();
            condyle_base::json::string(&mut out, text);
            out
        };
        format!(
            "{{\"kind\":{},\"message\":{},\"file\":{},\"line\":{},\"column\":{}}}",
            quoted(self.kind.word()),
            quoted(&self.message),
            quoted(&self.location.source.name),
            self.location.line,
            self.location.column()
        )
    }
}

impl fmt::Display for ConversionNote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}: {}", self.location, self.kind.word(), self.message)
    }
}

#[cfg(test)]
mod tests {
    use crate::{LoadOptions, read_bytes};

    const ROBOT: &str = r#"<robot name="r">
  <material name="m"><texture filename="a.png"/></material>
  <link name="base"><visual><geometry><box size="1 1 1"/></geometry></visual><sensor/></link>
  <link name="arm">
    <inertial><mass value="1"/><inertia ixx="0" iyy="0" izz="0" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><geometry><mesh filename="package://robot/meshes/arm.stl"/></geometry></collision>
  </link>
  <link name="tip"><collision><geometry><sphere radius="1"/></geometry></collision></link>
  <joint name="shoulder" type="revolute"><parent link="base"/><child link="arm"/>
    <limit lower="1" upper="0" effort="5" velocity="2"/><dynamics friction="1"/><mimic joint="other" multiplier="2"/>
    <safety_controller k_velocity="1"/></joint>
  <joint name="weld" type="fixed"><parent link="arm"/><child link="tip"/></joint>
  <transmission/><gazebo/><mujoco><asset/></mujoco>
</robot>"#;

    fn messages() -> Vec<String> {
        let reading = read_bytes("r.urdf", ROBOT.as_bytes(), &LoadOptions::default());
        reading.notes().iter().map(ToString::to_string).collect()
    }

    #[test]
    fn everything_without_a_counterpart_is_listed_with_its_place() {
        let messages = messages();
        for expected in [
            "r.urdf:2:22: dropped: textures of materials",
            "r.urdf:3:3: dropped: the visual of link 'base'",
            "dropped: <sensor> of link 'base'",
            "dropped: the velocity limit of joint 'shoulder'",
            "dropped: joint 'shoulder' no longer follows 'other'; --mimic keeps it, or add <equality><joint joint1=\"shoulder\" joint2=\"other\" \
             polycoef=\"0 2 0 0 0\"/>",
            "dropped: <safety_controller> of joint 'shoulder'",
            "dropped: <transmission>",
            "dropped: <gazebo>",
            "dropped: <mujoco><asset>",
            "changed: mesh file 'package://robot/meshes/arm.stl' is looked for as 'arm.stl'",
            "changed: effort 5 of joint 'shoulder'",
            "changed: friction of joint 'shoulder'",
            "changed: link 'tip' does not move",
            "assumed: joint 'shoulder' is not limited: lower 1 is above upper 0",
            "assumed: joint 'shoulder' has no <axis>",
            "assumed: the inertia of link 'arm' is all zeros",
            "assumed: link 'base' has no <inertial> and no collision shape",
            "assumed: link 'tip' has no <inertial>: computed",
            "assumed: link 'base' has no parent",
        ] {
            assert_eq!(
                messages.iter().filter(|message| message.contains(expected)).count(),
                1,
                "{expected}\n{messages:#?}"
            );
        }
        assert_eq!(messages.len(), 19, "{messages:#?}");
    }

    #[test]
    fn parts_of_a_fixed_joint_have_no_effect() {
        let text = r#"<robot name="r"><link name="a"/><link name="b"/><joint name="weld" type="fixed"><parent link="a"/><child link="b"/>
            <limit lower="0" effort="1"/></joint></robot>"#;
        let reading = read_bytes("r.urdf", text.as_bytes(), &LoadOptions::default());
        let about_limits: Vec<&str> = reading
            .notes()
            .iter()
            .map(|note| &*note.message)
            .filter(|message| message.contains("limit"))
            .collect();
        assert_eq!(about_limits, ["<limit> of joint 'weld' has no effect: the joint is fixed"]);
    }

    #[test]
    fn an_mjcf_text_has_nothing_to_convert() {
        for text in ["<mujoco/>", "junk"] {
            assert!(read_bytes("m.xml", text.as_bytes(), &LoadOptions::default()).notes().is_empty());
        }
    }
}
