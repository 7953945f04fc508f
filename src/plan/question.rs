//! What is asked about the roles of every story.

use super::Plan;
use crate::id::CharacterId;
use crate::storyboard::{Facet, OfMatter, QuestionKind};
use crate::world::{Item, Value};

/// A question about the characters of every story.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    /// The kind of question.
    pub kind: QuestionKind,
    /// The minds of the chain, or the company of the target; empty where the kind has none.
    pub others: Vec<CharacterId>,
    /// The character, thing or attitude that the question is about.
    pub target: Target,
    /// The moment that the question asks about.
    pub moment: Moment,
    /// The answers that are offered to choose from, at least two; empty if all are. A question with another answer is not
    /// written.
    pub choices: Vec<Value>,
}

/// What a question is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// A character, an object, or a proposition.
    Item(Item),
    /// Everyone's attitude to a thing, as a number in [`super::Staging::attitudes`].
    Attitude(usize),
    /// A matter, as a number in [`super::Staging::matters`].
    Matter(usize),
}

/// The moment that a question asks about, or the condition under which it asks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Moment {
    /// The end of the story.
    #[default]
    End,
    /// The moment just before this step.
    Before(usize),
    /// The end of the story if this step's event had not happened.
    Without(usize),
}

impl Question {
    /// The matter that the question is about, and what of it; `None` if it is about something else. A question about a matter
    /// as a whole is about what is claimed.
    pub fn of_matter(&self, plan: &Plan) -> Option<OfMatter> {
        match self.target {
            Target::Matter(matter) => Some(OfMatter { matter, facet: Facet::Claim }),
            Target::Item(Item::Proposition(proposition)) => {
                plan.staging.as_ref()?.propositions[proposition.index()].of_matter()
            }
            Target::Item(_) | Target::Attitude(_) => None,
        }
    }

    /// The character that the question is about.
    ///
    /// # Panics
    /// If the question is not about a character: then it is answered by the part that knows deeds.
    pub fn character(&self) -> CharacterId {
        match self.target {
            Target::Item(Item::Character(who)) => who,
            _ => panic!("a question about a character"),
        }
    }
}
