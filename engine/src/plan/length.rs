//! How long stories are made.

/// How many words a story has, and where in it lies what settles its answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Length {
    /// The number of words.
    pub words: usize,
    /// How much of the story lies before the step that settles the answer, from 0 to 1; drawn for each story, if not given.
    pub depth: Option<f64>,
}

impl Length {
    /// The largest number of words.
    pub const WORDS_MAX: usize = 10_000_000;

    /// The largest number of steps that a story of so many words can have: no sentence has fewer words than two.
    pub const fn steps_max(self) -> usize {
        self.words / 2
    }
}
