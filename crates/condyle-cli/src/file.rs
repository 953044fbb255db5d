//! Output files: endings decide the format, and a path that cannot be written is noticed before the work begins.

use std::fs::OpenOptions;
use std::io;
use std::path::Path;

/// Whether a file name has this ending, in any case.
pub(crate) fn has_ending(path: &Path, ending: &str) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(ending))
}

/// The error for an ending that says no known format.
pub(crate) fn wrong_ending(path: &Path, what: &str, endings: &[&str]) -> String {
    let endings: Vec<String> = endings.iter().map(|ending| format!(".{ending}")).collect();
    format!("{}: {what} must end in {}", path.display(), endings.join(" or "))
}

/// An error unless the name has one of these endings.
pub(crate) fn check_ending(path: &Path, what: &str, endings: &[&str]) -> Result<(), String> {
    if endings.iter().any(|ending| has_ending(path, ending)) {
        Ok(())
    } else {
        Err(wrong_ending(path, what, endings))
    }
}

/// An error unless the file can be written. What it holds is left alone.
pub(crate) fn check_writable(path: &Path) -> Result<(), String> {
    let existed = path.exists();
    let opened = OpenOptions::new().append(true).create(true).open(path);
    opened.map_err(|error| cannot_write(path, &error))?;
    if !existed {
        let _ = std::fs::remove_file(path);
    }
    Ok(())
}

/// Write a whole file.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<(), String> {
    std::fs::write(path, bytes).map_err(|error| cannot_write(path, &error))
}

/// Why a file cannot be written, in plain words for what happens most.
pub(crate) fn cannot_write(path: &Path, error: &io::Error) -> String {
    let reason = match error.kind() {
        io::ErrorKind::NotFound => match path.parent() {
            Some(folder) => format!("the folder '{}' does not exist", folder.display()),
            None => "the name is empty".to_owned(),
        },
        io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
        io::ErrorKind::IsADirectory => "it is a folder".to_owned(),
        _ => error.to_string(),
    };
    format!("cannot write '{}': {reason}", path.display())
}
