//! Taking elements out.
//!
//! A body goes with everything in it and with the contacts, tendons, equalities, actuators and sensors that refer to what is
//! gone; keyframes lose its part. Any other element goes alone: names that referred to it stay and are reported when the spec is
//! compiled. Elements in a frame that is taken out keep their place: the frame's pose becomes part of theirs.

use super::{ElementRef, Kind, Owner};
use crate::arena::Id;
use crate::attach::AttachError;
use crate::compile::pose::{Pose, resolve_orientation};
use crate::default_class::DefaultClass;
use crate::element::Frame;
use crate::spec::Spec;
use std::collections::HashSet;
use std::fmt;

/// Why an element cannot be taken out.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum DeleteError {
    /// It is gone already.
    NoElement,
    /// The world and the main class always exist.
    Permanent,
    /// A keyframe does not fit the model, so its remaining part cannot be told.
    Keyframe(AttachError),
    /// The orientation of a frame cannot be resolved.
    Orientation(&'static str),
}

impl fmt::Display for DeleteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DeleteError::NoElement => f.write_str("the element was deleted before"),
            DeleteError::Permanent => {
                f.write_str("the world body and the main default class cannot be deleted")
            }
            DeleteError::Keyframe(error) => write!(f, "{error}"),
            DeleteError::Orientation(words) => f.write_str(words),
        }
    }
}

impl std::error::Error for DeleteError {}

impl Spec {
    /// Takes an element out of the spec, so that nothing refers to it but names.
    pub fn delete(&mut self, element: ElementRef) -> Result<(), DeleteError> {
        if element.owner == Owner::Class {
            return Err(DeleteError::Permanent);
        }
        if !self.contains(element) {
            return Err(DeleteError::NoElement);
        }
        let index = element.index;
        macro_rules! from_body {
            ($arena:ident) => {{
                if let Some(body) = self.body_of(element) {
                    self.bodies[body].$arena.retain(|&id| id != Id::new(index));
                }
                self.$arena.remove(Id::new(index));
            }};
        }
        macro_rules! with_plugin {
            ($arena:ident) => {{
                if let Some(gone) = self.$arena.remove(Id::new(index))
                    && let Some(plugin) = gone.plugin.own_instance
                {
                    self.plugins.remove(plugin);
                }
            }};
        }
        macro_rules! alone {
            ($arena:ident) => {{
                self.$arena.remove(Id::new(index));
            }};
        }
        match element.kind {
            Kind::Body => {
                if Id::new(index) == self.world() {
                    return Err(DeleteError::Permanent);
                }
                self.remove_body_tree(Id::new(index)).map_err(DeleteError::Keyframe)?;
            }
            Kind::Frame => self.delete_frame(Id::new(index))?,
            Kind::Geom => {
                let plugin = self.geoms[Id::new(index)].plugin.own_instance;
                from_body!(geoms);
                if let Some(plugin) = plugin {
                    self.plugins.remove(plugin);
                }
            }
            Kind::Joint => from_body!(joints),
            Kind::Site => from_body!(sites),
            Kind::Camera => from_body!(cameras),
            Kind::Light => from_body!(lights),
            Kind::Mesh => with_plugin!(meshes),
            Kind::Actuator => with_plugin!(actuators),
            Kind::Sensor => with_plugin!(sensors),
            Kind::HField => alone!(hfields),
            Kind::Texture => alone!(textures),
            Kind::Material => alone!(materials),
            Kind::Skin => alone!(skins),
            Kind::Flex => alone!(flexes),
            Kind::Pair => alone!(pairs),
            Kind::Exclude => alone!(excludes),
            Kind::Equality => alone!(equalities),
            Kind::Tendon => alone!(tendons),
            Kind::Numeric => alone!(numerics),
            Kind::Text => alone!(texts),
            Kind::Tuple => alone!(tuples),
            Kind::Key => alone!(keys),
            Kind::Plugin => alone!(plugins),
        }
        if matches!(element.kind, Kind::Joint | Kind::Actuator) {
            self.forget_missing_states();
        }
        if element.kind == Kind::Plugin {
            self.forget_missing_plugins();
        }
        Ok(())
    }

    /// Takes a default class out with those below it; elements made from them keep their values and become of the main class.
    pub fn delete_class(&mut self, class: Id<DefaultClass>) -> Result<(), DeleteError> {
        if class == self.main_class() {
            return Err(DeleteError::Permanent);
        }
        let parent = self.classes.get(class).ok_or(DeleteError::NoElement)?.parent;
        if let Some(parent) = parent.and_then(|parent| self.classes.get_mut(parent)) {
            parent.children.retain(|&child| child != class);
        }
        let mut gone = HashSet::new();
        let mut names = HashSet::new();
        let mut next = vec![class];
        while let Some(id) = next.pop() {
            if let Some(found) = self.classes.remove(id) {
                next.extend(found.children);
                names.insert(found.name);
                gone.insert(id);
            }
        }
        let main = self.main_class();
        for kind in Kind::ALL {
            for element in self.elements(kind) {
                if let Some(info) = self.info_mut(element)
                    && info.class.is_some_and(|class| gone.contains(&class))
                {
                    info.class = Some(main);
                }
            }
        }
        for (_, body) in self.bodies.iter_mut() {
            if names.contains(&body.childclass) {
                body.childclass.clear();
            }
        }
        for (_, frame) in self.frames.iter_mut() {
            if names.contains(&frame.childclass) {
                frame.childclass.clear();
            }
        }
        Ok(())
    }

