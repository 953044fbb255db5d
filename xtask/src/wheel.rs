//! Wheels and the source package, as they are published.
//!
//! A wheel for x86-64 has two compiled modules: one for every processor, and one compiled for those with AVX2, which is a few percent faster. They give the
//! same bits; `condyle/_processor.py` loads the one that fits.

use std::fs;
use std::path::Path;

use crate::{guided, python, run};

/// One wheel.
pub(crate) struct Recipe<'a> {
    /// The machine it is for; the one it is built on where none is named.
    pub(crate) target: Option<&'a str>,
    pub(crate) profile: &'a str,
    /// Compiler flags of both modules.
    pub(crate) flags: &'a str,
    /// Where the compiler works, if not in `target`.
    pub(crate) work: Option<&'a str>,
}

impl Recipe<'_> {
    /// Build the wheel into a folder.
    pub(crate) fn build(&self, dist: &Path) -> Result<(), String> {
        self.maturin(self.target, self.flags, dist)?;
        let Some(target) = self.with_avx2() else { return Ok(()) };
        let aside = dist.join("avx2");
        self.maturin(target, &format!("{} {}", self.flags, python::AVX2), &aside)?;
        let (wheel, wide) = (guided::the_wheel(dist)?, guided::the_wheel(&aside)?);
        python::script(
            "python/join_wheels.py",
            &[wheel.to_string_lossy().into_owned(), wide.to_string_lossy().into_owned()],
        )?;
        fs::remove_dir_all(&aside).map_err(|error| format!("{}: {error}", aside.display()))
    }

    /// Build one module alone, for processors with AVX2 where there are such.
    pub(crate) fn build_for_avx2(&self, dist: &Path) -> Result<(), String> {
        let wide = if self.with_avx2().is_some() { python::AVX2 } else { "" };
        self.maturin(self.target, &format!("{} {wide}", self.flags), dist)
    }

    /// The target of the module for processors with AVX2, if the wheel has one.
    fn with_avx2(&self) -> Option<Option<&str>> {
        match self.target {
            None => cfg!(target_arch = "x86_64").then_some(None),
            // The wheel for both kinds of Apple's machines.
            Some("universal2-apple-darwin") => Some(Some("x86_64-apple-darwin")),
            Some(target) => target.starts_with("x86_64").then_some(Some(target)),
        }
    }

    fn maturin(&self, target: Option<&str>, flags: &str, dist: &Path) -> Result<(), String> {
        let interpreter = python::interpreter();
        let out = dist.to_string_lossy();
        let mut arguments =
            vec!["-m", "maturin", "build", "--quiet", "--profile", self.profile, "--out", &out];
        if let Some(target) = target {
            arguments.extend(["--target", target]);
            if target.contains("linux") {
                // Its linker knows every C library, so that wheels for other machines and for musl are built anywhere.
                install(&interpreter, &["ziglang"])?;
                arguments.push("--zig");
            }
        }
        // maturin looks for zig among the programs of the interpreter that comes first.
        let own = Path::new(&interpreter).parent().map(Path::to_path_buf);
        let others = std::env::var_os("PATH").unwrap_or_default();
        let path = std::env::join_paths(own.into_iter().chain(std::env::split_paths(&others)))
            .map_err(|error| error.to_string())?
            .to_string_lossy()
            .into_owned();
        let mut environment = vec![("RUSTFLAGS", flags), ("PATH", &path)];
        if let Some(work) = self.work {
            environment.push(("CARGO_TARGET_DIR", work));
        }
        run::program_in(&run::root().join("python"), &interpreter, &arguments, &environment)
    }
}

/// The profile of the module: `CONDYLE_PROFILE`, or `release`.
pub(crate) fn profile() -> String {
    std::env::var("CONDYLE_PROFILE").unwrap_or_else(|_| "release".to_owned())
}

/// Build a wheel for a kind of machine into `target/dist`. If this machine is of that kind, install it into an empty environment and run every example.
pub(crate) fn for_target(target: &str) -> Result<(), String> {
    let dist = empty_dist()?;
    python::environment()?;
    let parts: &[&str] = match target {
        "universal2-apple-darwin" => &["x86_64-apple-darwin", "aarch64-apple-darwin"],
        other => &[other],
    };
    for part in parts {
        run::program("rustup", &["target", "add", part], &[])?;
    }
    let flags = std::env::var("RUSTFLAGS").unwrap_or_default();
    Recipe { target: Some(target), profile: &profile(), flags: &flags, work: None }.build(&dist)?;
    if !runs_here(target) {
        println!("this machine is not {target}: the wheel is not tried");
        return Ok(());
    }
    let interpreter = guided::environment(&dist.join("environment"), &guided::the_wheel(&dist)?)?;
    try_it(&interpreter, &dist)?;
    let examples = run::root().join("examples/run_all.py").to_string_lossy().into_owned();
    run::program_in(&dist, &interpreter, &[&examples], &[])
}

/// Whether what is built for a target runs on this machine.
fn runs_here(target: &str) -> bool {
    let own = target.starts_with(std::env::consts::ARCH) || target.starts_with("universal2");
    own && if cfg!(target_os = "macos") {
        target.ends_with("apple-darwin")
    } else if cfg!(windows) {
        target.ends_with("windows-msvc")
    } else {
        cfg!(all(target_os = "linux", target_env = "gnu")) && target.ends_with("linux-gnu")
    }
}

