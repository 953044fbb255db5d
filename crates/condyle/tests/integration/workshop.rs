//! The tour of the library does what it says.

#[path = "../../examples/workshop.rs"]
mod tour;

#[test]
fn the_tour_runs_and_names_only_the_facade() {
    let lines = tour::run().unwrap_or_else(|problem| panic!("{problem}"));
    assert_eq!(lines.len(), 6, "{lines:?}");
    let source = include_str!("../../examples/workshop.rs");
    assert!(!source.contains("condyle_"), "a user's program names `condyle` and nothing below it");
}
