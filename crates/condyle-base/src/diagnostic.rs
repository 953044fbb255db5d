//! What is wrong with an input, where, and what to do about it.
//!
//! Every problem found while loading a model is a [`Diagnostic`]: a stable code, a severity, a message, a position in a
//! source text (through the files that included it), a help line and notes. Libraries return them as values and never print.
//! [`Diagnostic::render`] gives the text shown by the command line and carried by exceptions, [`Diagnostic::to_json`] the same
//! for tools.
//!
//! Positions are byte offsets plus a line number; the column is counted only when it is asked for, because counting it for
//! every element of a file that has one very long line would take quadratic time.

use std::collections::HashMap;
use std::fmt;
use std::fmt::Write as _;
use std::sync::Arc;

use crate::json;

/// How serious a diagnostic is. An error means that no model was produced.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Severity {
    /// The input was accepted but probably does not mean what its author intended.
    Warning,
    /// The input was refused.
    Error,
}

impl Severity {
    /// The word printed in front of the code.
    pub fn word(self) -> &'static str {
        match self {
            Severity::Warning => "warning",
            Severity::Error => "error",
        }
    }
}

/// One text that was read: a file, an entry of the virtual file system or a string.
pub struct SourceFile {
    /// Name as the user wrote or would recognise it.
    pub name: String,
    /// The bytes as read; they need not be valid UTF-8.
    pub text: Vec<u8>,
    /// Where this text was included, if it was.
    pub included_from: Option<Location>,
}

impl SourceFile {
    /// A text that was not included from anywhere.
    pub fn new(name: impl Into<String>, text: impl Into<Vec<u8>>) -> Arc<Self> {
        Arc::new(Self { name: name.into(), text: text.into(), included_from: None })
    }

    /// A text spliced in at `from`.
    pub fn included(name: impl Into<String>, text: impl Into<Vec<u8>>, from: Location) -> Arc<Self> {
        Arc::new(Self { name: name.into(), text: text.into(), included_from: Some(from) })
    }
}

impl fmt::Debug for SourceFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SourceFile({:?}, {} bytes)", self.name, self.text.len())
    }
}

/// A span of bytes in a source text.
#[derive(Clone)]
pub struct Location {
    /// The text the span lies in.
    pub source: Arc<SourceFile>,
    /// First byte of the span.
    pub start: u32,
    /// One past the last byte of the span.
    pub end: u32,
    /// Line of the first byte, counted from 1.
    pub line: u32,
}

impl Location {
    /// The column of the first byte in characters, counted from 1.
    pub fn column(&self) -> u32 {
        let before = self.bytes(self.line_start(), self.start as usize);
        String::from_utf8_lossy(before).chars().count() as u32 + 1
    }

    /// Where the files were included, innermost first.
    pub fn include_stack(&self) -> Vec<&Location> {
        let mut stack = Vec::new();
        let mut next = self.source.included_from.as_ref();
        while let Some(location) = next {
            stack.push(location);
            next = location.source.included_from.as_ref();
        }
        stack
    }

    /// The same place, narrowed to the span `start..end`.
    pub fn with_span(&self, start: u32, end: u32, line: u32) -> Self {
        Self { source: Arc::clone(&self.source), start, end, line }
    }

    fn bytes(&self, start: usize, end: usize) -> &[u8] {
        let text = &self.source.text;
        let end = end.min(text.len());
        text.get(start.min(end)..end).unwrap_or(&[])
    }

    fn line_start(&self) -> usize {
        let before = self.bytes(0, self.start as usize);
        before.iter().rposition(|&byte| byte == b'\n').map_or(0, |newline| newline + 1)
    }

    fn line_end(&self) -> usize {
        let text = &self.source.text;
        let start = (self.start as usize).min(text.len());
        let rest = text.get(start..).unwrap_or(&[]);
        start + rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len())
    }
}

impl PartialEq for Location {
    fn eq(&self, other: &Self) -> bool {
        self.source.name == other.source.name && (self.start, self.end) == (other.start, other.end)
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.source.name, self.line, self.column())
    }
}

impl fmt::Debug for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}[{}..{}]", self.source.name, self.line, self.start, self.end)
    }
}

/// One problem.
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnostic {
    /// Stable identifier, such as `E0102`; the letter follows the severity.
    pub code: &'static str,
    /// Error or warning.
    pub severity: Severity,
    /// What is wrong, in one sentence without a full stop.
    pub message: String,
    /// Where it is wrong.
    pub location: Option<Location>,
    /// What to do about it.
    pub help: Option<String>,
    /// Further facts.
    pub notes: Vec<String>,
}

