//! Text to tree, one pass, without recursion.
//!
//! What is accepted follows the reference's XML library: names may start with any letter, `_`, `:` or byte above 127; a value
//! runs to the next quote of the same kind whatever is in it; `<!…>` other than a comment or CDATA runs to the next `>`; a NUL
//! byte ends the text; an end tag outside the root element ends the document; an end tag that also ends in `/>` is an empty
//! element; `<?…?>` may only appear before everything else. Anything beyond well-formed XML that is accepted gets a warning.

use super::{Element, NodeId, Tree};
use crate::limits::Limits;
use crate::report::Report;
use condyle_base::diagnostic::did_you_mean;
use condyle_base::{Diagnostic, Location, SourceFile};
use std::sync::Arc;

/// Parses `source` into `tree` and returns its root element.
///
/// `outer_depth` is the number of elements around an included text. Problems go to `report`; after an error the result is a
/// best effort and only good for finding further problems.
pub fn parse(
    tree: &mut Tree,
    source: &Arc<SourceFile>,
    outer_depth: usize,
    limits: &Limits,
    report: &mut Report,
) -> Option<NodeId> {
    if source.text.len() > limits.file_bytes {
        report.push(
            Diagnostic::error(
                "E0003",
                format!("'{}' is larger than {} MiB", source.name, limits.file_bytes >> 20),
            )
            .at(Some(&Location { source: Arc::clone(source), start: 0, end: 0, line: 1 }))
            .help("raise the limit in the load options if the file is meant to be this large"),
        );
        return None;
    }
    let end = source.text.iter().position(|&byte| byte == 0).unwrap_or(source.text.len());
    let text = source.text.get(..end).unwrap_or(&[]);
    let mut parser = Parser {
        source,
        text,
        tree,
        limits,
        report,
        outer_depth,
        at: 0,
        line: 1,
        open: Vec::new(),
        root: None,
        only_declarations: true,
        stopped: false,
    };
    parser.document(end);
    parser.root
}

/// What a tag turned out to be.
pub(super) enum Closing {
    /// `<name …>`
    Start,
    /// `<name …/>`, also `</name/>`
    Empty,
    /// `</name>`
    End,
}

pub(super) struct Parser<'a> {
    pub(super) source: &'a Arc<SourceFile>,
    pub(super) text: &'a [u8],
    pub(super) tree: &'a mut Tree,
    pub(super) limits: &'a Limits,
    pub(super) report: &'a mut Report,
    pub(super) outer_depth: usize,
    pub(super) at: usize,
    pub(super) line: u32,
    pub(super) open: Vec<NodeId>,
    pub(super) root: Option<NodeId>,
    pub(super) only_declarations: bool,
    pub(super) stopped: bool,
}

pub(super) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | 0x0b | 0x0c | b'\r')
}

pub(super) fn starts_name(byte: u8) -> bool {
    byte >= 128 || byte.is_ascii_alphabetic() || byte == b':' || byte == b'_'
}

fn continues_name(byte: u8) -> bool {
    starts_name(byte) || byte.is_ascii_digit() || byte == b'.' || byte == b'-'
}

