//! Where the bytes of assets come from.

use std::path::Path;

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
            return Err(format!("it has {} bytes, but at most {MAX_ASSET_BYTES} are read", metadata.len()));
        }
        std::fs::read(&path).map_err(|error| error.to_string())
    }
}

impl AssetSource for condyle_base::Files {
    fn read(&self, folder: &Path, name: &str) -> Result<Vec<u8>, String> {
        let path = condyle_base::files::join(&folder.to_string_lossy(), name);
        let limit = usize::try_from(MAX_ASSET_BYTES).unwrap_or(usize::MAX);
        condyle_base::Files::read(self, &path, limit)
            .map(|bytes| bytes.to_vec())
            .map_err(|error| error.to_string())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_beyond_the_cap_is_not_read() {
        let folder = std::env::temp_dir().join(format!("condyle-large-asset-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        // A file of holes: it has the length, but takes no room.
        let file = std::fs::File::create(folder.join("large.stl")).unwrap();
        file.set_len(MAX_ASSET_BYTES + 1).unwrap();
        let refused = FileSystem.read(&folder, "large.stl");
        std::fs::write(folder.join("small.stl"), [7]).unwrap();
        let read = FileSystem.read(&folder, "small.stl");
        let missing = FileSystem.read(&folder, ".");
        std::fs::remove_dir_all(&folder).unwrap();
        assert_eq!(refused, Err("it has 1073741825 bytes, but at most 1073741824 are read".to_owned()));
        assert_eq!(read, Ok(vec![7]));
        assert_eq!(missing, Err("it is not a file".to_owned()));
    }
}
