//! Collects diagnostics up to a cap, so that a hostile file cannot fill memory with complaints about itself.

use crate::doubt::Doubts;
use condyle_model::{Diagnostic, Severity};

/// Diagnostics of one load, in the order in which they were found.
#[derive(Debug, Default)]
pub struct Report {
    list: Vec<Diagnostic>,
    errors: usize,
    left_out: usize,
    limit: usize,
    /// Where the errors are, once an error was found and its tree is known.
    pub(crate) doubts: Doubts,
}

impl Report {
    /// An empty report that keeps at most `limit` errors and `limit` warnings.
    pub fn new(limit: usize) -> Self {
        Self { limit, ..Self::default() }
    }

    /// Adds one problem. The same problem at the same place is kept once.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        let of_its_kind = match diagnostic.severity {
            Severity::Error => self.errors,
            Severity::Warning => self.list.len() - self.errors,
        };
        if of_its_kind >= self.limit {
            self.left_out += 1;
            self.errors += usize::from(diagnostic.is_error() && self.errors == 0);
            return;
        }
        if self.list.contains(&diagnostic) {
            return;
        }
        self.errors += usize::from(diagnostic.is_error());
        self.list.push(diagnostic);
    }

    /// Adds many problems.
    pub fn extend(&mut self, diagnostics: impl IntoIterator<Item = Diagnostic>) {
        for diagnostic in diagnostics {
            self.push(diagnostic);
        }
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

    /// Everything that was found, with a closing note if something was left out.
    pub fn into_vec(mut self) -> Vec<Diagnostic> {
        if self.left_out > 0
            && let Some(last) = self.list.last_mut()
        {
            last.notes.push(format!("{} further problems are not shown", self.left_out));
        }
        self.list
    }
}
