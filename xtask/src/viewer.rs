//! The viewer's page: built with npm into the crate that embeds it, and tested in a headless browser.

use std::path::PathBuf;

use crate::{run, wasm};

fn folder() -> PathBuf {
    run::root().join("viewer")
}

/// Build the page, then the program with the page in it.
pub(crate) fn build() -> Result<(), String> {
    page()?;
    run::cargo(&["build", "--release", "--package", "condyle-cli"])
}

/// Install the packages of the lock file, where they changed.
pub(crate) fn packages() -> Result<(), String> {
    if !run::is_there("npm") {
        return Err("the page of the viewer needs Node.js 20 or later with npm to be built".to_owned());
    }
    let wanted = std::fs::read(folder().join("package-lock.json"))
        .map_err(|error| format!("package-lock.json: {error}"))?;
    let stamp = folder().join("node_modules/condyle-packages");
    if std::fs::read(&stamp).ok().as_ref() != Some(&wanted) {
        run::program_in(&folder(), "npm", &["ci", "--no-audit", "--no-fund"], &[])?;
        std::fs::write(&stamp, wanted).map_err(|error| format!("{}: {error}", stamp.display()))?;
    }
    Ok(())
}

/// Build the page.
pub(crate) fn page() -> Result<(), String> {
    packages()?;
    run::program_in(&folder(), "npm", &["run", "--silent", "build"], &[])
}

/// The engine for JavaScript, and the page with the engine inside.
pub(crate) fn site() -> Result<(), String> {
    packages()?;
    if !wasm::prepare() {
        return Err("the compiler cannot build for browsers".to_owned());
    }
    wasm::build("wasm")?;
    wasm::measure()?;
    wasm::site()
}

/// Install what the tests in a browser need, where that is possible. Says what is left out where it is not.
pub(crate) fn prepare() -> bool {
    let programs = [("node", "nodejs"), ("npm", "npm"), ("chromium", "chromium")];
    let packages: Vec<&str> =
        programs.iter().filter(|(program, _)| !run::is_there(program)).map(|(_, package)| *package).collect();
    if !packages.is_empty() && run::is_there("apt-get") {
        let mut arguments = vec!["install", "--yes", "--no-install-recommends"];
        arguments.extend(&packages);
        let update = run::program("apt-get", &["update", "--quiet"], &[]);
        let installed = update
            .and_then(|()| run::program("apt-get", &arguments, &[("DEBIAN_FRONTEND", "noninteractive")]));
        if let Err(problem) = installed {
            println!("{problem}");
        }
    }
    let left: Vec<&str> =
        programs.iter().map(|(program, _)| *program).filter(|program| !run::is_there(program)).collect();
    if !left.is_empty() {
        println!(
            "viewer: LEFT OUT, because there is no {}: the page and its tests in a browser",
            left.join(", ")
        );
    }
    left.is_empty()
}

/// The tests in a headless browser: against the program as `cargo test` builds it, and of the page with the engine inside where the
/// compiler can build that.
pub(crate) fn test(arguments: &[String]) -> Result<(), String> {
    page()?;
    run::cargo(&["build", "--package", "condyle-cli"])?;
    suite(arguments, &["test/native.test.mjs"])?;
    if wasm::prepare() {
        wasm::build("quick")?;
        wasm::site()?;
        run::cargo(&["build", "--package", "condyle-wasm", "--examples"])?;
        suite(arguments, &["test/hashes.test.mjs", "test/static.test.mjs"])?;
    }
    Ok(())
}

fn suite(arguments: &[String], files: &[&str]) -> Result<(), String> {
    let mut all = vec!["--test", "--test-concurrency=1", "--test-reporter=spec"];
    all.extend(arguments.iter().map(String::as_str));
    all.extend(files);
    let once = || run::program_in(&folder(), "node", &all, &[]);
    // A browser on a busy machine may miss a deadline; a fault shows both times.
    once().or_else(|problem| {
        println!("viewer: {problem}; once more");
        once()
    })
}
