//! The tables of ARCHITECTURE.md that are read from the code.
//!
//! `step/stages.rs` says which functions run, in the order of the pipeline; their signatures say which groups of `Data` they read and
//! write; the column "written by" of `data/table.rs` must say the same. A file whose functions take the whole `Data` gives its reason
//! in a line `//! Whole data: …`.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::PathBuf;

use crate::checks::{collect, read};
use crate::modules::code;
use crate::run;

/// Files that lend groups to stages, in the order of the pipeline.
const LENDERS: [&str; 2] = ["step/stages.rs", "sensor/lazy.rs"];
const ALL: &str = "all of `Data`";
const REASON: &str = "//! Whole data: ";

/// A group of `Data` as `data/table.rs` declares it.
struct Group {
    kind: String,
    field: String,
    writers: String,
}

/// A function that a stage calls.
struct Call {
    stage: String,
    path: String,
    file: String,
    reads: Vec<String>,
    writes: Vec<String>,
}

pub(crate) fn check(problems: &mut Vec<String>) -> Result<(), String> {
    let groups = groups()?;
    let calls = calls(&groups)?;
    for group in &groups {
        let found = writers(&group.field, &calls);
        let by_nobody = found.is_empty() && !group.writers.contains("::");
        // Functions that take everything may write any group; the table names the one they are for.
        let takes_all = |name: &&str| calls.iter().any(|call| call.path == **name && call.writes == [ALL]);
        let declared =
            group.writers.split(", ").filter(|name| !takes_all(name)).collect::<Vec<_>>().join(", ");
        if !by_nobody && found != declared {
            problems.push(format!("data/table.rs: {} is written by \"{found}\"", group.field));
        }
    }
    let reasons = reasons(problems)?;
    let path = architecture();
    if with_tables(&read(&path)?, &calls, &reasons)? != read(&path)? {
        problems.push("ARCHITECTURE.md is out of date; run `cargo xtask docs`".to_owned());
    }
    Ok(())
}

/// Write the tables.
pub(crate) fn write() -> Result<(), String> {
    let calls = calls(&groups()?)?;
    let reasons = reasons(&mut Vec::new())?;
    let path = architecture();
    let text = with_tables(&read(&path)?, &calls, &reasons)?;
    fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))
}

fn architecture() -> PathBuf {
    run::root().join("ARCHITECTURE.md")
}

fn engine() -> PathBuf {
    run::root().join("crates").join("condyle-engine").join("src")
}

/// Functions that take a group by `&mut`, in the order of the pipeline.
fn writers(field: &str, calls: &[Call]) -> String {
    let mut found: Vec<&str> = Vec::new();
    for call in calls.iter().filter(|call| call.writes.iter().any(|name| name == field)) {
        if !found.contains(&call.path.as_str()) {
            found.push(&call.path);
        }
    }
    found.join(", ")
}

/// Groups are declared as `Type field "meaning" written by "functions" {`.
fn groups() -> Result<Vec<Group>, String> {
    let table = read(&engine().join("data").join("table.rs"))?;
    let heads = table.lines().filter(|line| line.contains("\" written by \""));
    Ok(heads
        .filter_map(|line| {
            let mut words = line.split_whitespace();
            let (kind, field) = (words.next()?.to_owned(), words.next()?.to_owned());
            let writers = line.split("\" written by \"").nth(1)?.split('"').next()?.to_owned();
            Some(Group { kind, field, writers })
        })
        .collect())
}

fn calls(groups: &[Group]) -> Result<Vec<Call>, String> {
    let mut calls: Vec<Call> = Vec::new();
    for lender in LENDERS {
        let source = code(&read(&engine().join(lender))?);
        let mut stage = String::new();
        let mut text = String::new();
        for line in source.lines().chain(["fn end("]) {
            let head = line.strip_prefix("pub fn ").or_else(|| line.strip_prefix("fn "));
            if let Some(head) = head {
                for path in paths(&text) {
                    if !calls.iter().any(|call| call.path == path && call.stage == stage) {
                        calls.push(call(&stage, &path, groups)?);
                    }
                }
                stage = head.split(['(', '<']).next().unwrap_or_default().to_owned();
                text.clear();
            } else {
                text.push_str(line);
                text.push('\n');
            }
        }
    }
    Ok(calls)
}

/// Paths of at least two names that are called.
fn paths(text: &str) -> Vec<String> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == ':';
    let words = text.split_inclusive(|c| !is_part(c)).filter_map(|word| word.strip_suffix('('));
    words
        .filter(|word| {
            word.contains("::") && word.starts_with(char::is_lowercase) && !word.starts_with("super")
        })
        .filter(|word| word.split("::").all(|part| !part.starts_with(char::is_uppercase)))
        .map(str::to_owned)
        .collect()
}

