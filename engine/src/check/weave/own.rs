//! What a woven story says of the things of one board, under the names that they have in that board.

use std::collections::BTreeSet;

use crate::check::claim::{Deed, Fact, Item, Part, Telling, Value};
use crate::storyboard::Strand;

/// The names of a board's things, as it has them itself.
pub(super) struct Own<'a> {
    pub containers: BTreeSet<&'a str>,
    objects: BTreeSet<&'a str>,
    propositions: BTreeSet<&'a str>,
    attitudes: BTreeSet<&'a str>,
}

/// The names of a board's things.
pub(super) fn things(strand: &Strand) -> Own<'_> {
    let board = &strand.board;
    Own {
        containers: board.containers.iter().map(|container| container.name.value.as_str()).collect(),
        objects: board.objects.iter().map(|object| object.name.value.as_str()).collect(),
        propositions: board.propositions.iter().map(|proposition| proposition.name.value.as_str()).collect(),
        attitudes: board.attitudes.iter().map(|thing| thing.value.as_str()).collect(),
    }
}

impl Own<'_> {
    /// A fact under the board's own names, with the name of what it is about, if that is one of its things.
    pub(super) fn fact<'a>(&self, strand: &'a Strand, fact: &Fact<'a>) -> Option<(&'a str, Fact<'a>)> {
        let item = item(strand, fact.item);
        let name = match item {
            Item::Object(name) => Some(name).filter(|name| self.objects.contains(name)),
            Item::Proposition(name) => Some(name).filter(|name| self.propositions.contains(name)),
            Item::Likes(_, thing) => Some(thing).filter(|thing| self.attitudes.contains(thing)),
            Item::Character(_) | Item::Lid(_) | Item::Prospect(_) => None,
        };
        name.map(|name| (name, Fact { item, value: value(strand, fact.value), ..fact.clone() }))
    }
}

/// A deed under the board's own names.
pub(super) fn deed<'a>(strand: &'a Strand, deed: &Deed<'a>) -> Deed<'a> {
    let act = deed.act.map(|_, part| Some(self::part(strand, part))).expect("every part has its name");
    Deed { act, ..deed.clone() }
}

/// The board's own name for a thing, where people of the board use it.
fn own<'a>(strand: &'a Strand, name: &'a str) -> &'a str {
    strand.own_name(name).unwrap_or("what belongs to another board")
}

fn part<'a>(strand: &'a Strand, part: Part<'a>) -> Part<'a> {
    match part {
        Part::Company(_) | Part::Person(_) | Part::Place(_) => part,
        Part::Object(object) => Part::Object(own(strand, object)),
        Part::Container(container) => Part::Container(own(strand, container)),
        Part::Spot(spot) => Part::Spot(value(strand, spot)),
        Part::Liking((liked, likes)) => Part::Liking((item(strand, liked), likes)),
        Part::Fact((fact, is_so)) => Part::Fact((item(strand, fact), is_so)),
        Part::Telling(telling) => Part::Telling(Telling {
            item: item(strand, telling.item),
            value: value(strand, telling.value),
            ..telling
        }),
    }
}

fn item<'a>(strand: &'a Strand, item: Item<'a>) -> Item<'a> {
    match item {
        Item::Object(name) => Item::Object(own(strand, name)),
        Item::Lid(name) => Item::Lid(own(strand, name)),
        Item::Proposition(name) => Item::Proposition(own(strand, name)),
        Item::Likes(who, thing) => Item::Likes(who, own(strand, thing)),
        Item::Character(_) | Item::Prospect(_) => item,
    }
}

fn value<'a>(strand: &'a Strand, value: Value<'a>) -> Value<'a> {
    match value {
        Value::Container(name) => Value::Container(own(strand, name)),
        Value::Place(_) | Value::Hands(_) | Value::Truth(_) | Value::Case(_) | Value::NoCase => value,
    }
}
