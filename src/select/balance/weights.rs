//! What stories are kept by, as found on pilot stories.

/// The factors by which stories are kept: with a probability in proportion to the product of those of a story's values.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    /// The factors: of each margin, of each of its values.
    pub factors: Vec<Vec<f64>>,
    /// The product from which on a story is always kept; of pairs, the mean over the changes of a story.
    pub largest: f64,
    /// The limits of what a story counts for: of each [`crate::plan::Stage`] but the last, and of each value of the margin
    /// that [`crate::plan::Balance::ranks`] names, how many times the product of the factors up to and with that stage.
    pub caps: Vec<Vec<f64>>,
    /// The share of stories that are kept; of pairs, of those that `balance` keeps.
    pub kept: f64,
    /// By how much a share is off, at most, on the stories that the factors were fitted on.
    pub error: f64,
    /// The number of the margin whose share is off the most.
    pub worst: usize,
    /// The number of pilot stories that the factors were fitted on.
    pub pilots: usize,
}
