//! The entries of `questions`.

use super::{Name, Number};
use crate::diagnostic::Span;
use crate::form::{QuestionKind, State};

/// One entry of the list `questions`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// The kind of question.
    pub kind: QuestionKind,
    /// The roles: minds or company first, the target last. The target may also be an object or a proposition; for
    /// [`QuestionKind::WhoLikes`], it is one of `attitudes`.
    pub roles: Vec<Name>,
    /// The moment that the question asks about.
    pub moment: Moment,
    /// `in: 3`: the scenario at whose end, counted from 1
    pub scenario: Option<Number>,
    /// `state: emotion`, or `on: emotion`: which of the four states, where the kind does not say
    pub state: Option<State>,
    /// `dynamics`: all questions about what news does to somebody, of which this is the first
    pub is_all: bool,
    /// `choices: [hall, yard]`: what is offered to choose from, if not all answers are; empty if they are.
    pub choices: Vec<Name>,
    /// `of: [guests, guests]`: the only people about whom it is asked, if it is not about everyone
    pub of: Vec<Name>,
    /// `unlike: 1`: how many other matters must have other answers to the same question, if that matters
    pub unlike: Option<Number>,
    /// The span of the entry's key.
    pub span: Span,
}

/// The moment that a question asks about, or the condition under which it asks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Moment {
    /// The end of the story
    #[default]
    End,
    /// `before: STEP`: just before that step
    Before(Number),
    /// `without: STEP`: the end of the story if that step's event had not happened
    Without(Number),
}
