//! Structure of the repository: crates and modules depend downward only, no source file is too long, documents
//! name tests that exist and show the stages as they are.

use std::fs;
use std::path::{Path, PathBuf};

use crate::{documents, goldens, modules, package, run, stages};

/// Crates from the bottom to the top; a crate may depend only on crates before it.
const LAYERS: &[&str] = &[
    "condyle-base",
    "condyle-math",
    "condyle-model",
    "condyle-collide",
    "condyle-engine",
    "condyle-vis",
    "condyle-render",
    "condyle-asset",
    "condyle-spec",
    "condyle-mjcf",
    "condyle",
    "condyle-viewer",
    "condyle-wasm",
    "condyle-cli",
    "condyle-python",
];
/// Crates without third-party dependencies.
const PURE: &[&str] = &[
    "condyle-base",
    "condyle-math",
    "condyle-model",
    "condyle-collide",
    "condyle-engine",
    "condyle-vis",
    "condyle-render",
];
const MOST_LINES: usize = 800;

/// Crates that are published, in the order in which they must be.
pub(crate) fn published() -> Result<Vec<&'static str>, String> {
    let mut names = Vec::new();
    for name in LAYERS {
        let manifest = read(&run::root().join("crates").join(name).join("Cargo.toml"))?;
        if !manifest.lines().any(|line| line.trim() == "publish = false") {
            names.push(*name);
        }
    }
    Ok(names)
}

pub(crate) fn all() -> Result<(), String> {
    let mut problems = Vec::new();
    layers(&mut problems)?;
    sources(&mut problems)?;
    modules::check(&mut problems)?;
    stages::check(&mut problems)?;
    documents::check(&mut problems)?;
    goldens::check(&mut problems)?;
    package::check(&mut problems)?;
    if problems.is_empty() {
        println!("structure: ok");
        Ok(())
    } else {
        Err(problems.join("\n"))
    }
}

fn layers(problems: &mut Vec<String>) -> Result<(), String> {
    for (rank, name) in LAYERS.iter().enumerate() {
        let manifest = read(&run::root().join("crates").join(name).join("Cargo.toml"))?;
        for dependency in dependencies(&manifest) {
            match LAYERS.iter().position(|layer| *layer == dependency) {
                Some(position) if position >= rank => {
                    problems.push(format!("{name} depends on {dependency}, which is not below it"));
                }
                None if PURE.contains(name) => {
                    problems.push(format!(
                        "{name} depends on {dependency}; it must have no third-party dependency"
                    ));
                }
                _ => {}
            }
        }
    }
    Ok(())
}

/// Names under `[dependencies]`; development dependencies are free.
fn dependencies(manifest: &str) -> Vec<String> {
    manifest
        .lines()
        .skip_while(|line| line.trim() != "[dependencies]")
        .skip(1)
        .take_while(|line| !line.starts_with('['))
        .filter(|line| !line.trim().is_empty() && !line.trim_start().starts_with('#'))
        .filter_map(|line| line.split(['.', '=', ' ']).next().map(str::to_owned))
        .collect()
}

/// Lines before the module of tests at the end of a file. Single items for tests stand among the code.
pub(crate) fn before_tests(source: &str) -> impl Iterator<Item = &str> {
    let mut lines = source.lines().peekable();
    std::iter::from_fn(move || {
        let line = lines.next()?;
        let ends =
            line.trim() == "#[cfg(test)]" && lines.peek().is_some_and(|next| next.starts_with("mod tests"));
        (!ends).then_some(line)
    })
    .fuse()
}

/// Whether a file decides by the kind of transmission. A new kind that a wildcard swallows would be ignored in silence, so clippy has to
/// refuse wildcards there.
fn matches_transmissions(source: &str) -> bool {
    source.lines().any(|line| line.contains("TransmissionType::") && line.trim_end().ends_with("=> {"))
        || source
            .lines()
            .any(|line| line.trim_start().starts_with("TransmissionType::") && line.contains(" => "))
}

fn sources(problems: &mut Vec<String>) -> Result<(), String> {
    let mut files = Vec::new();
    collect(&run::root().join("crates"), &mut files)?;
    collect(&run::root().join("xtask"), &mut files)?;
    for file in files {
        if file.components().any(|part| part.as_os_str() == "tests") {
            continue;
        }
        let source = read(&file)?;
        if matches_transmissions(&source) && !source.contains("#[deny(clippy::wildcard_enum_match_arm)]") {
            problems.push(format!(
                "{}: a match over TransmissionType must name every variant: deny clippy::wildcard_enum_match_arm on the function",
                file.display()
            ));
        }
        let lines = before_tests(&source).count();
        if lines > MOST_LINES {
            problems.push(format!("{} has {lines} lines, more than {MOST_LINES}", file.display()));
        }
    }
    Ok(())
}

pub(crate) fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), String> {
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            if path.file_name().is_some_and(|name| name != "target") {
                collect(&path, files)?;
            }
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
    Ok(())
}

pub(crate) fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dependencies_are_read_from_their_section_only() {
        let manifest = "[package]\nname = \"x\"\n[dependencies]\nfoo.workspace = true\nbar = \"1\"\n\n[dev-dependencies]\nbaz = \"1\"\n";
        assert_eq!(dependencies(manifest), ["foo", "bar"]);
    }

    #[test]
    fn files_that_match_over_transmissions_refuse_wildcards_and_no_file_is_too_long() {
        let mut problems = Vec::new();
        sources(&mut problems).unwrap();
        assert!(problems.is_empty(), "{}", problems.join("\n"));
    }

    #[test]
    fn matches_over_transmissions_are_found() {
        assert!(matches_transmissions("match kind {\n    TransmissionType::Joint => 1,\n    _ => 2,\n}"));
        assert!(matches_transmissions("    Some(TransmissionType::Site) => {"));
        assert!(!matches_transmissions("let kind = TransmissionType::Joint; // a joint => a torque"));
    }

    #[test]
    fn tests_do_not_count_as_source_lines() {
        assert_eq!(before_tests("a\nb\n#[cfg(test)]\nmod tests {\n}\n").count(), 2);
        let source = "a\n#[cfg(test)]\nfn for_tests() {}\nb\n#[cfg(test)]\nmod tests {\n}\n";
        assert_eq!(before_tests(source).last(), Some("b"));
    }
}
