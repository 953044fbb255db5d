//! Problems found while compiling, collected so that independent ones are reported together.
//!
//! Codes: E0701 repeated or missing name, E0702 unknown reference, E0703 value out of range, E0704 mass or inertia,
//! E0705 structure of the model, E0706 orientation, E0707 limits, E0708 asset, E0709 keyframe,
//! E0711 too large, E0712 compiled model invalid.

use condyle_base::diagnostic::{Diagnostic, Location, did_you_mean};

use super::advice::advice;
use crate::element::{Element, Info};

pub(crate) const NAME: &str = "E0701";
pub(crate) const REFERENCE: &str = "E0702";
pub(crate) const VALUE: &str = "E0703";
pub(crate) const INERTIA: &str = "E0704";
pub(crate) const STRUCTURE: &str = "E0705";
pub(crate) const ORIENTATION: &str = "E0706";
pub(crate) const LIMIT: &str = "E0707";
pub(crate) const ASSET: &str = "E0708";
pub(crate) const KEYFRAME: &str = "E0709";
pub(crate) const TOO_LARGE: &str = "E0711";
pub(crate) const INVALID_MODEL: &str = "E0712";

/// Number of problems of one code after which no more are recorded.
const MAX_PROBLEMS: usize = 200;

/// The problems found so far.
#[derive(Debug, Default)]
pub(crate) struct Problems {
    pub list: Vec<Diagnostic>,
    errors: usize,
}

impl Problems {
    /// Whether an error was found.
    pub(super) fn any_error(&self) -> bool {
        self.errors > 0
    }

    /// Records a problem.
    pub(super) fn push(&mut self, mut diagnostic: Diagnostic) {
        if diagnostic.help.is_none() {
            diagnostic.help = Some(advice(diagnostic.code, &diagnostic.message).to_owned());
        }
        if diagnostic.is_error() {
            self.errors += 1;
        }
        let same = self.list.iter().filter(|known| known.code == diagnostic.code).count();
        if same < MAX_PROBLEMS {
            self.list.push(diagnostic);
        }
    }

    /// Records an error of an element, at the named attribute if its place is known.
    pub(super) fn error<T: Element>(
        &mut self,
        code: &'static str,
        element: &T,
        attribute: &str,
        message: impl AsRef<str>,
    ) {
        self.push(element_error(code, element, attribute, message));
    }

    /// Records an error without an element.
    pub(super) fn general(&mut self, code: &'static str, at: Option<&Location>, message: impl Into<String>) {
        self.push(Diagnostic::error(code, message).at(at));
    }
}

/// How an element is called in messages.
pub(crate) fn label(kind: &str, info: &Info) -> String {
    if info.name.is_empty() { kind.to_owned() } else { format!("{kind} '{}'", info.name) }
}

/// An error of an element.
pub(crate) fn element_error<T: Element>(
    code: &'static str,
    element: &T,
    attribute: &str,
    message: impl AsRef<str>,
) -> Diagnostic {
    let info = element.info();
    Diagnostic::error(code, format!("{}: {}", label(T::KIND, info), message.as_ref())).at(info.at(attribute))
}

/// An error about a name that refers to nothing, with the nearest existing name.
pub(crate) fn unknown_reference<'a, T: Element>(
    element: &T,
    attribute: &str,
    kind: &str,
    name: &str,
    existing: impl IntoIterator<Item = &'a str>,
) -> Diagnostic {
    let error = element_error(REFERENCE, element, attribute, format!("no {kind} is named '{name}'"));
    match did_you_mean(name, existing) {
        Some(nearest) => error.help(format!("did you mean '{nearest}'?")),
        None => error.help(format!("name the {kind} '{name}', or refer to an existing one")),
    }
}
