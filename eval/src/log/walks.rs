//! People who come and go: those who are in none of the rooms are nowhere, each in a place of her own.

use crate::id::{CharacterId, PlaceId};
use crate::world::{Act, Deed, Event};

/// Where everyone is, and the events that led there.
///
/// Between two calls, everyone is in a room or in her own nowhere. Whoever comes out of it together with others was with
/// them before; people who go together leave together and only then lose sight of each other. Nobody else sees what
/// happens in a nowhere.
#[derive(Debug, Default)]
pub struct Walks {
    room_count: usize,
    places: Vec<PlaceId>,
    /// Who went where, event by event.
    pub events: Vec<Event>,
    /// What was done in each event.
    pub deeds: Vec<Deed>,
}

impl Walks {
    /// Walks of characters who start in these places; `None` means nowhere.
    pub fn new(room_count: usize, start: &[Option<PlaceId>]) -> Self {
        let mut walks = Self { room_count, ..Self::default() };
        let place = |(who, place): (usize, &Option<PlaceId>)| {
            place.unwrap_or_else(|| walks.nowhere(CharacterId::new(who)))
        };
        walks.places = start.iter().enumerate().map(place).collect();
        walks
    }

    /// Where each character is.
    pub fn places(&self) -> &[PlaceId] {
        &self.places
    }

    /// The room that someone is in; `None` if she is nowhere.
    pub fn room(&self, who: CharacterId) -> Option<PlaceId> {
        Some(self.places[who.index()]).filter(|place| place.index() < self.room_count)
    }

    /// The characters in a place.
    pub fn company(&self, place: PlaceId) -> impl Iterator<Item = CharacterId> + '_ {
        let here = self.places.iter().enumerate().filter(move |&(_, &at)| at == place);
        here.map(|(who, _)| CharacterId::new(who))
    }

    /// Adds an event that takes nobody to another place.
    pub fn happen(&mut self, who: CharacterId, act: Act) {
        let place = self.places[who.index()];
        self.events.push(Event { who, from: place, to: place });
        self.deeds.push(Deed { act, ..Deed::default() });
    }

    /// Lets these go into a room together, from another room that all of them are in, or out of their nowheres.
    pub fn enter(&mut self, who: &[CharacterId], room: PlaceId) {
        let [first, others @ ..] = who else { return };
        if self.room(*first).is_none() {
            let meeting = self.nowhere(*first);
            others.iter().for_each(|&other| self.go(&[other], meeting));
        }
        self.go(who, room);
    }

    /// Lets these leave their room together and be nowhere; those who stay see them go.
    pub fn leave(&mut self, who: &[CharacterId]) {
        let [first, others @ ..] = who else { return };
        self.go(who, self.nowhere(*first));
        others.iter().for_each(|&other| self.go(&[other], self.nowhere(other)));
    }

    /// Lets these leave their room together and go into another, so that people at one end do not see the other end.
    pub fn vanish(&mut self, who: &[CharacterId], room: PlaceId) {
        let [first, ..] = who else { return };
        self.go(who, self.nowhere(*first));
        self.go(who, room);
    }

    fn nowhere(&self, who: CharacterId) -> PlaceId {
        PlaceId::new(self.room_count + who.index())
    }

    /// Adds one event in which these go from where they all are.
    fn go(&mut self, who: &[CharacterId], to: PlaceId) {
        let act = if who.len() == 1 { Act::Go } else { Act::GoTogether(who[1..].to_vec()) };
        self.events.push(Event { who: who[0], from: self.places[who[0].index()], to });
        self.deeds.push(Deed { act, ..Deed::default() });
        who.iter().for_each(|who| self.places[who.index()] = to);
    }
}
