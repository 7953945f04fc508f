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
//! Learners learn one after another, each from stories as they are weighed after those before it; then shares are put right again by
//! raking ([`fit`]). Where an answer is very unlikely, so few of the other stories would be kept that hardly any are left. Of
//! stories that look like that, fewer are kept whatever their answers.

mod fit;
mod signs;
#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};

use crate::boost::Ranker;
use crate::plan::{Level, Plan, Property, Question, Sight};
use crate::simulate::Story;
use crate::world::Value;
pub use fit::{Pilot, Told, fit, pilots_of};
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
    /// Of pairs: twins of stories that weigh less than this are looked for more rarely; 0 for no bar.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub bar: f64,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_zero(number: &f64) -> bool {
    *number == 0.0
}

impl Look {
    /// The same, where the factors of shares are found anew.
    pub(in crate::select) fn without_factors(self) -> Self {
        let factors = self.factors.iter().map(|factors| vec![1.0; factors.len()]).collect();
        Self { factors, ..self }
    }

    /// The same, with this bar.
    pub(in crate::select) fn with_bar(self, bar: f64) -> Self {
        Self { bar, ..self }
    }

    /// What stories weigh on average, as far as it is known by what was learned so far.
    pub(in crate::select) fn mean(&self) -> f64 {
        if self.rankers.is_empty() { 1.0 } else { self.kept * self.largest }
    }

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
    /// What a story would weigh by one sight, for each place that might be its answer.
    weights: Vec<f64>,
    /// The numbers of the places that are answers.
    answers: Vec<usize>,
}

impl Looker {
    /// Looks at the stories of a plan with balanced shares.
    ///
    /// # Panics
    /// If no shares are balanced.
    pub fn new(plan: &Plan) -> Self {
        let balance = plan.balance.as_ref().expect("a plan that is balanced");
        let question = plan.questions[balance.question].clone();
        let of_answers = balance.margins.iter().find(|margin| margin.property == Property::Answer);
        let answers = match of_answers {
            Some(margin) => margin.shares.iter().filter_map(|&(level, _)| place_of(level)).collect(),
            None => (0..plan.map.place_count()).collect(),
        };
        Self {
            question,
            signs: Signs::default(),
            shown: Default::default(),
            probabilities: Vec::new(),
            weights: Vec::new(),
            answers,
        }
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
        drawn * look.largest < self.weigh(plan, look, story, (answer, levels))
    }

    /// What a story weighs, given the number of the place that is its answer, and the levels of its shares.
    pub fn weigh(
        &mut self,
        plan: &Plan,
        look: &Look,
        story: &Story,
        (answer, levels): (usize, &[u16]),
    ) -> f64 {
        self.read(plan, story);
        look.by_shares(self.weigh_by_all(look, answer), levels)
    }

    /// Reads off a story what there is to see.
    fn read(&mut self, plan: &Plan, story: &Story) {
        self.signs.read(plan, &self.question, story);
        self.shown.iter_mut().for_each(Vec::clear);
    }

    /// What the story that was read last weighs by what was learned.
    fn weigh_by_all(&mut self, look: &Look, answer: usize) -> f64 {
        Sight::ALL.iter().fold(1.0, |product, &(sight, _)| product * self.weigh_by(look, sight, answer))
    }

    /// What it weighs by what was learned from one sight: one divided by how likely the answer is, times the number of places; and
    /// less where another place would weigh more than [`WEIGHT_MAX`].
    fn weigh_by(&mut self, look: &Look, sight: Sight, answer: usize) -> f64 {
        self.weights.clear();
        for (_, ranker) in look.rankers.iter().filter(|(of, _)| *of == sight) {
            let shown = &mut self.shown[sight as usize];
            if shown.is_empty() {
                self.signs.show(sight, shown);
            }
            ranker.probabilities(shown, &mut self.probabilities);
            let places = self.probabilities.len();
            self.weights.resize(places, 1.0);
            for (weight, p) in self.weights.iter_mut().zip(&self.probabilities) {
                *weight /= (places as f64 * p).max(LEAST);
            }
        }
        let Some(weight) = self.weights.get(answer) else { return 1.0 };
        let of_answers = self.answers.iter().map(|&place| self.weights[place]);
        weight * (WEIGHT_MAX / of_answers.fold(WEIGHT_MAX, f64::max)).max(SCALE_MIN)
    }
}

/// The most that a story can weigh by one sight. Where the least likely answer would weigh more, all stories that look alike
/// weigh less, by the same factor: so they become fewer, and each answer is still as likely as any other.
const WEIGHT_MAX: f64 = 3.0;

/// They weigh no less than this part of what they would: on some maps there is a place in every story that cannot be the answer.
const SCALE_MIN: f64 = 0.1;

/// The number of the place that is the answer.
fn place_of(level: Level) -> Option<usize> {
    match level {
        Level::Answer(Some(Value::Place(place))) => Some(place.index()),
        _ => None,
    }
}

/// No answer counts as less likely than this, so that weights are finite.
const LEAST: f64 = 1e-6;
