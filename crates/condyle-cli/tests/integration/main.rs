//! The command from the outside: what it prints, writes and refuses.

mod common;
mod contact;
mod info;
mod muscle;
mod output;
mod packages;
mod picture;
mod record;
mod robots;
mod run;
mod timestep;
