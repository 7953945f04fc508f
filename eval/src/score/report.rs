//! What is known about the models when all rows have been counted.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::accuracy::{Accuracy, Group, Pair, listed};
use super::class::ErrorClass;
use super::extract::Rule;
use super::linked::Linked;
use super::study::Study;
use super::tally::{Consistency, Errors, Key, Share, Tally};
use super::twins::{TwinPairs, TwinTriplets};

/// How often an error occurs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ErrorCount {
    /// The class of the error.
    pub class: ErrorClass,
    /// The number of errors that count as this class; each counts as exactly one.
    pub count: u64,
    /// The number of errors that match this class, whichever they count as.
    pub equals: u64,
}

/// The errors in questions of one kind and order.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct QuestionErrors {
    /// The kind of the questions.
    pub kind: String,
    /// The order of the questions.
    pub order: usize,
    /// The number of rows with a response.
    pub of: u64,
    /// How often each error occurs among the wrong answers.
    pub classes: Vec<ErrorCount>,
}

/// The results of one model.
#[derive(Clone, Debug, Serialize)]
pub struct ModelReport {
    /// The name of the model.
    pub model: String,
    /// The number of rows of the dataset without a response; they do not count.
    pub without_response: u64,
    /// How many of these rows have a failed request.
    pub failed: u64,
    /// The accuracy on all rows.
    pub overall: Accuracy,
    /// The accuracy by `board`, `kind`, `order`, `format`, `false_belief`, `mislead_distance`, and `params.NAME` for every
    /// parameter with several values; where there are matters, also by `level`, `class`, `lie` and `role`, and where there are
    /// scenarios, by `scenario` and `state`.
    pub groups: BTreeMap<String, Vec<Group>>,
    /// The accuracy by mislead distance, for every order.
    pub mislead_distance_by_order: BTreeMap<usize, Vec<Group>>,
    /// How often each error occurs.
    pub errors: Vec<ErrorCount>,
    /// How often each error occurs, by kind and order of the question.
    pub errors_by_question: Vec<QuestionErrors>,
    /// How often each rule found an answer.
    pub rules: BTreeMap<Rule, u64>,
    /// How the answers to the questions of one story go together.
    pub consistency: Consistency,
    /// How the answers to twins go together, if the dataset has some.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub twins: Option<TwinPairs>,
    /// How the answers to triplets go together, if the dataset has some.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub triplets: Option<TwinTriplets>,
    /// How the answers to linked questions go together, if the dataset has some.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub linked: Option<Linked>,
}

/// The results of all models.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// The number of rows in the dataset.
    pub rows: u64,
    /// The results of each model, in the given order.
    pub models: Vec<ModelReport>,
    /// The comparison of every two models.
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
        (twins, triplets): (Option<TwinPairs>, Option<TwinTriplets>),
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
            triplets,
            linked: None,
        }
    }
}

impl Report {
    /// The properties by which rows fall into several groups, in order. The distance and the level that a parameter sets are those
    /// that rows have, which say more.
    pub fn groups(&self) -> Vec<&str> {
        let of_models = || self.models.iter().flat_map(|model| &model.groups);
        let has_levels = of_models().any(|(by, _)| by == "level");
        let is_said = |name: &str| name == "mislead_distance" || name == "level" && has_levels;
        let several = of_models().filter(|(_, groups)| groups.len() > 1).map(|(by, _)| by.as_str());
        let keys: BTreeSet<&str> =
            several.filter(|by| !by.strip_prefix("params.").is_some_and(is_said)).collect();
        keys.into_iter().collect()
    }
}

/// Parameters that have several values on one board. (A parameter that only differs between boards was not swept.)
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
