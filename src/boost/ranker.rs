//! What was learned: trees that give a choice its score.

use serde::{Deserialize, Serialize};

use super::exp::softmax;

/// The largest depth of a tree.
pub const DEPTH_MAX: usize = 10;

/// The cut where a tree does not ask: every feature is at most that.
pub const NO_CUT: f32 = f32::MAX;

/// Trees that were learned, one after another. All are complete: below the node `n` are `2n + 1`, for values up to the cut,
/// and `2n + 2`.
///
/// It can be written and read with serde; what is read is checked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Written")]
pub struct Ranker {
    pub(super) width: usize,
    pub(super) depth: usize,
    /// For each tree its nodes but for the last row: the feature that is asked for, and the cut.
    pub(super) features: Vec<u16>,
    pub(super) cuts: Vec<f32>,
    /// For each tree the scores of the last row of nodes.
    pub(super) leaves: Vec<f32>,
    /// For each feature, by how much its splits have raised the likelihood.
    pub(super) gains: Vec<f64>,
}

/// A ranker as it is read, before its numbers are known to fit together.
#[derive(Deserialize)]
struct Written {
    width: usize,
    depth: usize,
    features: Vec<u16>,
    cuts: Vec<f32>,
    leaves: Vec<f32>,
    gains: Vec<f64>,
}

impl TryFrom<Written> for Ranker {
    type Error = &'static str;

    fn try_from(written: Written) -> Result<Self, Self::Error> {
        let Written { width, depth, features, cuts, leaves, gains } = written;
        if width == 0 || depth == 0 || depth > DEPTH_MAX || gains.len() != width {
            return Err("a ranker has features, and trees of depth 1 to 10");
        }
        let trees = leaves.len() >> depth;
        let nodes = trees * ((1 << depth) - 1);
        if trees << depth != leaves.len() || features.len() != nodes || cuts.len() != nodes {
            return Err("the trees of a ranker are complete");
        }
        let is_finite = cuts.iter().chain(&leaves).all(|number| number.is_finite());
        if !is_finite || features.iter().any(|&feature| usize::from(feature) >= width) {
            return Err("the nodes of a ranker ask for its features");
        }
        Ok(Self { width, depth, features, cuts, leaves, gains })
    }
}

impl Ranker {
    /// A ranker without trees: every choice has the score 0.
    pub(super) fn new(width: usize, depth: usize) -> Self {
        Self { width, depth, features: vec![], cuts: vec![], leaves: vec![], gains: vec![0.0; width] }
    }

    /// Keeps only the first trees.
    pub(super) fn shorten(&mut self, trees: usize) {
        let inner = (1 << self.depth) - 1;
        self.features.truncate(trees * inner);
        self.cuts.truncate(trees * inner);
        self.leaves.truncate(trees << self.depth);
    }

    /// The number of trees.
    pub fn tree_count(&self) -> usize {
        self.leaves.len() >> self.depth
    }

    /// For each feature, by how much its splits have raised the logarithm of the likelihood, as far as a Newton step can
    /// tell. A feature that no tree asks for has 0.
    pub fn gains(&self) -> &[f64] {
        &self.gains
    }

    /// The score of a choice with these features. Only its difference to the scores of other choices of a row has a meaning.
    ///
    /// # Panics
    /// If there are fewer features than were learned from.
    #[inline]
    pub fn score(&self, values: &[f32]) -> f64 {
        (0..self.tree_count()).fold(0.0, |sum, tree| sum + f64::from(self.leaf(tree, values)))
    }

    /// What one tree adds to the score of a choice.
    #[inline]
    pub(super) fn leaf(&self, tree: usize, values: &[f32]) -> f32 {
        let inner = (1 << self.depth) - 1;
        let (features, cuts) = (&self.features[tree * inner..][..inner], &self.cuts[tree * inner..][..inner]);
        let mut node = 0;
        for _ in 0..self.depth {
            node = 2 * node + 1 + usize::from(values[usize::from(features[node])] > cuts[node]);
        }
        self.leaves[(tree << self.depth) + node - inner]
    }

    /// For a row with the features of one choice after another, the probability that each choice is right.
    /// They take the place of what is in `probabilities`.
    ///
    /// # Panics
    /// If there is not a whole number of choices.
    pub fn probabilities(&self, values: &[f32], probabilities: &mut Vec<f64>) {
        assert!(values.len().is_multiple_of(self.width), "choices have {} features each", self.width);
        probabilities.clear();
        probabilities.extend(values.chunks_exact(self.width).map(|choice| self.score(choice)));
        softmax(probabilities);
    }
}
