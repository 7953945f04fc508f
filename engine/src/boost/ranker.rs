//! What was learned: trees that give a choice its score.

use serde::{Deserialize, Serialize};

use super::exp::softmax;

/// The largest depth of a tree.
pub const DEPTH_MAX: usize = 10;

/// How many choices are scored side by side.
const LANES: usize = 8;

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
        for choices in values.chunks(LANES * self.width) {
            let scores = self.scores(choices);
            probabilities.extend_from_slice(&scores[..choices.len() / self.width]);
        }
        softmax(probabilities);
    }

    /// The scores of a few choices. Their ways down a tree are gone side by side, as none waits for another: each takes
    /// longer to look up what it asks for than to go on.
    fn scores(&self, choices: &[f32]) -> [f64; LANES] {
        let mut lanes = [&choices[..0]; LANES];
        let count = choices.len() / self.width;
        lanes.iter_mut().zip(choices.chunks_exact(self.width)).for_each(|(lane, choice)| *lane = choice);
        let inner = (1 << self.depth) - 1;
        let of_nodes = self.features.chunks_exact(inner).zip(self.cuts.chunks_exact(inner));
        let mut scores = [0.0; LANES];
        for ((features, cuts), leaves) in of_nodes.zip(self.leaves.chunks_exact(1 << self.depth)) {
            let mut nodes = [0; LANES];
            for _ in 0..self.depth {
                for (node, values) in nodes.iter_mut().zip(&lanes[..count]) {
                    *node = 2 * *node + 1 + usize::from(values[usize::from(features[*node])] > cuts[*node]);
                }
            }
            for (score, node) in scores.iter_mut().zip(&nodes[..count]) {
                *score += f64::from(leaves[node - inner]);
            }
        }
        scores
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::boost::{Data, Settings};
    use crate::rng::{Purpose, StreamKey, below};

    #[test]
    fn choices_side_by_side_have_their_scores() {
        let mut stream = StreamKey::derive(7, "ranker", Purpose::Walk).stream(0, 0);
        let mut value = || below(&mut stream, 20) as f32;
        let mut data = Data::new(3);
        for row in 0..300 {
            let shown: Vec<f32> = (0..12).map(|_| value()).collect();
            data.push(&shown, row % 4, 1.0);
        }
        let settings = Settings {
            trees: 9,
            depth: 3,
            shrinkage: 0.3,
            leaf_penalty: 1.0,
            leaf_hessian_min: 1.0,
            patience: None,
        };
        let ranker = Ranker::learn(&data, &settings);
        let mut probabilities = Vec::new();
        for count in 1..=2 * LANES + 1 {
            let shown: Vec<f32> = (0..3 * count).map(|_| value()).collect();
            let mut wanted: Vec<f64> = shown.chunks(3).map(|choice| ranker.score(choice)).collect();
            assert!(count == 1 || wanted.iter().any(|score| *score != wanted[0]));
            softmax(&mut wanted);
            ranker.probabilities(&shown, &mut probabilities);
            assert_eq!(probabilities, wanted, "{count} choices");
        }
    }
}
