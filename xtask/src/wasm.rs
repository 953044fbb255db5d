//! The engine for JavaScript: the npm package and the page with the engine inside.

use std::process::{Command, Stdio};

use crate::run;

const TARGET: &str = "wasm32-unknown-unknown";

/// Whether the compiler can build for browsers; adds the target where `rustup` can.
pub fn prepare() -> bool {
    let listed = || {
        Command::new("rustup")
            .args(["target", "list", "--installed"])
            .stderr(Stdio::null())
            .output()
            .is_ok_and(|output| String::from_utf8_lossy(&output.stdout).contains(TARGET))
    };
    if listed() {
        return true;
    }
    if let Err(problem) = run::program("rustup", &["target", "add", TARGET], &[]) {
        println!("{problem}");
    }
    let there = listed();
    if !there {
        println!(
            "wasm: LEFT OUT, because the target {TARGET} cannot be had: the engine for JavaScript and its tests"
        );
    }
    there
}

/// Build `condyle.wasm` into the npm package, with the profile `wasm` for those who use it, with `quick` for tests: the same bits.
pub fn build(profile: &str) -> Result<(), String> {
    run::cargo(&["build", "--package", "condyle-wasm", "--target", TARGET, "--profile", profile])?;
    let root = run::root();
    let made = root.join("target").join(TARGET).join(profile).join("condyle_wasm.wasm");
    let place = root.join("crates/condyle-wasm/npm/condyle.wasm");
    std::fs::copy(&made, &place).map(|_| ()).map_err(|error| format!("{}: {error}", made.display()))
}

/// The page with the engine inside, into `viewer/dist-static`.
pub fn site() -> Result<(), String> {
    run::program_in(&run::root().join("viewer"), "npm", &["run", "--silent", "build-static"], &[])
}
