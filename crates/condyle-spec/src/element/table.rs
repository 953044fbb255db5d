//! How an element is declared: once, attribute by attribute.
//!
//! ```text
//! element! {
//!     /// What the element is.
//!     Joint {
//!         parts {
//!             /// What it holds besides attributes.
//!             pub frame: Option<Id<Frame>> = None;
//!         }
//!         /// Spring stiffness, N/m or N m/rad.
//!         stiffness: f64 = 0.0, "stiffness" => jnt_stiffness;
//!     }
//! }
//! ```
//!
//! A row reads: what the attribute means, with its unit; `field: type = default`; after the comma its name in MJCF; after the arrow
//! the array of the model it becomes. From it follow the field, its default and its documentation, the row in the schema of MJCF,
//! reading, writing and the reference of elements, the value in the model and the way back from a model, and the attribute of
//! `MjSpec` in Python. Attributes are written to files in the order of the rows.
//!
//! | in a row | means |
//! |---|---|
//! | `kind as "type": …` | Python calls the attribute `type` |
//! | nothing after the comma | MJCF has no attribute for it, or reads it by a function of its own |
//! | `"solreflimit" at_most` | fewer numbers than the field holds may be given; such words are functions of [`Mjcf`](crate::edit::form::Mjcf) |
//! | `"material" -> Material` | the name of a material; it changes with the names when specs are attached |
//! | `=> jnt_stiffness` | one entry for each element; after `->` the id of the named element |
//! | `=> [dof_damping]` | one entry for each degree of freedom of the joint |
//! | `=> jnt_user by nuser_jnt` | as many numbers for each element as that size says |
//! | `=> (mesh_vert)` | that array, by a function of the compiler and one of the decompiler |
//! | no arrow | the compiler makes something else of it |
//!
//! What the compiler changes (a pose in a frame, an angle in degrees) it writes over the entry that comes from here.

use condyle_model::{
    BiasType, ColorSpace, DynamicsType, EqualityType, GainType, GeomType, JointType, LightType, ObjectType,
    Projection, SensorDataType, SensorType, Stage, TextureType, TrackingMode, TransmissionType,
};

use crate::orientation::Limited;

/// A value of an attribute as an entry of an array of the model, and back.
pub(crate) trait Entry<E>: Sized {
    fn to_entry(&self) -> E;
    /// `None` for an entry without meaning.
    fn from_entry(entry: &E) -> Option<Self>;
}

impl<T: Copy> Entry<T> for T {
    fn to_entry(&self) -> T {
        *self
    }
    fn from_entry(entry: &T) -> Option<T> {
        Some(*entry)
    }
}

impl Entry<u8> for bool {
    fn to_entry(&self) -> u8 {
        u8::from(*self)
    }
    fn from_entry(entry: &u8) -> Option<Self> {
        Some(*entry != 0)
    }
}

/// Whether a limit is on; what is left to the compiler it decides itself.
impl Entry<u8> for Limited {
    fn to_entry(&self) -> u8 {
        u8::from(*self == Limited::True)
    }
    fn from_entry(entry: &u8) -> Option<Self> {
        Some(if *entry != 0 { Limited::True } else { Limited::False })
    }
}

macro_rules! numbered_entries {
    ($($kind:ident),* $(,)?) => {$(
        impl Entry<i32> for $kind {
            fn to_entry(&self) -> i32 {
                *self as i32
            }
            fn from_entry(entry: &i32) -> Option<Self> {
                Self::from_i32(*entry)
            }
        }
    )*};
}
numbered_entries!(
    JointType,
    GeomType,
    TrackingMode,
    Projection,
    LightType,
    EqualityType,
    ObjectType,
    SensorType,
    SensorDataType,
    Stage,
    TransmissionType,
    DynamicsType,
    GainType,
    BiasType,
    TextureType,
    ColorSpace
);

/// User values of one element in a row of `width` numbers.
pub(crate) fn put_user(target: &mut [f64], index: usize, width: usize, values: &[f64]) {
    if let Some(row) = target.get_mut(index * width..(index + 1) * width) {
        for (place, &value) in row.iter_mut().zip(values) {
            *place = value;
        }
    }
}

