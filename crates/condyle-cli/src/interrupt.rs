//! Ctrl-C and `kill`: the first asks a long command to come to its end and sum up, the second ends it at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;

/// Which signal has come, if any.
pub(crate) struct Interrupt {
    signal: Arc<AtomicUsize>,
}

impl Interrupt {
    /// Take signals from now on.
    pub(crate) fn watch() -> Self {
        let (signal, again) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicBool::new(false)));
        for number in [SIGINT, SIGTERM] {
            // In this order the first signal only sets the flags, and a second one finds `again` set.
            let _ = flag::register_conditional_default(number, Arc::clone(&again));
            let _ = flag::register(number, Arc::clone(&again));
            let _ = flag::register_usize(number, Arc::clone(&signal), number as usize);
        }
        Self { signal }
    }

    /// The exit code of a program that a signal ended, once one has come.
    pub(crate) fn exit_code(&self) -> Option<u8> {
        let signal = self.signal.load(Ordering::Relaxed);
        (signal != 0).then(|| 128 + u8::try_from(signal).unwrap_or(0))
    }
}
