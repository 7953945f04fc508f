//! Ctrl-C: what is unfinished goes, what is finished stays.

use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

use super::{Failure, say};

static IS_ASKED_TO_STOP: AtomicBool = AtomicBool::new(false);

/// From now on, Ctrl-C only asks; a second one stops at once.
pub fn listen() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let asked = || {
            if IS_ASKED_TO_STOP.swap(true, Ordering::Relaxed) {
                std::process::exit(Failure::INTERRUPTED.into());
            }
            say("stopping; once more to stop at once\n");
        };
        // Where this cannot be, Ctrl-C stops at once, and leaves an unfinished file under its temporary name.
        let _ = ctrlc::set_handler(asked);
    });
}

/// Goes on, unless somebody has asked to stop.
///
/// # Errors
/// If so.
pub fn go_on() -> Result<(), Failure> {
    if IS_ASKED_TO_STOP.load(Ordering::Relaxed) { Err(Failure::Interrupted) } else { Ok(()) }
}
