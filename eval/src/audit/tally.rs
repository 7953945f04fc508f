//! What is added up of one group of questions, in bounded memory: counters for all rows, and the first rows for learners.

use std::collections::BTreeMap;

use super::case::CHOICES_MAX;
use super::count::{Counts, Half};
use super::lesson::Lessons;
use super::measure::{Kept, Measured, SENTENCES_MAX, Way};
use super::pairs::Pairs;
use super::shortcut;
use super::triplets::Triplets;

/// The largest number of different answers of a group that are counted.
const ANSWERS_MAX: usize = 10_000;

/// The largest number of different ways of a group that are counted.
const WAYS_MAX: usize = 100_000;

/// The counts of one group of questions.
#[derive(Debug)]
pub struct Tally {
    /// The rows, with what guessing gets right.
    pub all: Counts,
    /// For each shortcut, how often it has an answer and is right.
    pub named: Vec<Counts>,
    /// For each answer, how often it would be right to always give it.
    pub constants: BTreeMap<String, Counts>,
    /// For each number of a choice, how often it would be right to always take it.
    pub positions: Vec<Counts>,
    /// For each sentence, counted from either end, how often the choice that it names is right.
    pub sentences: [Vec<Counts>; 2],
    /// How often each answer is right.
    pub answers: BTreeMap<String, u64>,
    /// For each number of a choice, how often it is right.
    pub labels: Vec<u64>,
    /// The rows kept for learners, in each half.
    pub kept: [Vec<Kept>; 2],
    /// The rows kept for boosted trees.
    pub lessons: Lessons,
    /// The number of steps of evidence in each tenth of the story.
    pub evidence: [u64; 10],
    /// The number of rows that repeat an earlier row, and of rows that repeat the shape of one.
    pub repeated: [u64; 2],
    /// The number of rows in which nobody's walks could be read.
    pub unread: u64,
    /// How often people go from one place to another, in some of the stories.
    pub ways: BTreeMap<(String, String), u64>,
    /// The number of stories whose ways are counted.
    pub walked: u64,
    /// The pairs of rows and their twins.
    pub pairs: Pairs,
    /// The triplets of rows and both of their twins.
    pub triplets: Triplets,
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
            lessons: Lessons::default(),
            evidence: [0; 10],
            repeated: [0; 2],
            unread: 0,
            ways: BTreeMap::new(),
            walked: 0,
            pairs: Pairs::default(),
            triplets: Triplets::default(),
        }
    }
}

impl Tally {
    /// Counts which answers are right in a row of one half.
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

    /// Counts what can be said about a row without answering it.
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
