//! Copying and deleting parts of the tree of bodies, without recursion.

use super::names::{Names, Referring, Rename};
use super::{Copying, Source};
use crate::arena::Id;
use crate::edit::{ElementRef, Kind};
use crate::element::{Actuator, Body, Frame, Info, Joint, Origin};
use crate::spec::Spec;
use condyle_model::ObjectType;
use std::collections::{HashMap, HashSet};

/// Which copy was made of what.
#[derive(Clone, Debug, Default)]
pub(super) struct TreeMap {
    pub joints: HashMap<Id<Joint>, Id<Joint>>,
    pub bodies: HashMap<Id<Body>, Id<Body>>,
    pub actuators: HashMap<Id<Actuator>, Id<Actuator>>,
    /// Everything that was copied, of any kind.
    pub copies: Vec<(ElementRef, ElementRef)>,
}

impl TreeMap {
    pub(super) fn note<T>(&mut self, kind: Kind, from: Id<T>, to: Id<T>) {
        self.copies.push((ElementRef::new(kind, from), ElementRef::new(kind, to)));
    }
}

/// A body whose content is to be copied.
struct Job {
    from: Id<Body>,
    to: Id<Body>,
    /// Copies of frames of the body; elements in a frame that is not here stay behind.
    frames: HashMap<Id<Frame>, Id<Frame>>,
    /// Frame of elements that are in none.
    outer: Option<Id<Frame>>,
    /// Copy only what is inside one of `frames`.
    framed_only: bool,
}

impl Spec {
    /// The spec that copies are taken from.
    fn origin_spec<'a>(&'a self, source: Source<'a>) -> &'a Spec {
        match source {
            Source::Own => self,
            Source::Other(child, _) => child,
        }
    }

    pub(super) fn copied_info(how: Copying<'_>, info: &Info) -> Info {
        let mut copy = info.clone();
        copy.name = how.rename.apply(&info.name);
        if let Source::Other(_, origin) = how.source {
            copy.origin = Origin(info.origin.0 + origin);
            copy.class = info.class.and_then(|class| how.classes.get(&class).copied());
        }
        copy
    }

    /// Copies what is inside `frame` to `body`, where `copy` takes its place.
    pub(super) fn copy_frame_content(
        &mut self,
        how: Copying<'_>,
        frame: Id<Frame>,
        copy: Id<Frame>,
        body: Id<Body>,
        names: &mut Names,
    ) -> TreeMap {
        let origin = self.origin_spec(how.source);
        let from = origin.frames[frame].body();
        let inside: Vec<Id<Frame>> = origin.bodies[from]
            .frames()
            .iter()
            .copied()
            .filter(|&candidate| candidate != frame && origin.is_inside(candidate, frame))
            .collect();
        let mut frames = HashMap::from([(frame, copy)]);
        let mut map = TreeMap::default();
        map.note(Kind::Frame, frame, copy);
        self.copy_frames(how, &inside, body, None, &mut frames, &mut map);
        let job = Job { from, to: body, frames, outer: None, framed_only: true };
        self.run_jobs(how, vec![job], &mut map, names);
        map
    }

    /// Copies everything in a body, but not the body itself, into another body and a frame of it.
    pub(super) fn copy_body_content(
        &mut self,
        how: Copying<'_>,
        from: Id<Body>,
        to: Id<Body>,
        outer: Option<Id<Frame>>,
        names: &mut Names,
    ) -> TreeMap {
        let mut map = TreeMap::default();
        let job = self.body_job(how, from, to, outer, &mut map);
        self.run_jobs(how, vec![job], &mut map, names);
        map
    }

    /// Copies a body with everything in it into another body and a frame of it.
    pub(super) fn copy_bodies(
        &mut self,
        how: Copying<'_>,
        from: Id<Body>,
        parent: Id<Body>,
        frame: Option<Id<Frame>>,
        map: &mut TreeMap,
        names: &mut Names,
    ) -> Id<Body> {
        let copy = self.copy_one_body(how, from, parent, frame, map, names);
        let job = self.body_job(how, from, copy, None, map);
        self.run_jobs(how, vec![job], map, names);
        copy
    }

