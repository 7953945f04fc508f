//! What there is besides people: objects, containers, propositions; and what can be known of it.

use std::sync::Arc;

use crate::id::{CharacterId, ContainerId, ObjectId, PlaceId, PropositionId, ProspectId};
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
    /// How a prospect stands: a [`Value::Case`], or [`Value::NoCase`] before anything has been announced.
    Prospect(ProspectId),
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
    /// The prospect stands like this.
    Case(Case),
    /// Nothing has been announced of the prospect.
    NoCase,
}

/// One of the two sides of a prospect: how it may turn out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    /// The side that is written first.
    First,
    /// The other one.
    Second,
}

impl Side {
    /// Both sides, in order.
    pub const ALL: [Self; 2] = [Self::First, Self::Second];

    /// The other side.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }
}

/// How a side of a prospect has come about, or that it is only likely.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum How {
    /// It is likely.
    Likely,
    /// It is settled, and nobody has brought it about.
    ByNobody,
    /// It is settled, and this character has brought it about.
    By(CharacterId),
}

/// How a prospect stands: which side, how, and whether nothing can be done about it any more.
///
/// It is packed into 16 bits, so that a [`Value`] stays small.
///
/// ```
/// use storysim::{id::CharacterId, world::{Case, How, Side, Value}};
/// let how = How::By(CharacterId::new(3));
/// let case = Case::new(Side::Second, how, true);
/// assert_eq!((case.side(), case.how(), case.is_final()), (Side::Second, how, true));
/// assert_eq!(size_of::<Value>(), 4);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Case(u16);

impl Case {
    /// How many ways there are to come about that name nobody.
    const NAMELESS: u16 = 2;

    /// The case with these parts.
    pub const fn new(side: Side, how: How, is_final: bool) -> Self {
        let how = match how {
            How::Likely => 0,
            How::ByNobody => 1,
            How::By(who) => who.index() as u16 + Self::NAMELESS,
        };
        Self(how << 2 | (side as u16) << 1 | is_final as u16)
    }

    /// The side that is likely or settled.
    pub const fn side(self) -> Side {
        if self.0 & 2 == 0 { Side::First } else { Side::Second }
    }

    /// How it has come about.
    pub const fn how(self) -> How {
        match self.0 >> 2 {
            0 => How::Likely,
            1 => How::ByNobody,
            who => How::By(CharacterId::new((who - Self::NAMELESS) as usize)),
        }
    }

    /// Whether nothing can be done about it any more.
    pub const fn is_final(self) -> bool {
        self.0 & 1 == 1
    }

    /// The character who has brought it about, if somebody has.
    pub const fn agent(self) -> Option<CharacterId> {
        match self.how() {
            How::By(who) => Some(who),
            How::Likely | How::ByNobody => None,
        }
    }
}

/// What somebody wants to become of a prospect, which everyone knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wish {
    /// Who wants it.
    pub who: CharacterId,
    /// The prospect.
    pub of: ProspectId,
    /// The side that she wants.
    pub side: Side,
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
    /// The prospects, indexed by [`ProspectId`].
    pub prospects: Vec<Thing>,
    /// What people want to become of prospects.
    pub wishes: Vec<Wish>,
    /// Whom hearers believe.
    pub trust: Trust,
    /// What is shown along with each proposition, indexed by [`PropositionId`]; empty if nothing ever is.
    pub along: Arc<[Along]>,
}

/// What is shown along with a proposition, when somebody says to everyone present that it is so.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Along {
    /// The propositions that whoever sees it to be so sees to be so or not, too.
    pub shows: Vec<PropositionId>,
    /// The proposition that it was revealed, just then, among those who are there: they see it, and nobody ever does again.
    pub revealed: Option<PropositionId>,
    /// The same of its being told.
    pub told: Option<PropositionId>,
}

impl Clone for Along {
    fn clone(&self) -> Self {
        Self { shows: self.shows.clone(), ..*self }
    }

    /// Uses the memory again: every story has some.
    fn clone_from(&mut self, other: &Self) {
        let Self { shows, revealed, told } = self;
        shows.clone_from(&other.shows);
        (*revealed, *told) = (other.revealed, other.told);
    }
}

impl Stage {
    /// All items of a story with `character_count` characters: characters, objects, lids, propositions, prospects.
    pub fn items(&self, character_count: usize) -> impl Iterator<Item = Item> + use<> {
        let objects = (0..self.objects.len()).map(|at| Item::Object(ObjectId::new(at)));
        let lids = (0..self.containers.len()).map(|at| Item::Lid(ContainerId::new(at)));
        let propositions = (0..self.propositions.len()).map(|at| Item::Proposition(PropositionId::new(at)));
        let characters = (0..character_count).map(|at| Item::Character(CharacterId::new(at)));
        let prospects = (0..self.prospects.len()).map(|at| Item::Prospect(ProspectId::new(at)));
        characters.chain(objects).chain(lids).chain(propositions).chain(prospects)
    }

    /// An object, a proposition or a prospect at the start.
    ///
    /// # Panics
    /// If the item is a character or a lid.
    pub fn thing(&self, item: Item) -> &Thing {
        match item {
            Item::Object(object) => &self.objects[object.index()],
            Item::Proposition(proposition) => &self.propositions[proposition.index()],
            Item::Prospect(prospect) => &self.prospects[prospect.index()],
            Item::Character(_) | Item::Lid(_) => panic!("where people are is no thing, nor is a lid"),
        }
    }
}
