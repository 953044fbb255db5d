//! Tables whose cells are shown to people and given to tools.

use std::fmt::Write as _;

use condyle::{Model, ObjectType};
use condyle_base::json::{self, Object};

use crate::label::{label, short};
use crate::say::bold;

/// A value for tools.
#[derive(Clone, Debug)]
pub(super) enum Value {
    Nothing,
    Integer(i64),
    Number(f64),
    Numbers(Vec<f64>),
    Integers(Vec<i64>),
    Text(String),
    Texts(Vec<String>),
    Flag(bool),
}

/// What stands in one place of a table.
#[derive(Clone, Debug)]
pub(super) struct Cell {
    value: Value,
    text: String,
}

impl Cell {
    pub(super) fn new(value: Value, text: impl Into<String>) -> Self {
        Self { value, text: text.into() }
    }

    pub(super) fn nothing() -> Self {
        Self::new(Value::Nothing, "")
    }

    pub(super) fn integer(value: usize) -> Self {
        Self::new(Value::Integer(value as i64), value.to_string())
    }

    pub(super) fn number(value: f64) -> Self {
        Self::new(Value::Number(value), short(value))
    }

    pub(super) fn numbers(values: &[f64]) -> Self {
        let texts: Vec<String> = values.iter().map(|value| short(*value)).collect();
        Self::new(Value::Numbers(values.to_vec()), texts.join(" "))
    }

    /// A word; an empty one is nothing.
    pub(super) fn text(text: impl Into<String>) -> Self {
        let text = text.into();
        let value = if text.is_empty() { Value::Nothing } else { Value::Text(text.clone()) };
        Self::new(value, text)
    }

    pub(super) fn flag(value: bool) -> Self {
        Self::new(Value::Flag(value), if value { "yes" } else { "no" })
    }

    /// Name of an element: `null` for tools if it has none.
    pub(super) fn name(model: &Model, kind: ObjectType, id: usize) -> Self {
        let name = model.name(kind, id);
        let value = if name.is_empty() { Value::Nothing } else { Value::Text(name.to_owned()) };
        Self::new(value, label(model, kind, id))
    }

    /// Another element: its number for tools, its name for people.
    pub(super) fn element(model: &Model, kind: ObjectType, id: i32) -> Self {
        usize::try_from(id).map_or_else(
            |_| Self::nothing(),
            |id| Self::new(Value::Integer(id as i64), label(model, kind, id)),
        )
    }

    /// A range, where there is one, in a unit.
    pub(super) fn range(range: [f64; 2], given: bool, unit: &str) -> Self {
        if !given {
            return Self::nothing();
        }
        let text = format!("{} .. {} {unit}", short(range[0]), short(range[1]));
        Self::new(Value::Numbers(range.to_vec()), text.trim_end())
    }

    /// Consecutive places of an array.
    pub(super) fn places(first: usize, count: usize) -> Self {
        let text = if count == 1 { first.to_string() } else { format!("{first}..{}", first + count) };
        Self::new(Value::Integers((first..first + count).map(|place| place as i64).collect()), text)
    }

    pub(super) fn texts(texts: Vec<String>) -> Self {
        let text = texts.join(", ");
        Self::new(Value::Texts(texts), text)
    }
}

/// One kind of element.
pub(super) struct Section {
    /// Name for tools.
    pub key: &'static str,
    /// Columns: name for tools, heading for people; without a heading the column is for tools only.
    pub columns: &'static [(&'static str, &'static str)],
    pub rows: Vec<Vec<Cell>>,
}

impl Section {
    /// The section as an aligned table.
    pub(super) fn text(&self, out: &mut String) {
        let shown: Vec<usize> =
            (0..self.columns.len()).filter(|column| !self.columns[*column].1.is_empty()).collect();
        let length = |text: &str| text.chars().count();
        let widths: Vec<usize> = shown
            .iter()
            .map(|&column| {
                let cells = self.rows.iter().map(|row| length(&row[column].text));
                cells.chain([length(self.columns[column].1)]).max().unwrap_or(0)
            })
            .collect();
        let _ = writeln!(out, "{}", bold(&format!("{} ({})", self.key, self.rows.len())));
        let line = |cells: Vec<&str>| {
            let mut line = String::from("  ");
            for (cell, width) in cells.iter().zip(&widths) {
                let _ = write!(line, "{cell}{:pad$}", "", pad = width - length(cell) + 2);
            }
            line.truncate(line.trim_end().len());
            line
        };
        let _ = writeln!(out, "{}", line(shown.iter().map(|column| self.columns[*column].1).collect()));
        for row in &self.rows {
            let _ =
                writeln!(out, "{}", line(shown.iter().map(|column| row[*column].text.as_str()).collect()));
        }
    }

    /// One row as a JSON object.
    pub(super) fn json(&self, out: &mut String, row: &[Cell]) {
        let mut object = Object::open(out);
        for ((key, _), cell) in self.columns.iter().zip(row) {
            let out = object.member(key);
            match &cell.value {
                Value::Nothing => out.push_str("null"),
                Value::Integer(value) => {
                    let _ = write!(out, "{value}");
                }
                Value::Number(value) => json::number(out, *value),
                Value::Numbers(values) => json::list(out, values, |out, value| json::number(out, *value)),
                Value::Integers(values) => json::list(out, values, |out, value| {
                    let _ = write!(out, "{value}");
                }),
                Value::Text(text) => json::string(out, text),
                Value::Texts(texts) => json::list(out, texts, |out, text| json::string(out, text)),
                Value::Flag(value) => out.push_str(if *value { "true" } else { "false" }),
            }
        }
        object.close();
    }
}
