//! The model format as one table: every element, how often it may occur, every attribute and the form of its value.
//!
//! `table.txt` has one element per line, nested by indentation, followed by its attributes; `|` continues a line. The sign
//! after the name says how often the element may occur in its parent: `!` once, `?` at most once, `*` any number, `R` any
//! number and inside itself. After a colon stands the form of the attribute's value; without one the form is called like the
//! attribute:
//!
//! | form | value |
//! |---|---|
//! | `r`, `r3`, `r..5`, `r*` | reals: one, exactly three, at most five, any number |
//! | `f`, `f3`, `f*` | the same in single precision |
//! | `i` | one integer |
//! | `i2`, `i..3`, `i*` | integers |
//! | `q` | four reals that are not all zero |
//! | `text`, `name`, `class`, `file` | text, a unique name, a default class, a file |
//! | `memory` | bytes with an optional suffix K, M, G, T, P or E |
//! | `unread` | accepted and ignored |
//! | anything else | one word of the set of that name, several with a `*` |
//!
//! | in place of an attribute | stands for |
//! |---|---|
//! | `+joint` | all attributes that the table of joints in `condyle-spec` declares |
//! | `+flex.edge` | those it declares for the `<edge>` inside the element |
//! | `+mesh(scale,inertia)` | these of them |
//! | `+drive` | the attributes after `= drive` at the top of the table |
//! | `-pos` | all so far without this one |

mod history;
mod keywords;
pub mod newer;
mod validate;

use condyle_spec::Kind;
use condyle_spec::edit::mjcf_attributes;
use std::collections::{HashMap, HashSet};
use std::fmt::Write as _;
use std::sync::OnceLock;

pub use condyle_spec::edit::form::{Count, Form, Keywords};
pub use history::{attribute_history, element_history};
pub use keywords::{EXTENSION_WORDS, keywords};
pub use validate::{Context, parse_memory, validate};
pub(crate) use validate::{check_form, check_tolerantly};

/// One attribute of an element.
#[derive(Clone, Debug)]
pub struct AttributeRow {
    /// Name.
    pub name: &'static str,
    /// Form of its value.
    pub form: Form,
    /// Not part of the reference's format.
    pub extension: bool,
    /// What it is, with its unit; empty where the table of the element does not say it.
    pub meaning: &'static str,
    /// The array of the model it becomes.
    pub column: Option<&'static str>,
    /// Default value as it would be written; empty where the table of the element does not say it.
    pub default: String,
}

/// One element.
#[derive(Clone, Debug)]
pub struct ElementRow {
    /// Name.
    pub name: &'static str,
    /// `!`, `?`, `*` or `R`.
    pub occurrence: char,
    /// Its attributes in alphabetical order.
    pub attributes: Vec<AttributeRow>,
    /// Indices of the elements that may occur in it.
    pub children: Vec<usize>,
    /// Not part of the reference's format.
    pub extension: bool,
}

impl ElementRow {
    /// The attribute of this name.
    pub fn attribute(&self, name: &str) -> Option<&AttributeRow> {
        self.attributes.iter().find(|attribute| attribute.name == name)
    }

    /// Adds the attributes that words of the table stand for, and keeps them in alphabetical order, extensions last.
    fn add(&mut self, words: impl Iterator<Item = &'static str>, sets: &Sets) {
        add_attributes(&mut self.attributes, words, sets);
        self.attributes.sort_by_key(|attribute| (attribute.extension, attribute.name));
    }

    /// Whether it has an attribute of this name that is not ignored.
    pub fn reads(&self, name: &str) -> bool {
        self.attribute(name).is_some_and(|attribute| attribute.form != Form::Unread)
    }
}

/// The whole format. The root element has index 0.
#[derive(Debug)]
pub struct Schema {
    rows: Vec<ElementRow>,
    frame: ElementRow,
    replicate: ElementRow,
    include: ElementRow,
    body: usize,
    names: HashSet<&'static str>,
}

/// Elements beyond the reference's format, by the element they occur in.
const EXTENSION_ELEMENTS: &[(&str, &str)] = &[
    ("default", "hillmuscle ? +drive +hillmuscle +actuator(actearly,actlimited,actrange)"),
    (
        "actuator",
        "hillmuscle * class name +drive +transmission +hillmuscle +actuator(actearly,actlimited,actrange)",
    ),
    ("sensor", "fiberlength * actuator:text name +reading"),
    ("sensor", "fibervelocity * actuator:text name +reading"),
    ("sensor", "fiberforce * actuator:text name +reading"),
    ("sensor", "tendonforce * actuator:text name +reading"),
    ("sensor", "pennation * actuator:text name +reading"),
];

