//! `cargo xtask package`: every crate as it would be published, and the wheel as it would be installed.
//!
//! Crates go in the order of their layers. `cargo publish --dry-run` builds each from its own archive, with those below it from theirs, so a
//! missing file, version or description shows here. Wheels and the source package are in [`crate::wheel`], the npm package in [`crate::wasm`].

use std::fs;
use std::process::Command;

use crate::checks::{published, read};
use crate::{guided, run, viewer, wasm, wheel};

/// Check the packages, or publish the crates with `--publish`. `--crates`, `--wheel`, `--sdist` and `--npm` do one part only, `--target` a wheel for
/// another machine. With `--pgo` the wheel is optimised with a profile, and so is the program, which is put beside it. `--oldest` and
/// `--licences` check what the packages promise, `--tag` that a tag may be released.
pub(crate) fn package(arguments: &[String]) -> Result<(), String> {
    let has = |flag: &str| arguments.iter().any(|argument| argument == flag);
    let after = |flag: &str| {
        arguments
            .iter()
            .position(|argument| argument == flag)
            .map(|at| arguments.get(at + 1).map(String::as_str))
    };
    if let Some(tag) = after("--tag") {
        return release(tag.ok_or("--tag needs a tag, such as v1.2.3")?);
    }
    if has("--oldest") {
        return oldest_compiler();
    }
    if has("--licences") {
        return licences();
    }
    if has("--npm") {
        return wasm::package(has("--publish"));
    }
    // Crates and wheel contain the viewer's page.
    viewer::page()?;
    if has("--publish") {
        nothing_uncommitted()?;
        return published()?.iter().try_for_each(|name| publish(name));
    }
    if has("--sdist") {
        return wheel::from_source();
    }
    if let Some(target) = after("--target") {
        return wheel::for_target(target.ok_or("--target needs a target of the compiler")?);
    }
    if !has("--wheel") {
        crates()?;
    }
    if !has("--crates") {
        wheel::here(has("--pgo"))?;
    }
    if has("--pgo") && !has("--wheel") {
        guided::program(&run::root().join("target/dist"))?;
    }
    Ok(())
}

/// Files that repeat the version of the workspace, and what stands before it there.
const VERSIONS: &[(&str, &str)] = &[
    ("crates/condyle-wasm/npm/package.json", "version\": \""),
    ("viewer/package.json", "version\": \""),
    ("CITATION.cff", "version: "),
];

/// What a registry asks for, checked without building: every published crate describes itself, and crates name the versions of those
/// below them.
pub(crate) fn check(problems: &mut Vec<String>) -> Result<(), String> {
    for name in published()? {
        let folder = run::root().join("crates").join(name);
        let manifest = read(&folder.join("Cargo.toml"))?;
        for key in
            ["description", "readme", "keywords", "categories", "license", "repository", "rust-version"]
        {
            if !manifest.lines().any(|line| line.starts_with(key)) {
                problems.push(format!("{name} is published and needs `{key}` in its Cargo.toml"));
            }
        }
        for file in ["README.md", "LICENSE-APACHE", "LICENSE-MIT"] {
            if !folder.join(file).is_file() {
                problems.push(format!("{name} is published and needs its {file}"));
            }
        }
    }
    for (file, before) in VERSIONS {
        let line = format!("{before}{}", env!("CARGO_PKG_VERSION"));
        if !read(&run::root().join(file))?.lines().any(|found| found.trim_matches([' ', ',', '"']) == line) {
            problems.push(format!("{file} needs the version of the workspace: {line}"));
        }
    }
    let version = format!("version = \"{}\"", env!("CARGO_PKG_VERSION"));
    let workspace = read(&run::root().join("Cargo.toml"))?;
    for line in workspace.lines().filter(|line| line.starts_with("condyle") && line.contains("path =")) {
        if !line.contains(&version) {
            problems.push(format!("Cargo.toml: a path dependency needs `{version}` to be published: {line}"));
        }
    }
    Ok(())
}

/// Publish a crate, unless the registry has this version already: a release that stopped half way is started again.
fn publish(name: &str) -> Result<(), String> {
    let version = env!("CARGO_PKG_VERSION");
    let there = ["info", "--quiet", "--registry", "crates-io", &format!("{name}@{version}")];
    if run::cargo(&there).is_ok() {
        println!("{name} {version} is published already");
        return Ok(());
    }
    // The page of the viewer is in a package and not in the repository, which cargo takes for a change; there are no others.
    run::cargo(&["publish", "--allow-dirty", "--package", name])
}

