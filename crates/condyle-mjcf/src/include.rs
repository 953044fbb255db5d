//! `<include>`: the children of another file's root element take the place of the element.
//!
//! A file is looked for in the folder of the main file first, then in the folder of the file that names it. Each file can be
//! included once.

use crate::load::LoadOptions;
use crate::read::{Folders, resolve};
use crate::report::Report;
use crate::xml::{Element, NodeId, Tree, parse};
use condyle_base::files::{LFS_HELP, is_lfs_pointer};
use condyle_base::{Diagnostic, FileError, SourceFile, files};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// What is known about a file that was included.
#[derive(Clone, Default)]
struct Place {
    /// Folder of the file, empty for the main file.
    folder: String,
    depth: usize,
}

/// Replaces all includes below `root` and notes where each included file is.
pub(crate) fn expand(
    tree: &mut Tree,
    root: NodeId,
    main_file: &str,
    folders: &mut Folders,
    options: &LoadOptions,
    report: &mut Report,
) {
    let mut expansion = Expansion {
        tree,
        folders,
        options,
        report,
        included: HashSet::from([main_file.to_owned()]),
        places: HashMap::new(),
        bytes: 0,
    };
    // Elements still to be walked, with their depth.
    let mut pending = vec![(root, 1)];
    while let Some((node, depth)) = pending.pop() {
        expansion.remember_folders(node);
        let children = expansion.spliced(node, depth);
        pending.extend(children.iter().rev().map(|&child| (child, depth + 1)));
        expansion.tree.get_mut(node).children = children;
    }
}

struct Expansion<'a> {
    tree: &'a mut Tree,
    folders: &'a mut Folders,
    options: &'a LoadOptions,
    report: &'a mut Report,
    included: HashSet<String>,
    /// By the address of the source.
    places: HashMap<usize, Place>,
    bytes: usize,
}

