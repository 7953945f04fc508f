//! Adds up what was measured, in bounded memory: counters for all rows, and the first rows of every group for learners.

use std::collections::{BTreeMap, HashSet};

use super::case::{CHOICES_MAX, Group};
use super::measure::{Kept, Measured, SENTENCES_MAX, Way};
use super::pairs::{Mate, Pairs};
use super::report::{self, Report};
use super::shortcut;
use crate::dataset::Waiting;

/// So many groups of questions are told apart.
const GROUPS_MAX: usize = 256;

/// So many rows are kept for learners, of all groups.
const KEPT_MAX: usize = 300_000;

/// So many different answers of a group are counted.
const ANSWERS_MAX: usize = 10_000;

/// So many different ways of a group are counted.
const WAYS_MAX: usize = 100_000;

/// Among so many rows, those that are the same are found.
pub const COMPARED_MAX: u64 = 4_000_000;

/// How an audit is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Of so many rows of a group learners learn, and on as many they are tried.
    pub sample: usize,
    /// Learners learn from rows that are not audited, see [`Audit::learn_from`].
    pub is_taught_elsewhere: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { sample: 20_000, is_taught_elsewhere: false }
    }
}

/// An audit that is being done.
///
/// ```
/// use storysim::audit::{Audit, Case, Measured, Options};
/// let mut audit = Audit::new(Options::default());
/// for number in 0..100 {
///     let story = format!("Story {number}. It is in the box.");
///     let choices = ["box", "basket"].map(str::to_owned).into();
///     audit.add(Measured::of(Case { story, choices, ..Case::default() }));
/// }
/// let report = audit.report();
/// let last_named = report.groups[0].find("last_named").unwrap();
/// assert_eq!((last_named.accuracy, last_named.chance), (1.0, 0.5));
/// ```
#[derive(Debug)]
pub struct Audit {
    options: Options,
    groups: BTreeMap<Group, Tally>,
    kept: usize,
    /// Stand for the rows seen: as they are, and their shapes.
    seen: [HashSet<u128>; 2],
    compared: u64,
    repeated: [u64; 2],
    rows: u64,
    left_out: u64,
    waiting: Waiting<Mate>,
}

/// The rows from which is learned, and those on which it is tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Half {
    /// From these.
    Learn = 0,
    /// On these.
    Try = 1,
}

/// How often something was named, and rightly.
#[derive(Clone, Copy, Debug, Default)]
pub struct Count {
    /// In how many rows it has an answer.
    pub answered: u64,
    /// What guessing would get right of these.
    pub chance: f64,
    /// How many of its answers are right; a share of one, where it is one of several answers.
    pub hits: f64,
}

impl Count {
    /// Adds an answer to one of so many choices.
    pub fn add(&mut self, choices: usize, credit: f64) {
        self.answered += 1;
        self.chance += 1.0 / choices as f64;
        self.hits += credit;
    }

    /// Both together.
    pub fn plus(self, other: Self) -> Self {
        Self {
            answered: self.answered + other.answered,
            chance: self.chance + other.chance,
            hits: self.hits + other.hits,
        }
    }
}

/// Of both halves.
pub type Counts = [Count; 2];

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

impl Audit {
    /// Nothing audited yet.
    pub fn new(options: Options) -> Self {
        Self {
            options,
            groups: BTreeMap::new(),
            kept: 0,
            seen: [HashSet::new(), HashSet::new()],
            compared: 0,
            repeated: [0; 2],
            rows: 0,
            left_out: 0,
            waiting: Waiting::default(),
        }
    }

    /// Takes in a row of what is audited.
    ///
    /// If learners are not taught elsewhere, they learn from the stories of one half, by a hash of their words; so no
    /// story is in both halves.
    pub fn add(&mut self, mut row: Measured) {
        let half = if self.options.is_taught_elsewhere || !row.is_even { Half::Try } else { Half::Learn };
        self.rows += 1;
        let repeated = self.compare(row.fingerprints);
        let Some(tally) = self.tally(&row.group) else {
            self.left_out += 1;
            return;
        };
        for (sum, is_repeated) in tally.repeated.iter_mut().zip(repeated) {
            *sum += u64::from(is_repeated);
        }
        tally.describe(&row);
        let pair = row.pair.take().map(|ids| (ids, row.group.clone(), Mate::of(&row)));
        let kept = self.count(row, half);
        if let Some((ids, group, mut mate)) = pair {
            mate.kept = kept;
            // Rows of several groups, or halves, are no twins of each other, whatever they say: they never meet.
            let met = self.waiting.meet(ids.map(|id| format!("{half:?} {group:?} {id}")), mate);
            if let Some((met, tally)) = met.zip(self.tally(&group)) {
                tally.pairs.add(met, half == Half::Try);
            }
        }
    }

    /// Takes in a row from which is only learned.
    pub fn learn_from(&mut self, row: Measured) {
        self.count(row, Half::Learn);
    }

    /// How many rows were audited so far.
    pub const fn rows(&self) -> u64 {
        self.rows
    }

    /// What came of it.
    pub fn report(self) -> Report {
        let groups = self.groups.into_iter().filter(|(_, tally)| tally.answers.values().sum::<u64>() > 0);
        Report {
            rows: self.rows,
            left_out: self.left_out,
            alone: self.waiting.alone(),
            compared: self.compared,
            repeated: report::Repeated { exact: self.repeated[0], shape: self.repeated[1] },
            groups: groups
                .map(|(group, tally)| report::of_group(group, tally, self.options.is_taught_elsewhere))
                .collect(),
        }
    }

    fn tally(&mut self, group: &Group) -> Option<&mut Tally> {
        if !self.groups.contains_key(group) {
            if self.groups.len() == GROUPS_MAX {
                return None;
            }
            self.groups.insert(group.clone(), Tally::default());
        }
        self.groups.get_mut(group)
    }

    fn compare(&mut self, fingerprints: [u128; 2]) -> [bool; 2] {
        if self.compared == COMPARED_MAX {
            return [false; 2];
        }
        self.compared += 1;
        let [exact, shape] = [0, 1].map(|which| !self.seen[which].insert(fingerprints[which]));
        self.repeated[0] += u64::from(exact);
        self.repeated[1] += u64::from(shape);
        [exact, shape]
    }

    /// Returns which of the rows for learners it is, if it is one.
    fn count(&mut self, row: Measured, half: Half) -> Option<usize> {
        let (sample, kept) = (self.options.sample, self.kept);
        let tally = self.tally(&row.group)?;
        tally.count(&row, half);
        let number = tally.kept[half as usize].len();
        if number >= sample || kept >= KEPT_MAX {
            return None;
        }
        tally.kept[half as usize].push(row.kept);
        if let Some(ways) = row.ways.filter(|_| half == Half::Try) {
            tally.walk(ways);
        }
        self.kept += 1;
        Some(number)
    }
}

impl Tally {
    fn count(&mut self, row: &Measured, half: Half) {
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
    fn describe(&mut self, row: &Measured) {
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

    fn walk(&mut self, ways: Vec<Way>) {
        self.walked += 1;
        for (from, to, count) in ways {
            let way = (from, to);
            if self.ways.len() < WAYS_MAX || self.ways.contains_key(&way) {
                *self.ways.entry(way).or_default() += count;
            }
        }
    }
}
