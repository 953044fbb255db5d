//! Collects diagnostics up to a cap, so that a hostile file cannot fill memory with complaints about itself.

use crate::conversion::ConversionNote;
use crate::suspect_elements::SuspectElements;
use condyle_base::{Diagnostic, Location};
use std::collections::BTreeMap;

/// Where else a file was looked for.
#[derive(Debug)]
pub(crate) struct Tried {
    /// The text that names the file.
    pub named_at: Location,
    /// The paths that were tried before the one that is left.
    pub paths: Vec<String>,
    /// What to do when the file is nowhere, if more can be said than usual.
    pub help: Option<String>,
}

/// Diagnostics of one load, in the order in which they were found.
#[derive(Debug, Default)]
pub struct Report {
    list: Vec<Diagnostic>,
    errors: usize,
    /// Problems found and problems left out, by code.
    counts: BTreeMap<&'static str, (usize, usize)>,
    limit: usize,
    /// Whether a part of the text could not be read at all, so that what it would have defined is unknown.
    pub(crate) incomplete: bool,
    /// Further paths that were tried for a file, by the place that names it.
    pub(crate) tried: Vec<Tried>,
    /// What a URDF lost, changed or left open.
    pub(crate) notes: Vec<ConversionNote>,
    /// Where the errors are, once an error was found and its tree is known.
    pub(crate) suspects: SuspectElements,
}

impl Report {
    /// An empty report that keeps at most `limit` problems of each code.
    pub fn new(limit: usize) -> Self {
        Self { limit, ..Self::default() }
    }

    /// Adds one problem. The same problem at the same place is kept once.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        let (kept, left_out) = self.counts.entry(diagnostic.code).or_default();
        if *kept >= self.limit {
            *left_out += 1;
            self.errors += usize::from(diagnostic.is_error() && self.errors == 0);
            return;
        }
        if self.list.contains(&diagnostic) {
            return;
        }
        *kept += 1;
        self.errors += usize::from(diagnostic.is_error());
        self.list.push(diagnostic);
    }

    /// Puts one error in place of all errors so far, which follow from it.
    pub(crate) fn replace_errors(&mut self, cause: Diagnostic) {
        self.list.retain(|known| !known.is_error());
        self.errors = 0;
        self.push(cause);
    }

    /// Forgets the errors of one code, which others explain.
    pub(crate) fn forget_errors(&mut self, code: &str) {
        self.list.retain(|known| known.code != code);
        self.errors = self.errors().count();
    }

    /// Adds many problems.
    pub fn extend(&mut self, diagnostics: impl IntoIterator<Item = Diagnostic>) {
        for diagnostic in diagnostics {
            self.push(diagnostic);
        }
    }

    /// The problems of the compiler; those about files say all places where the file was looked for.
    pub(crate) fn with_places_tried(&self, mut problems: Vec<Diagnostic>) -> Vec<Diagnostic> {
        for problem in problems.iter_mut().filter(|problem| problem.message.contains("cannot read")) {
            let tried = self.tried.iter().find(|tried| Some(&tried.named_at) == problem.location.as_ref());
            let Some(tried) = tried else { continue };
            for path in tried.paths.iter().rev() {
                let note = format!("looked for '{path}'");
                if !problem.notes.contains(&note) {
                    problem.notes.insert(0, note);
                }
            }
            problem.help = tried.help.clone().or(problem.help.take());
        }
        problems
    }

    /// Whether any problem prevents loading.
    pub fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// The errors so far.
    pub fn errors(&self) -> impl Iterator<Item = &Diagnostic> {
        self.list.iter().filter(|diagnostic| diagnostic.is_error())
    }

    /// The number of errors so far.
    pub fn error_count(&self) -> usize {
        self.errors
    }

    /// Everything that was found; the last problem of a code says how many more there are.
    pub fn into_vec(mut self) -> Vec<Diagnostic> {
        for (code, (_, left_out)) in self.counts {
            if left_out > 0
                && let Some(last) = self.list.iter_mut().rfind(|known| known.code == code)
            {
                last.notes.push(format!("{left_out} further problems of this kind are not shown"));
            }
        }
        self.list
    }
}
