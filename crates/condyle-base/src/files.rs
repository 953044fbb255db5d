//! Files a model is made of: names given with their bytes, in front of the disk.
//!
//! A path is looked up among the given names first: as it is, then its leading folders, then by its last part in lower case.
//! What is not found there is looked up on disk. Paths are texts with `/` or `\` between their parts; `.` and `..` are resolved
//! by name only, without looking at the disk.

use std::collections::BTreeMap;
use std::fmt;
use std::io::Read;
use std::sync::Arc;

/// Named bytes in front of the disk.
#[derive(Clone, Debug, Default)]
pub struct Files {
    given: BTreeMap<String, Arc<[u8]>>,
    by_last_part: BTreeMap<String, String>,
    without_disk: bool,
}

/// Why a file could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileError {
    /// There is no such file.
    NotFound,
    /// It is a folder, not a file.
    Folder,
    /// The file has more than the permitted number of bytes.
    TooLarge,
    /// The system refused; its own words.
    System(String),
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FileError::NotFound => f.write_str("no such file"),
            FileError::Folder => f.write_str("it is a folder"),
            FileError::TooLarge => f.write_str("the file is too large"),
            FileError::System(words) => f.write_str(words),
        }
    }
}

impl Files {
    /// Only the disk.
    pub fn new() -> Self {
        Self::default()
    }

    /// Only the given names, never the disk.
    pub fn without_disk() -> Self {
        Self { without_disk: true, ..Self::default() }
    }

    /// Gives a name its bytes. `false` if the name was given before; the first bytes stay.
    pub fn insert(&mut self, name: &str, bytes: impl Into<Arc<[u8]>>) -> bool {
        let path = reduce(name);
        if self.given.contains_key(&path) {
            return false;
        }
        self.by_last_part.entry(last_part(&path).to_lowercase()).or_insert_with(|| path.clone());
        self.given.insert(path, bytes.into());
        true
    }

    /// Whether no names were given.
    pub fn is_empty(&self) -> bool {
        self.given.is_empty()
    }

    /// Whether the disk is looked at too.
    pub fn has_disk(&self) -> bool {
        !self.without_disk
    }

    /// The given names.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.given.keys().map(String::as_str)
    }

    fn find_given(&self, path: &str) -> Option<&Arc<[u8]>> {
        let mut part = path;
        while !part.is_empty() {
            if let Some(bytes) = self.given.get(part) {
                return Some(bytes);
            }
            part = part.rfind(['/', '\\']).and_then(|at| part.get(..at)).unwrap_or("");
        }
        let name = self.by_last_part.get(&last_part(path).to_lowercase())?;
        self.given.get(name)
    }

    /// Whether a file can be opened.
    pub fn exists(&self, path: &str) -> bool {
        let path = reduce(path);
        self.find_given(&path).is_some() || !self.without_disk && std::fs::metadata(&path).is_ok()
    }

    /// The bytes of a file of at most `limit` bytes.
    pub fn read(&self, path: &str, limit: usize) -> Result<Arc<[u8]>, FileError> {
        let path = reduce(path);
        if let Some(bytes) = self.find_given(&path) {
            return if bytes.len() > limit { Err(FileError::TooLarge) } else { Ok(Arc::clone(bytes)) };
        }
        if self.without_disk {
            return Err(FileError::NotFound);
        }
        let system = |error: std::io::Error| match error.kind() {
            std::io::ErrorKind::NotFound => FileError::NotFound,
            _ => FileError::System(error.to_string()),
        };
        let file = std::fs::File::open(&path).map_err(system)?;
        let information = file.metadata().map_err(system)?;
        if information.is_dir() {
            return Err(FileError::Folder);
        }
        if information.len() > limit as u64 {
            return Err(FileError::TooLarge);
        }
        // The length is a hint only: devices and growing files are cut off at the limit.
        let mut bytes = Vec::with_capacity(information.len() as usize);
        file.take(limit as u64 + 1).read_to_end(&mut bytes).map_err(system)?;
        if bytes.len() > limit { Err(FileError::TooLarge) } else { Ok(bytes.into()) }
    }
}

/// What to do about a git-LFS pointer.
pub const LFS_HELP: &str =
    "the file is kept in git LFS and was not fetched; run 'git lfs pull' in its repository";

/// Whether bytes are the short text that stands for a file kept in git LFS until that file is fetched.
pub fn is_lfs_pointer(bytes: &[u8]) -> bool {
    bytes.len() < 1024 && bytes.starts_with(b"version https://git-lfs.github.com/spec/")
}

