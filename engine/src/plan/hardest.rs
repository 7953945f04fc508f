//! Which of several walks is told.

use crate::form::Hardness;

/// Of so many walks, the one whose question is hardest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hardest {
    /// The number of walks.
    pub of: u64,
    /// By what they are compared.
    pub by: Hardness,
    /// The number of the question, as the author counts.
    pub question: usize,
}
