//! The elements a [`Spec`](crate::Spec) is made of, with the reference's default values.
//!
//! References to other elements are names, resolved when the model is compiled, so that an element can be added before the one
//! it refers to. A value that may be undefined is an `Option`.

mod actuator;
mod asset;
mod body;
mod custom;
mod flex;
mod geom;
mod joint;
mod relation;
mod sensor;
mod shortcut;
pub(crate) mod table;
mod tendon;
mod view;

pub use actuator::Actuator;
pub use asset::{HField, Material, Mesh, Skin, SkinBone, Texture};
pub use body::{Body, Frame};
pub use custom::{Key, Numeric, PluginInstance, PluginRef, SavedState, Text, Tuple, TupleEntry};
pub use flex::Flex;
pub use geom::{Geom, Site};
pub use joint::Joint;
pub use relation::{Equality, Exclude, Pair};
pub use sensor::Sensor;
pub use shortcut::{HillMuscleParameters, MuscleParameters, PositionParameters};
pub use tendon::{Tendon, Wrap};
pub use view::{Camera, Light};

use condyle_base::diagnostic::Location;
use condyle_model::ObjectType;

use crate::arena::Id;
use crate::default_class::DefaultClass;

/// Default solver reference: time constant and damping ratio.
pub const SOLREF: [f64; 2] = [0.02, 1.0];
/// Default solver impedance: dmin, dmax, width, midpoint, power.
pub const SOLIMP: [f64; 5] = [0.9, 0.95, 0.001, 0.5, 2.0];

/// Which compiler settings an element is read with: those of the spec itself or those of an attached one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Origin(pub(crate) u32);

/// What every element carries besides its values.
#[derive(Clone, Debug, Default)]
pub struct Info {
    /// Unique among elements of the same kind; empty for none.
    pub name: String,
    /// Default class it was created from.
    pub class: Option<Id<DefaultClass>>,
    /// Where it was written.
    pub location: Option<Location>,
    /// Where its attributes were written, by attribute name.
    pub attributes: Vec<(&'static str, Location)>,
    /// Settings it is compiled with.
    pub origin: Origin,
    /// Text of the user's own that errors about the element repeat.
    pub note: String,
}

impl Info {
    /// Place of the named attribute, or of the whole element.
    pub fn at(&self, attribute: &str) -> Option<&Location> {
        let found = self.attributes.iter().find(|(name, _)| *name == attribute);
        found.map(|(_, location)| location).or(self.location.as_ref())
    }

    /// Whether the element gives the named attribute itself.
    pub fn has(&self, attribute: &str) -> bool {
        self.attributes.iter().any(|(name, _)| *name == attribute)
    }
}

/// An element with a name and a place.
pub trait Element {
    /// Kind of element as the model format names it.
    const KIND: &'static str;
    /// Its name, class and place.
    fn info(&self) -> &Info;
    /// Its name, class and place, to edit.
    fn info_mut(&mut self) -> &mut Info;
}

macro_rules! elements {
    ($($kind:ident $name:literal),* $(,)?) => {$(
        impl Element for $kind {
            const KIND: &'static str = $name;
            fn info(&self) -> &Info {
                &self.info
            }
            fn info_mut(&mut self) -> &mut Info {
                &mut self.info
            }
        }
    )*};
}

/// How a kind of element is called.
pub(crate) fn kind_name(kind: ObjectType) -> &'static str {
    match kind {
        ObjectType::Body | ObjectType::XBody => "body",
        ObjectType::Joint => "joint",
        ObjectType::Dof => "dof",
        ObjectType::Geom => "geom",
        ObjectType::Site => "site",
        ObjectType::Camera => "camera",
        ObjectType::Light => "light",
        ObjectType::Flex => "flex",
        ObjectType::Mesh => "mesh",
        ObjectType::Skin => "skin",
        ObjectType::HField => "hfield",
        ObjectType::Texture => "texture",
        ObjectType::Material => "material",
        ObjectType::Pair => "pair",
        ObjectType::Exclude => "exclude",
        ObjectType::Equality => "equality",
        ObjectType::Tendon => "tendon",
        ObjectType::Actuator => "actuator",
        ObjectType::Sensor => "sensor",
        ObjectType::Numeric => "numeric",
        ObjectType::Text => "text",
        ObjectType::Tuple => "tuple",
        ObjectType::Key => "key",
        ObjectType::Plugin => "plugin",
        _ => "object",
    }
}

elements! {
    Body "body", Frame "frame", Joint "joint", Geom "geom", Site "site", Camera "camera", Light "light", Mesh "mesh",
    HField "hfield", Texture "texture", Material "material", Skin "skin", Flex "flex", Pair "pair", Exclude "exclude",
    Equality "equality", Tendon "tendon", Actuator "actuator", Sensor "sensor", Numeric "numeric", Text "text",
    Tuple "tuple", Key "key", PluginInstance "plugin",
}
