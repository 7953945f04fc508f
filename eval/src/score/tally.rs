//! Counts one model's answers, row by row.

use std::collections::{BTreeMap, HashMap};

use serde::{Serialize, Serializer};

use super::class::{ErrorClass, errors};
use super::extract::{Given, Rule, extract};
use super::pick::Options;
use super::response::Response;
use crate::dataset::{FIFTHS, Fields};

/// A value by which rows are grouped.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Key {
    /// Whether something is so.
    Bool(bool),
    /// A number.
    Number(i64),
    /// A word.
    Text(String),
}

impl std::fmt::Display for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            // Beside the title "false belief", "false" would be read as the opposite.
            Self::Bool(is_so) => f.write_str(if *is_so { "yes" } else { "no" }),
            Self::Number(number) => number.fmt(f),
            Self::Text(text) => text.fmt(f),
        }
    }
}

impl Serialize for Key {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Bool(is_so) => serializer.serialize_bool(*is_so),
            Self::Number(number) => serializer.serialize_i64(*number),
            Self::Text(text) => serializer.serialize_str(text),
        }
    }
}

/// The answer of a model to one row.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Answered {
    pub given: Given,
    pub is_right: bool,
}

/// A number of rows, and how many of them have a right answer.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Share {
    pub right: u64,
    pub of: u64,
    /// How many answers would be right by chance.
    pub chance: f64,
}

impl Share {
    /// The share for a single row.
    pub fn of(fields: &Fields, is_right: bool) -> Self {
        Self { right: u64::from(is_right), of: 1, chance: 1.0 / fields.choices.len().max(1) as f64 }
    }

    pub fn add(&mut self, other: Self) {
        self.right += other.right;
        self.of += other.of;
        self.chance += other.chance;
    }
}

/// The errors in questions of one kind and order.
#[derive(Clone, Debug, Default)]
pub(super) struct Errors {
    /// The number of rows with a response, right or wrong.
    pub of: u64,
    /// How many errors count as each class; each error counts as one.
    pub classes: BTreeMap<ErrorClass, u64>,
    /// How many errors match each class; an error may match several.
    pub equals: BTreeMap<ErrorClass, u64>,
}

impl Errors {
    pub fn add(&mut self, other: &Self) {
        self.of += other.of;
        for (class, count) in &other.classes {
            *self.classes.entry(*class).or_default() += count;
        }
        for (class, count) in &other.equals {
            *self.equals.entry(*class).or_default() += count;
        }
    }
}

/// The right and wrong answers about one target of a story, at the highest order asked about it and below.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Levels {
    highest: usize,
    /// The numbers of right and of wrong answers at the highest order.
    top: [u32; 2],
    /// The numbers of right and of wrong answers below the highest order.
    below: [u32; 2],
}

impl Levels {
    fn add(&mut self, order: usize, is_right: bool) {
        if order > self.highest {
            for at in 0..2 {
                self.below[at] += self.top[at];
            }
            self.top = [0, 0];
            self.highest = order;
        }
        let level = if order < self.highest { &mut self.below } else { &mut self.top };
        level[usize::from(!is_right)] += 1;
    }
}

/// How consistent a model's answers to the questions of one story are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Consistency {
    /// The number of targets in stories that are asked about at several orders.
    pub of: u64,
    /// The number of these targets for which all answers are right.
    pub all_right: u64,
    /// The number of targets for which all answers at the highest order are right, but some below are not.
    pub right_on_wrong: u64,
    /// The number of targets for which all answers below are right, but some at the highest order are not.
    pub wrong_on_right: u64,
    /// The number of targets for which no answer is right.
    pub all_wrong: u64,
    /// The number of targets for which some answers are right, some at the highest order wrong, and some below wrong.
    pub mixed: u64,
}

/// Everything that is counted for one model.
#[derive(Clone, Debug, Default)]
pub(super) struct Tally {
    pub all: Share,
    /// The share of right answers by property and value of the property.
    pub groups: BTreeMap<&'static str, BTreeMap<Key, Share>>,
    /// The share of right answers by order and mislead distance.
    pub distances: BTreeMap<(usize, i64), Share>,
    /// The share of right answers by board, parameter and value of the parameter.
    pub parameters: BTreeMap<(String, String), BTreeMap<Key, Share>>,
    /// The errors by kind and order of the question.
    pub errors: BTreeMap<(String, usize), Errors>,
    pub rules: BTreeMap<Rule, u64>,
    /// The right and wrong answers by story and target.
    levels: HashMap<(String, String), Levels>,
}

