//! What a history has of each deed: all that a new one needs here is an arm in each of these.

use super::{Done, Worlds};
use crate::id::{CharacterId, PlaceId};
use crate::world::{Act, Hearers, Item, Telling, Value};

impl Worlds {
    /// What an event shows to its witnesses, of what was so before it.
    pub(super) fn shown(&self, world: &[Option<Value>], done: &Done) -> Vec<(Item, Value)> {
        let mut items: Vec<Item> = Vec::new();
        if facts(&done.act).hearers.is_none() {
            items.extend(actors(done).into_iter().map(Item::Character));
        }
        match &done.act {
            Act::Go | Act::GoTogether(_) | Act::Carry(_) => {
                let carried = |item: &&Item| {
                    actors(done).iter().any(|&who| world[self.column(**item)] == Some(Value::Hands(who)))
                };
                items.extend(self.items.iter().filter(carried));
            }
            Act::Open(container) | Act::Close(container) => items.push(Item::Lid(*container)),
            Act::React((proposition, _)) | Act::Reveal((proposition, _)) => {
                items.push(Item::Proposition(*proposition))
            }
            Act::Give(_, to) => items.push(Item::Character(*to)),
            Act::Show(object) => {
                if let Some(Value::Hands(holder)) = world[self.column(Item::Object(*object))] {
                    items.push(Item::Character(holder));
                }
            }
            Act::Take(_)
            | Act::Put(..)
            | Act::MoveObject(..)
            | Act::Throw(..)
            | Act::Tell(_)
            | Act::Turn(_)
            | Act::Chat => {}
        }
        match &done.act {
            Act::Carry(object)
            | Act::Take(object)
            | Act::Put(object, _)
            | Act::MoveObject(object, _)
            | Act::Give(object, _)
            | Act::Throw(object, _)
            | Act::Show(object) => items.push(Item::Object(*object)),
            Act::Go
            | Act::GoTogether(_)
            | Act::Open(_)
            | Act::Close(_)
            | Act::React(_)
            | Act::Reveal(_)
            | Act::Tell(_)
            | Act::Turn(_)
            | Act::Chat => {}
        }
        items.sort_unstable();
        items.dedup();
        let value = |item| (item, world[self.column(item)].expect("who acts knows what she does"));
        items.into_iter().map(value).collect()
    }
}

/// What matters about a deed to those who see or hear it.
#[derive(Clone, Copy, Default)]
pub(super) struct Facts<'a> {
    /// Whether the actor goes to another place.
    is_going: bool,
    /// Whether those who are then in the place where it ends have a look round.
    pub gives_look: bool,
    /// The only ones who hear it, if not everyone there does.
    pub hearers: Option<&'a [CharacterId]>,
    /// The place where something lands, so that it is seen there, too.
    pub thrown_to: Option<PlaceId>,
}

pub(super) fn facts(act: &Act) -> Facts<'_> {
    let none = Facts::default();
    match act {
        Act::Go | Act::GoTogether(_) | Act::Carry(_) => Facts { is_going: true, gives_look: true, ..none },
        Act::Open(_) => Facts { gives_look: true, ..none },
        Act::Throw(_, to) => Facts { thrown_to: Some(*to), ..none },
        Act::Tell(Telling { hearers: Hearers::Named(hearers) | Hearers::Afar(hearers), .. }) => {
            Facts { hearers: Some(hearers), ..none }
        }
        Act::Take(_)
        | Act::Put(..)
        | Act::MoveObject(..)
        | Act::Give(..)
        | Act::Close(_)
        | Act::React(_)
        | Act::Reveal(_)
        | Act::Turn(_)
        | Act::Chat
        | Act::Show(_)
        | Act::Tell(Telling { hearers: Hearers::Present, .. }) => none,
    }
}

/// Those who act.
pub(super) fn actors(done: &Done) -> Vec<CharacterId> {
    let others: &[CharacterId] = if let Act::GoTogether(others) = &done.act { others } else { &[] };
    [&[done.event.who], others].concat()
}

/// What an event changes.
pub(super) fn effects(done: &Done) -> Vec<(Item, Value)> {
    let who = done.event.who;
    let mut effects = Vec::new();
    if facts(&done.act).is_going {
        effects
            .extend(actors(done).into_iter().map(|who| (Item::Character(who), Value::Place(done.event.to))));
    }
    effects.extend(match &done.act {
        Act::Carry(object) | Act::Take(object) => Some((Item::Object(*object), Value::Hands(who))),
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
    });
    effects
}