impl Diagnostic {
    /// An error without a position, help or notes.
    pub fn error(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(code, Severity::Error, message)
    }

    /// A warning without a position, help or notes.
    pub fn warning(code: &'static str, message: impl Into<String>) -> Self {
        Self::new(code, Severity::Warning, message)
    }

    fn new(code: &'static str, severity: Severity, message: impl Into<String>) -> Self {
        Self { code, severity, message: message.into(), location: None, help: None, notes: Vec::new() }
    }

    /// The same problem at a known place.
    pub fn at(mut self, location: Option<&Location>) -> Self {
        self.location = location.cloned();
        self
    }

    /// The same problem with a help line.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// The same problem with one more note.
    pub fn note(mut self, note: impl Into<String>) -> Self {
        self.notes.push(note.into());
        self
    }

    /// The message without the element it starts with, as in `geom 'a': …`.
    fn statement(&self) -> &str {
        let Some((label, rest)) = self.message.split_once(": ") else { return &self.message };
        let (kind, name) = label.split_once(' ').unwrap_or((label, "''"));
        let is_label = kind.bytes().all(|byte| byte.is_ascii_lowercase())
            && name.starts_with('\'')
            && name.ends_with('\'');
        if is_label { rest } else { &self.message }
    }

    /// Whether this problem prevents loading.
    pub fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }

    /// The problem as text: headline, position, the source line with the span underlined, include stack, notes and help.
    pub fn render(&self) -> String {
        let mut out = format!("{}[{}]: {}\n", self.severity.word(), self.code, self.message);
        let mut margin = 1;
        if let Some(location) = &self.location {
            margin = location.line.to_string().len();
            if location.source.text.is_empty() {
                // The file as a whole: there is no line to show.
                let _ = writeln!(out, "{:margin$}--> {}", "", location.source.name);
            } else {
                let _ = writeln!(out, "{:margin$}--> {location}", "");
                render_snippet(&mut out, location, margin);
            }
            for outer in location.include_stack() {
                let _ = writeln!(out, "{:margin$} = note: included from {outer}", "");
            }
        }
        for note in &self.notes {
            let _ = writeln!(out, "{:margin$} = note: {note}", "");
        }
        if let Some(help) = &self.help {
            let _ = writeln!(out, "{:margin$} = help: {help}", "");
        }
        out
    }

    /// The problem as one JSON object on one line.
    pub fn to_json(&self) -> String {
        let mut out = String::from("{\"code\":");
        json::string(&mut out, self.code);
        out.push_str(",\"severity\":");
        json::string(&mut out, self.severity.word());
        out.push_str(",\"message\":");
        json::string(&mut out, &self.message);
        out.push_str(",\"location\":");
        match &self.location {
            None => out.push_str("null"),
            Some(location) => {
                json_location(&mut out, location);
                out.pop();
                out.push_str(",\"included_from\":[");
                for (index, outer) in location.include_stack().into_iter().enumerate() {
                    if index > 0 {
                        out.push(',');
                    }
                    json_location(&mut out, outer);
                }
                out.push_str("]}");
            }
        }
        out.push_str(",\"help\":");
        match &self.help {
            None => out.push_str("null"),
            Some(help) => json::string(&mut out, help),
        }
        out.push_str(",\"notes\":[");
        for (index, note) in self.notes.iter().enumerate() {
            if index > 0 {
                out.push(',');
            }
            json::string(&mut out, note);
        }
        out.push_str("]}");
        out
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.render().trim_end())
    }
}

impl std::error::Error for Diagnostic {}

/// All problems of one load, rendered one after another with a closing count. Problems that say the same are rendered once,
/// with the other places.
pub fn render_all(diagnostics: &[Diagnostic]) -> String {
    let mut out = String::new();
    for (first, others) in grouped(diagnostics) {
        match others.as_slice() {
            [] => out.push_str(&first.render()),
            _ => out.push_str(&first.clone().note(also_at(first, &others)).render()),
        }
        out.push('\n');
    }
    let errors = diagnostics.iter().filter(|diagnostic| diagnostic.is_error()).count();
    let warnings = diagnostics.len() - errors;
    match (errors, warnings) {
        (0, 0) => {}
        (0, _) => out.push_str(&counted(warnings, "warning")),
        (_, 0) => out.push_str(&counted(errors, "error")),
        _ => {
            let _ = write!(out, "{}, {}", counted(errors, "error"), counted(warnings, "warning"));
        }
    }
    out
}

