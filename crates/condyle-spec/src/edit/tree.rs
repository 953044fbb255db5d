//! Moving elements between frames, and bodies that become frames.

use super::{ElementRef, Kind, Owner};
use crate::arena::Id;
use crate::element::{Body, Frame};
use crate::spec::Spec;

/// Why an element cannot be put into a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FrameError {
    /// The element or the frame is gone, or the element cannot be in a frame.
    NoElement,
    /// They are parts of different bodies.
    OtherBody,
    /// The frame is inside the element.
    Circular,
}

impl std::fmt::Display for FrameError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::NoElement => "the element cannot be in a frame, or one of the two was removed",
            Self::OtherBody => "the element and the frame are parts of different bodies",
            Self::Circular => "a frame cannot be inside itself",
        })
    }
}

impl std::error::Error for FrameError {}

impl Spec {
    /// The frame an element is in.
    pub fn frame_of(&self, element: ElementRef) -> Option<Id<Frame>> {
        if element.owner == Owner::Class {
            return None;
        }
        let index = element.index;
        match element.kind {
            Kind::Body => self.bodies.get(Id::new(index))?.frame,
            Kind::Frame => self.frames.get(Id::new(index))?.frame,
            Kind::Geom => self.geoms.get(Id::new(index))?.frame,
            Kind::Joint => self.joints.get(Id::new(index))?.frame,
            Kind::Site => self.sites.get(Id::new(index))?.frame,
            Kind::Camera => self.cameras.get(Id::new(index))?.frame,
            Kind::Light => self.lights.get(Id::new(index))?.frame,
            _ => None,
        }
    }

    fn frame_slot(&mut self, element: ElementRef) -> Option<&mut Option<Id<Frame>>> {
        let index = element.index;
        match element.kind {
            Kind::Body => Some(&mut self.bodies.get_mut(Id::new(index))?.frame),
            Kind::Frame => Some(&mut self.frames.get_mut(Id::new(index))?.frame),
            Kind::Geom => Some(&mut self.geoms.get_mut(Id::new(index))?.frame),
            Kind::Joint => Some(&mut self.joints.get_mut(Id::new(index))?.frame),
            Kind::Site => Some(&mut self.sites.get_mut(Id::new(index))?.frame),
            Kind::Camera => Some(&mut self.cameras.get_mut(Id::new(index))?.frame),
            Kind::Light => Some(&mut self.lights.get_mut(Id::new(index))?.frame),
            _ => None,
        }
    }

    /// Puts an element into a frame of the same body.
    pub fn set_frame(&mut self, element: ElementRef, frame: Id<Frame>) -> Result<(), FrameError> {
        let body = self.frames.get(frame).ok_or(FrameError::NoElement)?.body;
        if element.owner == Owner::Class || !element.kind.in_tree() || !self.contains(element) {
            return Err(FrameError::NoElement);
        }
        if self.body_of(element) != Some(body) {
            return Err(FrameError::OtherBody);
        }
        let mut next = Some(frame);
        while let Some(id) = next {
            if element.frame() == Some(id) {
                return Err(FrameError::Circular);
            }
            next = self.frames.get(id).and_then(|found| found.frame);
        }
        *self.frame_slot(element).ok_or(FrameError::NoElement)? = Some(frame);
        Ok(())
    }

    /// Turns a body into a frame of its parent that holds what the body held. `None` for the world.
    pub fn body_to_frame(&mut self, body: Id<Body>) -> Option<Id<Frame>> {
        let parent = self.bodies.get(body)?.parent?;
        let outer = self.bodies[body].frame;
        let frame = self.add_frame(parent, outer);
        (self.frames[frame].pos, self.frames[frame].quat) = (self.bodies[body].pos, self.bodies[body].quat);
        for kind in [Kind::Body, Kind::Geom, Kind::Joint, Kind::Site, Kind::Camera, Kind::Light, Kind::Frame]
        {
            for part in self.parts(body, kind) {
                if let Some(place) = self.frame_slot(part)
                    && place.is_none()
                {
                    *place = Some(frame);
                }
                if kind == Kind::Body {
                    self.bodies[Id::new(part.index)].parent = Some(parent);
                } else if kind == Kind::Frame {
                    self.frames[Id::new(part.index)].body = parent;
                }
            }
        }
        let Some(gone) = self.bodies.remove(body) else { return Some(frame) };
        let holder = &mut self.bodies[parent];
        holder.bodies.retain(|&child| child != body);
        holder.bodies.extend(gone.bodies);
        holder.geoms.extend(gone.geoms);
        holder.joints.extend(gone.joints);
        holder.sites.extend(gone.sites);
        holder.cameras.extend(gone.cameras);
        holder.lights.extend(gone.lights);
        holder.frames.extend(gone.frames);
        if let Some(plugin) = gone.plugin.own_instance {
            self.plugins.remove(plugin);
        }
        self.forget_missing_states();
        Some(frame)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_becomes_a_frame_with_its_content() {
        let mut spec = Spec::new();
        let body = spec.add_body(spec.world());
        spec.bodies[body].pos = [1.0, 0.0, 0.0];
        let inner = spec.add_body(body);
        let geom = spec.add_geom(body, None);
        let frame = spec.body_to_frame(body).unwrap();
        assert_eq!(spec.bodies[spec.world()].bodies(), [inner]);
        assert_eq!(spec.geoms[geom].frame, Some(frame));
        assert_eq!(spec.bodies[inner].parent(), Some(spec.world()));
        assert_eq!(spec.frames[frame].pos, [1.0, 0.0, 0.0]);
        assert_eq!(spec.body_to_frame(spec.world()), None);
    }

    #[test]
    fn a_frame_of_another_body_or_inside_itself_is_refused() {
        let mut spec = Spec::new();
        let body = spec.add_body(spec.world());
        let frame = spec.add_frame(spec.world(), None);
        let inside = spec.add_frame(spec.world(), Some(frame));
        let geom = spec.add_geom(body, None);
        assert_eq!(spec.set_frame(ElementRef::new(Kind::Geom, geom), frame), Err(FrameError::OtherBody));
        assert_eq!(spec.set_frame(ElementRef::new(Kind::Frame, frame), inside), Err(FrameError::Circular));
    }
}