    fn delete_frame(&mut self, frame: Id<Frame>) -> Result<(), DeleteError> {
        let found = &self.frames[frame];
        let (body, outer) = (found.body, found.frame);
        let resolved = |spec: &Self, element: ElementRef, alt, quat| match alt {
            None => Ok(quat),
            Some(alt) => {
                let origin = spec.info(element).map(|info| info.origin).unwrap_or_default();
                resolve_orientation(&alt, spec.compiler_of(origin)).map_err(DeleteError::Orientation)
            }
        };
        let own = ElementRef::new(Kind::Frame, frame);
        let moved = Pose { pos: found.pos, quat: resolved(self, own, found.alt, found.quat)? };
        let mut poses = Vec::new();
        for kind in [Kind::Body, Kind::Frame, Kind::Geom, Kind::Joint, Kind::Site, Kind::Camera, Kind::Light]
        {
            for part in self.parts(body, kind) {
                if self.frame_of(part) == Some(frame) {
                    let alt = self.orientation_slot(part, false).and_then(|alt| *alt);
                    let (pos, quat) = self.pose_of(part);
                    poses.push((part, moved.then(Pose { pos, quat: resolved(self, part, alt, quat)? })));
                }
            }
        }
        for (part, pose) in poses {
            self.place_part(part, pose, outer, moved);
        }
        self.bodies[body].frames.retain(|&id| id != frame);
        self.frames.remove(frame);
        Ok(())
    }

    fn pose_of(&self, part: ElementRef) -> ([f64; 3], [f64; 4]) {
        let index = part.index;
        let unit = [1.0, 0.0, 0.0, 0.0];
        match part.kind {
            Kind::Body => (self.bodies[Id::new(index)].pos, self.bodies[Id::new(index)].quat),
            Kind::Frame => (self.frames[Id::new(index)].pos, self.frames[Id::new(index)].quat),
            Kind::Geom => (self.geoms[Id::new(index)].pos, self.geoms[Id::new(index)].quat),
            Kind::Site => (self.sites[Id::new(index)].pos, self.sites[Id::new(index)].quat),
            Kind::Camera => (self.cameras[Id::new(index)].pos, self.cameras[Id::new(index)].quat),
            Kind::Light => (self.lights[Id::new(index)].pos, unit),
            _ => (self.joints[Id::new(index)].pos, unit),
        }
    }

    /// Gives a part its pose in the enclosing frame, which `moved` leads to.
    fn place_part(&mut self, part: ElementRef, pose: Pose, outer: Option<Id<Frame>>, moved: Pose) {
        let index = part.index;
        let turn =
            |vector: [f64; 3]| Pose { pos: [0.0; 3], ..moved }.then(Pose { pos: vector, ..Pose::NULL }).pos;
        let point = |point: [f64; 3]| moved.then(Pose { pos: point, ..Pose::NULL }).pos;
        let ends = |ends: [f64; 6]| {
            let [a, b, c, d, e, f] = ends;
            let ([a, b, c], [d, e, f]) = (point([a, b, c]), point([d, e, f]));
            [a, b, c, d, e, f]
        };
        macro_rules! posed {
            ($arena:ident) => {{
                let element = &mut self.$arena[Id::new(index)];
                (element.pos, element.quat, element.alt, element.frame) = (pose.pos, pose.quat, None, outer);
            }};
        }
        match part.kind {
            Kind::Body => posed!(bodies),
            Kind::Frame => posed!(frames),
            Kind::Geom => {
                posed!(geoms);
                let geom = &mut self.geoms[Id::new(index)];
                geom.fromto = geom.fromto.map(ends);
            }
            Kind::Site => {
                posed!(sites);
                let site = &mut self.sites[Id::new(index)];
                site.fromto = site.fromto.map(ends);
            }
            Kind::Camera => posed!(cameras),
            Kind::Light => {
                let light = &mut self.lights[Id::new(index)];
                (light.pos, light.dir, light.frame) = (pose.pos, turn(light.dir), outer);
            }
            _ => {
                let joint = &mut self.joints[Id::new(index)];
                (joint.pos, joint.axis, joint.frame) = (pose.pos, turn(joint.axis), outer);
            }
        }
    }

