//! Documents that name tests: docs/requirements.md maps every requirement to the tests that show it, docs/divergences.md every
//! difference from MuJoCo. Neither may have a row without a test, or name one that does not exist.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

use crate::checks::{collect, read};
use crate::run;

/// Check both documents.
pub(crate) fn check(problems: &mut Vec<String>) -> Result<(), String> {
    let tests = test_names()?;
    let docs = run::root().join("docs");
    let divergences = read(&docs.join("divergences.md"))?;
    check_requirements(&read(&docs.join("requirements.md"))?, &divergences, &tests, problems);
    check_divergences(&divergences, &tests, problems);
    Ok(())
}

/// Names of all Rust and Python tests.
fn test_names() -> Result<BTreeSet<String>, String> {
    let mut names = BTreeSet::new();
    let mut files = Vec::new();
    collect(&run::root().join("crates"), &mut files)?;
    collect(&run::root().join("xtask"), &mut files)?;
    for file in files {
        rust_tests(&read(&file)?, &mut names);
    }
    let folder = run::root().join("python").join("tests");
    let entries = fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    for entry in entries.flatten().filter(|entry| entry.path().extension().is_some_and(|end| end == "py")) {
        let source = read(&entry.path())?;
        let functions = source.lines().filter_map(|line| line.strip_prefix("def test_"));
        names.extend(functions.filter_map(|line| line.split('(').next()).map(|name| format!("test_{name}")));
    }
    Ok(names)
}

/// Functions marked as tests.
fn rust_tests(source: &str, names: &mut BTreeSet<String>) {
    let mut marked = false;
    for line in source.lines().map(str::trim) {
        if line == "#[test]" {
            marked = true;
        } else if marked && let Some(rest) = line.strip_prefix("fn ") {
            names.extend(rest.split('(').next().map(str::to_owned));
            marked = false;
        }
    }
}

/// Cells of the table rows under each heading of the second level; head and rule of the tables left out.
fn tables(text: &str) -> BTreeMap<String, Vec<Vec<String>>> {
    let mut result: BTreeMap<String, Vec<Vec<String>>> = BTreeMap::new();
    let mut heading = String::new();
    for line in text.lines() {
        if let Some(title) = line.strip_prefix("## ") {
            heading = title.trim().to_owned();
        }
        let Some(row) = line.strip_prefix('|').and_then(|row| row.strip_suffix('|')) else { continue };
        let rows = result.entry(heading.clone()).or_default();
        if row.starts_with("---") {
            rows.pop();
        } else {
            rows.push(row.replace("\\|", "¦").split('|').map(|cell| cell.trim().to_owned()).collect());
        }
    }
    result
}

/// What a cell writes in code style, paths left out.
fn named(cell: &str) -> Vec<&str> {
    let code = cell.split('`').skip(1).step_by(2);
    code.filter(|name| name.chars().all(|c| c == '_' || c.is_ascii_lowercase() || c.is_ascii_digit()))
        .collect()
}

/// Every name in a cell must be a test, and there must be one.
fn check_tests(place: &str, cell: &str, tests: &BTreeSet<String>, problems: &mut Vec<String>) {
    let names = named(cell);
    if names.is_empty() {
        problems.push(format!("{place} names no test"));
    }
    for name in names.into_iter().filter(|name| !tests.contains(*name)) {
        problems.push(format!("{place}: there is no test '{name}'"));
    }
}

/// Rows are behaviour and tests. A behaviour may end in "(divergence: TOPIC)", a row of divergences.md.
fn check_requirements(text: &str, divergences: &str, tests: &BTreeSet<String>, problems: &mut Vec<String>) {
    let topics: BTreeSet<String> =
        tables(divergences).into_values().flatten().filter_map(|row| row.into_iter().next()).collect();
    for (heading, rows) in tables(text) {
        for row in rows {
            let place = format!("requirements.md: {heading}: {}", row[0]);
            let [behaviour, shown] = row.as_slice() else {
                problems.push(format!("{place} must have two cells"));
                continue;
            };
            check_tests(&place, shown, tests, problems);
            if let Some((_, topic)) = behaviour.split_once("(divergence: ") {
                let topic = topic.trim_end_matches('.').trim_end_matches(')');
                if !topics.contains(topic) {
                    problems.push(format!("{place}: divergences.md has no row '{topic}'"));
                }
            }
        }
    }
}

/// The last cell of every row names the tests.
fn check_divergences(text: &str, tests: &BTreeSet<String>, problems: &mut Vec<String>) {
    for row in tables(text).into_values().flatten() {
        if let [topic, .., shown] = row.as_slice() {
            check_tests(&format!("divergences.md: {topic}"), shown, tests, problems);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_requirement_and_every_divergence_names_a_test_that_exists() {
        let mut problems = Vec::new();
        check(&mut problems).unwrap();
        assert!(problems.is_empty(), "{}", problems.join("\n"));
    }

    #[test]
    fn a_requirement_without_a_test_or_topic_is_reported() {
        let tests = BTreeSet::from(["it_works".to_owned()]);
        let report = |row: &str| {
            let mut problems = Vec::new();
            let text = format!("## Cranks\n\n| behaviour | tests |\n|---|---|\n{row}\n");
            check_requirements(&text, "", &tests, &mut problems);
            problems
        };
        assert_eq!(report("| It works. | `it_works` |"), Vec::<String>::new());
        assert!(report("| It works. | `it_does_not` |")[0].contains("it_does_not"));
        assert!(report("| It works. | by hand |")[0].contains("no test"));
        assert!(report("| It works (divergence: none). | `it_works` |")[0].contains("'none'"));
        assert!(report("| 1 | It works. | `it_works` |")[0].contains("two cells"));
    }

    #[test]
    fn only_marked_functions_are_tests() {
        let mut names = BTreeSet::new();
        rust_tests(
            "fn helper() {}\n#[test]\n#[should_panic]\nfn it_fails() {\n}\nfn other() {}\n",
            &mut names,
        );
        assert_eq!(names.into_iter().collect::<Vec<_>>(), ["it_fails"]);
    }
}
