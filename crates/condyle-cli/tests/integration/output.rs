//! What every command does with its output: closed pipes, endings of files, paths that cannot be written, colours.

use std::process::Stdio;

use crate::common::{Folder, command, condyle, model, refused, stderr, text, with_input};

#[test]
fn a_closed_pipe_ends_every_command_quietly() {
    let figure = model("bench/figure.xml");
    let muscles = model("extensions/hill_muscle.xml");
    let commands: [&[&str]; 9] = [
        &["info", &figure],
        &["info", &figure, "--format", "json"],
        &["check", &figure],
        &["contacts", &figure],
        &["explain-pair", &figure, "floor", "head"],
        &["muscle", &muscles],
        &["completions", "bash"],
        &["man"],
        &["run", &figure, "--steps", "10"],
    ];
    for arguments in commands {
        // Nobody reads, from the very start.
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let child = command(arguments).stdout(writer).stderr(Stdio::piped()).spawn().expect("it starts");
        let output = child.wait_with_output().expect("it ends");
        assert!(!stderr(&output).contains("panicked"), "{arguments:?}: {}", stderr(&output));
        assert_eq!(stderr(&output), "", "{arguments:?}");
        #[cfg(unix)]
        {
            use std::os::unix::process::ExitStatusExt;
            assert_eq!(output.status.signal(), Some(13), "{arguments:?}: {:?}", output.status);
        }
    }
}

#[test]
fn endings_decide_the_format_of_pictures() {
    let folder = Folder::new("pictures");
    let figure = model("bench/figure.xml");
    let (svg, png, upper) = (folder.name("a.svg"), folder.name("a.png"), folder.name("A.PNG"));
    for path in [&svg, &png, &upper] {
        text(&["run", &figure, "--steps", "20", "--plot", path]);
    }
    assert!(std::fs::read(&svg).expect("svg").starts_with(b"<svg "));
    for path in [&png, &upper] {
        assert!(std::fs::read(path).expect("png").starts_with(b"\x89PNG\r\n\x1a\n"), "{path}");
    }
    // Refused before the run, which would take years.
    let other = folder.name("a.pdf");
    let said = refused(&["run", &figure, "--steps", "1000000000000", "--plot", &other]);
    assert!(said.contains("a.pdf: pictures must end in .svg or .png"), "{said}");
    assert!(!folder.path("a.pdf").exists());
    let said = refused(&["muscle", &model("extensions/hill_muscle.xml"), "0", "--plot", &other]);
    assert!(said.contains("pictures must end in .svg or .png"), "{said}");
}

#[test]
fn endings_decide_the_format_of_models() {
    let folder = Folder::new("models");
    let ball = folder.file(
        "ball.xml",
        "<mujoco><worldbody><body><freejoint/><geom size='.1'/></body></worldbody></mujoco>",
    );
    for name in ["a.xml", "a.mjcf", "a.mjb"] {
        let said = text(&["convert", &ball, "-o", &folder.name(name)]);
        assert!(said.contains("wrote"), "{said}");
        text(&["info", &folder.name(name)]);
    }
    let said = refused(&["convert", &ball, "-o", &folder.name("a.urdf")]);
    assert!(said.contains("URDF can be read but not written"), "{said}");
    let said = refused(&["convert", &ball, "-o", &folder.name("a.txt")]);
    assert!(said.contains("models must end in .xml or .mjcf or .mjb"), "{said}");
    assert!(!folder.path("a.urdf").exists() && !folder.path("a.txt").exists());
}

#[test]
fn paths_that_cannot_be_written_are_noticed_before_the_run() {
    let folder = Folder::new("unwritable");
    let missing = folder.path("missing");
    for (option, name) in [("--record", "a.csv"), ("--record", "a.npz"), ("--plot", "a.svg")] {
        let path = missing.join(name).display().to_string();
        let said = refused(&["run", "--steps", "1000000000000", option, &path]);
        assert!(said.contains(name) && said.contains("missing' does not exist"), "{said}");
    }
    let said = refused(&["run", "--steps", "1000000000000", "--record", &folder.name("a.txt")]);
    assert!(said.contains("recordings must end in .csv or .npz"), "{said}");
    // A file that is there keeps its content until the picture is drawn.
    let kept = folder.file("kept.svg", "old");
    refused(&["run", "--plot", &kept, "--signals", "nothing"]);
    assert_eq!(std::fs::read_to_string(kept).expect("it is there"), "old");
}

#[test]
fn problems_are_coloured_only_where_that_is_wanted() {
    let broken = "<mujoco><worldbody><bdy/></worldbody></mujoco>";
    let plain = with_input(&["check", "-"], broken);
    assert!(!plain.stdout.contains(&0x1b) && !plain.stderr.contains(&0x1b));
    let folder = Folder::new("colours");
    let file = folder.file("broken.xml", broken);
    let painted = |key: &str, value: &str| {
        command(&["check", &file]).env(key, value).output().expect("it runs").stdout.contains(&0x1b)
    };
    assert!(painted("CLICOLOR_FORCE", "1"));
    assert!(!painted("NO_COLOR", "1"));
}

#[test]
fn completions_and_manual_pages_name_every_command() {
    let commands = ["run", "info", "check", "explain-pair", "contacts", "convert", "muscle", "bench"];
    for shell in ["bash", "zsh", "fish"] {
        let script = text(&["completions", shell]);
        assert!(commands.iter().all(|command| script.contains(command)), "{shell}");
        assert!(script.contains("on-nonfinite"), "{shell}");
    }
    assert!(text(&["man"]).contains(".TH condyle 1"));
    let folder = Folder::new("pages");
    text(&["man", "--output", &folder.name("man1")]);
    for command in commands {
        let page = folder.path("man1").join(format!("condyle-{command}.1"));
        assert!(page.exists(), "{}", page.display());
    }
    assert!(!condyle(&["completions", "none"]).status.success());
}