/// What makes a path absolute: a leading separator, or everything up to `:/` or `:\`. Empty for a relative path.
pub fn absolute_prefix(path: &str) -> &str {
    if path.starts_with(['/', '\\']) {
        return path.get(..1).unwrap_or("");
    }
    let end = path.find(":/").or_else(|| path.find(":\\")).map_or(0, |at| at + 2);
    path.get(..end).unwrap_or("")
}

/// Whether a path is absolute.
pub fn is_absolute(path: &str) -> bool {
    !absolute_prefix(path).is_empty()
}

/// The path with `.` and resolvable `..` removed and `/` as separator.
pub fn reduce(path: &str) -> String {
    let prefix = absolute_prefix(path);
    let rest = path.get(prefix.len()..).unwrap_or("");
    let mut parts: Vec<&str> = Vec::new();
    let mut pieces = rest.split(['/', '\\']).peekable();
    while let Some(piece) = pieces.next() {
        if pieces.peek().is_none() {
            // The last part is kept as it is, even if it is empty.
            parts.push(piece);
        } else if piece == ".." && parts.last().is_some_and(|last| *last != "..") {
            parts.pop();
        } else if piece != "." {
            parts.push(piece);
        }
    }
    format!("{prefix}{}", parts.join("/"))
}

/// The second path seen from the folder that is the first.
pub fn join(folder: &str, path: &str) -> String {
    if is_absolute(path) {
        return reduce(path);
    }
    let separator = if folder.is_empty() || folder.ends_with(['/', '\\']) { "" } else { "/" };
    reduce(&format!("{folder}{separator}{path}"))
}

/// The part after the last separator.
pub fn last_part(path: &str) -> &str {
    path.rfind(['/', '\\']).and_then(|at| path.get(at + 1..)).unwrap_or(path)
}

/// The part up to and including the last separator.
pub fn folder(path: &str) -> &str {
    path.rfind(['/', '\\']).and_then(|at| path.get(..=at)).unwrap_or("")
}

/// The last dot and what follows it; empty without a dot.
pub fn extension(path: &str) -> &str {
    path.rfind('.').and_then(|at| path.get(at..)).unwrap_or("")
}

/// The path without its extension.
pub fn without_extension(path: &str) -> &str {
    path.rfind('.').and_then(|at| path.get(..at)).unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_reduced_by_name() {
        for (path, reduced) in [
            ("a/./b/../c.xml", "a/c.xml"),
            ("../../x", "../../x"),
            ("a/../../x", "../x"),
            ("/a/../b", "/b"),
            ("c:\\d\\e", "c:\\d/e"),
            ("a//b", "a//b"),
            ("a/..", "a/.."),
            ("", ""),
        ] {
            assert_eq!(reduce(path), reduced, "{path}");
        }
        assert_eq!(join("a/b", "../c"), "a/c");
        assert_eq!(join("a/b/", "/c"), "/c");
        assert_eq!(join("", "c"), "c");
    }

    #[test]
    fn parts_of_paths() {
        assert_eq!(last_part("a/b\\c.tar.gz"), "c.tar.gz");
        assert_eq!(folder("a/b.xml"), "a/");
        assert_eq!(folder("b.xml"), "");
        assert_eq!(extension("a/c.tar.gz"), ".gz");
        assert_eq!(without_extension("a/c.tar.gz"), "a/c.tar");
    }

    #[test]
    fn given_names_are_found_by_path_then_by_last_part() {
        let mut files = Files::without_disk();
        assert!(files.insert("meshes/./Cube.STL", vec![1]));
        assert!(files.insert("other/cube.stl", vec![2]));
        assert!(!files.insert("meshes/Cube.STL", vec![3]));
        assert_eq!(*files.read("meshes/Cube.STL", 9).unwrap(), [1]);
        assert_eq!(*files.read("other/cube.stl", 9).unwrap(), [2]);
        assert_eq!(*files.read("/anywhere/CUBE.stl", 9).unwrap(), [1]);
        assert_eq!(files.read("missing", 9), Err(FileError::NotFound));
        assert_eq!(files.read("other/cube.stl", 0), Err(FileError::TooLarge));
    }

    #[test]
    fn folders_and_missing_files_on_disk_are_errors() {
        let files = Files::new();
        assert_eq!(files.read("/", 9), Err(FileError::Folder));
        assert_eq!(files.read("/no/such/file", 9), Err(FileError::NotFound));
    }
}
