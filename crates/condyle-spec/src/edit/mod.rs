//! Safe editing: handles to elements of any kind, attributes by name, taking elements out so that nothing dangles.
//!
//! A handle ([`ElementRef`], or [`Id`] for one kind) stays valid as long as its element exists and never comes to mean another
//! one. Elements refer to each other by name, so taking one out leaves at most names that the compiler reports; what the tree
//! itself holds (lists of bodies, frames, classes, states of keyframes) is kept consistent here.

mod delete;
pub mod form;
mod signature;
mod slot;
mod table;
mod tree;
mod value;

pub use delete::DeleteError;
pub use slot::{Choice, MaybeReals, Slot};
pub use table::{Attribute, Attributed, MjcfAttribute, attribute_names, mjcf_attributes, mjcf_settings};
pub use tree::FrameError;
pub use value::{AttributeType, Value};

use crate::arena::Id;
use crate::element::{Body, Element, Frame, Info};
use crate::orientation::Orientation;
use crate::spec::Spec;
use table::by_kind;
pub(crate) use table::name_of;

/// Kinds of elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Kind {
    /// A rigid body.
    Body,
    /// A coordinate transformation.
    Frame,
    /// A shape.
    Geom,
    /// A joint.
    Joint,
    /// A point with axes.
    Site,
    /// A camera.
    Camera,
    /// A light.
    Light,
    /// A triangle mesh.
    Mesh,
    /// A height field.
    HField,
    /// An image.
    Texture,
    /// An appearance.
    Material,
    /// A surface for drawing.
    Skin,
    /// A deformable body.
    Flex,
    /// Two geoms that collide.
    Pair,
    /// Two bodies that do not collide.
    Exclude,
    /// An equality constraint.
    Equality,
    /// A tendon.
    Tendon,
    /// An actuator.
    Actuator,
    /// A sensor.
    Sensor,
    /// A custom array of numbers.
    Numeric,
    /// A custom text.
    Text,
    /// A custom list of objects.
    Tuple,
    /// A keyframe.
    Key,
    /// An instance of a plugin.
    Plugin,
}

impl Kind {
    /// Every kind, in order.
    pub const ALL: [Kind; 24] = [
        Kind::Body,
        Kind::Frame,
        Kind::Geom,
        Kind::Joint,
        Kind::Site,
        Kind::Camera,
        Kind::Light,
        Kind::Mesh,
        Kind::HField,
        Kind::Texture,
        Kind::Material,
        Kind::Skin,
        Kind::Flex,
        Kind::Pair,
        Kind::Exclude,
        Kind::Equality,
        Kind::Tendon,
        Kind::Actuator,
        Kind::Sensor,
        Kind::Numeric,
        Kind::Text,
        Kind::Tuple,
        Kind::Key,
        Kind::Plugin,
    ];

    /// The kind of a number, the position in [`Kind::ALL`].
    pub fn from_number(number: u8) -> Option<Kind> {
        Self::ALL.get(usize::from(number)).copied()
    }

    /// How the model format calls it.
    pub fn name(self) -> &'static str {
        macro_rules! name {
            ($arena:ident, $element:ident) => {
                <crate::element::$element as Element>::KIND
            };
        }
        by_kind!(self, name)
    }

    /// Whether such elements are parts of bodies.
    pub fn in_tree(self) -> bool {
        self <= Kind::Light
    }
}

/// Where an element is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Owner {
    /// The spec itself.
    Spec,
    /// A default class; the index is that of the class.
    Class,
}

/// Handle to an element of any kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ElementRef {
    /// Kind of the element.
    pub kind: Kind,
    /// Where it is kept.
    pub owner: Owner,
    pub(crate) index: u32,
}

impl ElementRef {
    /// The handle of an element of known kind.
    pub fn new<T>(kind: Kind, id: Id<T>) -> Self {
        Self { kind, owner: Owner::Spec, index: id.index() as u32 }
    }

    /// The handle from its parts, for bindings. It may refer to nothing.
    pub fn from_parts(kind: Kind, owner: Owner, index: u32) -> Self {
        Self { kind, owner, index }
    }

    /// Position in order of creation.
    pub fn index(self) -> u32 {
        self.index
    }

    /// The typed id of a body.
    pub fn body(self) -> Option<Id<Body>> {
        (self.kind == Kind::Body && self.owner == Owner::Spec).then(|| Id::new(self.index))
    }

    /// The typed id of a frame.
    pub fn frame(self) -> Option<Id<Frame>> {
        (self.kind == Kind::Frame && self.owner == Owner::Spec).then(|| Id::new(self.index))
    }

    /// The typed id, when the element is kept in the spec and the kind is right.
    pub fn id<T>(self, kind: Kind) -> Option<Id<T>> {
        (self.kind == kind && self.owner == Owner::Spec).then(|| Id::new(self.index))
    }
}

impl Spec {
    /// What an element of any kind carries besides its values; `None` when it is gone.
    pub fn info(&self, element: ElementRef) -> Option<&Info> {
        if element.owner == Owner::Class {
            return None;
        }
        macro_rules! find {
            ($arena:ident, $element:ident) => {
                self.$arena.get(Id::new(element.index)).map(|found| &found.info)
            };
        }
        by_kind!(element.kind, find)
    }

    /// What an element of any kind carries besides its values, for editing.
    pub fn info_mut(&mut self, element: ElementRef) -> Option<&mut Info> {
        if element.owner == Owner::Class {
            return None;
        }
        macro_rules! find {
            ($arena:ident, $element:ident) => {
                self.$arena.get_mut(Id::new(element.index)).map(|found| &mut found.info)
            };
        }
        by_kind!(element.kind, find)
    }

