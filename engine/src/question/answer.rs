//! Answers, and all that a row says of them.

use crate::id::{CharacterId, ContainerId, PlaceId, ProspectId};
use crate::world::{Case, Value};

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
    /// The steps of the news on which a state rests; empty of other questions.
    pub caused_by: Vec<usize>,
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
    /// A state at the end of a scenario.
    Shown(Shown),
    /// What the question with this number says of the life with this one.
    Life(u16, u8),
}

/// A state at the end of a scenario.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Shown {
    /// What somebody thinks of a prospect.
    Belief(ProspectId, Option<Case>),
    /// The number of a feeling.
    Emotion(u8),
    /// The number of a want.
    Intention(u8),
    /// What somebody does.
    Action {
        /// The prospect.
        prospect: ProspectId,
        /// The number of the want.
        wants: u8,
        /// The number of the line of `does`.
        does: u8,
        /// Who has brought the prospect about, as she thinks.
        agent: Option<CharacterId>,
    },
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
            | Self::Standing(..)
            | Self::Shown(_)
            | Self::Life(..) => None,
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
    /// The state of somebody who heard all news.
    pub all_heard: Option<Answer>,
    /// The state if the last news of the scenario had been heard.
    pub last_turn: Option<Answer>,
    /// The state at the end of the scenario before.
    pub scenario_before: Option<Answer>,
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

    /// The names of the foils that rows have; those of questions about scenarios, if there are any, come last.
    pub fn names(with_scenarios: bool) -> Vec<&'static str> {
        let of_news: &[&str] =
            if with_scenarios { &["all_heard", "last_turn", "scenario_before"] } else { &[] };
        Self::NAMES.iter().chain(of_news).copied().collect()
    }

    /// The foils, in the order of [`Self::names`] with scenarios.
    pub fn all_answers(&self) -> impl Iterator<Item = Option<Answer>> {
        self.answers().into_iter().chain([self.all_heard, self.last_turn, self.scenario_before])
    }

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