const FRAME: &str = "frame R name +frame +orientation";
const REPLICATE: &str = "replicate R childclass:class count:i1 euler:r3 offset:r3 sep:text";
const INCLUDE: &str = "include * file";

impl Schema {
    /// The format, built from its table on first use.
    pub fn get() -> &'static Schema {
        static SCHEMA: OnceLock<Schema> = OnceLock::new();
        SCHEMA.get_or_init(|| Schema::build(include_str!("table.txt")))
    }

    fn build(table: &'static str) -> Schema {
        let mut rows: Vec<ElementRow> = Vec::new();
        let mut path: Vec<usize> = Vec::new();
        let mut sets = Sets::new();
        let mut set = None;
        for line in table.lines() {
            let words = line.trim_start();
            if let Some(more) = words.strip_prefix('|') {
                match set.and_then(|name| sets.get_mut(name)) {
                    Some(attributes) => attributes.extend(more.split_whitespace()),
                    None => rows.last_mut().into_iter().for_each(|row| {
                        row.add(more.split_whitespace(), &sets);
                    }),
                }
                continue;
            }
            set = words.strip_prefix("= ").and_then(|words| words.split_whitespace().next());
            if let Some(name) = set {
                sets.insert(name, words.split_whitespace().skip(2).collect());
                continue;
            }
            let level = (line.len() - words.len()) / 4;
            let index = rows.len();
            rows.push(element_row(words, &sets));
            path.truncate(level);
            if let Some(&parent) = path.last() {
                rows[parent].children.push(index);
            }
            path.push(index);
        }
        for (parent, line) in EXTENSION_ELEMENTS {
            if let Some(parent) = rows.iter().position(|row| row.name == *parent) {
                let index = rows.len();
                rows[parent].children.push(index);
                let mut row = ElementRow { extension: true, ..element_row(line, &sets) };
                row.attributes.iter_mut().for_each(|attribute| attribute.extension = true);
                rows.push(row);
            }
        }
        let metas = [FRAME, REPLICATE, INCLUDE].map(|line| element_row(line, &sets));
        let names = rows
            .iter()
            .chain(&metas)
            .flat_map(|row| &row.attributes)
            .map(|attribute| attribute.name)
            .collect();
        let [frame, replicate, include] = metas;
        let body = rows.iter().position(|row| row.name == "body").unwrap_or(0);
        Schema { body, frame, replicate, include, names, rows }
    }

    /// The row with this index.
    pub fn row(&self, index: usize) -> &ElementRow {
        &self.rows[index]
    }

    /// Index of the row of `<body>` and `<worldbody>`.
    pub fn body(&self) -> usize {
        self.body
    }

    /// The elements that are not in the table: `<frame>`, `<replicate>` and `<include>`.
    pub fn meta(&self, name: &str) -> Option<&ElementRow> {
        [&self.frame, &self.replicate, &self.include].into_iter().find(|row| row.name == name)
    }

    /// The row of a child element, by name.
    pub fn child(&self, parent: usize, name: &str) -> Option<usize> {
        self.rows[parent].children.iter().copied().find(|&child| self.rows[child].name == name)
    }

    /// The row reached by a path of element names below the root.
    pub fn find(&self, path: &[&str]) -> Option<&ElementRow> {
        path.iter().try_fold(0, |row, name| self.child(row, name)).map(|index| self.row(index))
    }

    /// The table's own copy of an attribute name.
    pub fn attribute_name(&self, name: &str) -> Option<&'static str> {
        self.names.get(name).copied()
    }

    /// Names of elements whose table row has an attribute of this name.
    pub fn elements_with(&self, attribute: &str) -> Vec<&'static str> {
        let mut names: Vec<&'static str> =
            self.rows.iter().filter(|row| row.attribute(attribute).is_some()).map(|row| row.name).collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// Paths of all elements with this name, without the root.
    pub fn parents_of(&self, name: &str) -> Vec<&'static str> {
        let mut parents: Vec<&'static str> = self
            .rows
            .iter()
            .filter(|row| row.children.iter().any(|&child| self.rows[child].name == name))
            .map(|row| row.name)
            .collect();
        parents.dedup();
        parents
    }

    /// Number of elements and attributes, extensions left out.
    pub fn size(&self) -> (usize, usize) {
        let attributes =
            self.rows.iter().flat_map(|row| &row.attributes).filter(|row| !row.extension).count();
        (self.rows.iter().filter(|row| !row.extension).count(), attributes)
    }

    /// Every element with the path of names that leads to it, parents first.
    pub fn elements(&self) -> Vec<(Vec<&'static str>, &ElementRow)> {
        let mut found = Vec::new();
        let mut stack = vec![(0, Vec::new())];
        while let Some((index, parents)) = stack.pop() {
            let row = &self.rows[index];
            let path: Vec<&'static str> = parents.into_iter().chain([row.name]).collect();
            stack.extend(row.children.iter().rev().map(|&child| (child, path.clone())));
            found.push((path, row));
        }
        found
    }

    /// The table in the layout the reference prints its own in.
    pub fn print(&self) -> String {
        let mut out = String::new();
        let mut stack = vec![(0, 0)];
        while let Some((index, level)) = stack.pop() {
            let row = &self.rows[index];
            let name = if row.name == "body" { "(world)body" } else { row.name };
            let indent = 3 * level;
            let _ = write!(out, "{:indent$}{name} ({})", "", row.occurrence);
            let head = indent + name.len() + 4;
            let column = head.max(30);
            out.extend(std::iter::repeat_n(' ', column - head));
            let mut width = column;
            for attribute in row.attributes.iter().filter(|attribute| !attribute.extension) {
                if width > 60 {
                    let _ = write!(out, "\n{:column$}", "");
                    width = column;
                }
                let _ = write!(out, "{} ", attribute.name);
                width += attribute.name.len() + 1;
            }
            out.push('\n');
            let known = row.children.iter().filter(|&&child| !self.rows[child].extension);
            stack.extend(known.rev().map(|&child| (child, level + 1)));
        }
        out
    }
}

