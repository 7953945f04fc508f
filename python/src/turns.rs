//! A value that threads use in turns.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, TryLockError};
use std::thread;
use std::time::Duration;

use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;

/// How long to wait before trying again.
const PAUSE: Duration = Duration::from_micros(50);

/// The number of threads that have had a turn at anything.
static THREADS: AtomicU64 = AtomicU64::new(0);

thread_local! {
    static THREAD: u64 = THREADS.fetch_add(1, Ordering::Relaxed) + 1;
}

/// A value that threads use in turns, as with a `Mutex`. Whoever would wait for ever gets an exception instead: a thread for
/// itself, as where a finaliser runs while a value is being made; and a forked process for a thread that it does not have.
pub struct Turns<T> {
    value: Mutex<T>,
    /// The process and the thread whose turn it is; 0 if it is nobody's.
    holder: AtomicU64,
}

/// A turn, which ends when it is dropped.
pub struct Turn<'t, T> {
    pub value: MutexGuard<'t, T>,
    holder: &'t AtomicU64,
}

impl<T> Drop for Turn<'_, T> {
    fn drop(&mut self) {
        self.holder.store(0, Ordering::Relaxed);
    }
}

/// The process, and the thread within it.
fn own() -> [u64; 2] {
    [u64::from(std::process::id()), THREAD.with(|thread| *thread)]
}

impl<T: Send> Turns<T> {
    pub const fn new(value: T) -> Self {
        Self { value: Mutex::new(value), holder: AtomicU64::new(0) }
    }

    /// Waits for a turn. A turn begins with the interpreter's lock held, so no process is forked between its beginning and
    /// the note of whose it is.
    pub fn take(&self, py: Python<'_>) -> PyResult<Turn<'_, T>> {
        let [process, thread] = own();
        loop {
            match self.value.try_lock() {
                Ok(value) => {
                    self.holder.store(process << 32 | thread, Ordering::Relaxed);
                    return Ok(Turn { value, holder: &self.holder });
                }
                Err(TryLockError::Poisoned(_)) => unreachable!("nobody panics here"),
                Err(TryLockError::WouldBlock) => {}
            }
            let holder = self.holder.load(Ordering::Relaxed);
            if holder == process << 32 | thread {
                return Err(PyValueError::new_err("this iterator is already making a row"));
            }
            if holder != 0 && holder >> 32 != process {
                return Err(PyRuntimeError::new_err(
                    "another thread was reading this iterator when the process was forked, so it cannot go on here: \
                     make a new one in each process",
                ));
            }
            py.check_signals()?;
            py.detach(|| thread::sleep(PAUSE));
        }
    }
}
