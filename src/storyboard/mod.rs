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

/// `basket: {in: kitchen, is: open}`, or `basket: kitchen`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Container {
    /// What it is called.
    pub name: Name,
    /// Where it stands: a place or a bind.
    pub place: Name,
    /// Whether one sees what is in it.
    pub is_open: bool,
}

/// `marble: {in: basket}`, or `marble: basket`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Object {
    /// What it is called.
    pub name: Name,
    /// Where it may be at the start: containers, places, binds; with a role, in its hands.
    pub start: Vec<Name>,
    /// Who knows where it is.
    pub known: Known,
}

/// Who knows something at the start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Known {
    /// `known`: these roles; everyone, if not given.
    pub by: Option<Vec<Name>>,
    /// `wrong`: these hold the contrary.
    pub wrong: Vec<Name>,
}

/// `gift: {says: "the gift is a bicycle", denies: "the gift is no bicycle", is: true, known: [S1]}`
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proposition {
    /// What the storyboard calls it.
    pub name: Name,
    /// How it is said.
    pub says: Vec<NotePart>,
    /// How the contrary is said.
    pub denies: Vec<NotePart>,
    /// Whether it is true; drawn, if not given.
    pub is_true: Option<bool>,
    /// Who knows.
    pub known: Known,
}

/// `trust`: whom a hearer believes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Trust {
    /// `always`: everyone.
    Always,
    /// `never`: nobody.
    Never,
    /// `unless_known_better`: everyone, but not against what she has seen herself.
    #[default]
    UnlessKnownBetter,
    /// `later_leaver`: those who left the scene later than she did.
    LaterLeaver,
}

impl Trust {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Always, Self::Never, Self::UnlessKnownBetter, Self::LaterLeaver];

    /// How an author writes it.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Always => "always",
            Self::Never => "never",
            Self::UnlessKnownBetter => "unless_known_better",
            Self::LaterLeaver => "later_leaver",
        }
    }
}

/// What can be drawn in free play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Play {
    /// `move`
    Move,
    /// `take`
    Take,
    /// `put`
    Put,
    /// `move_object`
    MoveObject,
    /// `carry`
    Carry,
    /// `throw`
    Throw,
    /// `open`
    Open,
    /// `close`
    Close,
    /// `tell`: to everyone there, what she believes
    Tell,
    /// `whisper`: to one who is there, what she believes
    Whisper,
    /// `phone`: to one who is elsewhere, what she believes
    Phone,
    /// `lie`: to everyone there, against what she believes
    Lie,
    /// `react`
    React,
}

impl Play {
    /// All of them.
    pub const ALL: [Self; 13] = [
        Self::Move,
        Self::Take,
        Self::Put,
        Self::MoveObject,
        Self::Carry,
        Self::Throw,
        Self::Open,
        Self::Close,
        Self::Tell,
        Self::Whisper,
        Self::Phone,
        Self::Lie,
        Self::React,
    ];

    /// The storyboard's key.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Move => "move",
            Self::Take => "take",
            Self::Put => "put",
            Self::MoveObject => "move_object",
            Self::Carry => "carry",
            Self::Throw => "throw",
            Self::Open => "open",
            Self::Close => "close",
            Self::Tell => "tell",
            Self::Whisper => "whisper",
            Self::Phone => "phone",
            Self::Lie => "lie",
            Self::React => "react",
        }
    }
}

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
    /// `move: {who: [A, B], to: second}`: they go there together, from one place.
    MoveTogether {
        /// Roles.
        who: Vec<Name>,
        /// A place or a bind.
        to: Name,
    },
    /// `carry: {who: A, object: ball, to: second}`: A goes there with an object.
    Carry {
        /// A role.
        who: Name,
        /// An object; any, if not given.
        object: Option<Name>,
        /// A place or a bind.
        to: Name,
    },
    /// `take: {who: A, object: ball}`: A takes it in hand.
    Take {
        /// A role.
        who: Name,
        /// An object; any, if not given.
        object: Option<Name>,
    },
    /// `put: {who: A, object: ball, in: box}`: A puts it there from her hands; down, if no container is given.
    Put {
        /// A role.
        who: Name,
        /// An object; any, if not given.
        object: Option<Name>,
        /// A container.
        container: Option<Name>,
    },
    /// `move_object: {who: A, object: ball, to: box}`: A moves it there.
    MoveObject {
        /// A role.
        who: Name,
        /// An object; any, if not given.
        object: Option<Name>,
        /// A container; any, if not given.
        to: Option<Name>,
    },
    /// `throw: {who: A, object: ball, to: second}`: A throws it to a place next to hers.
    Throw {
        /// A role.
        who: Name,
        /// An object; any, if not given.
        object: Option<Name>,
        /// A place or a bind; any, if not given.
        to: Option<Name>,
    },
    /// `open: {who: A, container: box}`
    Open {
        /// A role.
        who: Name,
        /// A container; any, if not given.
        container: Option<Name>,
    },
    /// `close: {who: A, container: box}`
    Close {
        /// A role.
        who: Name,
        /// A container; any, if not given.
        container: Option<Name>,
    },
    /// `tell: {who: A, to: [B], that: {ball: box}}`; `lie`: the same, against what she believes.
    Tell {
        /// A role.
        who: Name,
        /// Who hears it.
        to: Hearers,
        /// Of what; anything, if not given.
        that: Option<Name>,
        /// What is said to be so; what she believes (or does not, if it is a lie), if not given.
        value: Option<Name>,
        /// Whether it is a `lie`.
        is_lie: bool,
    },
    /// `react: {who: A, to: painting}`: A shows whether she likes it.
    React {
        /// A role.
        who: Name,
        /// One of `attitudes`; any, if not given.
        to: Option<Name>,
    },
    /// `peek: A`: A watches what happens from elsewhere, unnoticed.
    Peek {
        /// Roles.
        who: Vec<Name>,
    },
    /// `distracted: A`, or `distracted: {who: A, noticed: true}`: A does not see what happens where she is.
    Distracted {
        /// Roles.
        who: Vec<Name>,
        /// Whether those who see it notice.
        is_noticed: bool,
    },
    /// `note: "{S1} hums."`: a sentence after its step's that changes nothing.
    Note {
        /// The sentence, cut where a role or a bind is to be named.
        text: Vec<NotePart>,
    },
}

