//! The value of an attribute to look at, whatever the element: what writers go through. The counterpart to write is
//! [`Slot`](super::Slot).

use super::form::{Count, FLAG, Form};

/// The value of an attribute.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value<'a> {
    /// A number.
    Real(f64),
    /// A number in single precision.
    Single(f32),
    /// An integer.
    Int(i32),
    /// A large integer.
    Long(i64),
    /// Yes or no.
    Flag(bool),
    /// A text.
    Text(&'a str),
    /// The number of a value of an enumeration.
    Choice(i32),
    /// A number that may be undefined.
    MaybeReal(Option<f64>),
    /// Numbers that may be undefined together.
    MaybeReals(Option<&'a [f64]>),
    /// A fixed number of numbers.
    Reals(&'a [f64]),
    /// A fixed number of numbers in single precision.
    Singles(&'a [f32]),
    /// A fixed number of integers.
    Ints(&'a [i32]),
    /// A fixed number of letters.
    Chars(&'a [u8]),
    /// A fixed number of texts.
    Texts(&'a [String]),
    /// Any number of numbers.
    RealList(&'a [f64]),
    /// Any number of numbers in single precision.
    SingleList(&'a [f32]),
    /// Any number of integers.
    IntList(&'a [i32]),
    /// Any number of texts.
    TextList(&'a [String]),
    /// Any number of bytes.
    Bytes(&'a [u8]),
}

impl Value<'_> {
    /// The value as text, by the words of its form where it has some; empty for nothing.
    pub fn written(&self, form: Form) -> String {
        fn join<T: ToString>(values: &[T]) -> String {
            values.iter().map(T::to_string).collect::<Vec<_>>().join(" ")
        }
        let word = |number: i32| match form {
            Form::Word(words) | Form::Words(words) => {
                words.iter().find(|(_, known)| *known == number).map_or("", |(word, _)| word).to_owned()
            }
            _ => number.to_string(),
        };
        match *self {
            Value::Real(value) if matches!(form, Form::Word(_)) => word(value as i32),
            Value::Real(value) => value.to_string(),
            Value::Single(value) => value.to_string(),
            Value::Int(value) | Value::Choice(value) => word(value),
            Value::Long(value) => value.to_string(),
            Value::Flag(value) => word(i32::from(value)),
            Value::Text(value) => value.to_owned(),
            Value::MaybeReal(value) => value.map_or(String::new(), |value| value.to_string()),
            Value::MaybeReals(values) => join(values.unwrap_or_default()),
            Value::Reals(values) | Value::RealList(values) => join(values),
            Value::Singles(values) | Value::SingleList(values) => join(values),
            Value::Ints(values) | Value::IntList(values) => join(values),
            Value::Chars(values) | Value::Bytes(values) => String::from_utf8_lossy(values).into_owned(),
            Value::Texts(values) | Value::TextList(values) => join(values).trim().to_owned(),
        }
    }
}

/// A type an attribute can have.
pub trait AttributeType {
    /// How its values are written in MJCF, unless the table says otherwise.
    const FORM: Form;
    /// The value to look at.
    fn value(&self) -> Value<'_>;
}

macro_rules! attribute_types {
    ($([$($generic:tt)*] $kind:ty, $form:expr, |$value:ident| $view:expr;)*) => {$(
        impl<$($generic)*> AttributeType for $kind {
            const FORM: Form = $form;
            fn value(&self) -> Value<'_> {
                let $value = self;
                $view
            }
        }
    )*};
}

attribute_types! {
    [] f64, Form::Real(Count::Exactly(1)), |value| Value::Real(*value);
    [] f32, Form::Float(Count::Exactly(1)), |value| Value::Single(*value);
    [] i32, Form::Integer, |value| Value::Int(*value);
    [] i64, Form::Memory, |value| Value::Long(*value);
    [] bool, Form::Word(FLAG), |value| Value::Flag(*value);
    [] String, Form::Text, |value| Value::Text(value);
    [] Option<f64>, Form::Real(Count::Exactly(1)), |value| Value::MaybeReal(*value);
    [const N: usize] Option<[f64; N]>, Form::Real(Count::Exactly(N)), |value| Value::MaybeReals(value.as_ref().map(|value| value.as_slice()));
    [const N: usize] [f64; N], Form::Real(Count::Exactly(N)), |value| Value::Reals(value);
    [const N: usize] [f32; N], Form::Float(Count::Exactly(N)), |value| Value::Singles(value);
    [const N: usize] [i32; N], Form::Int(Count::Exactly(N)), |value| Value::Ints(value);
    [const N: usize] [u8; N], Form::Text, |value| Value::Chars(value);
    [const N: usize] [String; N], Form::Text, |value| Value::Texts(value);
    [] Vec<f64>, Form::Real(Count::Any), |value| Value::RealList(value);
    [] Vec<f32>, Form::Float(Count::Any), |value| Value::SingleList(value);
    [] Vec<i32>, Form::Int(Count::Any), |value| Value::IntList(value);
    [] Vec<String>, Form::Text, |value| Value::TextList(value);
    [] Vec<u8>, Form::Text, |value| Value::Bytes(value);
}
