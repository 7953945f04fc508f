//! Long work: without the lock of the interpreter, and so that Ctrl-C is heard meanwhile.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

/// How long to work between two looks at whether somebody has pressed Ctrl-C.
pub const PAUSE: Duration = Duration::from_millis(50);

/// The stack of the thread that works: that of a program's first thread.
const STACK_BYTES: usize = 8 << 20;

/// Works on a thread of its own and waits for it. After Ctrl-C nobody waits any longer, and what comes of the work is dropped.
///
/// The library has no threads that outlive a call, so this goes on working after a fork.
pub fn patiently<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    let (done, mut waiting) = channel();
    let worker = thread::Builder::new().name("storysim".to_owned()).stack_size(STACK_BYTES);
    worker.spawn(move || {
        // Nobody may be waiting any longer.
        let _ = done.send(catch_unwind(AssertUnwindSafe(work)));
    })?;
    loop {
        let made;
        (made, waiting) = py.detach(move || (waiting.recv_timeout(PAUSE), waiting));
        match made {
            Ok(Ok(made)) => return Ok(made),
            Err(RecvTimeoutError::Timeout) => py.check_signals()?,
            Ok(Err(_)) | Err(RecvTimeoutError::Disconnected) => {
                let message = "storysim failed where it should not; stderr says where. Please report it";
                return Err(PyRuntimeError::new_err(message));
            }
        }
    }
}
