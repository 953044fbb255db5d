//! Access to the values of one element's attributes.
//!
//! Values were checked against the format table before, so a value of the wrong form counts as not given here: it has been
//! reported already.

use crate::number::{Number, words};
use crate::schema::{Count, Form, Keywords, keywords};
use crate::xml::Element;
use condyle_model::ValuesMut;
use condyle_model::options::{ErasedRecord, RecordForm};
use condyle_spec::Orientation;
use condyle_spec::edit::form::Mjcf;
use condyle_spec::edit::{Attributed, Slot};

/// The attributes of one element. Each `…(name, target)` method writes the target and says whether it did.
#[derive(Clone, Copy)]
pub(super) struct Attributes<'a>(pub &'a Element);

impl<'a> Attributes<'a> {
    /// Writes the attributes that the table of an element declares over the values it starts from.
    pub(super) fn read<T: Attributed>(self, element: &mut T) {
        self.read_some(element, |_| true);
    }

    /// The same for the attributes whose name is `wanted`.
    pub(super) fn read_some<T: Attributed>(self, element: &mut T, wanted: impl Fn(&str) -> bool) {
        self.read_rows(element, |mjcf| mjcf.part.is_none() && wanted(mjcf.name));
    }

    /// The same for the attributes that a part of the element has, such as the `<edge>` of a flex.
    pub(super) fn read_part<T: Attributed>(self, element: &mut T, part: &str) {
        self.read_rows(element, |mjcf| mjcf.part == Some(part));
    }

    fn read_rows<T: Attributed>(self, element: &mut T, wanted: impl Fn(&Mjcf) -> bool) {
        for attribute in T::ATTRIBUTES {
            if let Some(mjcf) = attribute.mjcf.filter(|mjcf| !mjcf.is_by_hand && wanted(mjcf)) {
                self.read_slot(&mjcf, (attribute.slot)(element));
            }
        }
    }

    /// Writes one attribute to where its value is.
    fn read_slot(self, mjcf: &Mjcf, slot: Slot<'_>) {
        let name = mjcf.name;
        let part = matches!(
            mjcf.form,
            Form::Real(Count::AtMost(_)) | Form::Float(Count::AtMost(_)) | Form::Int(Count::AtMost(_))
        );
        match slot {
            Slot::Real(target) => match mjcf.form {
                Form::Word(words) => _ = self.word_of(name, words).map(|value| *target = f64::from(value)),
                _ => _ = self.set(name, target),
            },
            Slot::Single(target) => _ = self.set(name, target),
            Slot::Int(target) => match mjcf.form {
                Form::Word(words) => _ = self.word_of(name, words).map(|value| *target = value),
                Form::Words(words) => {
                    if let Some(values) = self.words_of(name, words) {
                        *target = values.into_iter().fold(0, |bits, bit| bits | bit);
                    }
                }
                _ => _ = self.set(name, target),
            },
            Slot::Flag(target) => _ = self.set_flag(name, target),
            Slot::Text(target) => _ = self.set_text(name, target),
            Slot::Choice(target) => {
                if let Form::Word(words) = mjcf.form
                    && let Some(value) = self.word_of(name, words)
                {
                    target.set_number(value);
                }
            }
            Slot::Reals(target) => self.set_slice(name, target, part),
            Slot::Singles(target) => self.set_slice(name, target, part),
            Slot::Ints(target) => self.set_slice(name, target, part),
            Slot::RealList(target) => _ = self.set_list(name, target),
            Slot::SingleList(target) => _ = self.set_list(name, target),
            Slot::IntList(target) => _ = self.set_list(name, target),
            Slot::MaybeReal(target) => {
                if let Some(value) = self.number::<f64>(name) {
                    *target = (!value.is_nan()).then_some(value);
                }
            }
            Slot::MaybeReals(target) => {
                if let Some(values) = self.numbers::<f64>(name) {
                    target.set_defined(&values);
                }
            }
            Slot::TextList(target) => {
                if let Some(text) = self.get(name) {
                    *target = words(text).map(|(_, word)| word.to_owned()).collect();
                }
            }
            // Of these each element has its own way to read them.
            Slot::Long(_) | Slot::Chars(_) | Slot::Texts(_) | Slot::Bytes(_) => {}
        }
    }

    /// Writes the attributes that are called like the fields of a record over the values it has.
    pub(super) fn read_record(self, record: &mut dyn ErasedRecord) {
        for field in record.fields() {
            let name = field.name;
            let part = field.form == RecordForm::AtMost;
            match (record.value_mut(name), field.form) {
                (_, RecordForm::Bits) | (None, _) => {}
                (Some(ValuesMut::I32([value])), RecordForm::Words(words)) => {
                    _ = self.word_of(name, words).map(|word| *value = word);
                }
                (Some(ValuesMut::I32([value])), RecordForm::Flag) => {
                    _ = self.flag(name).map(|flag| *value = i32::from(flag));
                }
                (Some(ValuesMut::I32(values)), _) => self.set_slice(name, values, part),
                (Some(ValuesMut::F32(values)), _) => self.set_slice(name, values, part),
                (Some(ValuesMut::F64(values)), _) => self.set_slice(name, values, part),
                (Some(_), _) => {}
            }
        }
    }

