//! What the random streams of a storyboard depend on.

use super::resolve::{Condition, Demand, Place, Resolved};
use crate::belief::Chain;
use crate::id::CharacterId;
use crate::plan::{Attention, Audience, Goal, PlannedAct, PlannedTelling, PlannedValue, Saying, Staging};
use crate::storyboard::Storyboard;
use crate::world::{Item, Knowledge, Trust};

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
    lines.extend(resolved.staging.iter().flat_map(staging));
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
    let chain = |chain: &Chain| {
        let members = characters(&chain.members().collect::<Vec<CharacterId>>());
        match chain.target() {
            Item::Character(_) => members,
            other => format!("{members} {}", item(other)),
        }
    };
    match goal {
        Goal::Holds(held, value) => format!("holds {} {}", chain(held), planned(*value)),
        Goal::FalseBelief(held) => format!("false belief {}", chain(held)),
        Goal::TrueBelief(held) => format!("true belief {}", chain(held)),
        Goal::Unknown(held) => format!("unknown {}", chain(held)),
        Goal::Differs([one, other]) => format!("differs {} and {}", chain(one), chain(other)),
        Goal::MisleadDistance(held, least, most) => {
            format!("mislead distance {} from {least} to {most}", chain(held))
        }
    }
}

/// What there is besides people, and what they do. Without any of that, nothing.
fn staging(staging: &Staging) -> Vec<String> {
    let mut lines = Vec::new();
    for container in &staging.containers {
        let lid = if container.is_open { "open" } else { "closed" };
        lines.push(format!("container {} in {} {lid}", container.name, place(container.place)));
    }
    for object in &staging.objects {
        lines.push(format!("object {}", object.name));
        lines.extend(object.start.iter().map(|&value| format!("start {}", planned(value))));
        lines.extend(knowledge(&object.knowledge));
    }
    for proposition in &staging.propositions {
        if let Saying::Words { .. } = proposition.says {
            let truth = proposition.is_true.map_or("drawn".to_owned(), |is_true| is_true.to_string());
            lines.push(format!("proposition {} {truth}", proposition.name));
            lines.extend(knowledge(&proposition.knowledge));
        }
    }
    lines.extend(staging.attitudes.iter().map(|thing| format!("attitude {thing}")));
    if staging.trust != Trust::default() {
        lines.push(format!("trust {}", staging.trust.key()));
    }
    lines.extend(staging.play.iter().map(|(play, weight)| format!("play {} {weight}", play.key())));
    let friends = staging.friends.iter().enumerate();
    lines.extend(friends.map(|(who, friends)| format!("friends {who} {}", characters(friends))));
    let deeds = staging.deeds.iter();
    lines.extend(deeds.map(|(step, deed)| format!("at {step} {} {}", deed.who.index(), act(&deed.act))));
    let windows = staging.attention.iter();
    lines.extend(windows.map(|(from, until, kind)| format!("from {from} until {until} {}", attention(kind))));
    lines
}

fn knowledge(knowledge: &[Knowledge]) -> Option<String> {
    let word = |knows: &Knowledge| match knows {
        Knowledge::Right => "right",
        Knowledge::Wrong => "wrong",
        Knowledge::Nothing => "nothing",
    };
    let words: Vec<&str> = knowledge.iter().map(word).collect();
    (!words.is_empty()).then(|| format!("known {}", words.join(" ")))
}

fn act(act: &PlannedAct) -> String {
    let number = |index: Option<usize>| index.map_or("any".to_owned(), |index| index.to_string());
    match act {
        PlannedAct::GoTogether(with, to) => format!("goes with {} to {}", characters(with), place(*to)),
        PlannedAct::Carry(object, to) => {
            format!("carries {} to {}", number(object.map(|object| object.index())), place(*to))
        }
        PlannedAct::Take(object) => format!("takes {}", number(object.map(|object| object.index()))),
        PlannedAct::Put(object, container) => {
            let into = container.map_or("down".to_owned(), |container| container.index().to_string());
            format!("puts {} {into}", number(object.map(|object| object.index())))
        }
        PlannedAct::MoveObject(object, to) => {
            let (object, to) = (object.map(|object| object.index()), to.map(|to| to.index()));
            format!("moves {} to {}", number(object), number(to))
        }
        PlannedAct::Throw(object, to) => {
            let to = to.map_or("any".to_owned(), place);
            format!("throws {} to {to}", number(object.map(|object| object.index())))
        }
        PlannedAct::Open(container) => {
            format!("opens {}", number(container.map(|container| container.index())))
        }
        PlannedAct::Close(container) => {
            format!("closes {}", number(container.map(|container| container.index())))
        }
        PlannedAct::Tell(telling) => told(telling),
        PlannedAct::React(thing) => format!("reacts to {}", number(*thing)),
    }
}

fn told(telling: &PlannedTelling) -> String {
    let PlannedTelling { to, item: about, value, is_lie } = telling;
    let verb = if *is_lie { "lies to" } else { "tells" };
    let to = match to {
        Audience::Present => "present".to_owned(),
        Audience::Named(who) => characters(who),
        Audience::Afar(who) => format!("afar {}", characters(who)),
    };
    let of = about.map_or("anything".to_owned(), item);
    format!("{verb} {to} that {of} {}", value.map_or("anything".to_owned(), planned))
}

fn item(item: Item) -> String {
    match item {
        Item::Character(who) => format!("character {}", who.index()),
        Item::Object(object) => format!("object {}", object.index()),
        Item::Lid(container) => format!("lid {}", container.index()),
        Item::Proposition(proposition) => format!("proposition {}", proposition.index()),
    }
}

fn attention(attention: &Attention) -> String {
    match attention {
        Attention::Peek(who) => format!("peek {}", characters(who)),
        Attention::Distracted { who, is_noticed: true } => {
            format!("distracted and noticed {}", characters(who))
        }
        Attention::Distracted { who, is_noticed: false } => format!("distracted {}", characters(who)),
    }
}

fn planned(value: PlannedValue) -> String {
    match value {
        PlannedValue::Place(at) => format!("in {}", place(at)),
        PlannedValue::Container(container) => format!("in container {}", container.index()),
        PlannedValue::Hands(who) => format!("held by {}", who.index()),
        PlannedValue::Truth(is_true) => is_true.to_string(),
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
