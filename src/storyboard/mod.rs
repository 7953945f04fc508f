//! A storyboard as its author wrote it: syntax, and where everything stands.
//!
//! [`parse`] turns YAML into a [`Storyboard`]. It knows which keys there are and what shape their
//! values have; whether a name exists or a deadline can be met is for [`crate::compile`] to say.

mod builtin;
mod expression;
mod read;
mod yaml;

pub use builtin::{BUILT_IN, BuiltIn, THINGS, built_in_pool, built_in_pools};
pub use expression::{EvaluationError, Expression};
pub use read::{Broken, KNOWN_KEYS, parse};

use crate::diagnostic::{Source, Span, Spanned};

/// The JSON Schema of the storyboard format, for editors.
pub const SCHEMA: &str = include_str!("schema.json");

/// A storyboard file may be this long, in bytes.
pub const SOURCE_BYTES_MAX: usize = 1 << 20;

/// An expression and its place.
pub type Number = Spanned<Expression>;

/// A name and its place.
pub type Name = Spanned<String>;

/// A storyboard, format version 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Storyboard {
    /// The file it came from.
    pub source: Source,
    /// `name`
    pub name: Name,
    /// `about`
    pub about: Option<String>,
    /// `characters`
    pub characters: Characters,
    /// `roles`
    pub roles: Vec<Name>,
    /// `places`
    pub places: Places,
    /// `start`
    pub start: Start,
    /// `bind`, in the order of the file
    pub binds: Vec<Bind>,
    /// `horizon`
    pub horizon: Number,
    /// `parameters`, with their defaults
    pub parameters: Vec<(Name, i64)>,
    /// `verb`: at least one
    pub verbs: Vec<Name>,
    /// `events`
    pub events: Vec<Event>,
    /// `ensure`
    pub goals: Vec<Goal>,
    /// `questions`
    pub questions: Vec<Question>,
}

/// `characters: {pool: …, count: …}`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Characters {
    /// Who there is.
    pub pool: Pool,
    /// How many are drawn for each story; all, if not given.
    pub count: Option<Number>,
}

/// Where names come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Pool {
    /// `pool: [Alice, Bob]`
    Names(Vec<Name>),
    /// `pool: people`
    BuiltIn(Name),
}

/// `places`
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Places {
    /// `{kitchen: [garden], garden: [kitchen]}`
    Ways(Vec<(Name, Vec<Name>)>),
    /// `{complete: [kitchen, garden]}`: from everywhere to everywhere else
    Complete(Vec<Name>),
}

/// `start`
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Start {
    /// `start: the_hallway`
    Everyone(Name),
    /// `start: {S1: room_1, else: the_hallway}`
    Each {
        /// Role and place.
        roles: Vec<(Name, Name)>,
        /// `else`
        others: Option<Name>,
        /// The whole map.
        span: Span,
    },
}

/// `first: {next_to: …, not: […]}`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bind {
    /// What the place is called.
    pub name: Name,
    /// One step away from this place.
    pub next_to: Option<Name>,
    /// None of these.
    pub not: Vec<Name>,
}

/// One entry of `events`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// When.
    pub when: When,
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

/// What a condition demands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verb {
    /// `move: {who: T, to: second}`: the event at this step is this move.
    Move {
        /// A role.
        who: Name,
        /// A place or a bind.
        to: Name,
    },
    /// `meet: {who: [S1, T], in: first}`: after this step all of them are there, one arriving in it.
    Meet {
        /// Roles.
        who: Vec<Name>,
        /// A place or a bind; anywhere, if not given.
        place: Option<Name>,
    },
    /// `idle: [S1, T]`: these do not act in the window.
    Idle {
        /// Roles.
        who: Vec<Name>,
    },
    /// `apart: [A, B]`: after each step of the window no two of them are in one place.
    Apart {
        /// Roles.
        who: Vec<Name>,
    },
    /// `together: [A, B]`: after each step of the window all of them are in one place.
    Together {
        /// Roles.
        who: Vec<Name>,
    },
    /// `unseen: {who: T, by: [S1]}`: these witness no move of T in the window.
    Unseen {
        /// Roles that may move.
        who: Vec<Name>,
        /// Roles that do not see it.
        by: Vec<Name>,
    },
    /// `avoid: {who: A, place: second}`: after each step of the window A is elsewhere.
    Avoid {
        /// Roles.
        who: Vec<Name>,
        /// A place or a bind.
        place: Name,
    },
    /// `follow: {who: A, whom: B}`: in the window A moves at least once, and only to where B is.
    Follow {
        /// A role.
        who: Name,
        /// A role.
        whom: Name,
    },
    /// `note: "{S1} hums."`: a sentence after its step's that changes nothing.
    Note {
        /// The sentence, cut where a role or a bind is to be named.
        text: Vec<NotePart>,
    },
}

