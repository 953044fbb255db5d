//! Printing. A reader may close its end of a pipe at any time (`condyle info MODEL | head -1`); the command then ends as other Unix
//! tools do, by the signal for a broken pipe, without a word.
//!
//! Text may carry colours; they are taken out unless the output is a terminal and `NO_COLOR` is not set.

use std::fmt::Arguments;
use std::io::{ErrorKind, Write};

/// Print to standard output, as `print!`.
#[macro_export]
macro_rules! say {
    ($($part:tt)*) => { $crate::say::out(format_args!($($part)*)) };
}

/// Print a line to standard output, as `println!`.
#[macro_export]
macro_rules! sayln {
    ($($part:tt)*) => { $crate::say::out_line(format_args!($($part)*)) };
}

/// Print a line to the error output, as `eprintln!`; what cannot be written is lost.
#[macro_export]
macro_rules! tell {
    ($($part:tt)*) => { $crate::say::tell_line(format_args!($($part)*)) };
}

pub(crate) fn out(text: Arguments<'_>) {
    finish(anstream::stdout().write_fmt(text));
}

pub(crate) fn out_line(text: Arguments<'_>) {
    let mut output = anstream::stdout();
    finish(output.write_fmt(text).and_then(|()| output.write_all(b"\n")));
}

pub(crate) fn tell_line(text: Arguments<'_>) {
    let mut output = anstream::stderr();
    let _ = output.write_fmt(text).and_then(|()| output.write_all(b"\n"));
}

/// Bring out what is still held back.
pub(crate) fn flush() {
    finish(anstream::stdout().flush());
}

fn finish(result: std::io::Result<()>) {
    match result {
        Ok(()) => {}
        Err(error) if error.kind() == ErrorKind::BrokenPipe => closed(),
        Err(error) => {
            tell!("error: standard output: {error}");
            std::process::exit(1);
        }
    }
}

/// End as a program that does not handle the signal of a broken pipe.
fn closed() -> ! {
    #[cfg(unix)]
    let _ = signal_hook::low_level::emulate_default_handler(signal_hook::consts::SIGPIPE);
    std::process::exit(141)
}

const BOLD: &str = "\x1b[1m";
const RED: &str = "\x1b[1;31m";
const YELLOW: &str = "\x1b[1;33m";
const CYAN: &str = "\x1b[36m";
const RESET: &str = "\x1b[0m";

/// Bold text.
pub(crate) fn bold(text: &str) -> String {
    format!("{BOLD}{text}{RESET}")
}

/// Rendered problems with their headings, positions and help lines in colour.
pub(crate) fn paint(text: &str) -> String {
    let mut painted = String::with_capacity(text.len() + text.len() / 4);
    for line in text.split_inclusive('\n') {
        let (content, end) = line.strip_suffix('\n').map_or((line, ""), |content| (content, "\n"));
        let bare = content.trim_start();
        let marks = bare.trim_start_matches('|').trim();
        let heading = |colour: &str| match content.split_once(": ") {
            Some((head, rest)) => format!("{colour}{head}{RESET}{BOLD}: {rest}{RESET}"),
            None => format!("{colour}{content}{RESET}"),
        };
        let line = if content.starts_with("error") {
            heading(RED)
        } else if content.starts_with("warning") {
            heading(YELLOW)
        } else if bare.starts_with("--> ") || bare.starts_with("= ") {
            format!("{CYAN}{content}{RESET}")
        } else if !marks.is_empty() && marks.chars().all(|c| c == '^') {
            format!("{RED}{content}{RESET}")
        } else {
            content.to_owned()
        };
        painted.push_str(&line);
        painted.push_str(end);
    }
    painted
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_positions_and_marks_get_colours_and_source_lines_do_not() {
        let text = "error[E0102]: unknown attribute\n --> a.xml:1:2\n  |\n1 | <joint rnage=\"1\"/>\n  |        ^^^^^\n  = help: x\n";
        let painted = paint(text);
        assert!(painted.contains("\x1b[1;31merror[E0102]\x1b[0m"), "{painted}");
        assert!(painted.contains("\x1b[36m --> a.xml:1:2\x1b[0m"), "{painted}");
        assert!(painted.contains("\x1b[1;31m  |        ^^^^^\x1b[0m"), "{painted}");
        assert!(painted.contains("\n1 | <joint rnage=\"1\"/>\n"), "{painted}");
    }
}
