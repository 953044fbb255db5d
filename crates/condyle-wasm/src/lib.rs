//! Condyle for JavaScript: functions over numbers and places in memory, which `index.js` of the npm package turns into classes.
//!
//! Internal: programs use the npm package. Everything here may change in any version.
//!
//! Texts and files go in through memory that JavaScript asks for ([`condyle_room`]); answers stay in memory until the next call, their
//! place and length are read by [`condyle_answer`] and [`condyle_answer_length`]. Simulations and sessions are numbered from 1; 0 means
//! that something failed, and the answer says what. Arrays of a simulation stay where they are, so JavaScript reads and writes them in
//! place.

mod memory;
mod session;
mod sim;

pub use memory::{condyle_answer, condyle_answer_length, condyle_release, condyle_room};
pub use session::{
    condyle_session, condyle_session_advance, condyle_session_command, condyle_session_connect,
    condyle_session_end, condyle_session_message, condyle_session_poll, condyle_session_show,
};
pub use sim::{
    condyle_file, condyle_forget_files, condyle_load, condyle_sim_array, condyle_sim_array_length,
    condyle_sim_end, condyle_sim_forward, condyle_sim_hash, condyle_sim_keyframe, condyle_sim_name_to_id,
    condyle_sim_report, condyle_sim_reset, condyle_sim_restore, condyle_sim_size, condyle_sim_snapshot,
    condyle_sim_step, condyle_sim_time,
};

#[cfg(target_arch = "wasm32")]
#[link(wasm_import_module = "condyle")]
unsafe extern "C" {
    /// Seconds that only increase.
    safe fn now() -> f64;
}

/// The clock of the page.
#[cfg(target_arch = "wasm32")]
pub(crate) fn clock() -> f64 {
    now()
}

/// The clock of the machine.
#[cfg(not(target_arch = "wasm32"))]
pub(crate) fn clock() -> f64 {
    condyle::system_clock()
}