/// An error if the working directory has changes.
fn nothing_uncommitted() -> Result<(), String> {
    let output = Command::new("git").args(["status", "--porcelain"]).current_dir(run::root()).output();
    let output = output.map_err(|error| format!("cannot run git: {error}"))?;
    let changes = String::from_utf8_lossy(&output.stdout);
    if output.status.success() && changes.is_empty() {
        Ok(())
    } else {
        Err(format!(
            "what is published must be committed:\n{changes}{}",
            String::from_utf8_lossy(&output.stderr)
        ))
    }
}

/// Whether a tag may be released: it names the version of the workspace, and the changelog has a dated section for it, which becomes
/// the notes of the release in `target/notes.md`.
fn release(tag: &str) -> Result<(), String> {
    let notes = notes(tag, env!("CARGO_PKG_VERSION"), &read(&run::root().join("CHANGELOG.md"))?)?;
    let path = run::root().join("target/notes.md");
    fs::create_dir_all(run::root().join("target")).map_err(|error| format!("target: {error}"))?;
    fs::write(&path, notes).map_err(|error| format!("{}: {error}", path.display()))
}

/// The section of the changelog that belongs to a tag.
fn notes(tag: &str, version: &str, changelog: &str) -> Result<String, String> {
    if tag != format!("v{version}") {
        return Err(format!("the tag {tag} does not name the version of the workspace: v{version}"));
    }
    let heading = format!("## [{version}] - ");
    let mut lines = changelog.lines().skip_while(|line| !line.starts_with(&heading));
    let date = lines.next().and_then(|line| line.strip_prefix(&heading)).unwrap_or("missing");
    if !date.starts_with(|first: char| first.is_ascii_digit()) {
        return Err(format!(
            "CHANGELOG.md needs the date of the release: `{heading}YYYY-MM-DD`, not `{date}`"
        ));
    }
    let section: Vec<&str> = lines.take_while(|line| !line.starts_with("## ")).collect();
    Ok(section.join("\n").trim().to_owned() + "\n")
}

/// The whole workspace builds with the oldest compiler it names.
fn oldest_compiler() -> Result<(), String> {
    let version = env!("CARGO_PKG_RUST_VERSION");
    run::program("rustup", &["toolchain", "install", version, "--profile", "minimal"], &[])?;
    let target = run::root().join("target/oldest").to_string_lossy().into_owned();
    let check = [
        "run",
        version,
        "cargo",
        "check",
        "--quiet",
        "--workspace",
        "--all-targets",
        "--target-dir",
        &target,
    ];
    run::program("rustup", &check, &[])
}

/// Licences, sources and duplicates of all dependencies (`deny.toml`), and known weaknesses where the list of them can be fetched.
fn licences() -> Result<(), String> {
    if run::cargo(&["deny", "--version"]).is_err() {
        run::cargo(&["install", "--locked", "--quiet", "cargo-deny"])?;
    }
    run::cargo(&["deny", "check", "bans", "licenses", "sources"])?;
    if run::cargo(&["deny", "fetch", "db"]).is_err() {
        println!("the list of known weaknesses cannot be fetched, so dependencies are not compared with it");
        return Ok(());
    }
    run::cargo(&["deny", "check", "advisories"])
}

fn crates() -> Result<(), String> {
    let names = published()?;
    // Where crates of an earlier run lie, cargo takes those for the ones that have the same version now.
    let folder = run::root().join("target/published");
    let _ = fs::remove_dir_all(&folder);
    let target = folder.to_string_lossy().into_owned();
    let mut arguments = vec!["publish", "--dry-run", "--allow-dirty", "--quiet", "--target-dir", &target];
    for name in &names {
        arguments.extend(["--package", name]);
    }
    run::cargo(&arguments)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_tag_of_the_version_is_released_and_only_with_a_date() {
        let changelog =
            "# Changelog\n\n## [0.2.0] - 2027-01-02\n\n- new\n\n## [0.1.0] - 2026-01-02\n\n- old\n";
        assert_eq!(notes("v0.2.0", "0.2.0", changelog).unwrap(), "- new\n");
        assert!(notes("v0.3.0", "0.2.0", changelog).unwrap_err().contains("v0.2.0"));
        assert!(notes("v0.3.0", "0.3.0", changelog).unwrap_err().contains("missing"));
        let undated = changelog.replace("2027-01-02", "unreleased");
        assert!(notes("v0.2.0", "0.2.0", &undated).unwrap_err().contains("unreleased"));
    }
}
