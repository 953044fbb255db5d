//! Profile-guided optimisation: build with counters, exercise the build, build again with what was counted.
//!
//! The compiler then knows which branches are taken and lays out the code for them; no operation changes, so the bits stay. Both the wheel and the
//! program are exercised with the models of this repository. It needs `llvm-profdata` of the compiler's own LLVM: `rustup component add
//! llvm-tools`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::wheel::Recipe;
use crate::{python, run};

/// The wheel, optimised for what `conformance/exercise.py` runs, into `dist`. What its module for processors with AVX2 counts serves both.
pub(crate) fn wheel(dist: &Path) -> Result<(), String> {
    let work = Work::new("wheel")?;
    let (given, target) = (std::env::var("RUSTFLAGS").unwrap_or_default(), work.target());
    let recipe = |flags| Recipe { target: None, profile: "release", flags, work: Some(&target) };
    let first = work.folder.join("dist");
    let _ = fs::remove_dir_all(&first);
    let counting = work.counting(&given);
    recipe(&counting).build_for_avx2(&first)?;
    let exercised = environment(&work.folder.join("environment"), &the_wheel(&first)?)?;
    run::program(&exercised, &["conformance/exercise.py"], &[])?;
    let guided = work.guided(&given)?;
    recipe(&guided).build(dist)
}

/// Speed beside MuJoCo of the wheel that is released, in an environment of its own.
pub(crate) fn bench(arguments: &[String]) -> Result<(), String> {
    python::environment()?;
    python::corpora()?;
    let folder = run::root().join("target/guided/bench");
    let dist = folder.join("dist");
    let _ = fs::remove_dir_all(&dist);
    wheel(&dist)?;
    let interpreter = environment(&folder.join("environment"), &the_wheel(&dist)?)?;
    let mut install = vec!["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
    install.extend(python::PACKAGES);
    run::program(&interpreter, &install, &[])?;
    let mut all = vec!["conformance/bench.py"];
    all.extend(arguments.iter().map(String::as_str).filter(|argument| *argument != "--pgo"));
    run::program(&interpreter, &all, &[])
}

/// The program `condyle`, optimised for stepping the models of `models/bench`, into `dist`.
pub(crate) fn program(dist: &Path) -> Result<(), String> {
    let work = Work::new("program")?;
    let cargo = std::env::var("CARGO").unwrap_or_else(|_| "cargo".into());
    let flags = std::env::var("RUSTFLAGS").unwrap_or_default();
    let build = |flags: &str| {
        run::program(
            &cargo,
            &["build", "--release", "--package", "condyle-cli"],
            &[("RUSTFLAGS", flags), ("CARGO_TARGET_DIR", &work.target())],
        )
    };
    build(&work.counting(&flags))?;
    let built =
        Path::new(&work.target()).join("release").join(format!("condyle{}", std::env::consts::EXE_SUFFIX));
    for model in models("models/bench")? {
        let model = model.to_string_lossy();
        run::program(&built.to_string_lossy(), &["bench", &model, "--steps", "500", "--rounds", "1"], &[])?;
    }
    build(&work.guided(&flags)?)?;
    fs::create_dir_all(dist).map_err(|error| format!("{}: {error}", dist.display()))?;
    let name = built.file_name().ok_or("the program has no name")?;
    fs::copy(&built, dist.join(name)).map_err(|error| format!("{}: {error}", built.display()))?;
    Ok(())
}

/// The folders of one guided build.
struct Work {
    folder: PathBuf,
}

impl Work {
    fn new(name: &str) -> Result<Self, String> {
        profdata()?;
        let folder = run::root().join("target/guided").join(name);
        let _ = fs::remove_dir_all(folder.join("counts"));
        fs::create_dir_all(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        Ok(Self { folder })
    }

    fn target(&self) -> String {
        self.folder.join("build").to_string_lossy().into_owned()
    }

    /// Flags of the build that counts.
    fn counting(&self, flags: &str) -> String {
        format!("{flags} -C profile-generate={}", self.folder.join("counts").display())
    }

    /// Flags of the build that uses what was counted.
    fn guided(&self, flags: &str) -> Result<String, String> {
        let merged = self.folder.join("merged.profdata").to_string_lossy().into_owned();
        let counts = self.folder.join("counts").to_string_lossy().into_owned();
        run::program(&profdata()?.to_string_lossy(), &["merge", "--output", &merged, &counts], &[])?;
        Ok(format!("{flags} -C profile-use={merged}"))
    }
}

/// The tool that merges counts, of the compiler that is used.
fn profdata() -> Result<PathBuf, String> {
    let ask = |arguments: &[&str]| {
        let output = Command::new("rustc").args(arguments).current_dir(run::root()).output();
        let output = output.map_err(|error| format!("cannot run rustc: {error}"))?;
        String::from_utf8(output.stdout).map_err(|error| error.to_string())
    };
    let sysroot = ask(&["--print", "sysroot"])?;
    let version = ask(&["-vV"])?;
    let host = version.lines().find_map(|line| line.strip_prefix("host: ")).ok_or("rustc names no host")?;
    let folder = Path::new(sysroot.trim()).join("lib/rustlib").join(host).join("bin");
    let tool = folder.join(format!("llvm-profdata{}", std::env::consts::EXE_SUFFIX));
    if tool.is_file() {
        Ok(tool)
    } else {
        Err("no llvm-profdata: rustup component add llvm-tools".to_owned())
    }
}

/// An empty environment with a wheel; returns its interpreter.
pub(crate) fn environment(folder: &Path, wheel: &Path) -> Result<String, String> {
    run::program("python3", &["-m", "venv", &folder.to_string_lossy()], &[])?;
    let interpreter = python::interpreter_in(folder);
    let wheel = wheel.to_string_lossy();
    let install =
        ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--force-reinstall", &wheel];
    run::program(&interpreter, &install, &[])?;
    Ok(interpreter)
}

/// The one wheel in a folder.
pub(crate) fn the_wheel(folder: &Path) -> Result<PathBuf, String> {
    files(folder)?
        .into_iter()
        .find(|path| path.extension().is_some_and(|end| end == "whl"))
        .ok_or_else(|| "maturin wrote no wheel".to_owned())
}

fn models(folder: &str) -> Result<Vec<PathBuf>, String> {
    let mut found = files(&run::root().join(folder))?;
    found.retain(|path| path.extension().is_some_and(|end| end == "xml"));
    found.sort();
    Ok(found)
}

/// What lies in a folder.
pub(crate) fn files(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    Ok(entries.flatten().map(|entry| entry.path()).collect())
}
