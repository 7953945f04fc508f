//! How difficult a question is among those of its storyboard's stories.
//!
//! Pilot stories say how difficult questions usually are. They are stories of the same family under a seed that follows from
//! nothing but what decides what happens in them, so a question's rank is a function of its row.

use rand::Rng;

use super::family::Family;
use super::selector::Selector;
use crate::plan::written_number;
use crate::question::{Asker, Difficulty, DifficultyGauge};
use crate::rng::{Purpose, StreamKey};
use crate::simulate::Story;

/// The number of pilot stories.
const STORIES: u64 = 500;

/// How difficult the questions of pilot stories are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ranking {
    /// For each question as the author writes it, the scores of the pilot stories in which it has an answer, in ascending order.
    scores: Vec<Vec<u64>>,
}

impl Ranking {
    /// Makes the pilot stories of a family.
    pub(super) fn of(family: &Family) -> Self {
        let key = StreamKey::derive(0, &family.plans()[0].fingerprint, Purpose::Difficulty);
        let seed = key.stream(0, 0).next_u64();
        let mut members: Vec<_> = family.plans().iter().map(|_| None).collect();
        let (mut selector, mut story) = (Selector::new(family, seed), Story::default());
        let mut scores = vec![Vec::new(); family.question_count()];
        for index in 0..STORIES {
            selector.draw(index, &mut story);
            let plan = selector.plan();
            let new = || (Asker::new(plan, seed), DifficultyGauge::new(plan));
            let (asker, gauge) = members[selector.plan_number()].get_or_insert_with(new);
            for answered in asker.ask(&story) {
                let number = written_number(&plan.bundles, answered.question);
                scores[number].push(gauge.measure(&story, answered).score());
            }
        }
        scores.iter_mut().for_each(|scores| scores.sort_unstable());
        Self { scores }
    }

    /// The share of pilot stories in which the question with this number, as the author counts, is easier, in percent and rounded;
    /// of those in which it is just as difficult, half are counted. `None` if it has an answer in none of them.
    ///
    /// ```
    /// use storysim::{compile::compile, question::Difficulty, select::Family, storyboard};
    /// let board = storyboard::parse(storyboard::BUILT_IN[0].source()).unwrap();
    /// let family = Family::from(compile(&board, &[]).unwrap().plan);
    /// let easy = Difficulty { shortcuts_right: 6, ..Difficulty::default() };
    /// assert_eq!(family.ranking().quantile(0, &easy), Some(0));
    /// ```
    pub fn quantile(&self, number: usize, difficulty: &Difficulty) -> Option<u8> {
        let (scores, score) = (self.scores.get(number)?, difficulty.score());
        let below = scores.partition_point(|other| *other < score);
        let until = scores.partition_point(|other| *other <= score);
        let count = scores.len();
        // (below + equal / 2) / count, in percent, rounded half up.
        (count > 0).then(|| ((100 * (below + until) + count) / (2 * count)) as u8)
    }
}
