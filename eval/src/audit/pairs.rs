//! Twins: rows that ask the same question about two stories that differ in one event and in the answer.
//!
//! For every pair, the audit counts which shortcuts are right in both. A shortcut that looks at the target's moves alone
//! gives both the same answer, so it never is.

use serde::Serialize;

use super::finding::Finding;
use super::measure::Measured;
use super::shortcut;

/// The part of a row that is kept until its twin comes.
#[derive(Debug)]
pub struct Mate {
    pub(super) answer: String,
    /// Whether each shortcut is right.
    pub(super) right: Vec<bool>,
    /// The row's index among the rows for learners, if it is one of them.
    pub kept: Option<usize>,
}

impl Mate {
    pub fn of(row: &Measured) -> Self {
        let label = row.kept.label;
        Self {
            answer: row.choices[usize::from(label)].clone(),
            right: row.kept.named.iter().map(|named| *named == Some(label)).collect(),
            kept: None,
        }
    }
}

/// The pairs of one group of questions.
#[derive(Debug)]
pub struct Pairs {
    /// The number of pairs with different answers.
    differing: u64,
    /// The number of pairs with the same answer.
    alike: u64,
    /// For each shortcut, the number of differing pairs in which it gets both right.
    both: Vec<u64>,
    /// Differing pairs that learners are tested on, as indices into the rows for learners.
    pub tried: Vec<[usize; 2]>,
}

impl Default for Pairs {
    fn default() -> Self {
        Self { differing: 0, alike: 0, both: vec![0; shortcut::all().count()], tried: Vec::new() }
    }
}

impl Pairs {
    pub fn add(&mut self, [one, other]: [&Mate; 2], are_tried_on: bool) {
        if one.answer == other.answer {
            self.alike += 1;
            return;
        }
        self.differing += 1;
        for (both, (one, other)) in self.both.iter_mut().zip(one.right.iter().zip(&other.right)) {
            *both += u64::from(*one && *other);
        }
        if let (true, Some(one), Some(other)) = (are_tried_on, one.kept, other.kept) {
            self.tried.push([one, other]);
        }
    }

    /// For each shortcut in order, the share of differing pairs in which it gets both right; `None` if there are no pairs.
    pub fn shares(&self) -> impl Iterator<Item = Option<f64>> + '_ {
        self.both.iter().map(|&both| (self.differing > 0).then(|| both as f64 / self.differing as f64))
    }

    /// The share of tested pairs that a learner gets right in both; `credit` says how much of its answer to a row is right.
    pub fn share_of(&self, credit: impl Fn(usize) -> f64) -> Option<f64> {
        let both = self.tried.iter().map(|&[one, other]| credit(one) * credit(other));
        (!self.tried.is_empty()).then(|| both.sum::<f64>() / self.tried.len() as f64)
    }

    /// The report about the pairs; `None` if there are none.
    pub fn report(&self, findings: &[Finding]) -> Option<TwinReport> {
        if self.differing + self.alike == 0 {
            return None;
        }
        let of = |finding: &Finding| {
            Some(PairFinding {
                key: finding.key.clone(),
                which: finding.which.clone(),
                is_learned: finding.is_learned,
                both: finding.both?,
                of_target_alone: shortcut::OF_TARGET_ALONE.contains(&finding.key.as_str()),
            })
        };
        let mut shortcuts: Vec<PairFinding> = findings.iter().filter_map(of).collect();
        shortcuts.sort_by(|one, other| other.both.total_cmp(&one.both)); // stable
        let Self { differing, alike, .. } = *self;
        Some(TwinReport { pairs: differing, alike, tried: self.tried.len() as u64, shortcuts })
    }
}

/// The findings about the pairs of a group.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TwinReport {
    /// The number of pairs with different answers, from which the shares are taken.
    pub pairs: u64,
    /// The number of pairs with the same answer.
    pub alike: u64,
    /// The number of differing pairs that learners were tested on.
    pub tried: u64,
    /// All shortcuts, the best first.
    pub shortcuts: Vec<PairFinding>,
}

/// How well a shortcut does on pairs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PairFinding {
    /// The key of the shortcut.
    pub key: String,
    /// The variant of the shortcut, if there are several.
    pub which: Option<String>,
    /// Whether it was learned or chosen on other rows than those that it is tested on.
    pub is_learned: bool,
    /// The share of pairs in which both answers are right. Without an answer, a shortcut gets none right.
    pub both: f64,
    /// Whether the shortcut looks only at the target's moves, so that `both` should be 0.
    pub of_target_alone: bool,
}

impl PairFinding {
    /// Whether the finding shows that some pair are not twins, because the target does not do the same in both.
    pub fn is_impossible(&self) -> bool {
        self.of_target_alone && self.both > 0.0
    }
}
