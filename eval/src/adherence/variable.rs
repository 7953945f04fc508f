//! What a story leaves open of its cast, and what each of it could be.

use std::collections::BTreeMap;

use super::account::{Account, Spot};
use crate::check::{Act, Item};
use crate::storyboard::{Name, Storyboard};

/// A value of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Value<'a> {
    Person(&'a str),
    Place(&'a str),
    Spot(Spot<'a>),
    Truth(bool),
}

/// A role, bind, object, proposition or attitude, which the story may leave open.
#[derive(Clone, Debug)]
pub(super) struct Variable<'a> {
    /// The name that the storyboard has for it.
    pub name: String,
    pub kind: Kind<'a>,
    /// The possible values; a single one if it is given.
    pub values: Vec<Value<'a>>,
    /// Whether the story and the storyboard leave it open.
    pub is_open: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind<'a> {
    Role,
    Bind,
    Object,
    Proposition,
    Attitude(&'a str, &'a str),
}

/// All variables of a story with their possible values: roles, binds, objects, propositions, attitudes.
pub(super) fn variables<'a>(
    board: &'a Storyboard,
    account: &Account<'a>,
    everyone: &[&'a str],
    places: &[&'a str],
) -> Vec<Variable<'a>> {
    let mut variables = Vec::new();
    let mut add = |name: &str, kind, values: Vec<Value<'a>>| {
        variables.push(Variable { name: name.to_owned(), kind, is_open: values.len() > 1, values });
    };
    for role in &board.roles {
        add(&role.value, Kind::Role, everyone.iter().map(|&who| Value::Person(who)).collect());
    }
    for bind in &board.binds {
        add(&bind.name.value, Kind::Bind, places.iter().map(|&place| Value::Place(place)).collect());
    }
    for object in &board.objects {
        let said = account.opening.objects.iter().find(|(name, _)| *name == object.name.value);
        let values = match said {
            Some((_, value)) => vec![Value::Spot(Spot::Said(*value))],
            None => object.start.iter().map(|name: &Name| Value::Spot(Spot::Declared(name))).collect(),
        };
        add(&object.name.value, Kind::Object, values);
    }
    for proposition in &board.propositions {
        let name = proposition.name.value.as_str();
        let readings = account.opening.truths.iter().flatten();
        let mut said: Vec<bool> =
            readings.filter(|reading| reading.proposition == name).map(|reading| reading.is_true).collect();
        said.dedup();
        let values = match (proposition.is_true, &said[..]) {
            (_, [said]) => vec![*said],
            (Some(is_true), _) => vec![is_true],
            (None, _) => vec![true, false],
        };
        add(name, Kind::Proposition, values.into_iter().map(Value::Truth).collect());
    }
    let said: BTreeMap<(&str, &str), bool> =
        account.opening.attitudes.iter().map(|&(who, thing, likes)| ((who, thing), likes)).collect();
    let shown = shown(account);
    let mut spoken_of: Vec<(&str, &str)> = Vec::new();
    for told in &account.told {
        if let Act::Tell(telling) = &told.deed.act
            && let Item::Likes(who, thing) = telling.item
            && !spoken_of.contains(&(who, thing))
        {
            spoken_of.push((who, thing));
        }
    }
    for thing in &board.attitudes {
        for &who in everyone {
            let key = (who, thing.value.as_str());
            let values = match said.get(&key).or(shown.get(&key)) {
                Some(likes) => vec![*likes],
                // In a woven story, only people of one board like or dislike a thing, and rows say who.
                None if board.weave.is_some() => continue,
                None if spoken_of.contains(&key) => vec![true, false],
                None => vec![true],
            };
            let name = format!("{who} likes {}", thing.value);
            let values = values.into_iter().map(Value::Truth).collect();
            add(&name, Kind::Attitude(who, &thing.value), values);
        }
    }
    variables
}

/// What a story shows someone to like or dislike, judging by what she shows first.
fn shown<'a>(account: &Account<'a>) -> BTreeMap<(&'a str, &'a str), bool> {
    let mut shown = BTreeMap::new();
    for told in &account.told {
        if let Act::React((Item::Likes(who, thing), likes)) = told.deed.act {
            shown.entry((who, thing)).or_insert(likes);
        }
    }
    shown
}
