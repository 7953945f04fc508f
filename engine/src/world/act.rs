//! What the world knows of each deed: all that a new one needs here is an arm in each of these.

use super::Event;
use super::deed::{Act, ActInWorld, Hearers};
use super::scene::Scene;
use super::thing::{Item, Value};
use crate::id::{CharacterId, ObjectId, PlaceId};

impl ActInWorld for Act {
    #[inline]
    fn is_going(&self) -> bool {
        match self {
            Self::Go | Self::GoTogether(_) | Self::Carry(_) => true,
            Self::Take(_)
            | Self::Put(..)
            | Self::MoveObject(..)
            | Self::Give(..)
            | Self::Throw(..)
            | Self::Open(_)
            | Self::Close(_)
            | Self::React(_)
            | Self::Tell(_)
            | Self::Reveal(_)
            | Self::Turn(_)
            | Self::Chat
            | Self::Show(_) => false,
        }
    }

    #[inline]
    fn object(&self) -> Option<ObjectId> {
        match self {
            Self::Carry(object)
            | Self::Take(object)
            | Self::Put(object, _)
            | Self::MoveObject(object, _)
            | Self::Give(object, _)
            | Self::Throw(object, _) => Some(*object),
            Self::Go
            | Self::GoTogether(_)
            | Self::Open(_)
            | Self::Close(_)
            | Self::React(_)
            | Self::Tell(_)
            | Self::Reveal(_)
            | Self::Turn(_)
            | Self::Chat
            | Self::Show(_) => None,
        }
    }

    #[inline]
    fn receiver(&self) -> Option<CharacterId> {
        match self {
            Self::Give(_, to) => Some(*to),
            Self::Go
            | Self::GoTogether(_)
            | Self::Carry(_)
            | Self::Take(_)
            | Self::Put(..)
            | Self::MoveObject(..)
            | Self::Throw(..)
            | Self::Open(_)
            | Self::Close(_)
            | Self::React(_)
            | Self::Tell(_)
            | Self::Reveal(_)
            | Self::Turn(_)
            | Self::Chat
            | Self::Show(_) => None,
        }
    }

    #[inline]
    fn named(&self) -> &[CharacterId] {
        match self {
            Self::Tell(telling) => telling.hearers.named(),
            Self::Go
            | Self::GoTogether(_)
            | Self::Carry(_)
            | Self::Take(_)
            | Self::Put(..)
            | Self::MoveObject(..)
            | Self::Give(..)
            | Self::Throw(..)
            | Self::Open(_)
            | Self::Close(_)
            | Self::React(_)
            | Self::Reveal(_)
            | Self::Turn(_)
            | Self::Chat
            | Self::Show(_) => &[],
        }
    }
}

impl Scene {
    /// The places in which an event can be seen: where it begins, where it ends, and where something is
    /// thrown to.
    pub fn stages(event: Event, act: &Act) -> [PlaceId; 3] {
        let third = match act {
            Act::Throw(_, to) => *to,
            Act::Go
            | Act::GoTogether(_)
            | Act::Carry(_)
            | Act::Take(_)
            | Act::Put(..)
            | Act::MoveObject(..)
            | Act::Give(..)
            | Act::Open(_)
            | Act::Close(_)
            | Act::React(_)
            | Act::Tell(_)
            | Act::Reveal(_)
            | Act::Turn(_)
            | Act::Chat
            | Act::Show(_) => event.from,
        };
        [event.from, event.to, third]
    }

