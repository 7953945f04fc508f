//! Twins: rows that ask the same question about two stories that differ in one event and in the answer.
//!
//! For every pair, the audit counts which shortcuts are right in both. A shortcut that looks at the target's moves alone
//! gives both the same answer, so it never is.

use serde::Serialize;

use super::finding::Finding;
use super::measure::Measured;
use super::shortcut;

/// What is kept of a row until its twin comes.
#[derive(Debug)]
pub struct Mate {
    answer: String,
    /// Of each shortcut, whether it is right.
    right: Vec<bool>,
    /// Which of the rows for learners it is.
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
    /// With different answers.
    differing: u64,
    /// With the same.
    alike: u64,
    /// Of each shortcut, in how many of the differing ones it is right twice.
    both: Vec<u64>,
    /// Differing ones, as numbers of rows on which learners are tried.
    pub tried: Vec<[usize; 2]>,
}

impl Default for Pairs {
    fn default() -> Self {
        Self { differing: 0, alike: 0, both: vec![0; shortcut::all().count()], tried: Vec::new() }
    }
}

impl Pairs {
    pub fn add(&mut self, [one, other]: [Mate; 2], are_tried_on: bool) {
        if one.answer == other.answer {
            self.alike += 1;
            return;
        }
        self.differing += 1;
        for (both, (one, other)) in self.both.iter_mut().zip(one.right.iter().zip(other.right)) {
            *both += u64::from(*one && other);
        }
        if let (true, Some(one), Some(other)) = (are_tried_on, one.kept, other.kept) {
            self.tried.push([one, other]);
        }
    }

    /// The share of which each shortcut gets both right, in the order of shortcuts; none, if there are no pairs.
    pub fn shares(&self) -> impl Iterator<Item = Option<f64>> + '_ {
        self.both.iter().map(|&both| (self.differing > 0).then(|| both as f64 / self.differing as f64))
    }

    /// The same of what is learned, by how much of an answer to each row is right.
    pub fn share_of(&self, credit: impl Fn(usize) -> f64) -> Option<f64> {
        let both = self.tried.iter().map(|&[one, other]| credit(one) * credit(other));
        (!self.tried.is_empty()).then(|| both.sum::<f64>() / self.tried.len() as f64)
    }

    /// What is told of them; nothing, if there are none.
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

/// What was found of the pairs of a group.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TwinReport {
    /// How many pairs have different answers: of these are the shares.
    pub pairs: u64,
    /// How many have the same.
    pub alike: u64,
    /// On how many of the differing ones what is learned was tried.
    pub tried: u64,
    /// Every shortcut, the best first.
    pub shortcuts: Vec<PairFinding>,
}

/// How well a shortcut does on pairs.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PairFinding {
    /// The shortcut.
    pub key: String,
    /// Which one of several it is.
    pub which: Option<String>,
    /// Whether something was learned, or chosen, on other rows than those on which it is tried.
    pub is_learned: bool,
    /// Of which share of the pairs it gets both right. Where it has no answer, it gets none.
    pub both: f64,
    /// Whether it looks at nothing but the target's moves, so that this should be 0.
    pub of_target_alone: bool,
}

impl PairFinding {
    /// Whether it shows that the two of some pair are no twins: the target does not do the same in both.
    pub fn is_impossible(&self) -> bool {
        self.of_target_alone && self.both > 0.0
    }
}
