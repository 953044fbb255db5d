//! How the value of an attribute is written in MJCF.

/// Words and the integers they stand for.
pub type Keywords = &'static [(&'static str, i32)];

/// How many numbers a value holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Count {
    /// Exactly this many.
    Exactly(usize),
    /// This many or fewer.
    AtMost(usize),
    /// Any number.
    Any,
}

/// The form of an attribute's value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Form {
    /// Reals in double precision.
    Real(Count),
    /// Reals in single precision.
    Float(Count),
    /// Integers.
    Int(Count),
    /// One integer, not empty.
    Integer,
    /// Four reals, not all zero.
    Quaternion,
    /// Any text.
    Text,
    /// A name that must be unique among elements of its kind.
    Name,
    /// The name of a default class.
    Class,
    /// The name of a file.
    File,
    /// A number of bytes.
    Memory,
    /// One of these words.
    Word(Keywords),
    /// Some of these words, each at most once.
    Words(Keywords),
    /// Accepted and ignored.
    Unread,
}

/// An attribute in MJCF: its name, the form of its value, and what is special about it.
#[derive(Clone, Copy, Debug)]
pub struct Mjcf {
    /// Name.
    pub name: &'static str,
    /// Form of the value.
    pub form: Form,
    /// Not part of MuJoCo's format.
    pub is_extension: bool,
    /// An angle in the unit that the compiler settings name, so that writing it needs to know them.
    pub is_angle: bool,
    /// Read and written by a function of its own.
    pub is_by_hand: bool,
    /// The element inside the element that has the attribute, if it is not the element itself.
    pub part: Option<&'static str>,
}

/// The words that may follow the name of an attribute in the table of its element.
impl Mjcf {
    pub(crate) const fn new(name: &'static str, form: Form) -> Self {
        Self { name, form, is_extension: false, is_angle: false, is_by_hand: false, part: None }
    }

    /// Fewer numbers than the field holds may be given; the rest keeps its values.
    pub(crate) const fn at_most(mut self) -> Self {
        self.form = match self.form {
            Form::Real(Count::Exactly(count)) => Form::Real(Count::AtMost(count)),
            Form::Float(Count::Exactly(count)) => Form::Float(Count::AtMost(count)),
            Form::Int(Count::Exactly(count)) => Form::Int(Count::AtMost(count)),
            other => other,
        };
        self
    }

    /// One integer, for a field that holds a large one.
    pub(crate) const fn integer(mut self) -> Self {
        self.form = Form::Integer;
        self
    }

    /// A rotation: not all zero.
    pub(crate) const fn quaternion(mut self) -> Self {
        self.form = Form::Quaternion;
        self
    }

    /// One of these words, for a field that keeps its number.
    pub(crate) const fn words(mut self, words: Keywords) -> Self {
        self.form = Form::Word(words);
        self
    }

    /// Several of these words, for a field that keeps their bits.
    pub(crate) const fn bits(mut self, words: Keywords) -> Self {
        self.form = Form::Words(words);
        self
    }

    /// Readers and writers have a function for it.
    pub(crate) const fn by_hand(mut self) -> Self {
        self.is_by_hand = true;
        self
    }

    /// MuJoCo does not have it.
    pub(crate) const fn extension(mut self) -> Self {
        self.is_extension = true;
        self
    }

    /// An angle for joints that turn.
    pub(crate) const fn angle(mut self) -> Self {
        self.is_angle = true;
        self
    }

    /// At most this many numbers, for a field that holds any number.
    pub(crate) const fn most(mut self, count: usize) -> Self {
        self.form = Form::Real(Count::AtMost(count));
        self
    }

    /// A file.
    pub(crate) const fn file(mut self) -> Self {
        self.form = Form::File;
        self
    }

    /// A default class.
    pub(crate) const fn class(mut self) -> Self {
        self.form = Form::Class;
        self
    }

    /// An attribute of the `<inertial>` inside a body.
    pub(crate) const fn inertial(self) -> Self {
        self.inside("inertial")
    }

    /// An attribute of the `<contact>` inside a flex.
    pub(crate) const fn contact(self) -> Self {
        self.inside("contact")
    }

    /// An attribute of the `<edge>` inside a flex.
    pub(crate) const fn edge(self) -> Self {
        self.inside("edge")
    }

    /// An attribute of the `<elasticity>` inside a flex.
    pub(crate) const fn elasticity(self) -> Self {
        self.inside("elasticity")
    }

    const fn inside(mut self, part: &'static str) -> Self {
        self.part = Some(part);
        self
    }
}

/// Images a camera gives, as bits.
pub const CAMERA_OUTPUT: Keywords =
    &[("rgb", 1), ("depth", 2), ("distance", 4), ("normal", 8), ("segmentation", 16)];
/// Shape on which the medium acts.
pub const FLUID_SHAPE: Keywords = &[("none", 0), ("ellipsoid", 1)];
/// Interpolation between samples of the past.
pub const INTERPOLATION: Keywords = &[("zoh", 0), ("linear", 1), ("cubic", 2)];
/// A flag in a field that keeps its number.
pub const FLAG: Keywords = &[("false", 0), ("true", 1)];
/// Unit of angles.
pub const ANGLE: Keywords = &[("radian", 0), ("degree", 1)];
/// In which ways a thin flex is elastic.
pub const ELASTIC_2D: Keywords = &[("none", 0), ("bend", 1), ("stretch", 2), ("both", 3)];
/// How many numbers MuJoCo takes for a custom array, one more than it keeps.
pub const NUMERIC_DATA: usize = 501;
