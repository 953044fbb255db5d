//! Checks a tree of elements against the table: known elements and attributes, how often they occur, values of the right form.
//!
//! The reference does not look below `<frame>` and `<replicate>`. Unknown attributes there are accepted, so they only get a
//! warning; values are still checked wherever the reader reads them.

use super::newer::{Change, Effect, is_neutral, newer_attribute, newer_element, newer_word};
use super::{Count, ElementRow, Form, Schema, attribute_history, element_history};
use crate::number::{Number, NumberError, words};
use crate::report::Report;
use crate::xml::{Attribute, Element, NodeId, Tree};
use condyle_base::diagnostic::did_you_mean;
use condyle_base::{Diagnostic, Location};

/// What the checks need to know and where their findings go.
pub struct Context<'a> {
    /// The text as a tree of elements.
    pub tree: &'a Tree,
    /// Where problems go.
    pub report: &'a mut Report,
    /// Whether what is probably a mistake is a warning instead of an error.
    pub lenient: bool,
}

/// Checks everything below the root of a model.
pub fn validate(root: NodeId, context: &mut Context<'_>) {
    let schema = Schema::get();
    let tree = context.tree;
    check_element(schema.row(0), tree.get(root), false, context);
    // Elements still to be looked into: row in the table, whether a frame is around it.
    let mut pending = vec![(root, 0, false)];
    while let Some((node, row_index, in_frame)) = pending.pop() {
        let row = schema.row(row_index);
        let mut counts = vec![0_usize; row.children.len()];
        let mut found = Vec::new();
        for (child, element) in tree.children(node) {
            let name = &*element.name;
            let is_body = row_index == schema.body();
            let recursive = row.occurrence == 'R' && (name == row.name || is_body && is_meta(name));
            let matched = row.children.iter().enumerate().find(|&(_, &index)| {
                let candidate = schema.row(index).name;
                candidate == name || candidate == "body" && (name == "worldbody" || is_meta(name))
            });
            if recursive || is_meta(name) && is_body {
                if is_meta(name) {
                    if let Some(meta) = schema.meta(name) {
                        check_element(meta, element, true, context);
                    }
                    found.push((child, schema.body(), true));
                } else {
                    check_element(row, element, in_frame, context);
                    found.push((child, row_index, in_frame));
                }
                continue;
            }
            let Some((slot, &index)) = matched else {
                unknown_element(schema, row, &tree.get(node).name, element, in_frame && !is_body, context);
                continue;
            };
            if let Some(count) = counts.get_mut(slot) {
                *count += 1;
                let occurrence = schema.row(index).occurrence;
                if *count == 2 && matches!(occurrence, '?' | '!') {
                    repeated_element(&tree.get(node).name, element, in_frame, context);
                }
            }
            if name == "worldbody" {
                check_world(element, context);
            } else {
                if index == schema.body() {
                    outside_the_world(element, context);
                }
                check_element(schema.row(index), element, in_frame, context);
            }
            found.push((child, index, in_frame));
        }
        // Depth first in the order of the text, so that problems are reported in that order within a section.
        pending.extend(found.into_iter().rev());
    }
}

/// Bodies and frames beside `<worldbody>` are checked and then not read: files written to be included are often made so.
fn outside_the_world(element: &Element, context: &mut Context<'_>) {
    let message = format!("<{}> directly inside <mujoco> is ignored", element.name);
    context.report.push(
        Diagnostic::warning("W0204", message)
            .at(Some(&element.location()))
            .help("put it into <worldbody>, or include this file from inside a <worldbody> or <body>"),
    );
}

fn is_meta(name: &str) -> bool {
    matches!(name, "frame" | "replicate")
}

