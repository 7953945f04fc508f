//! What someone does at a step, beyond going from one place to another.

use super::thing::{Item, Value};
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

/// What is done.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum Act {
    /// The actor goes, with what she has in hand.
    #[default]
    Go,
    /// So do these, from the same place: one event.
    GoTogether(Vec<CharacterId>),
    /// The actor goes and takes an object along that is within reach; then she has it in hand.
    Carry(ObjectId),
    /// She takes an object into her hands.
    Take(ObjectId),
    /// She puts an object from her hands into a container that stands here, or down in this place.
    Put(ObjectId, Value),
    /// She moves an object that is within reach into a container that stands here.
    MoveObject(ObjectId, ContainerId),
    /// She throws an object that is within reach to a place next to this one, where it lies then: those
    /// there see it come.
    Throw(ObjectId, PlaceId),
    /// She opens a container: everyone here sees what is in it, and so does who comes in later.
    Open(ContainerId),
    /// She closes a container.
    Close(ContainerId),
    /// She shows everyone here where an object is that is in this place, in whatever: nothing changes.
    Show(ObjectId),
    /// She says that something is so.
    Tell(Telling),
    /// She shows whether a proposition about herself is true.
    React(PropositionId, bool),
}

impl Act {
    /// Whether the actor goes to another place.
    pub const fn is_going(&self) -> bool {
        matches!(self, Self::Go | Self::GoTogether(_) | Self::Carry(_))
    }

    /// The object that it moves.
    pub const fn object(&self) -> Option<ObjectId> {
        match self {
            Self::Carry(object)
            | Self::Take(object)
            | Self::Put(object, _)
            | Self::MoveObject(object, _)
            | Self::Throw(object, _) => Some(*object),
            _ => None,
        }
    }
}

/// Someone says that something is so.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Telling {
    /// To whom.
    pub hearers: Hearers,
    /// What she speaks of,
    pub item: Item,
    /// and what she says is so.
    pub value: Value,
    /// Who of those who hear it believes it, as everyone knows; none: by the rule of the board.
    pub believers: Option<Vec<CharacterId>>,
}

/// Who hears what is said. Nobody else notices, unless everyone present hears it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Hearers {
    /// Everyone who is there.
    Present,
    /// These, who are there.
    Named(Vec<CharacterId>),
    /// These, who are elsewhere.
    Afar(Vec<CharacterId>),
}

impl Hearers {
    /// Those who are named.
    pub fn named(&self) -> &[CharacterId] {
        match self {
            Self::Present => &[],
            Self::Named(who) | Self::Afar(who) => who,
        }
    }
}
