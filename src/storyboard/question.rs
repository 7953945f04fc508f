//! The entries of `questions`.

use super::{Name, Number};
use crate::diagnostic::Span;
use crate::form::QuestionKind;

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