fn unknown_element(
    schema: &Schema,
    row: &ElementRow,
    parent: &str,
    element: &Element,
    tolerated: bool,
    context: &mut Context<'_>,
) {
    let name = &*element.name;
    let message = format!("<{parent}> has no element <{name}>");
    let mut known: Vec<&str> = row.children.iter().map(|&child| schema.row(child).name).collect();
    if row.name == "body" {
        known.extend(["body", "frame", "replicate"]);
    }
    known.push("include");
    let newer = newer_element(parent, name);
    let help = if let Some(help) = newer.and_then(Change::message) {
        Some(help)
    } else if let Some(help) = element_history(parent, name) {
        Some(help.to_owned())
    } else if let Some(close) = did_you_mean(name, known.iter().copied()) {
        Some(format!(
            "did you mean <{}>?",
            if close == "body" && parent == "mujoco" { "worldbody" } else { close }
        ))
    } else {
        let parents = schema.parents_of(name);
        match parents.as_slice() {
            [] if known.len() <= 8 => Some(format!("<{parent}> may hold {}", list(&known))),
            [] => Some(format!("'{name}' is not an element of this format")),
            _ => Some(format!("<{name}> belongs inside {}", list(&parents))),
        }
    };
    let skip = context.lenient && newer.is_none_or(|newer| newer.effect() != Effect::Motion);
    let mut diagnostic = if tolerated || skip {
        Diagnostic::warning("W0201", format!("{message}; it is ignored"))
    } else {
        Diagnostic::error("E0201", message)
    };
    diagnostic.help = help;
    context.report.push(diagnostic.at(Some(&element.location())));
}

fn list(names: &[&str]) -> String {
    names.iter().map(|name| format!("<{name}>")).collect::<Vec<_>>().join(", ")
}

fn repeated_element(parent: &str, element: &Element, tolerated: bool, context: &mut Context<'_>) {
    let message = format!("<{parent}> has more than one <{}>", element.name);
    let diagnostic =
        if tolerated { Diagnostic::warning("W0202", message) } else { Diagnostic::error("E0202", message) };
    context.report.push(diagnostic.at(Some(&element.location())).help("merge the two into one"));
}

fn check_world(element: &Element, context: &mut Context<'_>) {
    for attribute in &element.attributes {
        let location = element.name_location(attribute);
        context.report.push(
            Diagnostic::error(
                "E0203",
                format!("<worldbody> cannot have attributes, but has '{}'", attribute.name),
            )
            .at(Some(&location))
            .help("the world is fixed at the origin; put a <body> or <frame> inside it"),
        );
    }
}

fn check_element(row: &ElementRow, element: &Element, tolerant: bool, context: &mut Context<'_>) {
    for attribute in &element.attributes {
        match row.attribute(&attribute.name) {
            Some(known) => check_value(known.form, element, attribute, context.report),
            None => unknown_attribute(row, element, attribute, tolerant, context),
        }
    }
}

fn unknown_attribute(
    row: &ElementRow,
    element: &Element,
    attribute: &Attribute,
    tolerant: bool,
    context: &mut Context<'_>,
) {
    // The reader looks at the class of every element of a body, and only the check of the table refuses it.
    if tolerant && &*attribute.name == "class" {
        return;
    }
    let message = format!("<{}> has no attribute '{}'", element.name, attribute.name);
    let newer = newer_attribute(row.name, &attribute.name);
    let may_skip = |newer: &Change| newer.effect() != Effect::Motion || is_neutral(&attribute.value);
    let mut diagnostic = if tolerant || context.lenient && newer.is_none_or(may_skip) {
        Diagnostic::warning("W0203", format!("{message}; it is ignored"))
    } else {
        Diagnostic::error("E0204", message)
    };
    let name = &*attribute.name;
    diagnostic.help = Some(if let Some(help) = newer.and_then(Change::message) {
        help
    } else if let Some(help) = attribute_history(row.name, name) {
        help.to_owned()
    } else if let Some(close) = did_you_mean(name, row.attributes.iter().map(|known| known.name)) {
        format!("did you mean '{close}'?")
    } else {
        let elements = Schema::get().elements_with(name);
        match elements.as_slice() {
            [] => format!("delete it; <{}> takes {}", element.name, attribute_list(row)),
            _ => format!("'{name}' belongs to {}", list(elements.get(..6).unwrap_or(&elements))),
        }
    });
    context.report.push(diagnostic.at(Some(&element.name_location(attribute))));
}

