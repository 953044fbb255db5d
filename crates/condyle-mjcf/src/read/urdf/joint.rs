//! Joints of a URDF: kinds, axes, damping, friction and limits.

use super::Robot;
use crate::conversion::ConversionKind;
use crate::xml::NodeId;
use condyle_base::Diagnostic;
use condyle_base::diagnostic::did_you_mean;
use condyle_math::quat;
use condyle_model::JointType;
use condyle_spec::{Id, Joint, Limited, quat_from_z};

const JOINT_TYPES: [&str; 7] =
    ["revolute", "continuous", "prismatic", "fixed", "floating", "planar", "spherical"];

impl Robot<'_> {
    pub(super) fn joint(&mut self, node: NodeId) {
        let tree = self.reader.tree;
        let element = tree.get(node);
        let has_type = self.reader.require(element, "type");
        let has_name = self.reader.require(element, "name");
        let child = tree.child(node, "child").and_then(|(_, child)| child.attribute("link"));
        let Some(body) = child.and_then(|name| self.links.get(*self.by_name.get(name)?)?.body) else {
            return;
        };
        if !has_type || !has_name {
            return;
        }
        let kind = element.attribute("type").unwrap_or_default();
        if !JOINT_TYPES.contains(&kind) {
            let help = match did_you_mean(kind, JOINT_TYPES) {
                Some(close) => format!("did you mean '{close}'?"),
                None => format!("joint types are {}", JOINT_TYPES.join(", ")),
            };
            self.reader.report_at(
                Diagnostic::error("E0608", format!("'{kind}' is not a joint type")),
                &element.location_of("type"),
                help,
            );
            return;
        }
        let (pos, rotation) = self.origin(node);
        (self.reader.spec.bodies[body].pos, self.reader.spec.bodies[body].quat) = (pos, rotation);
        let name = element.attribute("name").unwrap_or_default();
        let mut axis = [1.0, 0.0, 0.0];
        if let Some(axis_node) = self.only(node, "axis", false) {
            axis = self.numbers(axis_node, "xyz", true).unwrap_or(axis);
        } else if matches!(kind, "revolute" | "continuous" | "prismatic" | "planar") {
            let message = format!("joint '{name}' has no <axis>: it is 1 0 0");
            self.note(ConversionKind::Assumed, element.location(), message);
        }
        self.note_unread_parts(node, name, kind);
        let parts: Vec<(&str, JointType, [f64; 3])> = match kind {
            "revolute" | "continuous" => vec![("", JointType::Hinge, axis)],
            "prismatic" => vec![("", JointType::Slide, axis)],
            "floating" => vec![("", JointType::Free, [0.0, 0.0, 1.0])],
            "spherical" => vec![("", JointType::Ball, axis)],
            "planar" => {
                let m = quat::to_mat(&quat_from_z(axis));
                vec![
                    ("_TX", JointType::Slide, [m[0], m[3], m[6]]),
                    ("_TY", JointType::Slide, [m[1], m[4], m[7]]),
                    ("_RZ", JointType::Hinge, axis),
                ]
            }
            _ => {
                self.note_fixed(node);
                return;
            }
        };
        if kind == "planar" {
            let message =
                format!("planar joint '{name}' becomes the joints '{name}_TX', '{name}_TY' and '{name}_RZ'");
            self.note(ConversionKind::Changed, element.location(), message);
        }
        let ids: Vec<Id<Joint>> = parts
            .into_iter()
            .map(|(suffix, kind, axis)| {
                let id = self.reader.spec.add_joint(body, None);
                let mut joint: Joint = std::mem::take(&mut self.reader.spec.joints[id]);
                self.reader.place(element, &mut joint.info);
                joint.info.name = format!("{name}{suffix}");
                (joint.kind, joint.axis) = (kind, axis);
                self.reader.spec.joints[id] = joint;
                id
            })
            .collect();
        self.dynamics(node, &ids);
        if let Some(&first) = ids.first() {
            self.limits(node, first, matches!(kind, "revolute" | "prismatic"));
        }
    }

    /// Damping and friction, the same for all parts of a planar joint.
    fn dynamics(&mut self, node: NodeId, joints: &[Id<Joint>]) {
        let Some(dynamics) = self.only(node, "dynamics", false) else { return };
        let damping = self.numbers::<1>(dynamics, "damping", false);
        let friction = self.numbers::<1>(dynamics, "friction", false);
        if friction.is_some() {
            let name = self.reader.tree.get(node).attribute("name").unwrap_or_default();
            let message = format!("friction of joint '{name}' becomes frictionloss, a dry friction");
            self.note(
                ConversionKind::Changed,
                self.reader.tree.get(dynamics).location_of("friction"),
                message,
            );
        }
        for &id in joints {
            let joint = &mut self.reader.spec.joints[id];
            joint.damping = damping.map_or(joint.damping, |[value]| value);
            joint.frictionloss = friction.map_or(joint.frictionloss, |[value]| value);
        }
    }

    /// The range and the effort; joints that `should` have a range are noted when they have none.
    fn limits(&mut self, node: NodeId, id: Id<Joint>, should: bool) {
        let element = self.reader.tree.get(node);
        let name = element.attribute("name").unwrap_or_default();
        let Some(limit) = self.only(node, "limit", false) else {
            if should {
                let message = format!("joint '{name}' has no <limit>: it is not limited");
                self.note(ConversionKind::Assumed, element.location(), message);
            }
            return;
        };
        let lower = self.numbers::<1>(limit, "lower", false);
        let upper = self.numbers::<1>(limit, "upper", false);
        let effort = self.numbers::<1>(limit, "effort", false);
        self.note_limits(limit, name, [lower, upper, effort].map(|value| value.map(|[value]| value)), should);
        let joint = &mut self.reader.spec.joints[id];
        joint.range[0] = lower.map_or(joint.range[0], |[value]| value);
        joint.range[1] = upper.map_or(joint.range[1], |[value]| value);
        let [low, high] = joint.range;
        let invalid = lower.is_some() != upper.is_some() || low > high;
        if invalid {
            joint.limited = Limited::False;
        }
        if let Some([effort]) = effort
            && effort.abs() > 0.0
        {
            joint.actfrcrange = [-effort.abs(), effort.abs()];
        }
        if invalid {
            let place = self.reader.tree.get(limit).location();
            self.reader.report_at(
                Diagnostic::warning("W0604", "this limit is not used"),
                &place,
                "give both 'lower' and 'upper', the smaller one first",
            );
        }
    }

    /// Notes what is left out or assumed of the limits of a joint: lower, upper and effort as far as they are given.
    fn note_limits(&mut self, limit: NodeId, name: &str, given: [Option<f64>; 3], should: bool) {
        let limit = self.reader.tree.get(limit);
        if limit.attribute("velocity").is_some() {
            let message = format!("the velocity limit of joint '{name}'");
            self.note(ConversionKind::Dropped, limit.location_of("velocity"), message);
        }
        let [lower, upper, effort] = given;
        if let Some(effort) = effort {
            let (outcome, message) = if effort == 0.0 {
                (ConversionKind::Dropped, format!("effort 0 of joint '{name}' counts as no limit"))
            } else {
                (
                    ConversionKind::Changed,
                    format!("effort {effort} of joint '{name}' becomes actfrcrange, which limits actuators"),
                )
            };
            self.note(outcome, limit.location_of("effort"), message);
        }
        let message = match (lower, upper) {
            (Some(lower), Some(upper)) if lower > upper => {
                format!("joint '{name}' is not limited: lower {lower} is above upper {upper}")
            }
            (Some(_), None) | (None, Some(_)) => {
                format!("joint '{name}' is not limited: one of lower and upper is missing")
            }
            (None, None) if should => {
                format!("joint '{name}' gives neither lower nor upper: it is not limited")
            }
            _ => return,
        };
        self.note(ConversionKind::Assumed, limit.location(), message);
    }

    /// Notes the parts of a joint that are not read.
    fn note_unread_parts(&mut self, node: NodeId, name: &str, kind: &str) {
        let tree = self.reader.tree;
        for (_, element) in tree.children(node) {
            let what = match &*element.name {
                "origin" | "parent" | "child" | "axis" | "mimic" => continue,
                "dynamics" | "limit" if kind == "fixed" => "has no effect: the joint is fixed",
                "dynamics" | "limit" => continue,
                _ => "has no counterpart",
            };
            let message = format!("<{}> of joint '{name}' {what}", element.name);
            self.note(ConversionKind::Dropped, element.location(), message);
        }
    }

    /// Notes that a link without motion of its own becomes part of its parent.
    fn note_fixed(&mut self, node: NodeId) {
        if !self.reader.spec.compiler.fusestatic {
            return;
        }
        let tree = self.reader.tree;
        let child = tree.child(node, "child").and_then(|(_, end)| end.attribute("link")).unwrap_or_default();
        let message = format!(
            "link '{child}' does not move against its parent and is merged into it, unless fusestatic=\"false\""
        );
        self.note(ConversionKind::Changed, tree.get(node).location(), message);
    }
}
