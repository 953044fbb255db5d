//! What a URDF loses, changes or leaves open on its way to MJCF.
//!
//! The reader takes what the format of the reference has room for and is silent about the rest, as the reference is. Somebody who
//! converts a robot wants to know all of it, so this walks the text once more and lists everything that was dropped (it has no
//! counterpart), changed (it arrives as something else) or assumed (it was not said).

use crate::limits::Limits;
use crate::read::urdf_options::{UrdfActuators, UrdfOptions};
use crate::report::Report;
use crate::xml::{Element, NodeId, Tree, parse};
use condyle_model::{Location, SourceFile, files};
use std::collections::HashMap;
use std::fmt;

/// What became of a part of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
            condyle_model::json::string(&mut out, text);
            out
        };
        format!(
            "{{\"fate\":{},\"message\":{},\"file\":{},\"line\":{},\"column\":{}}}",
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

/// All notes about a URDF text, in its order; none for a text that is not a URDF.
pub fn conversion_notes(name: &str, bytes: &[u8]) -> Vec<ConversionNote> {
    conversion_notes_with(name, bytes, &UrdfOptions::default())
}

/// [`conversion_notes`] for a URDF that is read with options, which keep some of what is dropped otherwise.
pub fn conversion_notes_with(name: &str, bytes: &[u8], options: &UrdfOptions) -> Vec<ConversionNote> {
    let limits = Limits::default();
    let mut tree = Tree::default();
    let mut report = Report::new(limits.diagnostics);
    let source = SourceFile::new(name, bytes);
    let Some(root) = parse(&mut tree, &source, 0, &limits, &mut report) else { return Vec::new() };
    if !tree.get(root).name.eq_ignore_ascii_case("robot") {
        return Vec::new();
    }
    let mut walk = Walk { tree: &tree, settings: Settings::new(&tree, root), options, notes: Vec::new() };
    walk.robot(root);
    walk.notes.sort_by_key(|note| note.location.start);
    walk.notes
}

/// Compiler settings that decide what is kept.
struct Settings {
    strip_path: bool,
    discard_visual: bool,
    fuse_static: bool,
}

impl Settings {
    fn new(tree: &Tree, root: NodeId) -> Self {
        let compiler = tree
            .child(root, "mujoco")
            .and_then(|(node, _)| tree.child(node, "compiler"))
            .map(|(_, element)| element);
        let flag = |name: &str| compiler.and_then(|element| element.attribute(name)) != Some("false");
        Self {
            strip_path: flag("strippath"),
            discard_visual: flag("discardvisual"),
            fuse_static: flag("fusestatic"),
        }
    }
}

struct Walk<'a> {
    tree: &'a Tree,
    settings: Settings,
    options: &'a UrdfOptions,
    notes: Vec<ConversionNote>,
}

fn name_of(element: &Element) -> &str {
    element.attribute("name").unwrap_or_default()
}

