//! How difficult questions usually are among the stories of a storyboard.

use serde::{Deserialize, Serialize};

use crate::question::Difficulty;

/// How difficult the questions of pilot stories are; [`super::ranking`] makes it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ranking {
    /// For each question as the author writes it, the scores of the pilot stories in which it has an answer, in ascending order.
    scores: Vec<Vec<u64>>,
}

impl Ranking {
    /// The ranking of questions with these scores, question by question, in any order.
    pub(super) fn new(mut scores: Vec<Vec<u64>>) -> Self {
        scores.iter_mut().for_each(|scores| scores.sort_unstable());
        Self { scores }
    }

    /// The share of pilot stories in which the question with this number, as the author counts, is easier, in percent and rounded;
    /// of those in which it is just as difficult, half are counted. `None` if it has an answer in none of them.
    ///
    /// ```
    /// use storysim::{compile::compile, question::Difficulty, select::{Family, ranking}, storyboard};
    /// let board = storyboard::parse(storyboard::BUILT_IN[0].source()).unwrap();
    /// let family = Family::from(compile(&board, &[]).unwrap().plan);
    /// let ranked = |after| {
    ///     ranking(&family).quantile(0, &Difficulty { bearing: 1, after, ..Difficulty::default() })
    /// };
    /// assert_eq!((ranked(0), ranked(1_000)), (Some(0), Some(100)));
    /// ```
    pub fn quantile(&self, number: usize, difficulty: &Difficulty) -> Option<u8> {
        self.quantile_of(number, difficulty.score())
    }

    /// The same, of a score.
    pub(super) fn quantile_of(&self, number: usize, score: u64) -> Option<u8> {
        let scores = self.scores.get(number)?;
        let below = scores.partition_point(|other| *other < score);
        let until = scores.partition_point(|other| *other <= score);
        let count = scores.len();
        // (below + equal / 2) / count, in percent, rounded half up.
        (count > 0).then(|| ((100 * (below + until) + count) / (2 * count)) as u8)
    }
}
