//! Which problems of the compiler are news when reading found problems already.
//!
//! The compiler also looks at models that were read with errors, so that an unknown joint and a misspelt attribute are reported
//! together. What it says about an element that was complained about before would only repeat that, and so would a reference to a
//! name that was lost with such an element.

use crate::report::Report;
use crate::xml::{NodeId, Tree};
use condyle_base::{Diagnostic, Location};
use std::borrow::Cow;
use std::collections::HashSet;

/// Code of references to names that do not exist.
const UNKNOWN_NAME: &str = "E0702";

/// Where reading found errors.
#[derive(Debug, Default)]
pub(crate) struct SuspectElements {
    /// Stretches of text from the start of an element with errors to the start of the next element: file, first and last byte.
    tags: Vec<(String, u32, u32)>,
    /// Names given in elements with errors and below them.
    names: HashSet<String>,
}

impl SuspectElements {
    /// Notes the elements of `tree` that `report` has errors about.
    pub(crate) fn note(&mut self, tree: &Tree, report: &Report) {
        let starts = sorted_starts(tree);
        let parents = parents(tree);
        let mut seen = HashSet::new();
        for location in report.errors().filter_map(|error| error.location.as_ref()) {
            let place = (location.source.name.as_str(), location.start);
            let after = starts.partition_point(|&(name, start, _)| (name, start) <= place);
            let Some(&(name, _, node)) = after.checked_sub(1).and_then(|at| starts.get(at)) else { continue };
            if name != location.source.name {
                continue;
            }
            let mut next = Some(node);
            while let Some(node) = next.filter(|&node| seen.insert(node)) {
                self.add(tree, &starts, node);
                // A part that could not be read leaves the whole incomplete.
                next = parents[node].filter(|&whole| is_whole(&tree.get(whole).name, &tree.get(node).name));
            }
        }
    }

    fn add(&mut self, tree: &Tree, starts: &[(&str, u32, NodeId)], node: NodeId) {
        let element = tree.get(node);
        let (name, start) = (element.source.name.as_str(), element.location().start);
        let after = starts.partition_point(|&(other, first, _)| (other, first) <= (name, start));
        let end = starts.get(after).filter(|next| next.0 == name).map_or(u32::MAX, |next| next.1);
        self.tags.push((name.to_owned(), start, end));
        let mut pending = vec![node];
        while let Some(node) = pending.pop() {
            let element = tree.get(node);
            if let Some(name) = element.attribute("name") {
                self.names.insert(name.to_owned());
            }
            pending.extend(&element.children);
        }
    }

    /// Whether a problem of the compiler is not explained by what was found before.
    pub(crate) fn is_news(&self, problem: &Diagnostic) -> bool {
        let Some(location) = &problem.location else { return false };
        let in_tag = |(name, start, end): &(String, u32, u32)| {
            *name == location.source.name && (*start..*end).contains(&location.start)
        };
        // Where the name stands is not always known; the message says it in any case.
        let said = problem.message.rsplit_once("is named '").and_then(|(_, name)| name.strip_suffix('\''));
        let is_lost = |name: &str| self.names.contains(name);
        let lost_name =
            problem.code == UNKNOWN_NAME && (is_lost(&text(location)) || said.is_some_and(is_lost));
        !self.tags.iter().any(in_tag) && !lost_name
    }
}

/// Whether an element is made of its children rather than holding elements of their own.
fn is_whole(name: &str, part: &str) -> bool {
    let whole = matches!(
        name,
        "material"
            | "mesh"
            | "skin"
            | "flexcomp"
            | "composite"
            | "tuple"
            | "fixed"
            | "spatial"
            | "plugin"
            | "instance"
    );
    // URDF: shapes and frames belong to what has them; links and joints stand alone.
    whole || part == "inertial" || matches!(name, "geometry" | "collision" | "visual" | "inertial")
}

/// File, first byte and index of all elements, in the order of the text.
fn sorted_starts(tree: &Tree) -> Vec<(&str, u32, NodeId)> {
    let start = |node| (tree.get(node).source.name.as_str(), tree.get(node).location().start, node);
    let mut starts: Vec<(&str, u32, NodeId)> = (0..tree.len()).map(start).collect();
    starts.sort_unstable();
    starts
}

/// The element around each element.
fn parents(tree: &Tree) -> Vec<Option<NodeId>> {
    let mut parents = vec![None; tree.len()];
    for node in 0..tree.len() {
        for &child in &tree.get(node).children {
            parents[child] = Some(node);
        }
    }
    parents
}

fn text(location: &Location) -> Cow<'_, str> {
    let bytes = location.source.text.get(location.start as usize..location.end as usize).unwrap_or_default();
    String::from_utf8_lossy(bytes)
}
