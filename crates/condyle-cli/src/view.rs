//! `condyle view`: the model in the browser.

use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use clap::Args;
use condyle_viewer::Session;
use condyle_viewer::server::{Server, Settings, Watch};

use crate::interrupt::Interrupt;
use crate::state::no_keyframe;
use crate::urdf::UrdfArguments;
use crate::{Outcome, sayln, tell};

#[derive(Args)]
pub(crate) struct ViewArguments {
    /// Model file; the built-in figure if omitted.
    model: Option<PathBuf>,
    /// Port to listen on; any free port by default.
    #[arg(long)]
    port: Option<u16>,
    /// Reload the model whenever a file in its folder changes, keeping the state of elements that are still there.
    #[arg(long)]
    watch: bool,
    /// Print the address without opening the browser.
    #[arg(long)]
    no_open: bool,
    /// Address to listen on, to allow pages on other machines. Anyone who learns the page's address can then control the simulation.
    #[arg(long, value_name = "ADDRESS")]
    host: Option<IpAddr>,
    /// Token in the address, so that open pages find a restarted viewer again; random by default.
    #[arg(long, value_name = "LETTERS")]
    token: Option<String>,
    /// Start from this keyframe, by name or number.
    #[arg(long, visible_alias = "key")]
    keyframe: Option<String>,
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
        return Err(format!("{}: no such file", path.display()));
    }
    let name = model.map_or_else(|| "figure".to_owned(), |path| path.display().to_string());
    let mut session = Session::new(&name, condyle::system_clock);
    session.show(load(arguments));
    if let (Some(key), Some(sim)) = (&arguments.keyframe, session.sim()) {
        let model = Arc::clone(&sim.model);
        if !session.start_from(key) {
            return Err(no_keyframe(&model, key));
        }
    }
    if arguments.paused {
        session.pause();
    }
    let session = Arc::new(Mutex::new(session));
    if let Some(token) = &arguments.token
        && (token.len() < 16 || !token.bytes().all(|byte| byte.is_ascii_alphanumeric()))
    {
        return Err("the token must have at least 16 letters and digits".to_owned());
    }
    let mut settings =
        Settings { port: arguments.port.unwrap_or(0), token: arguments.token.clone(), ..Settings::default() };
    if let Some(host) = arguments.host {
        settings.host = host;
        if !host.is_loopback() {
            tell!(
                "warning: {host} can be reached from other machines. The connection is not encrypted, and anyone who learns the address\nbelow can watch and control this simulation. Forwarding the port over SSH (`ssh -L PORT:127.0.0.1:PORT`) is safer."
            );
        }
    }
    let server = Server::start(Arc::clone(&session), &settings)?;
    if !Server::has_page() {
        tell!(
            "warning: this program was built without the viewer's page\n  help: run `cargo xtask viewer`, then build the program again"
        );
    }
    sayln!("{}", server.url());
    tell!("Press Ctrl-C to stop.");
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