    /// Whether the element exists.
    pub fn contains(&self, element: ElementRef) -> bool {
        match element.owner {
            Owner::Spec => self.info(element).is_some(),
            Owner::Class => self.classes.get(Id::new(element.index)).is_some(),
        }
    }

    /// All elements of a kind in the order of the compiled model: parts of bodies body by body, depth first; others in order
    /// of creation.
    pub fn elements(&self, kind: Kind) -> Vec<ElementRef> {
        macro_rules! list {
            ($arena:ident, $element:ident) => {
                self.$arena.ids().map(|id| ElementRef::new(kind, id)).collect()
            };
        }
        if kind == Kind::Body {
            return self.bodies_depth_first().into_iter().map(|id| ElementRef::new(kind, id)).collect();
        }
        if kind == Kind::Key {
            return self.keys_in_order().into_iter().map(|id| ElementRef::new(kind, id)).collect();
        }
        if kind.in_tree() {
            let bodies = self.bodies_depth_first();
            return bodies.into_iter().flat_map(|body| self.parts(body, kind)).collect();
        }
        by_kind!(kind, list)
    }

    /// Keyframes in the order of the compiled model: those of attached specs come last.
    pub fn keys_in_order(&self) -> Vec<Id<crate::element::Key>> {
        let mut order: Vec<_> = self.keys.ids().collect();
        order.sort_by_key(|&id| self.keys[id].saved.is_some());
        order
    }

    /// Elements of a kind directly in a body.
    pub fn parts(&self, body: Id<Body>, kind: Kind) -> Vec<ElementRef> {
        let Some(found) = self.bodies.get(body) else { return Vec::new() };
        macro_rules! list {
            ($ids:expr) => {
                $ids.iter().map(|&id| ElementRef::new(kind, id)).collect()
            };
        }
        match kind {
            Kind::Body => list!(found.bodies),
            Kind::Frame => list!(found.frames),
            Kind::Geom => list!(found.geoms),
            Kind::Joint => list!(found.joints),
            Kind::Site => list!(found.sites),
            Kind::Camera => list!(found.cameras),
            Kind::Light => list!(found.lights),
            _ => Vec::new(),
        }
    }

    /// The body an element is part of; the parent of a body.
    pub fn body_of(&self, element: ElementRef) -> Option<Id<Body>> {
        if element.owner == Owner::Class {
            return None;
        }
        match element.kind {
            Kind::Body => self.bodies.get(Id::new(element.index))?.parent,
            Kind::Frame => Some(self.frames.get(Id::new(element.index))?.body),
            kind if kind.in_tree() => {
                let holds = |body: &Body| match kind {
                    Kind::Geom => body.geoms.contains(&Id::new(element.index)),
                    Kind::Joint => body.joints.contains(&Id::new(element.index)),
                    Kind::Site => body.sites.contains(&Id::new(element.index)),
                    Kind::Camera => body.cameras.contains(&Id::new(element.index)),
                    _ => body.lights.contains(&Id::new(element.index)),
                };
                self.bodies.iter().find(|(_, body)| holds(body)).map(|(id, _)| id)
            }
            _ => None,
        }
    }

    /// The orientation of an element that is written other than as a quaternion; with `inertial`, that of a body's inertia.
    pub fn orientation_slot(
        &mut self,
        element: ElementRef,
        inertial: bool,
    ) -> Option<&mut Option<Orientation>> {
        let index = element.index;
        if element.owner == Owner::Class {
            let class = self.classes.get_mut(Id::new(index))?;
            return match element.kind {
                Kind::Geom => Some(&mut class.geom.alt),
                Kind::Site => Some(&mut class.site.alt),
                Kind::Camera => Some(&mut class.camera.alt),
                _ => None,
            };
        }
        match element.kind {
            Kind::Body => {
                let body = self.bodies.get_mut(Id::new(index))?;
                Some(if inertial { &mut body.ialt } else { &mut body.alt })
            }
            Kind::Frame => Some(&mut self.frames.get_mut(Id::new(index))?.alt),
            Kind::Geom => Some(&mut self.geoms.get_mut(Id::new(index))?.alt),
            Kind::Site => Some(&mut self.sites.get_mut(Id::new(index))?.alt),
            Kind::Camera => Some(&mut self.cameras.get_mut(Id::new(index))?.alt),
            _ => None,
        }
    }

    /// The plugin an element uses; `None` for elements that cannot use one.
    pub fn plugin_of(&mut self, element: ElementRef) -> Option<&mut crate::element::PluginRef> {
        let index = element.index;
        if element.owner == Owner::Class {
            let class = self.classes.get_mut(Id::new(index))?;
            return match element.kind {
                Kind::Geom => Some(&mut class.geom.plugin),
                Kind::Mesh => Some(&mut class.mesh.plugin),
                Kind::Actuator => Some(&mut class.actuator.plugin),
                _ => None,
            };
        }
        match element.kind {
            Kind::Body => Some(&mut self.bodies.get_mut(Id::new(index))?.plugin),
            Kind::Geom => Some(&mut self.geoms.get_mut(Id::new(index))?.plugin),
            Kind::Mesh => Some(&mut self.meshes.get_mut(Id::new(index))?.plugin),
            Kind::Actuator => Some(&mut self.actuators.get_mut(Id::new(index))?.plugin),
            Kind::Sensor => Some(&mut self.sensors.get_mut(Id::new(index))?.plugin),
            _ => None,
        }
    }
}
