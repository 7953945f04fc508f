//! What someone does at a step, beyond going from one place to another.

use std::fmt::Debug;
use std::hash::Hash;

use super::thing::{Item, Value};
use crate::form::{self, Naming};
use crate::id::{CharacterId, ContainerId, ObjectId, PlaceId, PropositionId};

/// What happens at a step, with who misses it and who watches it in secret.
///
/// It belongs to an [`Event`](super::Event), which says who acts and where: one that stays in a place
/// (`from` is `to`) if the act is no way of going.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Deed {
    /// What is done.
    pub act: Act,
    /// Those who witness it from elsewhere, unnoticed.
    pub peeking: Vec<CharacterId>,
    /// Those who are there and do not witness it.
    pub distracted: Vec<Distraction>,
}

/// Someone misses what happens before her eyes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Distraction {
    /// Who.
    pub who: CharacterId,
    /// Whether those who witness the event notice that she does not; else they believe that she does.
    pub is_noticed: bool,
}

/// The naming of stories: everything by its index, and nothing left open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ids {}

impl Naming for Ids {
    type Person = CharacterId;
    type Place = PlaceId;
    type Object = ObjectId;
    type Container = ContainerId;
    type Spot = Value;
    /// An attitude of the actor's, and whether she likes the thing.
    type Liking = (PropositionId, bool);
    type Item = Item;
    type Value = Value;
    type Open<T: Clone + Debug + Eq + Hash> = T;
}

/// What is done.
pub type Act = form::ActIn<Ids>;

/// A part of what is done.
pub type Part = form::PartIn<Ids>;

/// Someone says that something is so.
pub type Telling = form::TellingIn<Ids>;

/// Who hears what is said.
pub type Hearers = form::Hearers<CharacterId>;
