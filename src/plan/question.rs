//! What is asked about the roles of every story.

use crate::id::CharacterId;
use crate::storyboard::QuestionKind;
use crate::world::Item;

/// A question, about the roles of every story.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// What is asked.
    pub kind: QuestionKind,
    /// The minds of the chain, or the company of the target; empty where the kind has none.
    pub others: Vec<CharacterId>,
    /// Whom or what it is about.
    pub target: Target,
    /// The moment of which it is asked.
    pub moment: Moment,
}

/// What a question is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// A character, an object, or a proposition.
    Item(Item),
    /// Everyone's attitude to a thing, as a number in [`super::Staging::attitudes`].
    Attitude(usize),
}

/// The moment of which, or the condition under which, a question is asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Moment {
    /// At the end.
    #[default]
    End,
    /// Just before this step.
    Before(usize),
    /// At the end, had this step's event not happened.
    Without(usize),
}

impl Question {
    /// The character that it is about.
    ///
    /// # Panics
    /// If it is about something else: then it is for the part that knows deeds.
    pub fn character(&self) -> CharacterId {
        match self.target {
            Target::Item(Item::Character(who)) => who,
            _ => panic!("a question about a character"),
        }
    }
}
