//! Our XML reader beside an independent one: the same tree on every well-formed model of the repository, and on those of other
//! corpora where they are present.

use condyle_base::SourceFile;
use condyle_mjcf::Limits;
use condyle_mjcf::report::Report;
use condyle_mjcf::xml::{NodeId, Tree, parse};
use std::path::{Path, PathBuf};

fn model_files() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut folders: Vec<PathBuf> =
        ["models", "corpora", "../shared/models"].iter().map(|name| root.join(name)).collect();
    let mut paths = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "xml" || extension == "urdf") {
                paths.push(path);
            }
        }
    }
    paths.sort();
    paths
}

/// The first difference between the two readings of an element and everything below it.
fn difference(tree: &Tree, ours: NodeId, theirs: roxmltree::Node<'_, '_>) -> Option<String> {
    let mut pending = vec![(ours, theirs)];
    while let Some((ours, theirs)) = pending.pop() {
        let element = tree.get(ours);
        let line = theirs.document().text_pos_at(theirs.range().start).row;
        if element.location().line != line {
            return Some(format!("<{}> in line {} or {line}", element.name, element.location().line));
        }
        let name = match theirs.tag_name().namespace() {
            None => theirs.tag_name().name(),
            // Names with a prefix are kept as written by one and resolved by the other.
            Some(_) => return None,
        };
        if &*element.name != name {
            return Some(format!("line {line}: <{}> or <{name}>", element.name));
        }
        let mut own: Vec<(&str, String)> = element
            .attributes
            .iter()
            .filter(|attribute| !attribute.name.starts_with("xmlns"))
            .map(|attribute| (attribute.name.rsplit(':').next().unwrap_or_default(), plain(&attribute.value)))
            .collect();
        let mut other: Vec<(&str, String)> =
            theirs.attributes().map(|attribute| (attribute.name(), plain(attribute.value()))).collect();
        own.sort();
        other.sort();
        if own != other {
            return Some(format!("line {line}: attributes {own:?} or {other:?}"));
        }
        let children: Vec<_> = theirs.children().filter(roxmltree::Node::is_element).collect();
        if children.len() != element.children.len() {
            return Some(format!("line {line}: {} or {} children", element.children.len(), children.len()));
        }
        pending.extend(element.children.iter().copied().zip(children));
    }
    None
}

/// White space inside values is kept by one reader and turned into blanks by the other.
fn plain(value: &str) -> String {
    value.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn well_formed_files_give_the_same_tree_as_an_independent_reader() {
    let (mut compared, mut differences) = (0, Vec::new());
    for path in model_files() {
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        let Ok(document) = roxmltree::Document::parse(&text) else { continue };
        let limits = Limits::default();
        let (mut tree, mut report) = (Tree::default(), Report::new(limits.diagnostics));
        let source = SourceFile::new(path.to_string_lossy(), text.as_bytes());
        let Some(root) = parse(&mut tree, &source, 0, &limits, &mut report) else {
            differences.push(format!("{} is refused", path.display()));
            continue;
        };
        compared += 1;
        if let Some(difference) = difference(&tree, root, document.root_element()) {
            differences.push(format!("{}: {difference}", path.display()));
        }
    }
    assert!(
        differences.is_empty(),
        "{} of {compared} differ:\n{}",
        differences.len(),
        differences.join("\n")
    );
    assert!(compared >= 200, "only {compared} files compared");
}