    /// Elements whose own plugin instance is gone use none.
    fn forget_missing_plugins(&mut self) {
        for kind in [Kind::Body, Kind::Geom, Kind::Mesh, Kind::Actuator, Kind::Sensor] {
            for element in self.elements(kind) {
                let Some(own) = self.plugin_of(element).and_then(|plugin| plugin.own_instance) else {
                    continue;
                };
                if self.plugins.get(own).is_none()
                    && let Some(plugin) = self.plugin_of(element)
                {
                    *plugin = crate::element::PluginRef::default();
                }
            }
        }
    }

    /// Saved states lose the parts of elements that are gone.
    pub(crate) fn forget_missing_states(&mut self) {
        fn keep<T>(parts: &mut Option<Vec<(Id<T>, Vec<f64>)>>, arena: &crate::arena::Arena<T>) {
            if let Some(parts) = parts {
                parts.retain(|(id, _)| arena.get(*id).is_some());
            }
        }
        let (joints, actuators, bodies) = (&self.joints, &self.actuators, &self.bodies);
        for (_, key) in self.keys.iter_mut() {
            if let Some(saved) = &mut key.saved {
                keep(&mut saved.qpos, joints);
                keep(&mut saved.qvel, joints);
                keep(&mut saved.act, actuators);
                keep(&mut saved.ctrl, actuators);
                keep(&mut saved.mpos, bodies);
                keep(&mut saved.mquat, bodies);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CompileOptions, FileSystem, compile};

    fn arm() -> (Spec, ElementRef, ElementRef) {
        let mut spec = Spec::new();
        let body = spec.add_body(spec.world());
        spec.bodies[body].info.name = "arm".to_owned();
        let joint = spec.add_joint(body, None);
        spec.joints[joint].info.name = "elbow".to_owned();
        let geom = spec.add_geom(body, None);
        spec.geoms[geom].size[0] = 0.1;
        let motor = spec.add_actuator(None);
        spec.actuators[motor].trntype = condyle_model::TransmissionType::Joint;
        spec.actuators[motor].target = "elbow".to_owned();
        let key = spec.add_key();
        spec.keys[key].qpos = vec![0.5];
        (spec, ElementRef::new(Kind::Body, body), ElementRef::new(Kind::Joint, joint))
    }

    fn compiles(spec: &Spec) -> Result<condyle_model::Model, String> {
        let compiled = compile(spec, &FileSystem, &CompileOptions::default());
        compiled.map(|compiled| compiled.model).map_err(|problems| problems[0].message.clone())
    }

    #[test]
    fn a_body_goes_with_what_refers_to_it() {
        let (mut spec, body, joint) = arm();
        spec.delete(body).unwrap();
        assert!(!spec.contains(joint));
        assert_eq!(spec.actuators.len(), 0);
        assert_eq!(spec.delete(body), Err(DeleteError::NoElement));
        let model = compiles(&spec).unwrap();
        assert_eq!((model.nbody, model.nq, model.nkey), (1, 0, 1));
    }

    #[test]
    fn a_pair_of_unnamed_geoms_goes_with_the_last_of_them() {
        let (mut spec, body, _) = arm();
        let pair = spec.add_pair(None);
        assert!(spec.pairs[pair].geomname1.is_empty());
        assert_eq!(compiles(&spec).unwrap().npair, 1);
        spec.delete(body).unwrap();
        assert_eq!(spec.pairs.len(), 0);
    }

    #[test]
    fn a_joint_goes_alone_and_the_compiler_names_who_misses_it() {
        let (mut spec, _, joint) = arm();
        spec.delete(joint).unwrap();
        assert_eq!(spec.actuators.len(), 1);
        let problem = compiles(&spec).unwrap_err();
        assert!(problem.contains("elbow"), "{problem}");
    }

    #[test]
    fn a_class_goes_with_those_below_and_leaves_values() {
        let mut spec = Spec::new();
        let soft = spec.add_class("soft", spec.main_class()).unwrap();
        let softer = spec.add_class("softer", soft).unwrap();
        spec.classes[softer].geom.size[0] = 0.2;
        let geom = spec.add_geom(spec.world(), Some(softer));
        spec.delete_class(soft).unwrap();
        assert_eq!(spec.find_class("softer"), None);
        assert_eq!(spec.geoms[geom].info.class, Some(spec.main_class()));
        assert_eq!(compiles(&spec).unwrap().geom_size[0], [0.2, 0.0, 0.0]);
        assert_eq!(spec.delete_class(spec.main_class()), Err(DeleteError::Permanent));
    }

    #[test]
    fn a_frame_leaves_its_content_in_place() {
        let mut spec = Spec::new();
        let frame = spec.add_frame(spec.world(), None);
        spec.frames[frame].pos = [1.0, 0.0, 0.0];
        let geom = spec.add_geom(spec.world(), None);
        spec.geoms[geom].size[0] = 0.1;
        spec.geoms[geom].frame = Some(frame);
        spec.delete(ElementRef::new(Kind::Frame, frame)).unwrap();
        assert_eq!(compiles(&spec).unwrap().geom_pos[0], [1.0, 0.0, 0.0]);
    }
}