/// Build the wheel of this machine, install it into an empty environment and run every example, every notebook and the training there.
pub(crate) fn here(is_guided: bool) -> Result<(), String> {
    let dist = empty_dist()?;
    python::environment()?;
    if is_guided {
        guided::wheel(&dist)?;
    } else {
        let flags = std::env::var("RUSTFLAGS").unwrap_or_default();
        Recipe { target: None, profile: &profile(), flags: &flags, work: None }.build(&dist)?;
    }
    let wheel = guided::the_wheel(&dist)?;
    let interpreter = guided::environment(&dist.join("environment"), &wheel)?;
    try_it(&interpreter, &dist)?;
    // The environment is meant to have nothing but the wheel first; then the extra that the training needs.
    let root = run::root();
    let script = |path: &str| root.join(path).to_string_lossy().into_owned();
    run::program_in(&dist, &interpreter, &[&script("examples/run_all.py")], &[])?;
    if install(&interpreter, &["nbclient", "ipykernel"]).is_ok() {
        run::program_in(&dist, &interpreter, &[&script("examples/run_all.py"), "--notebooks"], &[])?;
    } else {
        println!("notebooks do not run in Jupyter, because it cannot be installed");
    }
    install(&interpreter, &[&format!("{}[gymnasium]", wheel.display())])?;
    let training = script("examples/python/train_with_ppo.py");
    run::program_in(&dist, &interpreter, &[&training, "--updates", "2"], &[])
}

/// Build the source package, install it into an empty environment as people without a wheel do, and try it.
pub(crate) fn from_source() -> Result<(), String> {
    let dist = empty_dist()?;
    python::environment()?;
    let out = dist.to_string_lossy();
    run::program_in(
        &run::root().join("python"),
        &python::interpreter(),
        &["-m", "maturin", "sdist", "--out", &out],
        &[],
    )?;
    let package = guided::files(&dist)?
        .into_iter()
        .find(|path| path.extension().is_some_and(|end| end == "gz"))
        .ok_or("maturin wrote no source package")?;
    let folder = dist.join("environment");
    run::program("python3", &["-m", "venv", &folder.to_string_lossy()], &[])?;
    let interpreter = python::interpreter_in(&folder);
    run::program_in(
        &dist,
        &interpreter,
        &["-m", "pip", "install", "--quiet", "--disable-pip-version-check", &package.to_string_lossy()],
        &[("MATURIN_PEP517_ARGS", &format!("--profile {}", profile()))],
    )?;
    try_it(&interpreter, &dist)
}

/// What an installed package must do: be the version it says, have no instruments of tests, run as a command, stand in for MuJoCo when the
/// environment says so, give the same bits with each of its modules.
fn try_it(interpreter: &str, folder: &Path) -> Result<(), String> {
    let check = format!(
        "import condyle, importlib.metadata as m; assert m.version('condyle') == condyle.__version__ == '{}'; \
         assert not hasattr(condyle._condyle, '_instruments')",
        env!("CARGO_PKG_VERSION")
    );
    run::program_in(folder, interpreter, &["-c", &check], &[])?;
    run::program_in(folder, interpreter, &["-m", "condyle", "--version"], &[])?;
    let stand_in = "import mujoco; assert mujoco.MjModel.__module__ == 'condyle'";
    run::program_in(folder, interpreter, &["-c", stand_in], &[("CONDYLE_AS_MUJOCO", "1")])?;
    let builds = run::root().join("conformance/builds.py").to_string_lossy().into_owned();
    run::program_in(folder, interpreter, &[&builds], &[])?;
    if cfg!(target_arch = "x86_64") {
        let old = ["-cpu", "Nehalem", interpreter, &builds, "--without-avx2", "--models", "12"];
        // What numpy's own library takes such a processor for would crash it.
        let environment = [("OPENBLAS_CORETYPE", "Nehalem")];
        if run::is_there("qemu-x86_64") {
            run::program_in(folder, "qemu-x86_64", &old, &environment)?;
        } else {
            println!("processors without AVX2 are LEFT OUT: apt-get install qemu-user");
        }
    }
    Ok(())
}

fn install(interpreter: &str, packages: &[&str]) -> Result<(), String> {
    let mut arguments = vec!["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
    arguments.extend(packages);
    run::program(interpreter, &arguments, &[])
}

/// The folder of what is published, with nothing in it.
fn empty_dist() -> Result<std::path::PathBuf, String> {
    let dist = run::root().join("target/dist");
    let _ = fs::remove_dir_all(&dist);
    fs::create_dir_all(&dist).map_err(|error| format!("{}: {error}", dist.display()))?;
    Ok(dist)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_wheels_for_this_kind_of_machine_are_tried() {
        let all = [
            "x86_64-unknown-linux-gnu",
            "aarch64-unknown-linux-gnu",
            "universal2-apple-darwin",
            "x86_64-pc-windows-msvc",
        ];
        let tried = all.iter().filter(|target| runs_here(target)).count();
        assert!(tried <= 1, "{tried} kinds of machine at once");
        assert!(!runs_here("x86_64-unknown-linux-musl") && !runs_here("riscv64gc-unknown-linux-gnu"));
        let own = format!("{}-unknown-linux-gnu", std::env::consts::ARCH);
        assert_eq!(runs_here(&own), cfg!(all(target_os = "linux", target_env = "gnu")));
    }
}
