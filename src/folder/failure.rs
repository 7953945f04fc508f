//! Why something with storyboards and files was not done.

use std::io;

/// The reason why something that was asked for was not done.
#[derive(Debug)]
pub enum Failure {
    /// The input is wrong, and this has already been reported.
    Input,
    /// The input is wrong, as these whole lines explain.
    Wrong(String),
    /// What is asked for is impossible.
    Usage(String),
    /// A file or stream failed; the text says what was attempted.
    Environment(String, io::Error),
    /// Whoever reads the output has stopped reading.
    ReaderLeft,
    /// Somebody asked to stop.
    Interrupted,
}

impl Failure {
    /// A failure at `what`; if it means that nobody reads the output any more, [`Self::ReaderLeft`].
    pub fn environment(what: impl Into<String>) -> impl FnOnce(io::Error) -> Self {
        |error| match error.kind() {
            io::ErrorKind::BrokenPipe => Self::ReaderLeft,
            _ => Self::Environment(what.into(), error),
        }
    }
}
