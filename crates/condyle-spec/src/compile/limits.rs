//! Whether ranges count as limits: `limited` of joints and tendons, and its relatives of actuators.

use condyle_base::diagnostic::Diagnostic;

use super::problems::{LIMIT, element_error};
use crate::element::Element;
use crate::orientation::Limited;
use crate::settings::Compiler;

/// Whether a limit is on.
pub(crate) fn is_limited(limited: Limited, range: [f64; 2]) -> bool {
    limited == Limited::True || (limited == Limited::Auto && range[0] < range[1])
}

/// With automatic limits off, a range needs an explicit flag.
pub(crate) fn check_limited<T: Element>(
    element: &T,
    compiler: &Compiler,
    prefix: &str,
    limited: Limited,
    range: [f64; 2],
) -> Result<(), Diagnostic> {
    let has_range = !(range[0] == 0.0 && range[1] == 0.0);
    if compiler.autolimits || limited != Limited::Auto || !has_range {
        return Ok(());
    }
    let attribute = format!("{prefix}range");
    let message = format!("has '{prefix}range' but not '{prefix}limited'");
    Err(element_error(LIMIT, element, &attribute, message).help(format!(
        "set '{prefix}limited' explicitly, remove '{prefix}range', or set autolimits=\"true\" in <compiler>"
    )))
}
