//! What a URDF says beyond MuJoCo's reading of it: joints that follow others, actuators, a base that moves.

use super::Robot;
use super::options::UrdfActuators;
use crate::conversion::ConversionKind;
use crate::read::attributes::Attributes;
use crate::xml::NodeId;
use condyle_base::Diagnostic;
use condyle_model::{EqualityType, JointType, ObjectType, TransmissionType};
use condyle_spec::{Id, Joint, find_by_name};

/// Name of the joint of a base that moves.
const FLOATING_BASE: &str = "floating_base";

impl Robot<'_> {
    /// Adds what the options ask for, and warns of what is left out.
    pub(super) fn extras(&mut self, root: NodeId) {
        let tree = self.reader.tree;
        for (node, _) in tree.children_named(root, "joint") {
            self.mimic(node);
        }
        let actuators = self.reader.options.urdf.actuators;
        self.note_transmissions(root, actuators);
        match actuators {
            UrdfActuators::None => self.unused_transmissions(root),
            UrdfActuators::Transmission => {
                for joint in self.driven_joints(root) {
                    self.motor(&joint);
                }
            }
            UrdfActuators::Effort => {
                for (node, element) in tree.children_named(root, "joint") {
                    let limit = tree.child(node, "limit").map(|(_, limit)| Attributes(limit));
                    let effort = limit.and_then(|limit| limit.number::<f64>("effort")).unwrap_or(0.0);
                    if effort.abs() > 0.0 {
                        self.motor(element.attribute("name").unwrap_or_default());
                    }
                }
            }
        }
        self.bases();
    }

    fn scalar_joint(&self, name: &str) -> Option<Id<Joint>> {
        let id = find_by_name(&self.reader.spec.joints, name)?;
        matches!(self.reader.spec.joints[id].kind, JointType::Hinge | JointType::Slide).then_some(id)
    }

    fn mimic(&mut self, node: NodeId) {
        let tree = self.reader.tree;
        let Some((_, mimic)) = tree.child(node, "mimic") else { return };
        let follower = tree.get(node).attribute("name").unwrap_or_default();
        let leader = mimic.attribute("joint").unwrap_or_default();
        if !self.reader.options.urdf.mimic {
            let number = |key, default| mimic.attribute(key).unwrap_or(default);
            let message = format!(
                "joint '{follower}' no longer follows '{leader}'; --mimic keeps it, or add <equality><joint joint1=\"{follower}\" \
                 joint2=\"{leader}\" polycoef=\"{} {} 0 0 0\"/></equality>",
                number("offset", "0"),
                number("multiplier", "1")
            );
            self.note(ConversionKind::Dropped, mimic.location(), message);
            self.reader.report_at(
                Diagnostic::warning(
                    "W0603",
                    format!("<mimic> is ignored: the joint '{follower}' moves on its own"),
                ),
                &mimic.location(),
                "the option 'mimic' (--mimic) makes it an equality constraint",
            );
            return;
        }
        if self.scalar_joint(follower).is_none() || self.scalar_joint(leader).is_none() {
            self.reader.report_at(
                Diagnostic::warning(
                    "W0603",
                    format!("the joint '{follower}' cannot follow '{leader}': both must exist and be revolute, continuous or prismatic"),
                ),
                &mimic.location_of("joint"),
                "name another joint, or delete <mimic>",
            );
            let message = format!("joint '{follower}' cannot follow '{leader}'");
            self.note(ConversionKind::Dropped, mimic.location(), message);
            return;
        }
        let message =
            format!("joint '{follower}' follows '{leader}' by an equality constraint, which is soft");
        self.note(ConversionKind::Changed, mimic.location(), message);
        let a = Attributes(mimic);
        let id = self.reader.spec.add_equality(None);
        let mut equality = std::mem::take(&mut self.reader.spec.equalities[id]);
        self.reader.place(mimic, &mut equality.info);
        equality.kind = EqualityType::Joint;
        equality.objtype = ObjectType::Joint;
        follower.clone_into(&mut equality.name1);
        leader.clone_into(&mut equality.name2);
        equality.data = [0.0; 11];
        equality.data[0] = a.number("offset").unwrap_or(0.0);
        equality.data[1] = a.number("multiplier").unwrap_or(1.0);
        self.reader.spec.equalities[id] = equality;
    }

    /// Joints that a `<transmission>` or `<ros2_control>` drives, in the order of the text.
    fn driven_joints(&self, root: NodeId) -> Vec<String> {
        let tree = self.reader.tree;
        let mut names: Vec<String> = Vec::new();
        for (node, element) in tree.children(root) {
            let is_control = &*element.name == "ros2_control";
            if !is_control && &*element.name != "transmission" {
                continue;
            }
            for (joint, element) in tree.children_named(node, "joint") {
                let driven = !is_control || tree.child(joint, "command_interface").is_some();
                let name = element.attribute("name").unwrap_or_default();
                if driven && !names.iter().any(|known| known == name) {
                    names.push(name.to_owned());
                }
            }
        }
        names
    }

    /// A motor of the joint's name whose control is the joint's force or torque.
    fn motor(&mut self, name: &str) {
        let Some(joint) = self.scalar_joint(name) else { return };
        let range = self.reader.spec.joints[joint].actfrcrange;
        let id = self.reader.spec.add_actuator(None);
        let actuator = &mut self.reader.spec.actuators[id];
        actuator.info.location.clone_from(&self.reader.spec.joints[joint].info.location);
        name.clone_into(&mut actuator.info.name);
        name.clone_into(&mut actuator.target);
        actuator.trntype = TransmissionType::Joint;
        if range[0] < range[1] {
            actuator.ctrlrange = range;
        }
    }

    /// Notes what becomes of `<transmission>` and `<ros2_control>`.
    fn note_transmissions(&mut self, root: NodeId, actuators: UrdfActuators) {
        let tree = self.reader.tree;
        let (kind, what) = match actuators {
            UrdfActuators::None => (ConversionKind::Dropped, "has no counterpart; --actuators makes motors"),
            UrdfActuators::Transmission => {
                (ConversionKind::Changed, "becomes motors whose controls are the joints' forces")
            }
            UrdfActuators::Effort => {
                (ConversionKind::Dropped, "is not used; joints with an effort get motors instead")
            }
        };
        for (_, element) in tree.children(root) {
            if matches!(&*element.name, "transmission" | "ros2_control") {
                self.note(kind, element.location(), format!("<{}> {what}", element.name));
            }
        }
    }

    fn unused_transmissions(&mut self, root: NodeId) {
        let tree = self.reader.tree;
        for name in ["transmission", "ros2_control"] {
            let mut found = tree.children_named(root, name);
            let Some((_, first)) = found.next() else { continue };
            let others = match found.count() {
                0 => format!("<{name}> is not used"),
                count => format!("<{name}> is not used, here and {count} more times"),
            };
            self.reader.report_at(
                Diagnostic::warning("W0601", format!("{others}: the model has no actuators")),
                &first.location(),
                "the option 'actuators' (--actuators transmission) makes motors of them",
            );
        }
    }

    /// Lets bases move, or says that they do not.
    fn bases(&mut self) {
        let tree = self.reader.tree;
        let moves = !self.reader.spec.joints.is_empty();
        let bases: Vec<(NodeId, _)> = self.bases_of_links();
        for (index, (node, body)) in bases.into_iter().enumerate() {
            let element = tree.get(node);
            let name = element.attribute("name").unwrap_or_default();
            let is_floating = self.reader.options.urdf.floating_base;
            let how = if is_floating { "moves freely" } else { "is fixed to the world" };
            let message = format!("link '{name}' has no parent: it {how}");
            self.note(ConversionKind::Assumed, element.location(), message);
            if is_floating {
                let joint = self.reader.spec.add_free_joint(body);
                let name =
                    if index == 0 { FLOATING_BASE.to_owned() } else { format!("{FLOATING_BASE}{index}") };
                if find_by_name(&self.reader.spec.joints, &name).is_none() {
                    self.reader.spec.joints[joint].info.name = name;
                }
                self.reader.spec.joints[joint].info.location = Some(element.location());
            } else if moves {
                self.reader.report_at(
                    Diagnostic::warning(
                        "W0605",
                        format!("the link '{name}' has no parent: it is fixed to the world"),
                    ),
                    &element.location_of("name"),
                    "this is right for an arm on a table; the option 'floating_base' (--floating-base) lets it move",
                );
            }
        }
    }
}
