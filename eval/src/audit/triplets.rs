//! Triplets: rows that ask the same question about a story, a twin in which the target does the same, and one in which the
//! minds do.
//!
//! For every triplet, the audit counts which shortcuts are right in all three. A shortcut that looks at the target's moves alone
//! gives the first two the same answer, one that looks at the minds' moves alone the first and the third; neither ever is.

use serde::Serialize;

use super::finding::Finding;
use super::pairs::Mate;
use super::shortcut;

/// The triplets of one group of questions.
#[derive(Debug)]
pub struct Triplets {
    /// The number of triplets whose story has another answer than either twin.
    differing: u64,
    /// The number of the other triplets.
    alike: u64,
    /// For each shortcut, the number of differing triplets in which it gets all three right, and of those in which it gets the
    /// story and its second twin right.
    right: Vec<[u64; 2]>,
    /// Differing triplets that learners are tested on, as indices into the rows for learners.
    tried: Vec<[usize; 3]>,
}

impl Default for Triplets {
    fn default() -> Self {
        Self { differing: 0, alike: 0, right: vec![[0; 2]; shortcut::all().count()], tried: Vec::new() }
    }
}

impl Triplets {
    pub fn add(&mut self, trio: [&Mate; 3], are_tried_on: bool) {
        let [story, others @ ..] = trio;
        if others.iter().any(|twin| twin.answer == story.answer) {
            self.alike += 1;
            return;
        }
        self.differing += 1;
        for (at, right) in self.right.iter_mut().enumerate() {
            let [first, second, third] = trio.map(|mate| mate.right[at]);
            right[0] += u64::from(first && second && third);
            right[1] += u64::from(first && third);
        }
        if let (true, [Some(first), Some(second), Some(third)]) = (are_tried_on, trio.map(|mate| mate.kept)) {
            self.tried.push([first, second, third]);
        }
    }

    /// For each shortcut in order, the shares of differing triplets in which it gets all three right, and in which it gets the
    /// story and its second twin right; `None` if there are no triplets.
    pub fn shares(&self) -> impl Iterator<Item = Option<[f64; 2]>> + '_ {
        let share = |count: u64| count as f64 / self.differing as f64;
        self.right.iter().map(move |right| (self.differing > 0).then(|| right.map(share)))
    }

    /// The same shares of tested triplets for a learner; `credit` says how much of its answer to a row is right.
    pub fn shares_of(&self, credit: impl Fn(usize) -> f64) -> Option<[f64; 2]> {
        let mut sums = [0.0; 2];
        for trio in &self.tried {
            let [first, second, third] = trio.map(&credit);
            sums[0] += first * second * third;
            sums[1] += first * third;
        }
        (!self.tried.is_empty()).then(|| sums.map(|sum| sum / self.tried.len() as f64))
    }

    /// The report about the triplets; `None` if there are none.
    pub fn report(&self, findings: &[Finding]) -> Option<TripletReport> {
        if self.differing + self.alike == 0 {
            return None;
        }
        let of = |finding: &Finding| {
            let [all, story_and_second] = finding.of_triplets?;
            Some(TripletFinding {
                key: finding.key.clone(),
                which: finding.which.clone(),
                is_learned: finding.is_learned,
                all,
                story_and_second,
                of_target_alone: shortcut::OF_TARGET_ALONE.contains(&finding.key.as_str()),
                of_minds_alone: shortcut::OF_MINDS_ALONE.contains(&finding.key.as_str()),
            })
        };
        let mut shortcuts: Vec<TripletFinding> = findings.iter().filter_map(of).collect();
        shortcuts.sort_by(|one, other| other.all.total_cmp(&one.all)); // stable
        let Self { differing, alike, .. } = *self;
        Some(TripletReport { triplets: differing, alike, tried: self.tried.len() as u64, shortcuts })
    }
}

/// The findings about the triplets of a group.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TripletReport {
    /// The number of triplets whose story has another answer than either twin, from which the shares are taken.
    pub triplets: u64,
    /// The number of the other triplets.
    pub alike: u64,
    /// The number of differing triplets that learners were tested on.
    pub tried: u64,
    /// All shortcuts, the best first.
    pub shortcuts: Vec<TripletFinding>,
}

/// How well a shortcut does on triplets.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TripletFinding {
    /// The key of the shortcut.
    pub key: String,
    /// The variant of the shortcut, if there are several.
    pub which: Option<String>,
    /// Whether it was learned or chosen on other rows than those that it is tested on.
    pub is_learned: bool,
    /// The share of triplets in which all three answers are right. Without an answer, a shortcut gets none right.
    pub all: f64,
    /// The share of triplets in which the answers to the story and to its second twin are right.
    pub story_and_second: f64,
    /// Whether the shortcut looks only at the target's moves, so that `all` should be 0.
    pub of_target_alone: bool,
    /// Whether the shortcut looks only at the minds' moves, so that `story_and_second` should be 0.
    pub of_minds_alone: bool,
}

impl TripletReport {
    /// The finding, if there is one, which shows that some triplet is none, because the target or the minds do not do the same
    /// where they should. What is promised is of the question for whose sake the twins were made, so only a group in which
    /// all answers differ can show it: minds that other questions are about may do something else.
    pub fn impossible(&self) -> Option<&TripletFinding> {
        self.shortcuts.iter().find(|finding| self.alike == 0 && finding.is_right_against_promise())
    }
}

impl TripletFinding {
    fn is_right_against_promise(&self) -> bool {
        self.of_target_alone && self.all > 0.0 || self.of_minds_alone && self.story_and_second > 0.0
    }

    /// What the shortcut looks at alone, in words, if that is the target or the minds.
    pub const fn looks_at(&self) -> &'static str {
        match (self.of_target_alone, self.of_minds_alone) {
            (true, _) => "target alone",
            (_, true) => "minds alone",
            _ => "",
        }
    }
}
