//! The attributes of every kind of element, by MuJoCo's names: one table for editors, bindings and their documentation.
//!
//! Elements declare theirs in the tables of `element/`, settings in `settings.rs`. Names, classes, frames, plugins and
//! orientations other than quaternions are not among them: they belong to the element as a whole and have functions of their own.

use super::form::Mjcf;
use super::slot::Slot;
use super::value::Value;
use super::{ElementRef, Kind, Owner};
use crate::arena::Id;
use crate::element::{
    Actuator, Body, Camera, Equality, Exclude, Flex, Frame, Geom, HField, Joint, Key, Light, Material, Mesh,
    Numeric, Pair, PluginInstance, Sensor, Site, Skin, Tendon, Text, Texture, Tuple,
};
use crate::settings::{Compiler, LengthRangeOptions, Sizes, StatisticOverride};
use crate::spec::Spec;

/// An attribute of elements of one type.
pub struct Attribute<T> {
    /// MuJoCo's name in the editable model.
    pub name: &'static str,
    /// What it is, with its unit.
    pub meaning: &'static str,
    /// How it is written in MJCF, for attributes that come from the table of their element.
    pub mjcf: Option<Mjcf>,
    /// The array of the model it becomes.
    pub column: Option<&'static str>,
    /// Where its value is, to write.
    pub slot: for<'a> fn(&'a mut T) -> Slot<'a>,
    /// Its value, to look at.
    pub value: for<'a> fn(&'a T) -> Value<'a>,
}

/// A type whose attributes can be reached by name.
pub trait Attributed: Sized + 'static {
    /// The attributes in the order of their table.
    const ATTRIBUTES: &'static [Attribute<Self>];

    /// The attribute at a position of the table.
    fn slot(&mut self, index: usize) -> Option<Slot<'_>> {
        Self::ATTRIBUTES.get(index).map(|attribute| (attribute.slot)(self))
    }

    /// The names in the order of the table.
    fn names() -> Vec<&'static str> {
        Self::ATTRIBUTES.iter().map(|attribute| attribute.name).collect()
    }
}

/// The name of an attribute: that of its field unless another one is given.
macro_rules! name_of {
    ($field:ident) => {
        stringify!($field)
    };
    ($field:ident $name:literal) => {
        $name
    };
}
pub(crate) use name_of;

/// Runs `$with` with the arena and the type of elements of a kind.
macro_rules! by_kind {
    ($kind:expr, $with:ident) => {
        match $kind {
            Kind::Body => $with!(bodies, Body),
            Kind::Frame => $with!(frames, Frame),
            Kind::Geom => $with!(geoms, Geom),
            Kind::Joint => $with!(joints, Joint),
            Kind::Site => $with!(sites, Site),
            Kind::Camera => $with!(cameras, Camera),
            Kind::Light => $with!(lights, Light),
            Kind::Mesh => $with!(meshes, Mesh),
            Kind::HField => $with!(hfields, HField),
            Kind::Texture => $with!(textures, Texture),
            Kind::Material => $with!(materials, Material),
            Kind::Skin => $with!(skins, Skin),
            Kind::Flex => $with!(flexes, Flex),
            Kind::Pair => $with!(pairs, Pair),
            Kind::Exclude => $with!(excludes, Exclude),
            Kind::Equality => $with!(equalities, Equality),
            Kind::Tendon => $with!(tendons, Tendon),
            Kind::Actuator => $with!(actuators, Actuator),
            Kind::Sensor => $with!(sensors, Sensor),
            Kind::Numeric => $with!(numerics, Numeric),
            Kind::Text => $with!(texts, Text),
            Kind::Tuple => $with!(tuples, Tuple),
            Kind::Key => $with!(keys, Key),
            Kind::Plugin => $with!(plugins, PluginInstance),
        }
    };
}
pub(crate) use by_kind;

/// Names of the attributes of a kind, in the order of the table.
pub fn attribute_names(kind: Kind) -> Vec<&'static str> {
    macro_rules! names {
        ($arena:ident, $element:ident) => {
            $element::names()
        };
    }
    by_kind!(kind, names)
}

/// An attribute as MJCF has it.
#[derive(Clone, Debug)]
pub struct MjcfAttribute {
    /// How it is written.
    pub mjcf: Mjcf,
    /// What it is, with its unit.
    pub meaning: &'static str,
    /// The array of the model it becomes.
    pub column: Option<&'static str>,
    /// Its default value as it would be written.
    pub default: String,
}

/// The attributes of MJCF that the table of a kind declares, in the order of the table.
pub fn mjcf_attributes(kind: Kind) -> Vec<MjcfAttribute> {
    macro_rules! rows_of {
        ($arena:ident, $element:ident) => {
            mjcf_rows::<$element>()
        };
    }
    by_kind!(kind, rows_of)
}

/// The attributes of MJCF that a table of settings declares, by the name of their element.
pub fn mjcf_settings(element: &str) -> Vec<MjcfAttribute> {
    match element {
        "compiler" => mjcf_rows::<Compiler>(),
        "lengthrange" => mjcf_rows::<LengthRangeOptions>(),
        "size" => mjcf_rows::<Sizes>(),
        "statistic" => mjcf_rows::<StatisticOverride>(),
        _ => Vec::new(),
    }
}

fn mjcf_rows<T: Attributed + Default>() -> Vec<MjcfAttribute> {
    let plain = T::default();
    let row = |row: &Attribute<T>| {
        let mjcf = row.mjcf?;
        let default = (row.value)(&plain).written(mjcf.form);
        Some(MjcfAttribute { mjcf, meaning: row.meaning, column: row.column, default })
    };
    T::ATTRIBUTES.iter().filter_map(row).collect()
}

impl Spec {
    /// Attribute number `index` of an element; `None` when the element is gone or has no such attribute.
    pub fn slot(&mut self, element: ElementRef, index: usize) -> Option<Slot<'_>> {
        if element.owner == Owner::Class {
            return self.class_slot(element, index);
        }
        macro_rules! find {
            ($arena:ident, $element:ident) => {
                self.$arena.get_mut(Id::new(element.index)).and_then(|found| found.slot(index))
            };
        }
        by_kind!(element.kind, find)
    }

    fn class_slot(&mut self, element: ElementRef, index: usize) -> Option<Slot<'_>> {
        let class = self.classes.get_mut(Id::new(element.index))?;
        match element.kind {
            Kind::Joint => class.joint.slot(index),
            Kind::Geom => class.geom.slot(index),
            Kind::Site => class.site.slot(index),
            Kind::Camera => class.camera.slot(index),
            Kind::Light => class.light.slot(index),
            Kind::Flex => class.flex.slot(index),
            Kind::Mesh => class.mesh.slot(index),
            Kind::Material => class.material.slot(index),
            Kind::Pair => class.pair.slot(index),
            Kind::Equality => class.equality.slot(index),
            Kind::Tendon => class.tendon.slot(index),
            Kind::Actuator => class.actuator.slot(index),
            _ => None,
        }
    }
}