    /// As many numbers as the target holds, or fewer if a `part` will do.
    fn set_slice<T: Number>(self, name: &str, target: &mut [T], part: bool) {
        match self.numbers::<T>(name) {
            Some(values) if values.len() == target.len() || part && values.len() < target.len() => {
                for (slot, value) in target.iter_mut().zip(&values) {
                    *slot = *value;
                }
            }
            _ => {}
        }
    }

    /// Whether the attribute is present.
    pub(super) fn has(self, name: &str) -> bool {
        self.0.attribute(name).is_some()
    }

    /// The text of the attribute.
    pub(super) fn get(self, name: &str) -> Option<&'a str> {
        self.0.attribute(name)
    }

    /// The numbers of the attribute; none if it is absent, empty or malformed.
    pub(super) fn numbers<T: Number>(self, name: &str) -> Option<Vec<T>> {
        let values = self.0.find(name)?.numbers().ok()?;
        if values.is_empty() { None } else { Some(values) }
    }

    /// Exactly as many numbers as the result holds.
    pub(super) fn array<T: Number, const N: usize>(self, name: &str) -> Option<[T; N]> {
        self.numbers::<T>(name)?.try_into().ok()
    }

    /// One number.
    pub(super) fn number<T: Number>(self, name: &str) -> Option<T> {
        self.array::<T, 1>(name).map(|[value]| value)
    }

    /// Exactly one number.
    pub(super) fn set<T: Number>(self, name: &str, target: &mut T) -> bool {
        self.number(name).map(|value| *target = value).is_some()
    }

    /// Exactly as many numbers as the target holds.
    pub(super) fn set_all<T: Number, const N: usize>(self, name: &str, target: &mut [T; N]) -> bool {
        self.array(name).map(|values| *target = values).is_some()
    }

    /// At most as many numbers as the target holds; the rest keeps its values. Returns how many were given.
    pub(super) fn set_first<T: Number>(self, name: &str, target: &mut [T]) -> usize {
        match self.numbers::<T>(name) {
            Some(values) if values.len() <= target.len() => {
                for (slot, value) in target.iter_mut().zip(&values) {
                    *slot = *value;
                }
                values.len()
            }
            _ => 0,
        }
    }

    /// Any number of numbers.
    pub(super) fn set_list<T: Number>(self, name: &str, target: &mut Vec<T>) -> bool {
        self.numbers(name).map(|values| *target = values).is_some()
    }

    /// A text.
    pub(super) fn set_text(self, name: &str, target: &mut String) -> bool {
        self.get(name).map(|text| text.clone_into(target)).is_some()
    }

    /// The value of a word of a set.
    pub(super) fn word(self, name: &str, set: &str) -> Option<i32> {
        self.word_of(name, keywords(set)?)
    }

    fn word_of(self, name: &str, words: Keywords) -> Option<i32> {
        let text = self.get(name)?;
        words.iter().find(|(word, _)| *word == text).map(|&(_, value)| value)
    }

    /// The values of several words of a set.
    pub(super) fn word_list(self, name: &str, set: &str) -> Option<Vec<i32>> {
        self.words_of(name, keywords(set)?)
    }

    fn words_of(self, name: &str, set: Keywords) -> Option<Vec<i32>> {
        let text = self.get(name)?;
        let values: Vec<i32> = words(text)
            .filter_map(|(_, word)| set.iter().find(|(known, _)| *known == word).map(|&(_, value)| value))
            .collect();
        if values.is_empty() { None } else { Some(values) }
    }

    /// `true` or `false`.
    pub(super) fn flag(self, name: &str) -> Option<bool> {
        self.word(name, "bool").map(|value| value == 1)
    }

    /// `true` or `false`.
    pub(super) fn set_flag(self, name: &str, target: &mut bool) -> bool {
        self.flag(name).map(|value| *target = value).is_some()
    }

    /// A word of a set whose values are those of an enumeration.
    pub(super) fn set_word<T>(
        self,
        name: &str,
        set: &str,
        from: impl Fn(i32) -> Option<T>,
        target: &mut T,
    ) -> bool {
        self.word(name, set).and_then(from).map(|value| *target = value).is_some()
    }

    /// An orientation given other than as a quaternion; the last one given counts.
    pub(super) fn orientation(self) -> Option<Orientation> {
        let axis_angle = self.array("axisangle").map(Orientation::AxisAngle);
        let xy_axes = self.array("xyaxes").map(Orientation::XyAxes);
        let z_axis = self.array("zaxis").map(Orientation::ZAxis);
        let euler = self.array("euler").map(Orientation::Euler);
        euler.or(z_axis).or(xy_axes).or(axis_angle)
    }

    /// Names of the orientation attributes that are given.
    pub(super) fn orientations(self) -> Vec<&'static str> {
        let given = |name: &str| self.get(name).is_some_and(|text| words(text).next().is_some());
        let mut names: Vec<&'static str> =
            ["axisangle", "xyaxes", "zaxis", "euler"].into_iter().filter(|name| given(name)).collect();
        // An empty quaternion counts, the other ones do not when they are empty.
        if self.has("quat") {
            names.insert(0, "quat");
        }
        names
    }
}
