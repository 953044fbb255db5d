//! Text of elements: indentation, escaping and numbers that read back to the same bits.

use condyle_model::Values;
use condyle_model::options::{ErasedRecord, RecordForm};
use condyle_spec::edit::form::{Form, Keywords, Mjcf};
use condyle_spec::edit::{Attributed, Value};
use std::fmt::Write as _;

/// A number that can be written.
pub(super) trait Number: Copy {
    fn put(self, out: &mut String);
    /// Whether both read the same: the sign of a zero counts.
    fn same(self, other: Self) -> bool;
}

macro_rules! floats {
    ($($kind:ty),*) => {$(
        impl Number for $kind {
            fn put(self, out: &mut String) {
                let size = self.abs();
                // The shortest digits that read back to the same number; an exponent where they would be long.
                let _ = if size == 0.0 || (1e-5..1e15).contains(&size) || !self.is_finite() {
                    write!(out, "{self}")
                } else {
                    write!(out, "{self:e}")
                };
            }

            fn same(self, other: Self) -> bool {
                self.to_bits() == other.to_bits()
            }
        }
    )*};
}
floats!(f32, f64);

impl Number for i32 {
    fn put(self, out: &mut String) {
        let _ = write!(out, "{self}");
    }

    fn same(self, other: Self) -> bool {
        self == other
    }
}

/// The text being built. Tags are opened, given attributes and then finished.
#[derive(Default)]
pub(super) struct Text {
    pub out: String,
    open: Vec<&'static str>,
}

impl Text {
    /// Starts a tag; attributes follow.
    pub(super) fn start(&mut self, name: &'static str) {
        self.out.extend(std::iter::repeat_n("  ", self.open.len()));
        let _ = write!(self.out, "<{name}");
    }

    /// Finishes a tag that holds nothing.
    pub(super) fn empty(&mut self) {
        self.out.push_str("/>\n");
    }

    /// Finishes a start tag; elements follow until [`Text::close`].
    pub(super) fn open(&mut self, name: &'static str) {
        self.out.push_str(">\n");
        self.open.push(name);
    }

    /// Ends the innermost open element.
    pub(super) fn close(&mut self) {
        if let Some(name) = self.open.pop() {
            self.out.extend(std::iter::repeat_n("  ", self.open.len()));
            let _ = writeln!(self.out, "</{name}>");
        }
    }

    /// A section: nothing if it stays empty.
    pub(super) fn section(&mut self, name: &'static str, content: impl FnOnce(&mut Self)) {
        let before = self.out.len();
        self.start(name);
        self.open(name);
        let inside = self.out.len();
        content(self);
        if self.out.len() == inside {
            self.out.truncate(before);
            self.open.pop();
        } else {
            self.close();
        }
    }

    /// Finishes a tag: with the elements `inside` writes, or as one that holds nothing.
    pub(super) fn content(&mut self, name: &'static str, inside: impl FnOnce(&mut Self)) {
        let before = self.out.len();
        self.open(name);
        let start = self.out.len();
        inside(self);
        if self.out.len() == start {
            self.out.truncate(before);
            self.open.pop();
            self.empty();
        } else {
            self.close();
        }
    }

    /// An element that is left out when it has no attributes.
    pub(super) fn settings(&mut self, name: &'static str, attributes: impl FnOnce(&mut Self)) {
        let before = self.out.len();
        self.start(name);
        let inside = self.out.len();
        attributes(self);
        self.empty_unless_bare(before, inside);
    }

    /// Finishes a tag that holds nothing; one without attributes is taken back. The text was `before` long when the tag was started, and
    /// is longer than `inside` if there are attributes.
    pub(super) fn empty_unless_bare(&mut self, before: usize, inside: usize) {
        if self.out.len() == inside { self.out.truncate(before) } else { self.empty() }
    }

