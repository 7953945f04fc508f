//! A second look at the stories that shares allow: could a learner that follows no mind guess the answer?
//!
//! Shares are of single properties, and what a learner makes of many at once is another matter. So the stories that are kept by
//! their shares are shown to learners, each of which is given one [`Sight`] and finds how likely each place is to be the
//! answer. Then a story is kept with a probability in proportion to 1 / p, where p is how likely the learners found its answer:
//! of all stories that look alike, those with a likely answer become fewer, until every answer is as likely as any other.
//! For example, let one of two places be the answer in three of four stories that look like this one:
//!
//! ```text
//! answer      of 400 stories     p       kept      of these
//! kitchen     300                3/4     1 in 3    100
//! garden      100                1/4     all       100
//! ```
//!
//! Learners learn one after another, each from stories as they are weighed after those before it ([`fit`]); then shares are put
//! right again by raking. The stories with the least likely answers would have to be kept so much more often than others that
//! these would hardly ever be, so what a story counts for is limited.

mod fit;
mod signs;
#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};

use crate::boost::Ranker;
use crate::plan::{Plan, Question, Sight};
use crate::simulate::Story;
pub use fit::fit;
use signs::Signs;

/// By what stories are kept at a second look.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Look {
    /// What was learned, one after another, each from what it was given to see.
    rankers: Vec<(Sight, Ranker)>,
    /// The factors of shares, by margin and by value of the margin; see [`super::Weights`].
    factors: Vec<Vec<f64>>,
    /// The weight from which on a story is always kept.
    largest: f64,
    /// The share of stories that are kept.
    pub kept: f64,
    /// How far the worst share is off, on the stories that the factors were fitted on.
    pub error: f64,
    /// The number of the margin with the worst share.
    pub worst: usize,
}

impl Look {
    /// A weight times the factors of shares.
    fn by_shares(&self, weight: f64, levels: &[u16]) -> f64 {
        let factors = self.factors.iter().zip(levels).map(|(factors, &level)| factors[usize::from(level)]);
        factors.fold(weight, |product, factor| product * factor)
    }
}

/// Takes a second look at stories of a plan. Its memory is reused.
#[derive(Clone, Debug)]
pub struct Looker {
    question: Question,
    signs: Signs,
    /// What each sight shows of the story whose signs were read last; empty until it is looked at.
    shown: [Vec<f32>; Sight::ALL.len()],
    probabilities: Vec<f64>,
}

impl Looker {
    /// Looks at the stories of a plan with balanced shares.
    ///
    /// # Panics
    /// If no shares are balanced.
    pub fn new(plan: &Plan) -> Self {
        let balance = plan.balance.as_ref().expect("a plan that is balanced");
        let question = plan.questions[balance.question].clone();
        Self { question, signs: Signs::default(), shown: Default::default(), probabilities: Vec::new() }
    }

    /// Whether a story is kept, given the number of the place that is its answer, the levels of its shares, and a number
    /// drawn from 0 to 1.
    pub fn keeps(
        &mut self,
        plan: &Plan,
        look: &Look,
        story: &Story,
        (answer, levels): (usize, &[u16]),
        drawn: f64,
    ) -> bool {
        self.signs.read(plan, &self.question, story);
        self.shown.iter_mut().for_each(Vec::clear);
        drawn * look.largest < self.weigh(look, answer, levels)
    }

    /// The weight of the story whose signs were read last, without a limit.
    fn weigh(&mut self, look: &Look, answer: usize, levels: &[u16]) -> f64 {
        let learned = look.rankers.iter().map(|(sight, ranker)| self.weigh_by(*sight, ranker, answer));
        let weight = learned.fold(1.0, |product, weight| product * weight);
        look.by_shares(weight, levels)
    }

    /// One divided by how likely the answer is to what is learned from this sight, times the number of places.
    fn weigh_by(&mut self, sight: Sight, ranker: &Ranker, answer: usize) -> f64 {
        let shown = &mut self.shown[sight as usize];
        if shown.is_empty() {
            self.signs.show(sight, shown);
        }
        ranker.probabilities(shown, &mut self.probabilities);
        1.0 / (self.probabilities.len() as f64 * self.probabilities[answer]).max(LEAST)
    }
}

/// No answer counts as less likely than this, so that weights are finite.
const LEAST: f64 = 1e-6;
