//! What is known of the models when all rows are counted.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::class::ErrorClass;
use super::extract::Rule;
use super::statistics::{Test, mcnemar, wilson};
use super::study::Study;
use super::tally::{Consistency, Errors, Key, Share, Tally};
use super::twins::TwinPairs;

/// A share of right answers.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Accuracy {
    /// Right answers.
    pub right: u64,
    /// Rows with a response.
    pub of: u64,
    /// Their share.
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

/// How often an error occurs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ErrorCount {
    /// Which.
    pub class: ErrorClass,
    /// How many errors are put under it: each is under one class.
    pub count: u64,
    /// How many errors equal it at all.
    pub equals: u64,
}

/// The errors in questions of one kind and order.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct QuestionErrors {
    /// The kind.
    pub kind: String,
    /// The order.
    pub order: usize,
    /// Rows with a response.
    pub of: u64,
    /// What is wrong with those that are not right.
    pub classes: Vec<ErrorCount>,
}

/// What is known of a model.
#[derive(Clone, Debug, Serialize)]
pub struct ModelReport {
    /// How it is called.
    pub model: String,
    /// Rows of the dataset without a response; they count for nothing.
    pub without_response: u64,
    /// Of these, how many requests failed.
    pub failed: u64,
    /// All rows.
    pub overall: Accuracy,
    /// By `board`, `kind`, `order`, `false_belief`, `characters`, `mislead_distance`, and `params.NAME` of every parameter
    /// with several values.
    pub groups: BTreeMap<String, Vec<Group>>,
    /// By mislead distance, for every order.
    pub mislead_distance_by_order: BTreeMap<usize, Vec<Group>>,
    /// All errors.
    pub errors: Vec<ErrorCount>,
    /// Errors by kind and order.
    pub errors_by_question: Vec<QuestionErrors>,
    /// Which rules found answers.
    pub rules: BTreeMap<Rule, u64>,
    /// How the answers to the questions of one story go together.
    pub consistency: Consistency,
    /// How the answers to twins go together, if the dataset has some.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub twins: Option<TwinPairs>,
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

/// What is known of all models.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// Rows of the dataset.
    pub rows: u64,
    /// The models, as they were given.
    pub models: Vec<ModelReport>,
    /// Every two of them.
    pub pairs: Vec<Pair>,
    /// The figures of an experiment, if the dataset is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub study: Option<Study>,
}

impl ModelReport {
    pub(super) fn new(
        model: String,
        without_response: u64,
        failed: u64,
        tally: &Tally,
        twins: Option<TwinPairs>,
    ) -> Self {
        let mut groups: BTreeMap<String, Vec<Group>> =
            tally.groups.iter().map(|(by, shares)| ((*by).to_owned(), listed(shares))).collect();
        for (name, shares) in swept(tally) {
            groups.insert(format!("params.{name}"), listed(&shares));
        }
        let mut distances: BTreeMap<usize, Vec<Group>> = BTreeMap::new();
        for ((order, distance), share) in &tally.distances {
            let group = Group { value: Key::Number(*distance), accuracy: Accuracy::new(*share) };
            distances.entry(*order).or_default().push(group);
        }
        let mut all = Errors::default();
        tally.errors.values().for_each(|errors| all.add(errors));
        let errors_by_question = tally.errors.iter().map(|((kind, order), errors)| QuestionErrors {
            kind: kind.clone(),
            order: *order,
            of: errors.of,
            classes: counts(errors),
        });
        Self {
            model,
            without_response,
            failed,
            overall: Accuracy::new(tally.all),
            groups,
            mislead_distance_by_order: distances,
            errors: counts(&all),
            errors_by_question: errors_by_question.collect(),
            rules: tally.rules.clone(),
            consistency: tally.consistency(),
            twins,
        }
    }
}

pub(super) fn listed(shares: &BTreeMap<Key, Share>) -> Vec<Group> {
    let group =
        |(value, share): (&Key, &Share)| Group { value: value.clone(), accuracy: Accuracy::new(*share) };
    shares.iter().map(group).collect()
}

/// Parameters that have several values on one board. (What differs only from board to board was not swept.)
fn swept(tally: &Tally) -> BTreeMap<&str, BTreeMap<Key, Share>> {
    let several = tally.parameters.iter().filter(|(_, shares)| shares.len() > 1);
    let names: BTreeSet<&str> = several.map(|((_, name), _)| name.as_str()).collect();
    let mut swept: BTreeMap<&str, BTreeMap<Key, Share>> = BTreeMap::new();
    for ((_, name), shares) in tally.parameters.iter().filter(|((_, name), _)| names.contains(name.as_str()))
    {
        for (key, share) in shares {
            swept.entry(name).or_default().entry(key.clone()).or_default().add(*share);
        }
    }
    swept
}

fn counts(errors: &Errors) -> Vec<ErrorCount> {
    let count = |of: &BTreeMap<ErrorClass, u64>, class| of.get(&class).copied().unwrap_or(0);
    let all = ErrorClass::ALL.into_iter().map(|class| ErrorCount {
        class,
        count: count(&errors.classes, class),
        equals: count(&errors.equals, class),
    });
    all.filter(|error| error.equals > 0).collect()
}
