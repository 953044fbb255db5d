//! Noticing that a model file, or a file beside it, was changed: names, sizes and times of the files in the model's folder.

use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Most files and folders that are looked at.
const MOST: usize = 20_000;
/// Endings of files that models are made of.
const ENDINGS: [&str; 14] =
    ["xml", "mjcf", "urdf", "mjb", "stl", "obj", "msh", "ply", "png", "hf", "bin", "skn", "txt", "ktx"];

type Entry = (PathBuf, u64, Option<SystemTime>);

/// Remembers how the files looked.
#[derive(Debug)]
pub struct Watch {
    folder: PathBuf,
    seen: Vec<Entry>,
}

impl Watch {
    /// Watches the folder of a model file.
    pub fn new(model: &Path) -> Self {
        let folder = model.parent().filter(|folder| !folder.as_os_str().is_empty());
        let folder = folder.unwrap_or(Path::new(".")).to_owned();
        let seen = look(&folder);
        Self { folder, seen }
    }

    /// Whether something was changed since the last call.
    pub fn has_changed(&mut self) -> bool {
        let now = look(&self.folder);
        let changed = now != self.seen;
        self.seen = now;
        changed
    }
}

fn look(folder: &Path) -> Vec<Entry> {
    let mut entries = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
            if entries.len() + folders.len() >= MOST {
                break;
            }
            let path = entry.path();
            // Links to folders are not followed, so there are no circles.
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                folders.push(path);
            } else if path
                .extension()
                .is_some_and(|ending| ENDINGS.iter().any(|known| ending.eq_ignore_ascii_case(known)))
                && let Ok(metadata) = std::fs::metadata(&path)
            {
                entries.push((path, metadata.len(), metadata.modified().ok()));
            }
        }
    }
    entries.sort();
    entries
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_changed_file_is_noticed_once() {
        let folder = std::env::temp_dir().join(format!("condyle-watch-{}", std::process::id()));
        std::fs::create_dir_all(folder.join("meshes")).unwrap();
        let model = folder.join("model.xml");
        std::fs::write(&model, "<mujoco/>").unwrap();
        let mut watch = Watch::new(&model);
        assert!(!watch.has_changed());
        std::fs::write(folder.join("meshes/a.obj"), "v 0 0 0").unwrap();
        assert!(watch.has_changed());
        assert!(!watch.has_changed());
        std::fs::write(folder.join("notes.md"), "not a part of it").unwrap();
        assert!(!watch.has_changed());
        std::fs::write(&model, "<mujoco> </mujoco>").unwrap();
        assert!(watch.has_changed());
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
