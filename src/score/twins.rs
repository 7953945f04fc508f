//! Twins: two stories that differ in one event, ask the same question, and have different answers.
//!
//! A model that answers by what both have in common gives the same answer twice, and gets at most one of the two right.
//! What counts is therefore in how many pairs *both* are right: the pair accuracy.

use serde::Serialize;

use super::accuracy::Accuracy;
use super::extract::Given;
use super::tally::{Answered, Share};
use crate::dataset::{Fields, Waiting};

/// The part of a row that is kept until its twin comes.
#[derive(Debug)]
struct Mate {
    answer: String,
    chance: f64,
    /// What every model answered, if it responded.
    replies: Vec<Option<Answered>>,
}

/// The counts of one model's pairs.
#[derive(Clone, Copy, Debug, Default)]
struct Counted {
    /// The pairs in which both answers are right.
    both: Share,
    one: u64,
    same: u64,
}

/// Counts the pairs of several models.
#[derive(Debug)]
pub(super) struct TwinTally {
    waiting: Waiting<Mate>,
    counted: Vec<Counted>,
}

impl TwinTally {
    /// A tally for this number of models.
    pub fn new(models: usize) -> Self {
        Self { waiting: Waiting::default(), counted: vec![Counted::default(); models] }
    }

    /// Takes in a row, if it has a twin, with the answer of every model. Pairs with the same right answer do not count.
    pub fn add(&mut self, fields: &Fields, replies: Vec<Option<Answered>>) {
        let Some(twin) = &fields.twin else { return };
        let ids = [fields.id.clone(), twin.clone()];
        let chance = Share::of(fields, false).chance;
        let met = self.waiting.meet(ids, Mate { answer: fields.answer.clone(), chance, replies });
        let Some([first, second]) = met.filter(|[first, second]| first.answer != second.answer) else {
            return;
        };
        let replies = self.counted.iter_mut().zip(first.replies.iter().zip(&second.replies));
        for (counted, replies) in replies {
            if let (Some(one), Some(other)) = replies {
                let chance = first.chance * second.chance;
                let is_right = one.is_right && other.is_right;
                counted.both.add(Share { right: u64::from(is_right), of: 1, chance });
                counted.one += u64::from(one.is_right != other.is_right);
                counted.same += u64::from(matches!(one.given, Given::Named(_)) && one.given == other.given);
            }
        }
    }

    /// The results on each model's pairs, if it has any.
    pub fn finish(self) -> impl Iterator<Item = Option<TwinPairs>> {
        self.counted.into_iter().map(|Counted { both, one, same }| {
            let neither = both.of - both.right - one;
            (both.of > 0).then(|| TwinPairs { accuracy: Accuracy::new(both), one, neither, same })
        })
    }
}

/// The results on pairs of twins with different answers, where the model responded to both.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct TwinPairs {
    /// The share of pairs in which both answers are right. For chance, they are independent.
    #[serde(flatten)]
    pub accuracy: Accuracy,
    /// The number of pairs in which one answer is right.
    pub one: u64,
    /// The number of pairs in which no answer is right.
    pub neither: u64,
    /// The number of pairs in which the model gave the same name twice, so that at most one answer can be right.
    pub same: u64,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn twins_with_one_answer_are_no_contrast() {
        let mut tally = TwinTally::new(1);
        let mut add = |id: &str, twin: &str, answer: &str| {
            let choices = vec!["a".to_owned(), "b".to_owned()];
            let fields = Fields {
                id: id.into(),
                twin: Some(twin.into()),
                answer: answer.into(),
                choices,
                ..Fields::default()
            };
            tally.add(
                &fields,
                vec![Some(Answered { given: Given::Named("a".into()), is_right: answer == "a" })],
            );
        };
        add("1", "1-twin", "a");
        add("1-twin", "1", "a");
        add("2", "2-twin", "a");
        add("2-twin", "2", "b");
        let found = tally.finish().next().flatten().expect("there is a pair");
        assert_eq!(
            (found.accuracy.of, found.accuracy.right, found.one, found.neither, found.same),
            (1, 0, 1, 0, 1)
        );
    }
}
