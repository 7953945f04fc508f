//! Shares of right answers: of some rows, of groups of rows, of two models on the same rows.

use std::collections::BTreeMap;

use serde::Serialize;

use super::statistics::{Test, mcnemar, wilson};
use super::tally::{Key, Share};

/// A share of right answers.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Accuracy {
    /// The number of right answers.
    pub right: u64,
    /// The number of rows with a response.
    pub of: u64,
    /// The share of right answers.
    pub accuracy: f64,
    /// The lower end of its 95 % interval.
    pub low: f64,
    /// The upper end of its 95 % interval.
    pub high: f64,
    /// The share that guessing among the choices would get right.
    pub chance: f64,
}

impl Accuracy {
    pub(super) fn new(share: Share) -> Self {
        let Share { right, of, chance } = share;
        let (low, high) = wilson(right, of);
        let rows = of.max(1) as f64;
        // Beyond some digits there is only what adding many shares has rounded away.
        let chance = (chance / rows * 1e9).round() / 1e9;
        Self { right, of, accuracy: right as f64 / rows, low, high, chance }
    }

    /// The accuracy on these rows and others together.
    pub(super) fn with(&self, other: &Self) -> Self {
        let share = |own: &Self| Share { right: own.right, of: own.of, chance: own.chance * own.of as f64 };
        let mut all = share(self);
        all.add(share(other));
        Self::new(all)
    }
}

#[cfg(test)]
pub(super) fn accuracy_of(right: u64, of: u64) -> Accuracy {
    Accuracy::new(Share { right, of, chance: of as f64 / 2.0 })
}

/// The accuracy on a group of rows.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Group {
    /// The value that the rows have in common.
    pub value: Key,
    /// The accuracy on these rows.
    #[serde(flatten)]
    pub accuracy: Accuracy,
}

/// The accuracy of every group, in the order of the values that their rows have in common.
pub(super) fn listed(shares: &BTreeMap<Key, Share>) -> Vec<Group> {
    let group =
        |(value, share): (&Key, &Share)| Group { value: value.clone(), accuracy: Accuracy::new(*share) };
    shares.iter().map(group).collect()
}

/// A comparison of two models on the same rows, or of two kinds of rows of the same stories.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Pair {
    /// The name of the first one.
    pub first: String,
    /// The name of the second one.
    pub second: String,
    /// The number of rows to which both responded, or of stories in which both kinds have a response.
    pub of: u64,
    /// How often both are right.
    pub both: u64,
    /// How often only the first is right.
    pub only_first: u64,
    /// How often only the second is right.
    pub only_second: u64,
    /// How often neither is right.
    pub neither: u64,
    /// How far the accuracy of the first is above that of the second.
    pub difference: f64,
    /// The probability of a difference at least this large if both are equally good.
    pub p: f64,
    /// The test that gave the probability.
    pub test: Test,
}

impl Pair {
    /// A comparison from how often both are right, only the first, only the second, and neither.
    pub(super) fn new(first: &str, second: &str, [both, only_first, only_second, neither]: [u64; 4]) -> Self {
        let of = both + only_first + only_second + neither;
        let (p, test) = mcnemar(only_first, only_second);
        let difference = (only_first as f64 - only_second as f64) / of.max(1) as f64;
        let (first, second) = (first.to_owned(), second.to_owned());
        Self { first, second, of, both, only_first, only_second, neither, difference, p, test }
    }
}