    /// An attribute.
    pub(super) fn text(&mut self, name: &str, value: &str) {
        let _ = write!(self.out, " {name}=\"");
        for c in value.chars() {
            match c {
                '&' => self.out.push_str("&amp;"),
                '<' => self.out.push_str("&lt;"),
                '>' => self.out.push_str("&gt;"),
                '"' => self.out.push_str("&quot;"),
                c if c.is_control() => {
                    let _ = write!(self.out, "&#{};", c as u32);
                }
                c => self.out.push(c),
            }
        }
        self.out.push('"');
    }

    /// A text attribute that differs from its default.
    pub(super) fn text_unless(&mut self, name: &str, value: &str, default: &str) {
        if value != default {
            self.text(name, value);
        }
    }

    /// Numbers.
    pub(super) fn numbers<T: Number>(&mut self, name: &str, values: &[T]) {
        let _ = write!(self.out, " {name}=\"");
        for (index, value) in values.iter().enumerate() {
            if index > 0 {
                self.out.push(' ');
            }
            value.put(&mut self.out);
        }
        self.out.push('"');
    }

    /// Numbers that differ from their defaults.
    pub(super) fn array<T: Number>(&mut self, name: &str, values: &[T], default: &[T]) {
        if values.len() != default.len()
            || values.iter().zip(default).any(|(value, other)| !value.same(*other))
        {
            self.numbers(name, values);
        }
    }

    /// A number that differs from its default.
    pub(super) fn number<T: Number>(&mut self, name: &str, value: T, default: T) {
        if !value.same(default) {
            self.numbers(name, &[value]);
        }
    }

    /// Numbers, if there are any.
    pub(super) fn list<T: Number>(&mut self, name: &str, values: &[T]) {
        if !values.is_empty() {
            self.numbers(name, values);
        }
    }

    /// A flag that differs from its default.
    pub(super) fn flag(&mut self, name: &str, value: bool, default: bool) {
        if value != default {
            self.text(name, if value { "true" } else { "false" });
        }
    }

    /// The attributes that the table of an element declares, where they differ from their defaults and `wanted` takes their name.
    /// Angles and what is written by hand are left out.
    pub(super) fn attributes<T: Attributed>(
        &mut self,
        element: &T,
        default: &T,
        wanted: impl Fn(&str) -> bool,
    ) {
        self.rows(element, default, |mjcf| mjcf.part.is_none() && wanted(mjcf.name));
    }

    /// The element inside the element that has attributes of its own; left out when all are as by default.
    pub(super) fn part<T: Attributed>(&mut self, part: &'static str, element: &T, default: &T) {
        self.settings(part, |text| text.rows(element, default, |mjcf| mjcf.part == Some(part)));
    }

    fn rows<T: Attributed>(&mut self, element: &T, default: &T, wanted: impl Fn(&Mjcf) -> bool) {
        for attribute in T::ATTRIBUTES {
            if let Some(mjcf) = attribute.mjcf
                && !mjcf.is_by_hand
                && !mjcf.is_angle
                && wanted(&mjcf)
            {
                self.value(&mjcf, (attribute.value)(element), (attribute.value)(default));
            }
        }
    }

    /// The fields of a record that differ from their defaults.
    pub(super) fn record(&mut self, record: &dyn ErasedRecord, default: &dyn ErasedRecord) {
        for field in record.fields() {
            let name = field.name;
            match (record.value(name), default.value(name), field.form) {
                (_, _, RecordForm::Bits) => {}
                (Some(Values::I32([value])), Some(Values::I32([default])), RecordForm::Words(words))
                    if value != default =>
                {
                    self.word_from(name, words, *value);
                }
                (Some(Values::I32([value])), Some(Values::I32([default])), RecordForm::Flag) => {
                    self.flag(name, *value != 0, *default != 0);
                }
                (Some(Values::I32(value)), Some(Values::I32(default)), _) => self.array(name, value, default),
                (Some(Values::F32(value)), Some(Values::F32(default)), _) => self.array(name, value, default),
                (Some(Values::F64(value)), Some(Values::F64(default)), _) => self.array(name, value, default),
                _ => {}
            }
        }
    }

