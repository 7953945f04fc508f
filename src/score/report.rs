//! What is known about the models when all rows have been counted.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::accuracy::{Accuracy, Group, Pair, listed};
use super::class::ErrorClass;
use super::extract::Rule;
use super::study::Study;
use super::tally::{Consistency, Errors, Key, Share, Tally};
use super::twins::TwinPairs;

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
    /// By `board`, `kind`, `order`, `false_belief`, `mislead_distance`, and `params.NAME` of every parameter with several
    /// values.
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
