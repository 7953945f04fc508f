//! The world of a story: where everyone is, what can happen next, and who sees it.
//!
//! Someone goes where a way leads ([`Map::leads`]), and those at both ends see her ([`Event::seen_by`]). Where there is
//! more than people who move, an [`Event`] has a [`Deed`] that says what is done, and what is so is a [`Scene`].

mod act;
mod deed;
mod scene;
mod thing;

pub use deed::{Act, ActInWorld, Deed, Distraction, Hearers, Ids, Part, Telling};
pub use scene::Scene;
pub use thing::{Along, Case, Container, How, Item, Knowledge, Side, Stage, Thing, Trust, Value, Wish};

use crate::id::{CharacterId, PlaceId};

/// The places that one can go to from each place.
///
/// Ways are stored in the order of the file, in one array for all places.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Map {
    first_way: Vec<u32>,
    ways: Vec<PlaceId>,
}

impl Map {
    /// A map from the list of ways out of every place.
    ///
    /// ```
    /// use storysim::{id::PlaceId, world::Map};
    /// let [a, b] = [0, 1].map(PlaceId::new);
    /// let map = Map::new(&[vec![b], vec![a]]);
    /// assert!(map.leads(a, b) && !map.leads(a, a));
    /// ```
    pub fn new(ways: &[Vec<PlaceId>]) -> Self {
        let mut map = Self { first_way: vec![0], ways: Vec::new() };
        for next in ways {
            map.ways.extend_from_slice(next);
            map.first_way.push(u32::try_from(map.ways.len()).expect("fewer than 2^32 ways"));
        }
        map
    }

    /// The number of places.
    pub fn place_count(&self) -> usize {
        self.first_way.len() - 1
    }

    /// All places.
    pub fn places(&self) -> impl DoubleEndedIterator<Item = PlaceId> + use<> {
        (0..self.place_count()).map(PlaceId::new)
    }

    /// The places that one can go to from `place`.
    #[inline]
    pub fn ways(&self, place: PlaceId) -> &[PlaceId] {
        let at = place.index();
        &self.ways[self.first_way[at] as usize..self.first_way[at + 1] as usize]
    }

    /// The number of [`Self::ways`]`(place)[0]` among all ways; the other ways out of the place follow it.
    #[inline]
    pub fn first_way(&self, place: PlaceId) -> usize {
        self.first_way[place.index()] as usize
    }

    /// The number of ways, over all places.
    pub fn way_count(&self) -> usize {
        self.ways.len()
    }

    /// The index of the way from `from` to `to`, if it is among the first 255 ways from `from`.
    pub fn way_number(&self, from: PlaceId, to: PlaceId) -> Option<u8> {
        let ways = self.ways(from).iter().zip(0..u8::MAX);
        ways.into_iter().find(|(other, _)| **other == to).map(|(_, number)| number)
    }

    /// Whether one can go from `from` to `to` in one step.
    pub fn leads(&self, from: PlaceId, to: PlaceId) -> bool {
        self.ways(from).contains(&to)
    }

    /// The smallest number of ways out of any place.
    pub fn ways_min(&self) -> usize {
        self.places().map(|place| self.ways(place).len()).min().unwrap_or(0)
    }
}

/// `who` moves from `from` to `to`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Event {
    /// The character who moves.
    pub who: CharacterId,
    /// The place that the character leaves.
    pub from: PlaceId,
    /// The place that the character comes to.
    pub to: PlaceId,
}

impl Event {
    /// Whether someone who is at `place` before the event, or moves in it, witnesses it: those at the origin see where the
    /// mover goes, those at the destination see where it comes from.
    ///
    /// ```
    /// use storysim::{id::{CharacterId, PlaceId}, world::Event};
    /// let [a, b, c] = [0, 1, 2].map(PlaceId::new);
    /// let [ann, bob] = [0, 1].map(CharacterId::new);
    /// let event = Event { who: ann, from: a, to: b };
    /// assert!(event.seen_by(ann, a) && event.seen_by(bob, a) && event.seen_by(bob, b));
    /// assert!(!event.seen_by(bob, c));
    /// ```
    #[inline]
    pub fn seen_by(self, character: CharacterId, place: PlaceId) -> bool {
        place == self.from || place == self.to || character == self.who
    }
}