/// The form of a value in words.
pub fn form_in_words(form: Form) -> String {
    let numbers = |count: Count, what: &str| match count {
        Count::Exactly(1) => what.to_owned(),
        Count::Exactly(count) => format!("{count} {what}s"),
        Count::AtMost(count) => format!("up to {count} {what}s"),
        Count::Any => format!("{what}s"),
    };
    let list =
        |words: Keywords| words.iter().map(|(word, _)| format!("`{word}`")).collect::<Vec<_>>().join(" ");
    match form {
        Form::Real(count) | Form::Float(count) => numbers(count, "number"),
        Form::Int(count) => numbers(count, "integer"),
        Form::Integer => "integer".to_owned(),
        Form::Quaternion => "4 numbers, not all zero".to_owned(),
        Form::Text => "text".to_owned(),
        Form::Name => "a unique name".to_owned(),
        Form::Class => "a default class".to_owned(),
        Form::File => "a file".to_owned(),
        Form::Memory => "bytes, with K, M, G …".to_owned(),
        Form::Unread => "accepted and ignored".to_owned(),
        Form::Word([("false", _), ("true", _)]) => "`true` or `false`".to_owned(),
        Form::Word([("false", _), ("true", _), ("auto", _)]) => "`true`, `false` or `auto`".to_owned(),
        Form::Word([("disable", _), ("enable", _)]) => "`enable` or `disable`".to_owned(),
        Form::Word(words) => list(words),
        Form::Words(words) => format!("{}, several allowed", list(words)),
    }
}

/// Attributes that several elements have, by the name after the `=` of their line.
type Sets = HashMap<&'static str, Vec<&'static str>>;

fn element_row(line: &'static str, sets: &Sets) -> ElementRow {
    let mut words = line.split_whitespace();
    let name = words.next().unwrap_or("");
    let occurrence = words.next().and_then(|word| word.chars().next()).unwrap_or('*');
    let mut row =
        ElementRow { name, occurrence, attributes: Vec::new(), children: Vec::new(), extension: false };
    row.add(words, sets);
    row
}

/// Adds the attributes that words of the table stand for.
fn add_attributes(
    attributes: &mut Vec<AttributeRow>,
    words: impl Iterator<Item = &'static str>,
    sets: &Sets,
) {
    for word in words {
        if let Some(name) = word.strip_prefix('+') {
            match sets.get(name) {
                Some(set) => {
                    let mut own = Vec::new();
                    add_attributes(&mut own, set.iter().copied(), sets);
                    attributes.append(&mut own);
                }
                None => attributes.extend(declared(name)),
            }
        } else if let Some(name) = word.strip_prefix('-') {
            attributes.retain(|attribute| attribute.name != name);
        } else {
            attributes.push(attribute_row(word));
        }
    }
}

