//! Answers, and all that a row says of them.

use crate::id::{CharacterId, ContainerId, PlaceId};
use crate::world::Value;

/// A question with its answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answered {
    /// The number among the questions of the storyboard.
    pub question: usize,
    /// The answer.
    pub answer: Option<Answer>,
    /// What is really so.
    pub truth: Option<Answer>,
    /// Of a belief: whether it is false.
    pub false_belief: Option<bool>,
    /// Of a false belief: see [`Asker`](super::Asker).
    pub mislead_distance: Option<usize>,
    /// A smallest set of steps from which the answer follows: applying only their moves, in order,
    /// from the start gives the same answer, and leaving out any one of them does not.
    pub evidence: Vec<usize>,
    /// What shortcuts would answer.
    pub foils: Foils,
    /// What is offered.
    pub choices: Vec<Answer>,
    /// Which of the choices is the answer.
    pub label: usize,
}

/// What can answer a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Answer {
    /// A place.
    Place(PlaceId),
    /// A container.
    Container(ContainerId),
    /// A character.
    Character(CharacterId),
    /// "yes", "no" or "unknown".
    Verdict(Verdict),
    /// Everyone of whom something is so: a bit for each character, by number.
    People(u64),
}

impl Answer {
    /// The place, if it is one.
    pub const fn place(self) -> Option<PlaceId> {
        match self {
            Self::Place(place) => Some(place),
            _ => None,
        }
    }

    /// The value that it stands for; none: there is no telling, or it is about people.
    pub const fn value(self) -> Option<Value> {
        match self {
            Self::Place(place) => Some(Value::Place(place)),
            Self::Container(container) => Some(Value::Container(container)),
            Self::Verdict(Verdict::Yes) => Some(Value::Truth(true)),
            Self::Verdict(Verdict::No) => Some(Value::Truth(false)),
            Self::Verdict(Verdict::Unknown) | Self::Character(_) | Self::People(_) => None,
        }
    }
}

/// Whether something is so.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// It is.
    Yes,
    /// It is not.
    No,
    /// There is no telling.
    Unknown,
}

/// What a shortcut would answer that tracks no mind; `None` where it has no answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Foils {
    /// Where the target is at the end.
    pub last_place: Option<Answer>,
    /// Where it was before that.
    pub second_last_place: Option<Answer>,
    /// Where all of the question's characters came together first (the start does not count).
    pub first_common_place: Option<Answer>,
    /// Where they came together last.
    pub last_common_place: Option<Answer>,
    /// Where the outermost mind's owner, or the first of the company, is at the end.
    pub own_place: Option<Answer>,
    /// What the chain without its outermost mind would answer.
    pub lower_order: Option<Answer>,
}

impl Foils {
    /// The names of the foils, in the order of [`Self::answers`].
    pub const NAMES: [&'static str; 6] = [
        "last_place",
        "second_last_place",
        "first_common_place",
        "last_common_place",
        "own_place",
        "lower_order",
    ];

    /// The foils, in the order of [`Self::NAMES`].
    pub fn answers(&self) -> [Option<Answer>; 6] {
        [
            self.last_place,
            self.second_last_place,
            self.first_common_place,
            self.last_common_place,
            self.own_place,
            self.lower_order,
        ]
    }
}