impl Verb {
    /// The keys of all verbs.
    pub const KEYS: [&'static str; 9] =
        ["move", "meet", "idle", "apart", "together", "unseen", "avoid", "follow", "note"];

    /// The key by which an author writes it.
    pub fn key(&self) -> &'static str {
        match self {
            Self::Move { .. } => "move",
            Self::Meet { .. } => "meet",
            Self::Idle { .. } => "idle",
            Self::Apart { .. } => "apart",
            Self::Together { .. } => "together",
            Self::Unseen { .. } => "unseen",
            Self::Avoid { .. } => "avoid",
            Self::Follow { .. } => "follow",
            Self::Note { .. } => "note",
        }
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

/// One entry of `ensure`: what minds are to hold at the end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Goal {
    /// What is to hold.
    pub kind: GoalKind,
    /// The goal's key, for messages.
    pub span: Span,
}

/// What minds are to hold at the end. A chain has the minds first and the target last.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GoalKind {
    /// `holds: [S1, T]`, `in: second`: the chain's answer is this place.
    Holds {
        /// Roles.
        chain: Vec<Name>,
        /// A place or a bind.
        place: Name,
    },
    /// `false_belief: [S1, T]`: the chain's answer is not where the target is.
    FalseBelief {
        /// Roles.
        chain: Vec<Name>,
    },
    /// `true_belief: [S1, T]`: it is.
    TrueBelief {
        /// Roles.
        chain: Vec<Name>,
    },
    /// `unknown: [S1, T]`: there is no answer.
    Unknown {
        /// Roles.
        chain: Vec<Name>,
    },
    /// `differs: [[S1, S2, T], [S2, T]]`: both have an answer, and not the same.
    Differs {
        /// Roles.
        chains: [Vec<Name>; 2],
    },
    /// `mislead_distance: [S1, T]`, `is: 30`: the belief is false, at this distance.
    MisleadDistance {
        /// Roles.
        chain: Vec<Name>,
        /// At least.
        least: Number,
        /// At most; the same expression, where one number is given.
        most: Number,
    },
}

impl GoalKind {
    /// The keys of all goals.
    pub const KEYS: [&'static str; 6] =
        ["holds", "false_belief", "true_belief", "differs", "unknown", "mislead_distance"];
}

/// One entry of `questions`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// What is asked.
    pub kind: QuestionKind,
    /// The roles: minds or company first, the target last.
    pub roles: Vec<Name>,
    /// The entry's key.
    pub span: Span,
}

/// What a question asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum QuestionKind {
    /// `belief: [S1, S2, T]`: where S1 thinks that S2 thinks T is
    Belief,
    /// `reality: T`: where T is at the end
    Reality,
    /// `start: T`: where T was at the start
    Start,
    /// `world: [A, T]`: where T went after A and T were last in one place
    World,
    /// `world_things: [A, T]`: the same, of the story told of things that are moved
    WorldThings,
}

impl QuestionKind {
    /// All kinds.
    pub const ALL: [Self; 5] = [Self::Belief, Self::Reality, Self::Start, Self::World, Self::WorldThings];

    /// The storyboard's key, and the row's `kind`.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Belief => "belief",
            Self::Reality => "reality",
            Self::Start => "start",
            Self::World => "world",
            Self::WorldThings => "world_things",
        }
    }
}
