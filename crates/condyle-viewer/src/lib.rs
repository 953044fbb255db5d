//! The viewer: a session that runs a simulation for any number of pages, and the messages it exchanges with them.
//!
//! Internal: the command `condyle view`, the Python module and the npm package are made of it. Everything here may change in any version.
//!
//! A [`Session`] knows nothing of sockets and clocks. It takes lines of text from a page ([`Session::command`]), is told the time
//! ([`Session::advance`]) and gives out messages ([`Session::poll`]); the native server, the Python module and the engine inside a
//! page all drive it this way. Pages draw the elements of the abstract scene (`condyle-vis`) and compute nothing themselves.
//!
//! | question | file |
//! |---|---|
//! | what can a page ask for? | `command.rs` |
//! | what does a page get? | `describe.rs` (model, JSON), `asset.rs` (meshes and textures), `frame.rs` (poses) |
//! | what runs, and when? | `session.rs`, `pace.rs` |
//! | what does one page look at? | `view.rs`, `page_commands.rs` |
//! | how does rewinding work? | `history.rs` |
//! | what survives a reload? | `carry.rs` |
//! | how is it served? | `server/`, with the feature `server` |

#![warn(missing_docs)]

mod asset;
mod bytes;
mod carry;
mod channel;
mod command;
mod describe;
mod frame;
mod history;
mod pace;
mod page_commands;
#[cfg(feature = "server")]
pub mod server;
mod session;
mod view;

pub use page_commands::state_hash;
pub use session::{Edit, Session, ViewId};
pub use view::View;

/// A message to a page.
#[derive(Clone, Debug, PartialEq)]
pub enum Message {
    /// JSON.
    Text(String),
    /// An asset or a frame.
    Binary(Vec<u8>),
}