impl Parser<'_> {
    fn document(&mut self, nul: usize) {
        if self.text.is_empty() {
            let what = if nul < self.source.text.len() { "starts with a NUL byte" } else { "is empty" };
            self.error(
                "E0101",
                format!("'{}' {what}", self.source.name),
                0,
                0,
                1,
                Some("a model file holds one <mujoco> or <robot> element"),
            );
            return;
        }
        if let Some([0xff, 0xfe] | [0xfe, 0xff]) = self.text.get(..2) {
            self.error("E0102", "the text is UTF-16".into(), 0, 2, 1, Some("save the file as UTF-8"));
            return;
        }
        self.skip_space();
        if self.rest().starts_with(b"\xef\xbb\xbf") {
            self.at += 3;
        }
        while !self.stopped {
            let before_space = (self.at, self.line);
            self.skip_space();
            if self.at >= self.text.len() {
                break;
            }
            let rest = self.rest();
            if rest.starts_with(b"<?") {
                self.declaration();
            } else if rest.starts_with(b"<!--") {
                self.comment();
            } else if rest.starts_with(b"<![CDATA[") {
                self.cdata();
            } else if rest.starts_with(b"<!") {
                self.unknown();
            } else if rest.starts_with(b"<") {
                self.tag();
            } else {
                self.character_data(before_space);
            }
        }
        if !self.stopped {
            self.close_unfinished();
        }
        self.after_the_end(nul);
        if self.root.is_none() && !self.report.has_errors() {
            let (start, line) = (self.at, self.line);
            self.error(
                "E0103",
                "no root element".into(),
                start,
                start,
                line,
                Some("a model file holds one <mujoco> or <robot> element"),
            );
        }
    }

    pub(super) fn rest(&self) -> &[u8] {
        self.text.get(self.at..).unwrap_or(&[])
    }

    pub(super) fn byte(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    pub(super) fn location(&self, start: usize, end: usize, line: u32) -> Location {
        Location { source: Arc::clone(self.source), start: start as u32, end: end as u32, line }
    }

    pub(super) fn error(
        &mut self,
        code: &'static str,
        message: String,
        start: usize,
        end: usize,
        line: u32,
        help: Option<&str>,
    ) {
        let location = self.location(start, end, line);
        let mut diagnostic = Diagnostic::error(code, message).at(Some(&location));
        if let Some(help) = help {
            diagnostic = diagnostic.help(help);
        }
        self.report.push(diagnostic);
    }

    pub(super) fn warning(
        &mut self,
        code: &'static str,
        message: &str,
        start: usize,
        end: usize,
        line: u32,
        help: &str,
    ) {
        let location = self.location(start, end, line);
        self.report.push(Diagnostic::warning(code, message).at(Some(&location)).help(help));
    }

    pub(super) fn skip_space(&mut self) {
        while let Some(byte) = self.byte() {
            if !is_space(byte) {
                break;
            }
            self.line += u32::from(byte == b'\n');
            self.at += 1;
        }
    }

    /// Moves past the next occurrence of `end` and returns where it starts.
    pub(super) fn skip_past(&mut self, end: &[u8]) -> Option<usize> {
        while self.at < self.text.len() {
            if self.rest().starts_with(end) {
                let found = self.at;
                self.at += end.len();
                return Some(found);
            }
            self.line += u32::from(self.text[self.at] == b'\n');
            self.at += 1;
        }
        None
    }

    fn mark_content(&mut self, comment: Option<Box<str>>) {
        if let Some(&parent) = self.open.last() {
            let parent = self.tree.get_mut(parent);
            if !parent.has_content {
                parent.leading_comment = comment;
            }
            parent.has_content = true;
        } else {
            self.only_declarations = false;
        }
    }

    fn declaration(&mut self) {
        let (start, line) = (self.at, self.line);
        self.at += 2;
        if self.skip_past(b"?>").is_none() {
            self.error(
                "E0104",
                "this declaration has no closing '?>'".into(),
                start,
                start + 2,
                line,
                Some("close it with '?>'"),
            );
            self.stopped = true;
            return;
        }
        if !self.open.is_empty() || !self.only_declarations {
            let end = self.at;
            self.error(
                "E0105",
                "an XML declaration or processing instruction may only appear before everything else".into(),
                start,
                end,
                line,
                Some("move it to the first line of the file or delete it"),
            );
        } else if self.only_blanks_before(start) {
            let end = self.at;
            self.warning(
                "W0101",
                "the XML declaration is not at the start of the file",
                start,
                end,
                line,
                "delete what comes before it; strict XML parsers refuse the file",
            );
        }
    }

    /// Whether something stands before this place, and all of it is white space.
    fn only_blanks_before(&self, start: usize) -> bool {
        let before = self.text.get(..start).unwrap_or(&[]);
        let before = before.strip_prefix(b"\xef\xbb\xbf").unwrap_or(before);
        !before.is_empty() && before.trim_ascii().is_empty()
    }

    fn comment(&mut self) {
        let (start, line) = (self.at, self.line);
        self.at += 4;
        let Some(end) = self.skip_past(b"-->") else {
            self.error(
                "E0106",
                "this comment has no closing '-->'".into(),
                start,
                start + 4,
                line,
                Some("close it with '-->'"),
            );
            self.stopped = true;
            return;
        };
        let inside = self.text.get(start + 4..end).unwrap_or(&[]);
        if let Some(dashes) = inside.windows(2).position(|pair| pair == b"--") {
            let line = line + inside.iter().take(dashes).filter(|&&byte| byte == b'\n').count() as u32;
            let at = start + 4 + dashes;
            self.warning(
                "W0102",
                "'--' inside a comment",
                at,
                at + 2,
                line,
                "write '-' or '=' instead; strict XML parsers refuse the file",
            );
        }
        let comment = decode_comment(inside);
        self.mark_content(Some(comment));
    }

    fn cdata(&mut self) {
        let (start, line) = (self.at, self.line);
        self.at += 9;
        if self.skip_past(b"]]>").is_none() {
            self.error(
                "E0107",
                "this CDATA section has no closing ']]>'".into(),
                start,
                start + 9,
                line,
                Some("close it with ']]>'"),
            );
            self.stopped = true;
            return;
        }
        self.mark_content(None);
    }

    fn unknown(&mut self) {
        let (start, line) = (self.at, self.line);
        self.at += 2;
        let Some(end) = self.skip_past(b">") else {
            self.error(
                "E0108",
                "this '<!' has no closing '>'".into(),
                start,
                start + 2,
                line,
                Some("a comment is written <!-- … -->"),
            );
            self.stopped = true;
            return;
        };
        let is_doctype =
            self.text.get(start..start + 9).is_some_and(|word| word.eq_ignore_ascii_case(b"<!doctype"));
        if !is_doctype {
            self.warning(
                "W0103",
                "this is not a comment; it is skipped up to the next '>'",
                start,
                end + 1,
                line,
                "a comment is written <!-- … -->",
            );
        }
        self.mark_content(None);
    }

    /// Whether the text belongs to a part of a URDF that is meant for other programs, where text is nothing unusual.
    fn in_foreign_part(&self) -> bool {
        let name = |level: usize| self.open.get(level).map(|&node| &*self.tree.get(node).name);
        name(0).is_some_and(|root| root.eq_ignore_ascii_case("robot"))
            && name(1).is_some_and(|part| !matches!(part, "link" | "joint" | "material" | "mujoco"))
    }

    fn character_data(&mut self, before_space: (usize, u32)) {
        let (start, line) = (self.at, self.line);
        (self.at, self.line) = before_space;
        let found = self.skip_past(b"<");
        let visible = start..found.unwrap_or(self.text.len());
        let end = start + self.text.get(visible).unwrap_or(&[]).trim_ascii_end().len();
        let shown_end = self
            .text
            .get(start..end)
            .unwrap_or(&[])
            .iter()
            .position(|&byte| byte == b'\n')
            .map_or(end, |at| start + at);
        match found {
            Some(next) => {
                self.at = next;
                if self.open.is_empty() {
                    self.warning(
                        "W0104",
                        "text outside the root element is ignored",
                        start,
                        shown_end,
                        line,
                        "delete it or make it a comment",
                    );
                } else if !self.in_foreign_part() {
                    self.warning(
                        "W0105",
                        "text between elements is ignored",
                        start,
                        shown_end,
                        line,
                        "model data is given in attributes; delete the text or make it a comment",
                    );
                }
                self.mark_content(None);
            }
            None => {
                let help = "delete it or make it a comment";
                if self.open.is_empty() {
                    self.error(
                        "E0109",
                        "text after the root element".into(),
                        start,
                        shown_end,
                        line,
                        Some(help),
                    );
                }
                self.at = self.text.len();
            }
        }
    }

    /// A start tag, an empty element or an end tag.
    fn tag(&mut self) {
        let (start, line) = (self.at, self.line);
        self.at += 1;
        if self.byte().is_some_and(is_space) {
            self.warning(
                "W0106",
                "white space between '<' and the element name",
                start,
                self.at + 1,
                line,
                "delete it; strict XML parsers refuse the file",
            );
            self.skip_space();
        }
        let mut closing = Closing::Start;
        if self.byte() == Some(b'/') {
            closing = Closing::End;
            self.at += 1;
        }
        let Some(name_span) = self.name() else {
            self.bad_name(start, line);
            return;
        };
        let name = self.string(name_span);
        let name_end = name_span.1;
        let Some(attributes) = self.attributes(&name, (start, name_end, line), &mut closing) else {
            self.stopped = true;
            return;
        };
        match closing {
            Closing::End => {
                if let Some(first) = attributes.first() {
                    let (from, to) = first.name_span;
                    self.warning(
                        "W0107",
                        "attributes in an end tag are ignored",
                        from as usize,
                        to as usize,
                        first.line,
                        "delete them",
                    );
                }
                self.end_tag(&name, start, name_end, line);
            }
            Closing::Start | Closing::Empty => {
                let element = Element {
                    name: name.into(),
                    attributes,
                    children: Vec::new(),
                    has_content: false,
                    leading_comment: None,
                    source: Arc::clone(self.source),
                    span: (start as u32, name_end as u32),
                    line,
                };
                self.start_tag(element, matches!(closing, Closing::Start));
            }
        }
    }

    fn bad_name(&mut self, start: usize, line: u32) {
        let end = (self.at + 1).min(self.text.len());
        let help = match self.byte() {
            Some(b'0'..=b'9' | b'.' | b'+' | b'-') => {
                "write &lt; for a literal '<'; element names start with a letter"
            }
            _ => "element names start with a letter",
        };
        self.error("E0110", "'<' is not followed by an element name".into(), start, end, line, Some(help));
        // Go on after the tag, or at the next one if this was a stray '<'.
        while let Some(byte) = self.byte() {
            if byte == b'<' {
                break;
            }
            self.line += u32::from(byte == b'\n');
            self.at += 1;
            if byte == b'>' {
                break;
            }
        }
    }

    fn start_tag(&mut self, element: Element, stays_open: bool) {
        let location = element.location();
        if self.tree.len() >= self.limits.elements {
            self.report.push(
                Diagnostic::error("E0004", format!("more than {} elements", self.limits.elements))
                    .at(Some(&location))
                    .help("raise the limit in the load options if the model is meant to be this large"),
            );
            self.stopped = true;
            return;
        }
        if stays_open && self.open.len() >= self.limits.element_depth
            || self.open.len() + self.outer_depth >= self.limits.total_depth
        {
            self.report.push(
                Diagnostic::error("E0005", "elements are nested too deeply")
                    .at(Some(&location))
                    .note(format!("at most {} elements may be open at once", self.limits.element_depth))
                    .help("close elements earlier, or use <replicate> for long chains"),
            );
            self.stopped = true;
            return;
        }
        self.mark_content(None);
        let id = self.tree.push(element);
        match self.open.last() {
            Some(&parent) => self.tree.get_mut(parent).children.push(id),
            None if self.root.is_none() => self.root = Some(id),
            None => {
                self.report.push(
                    Diagnostic::warning("W0108", "only the first root element is read")
                        .at(Some(&location))
                        .help("delete the second one or move its content into the first"),
                );
            }
        }
        if stays_open {
            self.open.push(id);
        }
    }

    fn end_tag(&mut self, name: &str, start: usize, name_end: usize, line: u32) {
        let Some(&current) = self.open.last() else {
            // Outside the root element an end tag ends the document; what follows is never looked at.
            let rest = self.rest().trim_ascii().len();
            let help = if rest > 0 {
                "delete it; everything after it is ignored"
            } else {
                "delete it; strict XML parsers refuse the file"
            };
            self.warning("W0109", "this end tag has no start tag", start, name_end, line, help);
            self.at = self.text.len();
            self.stopped = true;
            return;
        };
        let element = self.tree.get(current);
        if &*element.name == name {
            self.open.pop();
            return;
        }
        let expected = element.name.to_string();
        let opened = element.location();
        let position = self.open.iter().rposition(|&id| &*self.tree.get(id).name == name);
        match position {
            Some(position) => {
                // The tag belongs to an outer element: the inner ones were never closed.
                for &id in self.open.get(position + 1..).unwrap_or(&[]) {
                    let element = self.tree.get(id);
                    let diagnostic = Diagnostic::error("E0111", format!("<{}> is not closed", element.name))
                        .at(Some(&element.location()))
                        .note(format!("</{name}> on line {line} closes an element around it"))
                        .help(format!("add </{}>, or end the start tag with '/>'", element.name));
                    self.report.push(diagnostic);
                }
                self.open.truncate(position);
            }
            None => {
                let misspelt = did_you_mean(name, [expected.as_str()]).is_some();
                let location = self.location(start, name_end, line);
                let diagnostic = Diagnostic::error("E0112", format!("</{name}> does not match <{expected}>"))
                    .at(Some(&location))
                    .note(format!("<{expected}> was opened at {opened}"))
                    .help(format!("write </{expected}>, or delete this end tag"));
                self.report.push(diagnostic);
                if misspelt {
                    self.open.pop();
                }
            }
        }
    }

    fn close_unfinished(&mut self) {
        let open = std::mem::take(&mut self.open);
        if let Some(&innermost) = open.last() {
            let element = self.tree.get(innermost);
            let name = element.name.to_string();
            let mut diagnostic = Diagnostic::error("E0111", format!("<{name}> is not closed"))
                .at(Some(&element.location()))
                .help(format!("add </{name}>, or end the start tag with '/>'"));
            if open.len() > 1 {
                let outer: Vec<String> = open
                    .iter()
                    .rev()
                    .skip(1)
                    .take(8)
                    .map(|&id| format!("<{}>", self.tree.get(id).name))
                    .collect();
                diagnostic = diagnostic.note(format!("nor are {} around it", outer.join(", ")));
            }
            self.report.push(diagnostic);
        }
    }

    fn after_the_end(&mut self, nul: usize) {
        let tail = self.source.text.get(nul..).unwrap_or(&[]);
        if tail.is_empty() || nul == 0 {
            return;
        }
        let line = 1 + self.text.iter().filter(|&&byte| byte == b'\n').count() as u32;
        self.warning(
            "W0110",
            "a NUL byte ends the text here",
            nul,
            nul + 1,
            line,
            "delete it and everything after it; strict XML parsers refuse the file",
        );
    }

    /// Reads a name and returns its span.
    pub(super) fn name(&mut self) -> Option<(usize, usize)> {
        let start = self.at;
        if !self.byte().is_some_and(starts_name) {
            return None;
        }
        while self.byte().is_some_and(continues_name) {
            self.at += 1;
        }
        Some((start, self.at))
    }

    pub(super) fn string(&self, span: (usize, usize)) -> String {
        String::from_utf8_lossy(self.text.get(span.0..span.1).unwrap_or(&[])).into_owned()
    }
}

/// The text of a comment with line ends resolved; comments know no character references.
fn decode_comment(raw: &[u8]) -> Box<str> {
    String::from_utf8_lossy(raw).replace("\r\n", "\n").replace("\n\r", "\n").replace('\r', "\n").into()
}
