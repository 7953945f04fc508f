//! Twins: two stories that differ in one event, ask the same question, and have different answers.
//!
//! A model that answers by what both have in common gives the same answer twice, and gets at most one of the two right.
//! What counts is therefore in how many pairs *both* are right: the pair accuracy.
//!
//! Of triplets it counts in how many all three are right. The story and its first twin are a pair, too.

use serde::Serialize;

use super::accuracy::Accuracy;
use super::extract::Given;
use super::tally::{Answered, Share};
use crate::dataset::{Fields, Trios, Waiting};

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

/// The counts of one model's triplets.
#[derive(Clone, Copy, Debug, Default)]
struct CountedTriplets {
    /// The triplets in which all three answers are right.
    all: Share,
    two: u64,
    one: u64,
    same: [u64; 2],
}

/// Counts the pairs and triplets of several models.
#[derive(Debug)]
pub(super) struct TwinTally {
    waiting: Waiting<Mate>,
    trios: Trios<Mate>,
    counted: Vec<Counted>,
    triplets: Vec<CountedTriplets>,
}

impl TwinTally {
    /// A tally for this number of models.
    pub fn new(models: usize) -> Self {
        Self {
            waiting: Waiting::default(),
            trios: Trios::default(),
            counted: vec![Counted::default(); models],
            triplets: vec![CountedTriplets::default(); models],
        }
    }

    /// Takes in a row, if it has a twin, with the answer of every model. Pairs with the same right answer do not count.
    pub fn add(&mut self, fields: &Fields, replies: Vec<Option<Answered>>) {
        let Some(twin) = &fields.twin else { return };
        let chance = Share::of(fields, false).chance;
        let mate = Mate { answer: fields.answer.clone(), chance, replies };
        if let Some((ids, number)) = fields.trio() {
            if let Some([story, twin, other]) = self.trios.meet(ids, number, mate) {
                self.count(&story, &twin);
                self.count_all([&story, &twin, &other]);
            }
        } else if let Some([first, second]) = self.waiting.meet([fields.id.clone(), twin.clone()], mate) {
            self.count(&first, &second);
        }
    }

    /// Counts a triplet, unless the answer to the story is that to one of its twins.
    fn count_all(&mut self, trio: [&Mate; 3]) {
        let [story, twin, other] = trio;
        if story.answer == twin.answer || story.answer == other.answer {
            return;
        }
        for (at, counted) in self.triplets.iter_mut().enumerate() {
            let [Some(first), Some(second), Some(third)] = trio.map(|mate| mate.replies[at].as_ref()) else {
                continue;
            };
            let right = [first, second, third].into_iter().filter(|answered| answered.is_right).count();
            let chance = trio.iter().map(|mate| mate.chance).product();
            counted.all.add(Share { right: u64::from(right == 3), of: 1, chance });
            counted.two += u64::from(right == 2);
            counted.one += u64::from(right == 1);
            for (same, twin) in counted.same.iter_mut().zip([second, third]) {
                *same += u64::from(matches!(first.given, Given::Named(_)) && first.given == twin.given);
            }
        }
    }

    /// Counts a pair.
    fn count(&mut self, first: &Mate, second: &Mate) {
        if first.answer == second.answer {
            return;
        }
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

    /// The results on each model's pairs and triplets, if it has any.
    pub fn finish(self) -> impl Iterator<Item = (Option<TwinPairs>, Option<TwinTriplets>)> {
        let pairs = self.counted.into_iter().map(|Counted { both, one, same }| {
            let neither = both.of - both.right - one;
            (both.of > 0).then(|| TwinPairs { accuracy: Accuracy::new(both), one, neither, same })
        });
        let triplets = self.triplets.into_iter().map(|CountedTriplets { all, two, one, same }| {
            let none = all.of - all.right - two - one;
            let [same_as_first_twin, same_as_second_twin] = same;
            let accuracy = Accuracy::new(all);
            (all.of > 0).then_some(TwinTriplets {
                accuracy,
                two,
                one,
                none,
                same_as_first_twin,
                same_as_second_twin,
            })
        });
        pairs.zip(triplets)
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

/// The results on triplets whose story has another answer than either twin, where the model responded to all three.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct TwinTriplets {
    /// The share of triplets in which all three answers are right. For chance, they are independent.
    #[serde(flatten)]
    pub accuracy: Accuracy,
    /// The number of triplets in which two answers are right.
    pub two: u64,
    /// The number of triplets in which one answer is right.
    pub one: u64,
    /// The number of triplets in which no answer is right.
    pub none: u64,
    /// The number of triplets in which the model named the same for the story and for its first twin, as whoever looks at the
    /// target alone does.
    pub same_as_first_twin: u64,
    /// The number of triplets in which it named the same for the story and for its second twin, as whoever looks at the minds
    /// alone does.
    pub same_as_second_twin: u64,
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
        let found = tally.finish().next().and_then(|(pairs, _)| pairs).expect("there is a pair");
        assert_eq!(
            (found.accuracy.of, found.accuracy.right, found.one, found.neither, found.same),
            (1, 0, 1, 0, 1)
        );
    }
}
