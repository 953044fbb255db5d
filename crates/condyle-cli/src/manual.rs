//! Completions for shells and manual pages, made from the same description as `--help`.

use std::path::PathBuf;

use clap::{Args, CommandFactory};

use crate::{Arguments, Outcome, file, say, sayln};

#[derive(Args)]
pub(crate) struct ManArguments {
    /// Write a page for the command and for each subcommand to this folder; otherwise the main page is printed.
    #[arg(long, value_name = "FOLDER")]
    output: Option<PathBuf>,
}

/// Print the completions for a shell.
pub(crate) fn completions(shell: clap_complete::Shell) -> Outcome {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "condyle", &mut script);
    say!("{}", String::from_utf8_lossy(&script));
    Ok(0)
}

/// Print the manual page, or write all of them.
pub(crate) fn man(arguments: &ManArguments) -> Outcome {
    let mut command = Arguments::command();
    command.build();
    let Some(folder) = &arguments.output else {
        say!("{}", String::from_utf8_lossy(&page(command, "condyle")?));
        return Ok(0);
    };
    std::fs::create_dir_all(folder).map_err(|error| format!("{}: {error}", folder.display()))?;
    let mut pages = vec![("condyle".to_owned(), command.clone())];
    let subcommands = command.get_subcommands().filter(|subcommand| subcommand.get_name() != "help");
    pages.extend(
        subcommands.map(|subcommand| (format!("condyle-{}", subcommand.get_name()), subcommand.clone())),
    );
    for (name, command) in pages {
        let path = folder.join(format!("{name}.1"));
        file::write(&path, &page(command, &name)?)?;
        sayln!("{}", path.display());
    }
    Ok(0)
}

fn page(command: clap::Command, name: &str) -> Result<Vec<u8>, String> {
    let mut text = Vec::new();
    let title: &'static str = Box::leak(name.to_owned().into_boxed_str());
    let rendered = clap_mangen::Man::new(command.name(title)).render(&mut text);
    rendered.map_err(|error| error.to_string())?;
    Ok(text)
}
