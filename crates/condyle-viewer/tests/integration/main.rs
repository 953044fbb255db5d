//! Sessions of the viewer and, where the feature `server` is on, the server in front of them.

#[cfg(feature = "server")]
mod server;
mod session;