/// The user numbers of one element without the zeros at the end, which are filled in again.
pub(crate) fn get_user(values: &[f64], index: usize, width: usize) -> Vec<f64> {
    let row = values.get(index * width..(index + 1) * width).unwrap_or_default();
    let used = row.iter().rposition(|value| value.to_bits() != 0).map_or(0, |last| last + 1);
    row.get(..used).unwrap_or_default().to_vec()
}

/// What one row does with the arrays of the model: `put` and `get` values, `get_name` of what an id stands for.
macro_rules! entry {
    (put [] [$column:ident] $value:expr, $model:ident[$at:ident]) => {
        $model.$column[$at] = crate::element::table::Entry::to_entry(&$value)
    };
    (put [] [$column:ident by $width:ident] $value:expr, $model:ident[$at:ident]) => {{
        let width = $model.$width;
        crate::element::table::put_user(&mut $model.$column, $at, width, &$value)
    }};
    (get [] [$column:ident] $value:expr, $model:ident[$at:ident]) => {
        if let Some(value) = crate::element::table::Entry::from_entry(&$model.$column[$at]) {
            $value = value;
        }
    };
    (get [] [$column:ident by $width:ident] $value:expr, $model:ident[$at:ident]) => {
        $value = crate::element::table::get_user(&$model.$column, $at, $model.$width)
    };
    (get_name [$target:ident] [$column:ident] $value:expr, $model:ident[$at:ident] $name:ident) => {
        $value = $name(condyle_model::ObjectType::$target, $model.$column[$at])
    };
    ($($other:tt)*) => {};
}

