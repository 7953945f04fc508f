//! What is added up of one group of questions, in bounded memory: counters for all rows, and the first rows for learners.

use std::collections::BTreeMap;

use super::case::CHOICES_MAX;
use super::count::{Counts, Half};
use super::measure::{Kept, Measured, SENTENCES_MAX, Way};
use super::pairs::Pairs;
use super::shortcut;

/// The most different answers of a group that are counted.
const ANSWERS_MAX: usize = 10_000;

/// The most different ways of a group that are counted.
const WAYS_MAX: usize = 100_000;

/// All of one group.
#[derive(Debug)]
pub struct Tally {
    /// All rows, guessed.
    pub all: Counts,
    /// Of each shortcut.
    pub named: Vec<Counts>,
    /// Always this answer.
    pub constants: BTreeMap<String, Counts>,
    /// Always the choice of this number.
    pub positions: Vec<Counts>,
    /// Always what this sentence names, from either end.
    pub sentences: [Vec<Counts>; 2],
    /// How often each answer is right.
    pub answers: BTreeMap<String, u64>,
    /// How often each choice is.
    pub labels: Vec<u64>,
    /// For learners.
    pub kept: [Vec<Kept>; 2],
    /// Steps of evidence, by tenths of the story.
    pub evidence: [u64; 10],
    /// Rows that were seen before, and rows of a shape that was.
    pub repeated: [u64; 2],
    /// Rows of which nobody's walks could be read.
    pub unread: u64,
    /// From where to where people go, in some of the stories.
    pub ways: BTreeMap<(String, String), u64>,
    /// In how many.
    pub walked: u64,
    /// Rows with their twins.
    pub pairs: Pairs,
}

impl Default for Tally {
    fn default() -> Self {
        Self {
            all: Counts::default(),
            named: vec![Counts::default(); shortcut::all().count()],
            constants: BTreeMap::new(),
            positions: vec![Counts::default(); CHOICES_MAX],
            sentences: [(); 2].map(|()| vec![Counts::default(); SENTENCES_MAX]),
            answers: BTreeMap::new(),
            labels: vec![0; CHOICES_MAX],
            kept: [Vec::new(), Vec::new()],
            evidence: [0; 10],
            repeated: [0; 2],
            unread: 0,
            ways: BTreeMap::new(),
            walked: 0,
            pairs: Pairs::default(),
        }
    }
}

impl Tally {
    /// Counts what is right in a row of one half.
    pub fn count(&mut self, row: &Measured, half: Half) {
        let (half, choices, label) = (half as usize, row.choices.len(), row.kept.label);
        let credit = |named: u8| f64::from(named == label);
        self.all[half].add(choices, 0.0);
        for (counts, named) in self.named.iter_mut().zip(&row.kept.named) {
            if let Some(named) = *named {
                counts[half].add(choices, credit(named));
            }
        }
        for (number, choice) in (0..).zip(&row.choices) {
            self.positions[usize::from(number)][half].add(choices, credit(number));
            if !self.constants.contains_key(choice) {
                if self.constants.len() == ANSWERS_MAX {
                    continue;
                }
                self.constants.insert(choice.clone(), Counts::default());
            }
            self.constants.get_mut(choice).expect("it was put in")[half].add(choices, credit(number));
        }
        for (counts, named) in self.sentences.iter_mut().zip(&row.kept.sentences) {
            for (counts, named) in counts.iter_mut().zip(named) {
                if let Some(named) = *named {
                    counts[half].add(choices, credit(named));
                }
            }
        }
    }

    /// What is said of rows without answering them.
    pub fn describe(&mut self, row: &Measured) {
        let label = usize::from(row.kept.label);
        self.labels[label] += 1;
        let answer = row.choices[label].as_str();
        let is_told = self.answers.len() < ANSWERS_MAX || self.answers.contains_key(answer);
        let answer = if is_told { answer } else { "…" };
        *self.answers.entry(answer.to_owned()).or_default() += 1;
        for (sum, count) in self.evidence.iter_mut().zip(row.evidence) {
            *sum += count;
        }
        self.unread += u64::from(row.ways.is_none());
    }

    /// Counts the ways of a story.
    pub fn walk(&mut self, ways: Vec<Way>) {
        self.walked += 1;
        for (from, to, count) in ways {
            let way = (from, to);
            if self.ways.len() < WAYS_MAX || self.ways.contains_key(&way) {
                *self.ways.entry(way).or_default() += count;
            }
        }
    }
}