/// The attributes that the table of a kind of element declares: `joint`, `flex.edge` or `mesh(scale,inertia)`.
fn declared(what: &str) -> Vec<AttributeRow> {
    let (what, only) = match what.strip_suffix(')').and_then(|what| what.split_once('(')) {
        Some((what, names)) => (what, Some(names)),
        None => (what, None),
    };
    let (kind, part) = what.split_once('.').map_or((what, None), |(kind, part)| (kind, Some(part)));
    let kind = Kind::ALL.into_iter().find(|known| known.name() == kind);
    let wanted = |name: &str| only.is_none_or(|names| names.split(',').any(|known| known == name));
    let rows = kind.map(mjcf_attributes).unwrap_or_default();
    rows.into_iter()
        .filter(|row| row.mjcf.part == part && wanted(row.mjcf.name))
        .map(|row| AttributeRow {
            name: row.mjcf.name,
            form: row.mjcf.form,
            extension: row.mjcf.is_extension,
            meaning: row.meaning.trim(),
            column: row.column,
            default: row.default,
        })
        .collect()
}

fn attribute_row(word: &'static str) -> AttributeRow {
    let (name, form) = word.split_once(':').unwrap_or((word, word));
    AttributeRow {
        name,
        form: parse_form(form),
        extension: false,
        meaning: "",
        column: None,
        default: String::new(),
    }
}

fn parse_form(form: &'static str) -> Form {
    match form {
        "i" => return Form::Integer,
        "q" => return Form::Quaternion,
        "text" => return Form::Text,
        "name" => return Form::Name,
        "class" => return Form::Class,
        "file" => return Form::File,
        "memory" => return Form::Memory,
        "unread" => return Form::Unread,
        _ => {}
    }
    if let Some(set) = keywords(form) {
        return Form::Word(set);
    }
    if let Some(set) = form.strip_suffix('*').and_then(keywords) {
        return Form::Words(set);
    }
    let (letter, count) = form.split_at(form.len().min(1));
    let count = match count {
        "" => Count::Exactly(1),
        "*" => Count::Any,
        _ => match count.strip_prefix("..") {
            Some(most) => Count::AtMost(most.parse().unwrap_or(0)),
            None => Count::Exactly(count.parse().unwrap_or(0)),
        },
    };
    match letter {
        "f" => Form::Float(count),
        "i" => Form::Int(count),
        _ => Form::Real(count),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_the_size_of_the_reference_format() {
        assert_eq!(Schema::get().size(), (171, 1707));
    }

    #[test]
    fn extensions_are_marked_and_left_out_of_the_printed_format() {
        for (set, word) in EXTENSION_WORDS {
            assert!(keywords(set).unwrap().iter().any(|(known, _)| known == word), "{set} {word}");
        }
        let schema = Schema::get();
        for parent in ["default", "actuator"] {
            let row = schema.find(&[parent, "hillmuscle"]).unwrap();
            assert!(row.extension && row.attributes.iter().all(|attribute| attribute.extension));
        }
        assert!(!schema.print().contains("hillmuscle"));
    }

    #[test]
    fn every_attribute_has_a_known_form() {
        for row in &Schema::get().rows {
            for attribute in &row.attributes {
                let sensible = match attribute.form {
                    Form::Real(count) | Form::Float(count) | Form::Int(count) => {
                        !matches!(count, Count::Exactly(0) | Count::AtMost(0))
                    }
                    _ => true,
                };
                assert!(sensible, "{} {}", row.name, attribute.name);
            }
        }
        let geom = Schema::get().find(&["body", "geom"]).unwrap();
        assert_eq!(geom.attribute("size").map(|row| row.form), Some(Form::Real(Count::AtMost(3))));
        assert_eq!(geom.attribute("rgba").map(|row| row.form), Some(Form::Float(Count::Exactly(4))));
        assert_eq!(geom.attribute("quat").map(|row| row.form), Some(Form::Quaternion));
    }

    #[test]
    fn printing_follows_the_reference_layout() {
        let text = Schema::get().print();
        assert!(text.starts_with(
            "mujoco (!)                    model \n   compiler (*)               alignfree angle assetdir autolimits \n"
        ));
        assert!(text.contains("\n   (world)body (R)            axisangle childclass euler gravcomp \n"));
    }
}
