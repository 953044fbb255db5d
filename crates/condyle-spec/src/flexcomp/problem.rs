//! Why a flexcomp cannot be made.

use condyle_asset::AssetError;

/// What a problem is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProblemKind {
    /// A value, or how values fit together.
    Value,
    /// A file.
    Asset,
    /// A size that is beyond a limit.
    TooLarge,
}

/// A problem of a flexcomp.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FlexcompProblem {
    /// What kind of problem it is.
    pub kind: ProblemKind,
    /// Attribute of the flexcomp or of its parts that is wrong; empty for the flexcomp as a whole.
    pub attribute: &'static str,
    /// What is wrong.
    pub message: String,
    /// What to do about it.
    pub help: Option<String>,
    /// More about it.
    pub notes: Vec<String>,
}

impl std::fmt::Display for FlexcompProblem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for FlexcompProblem {}

impl FlexcompProblem {
    pub(super) fn value(
        attribute: &'static str,
        message: impl Into<String>,
        help: impl Into<String>,
    ) -> Self {
        let (message, help) = (message.into(), Some(help.into()));
        Self { kind: ProblemKind::Value, attribute, message, help, notes: Vec::new() }
    }

    pub(super) fn too_large(attribute: &'static str, message: impl Into<String>) -> Self {
        let help = Some("choose smaller counts, or a coarser mesh".to_owned());
        Self { kind: ProblemKind::TooLarge, attribute, message: message.into(), help, notes: Vec::new() }
    }

    pub(super) fn file(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self { kind: ProblemKind::Asset, ..Self::value("file", message, help) }
    }

    /// A problem inside a file.
    pub(super) fn inside(file: &str, error: AssetError) -> Self {
        let place = match error.location {
            condyle_asset::Location::Whole => String::new(),
            condyle_asset::Location::Byte(offset) => format!(" (byte {offset})"),
            condyle_asset::Location::Line(line) => format!(" (line {line})"),
        };
        Self {
            kind: ProblemKind::Asset,
            attribute: "file",
            message: format!("file '{file}': {}{place}", error.message),
            help: error.help.or(Some("the file is incomplete or damaged; export it again".to_owned())),
            notes: error.notes,
        }
    }
}
