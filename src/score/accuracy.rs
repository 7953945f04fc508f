//! Shares of right answers: of some rows, of groups of rows, of two models on the same rows.

use std::collections::BTreeMap;

use serde::Serialize;

use super::statistics::{Test, mcnemar, wilson};
use super::tally::{Key, Share};

/// A share of right answers.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Accuracy {
    /// Right answers.
    pub right: u64,
    /// Rows with a response.
    pub of: u64,
    /// The share.
    pub accuracy: f64,
    /// Where its 95 % interval begins.
    pub low: f64,
    /// Where it ends.
    pub high: f64,
    /// What guessing among the choices would have right.
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

    /// That of these rows and others together.
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

/// The accuracy of some rows.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Group {
    /// What they have in common.
    pub value: Key,
    /// How many of them are right.
    #[serde(flatten)]
    pub accuracy: Accuracy,
}

/// The accuracy of every group, in the order of what its rows have in common.
pub(super) fn listed(shares: &BTreeMap<Key, Share>) -> Vec<Group> {
    let group =
        |(value, share): (&Key, &Share)| Group { value: value.clone(), accuracy: Accuracy::new(*share) };
    shares.iter().map(group).collect()
}

/// Two models on the same rows, or two kinds of rows of the same stories.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Pair {
    /// The one.
    pub first: String,
    /// The other.
    pub second: String,
    /// Rows to which both responded; stories of which both have a response.
    pub of: u64,
    /// Both are right.
    pub both: u64,
    /// Only the one is.
    pub only_first: u64,
    /// Only the other is.
    pub only_second: u64,
    /// Neither is.
    pub neither: u64,
    /// By how much the one's accuracy is above the other's.
    pub difference: f64,
    /// How likely it is at least so far from 0 if they are equally good.
    pub p: f64,
    /// How that was found.
    pub test: Test,
}

impl Pair {
    /// Of how often both are right, only the first, only the second, neither.
    pub(super) fn new(first: &str, second: &str, [both, only_first, only_second, neither]: [u64; 4]) -> Self {
        let of = both + only_first + only_second + neither;
        let (p, test) = mcnemar(only_first, only_second);
        let difference = (only_first as f64 - only_second as f64) / of.max(1) as f64;
        let (first, second) = (first.to_owned(), second.to_owned());
        Self { first, second, of, both, only_first, only_second, neither, difference, p, test }
    }
}