impl Expansion<'_> {
    fn remember_folders(&mut self, node: NodeId) {
        let element = self.tree.get(node);
        if !element.name.eq_ignore_ascii_case("compiler") {
            return;
        }
        for (name, target) in [
            ("assetdir", &mut self.folders.assets),
            ("texturedir", &mut self.folders.textures),
            ("meshdir", &mut self.folders.meshes),
        ] {
            if let Some(folder) = element.attribute(name) {
                *target = files::reduce(folder);
            }
        }
    }

    /// The children of a node with every include replaced by what it includes.
    fn spliced(&mut self, node: NodeId, depth: usize) -> Vec<NodeId> {
        let mut result = Vec::with_capacity(self.tree.get(node).children.len());
        let mut pending: Vec<NodeId> = self.tree.get(node).children.iter().rev().copied().collect();
        while let Some(child) = pending.pop() {
            if &*self.tree.get(child).name == "include" {
                pending.extend(self.include(child, depth).into_iter().rev());
            } else {
                result.push(child);
            }
        }
        result
    }

    fn error(&mut self, code: &'static str, message: String, node: NodeId, help: &str) {
        self.report.incomplete = true;
        let location = self.tree.get(node).location_of("file");
        self.report.push(Diagnostic::error(code, message).at(Some(&location)).help(help));
    }

    /// The file an include names, as written and resolved; `None` if it cannot be included here.
    fn included_name(&mut self, node: NodeId, depth: usize) -> Option<(String, String)> {
        let element = self.tree.get(node);
        for attribute in element.attributes.iter().filter(|attribute| &*attribute.name != "file") {
            self.report.push(
                Diagnostic::warning(
                    "W0203",
                    format!("<include> has no attribute '{}'; it is ignored", attribute.name),
                )
                .at(Some(&element.name_location(attribute)))
                .help("delete it; <include> takes 'file' only"),
            );
        }
        if element.has_content {
            self.error("E0501", "<include> cannot have content".into(), node, "end the tag with '/>'");
            return None;
        }
        let Some(name) = element.attribute("file") else {
            self.error("E0502", "<include> needs the attribute 'file'".into(), node, "add file=\"…\"");
            return None;
        };
        let deepest = self.options.limits.include_depth;
        if depth >= deepest {
            self.error(
                "E0503",
                format!("includes are nested more than {deepest} deep"),
                node,
                "does a file include itself?",
            );
            return None;
        }
        let element_name = name.to_owned();
        let name = resolve(self.folders, self.options, element, &element_name, &self.folders.model);
        if self.included.contains(&name) {
            self.error(
                "E0504",
                format!("'{element_name}' is included a second time"),
                node,
                "each file can be included once; delete this line, or use <attach> for copies",
            );
            return None;
        }
        Some((element_name, name))
    }

    /// The elements that take the place of one include.
    fn include(&mut self, node: NodeId, depth: usize) -> Vec<NodeId> {
        let limits = &self.options.limits;
        let place = self.place_of(self.tree.get(node));
        let Some((element_name, name)) = self.included_name(node, place.depth) else { return Vec::new() };
        let path = self.path_of(&name, &place.folder);
        let limit = limits.file_bytes.min(limits.total_bytes.saturating_sub(self.bytes));
        let text = match self.options.files.read(&path, limit) {
            Ok(text) if is_lfs_pointer(&text) => {
                let message = format!("'{element_name}' is a git-LFS pointer, not the file itself");
                self.error("E0506", message, node, LFS_HELP);
                return Vec::new();
            }
            Ok(text) => text,
            Err(error) => {
                self.unreadable(node, &element_name, &place.folder, &error);
                return Vec::new();
            }
        };
        if text.is_empty() {
            self.error(
                "E0506",
                format!("'{element_name}' is empty"),
                node,
                "it must hold one root element with elements inside",
            );
            return Vec::new();
        }
        self.bytes += text.len();
        self.included.insert(files::join(&place.folder, &name));
        let source = SourceFile::included(path.clone(), text.to_vec(), self.tree.get(node).location());
        let address = Arc::as_ptr(&source) as usize;
        let folder = files::folder(&path).to_owned();
        self.folders.included.insert(address, folder.clone());
        self.places.insert(address, Place { folder, depth: place.depth + 1 });
        let errors = self.report.error_count();
        let Some(root) = parse(self.tree, &source, depth, limits, self.report) else {
            self.report.incomplete = true;
            return Vec::new();
        };
        let children = self.tree.get(root).children.clone();
        if children.is_empty() && self.report.error_count() == errors {
            self.error(
                "E0506",
                format!("'{element_name}' holds no elements"),
                node,
                "it must hold one root element with elements inside",
            );
        }
        children
    }

    fn place_of(&self, element: &Element) -> Place {
        self.places.get(&(Arc::as_ptr(&element.source) as usize)).cloned().unwrap_or_default()
    }

    /// The file on disk or among the given ones: seen from the main folder, then from the including file.
    fn path_of(&self, name: &str, own_folder: &str) -> String {
        let from_main = files::join(&self.folders.model, name);
        if self.options.files.exists(&from_main) {
            return from_main;
        }
        let from_own = files::join(own_folder, name);
        if self.options.files.exists(&from_own) { from_own } else { from_main }
    }

    fn unreadable(&mut self, node: NodeId, written: &str, own_folder: &str, error: &FileError) {
        self.report.incomplete = true;
        let help = match error {
            FileError::NotFound => {
                "files are looked for in the folder of the main file, then in that of this file"
            }
            FileError::TooLarge => {
                "raise the limit in the load options if the file is meant to be this large"
            }
            FileError::Folder => "name a file inside it",
            FileError::System(_) => "check the file and its permissions",
        };
        let location = self.tree.get(node).location_of("file");
        let mut diagnostic = Diagnostic::error("E0505", format!("cannot read '{written}': {error}"))
            .at(Some(&location))
            .help(help);
        let mut places = vec![files::join(&self.folders.model, written), files::join(own_folder, written)];
        places.dedup();
        for place in places {
            diagnostic = diagnostic.note(format!("looked for '{place}'"));
        }
        self.report.push(diagnostic);
    }
}