/// Declares an element; see the top of this module.
macro_rules! element {
    (
        $(#[doc = $about:literal])*
        $element:ident {
            parts { $($(#[doc = $part_doc:literal])* $part_visibility:vis $part:ident: $part_type:ty = $part_default:expr;)* }
            $(
                $(#[doc = $meaning:literal])+
                $field:ident $(as $name:literal)?: $type:ty = $default:expr,
                $($mjcf:literal $($form:ident $(($words:path))?)*)? $(-> $target:ident)?
                $(=> $column:ident $(by $width:ident)?)? $(=> [$dof:ident])? $(=> ($made:ident))?;
            )*
        }
    ) => {
        $(#[doc = $about])*
        #[derive(Clone, Debug)]
        pub struct $element {
            /// Name, class and place.
            pub info: crate::element::Info,
            $($(#[doc = $part_doc])* $part_visibility $part: $part_type,)*
            $($(#[doc = $meaning])+ pub $field: $type,)*
        }

        impl Default for $element {
            fn default() -> Self {
                Self {
                    info: crate::element::Info::default(),
                    $($part: $part_default,)*
                    $($field: $default,)*
                }
            }
        }

        impl crate::edit::Attributed for $element {
            const ATTRIBUTES: &'static [crate::edit::Attribute<Self>] = &[$(
                crate::edit::Attribute {
                    name: crate::edit::name_of!($field $($name)?),
                    meaning: concat!($($meaning),+),
                    mjcf: crate::element::table::mjcf!($type $(, $mjcf $($form($($words)?))*)?),
                    column: crate::element::table::first!($($column)? $($dof)? $($made)?),
                    slot: |element| crate::edit::Slot::from(&mut element.$field),
                    value: |element| crate::edit::AttributeType::value(&element.$field),
                },
            )*];
        }

        #[allow(unused_variables, unused_mut, dead_code, reason = "not every element has all of it")]
        impl $element {
            /// Writes the values to row `at` of the arrays of the model; ids of named elements the compiler writes.
            pub(crate) fn write_entries(&self, model: &mut condyle_model::Model, at: usize) {
                $(crate::element::table::entry!(
                    put [$($target)?] [$($column $(by $width)?)?] self.$field, model[at]
                );)*
            }

            /// Takes the values from row `at` of the arrays of a model; `name` knows the elements.
            pub(crate) fn read_entries(
                &mut self,
                model: &condyle_model::Model,
                at: usize,
                mut name: impl FnMut(condyle_model::ObjectType, i32) -> String,
            ) {
                $(crate::element::table::entry!(
                    get [$($target)?] [$($column $(by $width)?)?] self.$field, model[at]
                );)*
                $(crate::element::table::entry!(
                    get_name [$($target)?] [$($column)?] self.$field, model[at] name
                );)*
            }

            /// Writes what each degree of freedom has to row `at`.
            pub(crate) fn write_dof_entries(&self, model: &mut condyle_model::Model, at: usize) {
                $(crate::element::table::entry!(put [] [$($dof)?] self.$field, model[at]);)*
            }

            /// Takes what each degree of freedom has from row `at`.
            pub(crate) fn read_dof_entries(&mut self, model: &condyle_model::Model, at: usize) {
                $(crate::element::table::entry!(get [] [$($dof)?] self.$field, model[at]);)*
            }

            /// Visits the names of other elements with their kinds.
            pub(crate) fn visit_references(
                &mut self,
                mut visit: impl FnMut(condyle_model::ObjectType, &mut String),
            ) {
                $($(visit(condyle_model::ObjectType::$target, &mut self.$field);)?)*
            }
        }
    };
}

/// Declares settings, with rows as an element has them: struct, default values and attributes.
macro_rules! settings {
    (
        $(#[doc = $about:literal])*
        $settings:ident {
            parts { $($(#[doc = $part_doc:literal])* $part:ident: $part_type:ty = $part_default:expr;)* }
            $(
                $(#[doc = $meaning:literal])+
                $field:ident: $type:ty = $default:expr,
                $($mjcf:literal $($form:ident $(($words:path))?)*)?;
            )*
        }
    ) => {
        $(#[doc = $about])*
        #[derive(Clone, Debug, PartialEq)]
        pub struct $settings {
            $($(#[doc = $part_doc])* pub $part: $part_type,)*
            $($(#[doc = $meaning])+ pub $field: $type,)*
        }

        impl Default for $settings {
            fn default() -> Self {
                Self {
                    $($part: $part_default,)*
                    $($field: $default,)*
                }
            }
        }

        crate::element::table::setting_attributes! {
            $settings { parts {} $($(#[doc = $meaning])+ $field: $type = $default, $($mjcf $($form $(($words))?)*)?;)* }
        }
    };
}

/// The attributes of settings whose struct is declared elsewhere.
macro_rules! setting_attributes {
    (
        $(#[doc = $about:literal])*
        $settings:ident {
            parts {}
            $(
                $(#[doc = $meaning:literal])+
                $field:ident: $type:ty = $default:expr,
                $($mjcf:literal $($form:ident $(($words:path))?)*)?;
            )*
        }
    ) => {
        impl crate::edit::Attributed for $settings {
            const ATTRIBUTES: &'static [crate::edit::Attribute<Self>] = &[$(
                crate::edit::Attribute {
                    name: stringify!($field),
                    meaning: concat!($($meaning),+),
                    mjcf: crate::element::table::mjcf!($type $(, $mjcf $($form($($words)?))*)?),
                    column: None,
                    slot: |settings| crate::edit::Slot::from(&mut settings.$field),
                    value: |settings| crate::edit::AttributeType::value(&settings.$field),
                },
            )*];
        }
    };
}

/// How an attribute is written in MJCF, if it is.
macro_rules! mjcf {
    ($type:ty) => {
        None
    };
    ($type:ty, $name:literal $($form:ident($($words:path)?))*) => {
        Some(crate::edit::form::Mjcf::new($name, <$type as crate::edit::AttributeType>::FORM)$(.$form($($words)?))*)
    };
}

/// The name, if there is one.
macro_rules! first {
    () => {
        None
    };
    ($name:ident) => {
        Some(stringify!($name))
    };
}

pub(crate) use {element, entry, first, mjcf, setting_attributes, settings};
