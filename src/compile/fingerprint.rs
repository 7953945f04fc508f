//! What the random streams of a storyboard depend on.

use super::resolve::{Condition, Demand, Place, Resolved};
use crate::belief::Chain;
use crate::id::CharacterId;
use crate::plan::Goal;
use crate::storyboard::Storyboard;

/// All that decides what happens in a story, in a canonical form: not comments, not the words, not
/// the questions. It goes into the keys of the random streams, so its form is part of the promise
/// on bytes.
///
/// A fact a line. No name holds a line end, so no two storyboards read the same.
pub fn fingerprint(storyboard: &Storyboard, resolved: &Resolved) -> String {
    let mut lines = vec![format!("name {}", storyboard.name.value)];
    lines.extend(resolved.parameters.iter().map(|(name, value)| format!("parameter {name} {value}")));
    lines.push(format!("horizon {}", resolved.horizon));
    lines.push(format!("characters {}", resolved.character_count));
    lines.extend(resolved.pool.iter().map(|name| format!("pool {name}")));
    lines.extend(resolved.role_names.iter().map(|name| format!("role {name}")));
    for (at, name) in resolved.map.places().zip(&resolved.place_names) {
        let ways = resolved.map.ways(at).iter().map(|to| to.index());
        lines.push(format!("place {name}"));
        lines.push(format!("ways {}", numbers(ways)));
    }
    lines.extend(resolved.start.iter().map(|&at| format!("start {}", place(at))));
    for bind in &resolved.binds {
        lines.push(format!("bind {}", bind.name));
        lines.extend(bind.next_to.map(|near| format!("next to {}", place(near))));
        lines.extend(bind.not.iter().map(|&not| format!("not {}", place(not))));
    }
    lines.extend(resolved.conditions.iter().map(condition));
    lines.extend(resolved.goals.iter().map(|ensured| goal(&ensured.goal)));
    lines.join("\n")
}

fn condition(condition: &Condition) -> String {
    let Condition { from, until, demand, .. } = condition;
    let demand = match demand {
        Demand::Move { who, to } => format!("move {} to {}", who.index(), place(*to)),
        Demand::Meet { who, place: Some(at) } => format!("meet {} in {}", characters(who), place(*at)),
        Demand::Meet { who, place: None } => format!("meet {}", characters(who)),
        Demand::GoTogether { who, to } => format!("go together {} to {}", characters(who), place(*to)),
        Demand::Deed { who, place: at, with, without } => {
            let at = at.map_or(String::new(), |at| format!(" in {}", place(at)));
            format!("deed {}{at} with {} without {}", who.index(), characters(with), characters(without))
        }
        Demand::Idle { who } => format!("idle {}", characters(who)),
        Demand::Apart { who } => format!("apart {}", characters(who)),
        Demand::Together { who } => format!("together {}", characters(who)),
        Demand::Unseen { who, by } => format!("unseen {} by {}", characters(who), characters(by)),
        Demand::Avoid { who, place: at } => format!("avoid {} in {}", place(*at), characters(who)),
        Demand::Follow { who, whom, .. } => format!("follow {} by {}", whom.index(), who.index()),
    };
    format!("from {from} until {until} {demand}")
}

fn goal(goal: &Goal) -> String {
    let chain = |chain: &Chain| characters(&chain.members().collect::<Vec<CharacterId>>());
    match goal {
        Goal::Holds(held, at) => format!("holds {} in {}", chain(held), place(*at)),
        Goal::FalseBelief(held) => format!("false belief {}", chain(held)),
        Goal::TrueBelief(held) => format!("true belief {}", chain(held)),
        Goal::Unknown(held) => format!("unknown {}", chain(held)),
        Goal::Differs([one, other]) => format!("differs {} and {}", chain(one), chain(other)),
        Goal::MisleadDistance(held, least, most) => {
            format!("mislead distance {} from {least} to {most}", chain(held))
        }
    }
}

fn place(place: Place) -> String {
    match place {
        Place::Fixed(place) => format!("place {}", place.index()),
        Place::Bound(bind) => format!("bind {bind}"),
    }
}

fn characters(who: &[CharacterId]) -> String {
    numbers(who.iter().map(|who| who.index()))
}

fn numbers(numbers: impl Iterator<Item = usize>) -> String {
    numbers.map(|number| number.to_string()).collect::<Vec<String>>().join(" ")
}