fn attribute_list(row: &ElementRow) -> String {
    let names: Vec<&str> = row.attributes.iter().map(|attribute| attribute.name).collect();
    match names.as_slice() {
        [] => "no attributes".to_owned(),
        _ if names.len() <= 12 => names.join(", "),
        _ => format!("{} and {} more", names.get(..10).unwrap_or(&names).join(", "), names.len() - 10),
    }
}

/// Reports a value that does not have the given form.
pub(crate) fn check_form(form: Form, element: &Element, attribute: &Attribute, report: &mut Report) {
    check_value(form, element, attribute, report);
}

/// Reports values of known attributes that do not have their form, and unknown attributes as ignored.
pub(crate) fn check_tolerantly(path: &[&str], element: &Element, context: &mut Context<'_>) {
    if let Some(row) = Schema::get().find(path) {
        check_element(row, element, true, context);
    }
}

fn check_value(form: Form, element: &Element, attribute: &Attribute, report: &mut Report) {
    let text = &*attribute.value;
    let place = Place { element, attribute };
    match form {
        Form::Real(count) => place.keep(place.numbers::<f64>(count, report)),
        Form::Float(count) => place.keep(place.numbers::<f32>(count, report)),
        Form::Int(count) => place.keep(place.numbers::<i32>(count, report)),
        Form::Integer => place.integer(report),
        Form::Quaternion => {
            let is_zero = |values: &[f64]| values.len() == 4 && values.iter().all(|&value| value == 0.0);
            let values = place.numbers(Count::Exactly(4), report);
            if values.as_deref().is_some_and(is_zero) {
                let diagnostic = Diagnostic::error("E0215", "a quaternion cannot be zero");
                report.push(
                    place
                        .at(diagnostic)
                        .help("the identity rotation is \"1 0 0 0\": the real part comes first"),
                );
            }
            place.keep(values);
        }
        Form::Word(set) => {
            if !set.iter().any(|(word, _)| *word == text) {
                report.push(place.bad_word(text, set, attribute.value.len()));
            }
        }
        Form::Words(set) => {
            let mut seen: Vec<&str> = Vec::new();
            for (_, word) in words(text) {
                if !set.iter().any(|(known, _)| *known == word) {
                    report.push(place.bad_word(word, set, word.len()));
                } else if seen.contains(&word) {
                    let diagnostic = Diagnostic::error("E0217", format!("'{word}' is given twice"));
                    report.push(place.at(diagnostic).help("delete one of the two"));
                }
                seen.push(word);
            }
        }
        Form::Memory => {
            if parse_memory(text).is_none() {
                let diagnostic = Diagnostic::error("E0218", format!("'{text}' is not a number of bytes"));
                report.push(
                    place
                        .at(diagnostic)
                        .help("write an integer with an optional suffix K, M, G, T, P or E, such as \"64M\""),
                );
            }
        }
        Form::Text | Form::Name | Form::Class | Form::File | Form::Unread => {}
    }
}

/// Bytes of a memory size: `Some(-1)` for the default, `None` if the text is malformed or too large.
pub fn parse_memory(text: &str) -> Option<i64> {
    let mut found = words(text);
    let (_, word) = found.next()?;
    if found.next().is_some() {
        return None;
    }
    if word == "-1" {
        return Some(-1);
    }
    let unsigned = word.strip_prefix('+').unwrap_or(word);
    let digits = unsigned.len() - unsigned.trim_start_matches(|c: char| c.is_ascii_digit()).len();
    let (number, suffix) = unsigned.split_at(digits);
    let base: u64 = number.parse().ok()?;
    let shift = match suffix {
        "" => 0,
        "K" | "k" => 10,
        "M" | "m" => 20,
        "G" | "g" => 30,
        "T" | "t" => 40,
        "P" | "p" => 50,
        "E" | "e" => 60,
        _ => return None,
    };
    if base > (u64::MAX << shift) >> shift {
        return None;
    }
    Some((base << shift) as i64)
}