impl Verb {
    /// The keys of all verbs.
    pub const KEYS: [&'static str; 21] = [
        "move",
        "meet",
        "idle",
        "apart",
        "together",
        "unseen",
        "avoid",
        "follow",
        "note",
        "carry",
        "take",
        "put",
        "move_object",
        "throw",
        "open",
        "close",
        "tell",
        "lie",
        "react",
        "peek",
        "distracted",
    ];

    /// Whether it happens at one step, and so needs `at`.
    pub const fn needs_step(&self) -> bool {
        !matches!(
            self,
            Self::Idle { .. }
                | Self::Apart { .. }
                | Self::Together { .. }
                | Self::Unseen { .. }
                | Self::Avoid { .. }
                | Self::Follow { .. }
                | Self::Peek { .. }
                | Self::Distracted { .. }
        )
    }

    /// The key by which an author writes it.
    pub fn key(&self) -> &'static str {
        match self {
            Self::Move { .. } | Self::MoveTogether { .. } => "move",
            Self::Carry { .. } => "carry",
            Self::Take { .. } => "take",
            Self::Put { .. } => "put",
            Self::MoveObject { .. } => "move_object",
            Self::Throw { .. } => "throw",
            Self::Open { .. } => "open",
            Self::Close { .. } => "close",
            Self::Tell { is_lie: false, .. } => "tell",
            Self::Tell { is_lie: true, .. } => "lie",
            Self::React { .. } => "react",
            Self::Peek { .. } => "peek",
            Self::Distracted { .. } => "distracted",
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

/// Who hears what is said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Hearers {
    /// `to: present`
    Present,
    /// `to: [B, C]`: these, who are there
    Named(Vec<Name>),
    /// `to: {phone: B}`: these, who are elsewhere
    Afar(Vec<Name>),
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
    /// The roles: minds or company first, the target last. The target may be an object or a proposition; of
    /// [`QuestionKind::WhoLikes`], one of `attitudes`.
    pub roles: Vec<Name>,
    /// Of when it is asked.
    pub moment: Moment,
    /// The entry's key.
    pub span: Span,
}

/// Of when, or under which condition, a question is asked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Moment {
    /// At the end.
    #[default]
    End,
    /// `before: STEP`: just before that step.
    Before(Number),
    /// `without: STEP`: at the end, had that step's event not happened.
    Without(Number),
}

/// What a question asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum QuestionKind {
    /// `belief: [S1, S2, T]`: where S1 thinks that S2 thinks T is; of a proposition, whether it is so
    Belief,
    /// `reality: T`: where T is at the end, or whether a proposition is true
    Reality,
    /// `start: T`: where T was at the start
    Start,
    /// `world: [A, T]`: where T went after A and T were last in one place
    World,
    /// `world_things: [A, T]`: the same, of the story told of things that are moved
    WorldThings,
    /// `knows: [S1, S2, T]`: whether S1 thinks that S2 knows where T is, or whether a proposition is true
    Knows,
    /// `who_knows: T`: everyone who knows it
    WhoKnows,
    /// `could_answer: [S1, T]`: everyone who could say where S1 thinks T is
    CouldAnswer,
    /// `following: A`: whom A follows
    Following,
    /// `who_likes: [S1, painting]`: everyone of whom S1 thinks that they like it
    WhoLikes,
    /// `who_dislikes: [S1, painting]`: everyone of whom S1 thinks that they do not
    WhoDislikes,
}

impl QuestionKind {
    /// All kinds.
    pub const ALL: [Self; 11] = [
        Self::Belief,
        Self::Reality,
        Self::Start,
        Self::World,
        Self::WorldThings,
        Self::Knows,
        Self::WhoKnows,
        Self::CouldAnswer,
        Self::Following,
        Self::WhoLikes,
        Self::WhoDislikes,
    ];

    /// The storyboard's key, and the row's `kind`.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Belief => "belief",
            Self::Reality => "reality",
            Self::Start => "start",
            Self::World => "world",
            Self::WorldThings => "world_things",
            Self::Knows => "knows",
            Self::WhoKnows => "who_knows",
            Self::CouldAnswer => "could_answer",
            Self::Following => "following",
            Self::WhoLikes => "who_likes",
            Self::WhoDislikes => "who_dislikes",
        }
    }
}
