//! The joint solver: what the questions of one story give away about each other, by logic alone.
//!
//! Choices of different questions speak of the same things. If one question asks what somebody feels in scenario 2, and another
//! how she came to feel that, then what is right here has to fit what is right there, and what fits nothing is wrong: no story is
//! needed for that. The solver knows no data set. It cuts choices into parts (`told.rs`), learns on half of the stories which
//! parts of the right choices are always the same, or never (`rules.rs`), and takes away in the other half what does not fit
//! (`solve.rs`), until nothing changes. What is left is what logic leaves open.

mod kept;
mod rules;
mod solve;
mod told;

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::case::Group;
use super::count::Half;
use super::finding::wilson;
use kept::{Asked, Stories};
use rules::{Rule, Sheet};
use told::Reading;

/// Stories under way to the solver.
#[derive(Debug, Default)]
pub struct Joint {
    groups: BTreeMap<Group, usize>,
    stories: [Stories; 2],
}

impl Joint {
    /// Takes in a question of the story with this hash.
    pub fn add(
        &mut self,
        half: Half,
        hash: u64,
        group: &Group,
        question: String,
        choices: Vec<String>,
        label: u8,
    ) {
        let next = self.groups.len();
        let number = match self.groups.get(group) {
            Some(&number) => number,
            None => *self.groups.entry(group.clone()).or_insert(next),
        };
        let asked = Asked { group: number, question, choices, label: usize::from(label) };
        self.stories[half as usize].add(hash, asked);
    }

    /// Learns, solves and counts; `None` if no story that could be solved has several questions.
    pub fn report(self) -> Option<JointReport> {
        let Self { groups, stories } = self;
        let [(learn, _), (tried, left_out)] = stories.map(Stories::finish);
        // Groups were numbered as they came: from here on, in their order.
        let mut ranks = vec![0; groups.len()];
        groups.values().enumerate().for_each(|(rank, &number)| ranks[number] = rank);
        let groups: Vec<Group> = groups.into_keys().collect();
        let [learn, tried] = [learn, tried].map(|stories| in_order(stories, &ranks));
        if tried.is_empty() {
            return None;
        }
        let (mut reading, told) = Reading::of([&learn, &tried]);
        let [learn, tried] = told.map(|told| {
            let sheet = |told| {
                let slots = reading.slots(&told);
                (told, slots)
            };
            told.into_iter().map(sheet).collect::<Vec<Sheet>>()
        });
        let solver = Solver::learn(&learn, reading.slot_count(), reading.key_count());
        let (counts, all, contradicted) = solver.solved(&tried, groups.len());
        let of_groups = groups.into_iter().zip(counts).filter(|(_, solved)| solved.rows > 0);
        Some(JointReport {
            learned_from: solver.learned_from as u64,
            tried_on: tried.len() as u64,
            questions: all.rows as f64 / tried.len() as f64,
            rules: solver.rules.len() as u64,
            contradicted,
            left_out,
            all: all.finding(),
            groups: of_groups
                .map(|(group, solved)| JointGroup {
                    asks_for_minds: group.asks_for_minds(),
                    group,
                    finding: solved.finding(),
                })
                .collect(),
        })
    }
}

/// Rules, ready for use.
struct Solver {
    rules: Vec<Rule>,
    learned_from: usize,
    slot_count: usize,
    key_count: usize,
}

impl Solver {
    fn learn(sheets: &[Sheet], slot_count: usize, key_count: usize) -> Self {
        let (rules, learned_from) = rules::learn(sheets, slot_count, key_count);
        Self { rules, learned_from, slot_count, key_count }
    }

    /// What is left in stories: by group, and in all of them; and how many contradict the rules.
    fn solved(&self, sheets: &[Sheet], group_count: usize) -> (Vec<Solved>, Solved, u64) {
        let mut counts = vec![Solved::default(); group_count];
        let mut all = Solved::default();
        let mut contradicted = 0;
        for sheet in sheets {
            let left = solve::left(sheet, &self.rules, self.slot_count, self.key_count);
            contradicted += u64::from(left.is_none());
            count(sheet, left.as_deref(), &mut counts, &mut all);
        }
        (counts, all, contradicted)
    }
}

/// The same stories with their groups numbered otherwise.
fn in_order(mut stories: Vec<Vec<Asked>>, ranks: &[usize]) -> Vec<Vec<Asked>> {
    for story in &mut stories {
        story.iter_mut().for_each(|asked| asked.group = ranks[asked.group]);
        story.sort_unstable();
    }
    stories
}

