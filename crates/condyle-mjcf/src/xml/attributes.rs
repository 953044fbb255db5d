//! The attributes of a tag.
//!
//! Attributes need no white space between them, a value runs to the next quote of its kind, and a name may stand only once.

use super::Attribute;
use super::parser::{Closing, Parser, is_space, starts_name};
use super::text::decode;
use std::cell::RefCell;

impl Parser<'_> {
    /// Reads attributes up to the end of the tag; `None` if the text ends first.
    pub(super) fn attributes(
        &mut self,
        element: &str,
        tag: (usize, usize, u32),
        closing: &mut Closing,
    ) -> Option<Vec<Attribute>> {
        let mut attributes: Vec<Attribute> = Vec::new();
        let mut reported_junk = false;
        loop {
            let before = self.at;
            self.skip_space();
            match self.byte() {
                None => {
                    self.error(
                        "E0113",
                        format!("the tag <{element} is not closed"),
                        tag.0,
                        tag.1,
                        tag.2,
                        Some("end it with '>' or '/>'"),
                    );
                    return None;
                }
                Some(byte) if starts_name(byte) => {
                    if before == self.at && !attributes.is_empty() {
                        self.warning(
                            "W0111",
                            "no white space between attributes",
                            self.at,
                            self.at + 1,
                            self.line,
                            "put a space before this attribute; strict XML parsers refuse the file",
                        );
                    }
                    let Some(attribute) = self.attribute(element) else { continue };
                    if attributes.iter().any(|other| other.name == attribute.name) {
                        let (start, end) = attribute.name_span;
                        let message = format!("attribute '{}' is given twice", attribute.name);
                        self.error(
                            "E0114",
                            message,
                            start as usize,
                            end as usize,
                            attribute.line,
                            Some("delete one of the two"),
                        );
                        continue;
                    }
                    if attributes.len() >= self.limits.attributes {
                        let (start, end) = attribute.name_span;
                        let message =
                            format!("<{element}> has more than {} attributes", self.limits.attributes);
                        self.error(
                            "E0006",
                            message,
                            start as usize,
                            end as usize,
                            attribute.line,
                            Some("delete the attributes it does not need"),
                        );
                        return None;
                    }
                    attributes.push(attribute);
                }
                Some(b'>') => {
                    self.at += 1;
                    return Some(attributes);
                }
                Some(b'/') if self.text.get(self.at + 1) == Some(&b'>') => {
                    if matches!(closing, Closing::End) {
                        self.warning(
                            "W0112",
                            "an end tag with '/>' is read as an empty element",
                            tag.0,
                            tag.1,
                            tag.2,
                            "write the end tag without the second '/'",
                        );
                    }
                    *closing = Closing::Empty;
                    self.at += 2;
                    return Some(attributes);
                }
                Some(b'<') => {
                    // The next tag starts before this one ended: treat this one as ended.
                    let message = format!("the tag <{element} is not closed");
                    self.error("E0113", message, tag.0, tag.1, tag.2, Some("end it with '>' or '/>'"));
                    return Some(attributes);
                }
                Some(byte) => {
                    if !reported_junk {
                        let message =
                            format!("unexpected '{}' in <{element}>", char::from(byte).escape_default());
                        self.error(
                            "E0115",
                            message,
                            self.at,
                            self.at + 1,
                            self.line,
                            Some("attributes are written name=\"value\""),
                        );
                        reported_junk = true;
                    }
                    self.at += 1;
                }
            }
        }
    }

    /// Reads one attribute; reports and skips what is not one.
    fn attribute(&mut self, element: &str) -> Option<Attribute> {
        let line = self.line;
        let name_span = self.name()?;
        let name = self.string(name_span);
        self.skip_space();
        if self.byte() != Some(b'=') {
            self.error(
                "E0116",
                format!("attribute '{name}' of <{element}> has no value"),
                name_span.0,
                name_span.1,
                line,
                Some("attributes are written name=\"value\""),
            );
            return None;
        }
        self.at += 1;
        self.skip_space();
        let quote = match self.byte() {
            Some(quote @ (b'"' | b'\'')) => quote,
            _ => {
                let (start, value_line) = (self.at, self.line);
                while self
                    .byte()
                    .is_some_and(|byte| !is_space(byte) && !matches!(byte, b'>' | b'<' | b'"' | b'\''))
                    && !self.rest().starts_with(b"/>")
                {
                    self.at += 1;
                }
                let end = self.at.max(start + 1);
                if let Some(b'"' | b'\'') = self.byte() {
                    self.at += 1;
                }
                self.error(
                    "E0117",
                    format!("the value of '{name}' is not in quotes"),
                    start,
                    end,
                    value_line,
                    Some("attributes are written name=\"value\""),
                );
                return None;
            }
        };
        self.at += 1;
        let (start, value_line) = (self.at, self.line);
        let Some(end) = self.skip_past(&[quote]) else {
            self.error(
                "E0118",
                format!("the value of '{name}' has no closing quote"),
                start - 1,
                start,
                value_line,
                Some("close the value with the quote it starts with"),
            );
            // Go on at the end of the line, where the quote was probably meant.
            (self.at, self.line) = (start, value_line);
            while self.byte().is_some_and(|byte| !matches!(byte, b'\n' | b'>'))
                && !self.rest().starts_with(b"/>")
            {
                self.at += 1;
            }
            return None;
        };
        let raw = self.text.get(start..end).unwrap_or(&[]);
        let decoded = decode(raw);
        if let Some(less) = raw.iter().position(|&byte| byte == b'<') {
            let line = value_line + raw.iter().take(less).filter(|&&byte| byte == b'\n').count() as u32;
            self.warning(
                "W0113",
                "'<' inside an attribute value",
                start + less,
                start + less + 1,
                line,
                "is the closing quote of the value missing? A literal '<' is written &lt;",
            );
        }
        if let Some(ampersand) = decoded.unknown_entity {
            let at = start + ampersand;
            self.warning(
                "W0114",
                "'&' starts no known character reference",
                at,
                at + 1,
                value_line,
                "a literal '&' is written &amp;",
            );
        }
        Some(Attribute {
            name: name.into(),
            value: decoded.text,
            name_span: (name_span.0 as u32, name_span.1 as u32),
            value_span: (start as u32, end as u32),
            line,
            value_line,
            checked: RefCell::default(),
        })
    }
}
