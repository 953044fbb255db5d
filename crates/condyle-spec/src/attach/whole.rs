//! Attaching any part of a spec to any place of another one, and taking a body out with all that hangs on it.

use super::names::Names;
use super::tree::TreeMap;
use super::{AttachError, Classes, Copying, Rename, Source};
use crate::arena::Id;
use crate::compile::pose::resolve_orientation;
use crate::edit::{ElementRef, Kind};
use crate::element::{Body, Frame, Site};
use crate::spec::Spec;

/// Where something is attached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// A frame of the spec.
    Frame(Id<Frame>),
    /// The pose of the site; the site itself stays.
    Site(Id<Site>),
    /// A body of the spec.
    Body(Id<Body>),
}

/// What is attached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Everything in the world.
    World,
    /// A body with everything in it.
    Body(Id<Body>),
    /// A frame with everything in it.
    Frame(Id<Frame>),
}

/// What attaching made.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Attached {
    /// The copy of the attached body or frame; for a world the frame that holds its content.
    pub root: ElementRef,
    /// Each copied element and its copy.
    pub copies: Vec<(ElementRef, ElementRef)>,
}

impl Spec {
    /// Copies a part of another spec, and what refers to it, to a place of this one. `origin` is from [`Spec::add_origin`].
    pub fn attach(
        &mut self,
        target: Target,
        child: &Spec,
        part: Part,
        origin: u32,
        rename: &Rename,
    ) -> Result<Attached, AttachError> {
        self.check_room(child)?;
        let states = child.states_for_another(rename).map_err(AttachError::KeySize)?;
        let classes = self.copy_classes(child, rename);
        let mut names = Names::of(self);
        let how = Copying { source: Source::Other(child, origin), rename, classes: &classes };
        let (root, mut map) = self.copy_part(target, how, child, part, &mut names)?;
        self.finish_attach(how, child, &mut map, &mut names, states)?;
        Ok(Attached { root, copies: map.copies })
    }

    /// Copies a body or frame of this spec, and what refers to it, to another place of it under new names.
    pub fn attach_own(
        &mut self,
        target: Target,
        part: Part,
        rename: &Rename,
    ) -> Result<Attached, AttachError> {
        let copy = self.clone();
        self.check_room(&copy)?;
        let states = self.key_states(rename).map_err(AttachError::KeySize)?;
        let mut names = Names::of(self);
        let originals = self.reference_counts();
        let how = Copying { source: Source::Own, rename, classes: &Classes::new() };
        let (root, mut map) = self.copy_part(target, how, &copy, part, &mut names)?;
        let actuators = self.copy_referring(how, &mut names, Some(&originals), &mut map.copies)?;
        map.actuators.extend(actuators);
        self.add_key_states(states, &map, true);
        Ok(Attached { root, copies: map.copies })
    }

    fn copy_part(
        &mut self,
        target: Target,
        how: Copying<'_>,
        child: &Spec,
        part: Part,
        names: &mut Names,
    ) -> Result<(ElementRef, TreeMap), AttachError> {
        let (parent, outer) = self.place(target)?;
        let mut map = TreeMap::default();
        let root = match part {
            Part::Body(body) => {
                let copy = self.copy_bodies(how, body, parent, outer, &mut map, names);
                ElementRef::new(Kind::Body, copy)
            }
            Part::World => {
                let holder = self.add_frame(parent, outer);
                map = self.copy_body_content(how, child.world(), parent, Some(holder), names);
                ElementRef::new(Kind::Frame, holder)
            }
            Part::Frame(frame) => {
                let holder = self.add_frame(parent, outer);
                let mut copy = child.frames[frame].clone();
                copy.info = Self::copied_info(how, &copy.info);
                (copy.body, copy.frame) = (parent, outer);
                self.frames[holder] = copy;
                map = self.copy_frame_content(how, frame, holder, parent, names);
                ElementRef::new(Kind::Frame, holder)
            }
        };
        Ok((root, map))
    }

