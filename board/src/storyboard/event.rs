//! The entries of `events`.

use std::fmt::Debug;
use std::hash::Hash;

use super::{Name, Number, WrittenValue};
use crate::diagnostic::Span;
use crate::form::{
    Act, ActForm, Condition, ConditionKind, ConditionPart, DirectionIn, LIE, Naming, Part, PartIn,
};

/// One entry of the list `events`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// The steps at which it applies.
    pub when: When,
    /// `if`: where this is 0 or less, the storyboard does not have this event.
    pub only_if: Option<Number>,
    /// What happens or must hold.
    pub verb: Verb,
    /// `with`: these are there when it is said.
    pub with: Vec<Name>,
    /// `without`: these are elsewhere when it is said.
    pub without: Vec<Name>,
    /// The span of the verb's key, for messages.
    pub span: Span,
}

/// The steps at which an event applies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum When {
    /// `at: 10`: a single step
    At(Number),
    /// `from: 12`, `until: end`: the end is exclusive
    Until(Number, Number),
    /// `from: 12`, `for: 30`: a first step and a number of steps
    For(Number, Number),
}

/// The naming of storyboards: everything is a name as the author wrote it, and some parts may be left open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Written {}

impl Naming for Written {
    type Person = Name;
    type Place = Name;
    type Object = Name;
    type Container = Name;
    type Spot = Option<Name>;
    type Liking = Option<Name>;
    type Fact = Option<Name>;
    type Item = Option<Name>;
    type Value = Option<WrittenValue>;
    type Open<T: Clone + Debug + Eq + Hash> = Option<T>;
}

impl DirectionIn<Written> {
    /// The key by which an author writes the deed.
    ///
    /// # Panics
    /// If authors cannot write such a deed.
    pub fn key(&self) -> &'static str {
        if self.is_lie { LIE } else { self.act.form().key.expect("a deed of storyboards") }
    }
}

/// What an event demands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verb {
    /// `move: {who: T, to: second}`, `take: {who: A, object: ball}` and so on: the event at this step is this deed
    Do(DirectionIn<Written>),
    /// `idle: [S1, T]`, `avoid: {who: A, place: second}` and so on: the condition holds in every step of the window
    Hold(Condition<Name, Name>),
    /// `note: "{S1} hums."`: a sentence that follows the step's own and changes nothing
    Note {
        /// The sentence, cut where a role or a bind is named.
        text: Vec<NotePart>,
        /// The same sentence in the past, if it is written in both tenses: `{S1} [hums|hummed].`
        past: Option<Vec<NotePart>>,
    },
}

impl Verb {
    /// The keys of all verbs: of deeds, of conditions, and `note`.
    pub fn keys() -> impl Iterator<Item = &'static str> {
        let conditions = ConditionKind::ALL.iter().map(|kind| kind.form().key);
        ActForm::keys().chain(conditions).chain(["note"])
    }

    /// Whether the verb is only about people who go from place to place.
    pub const fn is_of_walks(&self) -> bool {
        match self {
            Self::Do(direction) => matches!(direction.act, Act::Go),
            Self::Hold(condition) => condition.kind().form().is_of_walks,
            Self::Note { .. } => true,
        }
    }

    /// Whether the verb applies to a single step and therefore needs `at`.
    pub const fn needs_step(&self) -> bool {
        match self {
            Self::Do(_) | Self::Note { .. } => true,
            Self::Hold(condition) => condition.kind().form().is_of_step,
        }
    }

    /// All names that occur in the verb.
    pub fn names(&self) -> Vec<Name> {
        match self {
            Self::Do(direction) => {
                let parts = direction.act.parts().flat_map(names_of_part);
                [&direction.who].into_iter().chain(&direction.to).cloned().chain(parts).collect()
            }
            Self::Hold(condition) => condition.parts().into_iter().flat_map(names_of_condition).collect(),
            Self::Note { text, .. } => {
                let name = |part: &NotePart| match part {
                    NotePart::Name(name) => Some(name.clone()),
                    NotePart::Text(_) => None,
                };
                text.iter().filter_map(name).collect()
            }
        }
    }

    /// Whether somebody says something in it.
    pub const fn is_said(&self) -> bool {
        match self {
            Self::Do(direction) => {
                matches!(direction.act, Act::Tell(_) | Act::Turn(_) | Act::Reveal(_) | Act::Chat)
            }
            Self::Hold(_) | Self::Note { .. } => false,
        }
    }

    /// The key by which an author writes the verb.
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
        | Part::Liking(name)
        | Part::Fact(name) => name.into_iter().collect(),
        Part::Telling(telling) => {
            let named = telling.hearers.named().iter().cloned();
            let value = telling.value.iter().flat_map(WrittenValue::names).cloned();
            named.chain(telling.item).chain(value).collect()
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

/// A piece of a note, either text or a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotePart {
    /// Literal text
    Text(String),
    /// `{S1}`: the name of a role or a bind
    Name(Name),
}
