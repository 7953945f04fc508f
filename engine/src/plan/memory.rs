//! What tables keep in mind beside the places of characters.

use crate::belief;
use crate::id::{CharacterId, PlaceId};
use crate::world::Event;

/// Something about the past on which the future depends.
///
/// It is kept as if it were the place of one more character: a *slot* after those of the characters,
/// with a number for every value. So a joint place may include what somebody holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Memory {
    /// Where `mind` holds `target` to be: the number of a place, or the number of places for *unknown*.
    Belief {
        /// The owner of the mind.
        mind: CharacterId,
        /// The character whose place it holds.
        target: CharacterId,
    },
    /// Whether `who` has moved in a window: 1 if it has.
    Moved {
        /// The character that may have moved.
        who: CharacterId,
    },
}

impl Memory {
    /// The number of values that the memory can take.
    pub fn size(self, place_count: usize) -> usize {
        match self {
            Self::Belief { .. } => place_count + 1,
            Self::Moved { .. } => 2,
        }
    }

    /// The value before the first event: everyone's start is common knowledge.
    pub fn at_start(self, start: &[PlaceId]) -> PlaceId {
        match self {
            Self::Belief { target, .. } => start[target.index()],
            Self::Moved { .. } => PlaceId::new(0),
        }
    }

    /// The value after an event, given everyone's place before it.
    pub fn next(
        self,
        value: PlaceId,
        event: Event,
        place_count: usize,
        place_of: impl Fn(CharacterId) -> PlaceId,
    ) -> PlaceId {
        match self {
            Self::Belief { mind, target } => {
                let held = Some(value).filter(|place| place.index() < place_count);
                let held = belief::first_order(held, mind, target, event, place_of);
                held.unwrap_or(PlaceId::new(place_count))
            }
            Self::Moved { who } => PlaceId::new(usize::from(event.who == who || value.index() == 1)),
        }
    }
}