impl Walk<'_> {
    fn say(&mut self, kind: ConversionKind, location: Location, message: impl Into<String>) {
        self.notes.push(ConversionNote { kind, message: message.into(), location });
    }

    fn robot(&mut self, root: NodeId) {
        let tree = self.tree;
        let mut parent_of: HashMap<&str, (&str, NodeId)> = HashMap::new();
        for (node, joint) in tree.children_named(root, "joint") {
            let end = |name| tree.child(node, name).and_then(|(_, end)| end.attribute("link"));
            if let (Some(parent), Some(child)) = (end("parent"), end("child")) {
                parent_of.insert(child, (parent, node));
            }
            self.joint(node, joint);
        }
        for (node, element) in tree.children(root) {
            match &*element.name {
                "link" => {
                    self.link(node, element);
                    if !parent_of.contains_key(name_of(element)) && name_of(element) != "world" {
                        let how =
                            if self.options.floating_base { "moves freely" } else { "is fixed to the world" };
                        let message = format!("link '{}' has no parent: it {how}", name_of(element));
                        self.say(ConversionKind::Assumed, element.location(), message);
                    }
                }
                "joint" => {}
                "material" => self.material(node),
                "mujoco" => {
                    for (_, child) in tree.children(node) {
                        if !matches!(&*child.name, "compiler" | "option" | "size") {
                            let message =
                                format!("<mujoco><{}>: only compiler, option and size are read", child.name);
                            self.say(ConversionKind::Dropped, child.location(), message);
                        }
                    }
                }
                "transmission" | "ros2_control" if self.options.actuators != UrdfActuators::None => {
                    let message =
                        format!("<{}> becomes motors whose controls are the joints' forces", element.name);
                    self.say(ConversionKind::Changed, element.location(), message);
                }
                other => {
                    let advice = match other {
                        "transmission" | "ros2_control" => "; --actuators makes motors",
                        "gazebo" => "; simulator settings belong in <option> and <default>",
                        "sensor" => "; add <sensor> elements",
                        _ => "",
                    };
                    let message = format!("<{other}> has no counterpart{advice}");
                    self.say(ConversionKind::Dropped, element.location(), message);
                }
            }
        }
    }

    fn link(&mut self, node: NodeId, link: &Element) {
        let tree = self.tree;
        let name = name_of(link);
        let (mut visuals, mut collisions) = (0, 0);
        for (child, element) in tree.children(node) {
            match &*element.name {
                "inertial" => self.inertial(child, name),
                "visual" => {
                    visuals += 1;
                    if let Some((material, _)) = tree.child(child, "material") {
                        self.material(material);
                    }
                    if !self.settings.discard_visual {
                        self.geometry(child);
                    }
                }
                "collision" => {
                    collisions += 1;
                    self.geometry(child);
                }
                other => {
                    let message = format!("<{other}> of link '{name}' has no counterpart");
                    self.say(ConversionKind::Dropped, element.location(), message);
                }
            }
        }
        if visuals > 0 && self.settings.discard_visual {
            let what = if visuals == 1 { "the visual".to_owned() } else { format!("{visuals} visuals") };
            let message = format!(
                "{what} of link '{name}', with meshes and textures; <mujoco><compiler discardvisual=\"false\"/></mujoco> keeps them"
            );
            self.say(ConversionKind::Dropped, link.location(), message);
        }
        if tree.child(node, "inertial").is_none() && name != "world" {
            let message = if collisions > 0 {
                format!("link '{name}' has no <inertial>: computed from its collision shapes at 1000 kg/m³")
            } else {
                format!("link '{name}' has no <inertial> and no collision shape: it has no mass")
            };
            self.say(ConversionKind::Assumed, link.location(), message);
        }
    }

    fn inertial(&mut self, node: NodeId, link: &str) {
        let Some((_, inertia)) = self.tree.child(node, "inertia") else { return };
        let zero = |name: &&str| {
            inertia.attribute(name).and_then(|text| text.trim().parse::<f64>().ok()) == Some(0.0)
        };
        if ["ixx", "iyy", "izz", "ixy", "ixz", "iyz"].iter().all(zero) {
            let message = format!("the inertia of link '{link}' is all zeros, which counts as not given");
            self.say(ConversionKind::Assumed, inertia.location(), message);
        }
    }

    fn material(&mut self, node: NodeId) {
        if let Some((_, texture)) = self.tree.child(node, "texture") {
            self.say(
                ConversionKind::Dropped,
                texture.location(),
                "textures of materials; only colours are kept",
            );
        }
    }

    fn geometry(&mut self, node: NodeId) {
        let tree = self.tree;
        let Some((_, mesh)) =
            tree.child(node, "geometry").and_then(|(geometry, _)| tree.child(geometry, "mesh"))
        else {
            return;
        };
        let file = mesh.attribute("filename").unwrap_or_default();
        let short = files::last_part(file);
        if self.settings.strip_path && short != file {
            let message = format!(
                "mesh file '{file}' is looked for as '{short}' in meshdir, then by its package or path"
            );
            self.say(ConversionKind::Changed, mesh.location_of("filename"), message);
        }
    }

    fn joint(&mut self, node: NodeId, joint: &Element) {
        let tree = self.tree;
        let name = name_of(joint);
        let kind = joint.attribute("type").unwrap_or_default();
        let moves_along_axis = matches!(kind, "revolute" | "continuous" | "prismatic" | "planar");
        for (_, element) in tree.children(node) {
            match &*element.name {
                "origin" | "parent" | "child" | "axis" => {}
                "dynamics" => {
                    if element.attribute("friction").is_some() {
                        let message =
                            format!("friction of joint '{name}' becomes frictionloss, a dry friction");
                        self.say(ConversionKind::Changed, element.location_of("friction"), message);
                    }
                }
                "limit" => self.limit(element, name, kind),
                "mimic" => {
                    let leader = element.attribute("joint").unwrap_or_default();
                    let number = |key, default| element.attribute(key).unwrap_or(default).to_owned();
                    if self.options.mimic {
                        let message = format!(
                            "joint '{name}' follows '{leader}' by an equality constraint, which is soft"
                        );
                        self.say(ConversionKind::Changed, element.location(), message);
                        continue;
                    }
                    let message = format!(
                        "joint '{name}' no longer follows '{leader}'; --mimic keeps it, or add <equality><joint joint1=\"{name}\" \
                         joint2=\"{leader}\" polycoef=\"{} {} 0 0 0\"/></equality>",
                        number("offset", "0"),
                        number("multiplier", "1")
                    );
                    self.say(ConversionKind::Dropped, element.location(), message);
                }
                other => {
                    let message = format!("<{other}> of joint '{name}' has no counterpart");
                    self.say(ConversionKind::Dropped, element.location(), message);
                }
            }
        }
        if moves_along_axis && tree.child(node, "axis").is_none() {
            let message = format!("joint '{name}' has no <axis>: it is 1 0 0");
            self.say(ConversionKind::Assumed, joint.location(), message);
        }
        if matches!(kind, "revolute" | "prismatic") && tree.child(node, "limit").is_none() {
            self.say(
                ConversionKind::Assumed,
                joint.location(),
                format!("joint '{name}' has no <limit>: it is not limited"),
            );
        }
        if kind == "planar" {
            let message =
                format!("planar joint '{name}' becomes the joints '{name}_TX', '{name}_TY' and '{name}_RZ'");
            self.say(ConversionKind::Changed, joint.location(), message);
        }
        if kind == "fixed" && self.settings.fuse_static {
            let child =
                tree.child(node, "child").and_then(|(_, end)| end.attribute("link")).unwrap_or_default();
            let message = format!(
                "link '{child}' does not move against its parent and is merged into it, unless fusestatic=\"false\""
            );
            self.say(ConversionKind::Changed, joint.location(), message);
        }
    }

    fn limit(&mut self, limit: &Element, name: &str, kind: &str) {
        if limit.attribute("velocity").is_some() {
            let message = format!("the velocity limit of joint '{name}'");
            self.say(ConversionKind::Dropped, limit.location_of("velocity"), message);
        }
        let number = |key| limit.attribute(key).and_then(|text| text.trim().parse::<f64>().ok());
        if let Some(effort) = number("effort") {
            let (outcome, message) = if effort == 0.0 {
                (ConversionKind::Dropped, format!("effort 0 of joint '{name}' counts as no limit"))
            } else {
                (
                    ConversionKind::Changed,
                    format!("effort {effort} of joint '{name}' becomes actfrcrange, which limits actuators"),
                )
            };
            self.say(outcome, limit.location_of("effort"), message);
        }
        let (lower, upper) = (number("lower"), number("upper"));
        let message = match (lower, upper) {
            (Some(lower), Some(upper)) if lower > upper => {
                format!("joint '{name}' is not limited: lower {lower} is above upper {upper}")
            }
            (Some(_), None) | (None, Some(_)) => {
                format!("joint '{name}' is not limited: one of lower and upper is missing")
            }
            (None, None) if matches!(kind, "revolute" | "prismatic") => {
                format!("joint '{name}' gives neither lower nor upper: it is not limited")
            }
            _ => return,
        };
        self.say(ConversionKind::Assumed, limit.location(), message);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let notes = conversion_notes("r.urdf", ROBOT.as_bytes());
        notes.iter().map(ToString::to_string).collect()
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
    fn an_mjcf_text_has_nothing_to_convert() {
        assert!(conversion_notes("m.xml", b"<mujoco/>").is_empty());
        assert!(conversion_notes("m.xml", b"junk").is_empty());
    }
}
