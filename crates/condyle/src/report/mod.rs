//! Reports of the engine in words: as text for people and as JSON for tools. The engine gives numbers and kinds; names come from the
//! model.

pub mod contact;
pub mod pair;
mod step;

pub use step::issue_text;

use condyle_model::{Model, ObjectType};

/// Things of a report that have words.
pub trait Describe {
    /// What it says, with the names of the model.
    fn describe(&self, model: &Model) -> String;
}

/// Name of an element in quotes, or its body and number.
fn quoted(model: &Model, kind: ObjectType, id: usize) -> String {
    match model.name(kind, id) {
        "" => model.label(kind, id),
        name => format!("'{name}'"),
    }
}
