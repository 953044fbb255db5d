//! Files of assets: their names, content types, and how they are read.

use std::path::Path;

use condyle_asset::AssetError;
use condyle_base::diagnostic::Diagnostic;
use condyle_base::files::{self, LFS_HELP, is_lfs_pointer};

use super::problems::{ASSET, element_error};
use super::source::AssetSource;
use crate::element::{Element, Info};
use crate::spec::Spec;

/// File name without folder and extension: the name of an asset that was given none.
pub(crate) fn asset_name(name: &str, file: &str) -> String {
    if !name.is_empty() {
        return name.to_owned();
    }
    let base = strip_path(file);
    base.rfind('.').map_or(base, |dot| &base[..dot]).to_owned()
}

/// File name without folders.
pub(crate) fn strip_path(file: &str) -> &str {
    file.rfind(['/', '\\']).map_or(file, |slash| &file[slash + 1..])
}

/// The name of a file as the compiler looks for it.
pub(super) fn stripped(spec: &Spec, file: &str) -> String {
    if spec.strippath { strip_path(file).to_owned() } else { file.to_owned() }
}

/// Content type of an asset: as declared, or by the extension of its file; `None` when neither is known.
pub(crate) fn content_type(declared: &str, file: &str) -> Option<String> {
    if !declared.is_empty() {
        let (kind, rest) = declared.split_once('/')?;
        let subtype = rest.split(';').next().unwrap_or("");
        return (!kind.is_empty() && !subtype.is_empty()).then(|| format!("{kind}/{subtype}"));
    }
    let extension = file.rfind('.').map_or("", |dot| &file[dot..]).to_ascii_lowercase();
    let known = match extension.as_str() {
        ".stl" => "model/stl",
        ".obj" => "model/obj",
        ".ply" => "model/ply",
        ".msh" => "model/vnd.mujoco.msh",
        ".png" => "image/png",
        _ => return None,
    };
    Some(known.to_owned())
}

/// An error inside an asset, at the element that uses it.
pub(super) fn asset_error<T: Element>(element: &T, file: &str, error: AssetError) -> Diagnostic {
    let place = match error.location {
        condyle_asset::Location::Whole => String::new(),
        condyle_asset::Location::Byte(offset) => format!(" (byte {offset})"),
        condyle_asset::Location::Line(line) => format!(" (line {line})"),
    };
    let file = if file.is_empty() { String::new() } else { format!("file '{file}': ") };
    let mut diagnostic = element_error(ASSET, element, "file", format!("{file}{}{place}", error.message));
    diagnostic.notes = error.notes;
    match error.help {
        Some(help) => diagnostic.help(help),
        None => diagnostic,
    }
}

/// Reads asset files for the elements of one spec.
#[derive(Clone, Copy)]
pub(crate) struct Reader<'a> {
    pub spec: &'a Spec,
    pub source: &'a dyn AssetSource,
}

impl Reader<'_> {
    pub(super) fn read<T: Element>(
        &self,
        element: &T,
        directory: &str,
        file: &str,
    ) -> Result<Vec<u8>, Diagnostic> {
        let folder = self.folder(element.info());
        let name = files::join(directory, file);
        let bytes = self.source.read(folder, &name).map_err(|reason| {
            let path = files::join(&folder.to_string_lossy(), &name);
            element_error(ASSET, element, "file", format!("cannot read file '{file}': {reason}"))
                .note(format!("looked for '{path}'"))
                .help("paths start from the model file's folder, then meshdir, texturedir or assetdir")
        })?;
        if is_lfs_pointer(&bytes) {
            let message = format!("file '{file}' is a git-LFS pointer, not the file itself");
            return Err(element_error(ASSET, element, "file", message).help(LFS_HELP));
        }
        Ok(bytes)
    }

    /// The folder that an element's file names start from.
    pub(super) fn folder(&self, info: &Info) -> &Path {
        let attached = info.origin.0.checked_sub(1).and_then(|index| self.spec.attached.get(index as usize));
        match attached {
            Some((_, folder)) if !folder.as_os_str().is_empty() => folder,
            _ => &self.spec.modelfiledir,
        }
    }
}