struct Place<'a> {
    element: &'a Element,
    attribute: &'a Attribute,
}

impl Place<'_> {
    fn at(&self, diagnostic: Diagnostic) -> Diagnostic {
        diagnostic.at(Some(&self.element.value_location(self.attribute)))
    }

    /// The place of a part of the value; the whole value if it holds character references or several lines.
    fn part(&self, start: usize, end: usize) -> Location {
        let whole = self.element.value_location(self.attribute);
        if (whole.end - whole.start) as usize != self.attribute.value.len() {
            return whole;
        }
        let before = self.attribute.value.get(..start).unwrap_or("");
        let lines = before.bytes().filter(|&byte| byte == b'\n').count() as u32;
        whole.with_span(whole.start + start as u32, whole.start + end as u32, whole.line + lines)
    }

    fn bad_word(&self, word: &str, set: super::Keywords, length: usize) -> Diagnostic {
        let name = &self.attribute.name;
        let start = self.attribute.value.find(word).unwrap_or(0);
        let diagnostic = Diagnostic::error("E0216", format!("'{word}' is not a value of '{name}'"))
            .at(Some(&self.part(start, start + length)));
        let newer = newer_word(&self.element.name, name, word.trim()).and_then(Change::message);
        if let Some(newer) = newer {
            return diagnostic.help(newer);
        }
        let known: Vec<&str> = set.iter().map(|(word, _)| *word).collect();
        match did_you_mean(word.trim(), known.iter().copied()) {
            Some(close) => {
                diagnostic.help(format!("did you mean '{close}'? Expected one of {}", known.join(", ")))
            }
            None => diagnostic.help(format!("expected one of {}", known.join(", "))),
        }
    }

    fn integer(&self, report: &mut Report) {
        let text = &*self.attribute.value;
        let mut found = words(text);
        let Some((start, word)) = found.next() else {
            let diagnostic = Diagnostic::error("E0211", format!("'{}' is empty", self.attribute.name));
            report.push(
                self.at(diagnostic).help("write one integer, or delete the attribute to use its default"),
            );
            return;
        };
        if let Err(problem) = i32::parse(word) {
            let error = match problem {
                crate::number::Problem::Format => NumberError::Format(start, start + word.len()),
                crate::number::Problem::Range => NumberError::Range(start, start + word.len()),
            };
            report.push(self.number_error::<i32>(&error));
        } else if found.next().is_some() {
            report.push(self.wrong_count(1 + found.count() + 1, Count::Exactly(1)));
        }
    }

    /// Keeps numbers that were found good for whoever reads the value.
    fn keep<T: Number>(&self, values: Option<Vec<T>>) {
        if let Some(values) = values {
            self.attribute.keep(values);
        }
    }

    fn numbers<T: Number>(&self, count: Count, report: &mut Report) -> Option<Vec<T>> {
        let values = match self.attribute.numbers::<T>() {
            Ok(values) => values,
            Err(error) => {
                report.push(self.number_error::<T>(&error));
                return None;
            }
        };
        if values.iter().any(|value| value.is_nan()) {
            let diagnostic = Diagnostic::warning("W0211", format!("'{}' contains NaN", self.attribute.name));
            report.push(
                self.at(diagnostic).help("replace it with a number; NaN spreads to everything it touches"),
            );
        }
        let fits = match count {
            // An empty value counts as not given.
            _ if values.is_empty() => true,
            Count::Exactly(exact) => values.len() == exact,
            Count::AtMost(most) => values.len() <= most,
            Count::Any => true,
        };
        if !fits {
            report.push(self.wrong_count(values.len(), count));
            return None;
        }
        Some(values)
    }

    fn wrong_count(&self, found: usize, count: Count) -> Diagnostic {
        let name = &self.attribute.name;
        let wanted = match count {
            Count::Exactly(1) => "1 number".to_owned(),
            Count::Exactly(exact) => format!("{exact} numbers"),
            Count::AtMost(most) => format!("at most {most} numbers"),
            Count::Any => "numbers".to_owned(),
        };
        let few = matches!(count, Count::Exactly(exact) if found < exact);
        let code = if few { "E0213" } else { "E0214" };
        if let Some(newer) = newer_word(&self.element.name, name, "numbers").and_then(Change::message) {
            return self
                .at(Diagnostic::error(code, format!("'{name}' takes {wanted}, not {found}")))
                .help(newer);
        }
        self.at(Diagnostic::error(code, format!("'{name}' takes {wanted}, not {found}"))).help(if few {
            "add the missing numbers, separated by spaces"
        } else {
            "delete the extra numbers"
        })
    }

    fn number_error<T: Number>(&self, error: &NumberError) -> Diagnostic {
        let whole_number = std::mem::size_of::<T>() == 4 && T::parse("0.5").is_err();
        let (NumberError::Format(start, end) | NumberError::Range(start, end)) = *error;
        let word: String = self.attribute.value.get(start..end).unwrap_or("").chars().take(40).collect();
        let place = self.part(start, end);
        match error {
            NumberError::Range(..) => Diagnostic::error("E0212", format!("'{word}' is out of range"))
                .at(Some(&place))
                .help(if whole_number {
                    "integers range from -2147483648 to 2147483647"
                } else {
                    "write 0 for a number this small, and inf or 1e308 at most for a large one"
                }),
            NumberError::Format(..) => {
                let kind = if whole_number { "an integer" } else { "a number" };
                let shown: String = word.chars().map(|c| if is_invisible(c) { '␣' } else { c }).collect();
                let diagnostic =
                    Diagnostic::error("E0211", format!("'{shown}' is not {kind}")).at(Some(&place));
                if let Some(odd) = odd_character(&word) {
                    diagnostic.note(odd.0).help(odd.1)
                } else if word.contains(',') {
                    diagnostic.help("numbers are separated by spaces, and decimals are written with a point")
                } else if whole_number && f64::parse(&word).is_ok() {
                    diagnostic.help("write it without a decimal point or exponent")
                } else {
                    diagnostic.help(format!("'{}' takes {kind}", self.attribute.name))
                }
            }
        }
    }
}