    /// Whether a frame is `outer` or lies in it.
    fn is_inside(&self, frame: Id<Frame>, outer: Id<Frame>) -> bool {
        let mut next = Some(frame);
        while let Some(id) = next {
            if id == outer {
                return true;
            }
            next = self.frames.get(id).and_then(|frame| frame.frame);
        }
        false
    }

    fn copy_frames(
        &mut self,
        how: Copying<'_>,
        list: &[Id<Frame>],
        body: Id<Body>,
        outer: Option<Id<Frame>>,
        map: &mut HashMap<Id<Frame>, Id<Frame>>,
        tree: &mut TreeMap,
    ) {
        for &id in list {
            let mut frame = self.origin_spec(how.source).frames[id].clone();
            frame.info = Self::copied_info(how, &frame.info);
            let copy = self.add_frame(body, None);
            frame.body = body;
            self.frames[copy] = frame;
            map.insert(id, copy);
            tree.note(Kind::Frame, id, copy);
        }
        for &id in list {
            let parent = self.origin_spec(how.source).frames[id].frame;
            let copied = parent.and_then(|parent| map.get(&parent).copied()).or(outer);
            if let Some(&copy) = map.get(&id) {
                self.frames[copy].frame = copied;
            }
        }
    }

    fn body_job(
        &mut self,
        how: Copying<'_>,
        from: Id<Body>,
        to: Id<Body>,
        outer: Option<Id<Frame>>,
        tree: &mut TreeMap,
    ) -> Job {
        let list = self.origin_spec(how.source).bodies[from].frames().to_vec();
        let mut frames = HashMap::new();
        self.copy_frames(how, &list, to, outer, &mut frames, tree);
        Job { from, to, frames, outer, framed_only: false }
    }

    fn copy_one_body(
        &mut self,
        how: Copying<'_>,
        from: Id<Body>,
        parent: Id<Body>,
        frame: Option<Id<Frame>>,
        map: &mut TreeMap,
        names: &mut Names,
    ) -> Id<Body> {
        let mut body = self.origin_spec(how.source).bodies[from].clone();
        body.info = Self::copied_info(how, &body.info);
        body.plugin = self.copy_plugin(how.source, &body.plugin, how.rename);
        if !matches!(how.source, Source::Own) {
            body.childclass = how.rename.apply(&body.childclass);
        }
        body.frame = frame;
        body.parent = Some(parent);
        body.bodies.clear();
        body.frames.clear();
        body.joints.clear();
        body.geoms.clear();
        body.sites.clear();
        body.cameras.clear();
        body.lights.clear();
        names.add_element(&body);
        let copy = self.add_body(parent);
        self.bodies[copy] = body;
        map.bodies.insert(from, copy);
        map.note(Kind::Body, from, copy);
        copy
    }

