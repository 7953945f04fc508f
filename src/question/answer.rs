//! Answers, and all that a row says of them.

use crate::id::{CharacterId, ContainerId, PlaceId};
use crate::world::Value;

/// A question with its answer.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answered {
    /// The number among the questions of the storyboard.
    pub question: usize,
    /// The answer to the question.
    pub answer: Option<Answer>,
    /// The real state that the question asks about.
    pub truth: Option<Answer>,
    /// Whether the belief is false, if the question is about a belief.
    pub false_belief: Option<bool>,
    /// The mislead distance of a false belief; see [`Asker`](super::Asker).
    pub mislead_distance: Option<usize>,
    /// The step that settled the answer, and the steps that it takes for it to have been witnessed, and understood, by the
    /// minds of the chain. None of them can be spared. None, if the answer is held from the start without a break.
    pub evidence: Vec<usize>,
    /// The answers that shortcuts would give.
    pub foils: Foils,
    /// The other matters whose answers are offered, where these have to be different.
    pub unlike: Vec<usize>,
    /// The answers that are offered.
    pub choices: Vec<Answer>,
    /// The index of the right answer among the choices.
    pub label: usize,
}

/// An answer to a question.
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
    /// All characters for whom something is so, one bit per character number.
    People(u64),
    /// The reason told of this matter (0), or one of those that nobody tells (from 1 on).
    Why(usize, usize),
    /// Which of these two know something, and what the first thinks of the other.
    Standing(Standing, [CharacterId; 2]),
}

/// Which of two people know something, and whether the first thinks that the second does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Standing {
    /// Both do, and the first knows that.
    Both,
    /// Both do, but the first thinks that the second does not.
    BothUnnoticed,
    /// The first does, and rightly thinks that the second does not.
    First,
    /// The second does, and the first does not.
    Second,
    /// Neither does.
    Neither,
}

impl Standing {
    /// All of them.
    pub const ALL: [Self; 5] = [Self::Both, Self::BothUnnoticed, Self::First, Self::Second, Self::Neither];
}

impl Answer {
    /// The place, if the answer is one.
    pub const fn place(self) -> Option<PlaceId> {
        match self {
            Self::Place(place) => Some(place),
            _ => None,
        }
    }

    /// The answer that a value is; `None` if none is asked for that is one.
    pub const fn of_value(value: Value) -> Option<Self> {
        match value {
            Value::Place(place) => Some(Self::Place(place)),
            Value::Container(container) => Some(Self::Container(container)),
            _ => None,
        }
    }

    /// The value that the answer stands for; `None` if it is unknown or about people.
    pub const fn value(self) -> Option<Value> {
        match self {
            Self::Place(place) => Some(Value::Place(place)),
            Self::Container(container) => Some(Value::Container(container)),
            Self::Verdict(Verdict::Yes) => Some(Value::Truth(true)),
            Self::Verdict(Verdict::No) => Some(Value::Truth(false)),
            Self::Verdict(Verdict::Unknown)
            | Self::Character(_)
            | Self::People(_)
            | Self::Why(..)
            | Self::Standing(..) => None,
        }
    }
}

/// A yes-or-no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Verdict {
    /// It is so.
    Yes,
    /// It is not so.
    No,
    /// A careful reader could not tell.
    Unknown,
}

/// What shortcuts that track no mind would answer; `None` where they have no answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Foils {
    /// Where the target is at the end.
    pub last_place: Option<Answer>,
    /// Where the target was before its last place.
    pub second_last_place: Option<Answer>,
    /// Where all of the question's characters came together first (the start does not count).
    pub first_common_place: Option<Answer>,
    /// Where all of the question's characters came together last (the start does not count).
    pub last_common_place: Option<Answer>,
    /// Where the outermost mind's owner, or the first of the company, is at the end.
    pub own_place: Option<Answer>,
    /// The answer of the chain without its outermost mind.
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