/// Each problem with the later ones that say the same about another element.
fn grouped(diagnostics: &[Diagnostic]) -> Vec<(&Diagnostic, Vec<&Diagnostic>)> {
    let mut groups: Vec<(&Diagnostic, Vec<&Diagnostic>)> = Vec::new();
    let mut known: HashMap<(&str, &str, Option<&str>), usize> = HashMap::new();
    for diagnostic in diagnostics {
        let key = (diagnostic.code, diagnostic.statement(), diagnostic.help.as_deref());
        match known.get(&key).and_then(|&group| groups.get_mut(group)) {
            Some((first, others)) if first.location.is_some() && diagnostic.location.is_some() => {
                others.push(diagnostic);
            }
            _ => {
                known.insert(key, groups.len());
                groups.push((diagnostic, Vec::new()));
            }
        }
    }
    groups
}

/// Most places that are listed after the first.
const PLACES_SHOWN: usize = 8;

fn also_at(first: &Diagnostic, others: &[&Diagnostic]) -> String {
    let name = first.location.as_ref().map_or("", |location| location.source.name.as_str());
    let mut places: Vec<String> = others
        .iter()
        .filter_map(|other| other.location.as_ref())
        .map(
            |place| {
                if place.source.name == name { format!("line {}", place.line) } else { place.to_string() }
            },
        )
        .collect();
    places.dedup();
    let more = places.len().saturating_sub(PLACES_SHOWN);
    places.truncate(PLACES_SHOWN);
    let more = if more > 0 { format!(" and {more} more") } else { String::new() };
    let times = if others.len() == 1 { "once".to_owned() } else { format!("{} times", others.len()) };
    format!("the same {times} more: {}{more}", places.join(", "))
}

/// The closest of `candidates` to a misspelt `word`, if one is close enough to be meant.
///
/// Close enough is one edit per three characters (insert, delete, replace, swap of neighbours), or equality when case and
/// separators are ignored.
pub fn did_you_mean<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let plain = |text: &str| text.to_lowercase().replace(['_', '-', ' '], "");
    if word.is_empty() || word.len() > 64 {
        return None;
    }
    let wanted = plain(word);
    let allowed = 1 + word.len() / 4;
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        if candidate.len() > 64 || candidate.is_empty() {
            continue;
        }
        let distance = if plain(candidate) == wanted { 0 } else { edit_distance(word, candidate) };
        if distance <= allowed && distance < candidate.len() && best.is_none_or(|(least, _)| distance < least)
        {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// Edits (insert, delete, replace, swap of neighbours) that turn `a` into `b`.
fn edit_distance(a: &str, b: &str) -> usize {
    let a: Vec<char> = a.chars().collect();
    let b: Vec<char> = b.chars().collect();
    let mut before_last = vec![0; b.len() + 1];
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for i in 1..=a.len() {
        let mut row = vec![i; b.len() + 1];
        for j in 1..=b.len() {
            let cost = usize::from(a[i - 1] != b[j - 1]);
            row[j] = (last[j] + 1).min(row[j - 1] + 1).min(last[j - 1] + cost);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(before_last[j - 2] + 1);
            }
        }
        before_last = last;
        last = row;
    }
    last.last().copied().unwrap_or(0)
}

fn counted(count: usize, word: &str) -> String {
    if count == 1 { format!("1 {word}") } else { format!("{count} {word}s") }
}

/// Longest stretch of a source line that is shown.
const SNIPPET_WIDTH: usize = 120;

fn render_snippet(out: &mut String, location: &Location, margin: usize) {
    let (start, end) = (location.start as usize, location.end as usize);
    let (mut line_start, mut line_end) = (location.line_start(), location.line_end());
    let (mut prefix, mut suffix) = ("", "");
    if line_end - line_start > SNIPPET_WIDTH {
        let wanted = start.saturating_sub(SNIPPET_WIDTH / 3).max(line_start);
        if wanted > line_start {
            prefix = "…";
            line_start = wanted;
        }
        if line_end - line_start > SNIPPET_WIDTH {
            suffix = "…";
            line_end = line_start + SNIPPET_WIDTH;
        }
    }
    let show = |from: usize, to: usize| -> String {
        let text = String::from_utf8_lossy(location.bytes(from, to)).into_owned();
        text.chars().map(|c| if c == '\t' { ' ' } else { c }).filter(|c| !c.is_control()).collect()
    };
    let before = show(line_start, start);
    let marked = show(start, end.min(line_end));
    let after = show(end.clamp(start, line_end.max(start)), line_end);
    let line = location.line;
    let _ = writeln!(out, "{:margin$} |", "");
    let _ = writeln!(out, "{line:margin$} | {prefix}{before}{marked}{after}{suffix}");
    let indent = prefix.chars().count() + before.chars().count();
    let width = marked.chars().count().max(1);
    let _ = writeln!(out, "{:margin$} | {:indent$}{}", "", "", "^".repeat(width));
}

