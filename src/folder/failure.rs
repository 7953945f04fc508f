//! Why something with storyboards and files was not done.

use std::io;

/// Why something was not done that was asked for.
#[derive(Debug)]
pub enum Failure {
    /// The input is wrong, and that has been said.
    Input,
    /// The input is wrong; these whole lines say how.
    Wrong(String),
    /// What is asked for cannot be.
    Usage(String),
    /// A file or a stream failed: what was attempted, and why not.
    Environment(String, io::Error),
    /// Whoever reads what is written has seen enough.
    ReaderLeft,
    /// Somebody asked to stop.
    Interrupted,
}

impl Failure {
    /// A failure of the environment at `what`; or, where nobody reads any more, that the reader has left.
    pub fn environment(what: impl Into<String>) -> impl FnOnce(io::Error) -> Self {
        |error| match error.kind() {
            io::ErrorKind::BrokenPipe => Self::ReaderLeft,
            _ => Self::Environment(what.into(), error),
        }
    }
}
