//! `cargo xtask package`: every crate as it would be published, and the wheel as it would be installed.
//!
//! Crates go in the order of their layers. `cargo publish --dry-run` builds each from its own archive, with those below it from theirs, so a
//! missing file, version or description shows here. The wheel is installed into an empty environment, where every example
//! and notebook runs.

use std::fs;

use crate::checks::{published, read};
use crate::{guided, python, run, viewer};

/// Check the packages, or publish the crates with `--publish`. `--crates` and `--wheel` do one part only. With `--pgo` the wheel is
/// optimised with a profile, and so is the program, which is put beside it. `--oldest` and `--licences` check what the packages promise.
pub(crate) fn package(arguments: &[String]) -> Result<(), String> {
    let has = |flag: &str| arguments.iter().any(|argument| argument == flag);
    if has("--oldest") {
        return oldest_compiler();
    }
    if has("--licences") {
        return licences();
    }
    // Crates and wheel contain the viewer's page.
    viewer::page()?;
    if has("--publish") {
        return published()?.iter().try_for_each(|name| run::cargo(&["publish", "--package", name]));
    }
    if !has("--wheel") {
        crates()?;
    }
    if !has("--crates") {
        wheel(has("--pgo"))?;
    }
    if has("--pgo") && !has("--wheel") {
        guided::program(&run::root().join("target/dist"))?;
    }
    Ok(())
}

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
        if !folder.join("README.md").is_file() {
            problems.push(format!("{name} is published and needs a README.md"));
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

fn wheel(is_guided: bool) -> Result<(), String> {
    let root = run::root();
    let dist = root.join("target/dist");
    let _ = fs::remove_dir_all(&dist);
    python::environment()?;
    if is_guided {
        guided::wheel(&dist)?;
    } else {
        let interpreter = root.join(".venv/bin/python").to_string_lossy().into_owned();
        let profile = std::env::var("CONDYLE_PROFILE").unwrap_or_else(|_| "release".to_owned());
        let out = dist.to_string_lossy().into_owned();
        run::program_in(
            &root.join("python"),
            &interpreter,
            &["-m", "maturin", "build", "--quiet", "--profile", &profile, "--out", &out],
            &[("RUSTFLAGS", &python::module_flags())],
        )?;
    }
    let interpreter = guided::environment(&dist.join("environment"), &guided::the_wheel(&dist)?)?;
    let check = format!(
        "import condyle, importlib.metadata as m; assert m.version('condyle') == condyle.__version__ == '{}'; \
         assert not hasattr(condyle._condyle, '_instruments')",
        env!("CARGO_PKG_VERSION")
    );
    run::program_in(&dist, &interpreter, &["-c", &check], &[])?;
    run::program_in(&dist, &interpreter, &["-m", "condyle", "--version"], &[])?;
    // The environment is meant to have nothing but the wheel first; then the extra that the training needs.
    let examples = root.join("examples/run_all.py").to_string_lossy().into_owned();
    run::program_in(&dist, &interpreter, &[&examples], &[])?;
    let with_extra = format!("{}[gymnasium]", guided::the_wheel(&dist)?.display());
    run::program(
        &interpreter,
        &["-m", "pip", "install", "--quiet", "--disable-pip-version-check", &with_extra],
        &[],
    )?;
    let training = root.join("examples/python/train_with_ppo.py").to_string_lossy().into_owned();
    run::program_in(&dist, &interpreter, &[&training, "--updates", "2"], &[])
}
