//! `cargo xtask book`: the documents as a site, into `target/book`. A warning, for example about a page that no menu shows, is an error.

use crate::run;

/// The program that makes the site.
const PACKAGE: &str = "mkdocs-material>=9,<10";

/// Make the environment of the program if there is none, and the site.
pub(crate) fn build() -> Result<(), String> {
    let environment = run::root().join("target/book-environment");
    let interpreter = environment.join("bin/python").to_string_lossy().into_owned();
    if !environment.join("bin/mkdocs").exists() {
        run::program("python3", &["-m", "venv", &environment.to_string_lossy()], &[])?;
        let install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", PACKAGE];
        run::program(&interpreter, &install, &[])?;
    }
    // Not `--quiet`: what is not shown is not counted as a warning either.
    run::program(
        &interpreter,
        &["-m", "mkdocs", "build", "--strict", "--site-dir", "target/book"],
        &[("NO_MKDOCS_2_WARNING", "1")],
    )
}
