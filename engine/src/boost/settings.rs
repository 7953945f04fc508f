//! What one can ask of learning.

/// How much is learned, and how boldly.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// The largest number of trees.
    pub trees: usize,
    /// The number of questions on the way to a leaf, from 1 to [`DEPTH_MAX`](super::DEPTH_MAX).
    pub depth: usize,
    /// The share of each Newton step that is taken.
    pub shrinkage: f64,
    /// What is added to the hessian of a leaf, so that few choices make small scores: the L2 penalty on scores. It counts
    /// rows of average weight.
    pub leaf_penalty: f64,
    /// The least hessian of a leaf, Σ p(1 − p) over its choices, in rows of average weight.
    pub leaf_hessian_min: f64,
    /// If given, every fifth row is held out, and learning stops when so many trees in a row have not brought the
    /// probabilities of these rows closer to what is right; the trees after the best one are dropped.
    pub patience: Option<usize>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            trees: 100,
            depth: 5,
            shrinkage: 0.15,
            leaf_penalty: 1.0,
            leaf_hessian_min: 5.0,
            patience: None,
        }
    }
}
