//! The facade is closed: what programs need less often can be had by names of `condyle` alone too.

#[path = "../external_crate/src/parts.rs"]
mod parts;

#[test]
fn what_is_needed_less_often_works_and_names_only_the_facade() {
    let lines = parts::run().unwrap_or_else(|problem| panic!("{problem}"));
    assert_eq!(lines.len(), 7, "{lines:?}");
    let source = include_str!("../external_crate/src/parts.rs");
    assert!(!source.contains("condyle_"), "a user's program names `condyle` and nothing below it");
}
