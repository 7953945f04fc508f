//! What a history has of each deed: all that a new one needs here is an arm in each of these.

use super::{Done, Worlds};
use crate::id::{CharacterId, PlaceId};
use crate::world::{Act, Hearers, Item, Telling, Value};

impl Worlds {
    /// What an event shows to its witnesses, of what was so before it.
    pub(super) fn shown(&self, world: &[Option<Value>], done: &Done) -> Vec<(Item, Value)> {
        let mut items: Vec<Item> = Vec::new();
        if hearers(&done.act).is_none() {
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
            Act::React((proposition, _)) => items.push(Item::Proposition(*proposition)),
            Act::Give(_, to) => items.push(Item::Character(*to)),
            Act::Show(object) => {
                if let Some(Value::Hands(holder)) = world[self.column(Item::Object(*object))] {
                    items.push(Item::Character(holder));
                }
            }
            Act::Take(_) | Act::Put(..) | Act::MoveObject(..) | Act::Throw(..) | Act::Tell(_) => {}
        }
        match &done.act {
            Act::Carry(object)
            | Act::Take(object)
            | Act::Put(object, _)
            | Act::MoveObject(object, _)
            | Act::Give(object, _)
            | Act::Throw(object, _)
            | Act::Show(object) => items.push(Item::Object(*object)),
            Act::Go | Act::GoTogether(_) | Act::Open(_) | Act::Close(_) | Act::React(_) | Act::Tell(_) => {}
        }
        items.sort_unstable();
        items.dedup();
        let value = |item| (item, world[self.column(item)].expect("who acts knows what she does"));
        items.into_iter().map(value).collect()
    }
}

/// Whether the actor goes to another place.
const fn is_going(act: &Act) -> bool {
    match act {
        Act::Go | Act::GoTogether(_) | Act::Carry(_) => true,
        Act::Take(_)
        | Act::Put(..)
        | Act::MoveObject(..)
        | Act::Give(..)
        | Act::Throw(..)
        | Act::Open(_)
        | Act::Close(_)
        | Act::React(_)
        | Act::Show(_)
        | Act::Tell(_) => false,
    }
}

/// Whether those who are then in the place where it ends have a look round.
pub(super) const fn gives_look(act: &Act) -> bool {
    is_going(act) || matches!(act, Act::Open(_))
}

/// The only ones who hear it, where not all do who are there.
pub(super) fn hearers(act: &Act) -> Option<&[CharacterId]> {
    match act {
        Act::Tell(Telling { hearers: Hearers::Named(hearers) | Hearers::Afar(hearers), .. }) => Some(hearers),
        Act::Go
        | Act::GoTogether(_)
        | Act::Carry(_)
        | Act::Take(_)
        | Act::Put(..)
        | Act::MoveObject(..)
        | Act::Give(..)
        | Act::Throw(..)
        | Act::Open(_)
        | Act::Close(_)
        | Act::React(_)
        | Act::Show(_)
        | Act::Tell(Telling { hearers: Hearers::Present, .. }) => None,
    }
}

/// Where it is seen, too, since something lands there.
pub(super) const fn thrown_to(act: &Act) -> Option<PlaceId> {
    match act {
        Act::Throw(_, to) => Some(*to),
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
        | Act::Show(_)
        | Act::Tell(_) => None,
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
    if is_going(&done.act) {
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
        Act::Go | Act::GoTogether(_) | Act::Show(_) | Act::Tell(_) | Act::React(_) => None,
    });
    effects
}
