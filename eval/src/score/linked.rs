//! Linked questions: answers that rest on the answers to other questions of the same story.
//!
//! Whoever can say that somebody is glad at first and sad later should also be right that she has changed from glad to sad. Of a
//! question whose linked ones have a response, too, there are four cases: it and all of them are right; only they are; only it is;
//! neither it nor all of them. (After the four classes of DynToM: Xiao et al., 2025.)

use std::collections::{BTreeMap, HashMap, VecDeque};

use serde::Serialize;

use super::accuracy::{Accuracy, Group};
use super::statistics::wilson;
use super::tally::{Key, Share};
use crate::dataset::Fields;

/// The largest number of rows that are kept until their story is complete. Rows of one story mostly stand together; where they
/// do not, and there are more of them, the story whose first row came first is counted with what has come.
const ROWS_MAX: usize = 1_000_000;

/// The four cases, in the order in which they are counted.
const CASES: usize = 4;

/// What a question is, as far as accuracies are compared: its kind, and the state that it asks of.
type Sort = (String, String);

/// A row that has been answered or may yet be.
#[derive(Debug)]
struct Asked {
    id: String,
    sort: Sort,
    scenario: u64,
    linked: Vec<String>,
    /// Whether the answer of every model is right, if it responded.
    is_right: Vec<Option<bool>>,
}

/// What is counted together: all questions that agree in these.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Cell {
    sort: Sort,
    scenario: u64,
    /// The number of scenarios that its story is asked about.
    scenarios: u64,
}

/// The linked questions of one cell.
#[derive(Clone, Debug, Default)]
struct Counted {
    cases: [u64; CASES],
    /// How often a question was linked to questions of these sorts.
    links: BTreeMap<Vec<Sort>, u64>,
}

/// Counts the linked questions of several models.
#[derive(Debug)]
pub(super) struct LinkedTally {
    stories: HashMap<String, Vec<Asked>>,
    /// The stories in the order of their first rows.
    order: VecDeque<String>,
    rows: usize,
    models: Vec<OfModel>,
}

/// What is counted for one model.
#[derive(Clone, Debug, Default)]
struct OfModel {
    cells: BTreeMap<Cell, Counted>,
    /// Of every sort of question, how many answers are right, and how many there are.
    accuracies: BTreeMap<Sort, [u64; 2]>,
}

impl LinkedTally {
    /// A tally for this number of models.
    pub fn new(models: usize) -> Self {
        Self {
            stories: HashMap::new(),
            order: VecDeque::new(),
            rows: 0,
            models: vec![OfModel::default(); models],
        }
    }

    /// Takes in a row, if it asks what news does to somebody.
    pub fn add(&mut self, fields: &Fields, is_right: Vec<Option<bool>>) {
        let (Some(state), Some(scenario)) = (&fields.state, fields.scenario) else { return };
        let sort = (fields.kind.clone(), state.clone());
        for (model, is_right) in self.models.iter_mut().zip(&is_right) {
            if let Some(is_right) = *is_right {
                let [right, of] = model.accuracies.entry(sort.clone()).or_default();
                *right += u64::from(is_right);
                *of += 1;
            }
        }
        let (id, linked) = (fields.id.clone(), fields.linked.clone());
        let story = self.stories.entry(fields.story_id().to_owned()).or_insert_with_key(|story| {
            self.order.push_back(story.clone());
            Vec::new()
        });
        story.push(Asked { id, sort, scenario, linked, is_right });
        self.rows += 1;
        while self.rows > ROWS_MAX && self.order.len() > 1 {
            self.count_first();
        }
    }

    /// Counts the story whose first row came first, and forgets it. Whether there was one.
    fn count_first(&mut self) -> bool {
        let Some(story) = self.order.pop_front().and_then(|story| self.stories.remove(&story)) else {
            return false;
        };
        self.rows -= story.len();
        let scenarios = story.iter().map(|asked| asked.scenario).max().unwrap_or(0);
        let by_id: HashMap<&str, &Asked> = story.iter().map(|asked| (asked.id.as_str(), asked)).collect();
        for asked in story.iter().filter(|asked| !asked.linked.is_empty()) {
            let linked: Option<Vec<&Asked>> =
                asked.linked.iter().map(|id| by_id.get(id.as_str()).copied()).collect();
            let Some(linked) = linked else { continue };
            let cell = Cell { sort: asked.sort.clone(), scenario: asked.scenario, scenarios };
            let sorts: Vec<Sort> = linked.iter().map(|linked| linked.sort.clone()).collect();
            for (at, model) in self.models.iter_mut().enumerate() {
                let premises: Option<Vec<bool>> = linked.iter().map(|linked| linked.is_right[at]).collect();
                let (Some(is_right), Some(premises)) = (asked.is_right[at], premises) else { continue };
                let counted = model.cells.entry(cell.clone()).or_default();
                counted.cases[case(is_right, premises.into_iter().all(|is_right| is_right))] += 1;
                *counted.links.entry(sorts.clone()).or_default() += 1;
            }
        }
        true
    }

