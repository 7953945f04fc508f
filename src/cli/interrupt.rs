//! Ctrl-C removes what is unfinished and keeps what is finished.

use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

use super::say;

static IS_ASKED_TO_STOP: AtomicBool = AtomicBool::new(false);

/// From now on, the first Ctrl-C only asks to stop; a second one stops at once.
pub fn listen() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let asked = || {
            if IS_ASKED_TO_STOP.swap(true, Ordering::Relaxed) {
                std::process::exit(super::INTERRUPTED.into());
            }
            say("stopping; press Ctrl-C again to stop at once\n");
        };
        // Where this cannot be, Ctrl-C stops at once, and leaves an unfinished file under its temporary name.
        let _ = ctrlc::set_handler(asked);
    });
}

/// Whether nobody has asked to stop yet.
pub fn goes_on() -> bool {
    !IS_ASKED_TO_STOP.load(Ordering::Relaxed)
}
