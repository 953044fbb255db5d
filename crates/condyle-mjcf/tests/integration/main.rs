//! Texts to models and back: what is read, refused and written, on our own models, on malformed ones and on mutations of both.

mod caps;
mod cascades;
mod malformed;
mod mutation;
mod newer;
mod reading;
mod saving;
mod tables;
mod tree;