    /// A value that differs from its default.
    fn value(&mut self, mjcf: &Mjcf, value: Value<'_>, default: Value<'_>) {
        use Value as V;
        let name = mjcf.name;
        match (value, default) {
            (V::Real(value), V::Real(default)) => match mjcf.form {
                Form::Word(words) if value != default => {
                    self.word_from(name, words, i32::from(value != 0.0));
                }
                Form::Word(_) => {}
                _ => self.number(name, value, default),
            },
            (V::Single(value), V::Single(default)) => self.number(name, value, default),
            (V::Int(value), V::Int(default)) | (V::Choice(value), V::Choice(default)) => match mjcf.form {
                Form::Word(words) if value != default => self.word_from(name, words, value),
                Form::Words(words) if value != default => self.words_from(name, words, value, false),
                Form::Word(_) | Form::Words(_) => {}
                _ => self.number(name, value, default),
            },
            (V::Flag(value), V::Flag(default)) => self.flag(name, value, default),
            (V::Text(value), V::Text(default)) => self.text_unless(name, value, default),
            (V::Reals(value), V::Reals(default)) => self.array(name, value, default),
            (V::Singles(value), V::Singles(default)) => self.array(name, value, default),
            (V::Ints(value), V::Ints(default)) => self.array(name, value, default),
            (V::RealList(values), _) if value != default => self.list(name, values),
            (V::SingleList(values), _) if value != default => self.list(name, values),
            (V::IntList(values), _) if value != default => self.list(name, values),
            (V::TextList(values), _) if value != default => self.text(name, &values.join(" ")),
            (V::MaybeReal(given), _) if value != default => self.list(name, given.as_slice()),
            (V::MaybeReals(given), _) if value != default => self.list(name, given.unwrap_or_default()),
            // The same as by default, or of a type that each element writes in its own way.
            _ => {}
        }
    }

    /// A word of a set that differs from its default.
    pub(super) fn word(&mut self, name: &str, set: &str, value: i32, default: i32) {
        if value != default {
            self.word_always(name, set, value);
        }
    }

    /// A word of a set.
    pub(super) fn word_always(&mut self, name: &str, set: &str, value: i32) {
        self.word_from(name, crate::schema::keywords(set).unwrap_or_default(), value);
    }

    fn word_from(&mut self, name: &str, words: Keywords, value: i32) {
        if let Some((word, _)) = words.iter().find(|(_, known)| *known == value) {
            self.text(name, word);
        }
    }

    /// The words of a set whose bits are set; `shift` if the values are positions of bits.
    pub(super) fn words(&mut self, name: &str, set: &str, bits: i32, shift: bool) {
        self.words_from(name, crate::schema::keywords(set).unwrap_or_default(), bits, shift);
    }

    fn words_from(&mut self, name: &str, words: Keywords, bits: i32, shift: bool) {
        let chosen: Vec<&str> = words
            .iter()
            .filter(|(_, value)| bits & if shift { 1 << value } else { *value } != 0)
            .map(|(word, _)| *word)
            .collect();
        self.text(name, &chosen.join(" "));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_back_to_the_same_bits() {
        for value in
            [0.1, -0.0, 1e-300, 123_456_789.123_456_79, 1e22, f64::MAX, f64::MIN_POSITIVE, 2.0, f64::INFINITY]
        {
            let mut out = String::new();
            value.put(&mut out);
            assert_eq!(
                <f64 as crate::number::Number>::parse(&out).unwrap().to_bits(),
                value.to_bits(),
                "{out}"
            );
        }
        let mut out = String::new();
        0.1_f32.put(&mut out);
        assert_eq!(out, "0.1");
    }

    #[test]
    fn empty_sections_leave_no_trace_and_text_is_escaped() {
        let mut text = Text::default();
        text.section("asset", |_| {});
        text.settings("option", |_| {});
        assert_eq!(text.out, "");
        text.start("a");
        text.text("n", "<\"&\n>");
        text.empty();
        assert_eq!(text.out, "<a n=\"&lt;&quot;&amp;&#10;&gt;\"/>\n");
    }
}
