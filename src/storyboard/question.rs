//! The entries of `questions`.

use super::{Name, Number};
use crate::diagnostic::Span;

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
