//! As much of XML as scene files need: elements with attributes and text. Comments, declarations and doctypes are skipped.

use crate::error::AssetError;

const MAX_ELEMENTS: usize = 2_000_000;
const MAX_OPEN: usize = 256;

#[derive(Debug, Default)]
pub(super) struct Element<'a> {
    /// Name without its namespace.
    pub name: &'a str,
    attributes: Vec<(&'a str, &'a str)>,
    /// Text between its tags, children left out.
    pub text: String,
    pub children: Vec<usize>,
    pub line: usize,
}

/// Elements by number; the root is number 0.
#[derive(Debug)]
pub(super) struct Document<'a> {
    elements: Vec<Element<'a>>,
}

impl<'a> Document<'a> {
    pub(super) fn get(&self, index: usize) -> &Element<'a> {
        &self.elements[index]
    }

    pub(super) fn children<'b>(&'b self, index: usize, name: &'b str) -> impl Iterator<Item = usize> + 'b {
        self.get(index).children.iter().copied().filter(move |&child| self.get(child).name == name)
    }

    pub(super) fn child(&self, index: usize, name: &str) -> Option<usize> {
        self.get(index).children.iter().copied().find(|&child| self.get(child).name == name)
    }

    /// The element with this `id` attribute, searched once per document by the caller.
    pub(super) fn ids(&self) -> impl Iterator<Item = (&'a str, usize)> + '_ {
        self.elements
            .iter()
            .enumerate()
            .filter_map(|(index, element)| Some((element.attribute("id")?, index)))
    }
}

impl<'a> Element<'a> {
    pub(super) fn attribute(&self, name: &str) -> Option<&'a str> {
        self.attributes.iter().find(|(known, _)| *known == name).map(|(_, value)| *value)
    }
}

fn local(name: &str) -> &str {
    name.rsplit(':').next().unwrap_or(name)
}

pub(super) fn parse(text: &str) -> Result<Document<'_>, AssetError> {
    let mut elements: Vec<Element<'_>> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    let (mut at, mut line) = (0, 1);
    let damaged = |what: &str, line: usize| {
        Err(AssetError::new("scene-xml", format!("the XML of the file is damaged: {what}"))
            .at_line(line)
            .help("export the file again"))
    };
    while let Some(rest) = text.get(at..).filter(|rest| !rest.is_empty()) {
        let Some(start) = rest.find('<') else { break };
        let before = &rest[..start];
        if let Some(element) = open.last().and_then(|&index| elements.get_mut(index)) {
            element.text.push_str(before);
        }
        line += before.matches('\n').count();
        let tag = &rest[start..];
        let skipped = [("<!--", "-->"), ("<?", "?>"), ("<![CDATA[", "]]>"), ("<!", ">")];
        if let Some((_, end)) = skipped.iter().find(|(begin, _)| tag.starts_with(begin)) {
            let Some(length) = tag.find(end) else { return damaged("a comment does not end", line) };
            line += tag[..length].matches('\n').count();
            at += start + length + end.len();
            continue;
        }
        let Some(length) = tag_end(tag) else { return damaged("a tag does not end", line) };
        let inside = &tag[1..length];
        at += start + length + 1;
        if let Some(name) = inside.strip_prefix('/') {
            match open.pop() {
                Some(index) if elements[index].name == local(name.trim()) => {}
                _ => return damaged("an end tag does not match", line),
            }
            line += inside.matches('\n').count();
            if open.is_empty() {
                break;
            }
            continue;
        }
        if elements.len() >= MAX_ELEMENTS || open.len() >= MAX_OPEN {
            return damaged("too many elements", line);
        }
        let closed = inside.ends_with('/');
        let element = start_tag(inside.trim_end_matches('/'), line);
        line += inside.matches('\n').count();
        let index = elements.len();
        if let Some(&parent) = open.last() {
            elements[parent].children.push(index);
        } else if index > 0 {
            break;
        }
        elements.push(element);
        if !closed {
            open.push(index);
        }
    }
    if elements.is_empty() || !open.is_empty() {
        return damaged("it ends too early", line);
    }
    Ok(Document { elements })
}

/// Offset of the `>` that ends a tag, outside of quotes.
fn tag_end(tag: &str) -> Option<usize> {
    let mut quote = None;
    for (at, byte) in tag.bytes().enumerate() {
        match (quote, byte) {
            (None, b'>') => return Some(at),
            (None, b'"' | b'\'') => quote = Some(byte),
            (Some(open), _) if open == byte => quote = None,
            _ => {}
        }
    }
    None
}

fn start_tag(inside: &str, line: usize) -> Element<'_> {
    let inside = inside.trim();
    let (name, mut rest) = inside.split_once(|c: char| c.is_ascii_whitespace()).unwrap_or((inside, ""));
    let mut attributes = Vec::new();
    while let Some((key, after)) = rest.split_once('=') {
        let after = after.trim_start();
        let Some(quote) = after.chars().next().filter(|c| matches!(c, '"' | '\'')) else { break };
        let Some((value, tail)) = after[1..].split_once(quote) else { break };
        attributes.push((local(key.trim()), value));
        rest = tail;
    }
    Element { name: local(name), attributes, line, ..Element::default() }
}
