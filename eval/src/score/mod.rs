//! Scores model answers: extraction, accuracy, errors, differences.
//!
//! A [`Scorer`] is given row after row, each with the response of every model. [`extract`] finds the answer in the text,
//! and [`errors`] says which shortcut a wrong answer agrees with. The resulting [`Report`] is plain data, and [`page`]
//! makes a page of it. Nothing here reads or writes files. `docs/scoring.md` states the rules.

mod accuracy;
mod beside;
mod class;
mod cue;
mod extract;
mod figures;
mod linked;
mod pick;
mod report;
mod response;
mod statistics;
mod study;
mod tally;
mod twins;
mod words;

pub use accuracy::{Accuracy, Group, Pair};
pub use beside::probability;
pub use beside::{Line, side_by_side};
pub use class::{ErrorClass, errors};
pub use extract::{Extraction, Given, Rule, extract};
pub use figures::page;
pub use linked::{CaseShare, Linked, LinkedCases, LinkedGroup};
pub use pick::Options;
pub use report::{ErrorCount, ModelReport, QuestionErrors, Report};
pub use response::{Ending, Response, ResponseLine};
pub use statistics::{Test, mcnemar, newcombe, wilson};
pub use study::{
    Difference, MapCell, MapValues, ModelFigure, Study, StudyFigure, StudyLine, StudyMap, StudyMaps,
};
pub use tally::{Consistency, Key};
pub use twins::{TwinPairs, TwinTriplets};

use crate::dataset::Fields;
use crate::diagnostic::counted;
use crate::experiment::Experiment;
use linked::LinkedTally;
use study::StudyTally;
use tally::Tally;
use twins::TwinTally;

/// What a model did with one row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reply<'a> {
    /// The model's file has no line for the row.
    Missing,
    /// The file has a line, but the request failed.
    Failed,
    /// The model responded.
    Said(&'a Response),
}

/// Whether a response to a row can be right.
///
/// # Errors
/// If the row has no choices, if its answer is not among them, or if its label is that of another choice.
///
/// ```
/// use storysim::{dataset::Fields, score::check};
/// let row = Fields { answer: "hall".into(), choices: ["attic".to_owned(), "hall".to_owned()].into(), label: 1, ..Fields::default() };
/// assert_eq!(check(&row), Ok(()));
/// assert!(check(&Fields { choices: vec![], ..row }).unwrap_err().contains("no choices"));
/// ```
pub fn check(fields: &Fields) -> Result<(), String> {
    let Fields { answer, choices, label, .. } = fields;
    if choices.is_empty() {
        return Err("this row has no choices".to_owned());
    }
    if !choices.contains(answer) {
        return Err(format!("the answer of this row, {answer:?}, is not among its choices"));
    }
    match choices.get(*label) {
        Some(labelled) if labelled == answer => Ok(()),
        Some(labelled) => Err(format!(
            "the label of this row is {label}, which is {labelled:?}, but its answer is {answer:?}"
        )),
        None => {
            let choices = counted(choices.len(), "choice");
            Err(format!("the label of this row is {label}, but it has {choices}, from 0"))
        }
    }
}

/// Counts the answers of several models, row by row.
///
/// ```
/// use storysim::{dataset::Fields, score::{Reply, Response, Scorer}};
/// let choices = ["attic".to_owned(), "hall".to_owned()].into();
/// let row = Fields { id: "b/0/0/0".into(), answer: "hall".into(), choices, label: 1, ..Fields::default() };
/// let mut scorer = Scorer::new(vec!["one".into(), "two".into()]);
/// let (right, wrong) = (Response::new("In the hall."), Response::new("Answer: attic"));
/// scorer.add(&row, &[Reply::Said(&right), Reply::Said(&wrong)]).unwrap();
/// scorer.skip(2);
/// let report = scorer.finish();
/// assert_eq!((report.rows, report.models[0].overall.right, report.pairs[0].only_first), (3, 1, 1));
/// assert_eq!(report.models[1].without_response, 2);
/// ```
pub struct Scorer {
    names: Vec<String>,
    tallies: Vec<Tally>,
    rows: u64,
    without: Vec<u64>,
    failed: Vec<u64>,
    /// The experiment whose figures are drawn, if any, with the counts of every model.
    study: Option<(&'static Experiment, Vec<StudyTally>)>,
    twins: TwinTally,
    linked: LinkedTally,
    /// For every two models, how often both are right, only the first, only the second, and neither.
    pairs: Vec<[u64; 4]>,
}

impl Scorer {
    /// A scorer for models with these names.
    pub fn new(names: Vec<String>) -> Self {
        let count = names.len();
        Self {
            tallies: vec![Tally::default(); count],
            rows: 0,
            without: vec![0; count],
            failed: vec![0; count],
            study: None,
            twins: TwinTally::new(count),
            linked: LinkedTally::new(count),
            pairs: vec![[0; 4]; count * count.saturating_sub(1) / 2],
            names,
        }
    }