fn call(stage: &str, path: &str, groups: &[Group]) -> Result<Call, String> {
    let parts: Vec<&str> = path.split("::").collect();
    let [folders @ .., name] = parts.as_slice() else { return Err(format!("{path} is no path")) };
    let file = format!("{}.rs", folders.join("/"));
    let room = format!("{}/mod.rs", folders.join("/"));
    let file = if engine().join(&file).is_file() { file } else { room };
    let source = code(&read(&engine().join(&file))?);
    let start = source.find(&format!("pub fn {name}(")).ok_or(format!("{file} has no function {name}"))?;
    let signature = source[start..].split(") ").next().unwrap_or_default();
    let (mut reads, mut writes) = (Vec::new(), Vec::new());
    for parameter in signature.split(',') {
        let Some((_, kind)) = parameter.split_once(": &") else { continue };
        let (target, kind) = match kind.strip_prefix("mut ") {
            Some(kind) => (&mut writes, kind),
            None => (&mut reads, kind),
        };
        let kind = kind.trim_matches(|c: char| !c.is_alphanumeric()).trim_start_matches("Vec<");
        match kind {
            "Contact" => target.push("contacts".to_owned()),
            "ConeHessian" => target.push("cone_hessians".to_owned()),
            "Diagnostics" => target.push("diagnostics".to_owned()),
            "Data" => target.push(ALL.to_owned()),
            _ => {
                target.extend(groups.iter().find(|group| group.kind == kind).map(|group| group.field.clone()))
            }
        }
    }
    Ok(Call { stage: stage.to_owned(), path: path.to_owned(), file, reads, writes })
}

/// Why files take the whole `Data`; a file without a reason is a problem.
fn reasons(problems: &mut Vec<String>) -> Result<BTreeMap<String, String>, String> {
    let mut files = Vec::new();
    collect(&engine(), &mut files)?;
    let mut reasons = BTreeMap::new();
    for file in files {
        let source = read(&file)?;
        let name = file.strip_prefix(engine()).unwrap_or(&file).display().to_string();
        let reason = source.lines().find_map(|line| line.strip_prefix(REASON));
        match (code(&source).contains("&mut Data"), reason) {
            (true, Some(reason)) => {
                reasons.insert(name, reason.trim_end_matches('.').to_owned());
            }
            (true, None) => {
                problems.push(format!("{name} takes `&mut Data` and does not say why ({REASON}…)"))
            }
            (false, Some(_)) => {
                problems.push(format!("{name} gives a reason for `&mut Data` and does not take it"))
            }
            (false, None) => {}
        }
    }
    Ok(reasons)
}

fn with_tables(text: &str, calls: &[Call], reasons: &BTreeMap<String, String>) -> Result<String, String> {
    let mut stages = String::from("| stage | function | file | reads | writes |\n|---|---|---|---|---|\n");
    let mut before = "";
    for call in calls {
        let stage = if call.stage == before { String::new() } else { format!("`{}`", call.stage) };
        before = &call.stage;
        let name = call.path.rsplit("::").next().unwrap_or_default();
        let (reads, writes) = (list(&call.reads), list(&call.writes));
        let _ = writeln!(stages, "| {stage} | `{name}` | `{}` | {reads} | {writes} |", call.file);
    }
    let mut whole = String::from("| file | why |\n|---|---|\n");
    for (file, reason) in reasons {
        let _ = writeln!(whole, "| `{file}` | {reason} |");
    }
    replace(&replace(text, "stages", &stages)?, "whole data", &whole)
}

fn list(names: &[String]) -> String {
    let quoted = names.iter().map(|name| if name.contains('`') { name.clone() } else { format!("`{name}`") });
    quoted.collect::<Vec<_>>().join(", ")
}

/// Put a table between its two marks.
fn replace(text: &str, name: &str, table: &str) -> Result<String, String> {
    let (start, end) =
        (format!("<!-- {name}: written by cargo xtask docs -->\n"), format!("<!-- end of {name} -->"));
    let missing = || format!("ARCHITECTURE.md has no marks for {name}");
    let (before, rest) = text.split_once(&start).ok_or_else(missing)?;
    let (_, after) = rest.split_once(&end).ok_or_else(missing)?;
    Ok(format!("{before}{start}\n{table}\n{end}{after}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stages_and_groups_agree_and_the_tables_are_up_to_date() {
        let mut problems = Vec::new();
        check(&mut problems).unwrap();
        assert!(problems.is_empty(), "{}", problems.join("\n"));
    }

    #[test]
    fn a_signature_tells_reads_and_writes() {
        let groups =
            [("State", "state"), ("Awake", "awake"), ("Kinematics", "kinematics"), ("Flexes", "flexes")].map(
                |(kind, field)| Group { kind: kind.into(), field: field.into(), writers: String::new() },
            );
        let found = call("kinematics", "position::flex::flexes", &groups).unwrap();
        assert_eq!((found.reads, found.writes), (vec!["kinematics".into()], vec!["flexes".into()]));
        let found = call("collision", "sleep::wake_touched", &groups).unwrap();
        assert_eq!(found.reads, ["awake", "contacts"]);
        assert_eq!(found.writes, ["state"]);
    }

    #[test]
    fn calls_are_found_and_types_left_out() {
        let found =
            paths("a::b::c(x, &mut d.e);\nif sleep::update(y) {}\nInteger::from(z); f(g); super::h(i)");
        assert_eq!(found, ["a::b::c", "sleep::update"]);
    }
}
