//! What someone does at a step, beyond going from one place to another.

use std::fmt::Debug;
use std::hash::Hash;

use super::thing::{Item, Value};
use crate::form::{self, Naming};
use crate::id::{CharacterId, ContainerId, ObjectId, PlaceId, PropositionId};

/// What happens at a step, with who misses it and who watches it in secret.
///
/// It belongs to an [`Event`](super::Event), which says who acts and where. If the act is not a way of going, the event
/// stays in one place (`from` is `to`).
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Deed {
    /// What the actor does.
    pub act: Act,
    /// The characters who witness it from elsewhere, unnoticed.
    pub peeking: Vec<CharacterId>,
    /// The characters who are there but do not witness it.
    pub distracted: Vec<Distraction>,
}

/// A character who misses what happens before her eyes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Distraction {
    /// The character who is distracted.
    pub who: CharacterId,
    /// Whether witnesses of the event notice that she misses it; if not, they believe that she witnesses it.
    pub is_noticed: bool,
}

/// The naming of stories: everything is an index, and nothing is left open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ids {}

impl Naming for Ids {
    type Person = CharacterId;
    type Place = PlaceId;
    type Object = ObjectId;
    type Container = ContainerId;
    type Spot = Value;
    /// A proposition about the actor's attitude, and whether she likes the thing.
    type Liking = (PropositionId, bool);
    /// The proposition, and whether it is true.
    type Fact = (PropositionId, bool);
    type Item = Item;
    type Value = Value;
    type Open<T: Clone + Debug + Eq + Hash> = T;
}

/// What is done at a step.
pub type Act = form::ActIn<Ids>;

/// What the world knows of an act, which is told what it is by its form.
pub trait ActInWorld {
    /// Whether the actor goes to another place. The form says the same, but this is asked at every event of every mind.
    fn is_going(&self) -> bool;

    /// The object that it moves.
    fn object(&self) -> Option<ObjectId>;

    /// Who is given something, and so takes part.
    fn receiver(&self) -> Option<CharacterId>;

    /// The only ones who notice it besides the actor; nobody, if all who are there do.
    fn named(&self) -> &[CharacterId];
}

/// A part of what is done.
pub type Part = form::PartIn<Ids>;

/// Someone says that something is so.
pub type Telling = form::TellingIn<Ids>;

/// Who hears what is said.
pub type Hearers = form::Hearers<CharacterId>;