    /// Whether the things and people are there that an act takes, wherever it leads. The actor is where the event begins.
    pub fn can_act(&self, event: Event, act: &Act) -> bool {
        let Event { who, from, .. } = event;
        let is_here = |other: CharacterId| self.place(other) == from;
        match act {
            Act::Go | Act::Turn(_) | Act::Chat => true,
            Act::GoTogether(others) => others.iter().all(|&other| other != who && is_here(other)),
            Act::Carry(object) | Act::Throw(object, _) => self.is_within_reach(who, *object),
            Act::Take(object) => {
                self.is_within_reach(who, *object) && self.value(Item::Object(*object)) != Value::Hands(who)
            }
            Act::Put(object, spot) => {
                let is_at_hand = match spot {
                    Value::Place(place) => *place == from,
                    Value::Container(container) => self.place_of_container(*container) == from,
                    Value::Hands(_) | Value::Truth(_) | Value::Case(_) | Value::NoCase => false,
                };
                is_at_hand && self.value(Item::Object(*object)) == Value::Hands(who)
            }
            Act::MoveObject(object, container) => {
                self.is_within_reach(who, *object)
                    && self.place_of_container(*container) == from
                    && self.value(Item::Object(*object)) != Value::Container(*container)
            }
            Act::Give(object, to) => {
                *to != who && is_here(*to) && self.value(Item::Object(*object)) == Value::Hands(who)
            }
            Act::Open(container) | Act::Close(container) => {
                let opens = matches!(act, Act::Open(_));
                self.place_of_container(*container) == from
                    && self.value(Item::Lid(*container)) != Value::Truth(opens)
            }
            Act::Show(object) => self.room(*object) == from,
            Act::Tell(telling) => match &telling.hearers {
                Hearers::Present => true,
                Hearers::Named(hearers) => hearers.iter().all(|&other| other != who && is_here(other)),
                Hearers::Afar(hearers) => hearers.iter().all(|&other| !is_here(other)),
            },
            Act::React((proposition, is_true)) | Act::Reveal((proposition, is_true)) => {
                self.value(Item::Proposition(*proposition)) == Value::Truth(*is_true)
            }
        }
    }

    /// What an event shows besides who acts, and what is carried or moved: at most these two.
    pub(super) fn shown_besides(&self, event: Event, act: &Act) -> [Option<Item>; 2] {
        match act {
            Act::Open(container) | Act::Close(container) => [None, Some(Item::Lid(*container))],
            Act::Show(object) => {
                let holder = match self.value(Item::Object(*object)) {
                    Value::Hands(holder) if holder != event.who => Some(holder),
                    _ => None,
                };
                [holder.map(Item::Character), Some(Item::Object(*object))]
            }
            Act::React((proposition, _)) | Act::Reveal((proposition, _)) => {
                [None, Some(Item::Proposition(*proposition))]
            }
            Act::Give(_, to) => [None, Some(Item::Character(*to))],
            Act::Go
            | Act::GoTogether(_)
            | Act::Carry(_)
            | Act::Take(_)
            | Act::Put(..)
            | Act::MoveObject(..)
            | Act::Throw(..)
            | Act::Tell(_)
            | Act::Turn(_)
            | Act::Chat => [None, None],
        }
    }

    /// What an event changes.
    pub fn effects(event: Event, act: &Act) -> impl Iterator<Item = (Item, Value)> + Clone + '_ {
        let went = Self::movers(event, act).map(move |who| (Item::Character(who), Value::Place(event.to)));
        let change = match act {
            Act::Carry(object) | Act::Take(object) => Some((Item::Object(*object), Value::Hands(event.who))),
            Act::Put(object, spot) => Some((Item::Object(*object), *spot)),
            Act::MoveObject(object, container) => Some((Item::Object(*object), Value::Container(*container))),
            Act::Give(object, to) => Some((Item::Object(*object), Value::Hands(*to))),
            Act::Throw(object, place) => Some((Item::Object(*object), Value::Place(*place))),
            Act::Open(container) => Some((Item::Lid(*container), Value::Truth(true))),
            Act::Close(container) => Some((Item::Lid(*container), Value::Truth(false))),
            Act::Turn(news) => Some((news.item, news.value)),
            Act::Go
            | Act::GoTogether(_)
            | Act::Show(_)
            | Act::Tell(_)
            | Act::React(_)
            | Act::Reveal(_)
            | Act::Chat => None,
        };
        went.chain(change)
    }
}
