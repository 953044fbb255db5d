//! Writing JSON text piece by piece.

use std::fmt::Write as _;

/// Append a quoted string.
pub fn string(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            c if (c as u32) < 0x20 => {
                let _ = write!(out, "\\u{:04x}", c as u32);
            }
            c => out.push(c),
        }
    }
    out.push('"');
}

/// Append a number with all its digits; JSON has none for infinity and NaN, which become `null`.
pub fn number(out: &mut String, value: f64) {
    if value.is_finite() {
        let _ = write!(out, "{value:?}");
    } else {
        out.push_str("null");
    }
}

/// Append values in brackets, each written by `write`.
pub fn list<T>(out: &mut String, values: impl IntoIterator<Item = T>, mut write: impl FnMut(&mut String, T)) {
    out.push('[');
    for (index, value) in values.into_iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        write(out, value);
    }
    out.push(']');
}

/// Members of an object, written in order.
pub struct Object<'a> {
    out: &'a mut String,
    empty: bool,
}

impl<'a> Object<'a> {
    /// Open an object at the end of `out`.
    pub fn open(out: &'a mut String) -> Self {
        out.push('{');
        Self { out, empty: true }
    }

    /// Write a name; the caller appends the value to the text that is returned.
    pub fn member(&mut self, name: &str) -> &mut String {
        if !self.empty {
            self.out.push(',');
        }
        self.empty = false;
        string(self.out, name);
        self.out.push(':');
        self.out
    }

    /// A member that is a string.
    pub fn string(&mut self, name: &str, value: &str) -> &mut Self {
        string(self.member(name), value);
        self
    }

    /// A member that is a name: `null` where there is none.
    pub fn name(&mut self, name: &str, value: &str) -> &mut Self {
        let out = self.member(name);
        if value.is_empty() {
            out.push_str("null")
        } else {
            string(out, value)
        }
        self
    }

    /// A member that is a number.
    pub fn number(&mut self, name: &str, value: f64) -> &mut Self {
        number(self.member(name), value);
        self
    }

    /// A member that is a whole number, or `null`.
    pub fn integer(&mut self, name: &str, value: Option<usize>) -> &mut Self {
        let out = self.member(name);
        match value {
            Some(value) => {
                let _ = write!(out, "{value}");
            }
            None => out.push_str("null"),
        }
        self
    }

    /// A member that is true or false.
    pub fn boolean(&mut self, name: &str, value: bool) -> &mut Self {
        self.member(name).push_str(if value { "true" } else { "false" });
        self
    }

    /// A member that is a list of numbers.
    pub fn numbers(&mut self, name: &str, values: &[f64]) -> &mut Self {
        list(self.member(name), values, |out, value| number(out, *value));
        self
    }

    /// Close the object.
    pub fn close(self) {
        self.out.push('}');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_separated_and_text_is_escaped() {
        let mut text = String::new();
        let mut object = Object::open(&mut text);
        object.string("a\"b", "line\n\u{1}").number("x", 1e-7).number("bad", f64::NAN);
        object.integer("none", None).boolean("yes", true).numbers("list", &[1.0, -0.5]);
        object.close();
        assert_eq!(
            text,
            r#"{"a\"b":"line\n\u0001","x":1e-7,"bad":null,"none":null,"yes":true,"list":[1.0,-0.5]}"#
        );
    }
}
