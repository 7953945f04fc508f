//! What there is besides people: objects, containers, propositions; and what can be known of it.

use std::sync::Arc;

use crate::id::{CharacterId, ContainerId, ObjectId, PlaceId, PropositionId};
pub use crate::storyboard::Trust;

/// Something about which minds hold a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Item {
    /// Where a character is: a [`Value::Place`].
    Character(CharacterId),
    /// Where an object is: lying in a place, in a container, or in somebody's hands.
    Object(ObjectId),
    /// Whether a container is open: a [`Value::Truth`].
    Lid(ContainerId),
    /// Whether a proposition is true: a [`Value::Truth`].
    Proposition(PropositionId),
}

impl Item {
    /// The character, if the item is about one.
    pub const fn character(self) -> Option<CharacterId> {
        match self {
            Self::Character(who) => Some(who),
            _ => None,
        }
    }
}

impl From<CharacterId> for Item {
    fn from(who: CharacterId) -> Self {
        Self::Character(who)
    }
}

/// The value of an [`Item`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    /// It is in this place; an object lies there openly.
    Place(PlaceId),
    /// It is in this container.
    Container(ContainerId),
    /// This character has it in hand.
    Hands(CharacterId),
    /// It is true (or open), or it is not true (or closed).
    Truth(bool),
}

/// What a character knows about a thing at the start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Knowledge {
    /// She knows the real value.
    Right,
    /// She holds the contrary of what is true.
    Wrong,
    /// She knows nothing, and everyone knows that.
    Nothing,
}

/// An object or a proposition at the start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thing {
    /// The real value at the start.
    pub value: Value,
    /// What each character knows about it; empty if everyone knows it, and knows that everyone does.
    ///
    /// It is common knowledge who has been told. Those who have been told (rightly or wrongly) take all others who have been
    /// told to hold what they hold themselves; those who have not been told cannot say what these hold.
    pub knowledge: Vec<Knowledge>,
}

/// A container, which stands in a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Container {
    /// The place where it stands.
    pub place: PlaceId,
    /// Whether one can see at the start what is in it. Everyone knows whether it is open.
    pub is_open: bool,
}

/// The things at the start of one story.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stage {
    /// The containers, indexed by [`ContainerId`].
    pub containers: Vec<Container>,
    /// The objects, indexed by [`ObjectId`].
    pub objects: Vec<Thing>,
    /// The propositions, indexed by [`PropositionId`].
    pub propositions: Vec<Thing>,
    /// Whom hearers believe.
    pub trust: Trust,
    /// What is shown along with each proposition, indexed by [`PropositionId`]; empty if nothing ever is.
    pub along: Arc<[Along]>,
}

/// What is shown along with a proposition, when somebody says to everyone present that it is so.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Along {
    /// The propositions that whoever sees it to be so sees to be so or not, too.
    pub shows: Vec<PropositionId>,
    /// The proposition that it was revealed, just then, among those who are there: they see it, and nobody ever does again.
    pub revealed: Option<PropositionId>,
    /// The same of its being told.
    pub told: Option<PropositionId>,
}

impl Stage {
    /// All items of a story with `character_count` characters: characters, objects, lids, propositions.
    pub fn items(&self, character_count: usize) -> impl Iterator<Item = Item> + use<> {
        let objects = (0..self.objects.len()).map(|at| Item::Object(ObjectId::new(at)));
        let lids = (0..self.containers.len()).map(|at| Item::Lid(ContainerId::new(at)));
        let propositions = (0..self.propositions.len()).map(|at| Item::Proposition(PropositionId::new(at)));
        let characters = (0..character_count).map(|at| Item::Character(CharacterId::new(at)));
        characters.chain(objects).chain(lids).chain(propositions)
    }

    /// An object or a proposition at the start.
    ///
    /// # Panics
    /// If the item is neither an object nor a proposition.
    pub fn thing(&self, item: Item) -> &Thing {
        match item {
            Item::Object(object) => &self.objects[object.index()],
            Item::Proposition(proposition) => &self.propositions[proposition.index()],
            Item::Character(_) | Item::Lid(_) => panic!("neither an object nor a proposition"),
        }
    }
}
