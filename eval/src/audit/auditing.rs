//! An audit under way: takes in rows, group by group, and says at the end what it found.

use std::collections::{BTreeMap, HashSet};

use super::case::Group;
use super::count::Half;
use super::joint::Joint;
use super::measure::Measured;
use super::pairs::Mate;
use super::report::{COMPARED_MAX, Repeated, Report, of_group};
use super::tally::Tally;
use crate::dataset::{Trios, Waiting};

/// The largest number of groups of questions that are kept apart.
const GROUPS_MAX: usize = 256;

/// The largest number of rows that are kept for learners, over all groups.
const KEPT_MAX: usize = 300_000;

/// The settings of an audit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// How many rows of a group learners learn from. They are tested on as many others; boosted trees learn from three times
    /// as many.
    pub sample: usize,
    /// Whether learners learn from rows that are not audited; see [`Audit::learn_from`].
    pub is_taught_elsewhere: bool,
}

impl Default for Options {
    fn default() -> Self {
        Self { sample: 20_000, is_taught_elsewhere: false }
    }
}

/// An audit in progress.
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
    /// The number of signs that are kept for boosted trees.
    signs: usize,
    /// Fingerprints of the rows seen so far: of the rows as they are, and of their shapes.
    seen: [HashSet<u128>; 2],
    compared: u64,
    repeated: [u64; 2],
    rows: u64,
    left_out: u64,
    waiting: Waiting<Mate>,
    trios: Trios<Mate>,
    joint: Joint,
}

impl Audit {
    /// An audit of no rows yet.
    pub fn new(options: Options) -> Self {
        Self {
            options,
            groups: BTreeMap::new(),
            kept: 0,
            signs: 0,
            seen: [HashSet::new(), HashSet::new()],
            compared: 0,
            repeated: [0; 2],
            rows: 0,
            left_out: 0,
            waiting: Waiting::default(),
            trios: Trios::default(),
            joint: Joint::default(),
        }
    }

    /// Takes in a row of the data that is audited.
    ///
    /// Unless learners are taught elsewhere, they learn from one half of the stories, which is chosen by a hash of their
    /// words, so that no story is in both halves.
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
        let (pair, trio) = (row.pair.take(), row.trio.take());
        let mate = (pair.is_some() || trio.is_some()).then(|| (row.group.clone(), Mate::of(&row)));
        let kept = self.count(row, half);
        let Some((group, mut mate)) = mate else { return };
        mate.kept = kept;
        // Rows of several groups, or halves, are no twins of each other, whatever they say: they never meet.
        let apart = |id: String| format!("{half:?} {group:?} {id}");
        let is_tried = half == Half::Try;
        if let Some((ids, number)) = trio {
            let met = self.trios.meet(ids.map(apart), number, mate);
            if let Some(([story, twin, other], tally)) = met.zip(self.tally(&group)) {
                tally.pairs.add([&story, &twin], is_tried);
                tally.triplets.add([&story, &twin, &other], is_tried);
            }
        } else if let Some(ids) = pair {
            let met = self.waiting.meet(ids.map(apart), mate);
            if let Some(([story, twin], tally)) = met.zip(self.tally(&group)) {
                tally.pairs.add([&story, &twin], is_tried);
            }
        }
    }

    /// Takes in a row that learners learn from but that is not audited.
    pub fn learn_from(&mut self, row: Measured) {
        self.count(row, Half::Learn);
    }

    /// How many rows have been audited so far.
    pub const fn rows(&self) -> u64 {
        self.rows
    }

    /// The results of the audit.
    pub fn report(self) -> Report {
        let groups = self.groups.into_iter().filter(|(_, tally)| tally.answers.values().sum::<u64>() > 0);
        Report {
            rows: self.rows,
            left_out: self.left_out,
            alone: [self.waiting.alone(), self.trios.alone()]
                .into_iter()
                .flatten()
                .reduce(|one, other| one + other),
            compared: self.compared,
            repeated: Repeated { exact: self.repeated[0], shape: self.repeated[1] },
            groups: groups
                .map(|(group, tally)| of_group(group, tally, self.options.is_taught_elsewhere))
                .collect(),
            joint: self.joint.report(),
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

    /// Counts a row. Returns its index among the rows for learners, if it is one of them.
    fn count(&mut self, row: Measured, half: Half) -> Option<usize> {
        let (sample, kept, mut signs) = (self.options.sample, self.kept, self.signs);
        let is_tried =
            if self.options.is_taught_elsewhere { half == Half::Try } else { row.shown.is_tried() };
        let label = row.kept.label;
        let tally = self.tally(&row.group)?;
        tally.count(&row, half);
        tally.lessons.keep(row.shown, is_tried, sample, &mut signs);
        let number = tally.kept[half as usize].len();
        let is_kept = number < sample && kept < KEPT_MAX;
        if is_kept {
            tally.kept[half as usize].push(row.kept);
            if let Some(ways) = row.ways.filter(|_| half == Half::Try) {
                tally.walk(ways);
            }
        }
        self.kept += usize::from(is_kept);
        self.signs = signs;
        self.joint.add(half, row.story, &row.group, row.question, row.choices, label);
        is_kept.then_some(number)
    }
}
