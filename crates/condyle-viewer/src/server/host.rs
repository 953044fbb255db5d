//! The two sides of a connection: the thread that runs the session, and the task that moves the bytes of one page.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::time::Duration;

use axum::extract::ws::{Message as SocketMessage, WebSocket};
use condyle::system_clock;
use tokio::sync::mpsc::{Receiver, Sender, channel, error::TrySendError};

use super::Shared;
use crate::{Message, Session, ViewId};

/// Longest sleep of the session between two looks at the clock.
const PAUSE: Duration = Duration::from_millis(2);
/// Most messages that wait for a page to read them.
const MOST_WAITING: usize = 4096;
/// Most bytes that wait for a page to read them.
const MOST_WAITING_BYTES: usize = 1 << 30;
/// Most pages at once.
const MOST_PAGES: usize = 32;

/// What a page sends to the thread of the session.
pub(super) enum Incoming {
    Connect(Outgoing),
    Line(u64, String),
    Gone(u64),
}

/// The way to a page.
pub(super) struct Outgoing {
    number: u64,
    sender: Sender<Message>,
    bytes: Arc<AtomicUsize>,
}

/// Runs the session until it shall stop.
pub(super) fn run(session: &Mutex<Session>, inbox: &mpsc::Receiver<Incoming>, stopping: &AtomicBool) {
    let mut pages: Vec<(Outgoing, ViewId)> = Vec::new();
    while !stopping.load(Ordering::Relaxed) {
        let first = inbox.recv_timeout(PAUSE).ok();
        let mut session = session.lock().unwrap_or_else(PoisonError::into_inner);
        for message in first.into_iter().chain(inbox.try_iter()) {
            receive(&mut session, &mut pages, message);
        }
        let now = system_clock();
        session.advance(now);
        pages.retain(|(page, view)| {
            let open = session.poll(*view, now).into_iter().all(|message| page.send(message));
            if !open {
                session.disconnect(*view);
            }
            open
        });
    }
}

fn receive(session: &mut Session, pages: &mut Vec<(Outgoing, ViewId)>, message: Incoming) {
    let find =
        |pages: &[(Outgoing, ViewId)], number| pages.iter().position(|(page, _)| page.number == number);
    match message {
        Incoming::Connect(page) => pages.push((page, session.connect())),
        Incoming::Line(number, line) => {
            if let Some(place) = find(pages, number) {
                session.command(pages[place].1, &line);
            }
        }
        Incoming::Gone(number) => {
            if let Some(place) = find(pages, number) {
                session.disconnect(pages.remove(place).1);
            }
        }
    }
}

impl Outgoing {
    /// Hands a message over without waiting; `false` when the page is gone or reads nothing.
    fn send(&self, message: Message) -> bool {
        let length = match &message {
            Message::Text(text) => text.len(),
            Message::Binary(bytes) => bytes.len(),
        };
        if self.bytes.fetch_add(length, Ordering::Relaxed) > MOST_WAITING_BYTES {
            return false;
        }
        match self.sender.try_send(message) {
            Ok(()) => true,
            Err(TrySendError::Full(_) | TrySendError::Closed(_)) => false,
        }
    }
}

/// Moves the bytes of one page until either side ends.
pub(super) async fn attend(mut socket: WebSocket, shared: Arc<Shared>) {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    if shared.pages.fetch_add(1, Ordering::Relaxed) < MOST_PAGES {
        let number = NEXT.fetch_add(1, Ordering::Relaxed) as u64;
        let (sender, mut outbox) = channel(MOST_WAITING);
        let bytes = Arc::new(AtomicUsize::new(0));
        let page = Outgoing { number, sender, bytes: Arc::clone(&bytes) };
        if tell(&shared, Incoming::Connect(page)) {
            exchange(&mut socket, &shared, number, &mut outbox, &bytes).await;
            tell(&shared, Incoming::Gone(number));
        }
    }
    shared.pages.fetch_sub(1, Ordering::Relaxed);
}

async fn exchange(
    socket: &mut WebSocket,
    shared: &Shared,
    number: u64,
    outbox: &mut Receiver<Message>,
    bytes: &AtomicUsize,
) {
    loop {
        tokio::select! {
            outgoing = outbox.recv() => {
                let Some(message) = outgoing else { return };
                let (message, length) = match message {
                    Message::Text(text) => { let length = text.len(); (SocketMessage::Text(text.into()), length) }
                    Message::Binary(data) => { let length = data.len(); (SocketMessage::Binary(data.into()), length) }
                };
                bytes.fetch_sub(length, Ordering::Relaxed);
                if socket.send(message).await.is_err() {
                    return;
                }
            }
            incoming = socket.recv() => {
                // A message that is too large or malformed ends the connection; the session goes on.
                let Some(Ok(message)) = incoming else { return };
                let line = match message {
                    SocketMessage::Text(text) => text.as_str().to_owned(),
                    SocketMessage::Binary(_) => "binary".to_owned(),
                    SocketMessage::Ping(_) | SocketMessage::Pong(_) => continue,
                    SocketMessage::Close(_) => return,
                };
                if !tell(shared, Incoming::Line(number, line)) {
                    return;
                }
            }
        }
    }
}

/// `false` when the session has ended.
fn tell(shared: &Shared, message: Incoming) -> bool {
    shared.inbox.lock().unwrap_or_else(PoisonError::into_inner).send(message).is_ok()
}