/// Counts what is left in the questions of one story; everything is, if the rules contradict each other.
fn count((told, _): &Sheet, left: Option<&[solve::Left]>, counts: &mut [Solved], all: &mut Solved) {
    let groups: BTreeSet<usize> = told.questions.iter().map(|question| question.group).collect();
    groups.into_iter().for_each(|group| counts[group].stories += 1);
    all.stories += 1;
    for (at, question) in told.questions.iter().enumerate() {
        let choices = question.choice_count();
        let (count, is_left) = left.map_or((choices, true), |left| {
            (left[at].count_ones() as usize, left[at] >> question.label & 1 == 1)
        });
        counts[question.group].add(choices, count, is_left);
        all.add(choices, count, is_left);
    }
}

/// What is counted of some questions.
#[derive(Clone, Copy, Debug, Default)]
struct Solved {
    stories: u64,
    rows: u64,
    chance: f64,
    decided: u64,
    decided_right: u64,
    left: u64,
    right: f64,
}

impl Solved {
    /// Counts a question with so many choices, of which so many are left, the right one among them or not.
    fn add(&mut self, choices: usize, left: usize, is_left: bool) {
        let is_decided = left == 1 && choices > 1;
        self.rows += 1;
        self.chance += 1.0 / choices as f64;
        self.decided += u64::from(is_decided);
        self.decided_right += u64::from(is_decided && is_left);
        self.left += left as u64;
        self.right += if is_left { 1.0 / left as f64 } else { 0.0 };
    }

    fn finding(&self) -> JointFinding {
        let share = |part: f64| part / (self.rows as f64).max(1.0);
        let accuracy = share(self.right);
        // The questions of a story stand or fall together, so stories are counted.
        let (low, high) = wilson(accuracy * self.stories as f64, self.stories);
        JointFinding {
            rows: self.rows,
            stories: self.stories,
            chance: share(self.chance),
            left: share(self.left as f64),
            decided: share(self.decided as f64),
            decided_right: (self.decided > 0).then(|| self.decided_right as f64 / self.decided as f64),
            accuracy,
            over: share(self.right - self.chance),
            low,
            high,
        }
    }
}

/// What the joint solver found.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct JointReport {
    /// The number of stories that rules were learned from.
    pub learned_from: u64,
    /// The number of stories that were solved.
    pub tried_on: u64,
    /// How many questions these have on average.
    pub questions: f64,
    /// The number of rules that were learned.
    pub rules: u64,
    /// The number of stories whose choices contradict the rules. There, every choice is left.
    pub contradicted: u64,
    /// The number of rows that were not looked at, because there are too many stories, or too many questions of one.
    pub left_out: u64,
    /// The findings about all questions.
    pub all: JointFinding,
    /// The findings about each group of questions.
    pub groups: Vec<JointGroup>,
}

/// What the joint solver found about one group of questions.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct JointGroup {
    /// The group of questions.
    #[serde(flatten)]
    pub group: Group,
    /// Whether the group asks about minds.
    pub asks_for_minds: bool,
    /// The finding.
    #[serde(flatten)]
    pub finding: JointFinding,
}

/// How well some questions can be answered by logic alone.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct JointFinding {
    /// The number of questions.
    pub rows: u64,
    /// The number of stories that they are about.
    pub stories: u64,
    /// The share that guessing gets right.
    pub chance: f64,
    /// How many choices are left, on average.
    pub left: f64,
    /// The share of questions of which one choice is left.
    pub decided: f64,
    /// The share of these that are right; `None` if there are none.
    pub decided_right: Option<f64>,
    /// The share of questions that are right if one guesses among the choices that are left.
    pub accuracy: f64,
    /// How far that is above chance.
    pub over: f64,
    /// The lower end of its 95% interval (Wilson's, which counts stories).
    pub low: f64,
    /// The upper end of that interval.
    pub high: f64,
}

impl JointReport {
    /// The groups in which guessing among the choices that are left gets more than `over` above chance, the worst first.
    pub fn above(&self, over: f64) -> Vec<&JointGroup> {
        let mut above: Vec<&JointGroup> =
            self.groups.iter().filter(|group| group.finding.over > over + 1e-9).collect();
        above.sort_by(|one, other| other.finding.over.total_cmp(&one.finding.over)); // stable
        above
    }
}