    /// Makes the scorer also count for the figures of an experiment, if there is one.
    #[must_use]
    pub fn of(self, experiment: Option<&'static Experiment>) -> Self {
        let tallies = |experiment| vec![StudyTally::new(experiment); self.names.len()];
        Self { study: experiment.map(|experiment| (experiment, tallies(experiment))), ..self }
    }

    /// The number of rows counted so far.
    pub const fn row_count(&self) -> u64 {
        self.rows
    }

    /// Counts rows to which no model responded.
    pub fn skip(&mut self, rows: u64) {
        self.rows += rows;
        self.without.iter_mut().for_each(|without| *without += rows);
    }

    /// Counts what every model did with a row.
    ///
    /// # Errors
    /// If nobody could be right; see [`check`].
    ///
    /// # Panics
    /// If the number of replies is not the number of models.
    pub fn add(&mut self, fields: &Fields, replies: &[Reply<'_>]) -> Result<(), String> {
        assert_eq!(replies.len(), self.names.len(), "one reply a model");
        check(fields)?;
        self.rows += 1;
        let options = Options::of(fields);
        let mut answered = Vec::with_capacity(replies.len());
        for (at, reply) in replies.iter().enumerate() {
            answered.push(match reply {
                Reply::Said(response) => Some(self.tallies[at].add(fields, &options, response)),
                Reply::Missing | Reply::Failed => {
                    self.without[at] += 1;
                    self.failed[at] += u64::from(*reply == Reply::Failed);
                    None
                }
            });
        }
        let is_right: Vec<Option<bool>> =
            answered.iter().map(|answered| answered.as_ref().map(|answered| answered.is_right)).collect();
        if let Some((_, tallies)) = &mut self.study {
            let answered = tallies.iter_mut().zip(&is_right);
            answered.for_each(|(tally, is_right)| {
                is_right.iter().for_each(|&is_right| tally.add(fields, is_right))
            });
        }
        self.twins.add(fields, answered);
        let pairs = pairs(is_right.len()).zip(&mut self.pairs);
        for ((first, second), cells) in pairs {
            if let (Some(first), Some(second)) = (is_right[first], is_right[second]) {
                cells[2 * usize::from(!first) + usize::from(!second)] += 1;
            }
        }
        self.linked.add(fields, is_right);
        Ok(())
    }

    /// The report on everything that was counted.
    pub fn finish(self) -> Report {
        let pairs = pairs(self.names.len()).zip(&self.pairs);
        let pairs =
            pairs.map(|((first, second), cells)| Pair::new(&self.names[first], &self.names[second], *cells));
        let pairs = pairs.collect();
        let study = self.study.map(|(experiment, tallies)| Study::new(experiment, &self.names, &tallies));
        let counted = self.without.into_iter().zip(self.failed).zip(&self.tallies);
        let together = self.twins.finish().zip(self.linked.finish());
        let models = self.names.into_iter().zip(counted).zip(together).map(
            |((name, ((without, failed), tally)), (twins, linked))| ModelReport {
                linked,
                ..ModelReport::new(name, without, failed, tally, twins)
            },
        );
        Report { rows: self.rows, models: models.collect(), pairs, study }
    }
}

/// All pairs of numbers below `count`, the smaller number first.
fn pairs(count: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..count).flat_map(move |first| (first + 1..count).map(move |second| (first, second)))
}
