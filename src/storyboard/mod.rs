//! A storyboard as its author wrote it: syntax, and where everything stands.
//!
//! [`parse`] turns YAML into a [`Storyboard`]. It knows which keys there are and what shape their
//! values have; whether a name exists or a deadline can be met is for [`crate::compile`] to say.

mod balance;
mod builtin;
mod event;
mod expression;
mod question;
mod read;
mod thing;
mod yaml;

pub use balance::{Balance, Share, Shares};
pub use builtin::{BUILT_IN, BuiltIn, THINGS, built_in_pool, built_in_pools};
pub use event::{Event, NotePart, Verb, When, Written};
pub use expression::{EvaluationError, Expression};
pub use question::{Moment, Question};
pub use read::{Broken, MapKeys, known_keys, parse};
pub use thing::{Container, Known, Object, Proposition, Trust};

use crate::diagnostic::{Source, Span, Spanned};
pub use crate::form::{Hearers, Play, QuestionKind};

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
    /// `draw`
    pub draws: Vec<Drawn>,
    /// `verb`: at least one
    pub verbs: Vec<Name>,
    /// `containers`
    pub containers: Vec<Container>,
    /// `objects`
    pub objects: Vec<Object>,
    /// `propositions`
    pub propositions: Vec<Proposition>,
    /// `attitudes`: what everyone likes or dislikes
    pub attitudes: Vec<Name>,
    /// `trust`
    pub trust: Option<Trust>,
    /// `play`: how often what is done in free play
    pub play: Vec<(Spanned<Play>, Number)>,
    /// `friends`: whom a role can tell something unheard by others
    pub friends: Vec<(Name, Vec<Name>)>,
    /// `events`
    pub events: Vec<Event>,
    /// `ensure`
    pub goals: Vec<Goal>,
    /// `balance`
    pub balance: Option<Balance>,
    /// `questions`
    pub questions: Vec<Question>,
}

impl Storyboard {
    /// The names of all numbers that expressions may use: of parameters, then of those that are drawn.
    pub fn numbers(&self) -> impl Iterator<Item = &Name> {
        let parameters = self.parameters.iter().map(|(name, _)| name);
        parameters.chain(self.draws.iter().map(|drawn| &drawn.name))
    }
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

/// `draw: {anchor: [8, 30]}`: an integer that is drawn for each story, and has this name in expressions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Drawn {
    /// The name.
    pub name: Name,
    /// At least; of parameters alone.
    pub least: Number,
    /// At most.
    pub most: Number,
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
    /// `holds: [S1, T]`, `in: second`: the chain's answer is this.
    Holds {
        /// Roles; the last may be an object or a proposition.
        chain: Vec<Name>,
        /// `in`: a place, a bind, a container, or a role that has it in hand; or, after `is`, `true` or `false`.
        value: Name,
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