    /// The body and frame of a place; a site gets a frame with its pose.
    fn place(&mut self, target: Target) -> Result<(Id<Body>, Option<Id<Frame>>), AttachError> {
        match target {
            Target::Body(body) => Ok((body, None)),
            Target::Frame(frame) => Ok((self.frames[frame].body(), Some(frame))),
            Target::Site(id) => {
                let body = self.body_of(ElementRef::new(Kind::Site, id)).unwrap_or(self.world());
                let site = &self.sites[id];
                let (outer, pos, mut quat) = (site.frame, site.pos, site.quat);
                if let Some(alt) = &site.alt {
                    let compiler = self.compiler_of(site.info.origin);
                    quat = resolve_orientation(alt, compiler).map_err(AttachError::Orientation)?;
                }
                let frame = self.add_frame(body, outer);
                (self.frames[frame].pos, self.frames[frame].quat) = (pos, quat);
                Ok((body, Some(frame)))
            }
        }
    }

    /// Takes a body out of the tree with everything in it, the elements that refer to what is gone, and plugin instances that
    /// nothing uses any more. Keyframes lose the parts of what is gone.
    pub(crate) fn remove_body_tree(&mut self, body: Id<Body>) -> Result<(), AttachError> {
        let states = self.key_states(&Rename::default()).map_err(AttachError::KeySize)?;
        let mut own_plugins = Vec::new();
        for id in self.subtree(body) {
            own_plugins.extend(self.bodies[id].plugin.own_instance);
            let geoms = self.bodies[id].geoms().to_vec();
            own_plugins.extend(geoms.into_iter().filter_map(|geom| self.geoms[geom].plugin.own_instance));
        }
        let names = Names::of(self);
        self.delete_body(body, names);
        for id in own_plugins {
            self.plugins.remove(id);
        }
        self.remove_unused_plugins();
        self.replace_keys(states);
        self.forget_missing_states();
        Ok(())
    }

    fn remove_unused_plugins(&mut self) {
        let used = self.used_instances();
        let unused: Vec<_> = self
            .plugins
            .iter()
            .filter(|(_, instance)| {
                let name = &instance.info.name;
                !name.is_empty() && !used.iter().any(|set| set.contains(name))
            })
            .map(|(id, _)| id)
            .collect();
        for id in unused {
            self.plugins.remove(id);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_world_attached_to_a_site_takes_its_pose() {
        let mut child = Spec::new();
        let body = child.add_body(child.world());
        child.bodies[body].info.name = "arm".to_owned();
        let geom = child.add_geom(body, None);
        let mut spec = Spec::new();
        let site = spec.add_site(spec.world(), None);
        spec.sites[site].pos = [1.0, 2.0, 3.0];
        let origin = spec.add_origin(&child);
        let rename = Rename { prefix: "left-".to_owned(), suffix: String::new() };
        let made = spec.attach(Target::Site(site), &child, Part::World, origin, &rename).unwrap();
        let copy = made.copies.iter().find(|(from, _)| *from == ElementRef::new(Kind::Body, body)).unwrap().1;
        let copy = copy.body().unwrap();
        assert_eq!(spec.bodies[copy].info.name, "left-arm");
        let holder = made.root.frame().unwrap();
        assert_eq!(spec.bodies[copy].frame, Some(holder));
        assert_eq!(spec.frames[spec.frames[holder].frame.unwrap()].pos, [1.0, 2.0, 3.0]);
        assert!(made.copies.iter().any(|(from, _)| *from == ElementRef::new(Kind::Geom, geom)));
    }

    #[test]
    fn a_body_attached_to_its_own_spec_is_copied_with_its_actuator() {
        let mut spec = Spec::new();
        let body = spec.add_body(spec.world());
        let joint = spec.add_joint(body, None);
        spec.joints[joint].info.name = "hinge".to_owned();
        let motor = spec.add_actuator(None);
        spec.actuators[motor].trntype = condyle_model::TransmissionType::Joint;
        spec.actuators[motor].target = "hinge".to_owned();
        let frame = spec.add_frame(spec.world(), None);
        let rename = Rename { prefix: String::new(), suffix: "2".to_owned() };
        spec.attach_own(Target::Frame(frame), Part::Body(body), &rename).unwrap();
        let targets: Vec<&str> = spec.actuators.values().map(|motor| motor.target.as_str()).collect();
        assert_eq!(targets, ["hinge", "hinge2"]);
    }
}