    /// The results of each model, if it has any.
    pub fn finish(mut self) -> Vec<Option<Linked>> {
        while self.count_first() {}
        self.models.iter().map(OfModel::finish).collect()
    }
}

/// The number of the case of a question.
const fn case(is_right: bool, are_premises_right: bool) -> usize {
    match (is_right, are_premises_right) {
        (true, true) => 0,
        (false, true) => 1,
        (true, false) => 2,
        (false, false) => 3,
    }
}

impl OfModel {
    fn finish(&self) -> Option<Linked> {
        let by = |key: &dyn Fn(&Cell) -> Option<Key>| {
            let mut groups: BTreeMap<Key, Sum> = BTreeMap::new();
            for (cell, counted) in &self.cells {
                if let Some(key) = key(cell) {
                    groups.entry(key).or_default().add(self.sum(cell, counted));
                }
            }
            let group = |(value, sum): (Key, Sum)| LinkedGroup { value, cases: sum.finish() };
            groups.into_iter().map(group).collect::<Vec<_>>()
        };
        let mut all = Sum::default();
        self.cells.iter().for_each(|(cell, counted)| all.add(self.sum(cell, counted)));
        let number = |number: u64| Key::Number(i64::try_from(number).unwrap_or(i64::MAX));
        let spans = |cell: &Cell| matches!(cell.sort.0.as_str(), "changed" | "cause");
        (all.of() > 0).then(|| Linked {
            cases: all.finish(),
            kind: by(&|cell| Some(Key::Text(cell.sort.0.clone()))),
            state: by(&|cell| Some(Key::Text(cell.sort.1.clone()))),
            span: by(&|cell| spans(cell).then(|| number(cell.scenario))),
            scenarios: by(&|cell| Some(number(cell.scenarios))),
        })
    }

    /// The cases of a cell, and how many of each there would be if errors did not go together.
    fn sum(&self, cell: &Cell, counted: &Counted) -> Sum {
        let accuracy = |sort: &Sort| {
            let [right, of] = self.accuracies.get(sort).copied().unwrap_or_default();
            right as f64 / of.max(1) as f64
        };
        let own = accuracy(&cell.sort);
        let mut expected = [0.0; CASES];
        for (sorts, &count) in &counted.links {
            let premises: f64 = sorts.iter().map(accuracy).product();
            for (at, is_right) in [(0, true), (1, false)] {
                let share = if is_right { own } else { 1.0 - own };
                expected[at] += count as f64 * share * premises;
                expected[at + 2] += count as f64 * share * (1.0 - premises);
            }
        }
        Sum { cases: counted.cases, expected }
    }
}

/// How many questions there are of each case, and how many there would be if errors did not go together.
#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    cases: [u64; CASES],
    expected: [f64; CASES],
}

impl Sum {
    fn add(&mut self, other: Self) {
        for at in 0..CASES {
            self.cases[at] += other.cases[at];
            self.expected[at] += other.expected[at];
        }
    }

    fn of(&self) -> u64 {
        self.cases.iter().sum()
    }

    fn finish(self) -> LinkedCases {
        let of = self.of();
        let share = |at: usize| {
            let (low, high) = wilson(self.cases[at], of);
            let rows = of.max(1) as f64;
            // Beyond some digits there is only what adding many shares has rounded away.
            let independent = (self.expected[at] / rows * 1e9).round() / 1e9;
            CaseShare { count: self.cases[at], share: self.cases[at] as f64 / rows, low, high, independent }
        };
        LinkedCases {
            of,
            fully_correct: share(0),
            local_error: share(1),
            restoration: share(2),
            full_error: share(3),
        }
    }
}

/// How often one of the four cases occurs.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct CaseShare {
    /// The number of questions.
    pub count: u64,
    /// Their share among the linked questions.
    pub share: f64,
    /// The lower end of its 95 % interval.
    pub low: f64,
    /// The upper end of its 95 % interval.
    pub high: f64,
    /// The share that there would be if the same accuracies came from errors that have nothing to do with each other.
    pub independent: f64,
}

