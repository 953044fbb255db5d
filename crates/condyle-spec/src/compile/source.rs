//! Where the bytes of assets come from.

use std::path::{Path, PathBuf};

/// Largest asset file that is read.
pub const MAX_ASSET_BYTES: u64 = 1 << 30;

/// A place to read asset files from: the file system, or something in memory.
pub trait AssetSource: Sync {
    /// Reads the file `name`, which is relative to `folder` unless it is absolute. `Err` says why it could not be read.
    fn read(&self, folder: &Path, name: &str) -> Result<Vec<u8>, String>;
}

/// The file system.
#[derive(Clone, Copy, Debug, Default)]
pub struct FileSystem;

impl AssetSource for FileSystem {
    fn read(&self, folder: &Path, name: &str) -> Result<Vec<u8>, String> {
        let path = folder.join(name);
        let metadata = std::fs::metadata(&path).map_err(|error| error.to_string())?;
        if !metadata.is_file() {
            return Err("it is not a file".to_owned());
        }
        if metadata.len() > MAX_ASSET_BYTES {
            return Err(format!("it has {} bytes, at most {MAX_ASSET_BYTES} are read", metadata.len()));
        }
        std::fs::read(&path).map_err(|error| error.to_string())
    }
}

/// Files held in memory, by name; used before the file system.
#[derive(Clone, Debug, Default)]
pub struct MemoryFiles {
    files: std::collections::HashMap<String, Vec<u8>>,
}

impl MemoryFiles {
    /// Adds a file. Names are compared without folders as a last resort, as virtual files usually have none.
    pub fn insert(&mut self, name: impl Into<String>, bytes: impl Into<Vec<u8>>) {
        self.files.insert(name.into(), bytes.into());
    }

    /// A file by its whole path, its name in the model, or its bare name.
    pub fn find(&self, folder: &Path, name: &str) -> Option<&Vec<u8>> {
        let whole: PathBuf = folder.join(name);
        let bare = Path::new(name).file_name().and_then(|name| name.to_str());
        whole
            .to_str()
            .and_then(|path| self.files.get(path))
            .or_else(|| self.files.get(name))
            .or_else(|| bare.and_then(|bare| self.files.get(bare)))
    }
}

impl AssetSource for MemoryFiles {
    fn read(&self, folder: &Path, name: &str) -> Result<Vec<u8>, String> {
        match self.find(folder, name) {
            Some(bytes) => Ok(bytes.clone()),
            None => FileSystem.read(folder, name),
        }
    }
}

/// `first/second` with `.` and `..` resolved in the text; an absolute second path stands alone.
pub(crate) fn join_path(first: &str, second: &str) -> String {
    let absolute =
        second.starts_with(['/', '\\']) || second.get(1..3).is_some_and(|s| s == ":\\" || s == ":/");
    let whole = if absolute || first.is_empty() {
        second.to_owned()
    } else if first.ends_with(['/', '\\']) {
        format!("{first}{second}")
    } else {
        format!("{first}/{second}")
    };
    let (root, rest) = match whole.strip_prefix(['/', '\\']) {
        Some(rest) => ("/", rest),
        None => ("", whole.as_str()),
    };
    let mut parts: Vec<&str> = Vec::new();
    for part in rest.split(['/', '\\']) {
        match part {
            "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    format!("{root}{}", parts.join("/"))
}

impl AssetSource for condyle_model::Files {
    fn read(&self, folder: &Path, name: &str) -> Result<Vec<u8>, String> {
        let path = condyle_model::files::join(&folder.to_string_lossy(), name);
        let limit = usize::try_from(MAX_ASSET_BYTES).unwrap_or(usize::MAX);
        condyle_model::Files::read(self, &path, limit)
            .map(|bytes| bytes.to_vec())
            .map_err(|error| error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_joined_and_reduced() {
        assert_eq!(join_path("meshes", "a.stl"), "meshes/a.stl");
        assert_eq!(join_path("../meshes/", "./x/../a.stl"), "../meshes/a.stl");
        assert_eq!(join_path("meshes", "/abs/a.stl"), "/abs/a.stl");
        assert_eq!(join_path("", "a.stl"), "a.stl");
    }

    #[test]
    fn memory_files_are_found_by_bare_name() {
        let mut files = MemoryFiles::default();
        files.insert("a.stl", b"x".to_vec());
        assert_eq!(files.read(Path::new("/nowhere"), "meshes/a.stl"), Ok(b"x".to_vec()));
        assert!(files.read(Path::new("/nowhere"), "b.stl").is_err());
    }
}
