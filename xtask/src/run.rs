//! Running other programs from the root of the repository.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The root of the repository.
pub(crate) fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).parent().map_or_else(|| PathBuf::from("."), PathBuf::from)
}

/// Where cargo puts what it builds.
pub(crate) fn built() -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| root().join("target"), |folder| root().join(folder))
}

/// Run a program in the root of the repository and wait; the error names it.
pub(crate) fn program(name: &str, arguments: &[&str], environment: &[(&str, &str)]) -> Result<(), String> {
    program_in(&root(), name, arguments, environment)
}

/// Run a program in a folder and wait; the error names it.
pub(crate) fn program_in(
    folder: &Path,
    name: &str,
    arguments: &[&str],
    environment: &[(&str, &str)],
) -> Result<(), String> {
    println!("$ {name} {}", arguments.join(" "));
    let name = name_here(name);
    let status = Command::new(name)
        .args(arguments)
        .envs(environment.iter().copied())
        .current_dir(folder)
        .status()
        .map_err(|error| format!("cannot run {name}: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("{name} {} failed ({status})", arguments.join(" "))) }
}

/// Whether a program can be started.
pub(crate) fn is_there(name: &str) -> bool {
    Command::new(name_here(name))
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

/// What a program is called on this system.
fn name_here(name: &str) -> &str {
    match name {
        "python3" if cfg!(windows) => "python",
        "npm" if cfg!(windows) => "npm.cmd",
        name => name,
    }
}

/// Run cargo.
pub(crate) fn cargo(arguments: &[&str]) -> Result<(), String> {
    program(&std::env::var("CARGO").unwrap_or_else(|_| "cargo".into()), arguments, &[])
}
