//! The entries of `events`.

use super::{Name, Number};
use crate::diagnostic::Span;

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
