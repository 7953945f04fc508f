//! What stories are kept by, as found on pilot stories.

use serde::{Deserialize, Serialize};

/// The factors by which stories are kept: the probability is proportional to the product of the factors of a story's values.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Weights {
    /// The factors, by margin and by value of the margin.
    pub factors: Vec<Vec<f64>>,
    /// The product from which on a story is always kept; for pairs, the mean of the product over the changes of a story.
    pub largest: f64,
    /// The limits of a story's weight, as multiples of the product of the factors up to and including a stage: for each
    /// [`crate::plan::Stage`] but the last, and for each value of the margin that [`crate::plan::Balance::ranks`] names.
    pub caps: Vec<Vec<f64>>,
    /// The share of stories that are kept; for pairs, of the stories that `balance` keeps.
    pub kept: f64,
    /// How far the worst share is off, on the stories that the factors were fitted on.
    pub error: f64,
    /// The number of the margin with the worst share.
    pub worst: usize,
    /// The number of pilot stories that the factors were fitted on.
    pub pilots: usize,
    /// The values with a share that no pilot story had: for each, the number of its margin and its number among the shares.
    #[serde(skip)]
    pub missing: Vec<(usize, usize)>,
}
