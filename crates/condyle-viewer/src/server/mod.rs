//! The page over HTTP on this machine, with a WebSocket for the session behind it.
//!
//! Everything is under a random token in the path, `http://127.0.0.1:PORT/TOKEN/`, and a request without it gets nothing. The only
//! files there are those compiled into the program; no request names a path of the disk. See `guard.rs` for what is refused.
//!
//! Two threads: one runs the session and never waits for a page, the other moves bytes. A page that does not read falls behind by the
//! frames it asked for and no more.

mod guard;
mod host;
mod page;
mod watch;

use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, mpsc};
use std::thread::JoinHandle;

use axum::Router;
use axum::routing::any;

use crate::Session;
use crate::server::host::{Incoming, run};
pub use crate::server::watch::Watch;

/// Where the page is served.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Address to listen at; anything but a loopback address opens the session to the network.
    pub host: IpAddr,
    /// 0: any free port.
    pub port: u16,
    /// Part of the address that a page must know; random without one.
    pub token: Option<String>,
}

impl Default for Settings {
    fn default() -> Self {
        Self { host: IpAddr::V4(Ipv4Addr::LOCALHOST), port: 0, token: None }
    }
}

/// What all requests share.
struct Shared {
    token: String,
    /// Whether names other than those of this machine are accepted as host.
    open: bool,
    inbox: Mutex<mpsc::Sender<Incoming>>,
    pages: AtomicUsize,
}

/// A running server; it ends when this is dropped.
pub struct Server {
    address: SocketAddr,
    shared: Arc<Shared>,
    stopping: Arc<AtomicBool>,
    stop: Option<tokio::sync::oneshot::Sender<()>>,
    threads: Vec<JoinHandle<()>>,
}

impl Server {
    /// Serves a session.
    pub fn start(session: Arc<Mutex<Session>>, settings: &Settings) -> Result<Self, String> {
        let token = match &settings.token {
            Some(token) => token.clone(),
            None => random_token()?,
        };
        let listener = std::net::TcpListener::bind((settings.host, settings.port)).map_err(|error| {
            format!(
                "cannot listen at {}: {error}\n  help: choose another --port, or leave it out for a free one",
                SocketAddr::from((settings.host, settings.port))
            )
        })?;
        let address = listener.local_addr().map_err(|error| error.to_string())?;
        listener.set_nonblocking(true).map_err(|error| error.to_string())?;
        let (sender, inbox) = mpsc::channel();
        let shared = Arc::new(Shared {
            token,
            open: !settings.host.is_loopback(),
            inbox: Mutex::new(sender),
            pages: AtomicUsize::new(0),
        });
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|error| format!("cannot start the server: {error}"))?;
        let (stop, stopped) = tokio::sync::oneshot::channel();
        let stopping = Arc::new(AtomicBool::new(false));
        let app = Router::new().fallback(any(page::answer)).with_state(Arc::clone(&shared));
        let requests = std::thread::Builder::new().name("condyle-pages".to_owned()).spawn(move || {
            runtime.block_on(async move {
                let Ok(listener) = tokio::net::TcpListener::from_std(listener) else { return };
                let serving = std::future::IntoFuture::into_future(axum::serve(listener, app));
                tokio::select! {
                    _ = serving => {}
                    _ = stopped => {}
                }
            });
        });
        let flag = Arc::clone(&stopping);
        let simulation = std::thread::Builder::new()
            .name("condyle-session".to_owned())
            .spawn(move || run(&session, &inbox, &flag));
        let mut threads = Vec::new();
        for thread in [requests, simulation] {
            threads.push(thread.map_err(|error| format!("cannot start a thread: {error}"))?);
        }
        Ok(Self { address, shared, stopping, stop: Some(stop), threads })
    }

    /// Address of the page.
    pub fn url(&self) -> String {
        format!("http://{}/{}/", self.address, self.shared.token)
    }

    /// The port it listens on.
    pub fn port(&self) -> u16 {
        self.address.port()
    }

    /// How many pages are connected.
    pub fn pages(&self) -> usize {
        self.shared.pages.load(Ordering::Relaxed)
    }

    /// Whether the page is part of this program.
    pub fn has_page() -> bool {
        page::is_built()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.stopping.store(true, Ordering::Relaxed);
        if let Some(stop) = self.stop.take() {
            let _ = stop.send(());
        }
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}

/// 128 random bits as letters and digits.
fn random_token() -> Result<String, String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| format!("the system gives no random numbers: {error}"))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}
