//! An attribute of an element as a typed place to read and write, whatever the element: what editors and bindings go through.

use condyle_model::{
    BiasType, ColorSpace, DynamicsType, EqualityType, GainType, GeomType, JointType, LengthRangeMode,
    LightType, ObjectType, Projection, SensorDataType, SensorType, SleepPolicy, Stage, TextureType,
    TrackingMode, TransmissionType,
};

use super::form::Form;
use super::value::{AttributeType, Value};
use crate::orientation::{
    AlignFree, GeomInertia, InertiaFromGeom, Limited, MeshInertia, TextureBuiltin, TextureMark,
};

/// Where the value of an attribute is.
pub enum Slot<'a> {
    /// A number.
    Real(&'a mut f64),
    /// A number in single precision.
    Single(&'a mut f32),
    /// An integer.
    Int(&'a mut i32),
    /// A large integer.
    Long(&'a mut i64),
    /// Yes or no.
    Flag(&'a mut bool),
    /// A text.
    Text(&'a mut String),
    /// A value of an enumeration.
    Choice(&'a mut dyn Choice),
    /// A number that may be undefined.
    MaybeReal(&'a mut Option<f64>),
    /// Numbers that may be undefined together.
    MaybeReals(&'a mut dyn MaybeReals),
    /// A fixed number of numbers.
    Reals(&'a mut [f64]),
    /// A fixed number of numbers in single precision.
    Singles(&'a mut [f32]),
    /// A fixed number of integers.
    Ints(&'a mut [i32]),
    /// A fixed number of letters.
    Chars(&'a mut [u8]),
    /// A fixed number of texts.
    Texts(&'a mut [String]),
    /// Any number of numbers.
    RealList(&'a mut Vec<f64>),
    /// Any number of numbers in single precision.
    SingleList(&'a mut Vec<f32>),
    /// Any number of integers.
    IntList(&'a mut Vec<i32>),
    /// Any number of texts.
    TextList(&'a mut Vec<String>),
    /// Any number of bytes.
    Bytes(&'a mut Vec<u8>),
}

/// A value of an enumeration behind a number.
pub trait Choice {
    /// The number MuJoCo has for it.
    fn number(&self) -> i32;

    /// Takes the value of a number; `false` when the enumeration has none.
    fn set_number(&mut self, number: i32) -> bool;

    /// The enumeration's name in MuJoCo, unless MuJoCo keeps a plain number.
    fn enumeration(&self) -> Option<&'static str>;
}

/// A fixed number of numbers that may be undefined together. In flat form, an undefined one starts with a NaN.
pub trait MaybeReals {
    /// The numbers; the first one is a NaN where they are undefined.
    fn to_flat(&self) -> Vec<f64>;
    /// Takes the numbers; `false` when there are not as many as needed.
    fn set_flat(&mut self, values: &[f64]) -> bool;
    /// Takes the numbers as they are, also NaN; `false` when there are not as many as needed.
    fn set_defined(&mut self, values: &[f64]) -> bool;
}

impl<const N: usize> MaybeReals for Option<[f64; N]> {
    fn to_flat(&self) -> Vec<f64> {
        let mut undefined = [0.0; N];
        if let Some(first) = undefined.first_mut() {
            *first = f64::NAN;
        }
        self.unwrap_or(undefined).to_vec()
    }

    fn set_flat(&mut self, values: &[f64]) -> bool {
        let Ok(values) = <[f64; N]>::try_from(values) else { return false };
        *self = if values.first().is_some_and(|first| first.is_nan()) { None } else { Some(values) };
        true
    }

    fn set_defined(&mut self, values: &[f64]) -> bool {
        <[f64; N]>::try_from(values).map(|values| *self = Some(values)).is_ok()
    }
}

macro_rules! plain_slots {
    ($($kind:ty => $variant:ident),* $(,)?) => {$(
        impl<'a> From<&'a mut $kind> for Slot<'a> {
            fn from(value: &'a mut $kind) -> Self {
                Slot::$variant(value)
            }
        }
    )*};
}

plain_slots! {
    f64 => Real, f32 => Single, i32 => Int, i64 => Long, bool => Flag, String => Text, Option<f64> => MaybeReal,
    Vec<f64> => RealList, Vec<f32> => SingleList, Vec<i32> => IntList, Vec<String> => TextList, Vec<u8> => Bytes,
}

macro_rules! array_slots {
    ($($kind:ty => $variant:ident),* $(,)?) => {$(
        impl<'a, const N: usize> From<&'a mut [$kind; N]> for Slot<'a> {
            fn from(value: &'a mut [$kind; N]) -> Self {
                Slot::$variant(value)
            }
        }
    )*};
}

array_slots! { f64 => Reals, f32 => Singles, i32 => Ints, u8 => Chars, String => Texts }

impl<'a, const N: usize> From<&'a mut Option<[f64; N]>> for Slot<'a> {
    fn from(value: &'a mut Option<[f64; N]>) -> Self {
        Slot::MaybeReals(value)
    }
}

/// Enumerations with the numbers of MuJoCo.
macro_rules! numbered {
    ($($kind:ident $name:expr),* $(,)?) => {$(
        impl Choice for $kind {
            fn number(&self) -> i32 {
                *self as i32
            }
            fn set_number(&mut self, number: i32) -> bool {
                $kind::from_i32(number).map(|value| *self = value).is_some()
            }
            fn enumeration(&self) -> Option<&'static str> {
                $name
            }
        }
        impl<'a> From<&'a mut $kind> for Slot<'a> {
            fn from(value: &'a mut $kind) -> Self {
                Slot::Choice(value)
            }
        }
        impl AttributeType for $kind {
            const FORM: Form = Form::Word($kind::WORDS);
            fn value(&self) -> Value<'_> {
                Value::Choice(*self as i32)
            }
        }
    )*};
}

numbered! {
    GeomType Some("mjtGeom"), JointType Some("mjtJoint"), TrackingMode Some("mjtCamLight"), Projection Some("mjtProjection"),
    LightType Some("mjtLightType"), SleepPolicy Some("mjtSleepPolicy"), TransmissionType Some("mjtTrn"),
    DynamicsType Some("mjtDyn"), GainType Some("mjtGain"), BiasType Some("mjtBias"), EqualityType Some("mjtEq"),
    ObjectType Some("mjtObj"), SensorType Some("mjtSensor"), SensorDataType Some("mjtDataType"), Stage Some("mjtStage"),
    TextureType Some("mjtTexture"), ColorSpace Some("mjtColorSpace"), LengthRangeMode None, Limited None, AlignFree None,
    InertiaFromGeom None, GeomInertia Some("mjtGeomInertia"), MeshInertia Some("mjtMeshInertia"), TextureBuiltin None,
    TextureMark None,
}
