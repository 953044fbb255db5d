//! Model files to [`Model`], by their kind.

use std::fmt;
use std::path::{Path, PathBuf};

use condyle_base::Diagnostic;
use condyle_base::diagnostic::render_all;
use condyle_engine::plugin;
use condyle_mjcf::{LoadOptions, Loaded, LoadedSpec};
use condyle_model::{Model, mjb};

/// Why a model could not be loaded.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct LoadError {
    /// The file that was asked for.
    pub path: PathBuf,
    /// Every problem that was found, warnings included. Empty for binary files.
    pub diagnostics: Vec<Diagnostic>,
    /// All problems with positions and help, ready to print.
    pub message: String,
}

impl LoadError {
    pub(crate) fn from_diagnostics(path: &Path, diagnostics: Vec<Diagnostic>) -> Self {
        Self { path: path.to_owned(), message: render_all(&diagnostics), diagnostics }
    }

    /// The error for a file that could not be read at all.
    pub fn unreadable(path: impl AsRef<Path>, problem: impl fmt::Display) -> Self {
        let path = path.as_ref();
        Self {
            path: path.to_owned(),
            diagnostics: Vec::new(),
            message: format!("{}: {problem}", path.display()),
        }
    }
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.message.trim_end())
    }
}

impl std::error::Error for LoadError {}

/// Load a model file: `.mjb` as binary, anything else as MJCF or URDF text.
pub fn load(path: impl AsRef<Path>) -> Result<Model, LoadError> {
    load_with(path, &LoadOptions::default()).map(|loaded| loaded.model)
}

/// [`load`] with options, keeping the warnings.
pub fn load_with(path: impl AsRef<Path>, options: &LoadOptions) -> Result<Loaded, LoadError> {
    let path = path.as_ref();
    if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("mjb")) {
        let bytes =
            std::fs::read(path).map_err(|problem| LoadError::unreadable(path, problem.to_string()))?;
        let model = read_binary(&bytes, path)?;
        return Ok(Loaded { model, warnings: Vec::new(), notes: Vec::new() });
    }
    let reading = condyle_mjcf::read_path(path, options);
    reading.compile(options).map_err(|problems| LoadError::from_diagnostics(path, problems))
}

/// Compile a model from MJCF or URDF text. Files it names are looked up among the given ones, then from the working directory.
pub fn load_str(text: &str, options: &LoadOptions) -> Result<Loaded, LoadError> {
    load_bytes("<string>", text.as_bytes(), options)
}

/// [`load_str`] for text that need not be valid, under the name that problems are to show.
pub fn load_bytes(name: &str, text: &[u8], options: &LoadOptions) -> Result<Loaded, LoadError> {
    let reading = condyle_mjcf::read_bytes(name, text, options);
    reading.compile(options).map_err(|problems| LoadError::from_diagnostics(Path::new(name), problems))
}

/// Load a binary model from memory.
pub fn load_binary(bytes: &[u8]) -> Result<Model, LoadError> {
    read_binary(bytes, Path::new("<memory>"))
}

fn read_binary(bytes: &[u8], path: &Path) -> Result<Model, LoadError> {
    let model = mjb::read(bytes).map_err(|problem| LoadError::unreadable(path, problem.to_string()))?;
    plugin::check(&model).map_err(|problem| LoadError::unreadable(path, problem))?;
    Ok(model)
}

/// The editable model of a file, before it is compiled.
pub fn load_spec(path: impl AsRef<Path>, options: &LoadOptions) -> Result<LoadedSpec, LoadError> {
    let path = path.as_ref();
    let reading = condyle_mjcf::read_path(path, options);
    reading.into_spec().map_err(|problems| LoadError::from_diagnostics(path, problems))
}
