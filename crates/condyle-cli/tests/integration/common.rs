//! Running the command from the outside.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// One of our models.
pub(crate) fn model(name: &str) -> String {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models").join(name).display().to_string()
}

/// The command with arguments, not started yet.
pub(crate) fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_condyle"));
    command.args(arguments).env_remove("NO_COLOR").env_remove("CLICOLOR_FORCE");
    command
}

pub(crate) fn condyle(arguments: &[&str]) -> Output {
    command(arguments).output().expect("the command runs")
}

/// The command with a text on standard input.
pub(crate) fn with_input(arguments: &[&str], text: &str) -> Output {
    let mut child = command(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the command starts");
    child.stdin.take().expect("input").write_all(text.as_bytes()).expect("the input is written");
    child.wait_with_output().expect("the command ends")
}

pub(crate) fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// What a command that must succeed prints.
pub(crate) fn text(arguments: &[&str]) -> String {
    let output = condyle(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", stderr(&output));
    stdout(&output)
}

/// What a command that must fail says.
pub(crate) fn refused(arguments: &[&str]) -> String {
    let output = condyle(arguments);
    assert!(!output.status.success(), "{arguments:?} succeeded: {}", stdout(&output));
    stderr(&output)
}

/// A folder of a test's own, removed with the value.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("condyle-cli-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).expect("the folder is made");
        Self(path)
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    pub(crate) fn name(&self, name: &str) -> String {
        self.path(name).display().to_string()
    }

    /// A file with this text.
    pub(crate) fn file(&self, name: &str, text: &str) -> String {
        std::fs::write(self.path(name), text).expect("the file is written");
        self.name(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
