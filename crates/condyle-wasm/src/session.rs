//! Sessions of the viewer, for a page that has the engine inside.

use std::cell::RefCell;

use condyle_viewer::{Message, Session, ViewId};

use crate::memory::{answer, text};
use crate::{clock, sim};

struct Entry {
    session: Session,
    view: Option<ViewId>,
    waiting: std::collections::VecDeque<Message>,
}

thread_local! {
    static SESSIONS: RefCell<Vec<Option<Entry>>> = const { RefCell::new(Vec::new()) };
}

fn with<R: Default>(number: usize, work: impl FnOnce(&mut Entry) -> R) -> R {
    SESSIONS.with_borrow_mut(|sessions| {
        let entry = number.checked_sub(1).and_then(|place| sessions.get_mut(place)).and_then(Option::as_mut);
        entry.map(work).unwrap_or_default()
    })
}

/// A session without a model.
///
/// # Safety
/// The place of its name is a room of at least the length.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn condyle_session(name: *const u8, length: usize) -> usize {
    // SAFETY: as the caller says.
    let session = Session::new(&unsafe { text(name, length) }, clock);
    let entry = Entry { session, view: None, waiting: Default::default() };
    SESSIONS.with_borrow_mut(|sessions| {
        sessions.push(Some(entry));
        sessions.len()
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn condyle_session_end(number: usize) {
    SESSIONS.with_borrow_mut(|sessions| {
        if let Some(place) = number.checked_sub(1).and_then(|place| sessions.get_mut(place)) {
            *place = None;
        }
    });
}

/// Shows the model of a file that was given, or its problems. `keep` keeps the state of the model before where it fits.
///
/// # Safety
/// The place of the name is a room of at least the length.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn condyle_session_show(number: usize, name: *const u8, length: usize, keep: bool) {
    // SAFETY: as the caller says.
    let name = unsafe { text(name, length) };
    with(number, |entry| {
        entry.session.rename(&name);
        let loaded = sim::load(&name);
        if keep { entry.session.show(loaded) } else { entry.session.open(loaded) }
    });
}

/// A page is there.
#[unsafe(no_mangle)]
pub extern "C" fn condyle_session_connect(number: usize) {
    with(number, |entry| entry.view = Some(entry.session.connect()));
}

/// A command of the page.
///
/// # Safety
/// The place is a room of at least the length.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn condyle_session_command(number: usize, line: *const u8, length: usize) {
    // SAFETY: as the caller says.
    let line = unsafe { text(line, length) };
    with(number, |entry| {
        if let Some(view) = entry.view {
            entry.session.command(view, &line);
        }
    });
}

/// Brings the simulation to where it should be now; whether the page asked for the model to be loaded again.
#[unsafe(no_mangle)]
pub extern "C" fn condyle_session_advance(number: usize) -> bool {
    with(number, |entry| {
        entry.session.advance(clock());
        entry.session.take_reload()
    })
}

/// How many messages wait for the page.
#[unsafe(no_mangle)]
pub extern "C" fn condyle_session_poll(number: usize) -> usize {
    with(number, |entry| {
        if let Some(view) = entry.view {
            let messages = entry.session.poll(view, clock());
            entry.waiting.extend(messages);
        }
        entry.waiting.len()
    })
}

/// The next message as answer: 1 for text, 2 for bytes, 0 for none.
#[unsafe(no_mangle)]
pub extern "C" fn condyle_session_message(number: usize) -> u32 {
    match with(number, |entry| entry.waiting.pop_front()) {
        Some(Message::Text(text)) => {
            answer(text);
            1
        }
        Some(Message::Binary(bytes)) => {
            answer(bytes);
            2
        }
        None => 0,
    }
}
