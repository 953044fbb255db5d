//! [`Model`] and [`Spec`] to files.

use std::fmt;
use std::path::{Path, PathBuf};

use condyle_mjcf::{Mjcf, to_mjcf_with_files};
use condyle_model::{Model, mjb};
use condyle_spec::Spec;
use condyle_spec::decompile::DecompileError;

/// Why a model could not be saved.
#[derive(Debug)]
pub enum SaveError {
    /// The model cannot be written as text.
    Model(DecompileError),
    /// A file could not be written.
    File(PathBuf, std::io::Error),
}

impl fmt::Display for SaveError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Model(error) => write!(f, "{error}"),
            Self::File(path, error) => write!(f, "{}: {error}", path.display()),
        }
    }
}

impl std::error::Error for SaveError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Model(error) => Some(error),
            Self::File(_, error) => Some(error),
        }
    }
}

/// A compiled model as MJCF text, with the files the text refers to: the pictures of its textures and large meshes.
///
/// Small meshes and height fields are in the text. See [`Spec::from_model`] for what does not come back to the last bit.
pub fn model_to_mjcf(model: &Model) -> Result<Mjcf, SaveError> {
    Spec::from_model(model).map(|spec| to_mjcf_with_files(&spec)).map_err(SaveError::Model)
}

/// Save a compiled model: `.mjb` as binary, anything else as MJCF with the files it refers to beside it.
pub fn save(model: &Model, path: impl AsRef<Path>) -> Result<(), SaveError> {
    let path = path.as_ref();
    if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("mjb")) {
        return write(path, &mjb::write(model));
    }
    save_as_text(model, path)
}

/// Save a compiled model as MJCF whatever the name, with the files it refers to beside it.
pub fn save_as_text(model: &Model, path: impl AsRef<Path>) -> Result<(), SaveError> {
    write_text(path.as_ref(), &model_to_mjcf(model)?)
}

/// Save an editable model as MJCF. It refers to its asset files as before; what was only in memory is written beside it.
pub fn save_spec(spec: &Spec, path: impl AsRef<Path>) -> Result<(), SaveError> {
    write_text(path.as_ref(), &to_mjcf_with_files(spec))
}

fn write_text(path: &Path, saved: &Mjcf) -> Result<(), SaveError> {
    for (name, bytes) in &saved.files {
        let target = path.with_file_name("").join(name);
        if let Some(folder) = target.parent() {
            std::fs::create_dir_all(folder).map_err(|error| SaveError::File(folder.to_owned(), error))?;
        }
        write(&target, bytes)?;
    }
    write(path, saved.text.as_bytes())
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), SaveError> {
    std::fs::write(path, bytes).map_err(|error| SaveError::File(path.to_owned(), error))
}