    fn run_jobs(&mut self, how: Copying<'_>, mut jobs: Vec<Job>, map: &mut TreeMap, names: &mut Names) {
        let other = !matches!(how.source, Source::Own);
        while let Some(job) = jobs.pop() {
            macro_rules! copy_all {
                ($arena:ident, |$id:ident, $copy:ident| $after:block) => {
                    for $id in self.origin_spec(how.source).bodies[job.from].$arena.clone() {
                        let Some(element) = self.origin_spec(how.source).$arena.get($id) else { continue };
                        let frame = element.frame.and_then(|frame| job.frames.get(&frame).copied());
                        if job.framed_only && frame.is_none() {
                            continue;
                        }
                        let mut $copy = element.clone();
                        $copy.info = Self::copied_info(how, &$copy.info);
                        $copy.frame = frame.or(job.outer);
                        names.add_element(&$copy);
                        $after
                    }
                };
            }
            // Assets of the same spec keep their names; image lights are the exception.
            let renamed = |kind: ObjectType, name: &mut String| {
                if other || !matches!(kind, ObjectType::Material | ObjectType::HField | ObjectType::Mesh) {
                    *name = how.rename.apply(name);
                }
            };
            copy_all!(geoms, |from, copy| {
                copy.visit_references(renamed);
                copy.plugin = self.copy_plugin(how.source, &copy.plugin, how.rename);
                let id = self.geoms.push(copy);
                self.bodies[job.to].geoms.push(id);
                map.note(Kind::Geom, from, id);
            });
            copy_all!(joints, |id, copy| {
                copy.visit_references(renamed);
                let new = self.joints.push(copy);
                self.bodies[job.to].joints.push(new);
                map.joints.insert(id, new);
                map.note(Kind::Joint, id, new);
            });
            copy_all!(sites, |from, copy| {
                copy.visit_references(renamed);
                let id = self.sites.push(copy);
                self.bodies[job.to].sites.push(id);
                map.note(Kind::Site, from, id);
            });
            copy_all!(cameras, |from, copy| {
                copy.visit_references(renamed);
                let id = self.cameras.push(copy);
                self.bodies[job.to].cameras.push(id);
                map.note(Kind::Camera, from, id);
            });
            copy_all!(lights, |from, copy| {
                copy.visit_references(renamed);
                let id = self.lights.push(copy);
                self.bodies[job.to].lights.push(id);
                map.note(Kind::Light, from, id);
            });
            let mut inner = Vec::new();
            for from in self.origin_spec(how.source).bodies[job.from].bodies().to_vec() {
                let frame = self.origin_spec(how.source).bodies[from].frame;
                let frame = frame.and_then(|frame| job.frames.get(&frame).copied());
                if job.framed_only && frame.is_none() {
                    continue;
                }
                let frame = frame.or(job.outer);
                let copy = self.copy_one_body(how, from, job.to, frame, map, names);
                inner.push((from, copy));
            }
            for (from, copy) in inner.into_iter().rev() {
                let next = self.body_job(how, from, copy, None, map);
                jobs.push(next);
            }
        }
    }

    /// Number of elements of the tree in a body and below it.
    pub(super) fn subtree_size(&self, body: Id<Body>) -> usize {
        self.subtree(body)
            .into_iter()
            .map(|id| {
                let body = &self.bodies[id];
                1 + body.frames.len()
                    + body.joints.len()
                    + body.geoms.len()
                    + body.sites.len()
                    + body.cameras.len()
                    + body.lights.len()
            })
            .sum()
    }

    pub(super) fn subtree(&self, body: Id<Body>) -> Vec<Id<Body>> {
        let mut order = vec![body];
        let mut next = 0;
        while let Some(&id) = order.get(next) {
            order.extend(self.bodies[id].bodies());
            next += 1;
        }
        order
    }

    /// Removes a body with everything in it, and the elements outside the tree that refer to what is gone.
    ///
    /// `before` are the names there were: what referred to none of them stays, for the compiler to report.
    pub(super) fn delete_body(&mut self, body: Id<Body>, before: Names) {
        if let Some(parent) = self.bodies[body].parent {
            self.bodies[parent].bodies.retain(|&child| child != body);
        }
        let before = before.with_unnamed_geoms(self);
        for id in self.subtree(body) {
            macro_rules! remove_all {
                ($($arena:ident),*) => {$(
                    for element in self.bodies[id].$arena.clone() {
                        self.$arena.remove(element);
                    }
                )*};
            }
            remove_all!(frames, joints, geoms, sites, cameras, lights);
        }
        for id in self.subtree(body) {
            self.bodies.remove(id);
        }
        let mut names = Names::of(self).with_unnamed_geoms(self);
        let keep = Rename::default();
        macro_rules! remove_broken {
            ($($arena:ident),*) => {$(
                let broken: HashSet<_> = self
                    .$arena
                    .iter()
                    .filter(|(_, element)| {
                        element.renamed(&keep, &before).is_some() && element.renamed(&keep, &names).is_none()
                    })
                    .map(|(id, _)| id)
                    .collect();
                for id in broken {
                    if let Some(element) = self.$arena.remove(id) {
                        names.remove_element(&element);
                    }
                }
            )*};
        }
        remove_broken!(pairs, excludes, tendons, equalities, actuators, sensors);
    }
}
