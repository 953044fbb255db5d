//! `condyle view`: the model in the browser.

use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use clap::Args;
use condyle_viewer::Session;
use condyle_viewer::server::{Server, Settings, Watch};

use crate::interrupt::Interrupt;
use crate::urdf::UrdfArguments;
use crate::{Outcome, sayln, tell};

#[derive(Args)]
pub(crate) struct ViewArguments {
    /// Model file; without one, a figure that falls.
    model: Option<PathBuf>,
    /// Port to listen at; without one, any that is free.
    #[arg(long)]
    port: Option<u16>,
    /// Load the model again whenever a file in its folder changes, keeping the state where it fits.
    #[arg(long)]
    watch: bool,
    /// Only print the address; do not open the browser.
    #[arg(long)]
    no_open: bool,
    /// Address to listen at, for pages on other machines. Whoever learns the address of the page can then steer the simulation.
    #[arg(long, value_name = "ADDRESS")]
    host: Option<IpAddr>,
    /// Token in the address, for pages that shall find a restarted viewer again; without one it is random.
    #[arg(long, value_name = "LETTERS")]
    token: Option<String>,
    /// Start paused.
    #[arg(long)]
    paused: bool,
    #[command(flatten)]
    urdf: UrdfArguments,
}

/// How often files and signals are looked at.
const LOOK: Duration = Duration::from_millis(100);
/// Looks between two looks at the files.
const FILE_LOOKS: u32 = 4;

fn load(arguments: &ViewArguments) -> Result<condyle::Loaded, condyle::LoadError> {
    let options = arguments.urdf.load_options();
    match arguments.model.as_deref() {
        Some(path) => condyle::load_with(path, &options),
        None => condyle::load_str(crate::FIGURE, &options),
    }
}

/// Serve the page until Ctrl-C.
pub(crate) fn view(arguments: &ViewArguments) -> Outcome {
    let model = arguments.model.as_deref();
    if let Some(path) = model
        && !path.is_file()
    {
        return Err(format!("{}: there is no such file", path.display()));
    }
    let name = model.map_or_else(|| "figure".to_owned(), |path| path.display().to_string());
    let mut session = Session::new(&name, condyle::system_clock);
    session.show(load(arguments));
    if arguments.paused {
        session.pause();
    }
    let session = Arc::new(Mutex::new(session));
    if let Some(token) = &arguments.token
        && (token.len() < 16 || !token.bytes().all(|byte| byte.is_ascii_alphanumeric()))
    {
        return Err("a token has at least 16 letters and digits".to_owned());
    }
    let mut settings =
        Settings { port: arguments.port.unwrap_or(0), token: arguments.token.clone(), ..Settings::default() };
    if let Some(host) = arguments.host {
        settings.host = host;
        if !host.is_loopback() {
            tell!(
                "warning: {host} can be reached by other machines. The connection is not encrypted, and whoever learns the address\nbelow can see and steer this simulation. Over SSH, `ssh -L PORT:127.0.0.1:PORT` is the safer way."
            );
        }
    }
    let server = Server::start(Arc::clone(&session), &settings)?;
    if !Server::has_page() {
        tell!(
            "warning: the viewer's page is not part of this program\n  help: `cargo xtask viewer` builds it; then build the program again"
        );
    }
    sayln!("{}", server.url());
    tell!("Ctrl-C ends the viewer.");
    if !arguments.no_open {
        open(&server.url());
    }
    attend(&session, arguments, model)
}

fn attend(session: &Mutex<Session>, arguments: &ViewArguments, model: Option<&Path>) -> Outcome {
    let interrupt = Interrupt::watch();
    let mut watch = model.filter(|_| arguments.watch).map(Watch::new);
    let mut looks = 0;
    while interrupt.exit_code().is_none() {
        std::thread::sleep(LOOK);
        looks += 1;
        let changed = looks % FILE_LOOKS == 0 && watch.as_mut().is_some_and(Watch::has_changed);
        let lock = || session.lock().unwrap_or_else(PoisonError::into_inner);
        if changed || lock().take_reload() {
            let loaded = load(arguments);
            if let Err(error) = &loaded {
                tell!("{}", crate::say::paint(&error.to_string()));
            }
            lock().show(loaded);
        }
    }
    // Ctrl-C is how a viewer is meant to end.
    Ok(0)
}

/// Opens the page in the browser; where that fails the address is on the screen anyway.
fn open(url: &str) {
    let (program, arguments): (&str, &[&str]) = if cfg!(target_os = "macos") {
        ("open", &[])
    } else if cfg!(target_os = "windows") {
        ("explorer", &[])
    } else {
        ("xdg-open", &[])
    };
    let null = std::process::Stdio::null;
    let _ = std::process::Command::new(program)
        .args(arguments)
        .arg(url)
        .stdin(null())
        .stdout(null())
        .stderr(null())
        .spawn();
}
