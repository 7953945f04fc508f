//! What does just the same in a story and its twin.

/// Who does the same at the same steps in both stories.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Same {
    /// The target: it is in the same place after every step, so what differs is who witnessed what.
    Target,
    /// Those whose minds are asked about: every event that names one of them is the same. One event of the target differs.
    Minds,
}
