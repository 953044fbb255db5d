//! [`Model`] and [`Spec`] to files.

use std::collections::{BTreeMap, HashSet};
use std::fmt;
use std::path::{Component, Path, PathBuf};

use condyle_base::files;
use condyle_mjcf::{Mjcf, asset_paths, to_mjcf_relocated, to_mjcf_with_files};
use condyle_model::{Model, mjb};
use condyle_spec::Spec;
use condyle_spec::decompile::DecompileError;

/// Why a model could not be saved.
#[derive(Debug)]
#[non_exhaustive]
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

/// Save an editable model as MJCF. It refers to the asset files it was made of, by paths from its new folder; what was only in memory
/// is written beside it.
pub fn save_spec(spec: &Spec, path: impl AsRef<Path>) -> Result<(), SaveError> {
    let path = path.as_ref();
    let folder = absolute(path.parent().unwrap_or(Path::new("")));
    // A spec made in memory has files that only its maker can find.
    if !spec.modelfiledir.is_absolute() || same_folder(&folder, &spec.modelfiledir) {
        return write_text(path, &to_mjcf_with_files(spec));
    }
    write_text(path, &to_mjcf_relocated(spec, &|file| relative(&folder, Path::new(file))))
}

/// [`save_spec`] with copies of all asset files in the folder `assets` beside the model, so that both can be moved together.
/// Returns how many files were copied.
pub fn save_spec_with_assets(spec: &Spec, path: impl AsRef<Path>) -> Result<usize, SaveError> {
    let path = path.as_ref();
    let base = path.with_file_name("");
    let mut copies: BTreeMap<String, String> = BTreeMap::new();
    let mut taken: HashSet<String> = HashSet::new();
    for file in asset_paths(spec) {
        let name = files::last_part(&file);
        // A mesh without a name is called like its file, so a second file of a name goes into a folder of its own.
        let numbered = (2..).map(|number| format!("assets/{number}/{name}"));
        // A glTF file brings others, by names that two of them may share: it has a folder of its own as well.
        let first = match name.strip_suffix(".gltf") {
            Some(stem) => format!("assets/{stem}/{name}"),
            None => format!("assets/{name}"),
        };
        let mut names = std::iter::once(first).chain(numbered);
        let Some(copy) = names.find(|copy| taken.insert(copy.to_lowercase())) else { continue };
        copies.insert(file, copy);
    }
    for (file, copy) in &copies {
        let target = base.join(copy);
        if let Some(folder) = target.parent() {
            std::fs::create_dir_all(folder).map_err(|error| SaveError::File(folder.to_owned(), error))?;
        }
        if !same_folder(Path::new(file), &target) {
            std::fs::copy(file, &target).map_err(|error| SaveError::File(PathBuf::from(file), error))?;
            if copy.ends_with(".gltf") {
                copy_parts(Path::new(file), &target)?;
            }
        }
    }
    let relocate = |file: &str| copies.get(file).cloned().unwrap_or_else(|| file.to_owned());
    write_text(path, &to_mjcf_relocated(spec, &relocate))?;
    Ok(copies.len())
}

/// Copies the buffers and pictures of a glTF file to the same places beside its copy. Pictures that are missing are left out.
fn copy_parts(file: &Path, copy: &Path) -> Result<(), SaveError> {
    let failed = |path: &Path, error| SaveError::File(path.to_owned(), error);
    let bytes = std::fs::read(file).map_err(|error| failed(file, error))?;
    for part in condyle_asset::scene::gltf_files(&bytes) {
        let (source, target) = (file.with_file_name(&part), copy.with_file_name(&part));
        let inside = Path::new(&part)
            .components()
            .all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
        if !inside {
            let message = format!("names '{part}', which is not in its folder and cannot be copied along");
            return Err(failed(file, std::io::Error::new(std::io::ErrorKind::InvalidInput, message)));
        }
        if !source.exists() {
            continue;
        }
        if let Some(folder) = target.parent() {
            std::fs::create_dir_all(folder).map_err(|error| failed(folder, error))?;
        }
        std::fs::copy(&source, &target).map_err(|error| failed(&source, error))?;
    }
    Ok(())
}

fn absolute(path: &Path) -> PathBuf {
    let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    PathBuf::from(files::reduce(&path.to_string_lossy()))
}

fn same_folder(a: &Path, b: &Path) -> bool {
    let real = |path: &Path| std::fs::canonicalize(path).unwrap_or_else(|_| absolute(path));
    real(a) == real(b)
}

/// A path seen from a folder; as it is when the two have nothing in common.
fn relative(folder: &Path, path: &Path) -> String {
    let (folder, path) = (absolute(folder), absolute(path));
    let folder = folder.components().filter(|part| !matches!(part, Component::CurDir));
    let shared = folder.clone().zip(path.components()).take_while(|(a, b)| a == b).count();
    if shared < 2 {
        // Nothing but the root is shared: the whole path is clearer than a way up to it.
        return path.to_string_lossy().into_owned();
    }
    let up = folder.skip(shared).map(|_| "..".to_owned());
    let down = path.components().skip(shared).map(|part| part.as_os_str().to_string_lossy().into_owned());
    up.chain(down).collect::<Vec<_>>().join("/")
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_seen_from_the_folder_of_the_output() {
        let from = |folder: &str, path: &str| relative(Path::new(folder), Path::new(path));
        assert_eq!(from("/w/out", "/w/robots/arm/a.stl"), "../robots/arm/a.stl");
        assert_eq!(from("/w/out/", "/w/out/a.stl"), "a.stl");
        assert_eq!(from("/w/a/../out", "/w/out/m/a.stl"), "m/a.stl");
        assert_eq!(from("/tmp", "/w/robots/a.stl"), "/w/robots/a.stl");
    }
}
