//! What a log of events asks.

use serde_json::value::RawValue;

use crate::diagnostic::Span;
use crate::id::CharacterId;
use crate::world::Item;

/// A question of a log of events.
#[derive(Debug)]
pub struct Question {
    /// The number in the log, from 0.
    pub number: usize,
    /// The kind of question.
    pub kind: QuestionKind,
    /// The minds that it is about: the first thinks that the second thinks something, and so on.
    pub chain: Vec<CharacterId>,
    /// The character or the object that the answer is about.
    pub about: Item,
    /// The answer that is given in the log.
    pub published: Option<Box<RawValue>>,
    pub(super) id: Option<Box<RawValue>>,
    pub(super) span: Span,
}

/// The kind of a question.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum QuestionKind {
    /// Where somebody thinks (that somebody thinks …) that it is at the end.
    Belief,
    /// Where it really is at the end.
    Reality,
    /// Where it was at the start.
    Memory,
}

impl QuestionKind {
    pub(super) const WORDS: [(&'static str, Self); 3] =
        [("belief", Self::Belief), ("reality", Self::Reality), ("memory", Self::Memory)];

    pub(super) fn key(self) -> &'static str {
        Self::WORDS.iter().find(|(_, kind)| *kind == self).map_or("", |(word, _)| word)
    }
}