/// The four cases of linked questions.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct LinkedCases {
    /// The number of questions to which, and to all of whose linked ones, the model responded.
    pub of: u64,
    /// It is right, and so are all linked ones.
    pub fully_correct: CaseShare,
    /// It is wrong, though all linked ones are right.
    pub local_error: CaseShare,
    /// It is right, though a linked one is wrong.
    pub restoration: CaseShare,
    /// It is wrong, and so is a linked one.
    pub full_error: CaseShare,
}

impl LinkedCases {
    /// The cases with their names, in order.
    pub fn named(&self) -> [(&'static str, &CaseShare); CASES] {
        [
            ("fully correct", &self.fully_correct),
            ("local error", &self.local_error),
            ("restoration", &self.restoration),
            ("full error", &self.full_error),
        ]
    }
}

/// The four cases of linked questions that have something in common.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LinkedGroup {
    /// What they have in common.
    pub value: Key,
    /// The cases of these questions.
    #[serde(flatten)]
    pub cases: LinkedCases,
}

impl LinkedGroup {
    /// The share of questions that are fully correct, with what independent errors would give in place of chance.
    pub fn correct(&self) -> Group {
        let LinkedCases { of, fully_correct, .. } = self.cases;
        let chance = fully_correct.independent * of as f64;
        let share = Share { right: fully_correct.count, of, chance };
        Group { value: self.value.clone(), accuracy: Accuracy::new(share) }
    }
}

/// The results on linked questions.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Linked {
    /// All of them.
    #[serde(flatten)]
    pub cases: LinkedCases,
    /// By the kind of the question.
    pub kind: Vec<LinkedGroup>,
    /// By the state that it asks of.
    pub state: Vec<LinkedGroup>,
    /// Of questions about a change, by the scenario in which it comes about.
    pub span: Vec<LinkedGroup>,
    /// By the number of scenarios that are asked about.
    pub scenarios: Vec<LinkedGroup>,
}

impl Linked {
    /// The groups, each with the title of what they have in common.
    pub fn groups(&self) -> [(&'static str, &[LinkedGroup]); 4] {
        [
            ("kind", &self.kind),
            ("state", &self.state),
            ("change in scenario", &self.span),
            ("number of scenarios", &self.scenarios),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(number: usize, kind: &str, scenario: u64, linked: &[usize]) -> Fields {
        let id = |number: usize| format!("b/7/0/{number}");
        Fields {
            id: id(number),
            kind: kind.to_owned(),
            state: Some("emotion".to_owned()),
            scenario: Some(scenario),
            linked: linked.iter().map(|&number| id(number)).collect(),
            ..Fields::default()
        }
    }

    /// What a model gets that is right or wrong in these: two states, and the change from one to the other.
    fn of(answers: &[[Option<bool>; 3]]) -> Option<Linked> {
        let mut tally = LinkedTally::new(1);
        for (story, answers) in answers.iter().enumerate() {
            let rows = [row(2, "changed", 2, &[0, 1]), row(1, "emotion", 2, &[]), row(0, "emotion", 1, &[])];
            for (mut fields, is_right) in rows.into_iter().zip([answers[2], answers[1], answers[0]]) {
                for id in fields.linked.iter_mut().chain([&mut fields.id]) {
                    *id = id.replace("/0/", &format!("/{story}/"));
                }
                tally.add(&fields, vec![is_right]);
            }
        }
        tally.finish().remove(0)
    }

    #[test]
    fn there_are_four_cases() {
        let (yes, no) = (Some(true), Some(false));
        for (answers, wanted) in [
            ([yes, yes, yes], [1, 0, 0, 0]),
            ([yes, yes, no], [0, 1, 0, 0]),
            ([yes, no, yes], [0, 0, 1, 0]),
            ([no, no, no], [0, 0, 0, 1]),
        ] {
            let found = of(&[answers]).unwrap();
            assert_eq!(found.cases.named().map(|(_, share)| share.count), wanted, "{answers:?}");
            assert_eq!((found.span[0].value.clone(), found.scenarios.len()), (Key::Number(2), 1));
        }
        assert_eq!(of(&[[yes, None, yes]]), None, "one of them has no response");
        assert_eq!(of(&[]), None);
    }

    /// Three quarters of the states are right, and half of the changes.
    #[test]
    fn independent_errors_multiply() {
        let (yes, no) = (Some(true), Some(false));
        let found = of(&[[yes, yes, yes], [yes, no, no]]).unwrap();
        let independent = found.cases.named().map(|(_, share)| share.independent);
        let both = 0.75 * 0.75;
        assert_eq!(independent, [both / 2.0, both / 2.0, (1.0 - both) / 2.0, (1.0 - both) / 2.0]);
        assert_eq!(found.cases.fully_correct.count, 1);
    }
}