impl Tally {
    /// Counts the answer to a row.
    pub fn add(&mut self, fields: &Fields, options: &Options, response: &Response) -> Answered {
        let extraction = extract(response, options);
        if let Some(rule) =
            extraction.rule.filter(|_| matches!(extraction.given, Given::Named(_) | Given::Outside))
        {
            *self.rules.entry(rule).or_default() += 1;
        }
        let found = errors(&extraction.given, fields);
        let is_right = found.is_empty();
        self.count(fields, options, Share::of(fields, is_right));
        let errors = self.errors.entry((fields.kind.clone(), fields.order)).or_default();
        errors.of += 1;
        for (at, class) in found.into_iter().enumerate() {
            *errors.equals.entry(class).or_default() += 1;
            if at == 0 {
                *errors.classes.entry(class).or_default() += 1;
            }
        }
        // What is asked of another moment, or of another story, is no premise.
        if !fields.kind.ends_with("_before") && !fields.kind.ends_with("_without") {
            // What is asked of one state is no premise of what is asked of another: those are linked.
            let about = match (&fields.state, fields.scenario) {
                (Some(state), Some(scenario)) => {
                    format!("{} {} {state} {scenario}", fields.about, fields.kind)
                }
                _ => fields.about.clone(),
            };
            let key = (fields.story_id().to_owned(), about);
            self.levels.entry(key).or_default().add(fields.order, is_right);
        }
        Answered { given: extraction.given, is_right }
    }

    fn count(&mut self, fields: &Fields, options: &Options, share: Share) {
        self.all.add(share);
        let number = |number: usize| Key::Number(number as i64);
        let mut count = |by, key| self.groups.entry(by).or_default().entry(key).or_default().add(share);
        count("board", Key::Text(fields.board.clone()));
        count("kind", Key::Text(fields.kind.clone()));
        count("order", number(fields.order));
        count("format", Key::Text(options.format().to_owned()));
        if let Some(matter) = fields.matter_asked() {
            count("level", number(matter.level.into()));
            count("class", Key::Text(matter.class.clone()));
            count("lie", Key::Bool(matter.lie));
        }
        if let Some(state) = &fields.state {
            count("state", Key::Text(state.clone()));
        }
        if let Some(scenario) = fields.scenario {
            count("scenario", Key::Number(i64::try_from(scenario).unwrap_or(i64::MAX)));
        }
        if let Some(fifth) = fields.difficulty.fifth() {
            count("difficulty", Key::Text(FIFTHS[fifth].to_owned()));
        }
        if let Some(rules) = &fields.rules {
            count("rules", Key::Text(rules.clone()));
        }
        if let Some(role) = fields.role_asked() {
            count("role", Key::Text(role.to_owned()));
        }
        if let Some(is_false) = fields.false_belief {
            count("false_belief", Key::Bool(is_false));
        }
        if let Some(distance) = fields.mislead_distance {
            let distance = i64::try_from(distance).unwrap_or(i64::MAX);
            count("mislead_distance", Key::Number(distance));
            self.distances.entry((fields.order, distance)).or_default().add(share);
        }
        for (name, value) in &fields.params {
            let key = value.as_i64().map_or_else(|| Key::Text(value.to_string()), Key::Number);
            let of_board = self.parameters.entry((fields.board.clone(), name.clone())).or_default();
            of_board.entry(key).or_default().add(share);
        }
    }

    pub fn consistency(&self) -> Consistency {
        let mut found = Consistency::default();
        for Levels { top, below, .. } in self.levels.values() {
            if below == &[0, 0] {
                continue;
            }
            found.of += 1;
            let case = match (top, below) {
                ([_, 0], [_, 0]) => &mut found.all_right,
                ([_, 0], _) => &mut found.right_on_wrong,
                (_, [_, 0]) => &mut found.wrong_on_right,
                ([0, _], [0, _]) => &mut found.all_wrong,
                _ => &mut found.mixed,
            };
            *case += 1;
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Orders with whether their answers are right; in any order.
    fn consistency(answers: &[(usize, bool)]) -> Consistency {
        let mut tally = Tally::default();
        for (at, (order, is_right)) in answers.iter().enumerate() {
            let fields = Fields {
                id: format!("b/7/0/{at}"),
                order: *order,
                answer: "a".into(),
                choices: vec!["a".into(), "b".into()],
                ..Fields::default()
            };
            let response = Response::new(if *is_right { "answer: a" } else { "answer: b" });
            assert_eq!(tally.add(&fields, &Options::of(&fields), &response).is_right, *is_right);
        }
        tally.consistency()
    }

    #[test]
    fn answers_go_together() {
        let none = Consistency::default();
        let one = Consistency { of: 1, ..none };
        for (answers, wanted) in [
            (&[(1, true)][..], none),
            (&[(1, true), (1, false)], none),
            (&[(0, true), (1, true)], Consistency { all_right: 1, ..one }),
            (&[(1, true), (0, false)], Consistency { right_on_wrong: 1, ..one }),
            (&[(0, true), (2, false), (1, true)], Consistency { wrong_on_right: 1, ..one }),
            (&[(2, false), (0, false)], Consistency { all_wrong: 1, ..one }),
            (&[(2, false), (1, true), (0, false)], Consistency { mixed: 1, ..one }),
            (&[(1, true), (1, false), (0, false)], Consistency { mixed: 1, ..one }),
        ] {
            assert_eq!(consistency(answers), wanted, "{answers:?}");
        }
    }
}
