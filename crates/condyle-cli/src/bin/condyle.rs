//! The `condyle` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(condyle_cli::command(std::env::args_os()))
}
