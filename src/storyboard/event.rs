//! The entries of `events`.

use std::fmt::Debug;
use std::hash::Hash;

use super::{Name, Number};
use crate::diagnostic::Span;
use crate::form::{
    Act, ActForm, Condition, ConditionKind, ConditionPart, DirectionIn, LIE, Naming, Part, PartIn,
};

/// One entry of `events`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// When.
    pub when: When,
    /// `if`: where this is 0 or below, the storyboard is one without this event.
    pub only_if: Option<Number>,
    /// What.
    pub verb: Verb,
    /// The verb's key, for messages.
    pub span: Span,
}

/// When a condition holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum When {
    /// `at: 10`
    At(Number),
    /// `from: 12`, `until: end` (exclusive)
    Until(Number, Number),
    /// `from: 12`, `for: 30`
    For(Number, Number),
}

/// The naming of storyboards: everything by the author's word, and some of it left open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Written {}

impl Naming for Written {
    type Person = Name;
    type Place = Name;
    type Object = Name;
    type Container = Name;
    type Spot = Option<Name>;
    type Liking = Option<Name>;
    type Item = Option<Name>;
    type Value = Option<Name>;
    type Open<T: Clone + Debug + Eq + Hash> = Option<T>;
}

impl DirectionIn<Written> {
    /// The key by which an author writes it.
    ///
    /// # Panics
    /// If an author cannot write such a deed.
    pub fn key(&self) -> &'static str {
        if self.is_lie { LIE } else { self.act.form().key.expect("a deed of storyboards") }
    }
}

/// What a condition demands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verb {
    /// `move: {who: T, to: second}`, `take: {who: A, object: ball}` and so on: the event at this step is this deed.
    Do(DirectionIn<Written>),
    /// `idle: [S1, T]`, `avoid: {who: A, place: second}` and so on: this holds in every step of the window.
    Hold(Condition<Name, Name>),
    /// `note: "{S1} hums."`: a sentence after its step's that changes nothing.
    Note {
        /// The sentence, cut where a role or a bind is to be named.
        text: Vec<NotePart>,
    },
}

impl Verb {
    /// The keys of all verbs: of deeds, of conditions, and `note`.
    pub fn keys() -> impl Iterator<Item = &'static str> {
        let conditions = ConditionKind::ALL.iter().map(|kind| kind.form().key);
        ActForm::keys().chain(conditions).chain(["note"])
    }

    /// Whether it is about people who go from place to place, and nothing else.
    pub const fn is_of_walks(&self) -> bool {
        match self {
            Self::Do(direction) => matches!(direction.act, Act::Go),
            Self::Hold(condition) => condition.kind().form().is_of_walks,
            Self::Note { .. } => true,
        }
    }

    /// Whether it happens at one step, and so needs `at`.
    pub const fn needs_step(&self) -> bool {
        match self {
            Self::Do(_) | Self::Note { .. } => true,
            Self::Hold(condition) => condition.kind().form().is_of_step,
        }
    }

    /// All names that stand in it.
    pub fn names(&self) -> Vec<Name> {
        match self {
            Self::Do(direction) => {
                let parts = direction.act.parts().flat_map(names_of_part);
                [&direction.who].into_iter().chain(&direction.to).cloned().chain(parts).collect()
            }
            Self::Hold(condition) => condition.parts().into_iter().flat_map(names_of_condition).collect(),
            Self::Note { text } => {
                let name = |part: &NotePart| match part {
                    NotePart::Name(name) => Some(name.clone()),
                    NotePart::Text(_) => None,
                };
                text.iter().filter_map(name).collect()
            }
        }
    }

    /// The key by which an author writes it.
    pub fn key(&self) -> &'static str {
        match self {
            Self::Do(direction) => direction.key(),
            Self::Hold(condition) => condition.kind().form().key,
            Self::Note { .. } => "note",
        }
    }
}

fn names_of_part(part: PartIn<Written>) -> Vec<Name> {
    match part {
        Part::Company(names) => names,
        Part::Person(name)
        | Part::Place(name)
        | Part::Object(name)
        | Part::Container(name)
        | Part::Spot(name)
        | Part::Liking(name) => name.into_iter().collect(),
        Part::Telling(telling) => {
            let named = telling.hearers.named().iter().cloned();
            named.chain(telling.item).chain(telling.value).collect()
        }
    }
}

fn names_of_condition(part: ConditionPart<Name, Name>) -> Vec<Name> {
    match part {
        ConditionPart::People(names) | ConditionPart::Company(names) => names,
        ConditionPart::Person(name) | ConditionPart::Place(name) => vec![name],
        ConditionPart::Anywhere(name) => name.into_iter().collect(),
        ConditionPart::Flag(_) => Vec::new(),
    }
}

/// A piece of a note.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotePart {
    /// As it stands.
    Text(String),
    /// `{S1}`
    Name(Name),
}