fn json_location(out: &mut String, location: &Location) {
    out.push_str("{\"file\":");
    json::string(out, &location.source.name);
    let _ = write!(
        out,
        ",\"line\":{},\"column\":{},\"start\":{},\"end\":{}}}",
        location.line,
        location.column(),
        location.start,
        location.end
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    fn location(source: &Arc<SourceFile>, needle: &str) -> Location {
        let text = String::from_utf8_lossy(&source.text).into_owned();
        let start = text.find(needle).unwrap();
        let line = text[..start].matches('\n').count() as u32 + 1;
        Location { source: Arc::clone(source), start: start as u32, end: (start + needle.len()) as u32, line }
    }

    #[test]
    fn rendering_underlines_the_span_and_lists_the_includes() {
        let outer = SourceFile::new("main.xml", "<mujoco>\n  <include file=\"arm.xml\"/>\n</mujoco>\n");
        let inner = SourceFile::included(
            "arm.xml",
            "<m>\n\t<joint rnage=\"0 1\"/>\n</m>",
            location(&outer, "<include"),
        );
        let diagnostic = Diagnostic::error("E0102", "unknown attribute 'rnage' on <joint>")
            .at(Some(&location(&inner, "rnage")))
            .note("attributes are case sensitive")
            .help("did you mean 'range'?");
        assert_eq!(
            diagnostic.render(),
            "error[E0102]: unknown attribute 'rnage' on <joint>\n \
             --> arm.xml:2:9\n  |\n2 |  <joint rnage=\"0 1\"/>\n  |         ^^^^^\n  \
             = note: included from main.xml:2:3\n  = note: attributes are case sensitive\n  \
             = help: did you mean 'range'?\n"
        );
    }

    #[test]
    fn columns_count_characters_and_survive_bytes_that_are_not_utf8() {
        let source = SourceFile::new("x", "é<a>".as_bytes().to_vec());
        assert_eq!(location(&source, "<a>").column(), 2);
        let broken = SourceFile::new("x", vec![0xff, b'<', b'a']);
        let at = Location { source: broken, start: 1, end: 900, line: 1 };
        assert_eq!(at.column(), 2);
        assert!(Diagnostic::error("E0001", "x").at(Some(&at)).render().contains("<a"));
    }

    #[test]
    fn a_very_long_line_is_cut_around_the_span() {
        let text = format!("{}<here/>{}", " a".repeat(5000), "b ".repeat(5000));
        let source = SourceFile::new("long.xml", text);
        let rendered = Diagnostic::error("E0001", "x").at(Some(&location(&source, "<here/>"))).render();
        assert!(rendered.len() < 600 && rendered.contains("<here/>") && rendered.contains('…'));
    }

    #[test]
    fn json_escapes_and_keeps_the_include_stack() {
        let outer = SourceFile::new("a\"b.xml", "<i/>");
        let inner = SourceFile::included("c.xml", "<q/>", location(&outer, "<i/>"));
        let json = Diagnostic::warning("W0001", "line\nbreak").at(Some(&location(&inner, "<q/>"))).to_json();
        assert_eq!(
            json,
            "{\"code\":\"W0001\",\"severity\":\"warning\",\"message\":\"line\\nbreak\",\"location\":{\"file\":\
             \"c.xml\",\"line\":1,\"column\":1,\"start\":0,\"end\":4,\"included_from\":[{\"file\":\"a\\\"b.xml\",\
             \"line\":1,\"column\":1,\"start\":0,\"end\":4}]},\"help\":null,\"notes\":[]}"
        );
    }

    #[test]
    fn nearest_name_is_found_and_a_distant_one_is_not() {
        assert_eq!(did_you_mean("rnage", ["name", "range", "ref"]), Some("range"));
        assert_eq!(did_you_mean("conDim", ["contype", "condim"]), Some("condim"));
        assert_eq!(did_you_mean("springinertia", ["springref", "springdamper"]), None);
        assert_eq!(did_you_mean("x", ["y", "z"]), None);
    }

    #[test]
    fn the_summary_counts_errors_and_warnings() {
        let all =
            [Diagnostic::error("E1", "a"), Diagnostic::error("E1", "b"), Diagnostic::warning("W1", "c")];
        assert!(render_all(&all).ends_with("2 errors, 1 warning"));
    }
}
