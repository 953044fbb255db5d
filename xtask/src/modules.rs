//! Modules of the engine depend on each other in one direction: no two of them need each other, directly or through others.
//!
//! `data` is left out as the one that depends: it only names the work space of the stages, hooks and plugins, because they live in it.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use crate::checks::{before_tests, collect, read};
use crate::run;

/// Which module needs which, with a file that shows it.
type Needs = BTreeMap<String, BTreeMap<String, String>>;

pub(crate) fn check(problems: &mut Vec<String>) -> Result<(), String> {
    let needs = needs()?;
    let mut finished = BTreeSet::new();
    for module in needs.keys() {
        visit(module, &needs, &mut Vec::new(), &mut finished, problems);
    }
    Ok(())
}

fn needs() -> Result<Needs, String> {
    let folder = run::root().join("crates").join("condyle-engine").join("src");
    let mut files = Vec::new();
    collect(&folder, &mut files)?;
    files.sort();
    let mut needs = Needs::new();
    for file in files {
        let inside = file.strip_prefix(&folder).unwrap_or(&file);
        let module = module_of(inside);
        if module == "lib" || module == "data" {
            continue;
        }
        let source = read(&file)?;
        let own = needs.entry(module.clone()).or_default();
        for name in named(&code(&source)) {
            if name != module && name != "data" {
                own.entry(name).or_insert_with(|| inside.display().to_string());
            }
        }
    }
    Ok(needs)
}

/// The first folder of a path inside the crate, or the name of its file.
fn module_of(path: &Path) -> String {
    let first = path.components().next().map(|part| part.as_os_str().to_string_lossy().into_owned());
    first.unwrap_or_default().trim_end_matches(".rs").to_owned()
}

/// Source without comments and tests.
pub(crate) fn code(source: &str) -> String {
    let lines = before_tests(source);
    lines.filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}

/// Modules that paths from the root of the crate begin with.
fn named(code: &str) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for (place, _) in code.match_indices("crate::") {
        let rest = &code[place + "crate::".len()..];
        match rest.strip_prefix('{') {
            None => names.extend(leading_name(rest)),
            Some(list) => {
                let (mut depth, mut fresh) = (0, true);
                for (index, c) in list.char_indices() {
                    match c {
                        '{' => depth += 1,
                        '}' if depth == 0 => break,
                        '}' => depth -= 1,
                        ',' if depth == 0 => fresh = true,
                        c if fresh && c.is_alphabetic() => {
                            names.extend(leading_name(&list[index..]));
                            fresh = false;
                        }
                        _ => {}
                    }
                }
            }
        }
    }
    names
}

/// The module a path begins with; types and functions of the root stand in `data` and `step`.
fn leading_name(path: &str) -> Option<String> {
    let name: String = path.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    match name.as_str() {
        "" => None,
        "forward" | "reset" => Some("step".to_owned()),
        name if name.starts_with(char::is_uppercase) => Some("data".to_owned()),
        name => Some(name.to_owned()),
    }
}

fn visit(
    module: &str,
    needs: &Needs,
    path: &mut Vec<String>,
    finished: &mut BTreeSet<String>,
    problems: &mut Vec<String>,
) {
    if let Some(start) = path.iter().position(|earlier| earlier == module) {
        let cycle = &path[start..];
        let links = cycle.iter().enumerate().map(|(index, from)| {
            let to = cycle.get(index + 1).map_or(module, String::as_str);
            format!("{from} needs {to} ({})", needs[from][to])
        });
        problems.push(format!("modules in a circle: {}", links.collect::<Vec<_>>().join(", ")));
        return;
    }
    if finished.contains(module) {
        return;
    }
    path.push(module.to_owned());
    for other in needs.get(module).into_iter().flat_map(BTreeMap::keys) {
        visit(other, needs, path, finished, problems);
    }
    path.pop();
    finished.insert(module.to_owned());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_name_their_first_module() {
        let names = named("use crate::a::b;\nuse crate::{c, d::{e, f}, Data};\ncrate::g::h();");
        assert_eq!(names.into_iter().collect::<Vec<_>>(), ["a", "c", "d", "data", "g"]);
    }

    #[test]
    fn a_circle_is_reported_with_the_files_that_close_it() {
        let link = |to: &str, file: &str| BTreeMap::from([(to.to_owned(), file.to_owned())]);
        let needs = Needs::from([
            ("a".to_owned(), link("b", "a/x.rs")),
            ("b".to_owned(), link("c", "b.rs")),
            ("c".to_owned(), link("a", "c.rs")),
        ]);
        let mut problems = Vec::new();
        visit("a", &needs, &mut Vec::new(), &mut BTreeSet::new(), &mut problems);
        assert_eq!(problems, ["modules in a circle: a needs b (a/x.rs), b needs c (b.rs), c needs a (c.rs)"]);
    }

    #[test]
    fn the_engine_has_no_circles() {
        let mut problems = Vec::new();
        check(&mut problems).unwrap();
        assert!(problems.is_empty(), "{}", problems.join("\n"));
    }
}
