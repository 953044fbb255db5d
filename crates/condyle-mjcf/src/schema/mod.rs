//! The model format as one table: every element, how often it may occur, every attribute and the form of its value.
//!
//! `table.txt` has one element per line, nested by indentation, followed by its attributes; `|` continues a line. The sign
//! after the name says how often the element may occur in its parent: `!` once, `?` at most once, `*` any number, `R` any
//! number and inside itself; an `x` after the sign marks an element that MuJoCo does not have. The elements after the format
//! stand for what is inside them or elsewhere. After a colon stands the form of the attribute's value; without one the form is called like the
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
//! | `+option`, `+visual.map`, `+size` | those of the settings of that name |
//! | `-pos` | all so far without this one |
//!
//! A line `. name:form [default] meaning` describes an attribute; one that starts with `:` describes it for all elements that
//! name it by the name alone.

mod declared;
mod history;
mod keywords;
pub mod newer;
mod validate;

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
    pub column: Option<String>,
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
    fn add(&mut self, line: &'static str, sets: &Sets) {
        add_attributes(&mut self.attributes, attribute_words(line), sets);
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
    body: usize,
    /// The first of the elements at the end of the table, which may stand in many others.
    frame: usize,
    names: HashSet<&'static str>,
}

impl Schema {
    /// The format, built from its table on first use.
    pub fn get() -> &'static Schema {
        static SCHEMA: OnceLock<Schema> = OnceLock::new();
        SCHEMA.get_or_init(|| Schema::build(include_str!("table.txt")))
    }

    fn build(table: &'static str) -> Schema {
        let mut rows: Vec<ElementRow> = Vec::new();
        let mut path: Vec<usize> = Vec::new();
        let mut sets = Sets::default();
        let mut set = None;
        for line in table.lines() {
            let words = line.trim_start();
            if let Some(row) = words.strip_prefix(": ") {
                let row = described(row);
                sets.shared.insert(row.name, row);
            } else if words.starts_with(['|', '.']) {
                match set.and_then(|name| sets.named.get_mut(name)) {
                    Some(attributes) => attributes.extend(attribute_words(words)),
                    None => rows.last_mut().into_iter().for_each(|row| row.add(words, &sets)),
                }
            } else if let Some(start) = words.strip_prefix("= ") {
                let (name, attributes) = start.split_once(' ').unwrap_or((start, ""));
                set = Some(name);
                sets.named.insert(name, attribute_words(attributes));
            } else {
                set = None;
                let level = (line.len() - words.len()) / 4;
                let index = rows.len();
                rows.push(element_row(words, &sets));
                path.truncate(level);
                if let Some(&parent) = path.last() {
                    rows[parent].children.push(index);
                }
                path.push(index);
            }
        }
        for row in rows.iter_mut().filter(|row| row.extension) {
            row.attributes.iter_mut().for_each(|attribute| attribute.extension = true);
        }
        let names = rows.iter().flat_map(|row| &row.attributes).map(|attribute| attribute.name).collect();
        let place = |name: &str| rows.iter().position(|row| row.name == name).unwrap_or(0);
        Schema { body: place("body"), frame: place("frame"), names, rows }
    }

    /// The row with this index.
    pub fn row(&self, index: usize) -> &ElementRow {
        &self.rows[index]
    }

    /// Index of the row of `<body>` and `<worldbody>`.
    pub fn body(&self) -> usize {
        self.body
    }

    /// The elements that stand for what is inside them or elsewhere: `<frame>`, `<replicate>` and `<include>`.
    pub fn metas(&self) -> &[ElementRow] {
        self.rows.get(self.frame..).unwrap_or_default()
    }

    /// One of these, by name.
    pub fn meta(&self, name: &str) -> Option<&ElementRow> {
        self.metas().iter().find(|row| row.name == name)
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
        let mut names: Vec<&'static str> = self
            .format()
            .iter()
            .filter(|row| row.attribute(attribute).is_some())
            .map(|row| row.name)
            .collect();
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

    /// The rows of the format proper.
    fn format(&self) -> &[ElementRow] {
        self.rows.get(..self.frame).unwrap_or_default()
    }

    /// Number of elements and attributes, extensions left out.
    pub fn size(&self) -> (usize, usize) {
        let rows = self.format();
        let attributes = rows.iter().flat_map(|row| &row.attributes).filter(|row| !row.extension).count();
        (rows.iter().filter(|row| !row.extension).count(), attributes)
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

/// What lines at the top of the table name: attributes that several elements have.
#[derive(Default)]
struct Sets {
    /// Words for attributes, by the name after the `=` of their line.
    named: HashMap<&'static str, Vec<&'static str>>,
    /// Attributes that mean the same everywhere, by name.
    shared: HashMap<&'static str, AttributeRow>,
}

fn element_row(line: &'static str, sets: &Sets) -> ElementRow {
    let (name, line) = line.split_once(' ').unwrap_or((line, ""));
    let (occurrence, attributes) = line.split_once(' ').unwrap_or((line, ""));
    let mut row = ElementRow {
        name,
        occurrence: occurrence.chars().next().unwrap_or('*'),
        attributes: Vec::new(),
        children: Vec::new(),
        extension: occurrence.ends_with('x'),
    };
    row.add(attributes, sets);
    row
}

/// The words of a line that stand for attributes; a line that describes one is a single word.
fn attribute_words(line: &'static str) -> Vec<&'static str> {
    if line.starts_with('.') { vec![line] } else { line.trim_start_matches('|').split_whitespace().collect() }
}

/// Adds the attributes that words of the table stand for.
fn add_attributes(
    attributes: &mut Vec<AttributeRow>,
    words: impl IntoIterator<Item = &'static str>,
    sets: &Sets,
) {
    for word in words {
        if let Some(row) = word.strip_prefix(". ") {
            attributes.push(described(row));
        } else if let Some(name) = word.strip_prefix('+') {
            match sets.named.get(name) {
                Some(set) => {
                    let mut own = Vec::new();
                    add_attributes(&mut own, set.iter().copied(), sets);
                    attributes.append(&mut own);
                }
                None => attributes.extend(declared::rows(name)),
            }
        } else if let Some(name) = word.strip_prefix('-') {
            attributes.retain(|attribute| attribute.name != name);
        } else if let Some(row) = sets.shared.get(word) {
            attributes.push(row.clone());
        } else {
            attributes.push(described(word));
        }
    }
}

/// An attribute as the table describes it: `name:form [default] meaning`.
fn described(line: &'static str) -> AttributeRow {
    let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
    let (name, form) = word.split_once(':').unwrap_or((word, word));
    let (default, meaning) =
        rest.strip_prefix('[').and_then(|rest| rest.split_once("] ")).unwrap_or(("", rest));
    AttributeRow {
        name,
        form: parse_form(form),
        extension: false,
        meaning,
        column: None,
        default: default.to_owned(),
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
    fn every_attribute_says_what_it_means() {
        let schema = Schema::get();
        for row in &schema.rows {
            for attribute in &row.attributes {
                let (meaning, default) = (attribute.meaning, &attribute.default);
                let sentence =
                    meaning.len() > 3 && meaning.ends_with('.') && !meaning.starts_with([' ', '[']);
                assert!(sentence, "<{}> {}: '{meaning}'", row.name, attribute.name);
                assert!(!default.contains(['[', ']']), "<{}> {}: {default}", row.name, attribute.name);
            }
        }
        let default = |path: &[&str], name: &str| {
            let row = schema.find(path).unwrap();
            row.attribute(name).unwrap().default.clone()
        };
        assert_eq!(default(&["compiler"], "inertiagrouprange"), "0 5");
        assert_eq!(default(&["compiler"], "angle"), "degree");
        assert_eq!(default(&["option"], "integrator"), "Euler");
        assert_eq!(default(&["option"], "tolerance"), "1e-8");
        assert_eq!(default(&["option", "flag"], "energy"), "disable");
        assert_eq!(default(&["visual", "map"], "znear"), "0.01");
        assert_eq!(default(&["body", "composite", "joint"], "group"), "3");
        assert_eq!(schema.meta("replicate").unwrap().attributes.len(), 5);
    }

    /// What the table says about shortcuts is what elements get that leave the attribute out.
    #[test]
    fn defaults_that_the_table_describes_change_nothing() {
        let schema = Schema::get();
        let around = |inside: &str| {
            format!(
                "<mujoco><worldbody><body name='b'><joint name='j'/><geom name='g' size='1'/><site name='s'/></body>\
                 </worldbody>{inside}</mujoco>"
            )
        };
        let saved = |inside: &str| {
            let (spec, _) = crate::load_str(&around(inside), &crate::LoadOptions::default())
                .unwrap_or_else(|problems| panic!("{inside}: {problems:?}"));
            crate::to_mjcf(&spec)
        };
        let (mut seen, mut wrong) = (0, Vec::new());
        for (section, element, given) in [
            ("actuator", "position", "joint='j'"),
            ("actuator", "velocity", "joint='j'"),
            ("actuator", "intvelocity", "joint='j'"),
            ("actuator", "damper", "joint='j' ctrlrange='0 1'"),
            ("actuator", "cylinder", "joint='j'"),
            ("actuator", "muscle", "joint='j'"),
            ("actuator", "adhesion", "body='b' ctrlrange='0 1'"),
            ("actuator", "hillmuscle", "joint='j'"),
            ("sensor", "contact", "geom1='g'"),
            ("sensor", "rangefinder", "site='s'"),
            ("equality", "weld", "body1='b'"),
        ] {
            let plain = saved(&format!("<{section}><{element} {given}/></{section}>"));
            for attribute in &schema.find(&[section, element]).unwrap().attributes {
                let (name, default) = (attribute.name, &attribute.default);
                // Those with an array have their default from the table of the element; a world that is named is written, and so is a
                // time constant that nothing uses.
                let written = matches!((element, name), ("weld", "body2") | ("position", "timeconst"));
                if default.is_empty() || attribute.column.is_some() || written {
                    continue;
                }
                let with = saved(&format!("<{section}><{element} {given} {name}='{default}'/></{section}>"));
                // A gain of 0 gives a bias of minus 0.
                if with.replace(" -0", " 0") != plain.replace(" -0", " 0") {
                    wrong.push(format!("<{element}> {name}=\"{default}\": {with} instead of {plain}"));
                }
                seen += 1;
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
        assert!(seen >= 45, "{seen}");
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
