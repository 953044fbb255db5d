//! What can be wrong with an asset, and where.

use std::fmt;

/// Position of a problem inside an asset.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Location {
    /// The asset as a whole.
    Whole,
    /// Offset in bytes from the start of a binary file.
    Byte(usize),
    /// Line of a text file, counted from one.
    Line(usize),
}

/// A problem with an asset: a stable code, a message, the place and, where one can be given, advice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AssetError {
    /// Stable identifier, such as `stl-size`.
    pub code: &'static str,
    /// What is wrong.
    pub message: String,
    /// Where it is wrong.
    pub location: Location,
    /// What the user can do about it.
    pub help: Option<String>,
    /// Further facts.
    pub notes: Vec<String>,
}

impl AssetError {
    /// A problem without a more exact place than the asset.
    pub fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), location: Location::Whole, help: None, notes: Vec::new() }
    }

    /// The same problem at byte `offset`.
    pub fn at_byte(mut self, offset: usize) -> Self {
        self.location = Location::Byte(offset);
        self
    }

    /// The same problem at `line`, counted from one.
    pub fn at_line(mut self, line: usize) -> Self {
        self.location = Location::Line(line);
        self
    }

    /// The same problem with advice.
    pub fn help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }
}

impl fmt::Display for AssetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.message)?;
        match self.location {
            Location::Whole => {}
            Location::Byte(offset) => write!(f, " (byte {offset})")?,
            Location::Line(line) => write!(f, " (line {line})")?,
        }
        if let Some(help) = &self.help {
            write!(f, "; help: {help}")?;
        }
        Ok(())
    }
}

impl std::error::Error for AssetError {}