/// Whether a character takes room or none but shows nothing.
fn is_invisible(c: char) -> bool {
    c != ' '
        && (c.is_whitespace() || matches!(c, '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}' | '\u{ad}'))
}

/// What a character is that looks like something a number may hold, and what to do about it.
fn odd_character(word: &str) -> Option<(String, &'static str)> {
    let name = |c: char| {
        Some(match c {
            '\u{a0}' | '\u{202f}' | '\u{2007}' => "a non-breaking space",
            '\u{200b}' | '\u{2060}' | '\u{feff}' => "a zero-width space",
            _ if is_invisible(c) => "an invisible character",
            '\u{2212}' => "a typographic minus sign",
            '\u{2010}'..='\u{2015}' => "a typographic dash",
            '\u{ff10}'..='\u{ff19}' => "a full-width digit",
            '\u{2018}'..='\u{201f}' => "a typographic quotation mark",
            '\u{d7}' => "a multiplication sign",
            _ => return None,
        })
    };
    let (odd, what) = word.chars().find_map(|c| Some((c, name(c)?)))?;
    let help = match odd {
        _ if is_invisible(odd) => {
            "replace it with a plain space; it often comes with text copied from a page or document"
        }
        '\u{2010}'..='\u{2015}' | '\u{2212}' => "write the minus sign of the keyboard, '-'",
        _ => "write it with the plain characters of the keyboard",
    };
    Some((format!("it contains {what} (U+{:04X})", odd as u32), help))
}
